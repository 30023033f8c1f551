"""Looking ahead: what is known of the way from boards to their goals, asked of other processes.

A board of up to 10 cells is looked up, which takes less than a millisecond. For a larger one a
short search runs, which gives way to the searches that visitors start.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import CancelledError
from functools import partial
from typing import TYPE_CHECKING, cast

from flask import current_app

from webapp.search.ahead import MOST_SEARCHED, Ahead, look_ahead
from webapp.search.exact import MOST_CELLS
from webapp.web.workers import Busy

if TYPE_CHECKING:
    from concurrent.futures import Future

    from webapp.puzzle import Board, Puzzle
    from webapp.web.workers import SolverPool

    Answer = Future[dict[Board, Ahead]]

AT_ONCE = 0.05
"""Seconds that a click waits for a look-up, which takes a hundredth of that as a rule."""

SEARCH_SECONDS, LARGE_SEARCH_SECONDS = 2.0, 0.7
"""The longest search, and how long it is looked for a good way where a shortest is not to be had
in time, above 16 cells."""

DEADLINE = 60.0
"""Seconds until an answer is given up: the first of all may have to compile, or build tables."""

MOST_KEPT = 5_000
"""So many boards are remembered; the largest take a kilobyte."""

MOST_ASKED = 16
"""So many questions of each kind are under way at a time."""

MOST_SEARCHES = 3
"""So many of them are searches for one visitor."""

MOST_WAITING = 10
"""So many requests wait for answers: others keep the threads of the server for clicks."""


class Lookout:
    """Remembers what is known of boards, and asks for more. It is safe to use from many threads."""

    def __init__(self, pool: SolverPool) -> None:
        self._pool = pool
        self._lock = threading.Lock()
        self._known: OrderedDict[Puzzle, Ahead] = OrderedDict()
        self._asked: dict[Puzzle, tuple[str, Answer]] = {}
        self._room = threading.BoundedSemaphore(MOST_WAITING)

    def at_once(self, puzzle: Puzzle) -> Ahead | None:
        """Return what is known of the start of `puzzle`, None where that takes a search."""
        if is_small(puzzle):
            return self._answer(puzzle, "", AT_ONCE)
        return self._remembered(puzzle)

    def within(self, puzzle: Puzzle, seconds: float, visitor: str) -> Ahead | None:
        """Return what is found out within `seconds`, None if it is not, or too much is asked."""
        if not self._room.acquire(blocking=False):
            return self._remembered(puzzle)
        try:
            return self._answer(puzzle, visitor, seconds)
        finally:
            self._room.release()

    def _answer(self, puzzle: Puzzle, visitor: str, seconds: float) -> Ahead | None:
        known = self._remembered(puzzle)
        if known or not puzzle.solvable:
            return known
        try:
            answer = self._ask(puzzle, visitor)
            return answer.result(seconds)[puzzle.start] if answer else None
        except (TimeoutError, Busy, CancelledError):
            return None
        except Exception:
            # a click or a page is not to fail for want of a number
            current_app.logger.exception("Looking ahead from %s failed", puzzle)
            return None

    def _remembered(self, puzzle: Puzzle) -> Ahead | None:
        if puzzle.start == puzzle.goal:
            return Ahead(0, 0)
        with self._lock:
            known = self._known.get(puzzle)
            if known:
                self._known.move_to_end(puzzle)
            return known

    def _ask(self, puzzle: Puzzle, visitor: str) -> Answer | None:
        """Return the answer to come, of a question that was asked before if there is one."""
        with self._lock:
            if puzzle in self._asked:
                return self._asked[puzzle][1]
            if not self._has_room(puzzle, visitor):
                return None
            helpers = self._pool.helpers if is_small(puzzle) else self._pool.lookouts
            large = puzzle.rows * puzzle.cols > MOST_SEARCHED
            seconds = LARGE_SEARCH_SECONDS if large else SEARCH_SECONDS
            answer = helpers.ask(look_ahead, puzzle, seconds, timeout=DEADLINE)
            self._asked[puzzle] = visitor, answer
        answer.add_done_callback(partial(self._note, puzzle))
        return answer

    def _has_room(self, puzzle: Puzzle, visitor: str) -> bool:
        small = is_small(puzzle)
        askers = [asker for asked, (asker, _) in self._asked.items() if is_small(asked) == small]
        return len(askers) < MOST_ASKED and (small or askers.count(visitor) < MOST_SEARCHES)

    def _note(self, puzzle: Puzzle, answer: Answer) -> None:
        with self._lock:
            del self._asked[puzzle]
            if answer.cancelled() or answer.exception():
                return
            for board, ahead in answer.result().items():
                here = puzzle.starting_at(board)
                known = self._known.get(here)
                if known is None or not known.exact:
                    self._known[here] = ahead
            while len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)


def is_small(puzzle: Puzzle) -> bool:
    """Return whether the exact table tells of the puzzle's boards."""
    return puzzle.rows * puzzle.cols <= MOST_CELLS


def lookout() -> Lookout:
    """Return the app's lookout."""
    return cast("Lookout", current_app.extensions["lookout"])
