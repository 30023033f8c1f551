"""Solvers for sliding puzzles: algorithms, heuristics, tables and search events.

Imports `puzzle` alone.
"""
