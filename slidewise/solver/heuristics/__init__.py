"""Heuristics, one a file. The registry discovers each file."""
