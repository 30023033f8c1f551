"""What is known about a solution's length, and why: it is never claimed shortest unproved."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from slidewise.solver.registry import find_heuristic

if TYPE_CHECKING:
    from slidewise.puzzle import Puzzle


class Proof(StrEnum):
    """How much is proved of a path: the kind of a verdict."""

    OPTIMAL = "optimal"
    BOUNDED = "bounded"
    UNPROVED = "unproved"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is proved about the length of a path, and the reason in words.

    `optimal`: no path is shorter. `bounded`: it is within a bound that was promised.
    `unproved`: neither; so also without a path, where the reason tells what is known.
    """

    kind: Proof
    reason: str


class LowerBound:
    """The number of moves that every solution of a puzzle is proved to need. It never falls.

    Each move takes the blank one cell on, so all solutions of a puzzle have lengths of the
    same parity, that of the blank's grid distance from start to goal. A bound of the other
    parity is therefore rounded up by 1. And none is shorter than the Manhattan distance of the
    start, which has that parity already: the bound to begin with, whatever the algorithm.

    >>> from slidewise.puzzle import parse_puzzle
    >>> bound = LowerBound(parse_puzzle("1.0.3-4.2.5"))
    >>> bound.moves
    2
    >>> bound.raise_to(3)
    >>> bound.moves
    4
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self._parity = puzzle.parity.grid_distance % 2
        self.moves = 0
        self.raise_to(find_heuristic("manhattan").value(puzzle.start, puzzle.goal))

    def raise_to(self, moves: int) -> None:
        """Note that every solution needs at least `moves` moves."""
        rounded = moves + (moves + self._parity) % 2
        self.moves = max(self.moves, rounded)


def of_path(
    length: int, lower_bound: int, because: str, *, shortest: bool = False, bounded: bool = False
) -> Verdict:
    """Return the verdict on a path of `length` moves.

    `because` says what the algorithm does: whether that alone proves the path shortest, or puts
    a bound on how long it can be. Otherwise the path is still shortest where its length equals
    the lower bound.

    >>> of_path(12, 12, "").reason
    'no solution can be shorter: each has at least 12 moves'
    >>> of_path(34, 28, "weighted A* with w = 1.5 ...", bounded=True).reason
    'weighted A* with w = 1.5 ...: at most 6 moves above the shortest, which has at least 28 moves'
    """
    if shortest:
        return Verdict(Proof.OPTIMAL, because)
    if length == lower_bound:
        return Verdict(
            Proof.OPTIMAL, f"no solution can be shorter: each has at least {count_moves(length)}"
        )
    if bounded:
        above = f"at most {count_moves(length - lower_bound)} above the shortest"
        return Verdict(
            Proof.BOUNDED, f"{because}: {above}, which has at least {count_moves(lower_bound)}"
        )
    return Verdict(
        Proof.UNPROVED,
        f"{because}: the shortest has between {lower_bound:,} and {count_moves(length)}",
    )


def without_path(stopped: str, lower_bound: int) -> Verdict:
    """Return the verdict of a search that was stopped before it had a path.

    >>> without_path("stopped after 10 s", 24).reason
    'stopped after 10 s: the shortest has at least 24 moves'
    """
    known = f"the shortest has at least {count_moves(lower_bound)}"
    return Verdict(Proof.UNPROVED, f"{stopped}: {known}")


def count_moves(moves: int) -> str:
    """Return the number with its noun.

    >>> count_moves(1), count_moves(2)
    ('1 move', '2 moves')
    """
    return f"{moves:,} move{'s' * (moves != 1)}"
