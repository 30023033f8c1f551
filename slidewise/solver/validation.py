"""Validation of every result before it leaves the solver.

It replays the path from the start to the goal. It compares the length with the lower bound and
the parity in the result. A contradictory result is replaced by one with `Status.INVALID`, which
claims nothing. The cause is a bug in the solver or corrupt data.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from slidewise.puzzle import PuzzleError
from slidewise.puzzle.moves import play
from slidewise.puzzle.puzzle import grid_distance
from slidewise.solver.result import Proof, Result, Status, Verdict
from slidewise.text import plural

if TYPE_CHECKING:
    from slidewise.puzzle import Puzzle

log = logging.getLogger(__name__)


class ContradictionError(Exception):
    """A search contradicts itself. The message describes the contradiction."""


def validated(result: Result) -> Result:
    """Return `result` if consistent. Else log the reason and return an empty claim."""
    why = contradiction(result)
    return withdrawn(result, why) if why else result


def withdrawn(result: Result, why: str) -> Result:
    """Return `result` without its path, its lower bound and its verdict."""
    log.error("The result of %s for %s is withdrawn: %s", result.method, result.puzzle, why)
    reason = f"the result is withdrawn and nothing is claimed, as {why}; please report this"
    return replace(
        result,
        status=Status.INVALID,
        moves="",
        tiles=(),
        length=None,
        lower_bound=None,
        verdict=Verdict(Proof.UNPROVED, reason, reason),
    )


def contradiction(result: Result) -> str:
    """Describe how a result contradicts itself, "" if it does not.

    >>> from slidewise import parse_puzzle, solve
    >>> result = solve(parse_puzzle("1.0.3-4.2.5"))
    >>> contradiction(result), contradiction(replace(result, moves="UR"))
    ('', 'its path ends at 1.2.3-0.4.5 and not at the goal')
    """
    puzzle, status = result.puzzle, result.status
    if (status is Status.SOLVED) != (result.length is not None):
        return f"its status is {status} and its length {result.length}"
    if status in (Status.UNSOLVABLE, Status.EXHAUSTED) and puzzle.solvable:
        return "it says that there is no solution, and the parity says that there is one"
    optimal = result.verdict.kind is Proof.OPTIMAL
    return _path_contradiction(result) or bounds_contradiction(
        puzzle, result.length, result.lower_bound, optimal=optimal
    )


def bounds_contradiction(
    puzzle: Puzzle, length: int | None, bound: int | None, *, optimal: bool
) -> str:
    """Describe the error in the length of a solution or its lower bound, "" if none."""
    odd = grid_distance(puzzle.start, puzzle.goal) % 2
    for name, moves in (("length", length), ("lower bound", bound)):
        if moves is not None and moves % 2 != odd:
            return (
                f"its {name} is {moves}, and every solution has an {'odd' if odd else 'even'} "
                "number of moves"
            )
    if length is not None and bound is not None and length < bound:
        return (
            f"its path has {plural(length, 'move')}, and it says that no solution has fewer than "
            f"{bound}"
        )
    if optimal and length != bound:
        return f"it calls {length} moves the fewest, and its lower bound is {bound}"
    return ""


def _path_contradiction(result: Result) -> str:
    if result.length is None:
        return ""
    if not result.length == len(result.moves) == len(result.tiles):
        return f"its path has {plural(len(result.moves), 'move')} and its length is {result.length}"
    try:
        end = play(result.puzzle.start, result.moves)
    except PuzzleError as error:
        return f"its path cannot be made: {error}"
    return "" if end == result.puzzle.goal else f"its path ends at {end} and not at the goal"
