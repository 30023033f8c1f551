"""Imports of the fork server: workers inherit cached kernels and the tables of 4x4.

A spawned helper imports it itself. It compiles nothing, because forks would wait.
`webapp/workers/warming.py` compiles in another process. New kernels are loaded from the cache
before the next fork.
"""

import concurrent.futures.thread  # noqa: F401  # registers its hooks before the first fork
import logging
import os
import signal

from slidewise import parse_puzzle, solve
from slidewise.solver import compiling
from slidewise.solver.kernels import cache

# The server handles Ctrl-C; during an import it would make the compiler fail.
signal.signal(signal.SIGINT, signal.SIG_IGN)

ONE_MOVE = parse_puzzle("1.2.3.4-5.6.7.8-9.10.11.12-13.14.0.15")
"""A puzzle whose solution loads the modules and tables of the search."""

NEEDED = {"patterns", "pattern_search"}
"""Kernels of that search."""

_process = os.getpid()
_loaded: set[str] = set()


def load_what_is_new() -> None:
    """Load new kernels from the cache; a failure is logged."""
    if os.getpid() != _process or _loaded.issuperset(compiling.KERNELS):
        return
    try:
        if not cache.has_compiled_code():
            return  # importing the compiler takes a second
        before = _loaded >= NEEDED
        _loaded.update(compiling.load_cached())
        if not before and _loaded >= NEEDED:
            solve(ONE_MOVE)
    except Exception:
        logging.getLogger(__name__).exception("Compiled searches could not be loaded")


solve(parse_puzzle("1.2.3-4.5.6-7.0.8"))  # a search without compiled code
load_what_is_new()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=load_what_is_new)
