"""The system limits the memory of each process except the web process, so that a bug or a hostile
request costs only one answer. Windows has no such limit."""

from __future__ import annotations

import errno
import mmap
import multiprocessing
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

FORKS = "forkserver" in multiprocessing.get_all_start_methods()
"""Whether workers are forked from a process with the search loaded. On Windows each worker starts a
new Python, which takes a second more."""

if TYPE_CHECKING or FORKS:
    from multiprocessing.context import ForkServerContext as WorkerContext
    from multiprocessing.context import ForkServerProcess as WorkerProcess
else:
    from multiprocessing.context import SpawnContext as WorkerContext
    from multiprocessing.context import SpawnProcess as WorkerProcess

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]  # not on Windows

EXIT_CODE = errno.ENOMEM
"""Exit code of a process over its memory limit."""

OUT_OF_MEMORY = "out of memory"
"""Exit status in words for `EXIT_CODE`."""

LEAST_SPARE_MEGABYTES = 600
"""A worker's memory without the nodes of its search: 200 MB of loaded code, up to 100 of the search
itself, and 240 of the compiler if it is needed."""

SPARE_MEGABYTES = 1200
"""Default for a worker's memory without the nodes: room for the largest tables of 4x4, 580 MB."""


class LimitedContext(WorkerContext):
    """Creates processes with at most `megabytes` of data, or without a limit if None.

    `RLIMIT_DATA` counts writable memory, used or not, but neither mapped code nor shared memory.
    """

    def __init__(self, megabytes: int | None = None) -> None:
        super().__init__()
        self._megabytes = megabytes

    def Process(  # type: ignore[override]  # noqa: N802  # a class there
        self, *, target: Callable[..., object], args: tuple[Any, ...] = (), daemon: bool
    ) -> LimitedProcess:
        """Return a process that has not started."""
        return LimitedProcess(self._megabytes, target=target, args=args, daemon=daemon)


class LimitedProcess(WorkerProcess):
    """A process that exits with `EXIT_CODE` over its memory limit."""

    def __init__(self, megabytes: int | None, **what: Any) -> None:
        super().__init__(**what)
        self._megabytes = megabytes

    def run(self) -> None:
        """Run the target under the limit, in the process itself."""
        if self._megabytes is not None:
            limit(self._megabytes * 2**20)
        try:
            super().run()
        except MemoryError:
            os._exit(EXIT_CODE)  # before the connection closes and the parent kills this process


def limit(size: int) -> None:
    """Limit the data of this process to `size` bytes, or to a lower limit already set; no effect on
    systems without limits."""
    if resource is None:
        return
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    if most == resource.RLIM_INFINITY or size < most:
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def data_bytes() -> int:
    """Return the data of this process, as the limit counts it; 0 on systems without /proc."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[5]
    except OSError:
        return 0
    return int(pages) * mmap.PAGESIZE
