"""Distances of boards to their goals, computed in other processes.

Boards of up to 10 cells are looked up in a table, computed once for each position of the goal's
blank. Larger boards take a short search at a lower priority than visitors' searches.
"""

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from functools import lru_cache, partial
from typing import TypeVar

from flask import current_app

from slidewise import Board, Proof, Puzzle, Result
from slidewise.analysis.distance import (
    SEARCH_CELLS,
    DistanceAhead,
    along,
    along_path,
    constructive_hint,
    look_ahead,
    look_up,
)
from slidewise.puzzle.moves import tiles_moved
from slidewise.solver.events import Finished
from slidewise.solver.known import (
    PROOF_TITLE,
    Known,
    add_known_to_event,
    from_table,
    known_of,
    moves_at_least,
)
from slidewise.solver.tables.exact import packed_distance, packed_distances

from ..http.responses import Busy
from . import Solvers
from .helpers import CoalescedCalls, slot
from .shared import CacheKind, Shared
from .solvers import CallQueue, JobEvent

Answer = Future[dict[Board, DistanceAhead]]

Key = TypeVar("Key")
Value = TypeVar("Value")

SEARCH_SECONDS, LARGE_SEARCH_SECONDS = 2.0, 0.7
"""Time limits in seconds of a search, and of a search above 16 cells for a good solution only."""

DEADLINE_SECONDS = 60.0
"""Timeout of a call in seconds: the first may compile or build tables."""

KNOWN = CacheKind["Puzzle", DistanceAhead]("distances", 3_000_000, 3600)
"""Known distances for an hour; an entry takes one to five kilobytes."""

BOUNDS = CacheKind["Puzzle", int]("bounds", 1_000_000, 3600)
"""Lower bounds proved by stopped searches."""

SEARCHES = CacheKind["Puzzle", "dict[Board, DistanceAhead]"]("searches", 0)
"""Not cached itself; its results go to KNOWN."""

TABLES = CacheKind["Board", bytes]("tables", 8_000_000)
"""The tables of a process: up to 1.8 MB each, a tenth of that for 3x3. A helper rebuilds a table as
fast as it could be fetched."""

MAX_TABLES = 6
"""Maximum of tables fetched at a time."""

MAX_BOARDS = 16
"""Maximum of searches running at a time."""

MAX_SEARCHES = 3
"""Maximum of searches per visitor."""

MAX_WAITING = 10
"""Maximum of requests that wait for answers; other threads of the server stay free for clicks."""


class Distances:
    """Caches distances and submits searches for others; safe to use from many threads."""

    def __init__(self, pool: Solvers, shared: Shared) -> None:
        self._pool, self._shared = pool, shared
        self._tables = CoalescedCalls(self._fetch, TABLES, shared, MAX_TABLES)
        self._searches = CoalescedCalls(
            self._look_ahead, SEARCHES, shared, MAX_BOARDS, MAX_SEARCHES
        )
        self._waiting = threading.BoundedSemaphore(MAX_WAITING)

    def cached(self, *puzzles: Puzzle) -> list[DistanceAhead | None]:
        """Return the cached distances of some starts to a goal, without their next tiles.

        None for a start whose distance takes a search or a round trip.
        """
        table = None
        if puzzles[0].has_table:
            table = self._table(puzzles[0], current_app.config["CLICK_WAIT"])
        if not table:
            return [self._local(puzzle) for puzzle in puzzles]
        distances = [packed_distance(puzzle, table) for puzzle in puzzles]
        return [DistanceAhead(moves, moves) for moves in distances]

    def known(self, puzzle: Puzzle) -> Known | None:
        """Return the proved bound of a puzzle, also from earlier searches.

        None if unsolvable or small enough for the table.
        """
        if puzzle.has_table or not puzzle.solvable:
            return None
        ahead = self._shared.get(KNOWN, puzzle)
        if ahead and ahead.exact:
            by = ahead.method or "a search"
            return Known(ahead.at_least, True, f"{by} proved {ahead.at_least} before")
        at_least = max(ahead.at_least if ahead else 0, self._shared.get(BOUNDS, puzzle) or 0)
        without = known_of(puzzle)
        if without and without.at_least >= at_least:
            return without
        return Known(at_least, False, f"a search proved at least {at_least} before")

    def bound(self, puzzle: Puzzle) -> int:
        """Return the best lower bound known to this process."""
        return max(moves_at_least(puzzle), self._shared.get_local(BOUNDS, puzzle) or 0)

    def proved(self, puzzle: Puzzle, seconds: float) -> Known:
        """Return the proved bound of a solvable puzzle, from its table if that comes in time."""
        if puzzle.has_table and (ahead := self._answer(puzzle, "", seconds)):
            return from_table(ahead.at_least)
        at_least = moves_at_least(puzzle)
        return self.known(puzzle) or Known(at_least, False, f"at least {at_least}")

    def joined(
        self, events: Iterator[tuple[int, JobEvent | None]], puzzle: Puzzle
    ) -> Iterator[tuple[int, JobEvent | None]]:
        """Yield the events of a job with the known bound added, and cache its result."""
        for event_id, event in events:
            if isinstance(event, Finished) and not puzzle.has_table and event.result.lower_bound:
                self._remember(event.result, event.result.lower_bound)
            known = self.known(puzzle) if event else None
            yield event_id, add_known_to_event(event, known) if event and known else event

    def remember_proof(self, puzzle: Puzzle, moves: str, bound: int) -> None:
        """Cache the solution and the lower bound of a proof that ran outside the server."""
        tiles = tiles_moved(puzzle.start, moves)
        if len(tiles) == bound:
            self._remember_path(puzzle, along_path(puzzle, tiles, bound, PROOF_TITLE))
        else:
            self._remember_bound(puzzle, bound)

    def _remember(self, result: Result, bound: int) -> None:
        if result.verdict.kind is Proof.OPTIMAL and not result.verdict.source:
            self._remember_path(result.puzzle, along(result))
        else:
            self._remember_bound(result.puzzle, bound)

    def _remember_path(self, puzzle: Puzzle, path: dict[Board, DistanceAhead]) -> None:
        ways = {puzzle.starting_at(board): ahead for board, ahead in path.items()}
        self._shared.put_all(KNOWN, ways)

    def _remember_bound(self, puzzle: Puzzle, bound: int) -> None:
        if bound > (self._shared.get(BOUNDS, puzzle) or 0):
            self._shared.put(BOUNDS, puzzle, bound)

    def hint(self, puzzle: Puzzle, seconds: float, visitor: str) -> DistanceAhead:
        """Return the distance of a solvable puzzle found within `seconds`, otherwise a constructive
        hint."""
        ahead = self.wait_for(puzzle, seconds, visitor)
        return ahead if ahead and ahead.tile is not None else constructive_hint(puzzle)

    def wait_for(self, puzzle: Puzzle, seconds: float, visitor: str) -> DistanceAhead | None:
        """Return the distance found within `seconds`, None on timeout or over a limit."""
        with slot(self._waiting) as waits:
            if not waits:  # a missing number is better than a late click
                return self._local(puzzle)
            return self._answer(puzzle, visitor, seconds)

    def _answer(self, puzzle: Puzzle, visitor: str, seconds: float) -> DistanceAhead | None:
        known = self._local(puzzle)
        if known or not puzzle.solvable:
            return known
        if puzzle.has_table:
            table = self._table(puzzle, seconds)
            return look_up(puzzle, table) if table else None
        if known := self._shared.get(KNOWN, puzzle):
            return known
        found = _result(self._searches, puzzle, seconds, visitor)
        return found[puzzle.start] if found else None

    def _local(self, puzzle: Puzzle) -> DistanceAhead | None:
        if puzzle.start == puzzle.goal:
            return DistanceAhead(0, 0)
        return None if puzzle.has_table else self._shared.get_local(KNOWN, puzzle)

    def _table(self, puzzle: Puzzle, seconds: float) -> bytes | None:
        """Return the table of a small puzzle, None if unsolvable or not there within `seconds`."""
        if not puzzle.solvable:
            return None
        goal = _tables_goal(puzzle.goal)
        return self._shared.get_local(TABLES, goal) or _result(self._tables, goal, seconds)

    def _look_ahead(self, puzzle: Puzzle) -> Answer:
        large = puzzle.rows * puzzle.cols > SEARCH_CELLS
        seconds = LARGE_SEARCH_SECONDS if large else SEARCH_SECONDS
        answer = self._pool.calls.submit(
            CallQueue.HINT, look_ahead, puzzle, seconds, timeout=DEADLINE_SECONDS
        )
        answer.add_done_callback(partial(self._note, puzzle))
        return answer

    def _fetch(self, goal: Board) -> Future[bytes]:
        return self._pool.calls.submit(
            CallQueue.CLICK, packed_distances, goal, timeout=DEADLINE_SECONDS
        )

    def _note(self, puzzle: Puzzle, answer: Answer) -> None:
        if answer.cancelled() or answer.exception():
            return
        for exact in True, False:  # a bound does not replace an exact distance
            found = {
                puzzle.starting_at(board): ahead
                for board, ahead in answer.result().items()
                if ahead.exact is exact
            }
            self._shared.put_all(KNOWN, found, replace=exact)


def _result(
    calls: CoalescedCalls[Key, Value], key: Key, seconds: float, visitor: str = ""
) -> Value | None:
    """Return the result of a call, None on timeout or over a limit."""
    try:
        return calls.within(key, seconds, visitor)
    except Busy:
        return None
    except Exception:
        # a missing number must not fail a click or a page
        current_app.logger.exception("Looking ahead from %s failed", key)
        return None


@lru_cache(maxsize=64)
def _tables_goal(goal: Board) -> Board:
    """Return the goal that has the table of `goal`: the tiles in order, and the same blank."""
    cells = list(range(1, len(goal.cells)))
    cells.insert(goal.blank, 0)
    return replace(goal, cells=tuple(cells))
