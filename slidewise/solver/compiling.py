"""Loading the compiled loops, which takes seconds the first time on a machine.

A kernel module compiles its functions while it is imported, for the one set of argument types
that its callers use, or loads them from the cache. So a kernel is ready from the moment its
module has been imported, and a process that is forked later has it too.

That is done in a thread beside the one that asks: the compiler hears of no signal, and Ctrl-C,
a stop and the limit of the wait are to be obeyed all the same.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import sys
import threading
from concurrent.futures import Future, wait
from time import monotonic
from typing import TYPE_CHECKING

from slidewise.puzzle import PuzzleError
from slidewise.solver import kernels
from slidewise.solver.events import Preparing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

KERNELS = (
    "patterns",
    "pattern_search",
    "deepening",
    "best_first",
    "beam",
    "bidirectional",
    "rbfs",
    "patterns_build",
    "slides",
)
"""All kernels, in the order in which visitors need them: `best` on 4x4, the other searches of the
lab, larger boards, tables that do not come with the package, and the fewest slides."""

MAX_SECONDS = 120.0
"""The longest wait for one kernel: twenty times what the slowest takes on a machine with nothing
else to do."""

TELL_SECONDS = 0.1
"""From one look whether the wait is to be ended to the next."""

COLLECT_AFTER_OBJECTS = 100_000
"""New objects from one garbage collection to the next while a kernel is loaded. The compiler makes
hundreds of thousands that stay: by Python's 700, looking through them took a tenth of the time."""

_USUAL_THRESHOLDS = gc.get_threshold()


class CompilingError(PuzzleError):
    """A kernel that was not to be had in time."""


def ready(name: str) -> bool:
    """Return whether the kernel `name` can run at once, with nothing to compile or to load."""
    # READY is the last line of a kernel: another thread may still be at the import.
    return hasattr(sys.modules.get(f"{kernels.__name__}.{name}"), "READY")


def load(name: str) -> ModuleType:
    """Return the kernel module `name`, such as `best_first`, compiled.

    Takes seconds the first time on a machine and some tenths in each process after that. Several
    threads and processes may do it at once: one compiles, and the others wait for it.
    """
    return begin(name).result()


def begin(name: str) -> Future[ModuleType]:
    """Begin to load a kernel, if that has not begun, and return the module that is to come."""
    with _lock:
        loading = _loading.get(name)
        if loading is None or (loading.done() and loading.exception()):
            loading = _loading[name] = Future()
            threading.Thread(target=_load, args=(name, loading), daemon=True).start()
        return loading


def prepare(*names: str) -> Iterator[Preparing]:
    """Load the kernels `names`, telling so ten times a second; yield nothing if all are ready.

    The iterator can be closed before its end: what is being compiled goes on beside the caller.

    >>> load("best_first").__name__
    'slidewise.solver.kernels.best_first'
    >>> list(prepare("best_first"))
    []

    Raises `CompilingError` where one takes longer than `MAX_SECONDS`.
    """
    missing = [name for name in names if not ready(name)]
    what = "compiling the search"
    for done, name in enumerate(missing):
        deadline = monotonic() + MAX_SECONDS
        loading = begin(name)
        yield Preparing(what, done, len(missing))
        while not loading.done():
            if monotonic() > deadline:
                raise CompilingError(
                    f"compiling the search took more than {MAX_SECONDS:.0f} seconds; try again "
                    "later, or run `slidewise warm` once, which compiles everything beforehand"
                )
            wait([loading], TELL_SECONDS)
            if not loading.done():
                yield Preparing(what, done, len(missing))
        loading.result()
    if missing:
        yield Preparing(what, len(missing), len(missing))


def load_cached() -> list[str]:
    """Load the kernels that are in the cache, in their order up to the first that is not.

    Returns those that are loaded. Nothing is compiled, and no thread is left: a process that
    forks others can do it at any time.
    """
    from slidewise.solver.kernels import checksummed_cache

    loaded = []
    for name in KERNELS:
        if not ready(name):
            try:
                with checksummed_cache.only_cached():
                    _import(name)
            except checksummed_cache.NotCachedError:
                break
        loaded.append(name)
    return loaded


_lock = threading.Lock()
_loading: dict[str, Future[ModuleType]] = {}


def _load(name: str, loading: Future[ModuleType]) -> None:
    try:
        if not ready(name):
            with _few_collections():
                from slidewise.solver.kernels import cache, jit  # here, as it loads the compiler
            with cache.compile_lock(name, jit.CACHE):
                _import(name)
        loading.set_result(_import(name))
    except BaseException as error:  # told to those who wait
        loading.set_exception(error)


def _import(name: str) -> ModuleType:
    with _few_collections():
        # numba looks for masked arrays at its first call, which is to be no part of a timed search.
        importlib.import_module("numpy.ma")
        return importlib.import_module(f"{kernels.__name__}.{name}")


@contextlib.contextmanager
def _few_collections() -> Iterator[None]:
    """Look for garbage rarely."""
    gc.set_threshold(COLLECT_AFTER_OBJECTS, *_USUAL_THRESHOLDS[1:])
    try:
        yield
    finally:
        gc.set_threshold(*_USUAL_THRESHOLDS)
