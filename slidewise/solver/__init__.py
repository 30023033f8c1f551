"""Solvers for sliding puzzles: algorithms, heuristics and search events."""
