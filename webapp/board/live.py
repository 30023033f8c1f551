"""HTML of the tiles of a playable board.

Every click draws all of them. Joining cached strings takes a tenth of a template's time.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from markupsafe import Markup

from slidewise.puzzle.board import direction_word
from webapp.board.cells import homes

if TYPE_CHECKING:
    from slidewise import Board, Puzzle

MAX_TILES = 4_096
"""Maximum cached tiles, one entry per place: some megabytes."""


def tiles(puzzle: Puzzle, board: Board, moved: int | None, hint: int | None) -> Markup:
    """HTML of the tiles and the blank of `board` in reading order.

    `moved` is the tile moved last, `hint` the one to move next.
    """
    cols, blank, places = board.cols, board.blank, homes(puzzle.goal)
    goal_cells = puzzle.goal.cells
    is_settled = moved is not None and board == puzzle.goal
    ways = ("",) * len(board.cells) if is_settled else _ways(board.rows, cols, blank)
    marked = {moved: " moved"} | {hint: " moved hint" if hint == moved else " hint"}
    drawn = [
        _tile(
            tile,
            cell,
            cols,
            places[tile],
            ways[cell],
            (" home" if goal_cells[cell] == tile else "") + marked.get(tile, ""),
        )
        for cell, tile in enumerate(board.cells)
    ]
    drawn[blank] = _blank(blank, cols, solved=board == puzzle.goal)
    return Markup("".join(drawn))  # numbers and words of this module


@lru_cache(maxsize=MAX_TILES)
def _tile(tile: int, cell: int, cols: int, home: tuple[int, int, int], way: str, marks: str) -> str:
    """A tile as a button with a screen reader label."""
    row, col = divmod(cell, cols)
    goal_row, goal_col, layer = home
    hint = ", hint" if marks.endswith("hint") else ""
    return (
        f'    <button id="t{tile}" name="tile" value="{tile}"\n'
        f'      class="tile r{row} c{col} gr{goal_row} gc{goal_col} l{layer}{marks}"\n'
        f'      aria-label="{tile}, row {row + 1}, column {col + 1}{way}{hint}">'
        f"<b>{tile}</b></button>\n"
    )


def _blank(cell: int, cols: int, *, solved: bool) -> str:
    """The blank; on a solved board it shows a picture's last piece."""
    row, col = divmod(cell, cols)
    piece = (
        f'    <span class="piece r{row} c{col} gr{row} gc{col}"\n'
        '      aria-hidden="true"><b></b></span>\n'
    )
    label = f"blank, row {row + 1}, column {col + 1}"
    return f'{piece if solved else ""}    <span id="t0" class="visually-hidden">{label}</span>\n'


@lru_cache(maxsize=1024)
def _ways(rows: int, cols: int, blank: int) -> tuple[str, ...]:
    """Label of the direction in which each cell's tile can move."""
    blank_row, blank_col = divmod(blank, cols)

    def way(row: int, col: int) -> str:
        if row == blank_row and col != blank_col:
            return f", can move {direction_word('L' if col > blank_col else 'R')}"
        if col == blank_col and row != blank_row:
            return f", can move {direction_word('U' if row > blank_row else 'D')}"
        return ""

    return tuple(way(row, col) for row in range(rows) for col in range(cols))
