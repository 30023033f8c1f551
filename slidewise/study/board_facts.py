"""Distance of a board from its goal, compared with all boards of its size."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypedDict

from slidewise.json_schema import Amount, Count
from slidewise.puzzle import Board, Puzzle, parse_moves, parse_puzzle
from slidewise.puzzle.moves import steps
from slidewise.solver.tables.exact import exact_table

if TYPE_CHECKING:
    from collections.abc import Callable


GREATEST_DISTANCES = {
    **{(2, 2): 6, (2, 3): 21, (3, 2): 21, (2, 4): 36, (4, 2): 36},
    **{(2, 5): 55, (5, 2): 55, (3, 3): 31},
}
"""Maximum distance of any two boards, by size. Source: the tables of all boards, one for each cell
of the goal's blank."""


class BoardFacts(NamedTuple):
    """Distance of a board, compared with all `boards` boards that can reach its goal.

    `distance` is in moves, and `most` is the distance of the farthest board. `as_far` boards are at
    least as far away as this one.
    """

    distance: int
    most: int
    as_far: int
    boards: int

    @property
    def share(self) -> float:
        """Return the share of boards at least as far from the goal; 1 is all."""
        return self.as_far / self.boards


MAX_LISTED = 20
"""Maximum number of hardest boards in the facts."""


class SizeFactsJSON(TypedDict):
    """Facts on all boards that can reach a goal, as JSON values."""

    rows: Count
    cols: Count
    goal: str
    boards: Annotated[Count, "How many boards can reach the goal."]
    diameter: Annotated[Count, "Moves that the hardest of them need."]
    mean: Annotated[Amount, "Moves that they need on average."]
    counts: Annotated[tuple[Count, ...], "Boards at 0, 1, 2 ... moves."]
    hardest: Annotated[list[str], "The hardest boards, 20 of them at most."]


def size_facts(goal: Board) -> SizeFactsJSON:
    """Return facts on all boards that can reach `goal`.

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
    """Return the distance facts of the start of `puzzle`, None if it is unsolvable.

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


HARDEST_4X4_MOVES, RARE_4X4_MOVES = 80, 70
"""Moves of the hardest 4x4 boards with the goal's blank in a corner, and the threshold of rarity.
Above the threshold, drawing took eight seconds and failed for nearly all seeds."""

CORNERS = 0, 3, 12, 15

_SIDE = 4
_HARDEST = "0.11.9.13-12.15.10.14-3.7.6.2-4.8.5.1"
_MOVES = "U2LULD2RULD2R2U3LDRUL2D2RUL2D2R2URUL3URDLD2R2U2L2D2R3ULUL2DRDRURULURD3LU3L2"
_TURNS: dict[int, tuple[Callable[[int, int], tuple[int, int]], ...]] = {
    15: (lambda row, col: (row, col), lambda row, col: (col, row)),
    12: (lambda row, col: (row, 3 - col), lambda row, col: (col, 3 - row)),
    3: (lambda row, col: (3 - row, col), lambda row, col: (3 - col, row)),
    0: (lambda row, col: (3 - row, 3 - col), lambda row, col: (3 - col, 3 - row)),
}
"""Cell mappings that take the last cell into each corner, two for each."""

TURNS = 2
"""Listed boards for each number of moves."""


def hard_puzzle(goal: Board, moves: int, turn: int) -> Puzzle:
    """Return a puzzle of 70 to 80 moves to a 4x4 goal with its blank in a corner; `turn` is 0 or 1.

    >>> from slidewise import standard_goal
    >>> str(hard_puzzle(standard_goal(4, 4), 80, 0).start)
    '0.11.9.13-12.15.10.14-3.7.6.2-4.8.5.1'
    """
    known = parse_puzzle(_HARDEST)
    board = known.start
    for step in islice(steps(board, parse_moves(_MOVES)), HARDEST_4X4_MOVES - moves):
        board = step.board
    go = _TURNS[goal.blank][turn]
    places = [row * _SIDE + col for row, col in (go(*divmod(cell, _SIDE)) for cell in range(16))]
    names = {tile: goal.cells[places[home]] for home, tile in enumerate(known.goal.cells)}
    cells = {places[cell]: names[tile] for cell, tile in enumerate(board.cells)}
    return Puzzle(Board(_SIDE, _SIDE, tuple(cells[cell] for cell in range(16))), goal)
