"""Reading boards and puzzles, liberally. Writing them is `str(board)` and `str(puzzle)`.

One canonical form, `7.2.4-5.0.6-8.3.1`, is used in links, cookies, files and on the command
line. People and programs write boards in many other ways; `parse_board` reads those too:

- rows on lines of their own, or split by `/` or `;`; cells split by spaces, commas, dots, bars;
- boards drawn with lines, such as this project prints, marks on the moved tile included;
- nested lists, with or without commas (Python's and NumPy's);
- digits run together, hexadecimal ones up to 16 cells;
- the blank as `0`, or as a cell of its own `_`, `x`, `.`, `-1`, or left empty between bars
  or commas.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from slidewise.puzzle.board import Board, check_size, check_tiles, standard_goal
from slidewise.puzzle.errors import InvalidBoardError, SizeNeededError, quoted
from slidewise.puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_TEXT = 4_000
"""The longest text of a board that is looked at, in characters."""

_LONGEST_CELL = 20
"""How many characters of a cell that cannot be read are quoted."""

Size = tuple[int, int]

_CANONICAL = re.compile(r"[0-9]+(?:\.[0-9]+)*(?:-[0-9]+(?:\.[0-9]+)*)+")
_RULE = re.compile(r"[+|\s]*[-=─━═_]{3}[-=─━═_+|\s]*")
_INNER_LIST = re.compile(r"\[([^\[\]]*)\]")
_SIZE = re.compile(r"([0-9]{1,3})(?:\s*[xX×*,]\s*|\s+)([0-9]{1,3})")
_CODE_JOINT = re.compile(r"(?<=[0-9A-Fa-f\]\)])\s*_\s*(?=[0-9A-Fa-f\[\(])")
_RUN_TOGETHER = re.compile(r"[0-9A-Fa-f_xX]{2,}")
_NUMBER = re.compile(r"[0-9]{1,3}")
_EMPTY = ""
_BYTE_ORDER_MARK = "\ufeff"
_BLANKS = {"0", "_", "x", "X", ".", "-1", _EMPTY}


def parse_size(text: str) -> Size:
    """Return (rows, columns) of a size such as `2x3`.

    >>> parse_size("2x3")
    (2, 3)

    Raises `InvalidBoardError` for other text and for sides outside 2 to 10.
    """
    match = _SIZE.fullmatch(text.strip())
    if not match:
        raise InvalidBoardError(
            f"expected a size such as 3x3 (rows x columns), found {quoted(text)}"
        )
    rows, cols = int(match[1]), int(match[2])
    check_size(rows, cols)
    return rows, cols


def parse_board(text: str, size: Size | None = None) -> Board:
    """Return the board that `text` writes, in any of the ways this module lists.

    `size` is (rows, columns), for a flat list that fills no square.

    >>> str(parse_board("[1,2,3,-1,4,5,6,7,8]"))
    '1.2.3-0.4.5-6.7.8'
    >>> str(parse_board("1 0 3 4 2 5", size=(2, 3)))
    '1.0.3-4.2.5'

    Raises `InvalidBoardError` with what was expected, what was found and the text; of it
    `SizeNeededError` where only the size is missing.
    """
    try:
        return _read(text, size)
    except InvalidBoardError as error:
        raise type(error)(_with_text(str(error), text.strip())) from None


def _with_text(message: str, text: str) -> str:
    """Return the message with the text that it is about, unless that is in it already."""
    told = quoted(text) in message or quoted(text, _LONGEST_CELL) in message
    return message if told else f"{message}: {quoted(text)}"


def parse_puzzle(text: str, goal: str | None = None, size: Size | None = None) -> Puzzle:
    """Return the puzzle that `text` writes: a board, or a code `START_GOAL`.

    `goal` is the goal's text if it stands apart; without any the standard goal is meant.

    >>> str(parse_puzzle("1 2 3 4 5 6 7 8 0"))
    '1.2.3-4.5.6-7.8.0'

    Raises `InvalidBoardError`.
    """
    start, code_goal = _read_code(text, size)
    if goal is not None and goal.strip():
        if code_goal is not None:
            raise InvalidBoardError(
                f"expected one goal: leave {quoted(goal)} out, or the goal in {quoted(text)}"
            )
        code_goal = parse_board(goal, start.size)
    return Puzzle(start, code_goal or standard_goal(*start.size))


def _read_code(text: str, size: Size | None) -> tuple[Board, Board | None]:
    joints = list(_CODE_JOINT.finditer(text[:MAX_TEXT]))
    if len(joints) == 1:
        before, after = text[: joints[0].start()], text[joints[0].end() :]
        try:
            start = parse_board(before, size)
        except SizeNeededError:
            raise  # all its tiles are there and a blank, so that the `_` is not one
        except InvalidBoardError:
            if _CANONICAL.fullmatch(before.strip()):
                raise  # certainly a code; otherwise the `_` may be the blank of one board
        else:
            return start, parse_board(after, start.size)
    return parse_board(text, size), None


def _read(text: str, size: Size | None) -> Board:
    if len(text) > MAX_TEXT:
        raise InvalidBoardError(f"a board has at most {MAX_TEXT:,} characters, got {len(text):,}")
    strange = next((c for c in text if c.isdigit() and not c.isascii()), None)
    if strange:
        raise InvalidBoardError(f"write the digits as 0 to 9, found {strange!r}")
    rows = [row for row in _rows(text) if row]
    if not rows:
        raise InvalidBoardError("expected a board such as 1 2 3 4 5 6 7 8 0, found no cells")
    _check_one_kind_of_blank(rows)
    numbers = [[_number(cell) for cell in row] for row in rows]
    return _shape(numbers, size)


def _rows(text: str) -> list[list[str]]:
    """Return the rows of cells of `text`, each cell a short text; one row for a flat list."""
    text = text.removeprefix(_BYTE_ORDER_MARK).strip()
    if _CANONICAL.fullmatch(text):
        return _spread([row.split(".") for row in text.split("-")])
    if text.startswith(("[", "(", "array", "np.array", "numpy.array")):
        return _nested(text)
    lines = [line for line in re.split(r"[\n\r/;]+", text) if not _RULE.fullmatch(line)]
    return _spread([list(_cells(line)) for line in lines if line.strip()])


def _nested(text: str) -> list[list[str]]:
    text = re.sub(r"^(?:(?:np|numpy)\.)?array\s*\(", "(", text)
    text = text.replace("(", "[").replace(")", "]")
    inner = _INNER_LIST.findall(text)
    rest = _INNER_LIST.sub("", text)
    if not inner or re.sub(r"[\s,;/]", "", rest).strip("[]") or rest.count("[") != rest.count("]"):
        raise InvalidBoardError("expected a list of rows such as [[1, 2], [3, 0]]")
    return [list(_cells(row)) for row in inner]


def _cells(line: str) -> Iterator[str]:
    """Yield the cells of one row. Bars and commas can have nothing, a blank, between them."""
    for mark in "|", ",":
        if mark in line:
            parts = [list(_words(part)) for part in line.split(mark)]
            # nothing before the first mark or after the last is the edge of the row, not a cell
            first = 0 if parts[0] else 1
            last = len(parts) if parts[-1] else -1
            for words in parts[first:last]:
                yield from words or [_EMPTY]
            return
    yield from _words(line)


def _words(text: str) -> Iterator[str]:
    for word in re.sub(r"[<>*]+", " ", text).split():
        if re.fullmatch(r"[0-9]+(?:\.[0-9]+)+", word):
            yield from word.split(".")
        else:
            yield word


def _spread(rows: list[list[str]]) -> list[list[str]]:
    """Take digits that are run together apart, where every row is one such word."""
    words = [row[0] for row in rows if len(row) == 1]
    together = len(words) == len(rows) and all(map(_RUN_TOGETHER.fullmatch, words))
    shortest = 4 if len(rows) == 1 else 2
    if not together or any(len(word) < shortest for word in words):
        return rows
    if sum(map(len, words)) > 16:
        raise InvalidBoardError("digits can be run together up to 16 cells: put spaces between")
    return [["0" if c in "xX" else c for c in word] for word in words]


def _check_one_kind_of_blank(rows: list[list[str]]) -> None:
    kinds = {cell.lower() for row in rows for cell in row if cell in _BLANKS}
    if len(kinds) > 1:
        shown = ", ".join(sorted(kind or "an empty cell" for kind in kinds))
        raise InvalidBoardError(f"one kind of blank to a board, found {shown}")


def _number(cell: str) -> int:
    if cell in _BLANKS:
        return 0
    if _NUMBER.fullmatch(cell):
        return int(cell)
    if len(cell) == 1 and cell.lower() in "abcdef":
        return int(cell, 16)
    raise InvalidBoardError(f"expected a tile's number, found {quoted(cell, _LONGEST_CELL)}")


def _shape(rows: list[list[int]], size: Size | None) -> Board:
    """Return the board of `rows`; one row alone is a flat list and takes its size from `size`,
    else from the square it fills."""
    cells = tuple(cell for row in rows for cell in row)
    if len(rows) == 1:
        height, width = size or _square(cells)
        return Board(height, width, cells)
    width = len(rows[0])
    for number, row in enumerate(rows, start=1):
        if len(row) != width:
            raise InvalidBoardError(
                f"expected {width} cells in each row as in the first, row {number} has {len(row)}"
            )
    if size and size != (len(rows), width):
        raise InvalidBoardError(
            f"expected {size[0]} rows of {size[1]}, found {len(rows)} rows of {width}"
        )
    return Board(len(rows), width, cells)


def _square(cells: tuple[int, ...]) -> Size:
    count = len(cells)
    side = math.isqrt(count)
    if side * side == count:
        return side, side
    shapes = [
        f"{rows}x{count // rows}"
        for rows in range(2, 11)
        if count % rows == 0 and 2 <= count // rows <= 10
    ]
    if not shapes:
        raise InvalidBoardError(f"{count} cells fill no board of 2 to 10 rows and columns")
    check_tiles(cells)
    raise SizeNeededError(
        f"{count} cells fill no square: say the size too, {' or '.join(shapes)} (rows x columns), "
        "or give each row a line of its own"
    )
