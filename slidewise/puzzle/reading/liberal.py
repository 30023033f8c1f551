"""Reading what `plain` refuses: files with a size, lists with an index, letters, floats, words.

Each way in which the rows can be meant is tried. One board among all of them is the answer; where
there are several, the text is ambiguous, and the error says how to write the one that is meant.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from slidewise.puzzle.board import MAX_SIDE, MIN_SIDE, Board
from slidewise.puzzle.errors import AmbiguousBoardError, InvalidBoardError, SizeNeededError, quoted
from slidewise.puzzle.reading.layout import Line, rows_of
from slidewise.puzzle.reading.plain import (
    EMPTY,
    NUMBER,
    Row,
    Size,
    at_line,
    check_one_kind_of_blank,
    hexadecimal,
    numbers,
    shape,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_SURE_BLANKS = frozenset(
    {"0", "_", ".", "-1", "-", "--", "*", EMPTY, "none", "null", "nil", "nan", "blank", "empty"}
)
_BLANKS = _SURE_BLANKS | {"x", "b", "g"}
_FLOAT = re.compile(r"([0-9]{1,3})(?:\.([0-9]{0,30}))?(?:[eE]([+-]?[0-9]{1,2}))?")
_SIZE = re.compile(r"([0-9]{1,3})[xX×*]([0-9]{1,3})")
_TATHAM = re.compile(r"\s*([0-9]{1,2})(?:x([0-9]{1,2}))?:(?=[\s,0-9]+$)")
_GAME_ID = re.compile(r"\s*[0-9]{1,2}x[0-9]{1,2}:[0-9]++(?:,[0-9]++)*+\s*")
"""Simon Tatham's own spelling, in which the columns stand before the rows."""

_WRAPPED = re.compile(r"[#%={}\"'`\u2500-\u257f]|//|(?<![A-Za-z])[A-Za-z]{4}")
"""What tells that more than cells stands in a text, so that `read_plain` stumbled over that."""

_NUMBERED = "number "
_INDEX = re.compile(r"[0-9]{1,9}[:)]?")
_FIGURE = re.compile(r"[0-9]{1,12}")
MAX_FIGURES = 3
"""The numbers that may follow a board in a list: Korf gives the estimate, the length, the nodes."""

_INDEXED_CELLS = 9
"""The fewest cells that a number may stand before on their line: five numbers are rather a board
of six cells with one forgotten."""


class Reading(NamedTuple):
    """A board that a text can mean: what its parts then are, and what to write for this one."""

    board: Board
    meaning: str
    instead: str


class _Table(NamedTuple):
    """Rows that may be a board, of a certain size or of any, and what they would make the text."""

    rows: list[Line]
    size: Size | None
    meaning: str = ""
    instead: str = ""


def read_liberal(text: str, size: Size | None, refusal: InvalidBoardError) -> Board:
    """Return the board that `text` means; `refusal` is what `read_plain` said of it.

    Raises `AmbiguousBoardError` where it means several, otherwise `InvalidBoardError`.
    """
    try:
        tables, header, sized = _tables(text, size)
    except InvalidBoardError:
        raise refusal from None  # it is about the text as it stands
    found: dict[Board, Reading] = {}
    for table in tables:
        for reading in _readings(table):
            found.setdefault(reading.board, reading)
    alone = _refusal_of(tables[0])
    if isinstance(alone, SizeNeededError):
        refusal = alone
    if isinstance(refusal, SizeNeededError):
        raise _or_with_index(refusal, list(found.values()))
    if len(found) == 1:
        reading = found.popitem()[1]
        if header and reading.meaning.startswith(_NUMBERED):
            raise header  # the number can be a size that is wrong: say which it is
        return reading.board
    if found:
        raise _ambiguous(list(found.values()))
    if header:
        raise header
    if sized or _WRAPPED.search(text):
        raise (_refusal_of(sized) if sized else alone) or refusal
    raise refusal


def _or_with_index(refusal: SizeNeededError, readings: list[Reading]) -> InvalidBoardError:
    """Return the question for the size, with what else the numbers can mean."""
    others = [f"; or, if it is {one.meaning}, {one.instead}" for one in readings if one.meaning]
    return SizeNeededError(f"{refusal}{''.join(others)}")


def _ambiguous(readings: list[Reading]) -> AmbiguousBoardError:
    ways = "; or ".join(f"{one.meaning}, that is {one.board} ({one.instead})" for one in readings)
    told = tuple((one.meaning, str(one.board)) for one in readings)
    return AmbiguousBoardError(f"this can mean {len(readings)} boards: {ways}", told)


# What the rows are: cells, or a size or an index and then cells


def _tables(
    text: str, size: Size | None
) -> tuple[list[_Table], InvalidBoardError | None, _Table | None]:
    """Return each way to take the rows of `text`; what is wrong if a size stands before them that
    they do not have; and the one that has the size told, if one does."""
    sized = _TATHAM.match(text)
    if sized:
        size = size or _size_of_game(text, sized)
        tables = _with_tatham(text[sized.end() :], sized, size)
        return tables, None, next(iter(tables), None)
    rows = rows_of(text)
    if not rows:
        raise InvalidBoardError("no cells")
    tables = [_Table(rows, size)]
    if len(rows) == 1:
        return tables + list(_flat(rows[0], size)), None, None
    told = _size_told(rows[0])
    if not told:
        return tables, None, None
    below = list(_below(rows, told, size))
    if not all(MIN_SIDE <= side <= MAX_SIDE for side in told):
        return tables + below, None, None  # an index, certainly
    wrong = _mismatch(rows, told)
    return tables + below, wrong, None if wrong else next(iter(below), None)


def _size_of_game(text: str, sized: re.Match[str]) -> Size | None:
    """Return the size that a game ID of Simon Tatham's puzzles gives, None for another text."""
    return (int(sized[2]), int(sized[1])) if _GAME_ID.fullmatch(text) else None


def _with_tatham(cells: str, sized: re.Match[str], size: Size | None) -> list[_Table]:
    """Return the readings of `4x3:` and cells: columns and rows, as Simon Tatham's puzzles write
    them, or rows and columns."""
    cols, rows = int(sized[1]), int(sized[2] or sized[1])
    lines = rows_of(cells)
    told = sized[0].strip().rstrip(":")
    tables = [
        _Table(lines, one, f"{told} as {what}", f"give the size {one[0]}x{one[1]}")
        for one, what in {(cols, rows): "rows x columns", (rows, cols): "columns x rows"}.items()
        if size in (None, one)
    ]
    if not sized[2]:
        tables.append(
            _Table(lines, size, f"{_NUMBERED}{told} and then a board", f"leave {told} out")
        )
    return tables


def _flat(row: Line, size: Size | None) -> Iterator[_Table]:
    """Yield what one line of numbers can be but cells alone."""
    first, rest = row.cells[0], row._replace(cells=row.cells[1:])
    if NUMBER.fullmatch(first) and len(rest.cells) == int(first) ** 2:
        yield _Table([rest], (int(first), int(first)), "a size and cells", "")
    if len(row.cells) > 2:
        told = _size_told(row._replace(cells=row.cells[:2]))
        if told and told[0] * told[1] == len(row.cells) - 2:
            cells = [row._replace(cells=row.cells[2:])]
            yield from _sized(cells, told, size)
    if _INDEX.fullmatch(first) and len(rest.cells) >= _INDEXED_CELLS:
        what = f"{_NUMBERED}{first.rstrip(':)')} and then a board"
        yield _Table([rest], size, what, f"leave the {first} out")
        yield from _before_figures(rest, size, what)
    for together in _groups(row):
        yield _Table(together, size)


def _before_figures(row: Line, size: Size | None, what: str) -> Iterator[_Table]:
    """Yield the cells before numbers such as the length of the solution."""
    for count in range(1, MAX_FIGURES + 1):
        cells, figures = row.cells[:-count], row.cells[-count:]
        if len(cells) < _INDEXED_CELLS or not _FIGURE.fullmatch(figures[0]):
            return
        instead = f"leave out all numbers but those of the board, {' '.join(figures)} too"
        yield _Table([row._replace(cells=cells)], size, f"{what} before its length", instead)


def _groups(row: Line) -> Iterator[list[Line]]:
    """Yield the rows of a line such as `b12 345 678`."""
    lengths = {len(word) for word in row.cells}
    if len(row.cells) >= MIN_SIDE and len(lengths) == 1 and lengths.pop() >= MIN_SIDE:
        yield [row._replace(cells=[word]) for word in row.cells]


def _size_told(row: Line) -> Size | None:
    """Return the size that a line of its own tells: `3`, `3 3` or `3x3`."""
    cells = row.cells
    if len(cells) == 1 and (sides := _SIZE.fullmatch(cells[0])):
        return int(sides[1]), int(sides[2])
    if not all(map(NUMBER.fullmatch, cells)) or len(cells) > 2:
        return None
    return int(cells[0]), int(cells[-1])


def _below(rows: list[Line], told: Size, size: Size | None) -> Iterator[_Table]:
    """Yield what the rows below a line with a number, or two, can be."""
    below = rows[1:]
    yield from _sized(below, told, size)
    if len(rows[0].cells) == 1:
        what = f"{_NUMBERED}{rows[0].cells[0]} and then a board"
        yield _Table(below, size, what, f"leave line {rows[0].number} out")


def _sized(rows: list[Line], told: Size, size: Size | None) -> Iterator[_Table]:
    """Yield the rows as a board of the size told, which may be rows and columns or the reverse."""
    for one in dict.fromkeys((told, told[::-1])):
        if size in (None, one):
            yield _Table(
                rows, one, f"{one[0]} rows of {one[1]}", f"give the size {one[0]}x{one[1]}"
            )


def _mismatch(rows: list[Line], told: Size) -> InvalidBoardError | None:
    """Return what is wrong with a size that the rows below it do not have."""
    below, first = rows[1:], " ".join(rows[0].cells)
    lengths = {len(row.cells) for row in below}
    for height, width in {told, told[::-1]}:
        if lengths == {width} and len(below) == height:
            return None
        if len(below) == 1 and lengths == {height * width}:
            return None
    height, width = told
    if len(lengths) == 1:
        what = (
            f"{first} is either the size, and then {height} rows of {width} should follow, not "
            f"{len(below)} of {lengths.pop()}, or the number of the board: correct it or leave it "
            "out"
        )
        return at_line(InvalidBoardError(what), rows[0].number)
    wrong = next(row for row in below if len(row.cells) != width)
    what = f"the size {first} asks for {width} cells in each row, here are {len(wrong.cells)}"
    return at_line(InvalidBoardError(f"{what}; write 0 for the blank"), wrong.number)


# What the cells are


def _readings(table: _Table) -> Iterator[Reading]:
    """Yield each board that the rows of `table` write."""
    if sum(len(row.cells) for row in table.rows) > MAX_SIDE**2:
        return
    for rows, where in _with_edges(table.rows):
        meaning, instead = table.meaning or where, table.instead or "write 0 for the blank"
        for variant in _spread(rows):
            for read, blanks in _CELLS:
                try:
                    board = _board(variant, read, blanks, table.size)
                except InvalidBoardError:
                    continue
                yield Reading(board, meaning, instead)


def _refusal_of(table: _Table) -> InvalidBoardError | None:
    """Return what is wrong with the rows as numbers."""
    try:
        _board([Row(row.number, row.cells) for row in table.rows], _decimal, _BLANKS, table.size)
    except InvalidBoardError as error:
        return error
    return None


def _board(
    rows: list[Row], read: Callable[[str], int | None], blanks: frozenset[str], size: Size | None
) -> Board:
    lower = [Row(row.line, [cell.lower() for cell in row.cells]) for row in rows]
    found = [(row.line, numbers(row, read)) for row in rows]
    check_one_kind_of_blank(lower, blanks)
    return shape(found, size)


def _with_edges(lines: list[Line]) -> Iterator[tuple[list[Row], str]]:
    """Yield the rows as they are, and with the empty cell at an edge of the one that is short, and
    say where."""
    rows = [Row(line.number, line.cells) for line in lines]
    yield rows, ""
    width = max(len(row.cells) for row in rows)
    short = [n for n, row in enumerate(rows) if len(row.cells) == width - 1 or len(rows) == 1]
    if len(short) != 1:
        return
    place = short[0]
    line = lines[place]
    others = lines[:place] + lines[place + 1 :]
    before = line.open_before and not any(other.open_before for other in others)
    after = line.open_after and not any(other.open_after for other in others)
    for is_open, cells, where in (
        (before, [EMPTY, *line.cells], "before"),
        (after, [*line.cells, EMPTY], "after"),
    ):
        if is_open:
            row = Row(line.number, cells)
            yield [*rows[:place], row, *rows[place + 1 :]], f"the blank {where} its other cells"


def _spread(rows: list[Row]) -> Iterator[list[Row]]:
    """Yield the rows as they are, and with the digits of each word apart where each is one word."""
    yield rows
    if all(len(row.cells) == 1 and len(row.cells[0]) >= MIN_SIDE for row in rows):
        yield [Row(row.line, list(row.cells[0])) for row in rows]


def _decimal(cell: str) -> int | None:
    """Return the tile of a cell in decimal digits, or of a float that is whole."""
    if cell.lower() in _BLANKS:
        return 0
    match = _FLOAT.fullmatch(cell)
    if not match:
        return None
    value = float(cell)
    return int(value) if value.is_integer() and value < 1000 else None


def _hexadecimal(cell: str) -> int | None:
    return 0 if cell.lower() in _SURE_BLANKS else hexadecimal(cell)


def _letter(cell: str) -> int | None:
    """Return the tile of a letter: A is 1."""
    if cell.lower() in _SURE_BLANKS:
        return 0
    if len(cell) == 1 and "A" <= cell.upper() <= "X" and cell.isascii():
        return ord(cell.upper()) - ord("A") + 1
    return None


def _letter_or_x(cell: str) -> int | None:
    return 0 if cell in "xX" and cell else _letter(cell)


_CELLS: tuple[tuple[Callable[[str], int | None], frozenset[str]], ...] = (
    (_decimal, _BLANKS),
    (_hexadecimal, _SURE_BLANKS | {"x"}),
    (_letter, _SURE_BLANKS),
    (_letter_or_x, _SURE_BLANKS | {"x"}),
)
"""The ways to read a cell, each with what it takes for the blank."""


def with_text(error: InvalidBoardError, text: str) -> str:
    """Return the message of an error with the line, or the whole of a text of one line."""
    message = str(error)
    lines = text.strip("\r\n").splitlines()
    if error.line and len(lines) > 1:
        whole = text.splitlines()
        shown = whole[error.line - 1].strip() if error.line <= len(whole) else ""
        return f"line {error.line}: {message}: {quoted(shown)}" if shown else message
    told = quoted(text.strip()) in message or quoted(text.strip(), 20) in message
    return message if told else f"{message}: {quoted(text.strip())}"
