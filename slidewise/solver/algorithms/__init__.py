"""Algorithms, a family a file. The registry discovers each file."""
