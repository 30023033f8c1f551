"""Every search in plain Python, in the order and with the counts of the compiled search.

Imports only the standard library and light modules of Slidewise: no numpy, no compiler.
"""
