"""The compiled loops. Each module compiles while it is imported: see `slidewise.solver.compiling`.

Importing this package loads no compiler.
"""

from __future__ import annotations


def __getattr__(name: str) -> bool:
    """Return for `CACHE` whether compiled code is kept, as is found out when it is first asked."""
    if name == "CACHE":
        from slidewise.solver.kernels import cache

        return globals().setdefault("CACHE", cache.find())
    raise AttributeError(name)
