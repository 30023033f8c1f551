"""The Solve card: streamed searches and replays.

Imports `play` too.
"""
