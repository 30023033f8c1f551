"""The compiled loops. Each module compiles while it is imported: see `slidewise.solver.compiling`.

Importing this package loads no compiler.
"""
