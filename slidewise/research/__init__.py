"""Research: proofs, also on several machines, benchmark sets, and an environment for learning.

It imports the puzzle, the solver and the analysis; nothing but its part of the web app imports it.
"""
