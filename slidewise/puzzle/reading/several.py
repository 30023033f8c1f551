"""Advice on texts in which every number is right, but that are not one board."""

from __future__ import annotations

import re

from slidewise.puzzle.board import MAX_SIDE, MIN_SIDE
from slidewise.puzzle.errors import InvalidBoardError
from slidewise.puzzle.reading.layout import rows_of
from slidewise.puzzle.reading.plain import EMPTY, hexadecimal, sizes_of

_NUMBER = re.compile(r"[0-9]{1,3}")
_RUN_TOGETHER = re.compile(r"[0-9A-Fa-f_xX]{4,}")
_SMALLEST = MIN_SIDE**2

_SHOWN_CELLS = 16
"""The most cells of a text that its error message repeats."""


def advice_on(text: str) -> str:
    """Return what to do about a text of several boards or of rows of one cell each, "" for others.

    >>> advice_on("1 2 3 0 3 2 1 0")[:38]
    'expected one board, found 2 of 4 cells'
    >>> advice_on("3;1;2;0")
    'expected spaces or commas between cells, such as 3 1 2 0: a line break, ; / or - begins a row'
    """
    rows = _rows(text)
    words = [cell for row in rows for cell in row]
    together = all(map(_RUN_TOGETHER.fullmatch, words))
    for cells in (words, _NUMBER.findall(text), list("".join(words)) if together else []):
        count, size = _boards_in(cells)
        if count > 1:
            return (
                f"expected one board, found {count} of {size} cells: give one of them, or write a "
                "start and its goal as START_GOAL"
            )
    alone = all(len(row) == 1 and hexadecimal(row[0]) is not None for row in rows)
    if alone and len(rows) >= _SMALLEST:
        shown = " ".join(words[:_SHOWN_CELLS]) + (" ..." if len(words) > _SHOWN_CELLS else "")
        return (
            f"expected spaces or commas between cells, such as {shown}: a line break, ; / or - "
            "begins a row"
        )
    return ""


def _rows(text: str) -> list[list[str]]:
    try:
        rows = [line.cells for line in rows_of(text)]
    except InvalidBoardError:
        return []
    if [len(row) for row in rows] == [1]:
        return [[cell] for cell in rows[0][0].split("-")]
    return rows


def _boards_in(cells: list[str]) -> tuple[int, int]:
    """Return how many boards of how many cells follow each other in `cells`; (0, 0) if others."""
    tiles = [0 if cell == EMPTY else hexadecimal(cell) for cell in cells]
    for size in range(_SMALLEST, min(len(tiles), MAX_SIDE**2) + 1):
        if len(tiles) % size == 0 and sizes_of(size):
            numbers = set(range(size))
            parts = (tiles[at : at + size] for at in range(0, len(tiles), size))
            if all(set(part) == numbers for part in parts):
                return len(tiles) // size, size
    return 0, 0
