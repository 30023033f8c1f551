"""What holds for heuristics on all boards, asked of other processes and kept for all visitors."""

from __future__ import annotations

import threading
from collections import OrderedDict
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, cast

from flask import current_app

from webapp.search.checks import Check, check
from webapp.web.workers import Busy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

    from webapp.puzzle import Board
    from webapp.web.workers import SolverPool

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


class Checks:
    """Remembers checks, and asks for more. It is safe to use from many threads."""

    def __init__(self, pool: SolverPool) -> None:
        self._pool = pool
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, Board], Check] = OrderedDict()
        self._asked: dict[tuple[str, Board], Future[Check]] = {}
        self._room = threading.BoundedSemaphore(MOST_WAITING)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Hold one of the places there are for requests that wait; raises `Busy` without one."""
        if not self._room.acquire(blocking=False):
            raise _too_many()
        try:
            yield
        finally:
            self._room.release()

    def within(self, key: str, goal: Board, seconds: float) -> Check:
        """Return the check of the heuristic `key` for `goal`.

        Raises `Busy` where it is not there within `seconds`; it goes on all the same and is
        there for whoever asks again.
        """
        wanted = key, goal
        with self._lock:
            if wanted in self._known:
                self._known.move_to_end(wanted)
                return self._known[wanted]
            new = wanted not in self._asked
            if new:
                self._ask(key, goal)
            answer = self._asked[wanted]
        if new:
            answer.add_done_callback(partial(self._note, wanted))
        try:
            return answer.result(seconds)
        except TimeoutError:
            raise Busy(
                "Looking at all boards takes longer than usual. Open this page again in a moment.",
                retry_after=5,
            ) from None

    def _ask(self, key: str, goal: Board) -> None:
        if len(self._asked) >= MOST_ASKED:
            raise _too_many()
        small = len(goal.cells) <= QUICK
        helpers = self._pool.helpers if small else self._pool.lookouts
        self._asked[key, goal] = helpers.ask(check, key, goal, timeout=DEADLINE)

    def _note(self, wanted: tuple[str, Board], answer: Future[Check]) -> None:
        with self._lock:
            del self._asked[wanted]
            if not answer.cancelled() and not answer.exception():
                self._known[wanted] = answer.result()
            while len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)


def _too_many() -> Busy:
    return Busy(
        "Many heuristics are being checked right now. Try again in some seconds.", retry_after=5
    )


def checks() -> Checks:
    """Return the app's checks."""
    return cast("Checks", current_app.extensions["checks"])
