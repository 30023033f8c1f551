"""Kernel loading, which takes seconds the first time on a machine.

Importing a kernel module compiles its functions or loads them from the cache. Each function is
compiled for the single set of argument types that its callers use. A kernel is therefore ready
after its import, also in processes forked later.

Kernels load in a separate thread because the compiler ignores signals. The caller can still
handle Ctrl-C, a cancelled search and the timeout.
"""

import contextlib
import functools
import gc
import importlib
import importlib.util
import logging
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, wait
from time import monotonic
from types import ModuleType

from slidewise.puzzle import PuzzleError
from slidewise.solver import kernels
from slidewise.solver.events import Preparing
from slidewise.text import message

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
"""All kernels, in the order in which visitors need them: first `best` on 4x4, then the lab's
searches and larger boards, and last tables outside the package and the fewest slides."""

MAX_SECONDS = 120.0
"""Timeout for a kernel, twenty times the compile time of the slowest on an idle machine."""

PROGRESS_SECONDS = 0.1
"""Interval between progress events, after each of which the caller may stop."""

COLLECT_AFTER_OBJECTS = 100_000
"""New objects before a garbage collection while a kernel loads. At Python's default of 700,
scanning the compiler's hundreds of thousands of objects took a tenth of the time."""

_USUAL_THRESHOLDS = gc.get_threshold()


log = logging.getLogger(__name__)

NEEDS_NUMBA = "this needs the compiler numba, which is not installed: run `pip install numba`"


class CompilingError(PuzzleError):
    """A kernel did not compile within the timeout, or there is no compiler."""


@functools.cache
def is_available() -> bool:
    """Return whether numba is installed. Without it searches run in their plain form."""
    found = importlib.util.find_spec("numba") is not None
    if not found:
        log.warning("numba is not installed, so searches run in plain Python, much slower")
    return found


def ready(name: str) -> bool:
    """Return whether the kernel `name` is loaded and compiled."""
    # READY is the last line of a kernel: another thread may still be importing it.
    return hasattr(sys.modules.get(f"{kernels.__name__}.{name}"), "READY")


def load(name: str) -> ModuleType:
    """Return the kernel module `name`, such as `best_first`, compiled.

    Takes seconds the first time on a machine and some tenths in each process after that. Threads
    and processes may load concurrently: the first compiles while the others wait.
    """
    return start_loading(name).result()


def start_loading(name: str) -> Future[ModuleType]:
    """Start loading a kernel, unless it has started, and return its future."""
    with _lock:
        loading = _loading.get(name)
        if loading is None or (loading.done() and loading.exception()):
            # A failed load is tried again, because a full disk may have been cleared since.
            loading = _loading[name] = Future()
            threading.Thread(target=_load, args=(name, loading), daemon=True).start()
        return loading


def prepare(*names: str) -> Iterator[Preparing]:
    """Load the kernels `names`, with progress ten times a second if any is missing.

    Compilation continues in its thread if the iterator is closed early.

    >>> load("best_first").__name__
    'slidewise.solver.kernels.best_first'
    >>> list(prepare("best_first"))
    []

    Raises `CompilingError` if a kernel takes longer than `MAX_SECONDS`, or without numba.
    """
    if not is_available():
        raise CompilingError(NEEDS_NUMBA)
    missing = [name for name in names if not ready(name)]
    task = message("compiling the search")
    for done, name in enumerate(missing):
        deadline = monotonic() + MAX_SECONDS
        loading = start_loading(name)
        yield Preparing(task, done, len(missing))
        while not loading.done():
            if monotonic() > deadline:
                raise CompilingError(
                    f"compiling the search took more than {MAX_SECONDS:.0f} seconds; try again "
                    "later, or run `slidewise warm` once, which compiles everything beforehand"
                )
            wait([loading], PROGRESS_SECONDS)
            if not loading.done():
                yield Preparing(task, done, len(missing))
        loading.result()
    if missing:
        yield Preparing(task, len(missing), len(missing))


def load_cached() -> list[str]:
    """Load kernels from the cache, in order, up to the first uncached kernel.

    Returns the names of the loaded kernels. Compiles nothing and starts no thread, so a process
    may call it before it forks.
    """
    if not is_available():
        return []
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
                from slidewise.solver.kernels import cache, jit  # deferred: loads the compiler
            with cache.compile_lock(name, jit.CACHE):
                _import(name)
        loading.set_result(_import(name))
    except BaseException as error:  # raised again in the waiting threads
        loading.set_exception(error)


def _import(name: str) -> ModuleType:
    with _few_collections():
        # numba imports masked arrays at its first call, which a timed search must not pay for.
        importlib.import_module("numpy.ma")
        return importlib.import_module(f"{kernels.__name__}.{name}")


@contextlib.contextmanager
def _few_collections() -> Iterator[None]:
    """Raise the garbage collection threshold."""
    gc.set_threshold(COLLECT_AFTER_OBJECTS, *_USUAL_THRESHOLDS[1:])
    try:
        yield
    finally:
        gc.set_threshold(*_USUAL_THRESHOLDS)
