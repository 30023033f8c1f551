"""The heuristics, one a file. Each file is found by the registry and needs no entry elsewhere."""
