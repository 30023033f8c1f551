"""Links, pictures, frames and files to share.

Imports `play` and `solve` too.
"""
