"""What is known about a puzzle's solutions beside what a search proves, and how the two join.

An algorithm proves what it proves: greedy best-first search nothing, whatever the board. So
`solve` and `search` tell. But who asks for a solution wants to know how good it is, by whatever
proof there is: the command, the site and `compare` join what is known to each result, and the
reason says which part is the search's own.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from slidewise.puzzle.puzzle import grid_distance
from slidewise.solver.events import Finished, Improved, Progress
from slidewise.solver.heuristics.linear_conflict import linear_conflict
from slidewise.solver.heuristics.manhattan import manhattan
from slidewise.solver.result import (
    Proof,
    Verdict,
    bound_verdict,
    compare_with_shortest,
    path_verdict,
)
from slidewise.solver.tables.exact import exact_distance
from slidewise.solver.validation import validated
from slidewise.text import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise.puzzle import Puzzle
    from slidewise.solver.events import Event
    from slidewise.solver.result import Result


class LowerBound:
    """The number of moves that every solution of a puzzle is proved to need. It never falls.

    Each move takes the blank one cell on, so all solutions of a puzzle have lengths of the
    same parity, that of the blank's grid distance from start to goal. A bound of the other
    parity is therefore rounded up by 1. And none is shorter than the Manhattan distance of the
    start, which has that parity already: the bound to begin with, whatever the algorithm.

    >>> from slidewise import parse_puzzle
    >>> bound = LowerBound(parse_puzzle("1.0.3-4.2.5"))
    >>> bound.moves
    2
    >>> bound.raise_to(3)
    >>> bound.moves
    4
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self._parity = grid_distance(puzzle.start, puzzle.goal) % 2
        self.moves = 0
        self.raise_to(manhattan(puzzle.goal).value(puzzle.start))

    def raise_to(self, moves: int) -> None:
        """Note that every solution needs at least `moves` moves."""
        rounded = moves + (moves + self._parity) % 2
        self.moves = max(self.moves, rounded)


def moves_at_least(puzzle: Puzzle) -> int:
    """Return a lower bound on the moves of every solution, found without a search.

    >>> from slidewise import parse_puzzle
    >>> moves_at_least(parse_puzzle("3.2.1-4.5.6-7.8.0"))
    8
    """
    bound = LowerBound(puzzle)
    bound.raise_to(linear_conflict(puzzle.goal).value(puzzle.start))
    return bound.moves


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Known:
    """A proof about all solutions of a puzzle: each has `at_least` so many moves, and where it is
    `exact` the shortest has just as many. `source` is who says so, with the number."""

    at_least: int
    exact: bool
    source: str


def known_of(puzzle: Puzzle) -> Known | None:
    """Return what is known of a puzzle without a search, None where it has no solution.

    Up to 10 cells the distance, from a table: see `exact_table` for the time that takes once.

    >>> from slidewise import parse_puzzle
    >>> known_of(parse_puzzle("1.0.3-4.2.5"))
    Known(at_least=2, exact=True, source='the exact distance table says 2')
    """
    if not puzzle.solvable:
        return None
    if puzzle.start == puzzle.goal:
        return Known(0, True, "the start is the goal")
    if puzzle.has_table:
        return from_table(exact_distance(puzzle) or 0)
    moves = moves_at_least(puzzle)
    return Known(moves, False, f"linear conflict says at least {moves}")


def from_table(moves: int) -> Known:
    """Return what the table of all boards says, which is exact."""
    return Known(moves, True, f"the exact distance table says {moves}")


def with_known(result: Result, known: Known | None) -> Result:
    """Return a result that says what is known too, the same where that is nothing new.

    >>> from slidewise import parse_puzzle, solve
    >>> result = solve(parse_puzzle("8.6.7-2.5.4-3.0.1"), "greedy")
    >>> add_known_to_events = with_known(result, known_of(result.puzzle))
    >>> result.lower_bound, add_known_to_events.lower_bound
    (23, 31)
    """
    bound = result.lower_bound
    if known is None or bound is None or result.verdict.kind is Proof.OPTIMAL:
        return result
    if known.at_least < bound or (known.at_least == bound and not known.exact):
        return result
    return validated(replace(result, lower_bound=known.at_least, verdict=_verdict(result, known)))


def add_known_to_event(event: T, known: Known | None) -> T | Event:
    """Return an event of a search that says what is known too, any other as it is."""
    if isinstance(event, Finished):
        return Finished(with_known(event.result, known))
    if known and isinstance(event, (Progress, Improved)) and event.lower_bound < known.at_least:
        if isinstance(event, Improved) and (event.length or known.at_least) < known.at_least:
            return event  # one of the two is wrong, and the result will say so
        return replace(event, lower_bound=known.at_least)
    return event


def add_known_to_events(events: Iterator[Event], puzzle: Puzzle) -> Iterator[Event]:
    """Yield the events of a search for `puzzle`, which say what is known of it too."""
    known = functools.cache(_known_if_it_fits)
    for event in events:
        if isinstance(event, (Progress, Improved, Finished)) and not _is_proved(event):
            event = add_known_to_event(event, known(puzzle))
        yield event


def _is_proved(event: Event) -> bool:
    return isinstance(event, Finished) and event.result.verdict.kind is Proof.OPTIMAL


def _known_if_it_fits(puzzle: Puzzle) -> Known | None:
    """Return what is known, None where a search has left no memory to find it out."""
    try:
        return known_of(puzzle)
    except MemoryError:
        return None


def _verdict(result: Result, known: Known) -> Verdict:
    """Return the verdict on a result of which more is known than it proves."""
    because, length, moves = result.verdict.because, result.length, known.at_least
    if length is None:
        if known.exact:
            has = f"the shortest has {plural(moves, 'move')}"
            reason = f"{because}: {has}; {known.source}"
            return Verdict(Proof.UNPROVED, reason, because, known.source, exact=True)
        return replace(bound_verdict(because, moves), source=known.source)
    if known.exact:
        return compare_with_shortest(length, moves, because, known.source)
    bounded = result.verdict.kind is Proof.BOUNDED
    return replace(path_verdict(length, moves, because, bounded=bounded), source=known.source)
