"""Research: proofs, also on several machines, benchmark sets, an environment for learning.

Imports the library up to the frame of the command; only research imports it.
"""
