"""The lab: races, recordings and comparisons of searches, and heuristics drawn."""
