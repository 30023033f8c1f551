"""4x4 boards of 70 moves and more, which are far too rare to be found by drawing.

Each lies on the way of one board of 80 moves (A. Brüngger, A. Marzetta, K. Fukuda and
J. Nievergelt, 1999): after n moves of a shortest way exactly 80 - n are left. Turned over and
round, and with its tiles numbered anew, it fits every goal that has its blank in a corner.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from slidewise.puzzle import Board, Puzzle, parse_moves, parse_puzzle
from slidewise.puzzle.moves import steps

if TYPE_CHECKING:
    from collections.abc import Callable

HARDEST_4X4_MOVES, RARE_4X4_MOVES = 80, 70
"""Moves of the hardest boards of 4x4 with the blank of the goal in a corner; and those from which
on boards are so rare that drawing took eight seconds and, for all but a few seeds, found none."""

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
"""Where cells go, in the two ways that take the last one into each corner."""

TURNS = 2
"""How many boards there are of each number of moves."""


def hard_puzzle(goal: Board, moves: int, turn: int) -> Puzzle:
    """Return a puzzle of so many moves, 70 to 80, to a 4x4 goal with its blank in a corner; `turn`
    is 0 or 1.

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
