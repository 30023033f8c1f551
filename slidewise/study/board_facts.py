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
"""The most moves that any start needs to any goal it can reach, by size: found in the tables of
all boards, once for each place of the goal's blank."""


class BoardFacts(NamedTuple):
    """A board among the `boards` that can reach its goal.

    It needs `distance` moves, and the farthest of them `most`; `as_far` of them need as many
    moves as it, or more.
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
