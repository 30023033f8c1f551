"""The HTTP interface for programs, whose operations are declared at their views.

Imports `play` too.
"""
