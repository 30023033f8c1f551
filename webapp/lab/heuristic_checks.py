"""Checks of heuristics on all boards, made in other processes and remembered for all visitors."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from slidewise.study.checks import check
from webapp.workers import Busy
from webapp.workers.questions import Questions, slot
from webapp.workers.shared import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

    from slidewise import Board
    from slidewise.solver.own.check import HeuristicCheck
    from webapp.workers import Solvers
    from webapp.workers.shared import Shared

QUICK_CELLS = 9
"""Cells of the largest boards that are all checked in some tenths of a second."""

CHECK_SECONDS = 60.0
"""Seconds until a check is given up: the first of all may have to compile, or build tables."""

CHECKS = Kind[tuple[str, "Board"], "HeuristicCheck"]("checks", 1_000_000, 3600)
"""Those of a heuristic and a goal, of some 10 KB each."""

CHECKS_AT_ONCE = 4
"""Checks under way at a time: more would leave no helper for clicks."""

WAITING_REQUESTS = 8
"""Requests that wait for checks: more would leave no thread of the server for clicks."""

BUSY = "Many heuristics are being checked right now. Try again in a few seconds."


class Checks:
    """Remembers checks, and has new ones made. It is safe to use from many threads."""

    def __init__(self, pool: Solvers, shared: Shared) -> None:
        self._pool = pool
        self._checks = Questions(self._check, CHECKS, shared, CHECKS_AT_ONCE, busy=BUSY)
        self._waiting = threading.BoundedSemaphore(WAITING_REQUESTS)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Take one of the slots of requests that wait; raises `Busy` when none is free."""
        with slot(self._waiting) as is_free:
            if not is_free:
                raise Busy(BUSY, retry_after=5)
            yield

    def within(self, key: str, goal: Board, seconds: float) -> HeuristicCheck:
        """Return the check of the heuristic `key` for `goal`.

        Raises `Busy` if it takes longer than `seconds`; it goes on all the same and will be ready
        for the next request.
        """
        try:
            return self._checks.ask((key, goal)).result(seconds)
        except TimeoutError:
            raise Busy(
                "Looking at all boards is taking longer than usual. Try again in a moment.",
                retry_after=5,
            ) from None

    def _check(self, wanted: tuple[str, Board]) -> Future[HeuristicCheck]:
        small = len(wanted[1].cells) <= QUICK_CELLS
        helpers = self._pool.helpers if small else self._pool.builders
        return helpers.ask(check, *wanted, timeout=CHECK_SECONDS)
