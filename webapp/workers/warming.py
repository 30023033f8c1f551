"""Warming up: what searches need is compiled and unpacked before a visitor asks for it.

A process of its own does that, in the order in which visitors need it, and says what is ready.
After each part a process is forked that does nothing: before that fork the process that all workers
are forked from loads the part.
"""

from __future__ import annotations

import logging
import os
import tempfile
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from slidewise.solver import warming
from slidewise.solver.kernels import cache
from webapp.workers.process import prepare_all

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext

TRIES = 3
"""How often what is missing is begun anew, where the process that compiles is lost."""

log = logging.getLogger(__name__)


class Warming:
    """Prepares everything beside the server; `missing` is what is still to come."""

    def __init__(self, context: ForkServerContext) -> None:
        self._context = context
        self._closing = threading.Event()
        self.missing: tuple[str, ...] = warming.PARTS

    def start(self) -> None:
        """Begin, in the background."""
        if not cache.find():
            with suppress(OSError):  # else each search compiles for itself
                os.environ[cache.VARIABLE] = tempfile.mkdtemp(prefix="slidewise-kernels-")
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
        process.start()
        theirs.close()
        try:
            while not self._closing.is_set():
                if ours.poll(0.1):
                    part = ours.recv()
                    self._fork_nothing()
                    self.missing = tuple(name for name in self.missing if name != part)
        except (EOFError, OSError):
            pass  # it has ended
        finally:
            process.kill()
            process.join()
            ours.close()

    def _fork_nothing(self) -> None:
        """Have the process that workers are forked from load what is new."""
        process = self._context.Process(target=abs, args=(1,), daemon=True)
        process.start()
        process.join()
