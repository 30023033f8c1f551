"""Loading the compiled loops, which takes seconds the first time on a machine.

A kernel module compiles its functions while it is imported, for the one set of argument types
that its callers use, or loads them from numba's cache. So a kernel is ready from the moment
its module has been imported, and a process that is forked later has it too.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

from slidewise.solver import kernels
from slidewise.solver.events import Preparing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType


def ready(name: str) -> bool:
    """Return whether the kernel `name` can run at once, with nothing to compile or to load."""
    # READY is the last line of a kernel: another thread may still be at the import.
    return hasattr(sys.modules.get(f"{kernels.__name__}.{name}"), "READY")


def load(name: str) -> ModuleType:
    """Return the kernel module `name`, such as `best_first`, compiled.

    Takes seconds the first time on a machine and some tenths in each process after that. Several
    threads and processes may do it at once.
    """
    # numba looks for masked arrays at its first call, which is to be no part of a timed search.
    importlib.import_module("numpy.ma")
    return importlib.import_module(f"{kernels.__name__}.{name}")


def prepare(name: str) -> Iterator[Preparing]:
    """Load the kernel `name`, telling so before and after; yield nothing if it is ready.

    >>> load("best_first").__name__
    'slidewise.solver.kernels.best_first'
    >>> list(prepare("best_first"))
    []
    """
    if ready(name):
        return
    what = "compiling the search"
    yield Preparing(what, 0, 1)
    load(name)
    yield Preparing(what, 1, 1)
