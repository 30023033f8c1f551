"""How far a board is from its goal, among all boards of its size."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from slidewise.solver.tables.exact import exact_table

if TYPE_CHECKING:
    from slidewise.puzzle import Board, Puzzle

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


MAX_LISTED = 20
"""So many of the hardest boards are told, at most."""


def size_facts(goal: Board) -> dict[str, object]:
    """Return what is known of all boards that can reach `goal`, as what JSON can hold: `counts` is
    the number of boards at 0, 1, 2 ... moves.

    >>> from slidewise import parse_board
    >>> found = size_facts(parse_board("1.2-3.0"))
    >>> found["boards"], found["diameter"], found["hardest"]
    (12, 6, ['0.3-2.1'])

    Raises `TooManyCellsError` above 10 cells.
    """
    table = exact_table(goal)
    return {
        "rows": goal.rows,
        "cols": goal.cols,
        "goal": str(goal),
        "boards": table.boards,
        "diameter": table.diameter,
        "mean": table.mean,
        "counts": table.counts,
        "hardest": [str(board) for board in islice(table.at(table.diameter), MAX_LISTED)],
    }


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
