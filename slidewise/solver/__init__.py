"""How to solve a sliding puzzle: algorithms, heuristics and the events that they tell."""
