"""Boards, as flat tuples row by row, and the functions that are given to programs."""

from __future__ import annotations

from functools import lru_cache
from math import isqrt
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

Cells = tuple[int, ...]
Shape = tuple[int, int]


def shape_of(cells: int) -> Shape:
    """Return the rows and columns of a board by the number of its cells, 2x3 of six."""
    side = isqrt(cells)
    return (side, side) if side * side == cells else (2, cells // 2)


def goal_of(shape: Shape) -> Cells:
    """Return the goal with the blank last."""
    return (*range(1, shape[0] * shape[1]), 0)


@lru_cache(maxsize=64)
def _beside(blank: int, cells: int) -> tuple[int, ...]:
    """Return the cells that the blank can go to: up, down, left, right."""
    rows, cols = shape_of(cells)
    row, col = divmod(blank, cols)
    steps = (row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)
    return tuple(r * cols + c for r, c in steps if 0 <= r < rows and 0 <= c < cols)


def neighbors(board: Cells) -> list[Cells]:
    """Return the boards one move away: the blank goes up, down, left, right."""
    blank = board.index(0)
    found = []
    for cell in _beside(blank, len(board)):
        after = list(board)
        after[blank], after[cell] = after[cell], 0
        found.append(tuple(after))
    return found


def move_cost(board: Cells, after: Cells) -> int:
    """Return the number of the tile that moved."""
    return board[after.index(0)]


def manhattan(board: Cells, goal: Cells) -> int:
    """Return the sum of the tiles' distances from their cells of the goal."""
    homes = _homes(goal)
    return sum([homes[tile][cell] for cell, tile in enumerate(board)])


@lru_cache(maxsize=64)
def _homes(goal: Cells) -> list[list[int]]:
    """Return the distance of each tile at each cell; that of the blank is 0."""
    _, cols = shape_of(len(goal))
    places = [divmod(cell, cols) for cell in range(len(goal))]
    table = [[0] * len(goal)]
    for tile in range(1, len(goal)):
        row, col = places[goal.index(tile)]
        table.append([abs(r - row) + abs(c - col) for r, c in places])
    return table


def inconsistent(board: Cells, goal: Cells) -> int:
    """Return the Manhattan distance for some boards and 0 for others: never too high."""
    weights = sum([cell * tile for cell, tile in enumerate(board)])
    return manhattan(board, goal) if weights % 3 else 0


def path(came_from: Any, goal: Any) -> list[Any]:
    """Return the boards from the start to the goal, by the board before each."""
    boards: list[Any] = []
    seen = set()
    while goal is not None:
        if goal in seen:
            raise ValueError("path: came_from goes round in a circle")
        seen.add(goal)
        boards.append(goal)
        goal = came_from[goal]
    return boards[::-1]


GIVEN: Final[dict[str, Callable[..., Any]]] = {
    "path": path,
    "cost": move_cost,
    "manhattan": manhattan,
}
"""Functions that an exercise may give, by name; `running` has the ones that count calls."""

ESTIMATES: Final[dict[str, Callable[[Cells, Cells], int]]] = {
    "manhattan": manhattan,
    "inconsistent": inconsistent,
}
