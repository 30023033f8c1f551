"""Slidewise: sliding-tile puzzles, and searches that solve them."""

__version__ = "0.1.0"
