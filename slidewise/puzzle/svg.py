"""A board as a picture: SVG, drawn with presentation attributes only, so that it shows under
a content policy that allows no styles."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slidewise.puzzle.board import Board

CELL, GAP, EDGE = 100, 6, 12
_TRAY, _TILE, _TILE_EDGE = "#d8d2c4", "#fffdf9", "#cfc8b8"
_HOME, _HOME_EDGE, _INK = "#dff0ea", "#9cc9bd", "#1d2126"
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"


def board_svg(board: Board, goal: Board | None = None) -> str:
    """Return `board` as an SVG document; with `goal` the tiles at home are tinted.

    A cell is 100 units wide; the document scales to the place it is put in.
    """
    width, height = (side * CELL + 2 * EDGE for side in (board.cols, board.rows))
    tiles = "".join(
        _tile(tile, *divmod(cell, board.cols), home=goal is not None and goal.cells[cell] == tile)
        for cell, tile in enumerate(board.cells)
        if tile
    )
    rows = "; ".join(" ".join(str(tile or "blank") for tile in row) for row in board.grid)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="Board: {rows}">'
        f'<rect width="{width}" height="{height}" rx="16" fill="{_TRAY}"/>{tiles}</svg>'
    )


def _tile(tile: int, row: int, col: int, *, home: bool) -> str:
    left, top = (EDGE + place * CELL + GAP // 2 for place in (col, row))
    side = CELL - GAP
    fill, stroke = (_HOME, _HOME_EDGE) if home else (_TILE, _TILE_EDGE)
    return (
        f'<rect x="{left}" y="{top}" width="{side}" height="{side}" rx="12" fill="{fill}" '
        f'stroke="{stroke}" stroke-width="2"/>'
        f'<text x="{left + side / 2:g}" y="{top + side / 2:g}" fill="{_INK}" '
        f'font-family="{_FONT}" font-size="44" font-weight="650" text-anchor="middle" '
        f'dominant-baseline="central">{tile}</text>'
    )
