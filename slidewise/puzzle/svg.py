"""A board as a picture: SVG, drawn with presentation attributes only, so that it shows under
a content policy that allows no styles."""

from __future__ import annotations

from collections.abc import Sequence

Grid = Sequence[Sequence[int]]
CELL, GAP, EDGE = 100, 6, 12
_TRAY, _TILE, _TILE_EDGE = "#d6cfbf", "#fffdf9", "#c3baa6"
_HOME, _HOME_EDGE = "#b7dfd4", "#7db7a8"
_INK, _HOME_INK = "#1b2226", "#07423d"
_FONT = (
    "'Figtree Variable', Figtree, "
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
)


def svg(grid: Grid, home: Grid = ()) -> str:
    """Return the rows of a board as an SVG document; tiles that are where `home` has them are
    tinted.

    A cell is 100 units wide; the document scales to the place it is put in.

    >>> svg([[1, 2], [3, 0]]).partition(" ")[0]
    '<svg'
    """
    width, height = (side * CELL + 2 * EDGE for side in (len(grid[0]), len(grid)))
    tiles = "".join(
        _tile(tile, row, col, home=bool(home) and home[row][col] == tile)
        for row, tiles in enumerate(grid)
        for col, tile in enumerate(tiles)
        if tile
    )
    rows = "; ".join(" ".join(str(tile or "blank") for tile in row) for row in grid)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="Board: {rows}">'
        f'<rect width="{width}" height="{height}" rx="16" fill="{_TRAY}"/>{tiles}</svg>'
    )


def _tile(tile: int, row: int, col: int, *, home: bool) -> str:
    left, top = (EDGE + place * CELL + GAP // 2 for place in (col, row))
    side = CELL - GAP
    fill, stroke, ink = (_HOME, _HOME_EDGE, _HOME_INK) if home else (_TILE, _TILE_EDGE, _INK)
    return (
        f'<rect x="{left}" y="{top}" width="{side}" height="{side}" rx="12" fill="{fill}" '
        f'stroke="{stroke}" stroke-width="2"/>'
        f'<text x="{left + side / 2:g}" y="{top + side / 2:g}" fill="{ink}" '
        f'font-family="{_FONT}" font-size="44" font-weight="650" text-anchor="middle" '
        f'dominant-baseline="central">{tile}</text>'
    )
