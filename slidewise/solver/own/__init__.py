"""User-defined heuristics: expressions, their evaluation and their checks."""
