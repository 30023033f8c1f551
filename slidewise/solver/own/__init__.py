"""Heuristics of one's own: expressions read, evaluated and checked."""
