"""Proofs of Korf and Felner's fifty 24-puzzles: the command that makes them, and its results."""
