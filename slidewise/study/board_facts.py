"""How far a board is from its goal, among all boards of its size."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from slidewise.solver.tables.exact import exact_table

if TYPE_CHECKING:
    from slidewise.puzzle import Puzzle

GREATEST_DISTANCES = {
    **{(2, 2): 6, (2, 3): 21, (3, 2): 21, (2, 4): 36, (4, 2): 36},
    **{(2, 5): 55, (5, 2): 55, (3, 3): 31},
}
"""The greatest distance of any two boards, by size: from the tables of all boards, one for each
cell of the goal's blank."""


class BoardFacts(NamedTuple):
    """The distance of a board, compared with all `boards` boards that can reach its goal.

    It is `distance` moves away, and the farthest board `most`; `as_far` boards are as far away as
    this one, or farther.
    """

    distance: int
    most: int
    as_far: int
    boards: int

    @property
    def share(self) -> float:
        """Return which part of all boards is as far from the goal, or farther; 1 is all."""
        return self.as_far / self.boards


def board_facts(puzzle: Puzzle) -> BoardFacts | None:
    """Return how far the start of `puzzle` is, None where the goal cannot be reached.

    >>> from slidewise import parse_puzzle
    >>> board_facts(parse_puzzle("8.6.7-2.5.4-3.0.1"))
    BoardFacts(distance=31, most=31, as_far=2, boards=181440)

    Raises `TooManyCellsError` above 10 cells.
    """
    table = exact_table(puzzle.goal)
    distance = table.distance(puzzle.start)
    if distance is None:
        return None
    return BoardFacts(distance, table.diameter, sum(table.counts[distance:]), table.boards)
