"""Solvers for sliding puzzles: algorithms, heuristics, tables and search events.

It imports `slidewise.puzzle` and no other folder of the package.
"""
