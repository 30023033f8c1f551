"""Research: proofs, also on several machines, benchmark sets, an environment for learning.

It imports the library and the frame of the command. Only research imports it.
"""
