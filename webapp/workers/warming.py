"""Warming up: what searches need is compiled and unpacked before a visitor asks for it.

A process of its own does that, in the order in which visitors need it, and says what is ready.
After each part a process is forked that does nothing: before that fork the process that all workers
are forked from loads the part.
"""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from slidewise.solver import warming
from webapp.workers.helpers import end, prepare_all, start

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkServerContext

TELL_SECONDS = 1.0
"""What takes longer is told in the log: it is being compiled, and not only loaded."""

TRIES = 3
"""How often what is missing is begun anew, where the process that compiles is lost."""

log = logging.getLogger(__name__)


class Warming:
    """Prepares everything beside the server; `missing` is what is still to come."""

    def __init__(self, context: ForkServerContext) -> None:
        self._context = context
        self._closing = threading.Event()
        self.missing: tuple[str, ...] = warming.PARTS
        self._waited, self._told = 0.0, ""

    def start(self) -> None:
        """Begin, in the background."""
        threading.Thread(target=self._run, daemon=True).start()

    def close(self) -> None:
        """Have the process end at once."""
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
            pass  # it has ended, or what it is forked from
        finally:
            if process.pid is not None:
                end(process)
            ours.close()
            theirs.close()

    def _follow(self, connection: Connection) -> None:
        """Note a part as ready, or tell what takes longer."""
        if not connection.poll(0.1):
            self._waited += 0.1
            if self.missing and self._told != self.missing[0] and self._waited > TELL_SECONDS:
                self._told = self.missing[0]
                log.info("Only the first time: %s", warming.words(self._told))
            return
        part = connection.recv()
        self._fork_nothing()
        self.missing = tuple(name for name in self.missing if name != part)
        self._waited = 0.0
        if self._told and not self.missing:
            log.info("All searches are ready")

    def _fork_nothing(self) -> None:
        """Have the process that workers are forked from load what is new."""
        process = self._context.Process(target=abs, args=(1,), daemon=True)
        start(process)
        end(process, None)
