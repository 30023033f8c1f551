"""Cells of a board, for drawing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from slidewise.puzzle.board import direction_word

if TYPE_CHECKING:
    from slidewise import Board


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a drawn board: its tile (0: the blank), place and style.

    `goal_row` and `goal_col` are the tile's home. `layer` numbers nested L shapes from 0, the
    outermost. An L shape is one row and one column, those farthest from the blank's home. If the
    blank's home is the last cell, they are the first row and column.
    """

    tile: int
    row: int
    col: int
    goal_row: int
    goal_col: int
    layer: int
    home: bool
    moved: bool
    hint: bool
    label: str


def cells(
    board: Board, goal: Board, moved: int | None = None, hint: int | None = None
) -> list[Cell]:
    """Cells of `board` in reading order.

    `moved` is the tile moved last, `hint` the one to move next.
    """
    places = homes(goal)
    return [
        Cell(
            tile,
            *divmod(cell, board.cols),
            *places[tile],
            home=goal.cells[cell] == tile,
            moved=tile == moved,
            hint=tile == hint,
            label=_label(board, tile, cell) + (", hint" if tile == hint else ""),
        )
        for cell, tile in enumerate(board.cells)
    ]


@lru_cache(maxsize=64)
def homes(goal: Board) -> dict[int, tuple[int, int, int]]:
    """Home row, column and layer of each tile.

    >>> from slidewise import standard_goal
    >>> homes = homes(standard_goal(3, 3))
    >>> homes[3], homes[5], homes[0]
    ((0, 2, 0), (1, 1, 1), (2, 2, 2))
    """
    places = [divmod(cell, goal.cols) for cell in range(len(goal.cells))]
    blank_row, blank_col = places[goal.blank]
    rows, cols = _from_afar(goal.rows, blank_row), _from_afar(goal.cols, blank_col)
    return {
        tile: (row, col, min(rows.index(row), cols.index(col)))
        for tile, (row, col) in zip(goal.cells, places, strict=True)
    }


def _from_afar(count: int, blank: int) -> list[int]:
    """The lines 0..count-1, starting with those farthest from the blank's."""
    return sorted(range(count), key=lambda line: -abs(line - blank))


def _label(board: Board, tile: int, cell: int) -> str:
    """Screen reader label of a tile: number, place, and possible direction."""
    row, col = divmod(cell, board.cols)
    place = f"{tile}, row {row + 1}, column {col + 1}"
    blank_row, blank_col = divmod(board.blank, board.cols)
    if tile and (row == blank_row or col == blank_col):
        return f"{place}, can move {direction_word(board.line(tile)[0])}"
    return place
