"""Counts of shortest solutions and of slides, searched in other processes within a few seconds."""

import threading
from concurrent.futures import Future
from typing import Any

from flask import current_app

from slidewise import FewestSlides, Limits, Puzzle, fewest_slides
from slidewise.analysis.shortest_solutions import counted

from . import Solvers
from .distances import DEADLINE_SECONDS
from .helpers import CoalescedCalls
from .shared import CacheKind, Shared
from .solvers import CallQueue

COUNT_SECONDS, SLIDES_SECONDS = 4.0, 1.5
"""Time limits in seconds; a page waits for both searches, one after the other."""

STORED_BOARDS = 2_000_000
"""Maximum of boards stored while counting shortest solutions: some 60 MB."""

MAX_UNDER_WAY, MAX_WAITING = 6, 4
"""Maximum of pending calls, and of waiting requests."""

COUNTS = CacheKind[tuple["Puzzle", "str | None"], "dict[str, Any]"]("counts", 1_000_000, 1800)
SLIDES = CacheKind["Puzzle", FewestSlides]("slides", 1_000_000, 1800)

BUSY = "Other boards are being worked on right now. Try again in a few seconds."


class SolutionCounts:
    """Submits searches and caches their counts; safe to use from many threads.

    Both methods raise `Busy` over the limit or after the timeout.
    """

    def __init__(self, pool: Solvers, shared: Shared) -> None:
        self._pool = pool
        limits = MAX_UNDER_WAY, 2, BUSY, threading.BoundedSemaphore(MAX_WAITING)
        self._counts = CoalescedCalls(self._count, COUNTS, shared, *limits)
        self._slides = CoalescedCalls(self._slide, SLIDES, shared, *limits)

    def shortest(self, puzzle: Puzzle, moves: str | None, visitor: str) -> dict[str, Any]:
        """Return the result of `counted`; empty if `moves` are not a shortest solution."""
        return self._counts.within((puzzle, moves), current_app.config["SOLVE_WAIT"], visitor)

    def slides(self, puzzle: Puzzle, visitor: str) -> FewestSlides:
        """Return the result of `fewest_slides`."""
        return self._slides.within(puzzle, current_app.config["SOLVE_WAIT"], visitor)

    def _count(self, question: tuple[Puzzle, str | None]) -> Future[dict[str, Any]]:
        puzzle, moves = question
        limits = Limits(seconds=COUNT_SECONDS, stored_nodes=STORED_BOARDS)
        queue = CallQueue.CLICK if puzzle.has_table else CallQueue.REVIEW
        return self._pool.calls.submit(
            queue, counted, puzzle, limits, moves, timeout=DEADLINE_SECONDS
        )

    def _slide(self, puzzle: Puzzle) -> Future[FewestSlides]:
        queue = CallQueue.CLICK if puzzle.has_table else CallQueue.REVIEW
        return self._pool.calls.submit(
            queue, fewest_slides, puzzle, Limits(seconds=SLIDES_SECONDS), timeout=DEADLINE_SECONDS
        )
