"""Heuristics, each in its own file. The registry discovers the files."""
