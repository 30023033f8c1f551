"""How many moves every solution of a puzzle is proved to need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidewise.puzzle.puzzle import grid_distance
from slidewise.solver.heuristics.linear_conflict import linear_conflict
from slidewise.solver.heuristics.manhattan import manhattan

if TYPE_CHECKING:
    from slidewise.puzzle import Puzzle


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
