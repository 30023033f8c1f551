"""What holds for heuristics on all boards, asked of other processes and kept for all visitors."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from slidewise.study.checks import check
from webapp.workers import Busy
from webapp.workers.questions import Questions, place

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

    from slidewise.puzzle import Board
    from slidewise.solver.own.check import HeuristicCheck
    from webapp.workers import SolverPool

QUICK = 9
"""Boards of up to so many cells are all looked at in some tenths of a second."""

DEADLINE = 60.0
"""Seconds until a check is given up: the first of all may have to compile, or build tables."""

MOST_KEPT = 200
"""So many checks are remembered, of some 10 KB."""

MOST_ASKED = 4
"""So many are under way at a time: others keep the helpers for clicks."""

MOST_WAITING = 8
"""So many requests wait for answers: others keep the threads of the server for clicks."""

BUSY = "Many heuristics are being checked right now. Try again in some seconds."


class Checks:
    """Remembers checks, and asks for more. It is safe to use from many threads."""

    def __init__(self, pool: SolverPool) -> None:
        self._pool = pool
        self._checks = Questions(self._check, MOST_ASKED, kept=MOST_KEPT, busy=BUSY)
        self._room = threading.BoundedSemaphore(MOST_WAITING)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Hold one of the places there are for requests that wait; raises `Busy` without one."""
        with place(self._room) as waits:
            if not waits:
                raise Busy(BUSY, retry_after=5)
            yield

    def within(self, key: str, goal: Board, seconds: float) -> HeuristicCheck:
        """Return the check of the heuristic `key` for `goal`.

        Raises `Busy` where it is not there within `seconds`; it goes on all the same and is
        there for whoever asks again.
        """
        try:
            return self._checks.ask((key, goal)).result(seconds)
        except TimeoutError:
            raise Busy(
                "Looking at all boards takes longer than usual. Open this page again in a moment.",
                retry_after=5,
            ) from None

    def _check(self, wanted: tuple[str, Board]) -> Future[HeuristicCheck]:
        small = len(wanted[1].cells) <= QUICK
        helpers = self._pool.helpers if small else self._pool.background
        return helpers.ask(check, *wanted, timeout=DEADLINE)
