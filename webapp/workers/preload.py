"""Imported once by the process that workers are forked from: each worker then starts with the
compiled searches loaded that are in the cache, and with the tables for the standard goals of 4x4.

Nothing is compiled here, as nobody could be answered meanwhile. `webapp/workers/warming.py` has
that done in another process; what that has put into the cache is loaded before the next fork.
"""

from __future__ import annotations

import concurrent.futures.thread  # noqa: F401  # its hooks for forks must be there before a fork
import logging
import os
import signal

from slidewise import parse_puzzle, solve
from slidewise.solver import compiling
from slidewise.solver.kernels import cache

# Ctrl-C is for the server; where it comes amid what is loaded here, the compiler complains.
signal.signal(signal.SIGINT, signal.SIG_IGN)

ONE_MOVE = parse_puzzle("1.2.3.4-5.6.7.8-9.10.11.12-13.14.0.15")
"""Solved once: that loads the modules of the search, and its tables."""

NEEDED = {"patterns", "pattern_search"}
"""The kernels that the search for it needs."""

_process = os.getpid()
_loaded: set[str] = set()


def load_what_is_new() -> None:
    """Load what has come into the cache since the last time; a failure is logged."""
    if os.getpid() != _process or _loaded.issuperset(compiling.KERNELS):
        return
    try:
        if not cache.has_compiled_code():
            return  # the compiler itself takes a second to load
        before = _loaded >= NEEDED
        _loaded.update(compiling.load_cached())
        if not before and _loaded >= NEEDED:
            solve(ONE_MOVE)
    except Exception:
        logging.getLogger(__name__).exception("Compiled searches could not be loaded")


solve(parse_puzzle("1.2.3-4.5.6-7.0.8"))  # which needs nothing compiled
load_what_is_new()
os.register_at_fork(before=load_what_is_new)
