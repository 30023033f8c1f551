"""Additive pattern databases: for each group of tiles a table of the moves of these tiles alone.

Source: R. E. Korf and A. Felner, Disjoint pattern database heuristics, Artificial Intelligence
134, 2002. Importing this package loads neither numpy nor the compiler.
"""
