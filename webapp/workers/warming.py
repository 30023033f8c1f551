"""Warming up: kernels are compiled and tables unpacked in the background.

A single process does that, in the order in which visitors need the parts, and reports each. Then an
empty fork makes the fork server load the part.
"""

import logging
import threading
from multiprocessing.connection import Connection

from slidewise.solver import warming

from .helpers import end, prepare_all, start
from .memory import FORKS, LimitedContext

LOG_SECONDS = 1.0
"""Parts that take more seconds are logged: they were compiled, not only loaded."""

TRIES = 3
"""Attempts if the compiling process dies."""

log = logging.getLogger(__name__)


class Warming:
    """Prepares all parts in another process; `missing` are the parts not ready yet."""

    def __init__(self, context: LimitedContext) -> None:
        self._context = context
        self._closing = threading.Event()
        self.missing: tuple[str, ...] = warming.PARTS
        self._waited, self._logged = 0.0, ""

    def start(self) -> None:
        """Start in the background."""
        threading.Thread(target=self._run, daemon=True).start()

    def close(self) -> None:
        """Kill the process."""
        self._closing.set()

    def _run(self) -> None:
        for _ in range(TRIES):
            self._run_process()
            if self._closing.is_set() or not self.missing:
                return
            log.error("The process that compiles was lost. %d parts missing", len(self.missing))

    def _run_process(self) -> None:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=prepare_all, args=(theirs,), daemon=True)
        try:
            start(process)
            theirs.close()
            while not self._closing.is_set():
                self._follow(ours)
        except (EOFError, OSError):
            pass  # the process has ended, or the fork server
        finally:
            if process.pid is not None:
                end(process)
            ours.close()
            theirs.close()

    def _follow(self, connection: Connection) -> None:
        """Note a part as ready, or log a slow part."""
        if not connection.poll(0.1):
            self._waited += 0.1
            if self.missing and self._logged != self.missing[0] and self._waited > LOG_SECONDS:
                self._logged = self.missing[0]
                log.info("Only the first time: %s", warming.words(self._logged))
            return
        part = connection.recv()
        if FORKS:
            self._fork_nothing()
        self.missing = tuple(name for name in self.missing if name != part)
        self._waited = 0.0
        if self._logged and not self.missing:
            log.info("All searches are ready")

    def _fork_nothing(self) -> None:
        """Make the fork server load new kernels."""
        process = self._context.Process(target=abs, args=(1,), daemon=True)
        start(process)
        end(process, None)
