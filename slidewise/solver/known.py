"""Known bounds: facts about a puzzle's solutions without a search, and their use in results.

`solve` and `search` report only the proof of the algorithm itself. Greedy best-first search, for
example, proves nothing. Callers want the strongest verdict known, whatever proved it. So the
command, the site and `compare` add known bounds to each result. The reason names the search's
own part.
"""

import functools
import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from slidewise.puzzle import Puzzle
from slidewise.solver.events import Event, Finished, Improved, Progress
from slidewise.solver.heuristics.linear_conflict import linear_conflict
from slidewise.solver.result import (
    Proof,
    Result,
    Verdict,
    bound_verdict,
    compare_with_shortest,
    path_verdict,
    validated,
)
from slidewise.solver.tables.exact import exact_distance
from slidewise.text import message, plural

log = logging.getLogger(__name__)

PROOF_TITLE = "IDA* and beam search"
"""Algorithm in the result of a proof that a solution is shortest (`slidewise prove`)."""

MAX_BOUNDS = 1024
"""Cached lower bounds, 2 kB each."""


@functools.lru_cache(maxsize=MAX_BOUNDS)
def moves_at_least(puzzle: Puzzle) -> int:
    """Return a lower bound on the moves of every solution, without a search.

    >>> from slidewise import parse_puzzle
    >>> moves_at_least(parse_puzzle("3.2.1-4.5.6-7.8.0"))
    8
    """
    return linear_conflict(puzzle.goal).value(puzzle.start)


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Known:
    """A proved bound on the moves of all solutions of a puzzle.

    Each solution has `at_least` moves. If `exact`, the shortest has that number. `source` names the
    proof, with the number.
    """

    at_least: int
    exact: bool
    source: str


def known_of(puzzle: Puzzle) -> Known | None:
    """Return the bound known without a search, or None if the puzzle is unsolvable.

    Up to 10 cells it is the distance, from a table that `exact_table` builds once.

    >>> from slidewise import parse_puzzle
    >>> known_of(parse_puzzle("1.0.3-4.2.5"))
    Known(at_least=2, exact=True, source='the exact distance table says 2')
    """
    if not puzzle.solvable:
        return None
    if puzzle.start == puzzle.goal:
        return Known(0, True, message("the start is the goal"))
    if puzzle.has_table:
        return from_table(exact_distance(puzzle) or 0)
    return _by_conflicts(puzzle)


def _by_conflicts(puzzle: Puzzle) -> Known:
    moves = moves_at_least(puzzle)
    return Known(moves, False, message("linear conflict says at least %(moves)s", moves=moves))


def from_table(moves: int) -> Known:
    """Return an exact bound from the table of all boards."""
    return Known(moves, True, message("the exact distance table says %(moves)s", moves=moves))


def with_known(result: Result, known: Known | None) -> Result:
    """Return the result with the known bound, unchanged if that adds nothing.

    >>> from slidewise import parse_puzzle, solve
    >>> result = solve(parse_puzzle("8.6.7-2.5.4-3.0.1"), "greedy")
    >>> stronger = with_known(result, known_of(result.puzzle))
    >>> result.lower_bound, stronger.lower_bound
    (23, 31)
    """
    bound = result.lower_bound
    if known is None or bound is None or result.verdict.kind is Proof.OPTIMAL:
        return result
    if known.at_least < bound or (known.at_least == bound and not known.exact):
        return result
    return validated(replace(result, lower_bound=known.at_least, verdict=_verdict(result, known)))


def with_true_claim(result: Result) -> Result:
    """Return the result, with the exact distance if its lower bound is above the distance.

    Every verdict rests on the lower bound. A search with a heuristic that changes its answers may
    claim too much.
    """
    bound = result.lower_bound
    if bound is None or not result.puzzle.has_table:
        return result
    known = _known_within_memory(result.puzzle)
    if known is None or bound <= known.at_least:
        return result
    because = message("%(because)s, which is not true here", because=result.verdict.because)
    log.error("A lower bound of %s for %s is refuted: %s", bound, result.puzzle, known.source)
    refuted = replace(result, verdict=replace(result.verdict, because=because))
    return replace(result, lower_bound=known.at_least, verdict=_verdict(refuted, known))


def add_known_to_event(event: T, known: Known | None) -> T | Event:
    """Return the event with the known bound, unchanged if it has no lower bound."""
    if isinstance(event, Finished):
        return Finished(with_known(event.result, known))
    if known and isinstance(event, (Progress, Improved)) and event.lower_bound < known.at_least:
        if isinstance(event, Improved) and (event.length or known.at_least) < known.at_least:
            return event  # a contradiction, which the result reports
        return replace(event, lower_bound=known.at_least)
    return event


def add_known_to_events(events: Iterator[Event], puzzle: Puzzle) -> Iterator[Event]:
    """Yield the events of a search for `puzzle`, with its known bound.

    Progress events get the bound without a table, for which a short search would wait.
    """
    # Cached, so that the table is built once and only when an event needs it.
    known = functools.cache(_known_within_memory)
    for event in events:
        if isinstance(event, Progress):
            event = add_known_to_event(event, _by_conflicts(puzzle))
        elif isinstance(event, (Improved, Finished)) and not _is_proved(event):
            event = add_known_to_event(event, known(puzzle))
        yield event


def _is_proved(event: Event) -> bool:
    return isinstance(event, Finished) and event.result.verdict.kind is Proof.OPTIMAL


def _known_within_memory(puzzle: Puzzle) -> Known | None:
    """Return the known bound, or None if a search leaves too little memory for the table."""
    try:
        return known_of(puzzle)
    except MemoryError:
        return None


def _verdict(result: Result, known: Known) -> Verdict:
    """Return the verdict on a result whose known bound is stronger than its own."""
    because, length, moves = result.verdict.because, result.length, known.at_least
    if length is None:
        if known.exact:
            reason = message(
                "%(because)s; the shortest has %(moves)s, as %(source)s",
                because=because,
                moves=plural(moves, "move"),
                source=known.source,
            )
            return Verdict(Proof.UNPROVED, reason, because, known.source, exact=True)
        return replace(bound_verdict(because, moves), source=known.source)
    if known.exact:
        return compare_with_shortest(length, moves, because, known.source)
    bounded = result.verdict.kind is Proof.BOUNDED
    return replace(path_verdict(length, moves, because, bounded=bounded), source=known.source)
