"""Rows of cells, lists, and boards drawn with lines: what can be read without a guess."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

from slidewise.puzzle.board import Board, check_tiles
from slidewise.puzzle.errors import InvalidBoardError, SizeNeededError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

LONGEST_CELL = 20
"""How many characters of a cell that cannot be read are quoted."""

Size = tuple[int, int]

BYTE_ORDER_MARK = "\ufeff"
CANONICAL = re.compile(r"[0-9]+(?:\.[0-9]+)*(?:-[0-9]+(?:\.[0-9]+)*)+")
INNER_LIST = re.compile(r"\[([^\[\]]*)\]")
NUMBER = re.compile(r"[0-9]{1,3}")
_RULE = re.compile(r"[+|\s]*[-=─━═_]{3}[-=─━═_+|\s]*")
_RUN_TOGETHER = re.compile(r"[0-9A-Fa-f_xX]{2,}")
EMPTY = ""
_BLANKS = frozenset({"0", "_", "x", "X", ".", "-1", EMPTY})


class Row(NamedTuple):
    """A row of cells, each a short text, and the line of the text it stands in, from 1 on."""

    line: int
    cells: list[str]


def read_plain(text: str, size: Size | None) -> Board:
    """Return the board that `text` writes; raises `InvalidBoardError`, with the line if known."""
    rows = [row for row in _rows(text) if row.cells]
    if not rows:
        raise InvalidBoardError("expected a board such as 1 2 3 4 5 6 7 8 0, found no cells")
    check_one_kind_of_blank(rows, _BLANKS)
    return shape([(row.line, numbers(row, hexadecimal)) for row in rows], size)


def _rows(text: str) -> list[Row]:
    """Return the rows of `text`; one row for a flat list."""
    text = text.removeprefix(BYTE_ORDER_MARK)
    first = 1 + _newlines(text[: len(text) - len(text.lstrip())])
    text = text.strip()
    if CANONICAL.fullmatch(text):
        return _spread([Row(first, row.split(".")) for row in text.split("-")])
    if text.startswith(("[", "(", "array", "np.array", "numpy.array")):
        return _nested(text, first)
    return _spread(
        [
            Row(number, list(_cells(part)))
            for number, line in enumerate(split_lines(text), first)
            for part in re.split("[/;]+", line)
            if part.strip() and not _RULE.fullmatch(part)
        ]
    )


def split_lines(text: str) -> list[str]:
    """Return the lines of `text`, whatever ends them: as many as an editor would number."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _newlines(text: str) -> int:
    return len(split_lines(text)) - 1


def _nested(text: str, first: int) -> list[Row]:
    text = re.sub(r"^(?:(?:np|numpy)\.)?array\s*\(", "(", text)
    text = text.replace("(", "[").replace(")", "]")
    inner = list(INNER_LIST.finditer(text))
    rest = INNER_LIST.sub("", text)
    if not inner or re.sub(r"[\s,;/]", "", rest).strip("[]") or rest.count("[") != rest.count("]"):
        raise InvalidBoardError("expected a list of rows such as [[1, 2], [3, 0]]")
    line, before, rows = first, 0, []
    for match in inner:
        line += _newlines(text[before : match.start()])
        before = match.start()
        rows.append(Row(line, list(_cells(match[1]))))
    return rows


def _cells(line: str) -> Iterator[str]:
    """Yield the cells of one row. Bars and commas can have nothing, a blank, between them."""
    for mark in "|", ",":
        if mark in line:
            parts = [list(_words(part)) for part in line.split(mark)]
            # nothing before the first mark or after the last is the edge of the row, not a cell
            first = 0 if parts[0] else 1
            last = len(parts) if parts[-1] else -1
            for words in parts[first:last]:
                yield from words or [EMPTY]
            return
    yield from _words(line)


def _words(text: str) -> Iterator[str]:
    for word in re.sub(r"[<>*]+", " ", text).split():
        if re.fullmatch(r"[0-9]+(?:\.[0-9]+)+", word):
            yield from word.split(".")
        else:
            yield word


def _spread(rows: list[Row]) -> list[Row]:
    """Take digits that are run together apart, where every row is one such word."""
    words = [row.cells[0] for row in rows if len(row.cells) == 1]
    together = len(words) == len(rows) and all(map(_RUN_TOGETHER.fullmatch, words))
    shortest = 4 if len(rows) == 1 else 2
    if not together or any(len(word) < shortest for word in words):
        return rows
    if sum(map(len, words)) > 16:
        raise InvalidBoardError(
            "digits can be run together only up to 16 cells: put spaces between them"
        )
    return [
        Row(row.line, ["0" if c in "xX" else c for c in word])
        for row, word in zip(rows, words, strict=True)
    ]


def check_one_kind_of_blank(rows: Iterable[Row], blanks: frozenset[str]) -> None:
    """Raise `InvalidBoardError` where the blank is written in two ways."""
    kinds: dict[str, int] = {}
    for row in rows:
        for cell in row.cells:
            if cell in blanks:
                kinds.setdefault(cell.lower(), row.line)
    if len(kinds) > 1:
        shown = ", ".join(sorted(kind or "an empty cell" for kind in kinds))
        raise at_line(
            InvalidBoardError(f"expected one kind of blank in a board, found {shown}"),
            max(kinds.values()),
        )


def hexadecimal(cell: str) -> int | None:
    """Return the tile of a cell, 0 for the blank and None for what is neither."""
    if cell in _BLANKS:
        return 0
    if NUMBER.fullmatch(cell):
        return int(cell)
    return int(cell, 16) if len(cell) == 1 and cell.lower() in "abcdef" else None


def numbers(row: Row, read: Callable[[str], int | None]) -> list[int]:
    """Return the tiles of a row as `read` reads them; raises `InvalidBoardError`."""
    found = []
    for cell in row.cells:
        tile = read(cell)
        if tile is None:
            what = f"expected a tile's number, found {quoted(cell, LONGEST_CELL)}"
            raise at_line(InvalidBoardError(what), row.line)
        found.append(tile)
    return found


def shape(rows: list[tuple[int, list[int]]], size: Size | None) -> Board:
    """Return the board of `rows`, each with its line; one row alone is a flat list and takes its
    size from `size`, else from the square it fills."""
    cells = tuple(cell for _, row in rows for cell in row)
    if len(rows) == 1:
        height, width = size or _square(cells)
        return Board(height, width, cells)
    width = len(rows[0][1])
    for number, (line, row) in enumerate(rows, start=1):
        if len(row) != width:
            what = f"expected {width} cells in each row as in the first, row {number} has "
            forgotten = len(row) == width - 1 and 0 not in cells
            advice = "; write 0 for the blank" if forgotten else ""
            raise at_line(InvalidBoardError(f"{what}{len(row)}{advice}"), line)
    if size and size != (len(rows), width):
        raise InvalidBoardError(
            f"expected {size[0]} rows of {size[1]}, found {len(rows)} rows of {width}"
        )
    try:
        return Board(len(rows), width, cells)
    except InvalidBoardError as error:
        raise at_line(error, _line_of_wrong_tile(rows)) from None


def _line_of_wrong_tile(rows: list[tuple[int, list[int]]]) -> int | None:
    """Return the line of the first tile that is there for the second time, or no tile at all."""
    seen: set[int] = set()
    count = sum(len(row) for _, row in rows)
    for line, row in rows:
        for tile in row:
            if tile in seen or tile >= count:
                return line
            seen.add(tile)
    return None


def at_line(error: InvalidBoardError, line: int | None) -> InvalidBoardError:
    """Return the error with the line that it is about."""
    error.line = line
    return error


def _square(cells: tuple[int, ...]) -> Size:
    count = len(cells)
    side = math.isqrt(count)
    if side * side == count:
        return side, side
    shapes, next_side = sizes_of(count), math.isqrt(count + 1)
    one_more = next_side * next_side == count + 1
    if one_more and sorted(cells) == list(range(1, count + 1)):
        raise InvalidBoardError(
            f"the blank is missing: expected 0 in its place, as it and {count} tiles make a board "
            f"of {next_side}x{next_side}"
        )
    if not shapes:
        raise InvalidBoardError(f"{count} cells do not fill a board of 2 to 10 rows and columns")
    check_tiles(cells)
    raise SizeNeededError(
        f"{count} cells do not make a square: {'add the one that is missing, or ' * one_more}"
        f"give the size too, {' or '.join(shapes)} (rows x columns), or put each row on its own "
        "line"
    )


def sizes_of(count: int) -> list[str]:
    """Return the sizes of the boards of so many cells.

    >>> sizes_of(8)
    ['2x4', '4x2']
    """
    return [
        f"{rows}x{count // rows}"
        for rows in range(2, 11)
        if count % rows == 0 and 2 <= count // rows <= 10
    ]
