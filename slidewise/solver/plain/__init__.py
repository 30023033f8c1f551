"""Every search in plain Python, in the order and with the counts of the compiled one.

Imports the standard library and Slidewise's puzzles only: no numpy, no compiler.
"""
