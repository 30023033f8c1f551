"""Additive pattern databases: for each group of tiles a table of what only they have to move.

Source: R. E. Korf and A. Felner, Disjoint pattern database heuristics, Artificial Intelligence
134, 2002. Importing this package loads neither numpy nor the compiler.
"""
