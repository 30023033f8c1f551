"""Parsing boards as people, programs and courses write them.

`plain` parses rows, lists and drawn boards strictly. `liberal` accepts the extra text of files,
programs and players. `address` parses a link. `slidewise.puzzle.notation` is the public module.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from slidewise.puzzle.board import (
    MAX_SIDE,
    MIN_SIDE,
    AmbiguousBoardError,
    Board,
    InvalidBoardError,
    SizeNeededError,
    check_tiles,
    quoted,
)
from slidewise.puzzle.slidysim import is_replay, read_replays
from slidewise.text import either, message, plural, with_commas

MAX_MOVES = 100_000
"""Maximum length of a list of moves, after run lengths are expanded."""

MAX_TEXT = 200_000
"""Maximum length of a text of moves, in characters."""


LONGEST_CELL = 20
"""Characters quoted of an unreadable cell."""

Size = tuple[int, int]

BYTE_ORDER_MARK = "\ufeff"
CANONICAL = re.compile(r"[0-9]+(?:\.[0-9]+)*(?:-[0-9]+(?:\.[0-9]+)*)+")
INNER_LIST = re.compile(r"\[([^\[\]]*)\]")
NUMBER = re.compile(r"[0-9]{1,3}")
# A line of a drawn board, such as +---+---+, which has no cells.
_RULE = re.compile(r"[+|\s]*[-=─━═_]{3}[-=─━═_+|\s]*")
_RUN_TOGETHER = re.compile(r"[0-9A-Fa-f_xX]{2,}")
EMPTY = ""
_PLAIN_BLANKS = frozenset({"0", "_", "x", "X", ".", "-1", EMPTY})


class TextRow(NamedTuple):
    """A row of cells, each a short text, and its line in the text, from 1."""

    line: int
    cells: list[str]


def read_plain(text: str, size: Size | None) -> Board:
    """Parse a board strictly; raises `InvalidBoardError`, with the line if known."""
    rows = [row for row in _rows(text) if row.cells]
    if not rows:
        raise InvalidBoardError(
            message("expected a board such as 1 2 3 4 5 6 7 8 0, found no cells")
        )
    check_one_kind_of_blank(rows, _PLAIN_BLANKS)
    return shape([(row.line, numbers(row, hexadecimal)) for row in rows], size)


def _rows(text: str) -> list[TextRow]:
    """Return the rows of `text`, a single row for a flat list."""
    text = text.removeprefix(BYTE_ORDER_MARK)
    first = 1 + _newlines(text[: len(text) - len(text.lstrip())])
    text = text.strip()
    if CANONICAL.fullmatch(text):
        return _spread_plain([TextRow(first, row.split(".")) for row in text.split("-")])
    if text.startswith(("[", "(", "array", "np.array", "numpy.array")):
        return _nested(text, first)
    return _spread_plain(
        [
            TextRow(number, list(_cells(part)))
            for number, line in enumerate(split_lines(text), first)
            for part in re.split("[/;]+", line)
            if part.strip() and not _RULE.fullmatch(part)
        ]
    )


def split_lines(text: str) -> list[str]:
    """Split `text` at any line ending, numbered as in an editor."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _newlines(text: str) -> int:
    return len(split_lines(text)) - 1


def _nested(text: str, first: int) -> list[TextRow]:
    text = re.sub(r"^(?:(?:np|numpy)\.)?array\s*\(", "(", text)
    text = text.replace("(", "[").replace(")", "]")
    inner = list(INNER_LIST.finditer(text))
    rest = INNER_LIST.sub("", text)
    if not inner or re.sub(r"[\s,;/]", "", rest).strip("[]") or rest.count("[") != rest.count("]"):
        raise _not_a_list()
    line, before, rows = first, 0, []
    for match in inner:
        line += _newlines(text[before : match.start()])
        before = match.start()
        rows.append(TextRow(line, list(_cells(match[1]))))
    return rows


def _not_a_list() -> InvalidBoardError:
    return InvalidBoardError(message("expected a list of rows such as [[1, 2], [3, 0]]"))


def _cells(line: str) -> Iterator[str]:
    """Yield the cells of a row. Nothing between bars or commas is a blank."""
    for mark in "|", ",":
        if mark in line:
            parts = [list(_words(part)) for part in line.split(mark)]
            # text before the first mark or after the last is the row's edge, not a cell
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


def _spread_plain(rows: list[TextRow]) -> list[TextRow]:
    """Split run-together digits if every row is a single word of digits."""
    words = [row.cells[0] for row in rows if len(row.cells) == 1]
    together = len(words) == len(rows) and all(map(_RUN_TOGETHER.fullmatch, words))
    # A flat list has at least four cells, a row two.
    shortest = 4 if len(rows) == 1 else 2
    if not together or any(len(word) < shortest for word in words):
        return rows
    if sum(map(len, words)) > 16:
        raise InvalidBoardError(
            message("digits can be run together only up to 16 cells: put spaces between them")
        )
    return [
        TextRow(row.line, ["0" if c in "xX" else c for c in word])
        for row, word in zip(rows, words, strict=True)
    ]


def check_one_kind_of_blank(rows: Iterable[TextRow], blanks: frozenset[str]) -> None:
    """Raise `InvalidBoardError` if the blank is written in two ways."""
    kinds: dict[str, int] = {}
    for row in rows:
        for cell in row.cells:
            if cell in blanks:
                kinds.setdefault(cell.lower(), row.line)
    if len(kinds) > 1:
        shown = with_commas(sorted(kind or message("an empty cell") for kind in kinds))
        fault = message("expected one kind of blank in a board, found %(found)s", found=shown)
        raise at_line(InvalidBoardError(fault), max(kinds.values()))


def hexadecimal(cell: str) -> int | None:
    """Return the tile of a cell, 0 for the blank, None for other text."""
    if cell in _PLAIN_BLANKS:
        return 0
    if NUMBER.fullmatch(cell):
        return int(cell)
    return int(cell, 16) if len(cell) == 1 and cell.lower() in "abcdef" else None


def numbers(row: TextRow, read: Callable[[str], int | None]) -> list[int]:
    """Return the tiles of a row, parsed by `read`; raises `InvalidBoardError`."""
    found = []
    for cell in row.cells:
        tile = read(cell)
        if tile is None:
            found_text = quoted(cell, LONGEST_CELL)
            what = message("expected a tile's number, found %(found)s", found=found_text)
            raise at_line(InvalidBoardError(what), row.line)
        found.append(tile)
    return found


def shape(rows: list[tuple[int, list[int]]], size: Size | None) -> Board:
    """Return the board of `rows`, each with its line.

    A single row is a flat list. Its size is `size`, or otherwise the square it fills.
    """
    cells = tuple(cell for _, row in rows for cell in row)
    if len(rows) == 1:
        height, width = size or _square(cells)
        return Board(height, width, cells)
    width = len(rows[0][1])
    for number, (line, row) in enumerate(rows, start=1):
        if len(row) != width:
            what = message(
                "expected %(cells)s in each row as in the first, row %(number)s has %(found)s",
                cells=plural(width, "cell"),
                number=number,
                found=len(row),
            )
            if len(row) == width - 1 and 0 not in cells:
                what = message("%(fault)s; write 0 for the blank", fault=what)
            raise at_line(InvalidBoardError(what), line)
    if size and size != (len(rows), width):
        raise InvalidBoardError(
            message(
                "expected %(rows)s rows of %(cols)s, found %(found)s rows of %(width)s",
                rows=size[0],
                cols=size[1],
                found=len(rows),
                width=width,
            )
        )
    try:
        return Board(len(rows), width, cells)
    except InvalidBoardError as error:
        raise at_line(error, _line_of_wrong_tile(rows)) from None


def _line_of_wrong_tile(rows: list[tuple[int, list[int]]]) -> int | None:
    """Return the line of the first repeated tile or unknown number."""
    # A repeated or unknown number shows the line at fault; a missing number shows none.
    seen: set[int] = set()
    count = sum(len(row) for _, row in rows)
    for line, row in rows:
        for tile in row:
            if tile in seen or tile >= count:
                return line
            seen.add(tile)
    return None


def at_line(error: InvalidBoardError, line: int | None) -> InvalidBoardError:
    """Return the error with its line."""
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
            message(
                "the blank is missing: expected 0 in its place, as it and %(count)s tiles make a "
                "board of %(size)s",
                count=count,
                size=f"{next_side}x{next_side}",
            )
        )
    if not shapes:
        raise InvalidBoardError(
            message("%(count)s cells do not fill a board of 2 to 10 rows and columns", count=count)
        )
    check_tiles(cells)
    if one_more:
        raise SizeNeededError(
            message(
                "%(count)s cells do not make a square: add the one that is missing, or give the "
                "size too, %(sizes)s (rows x columns), or put each row on its own line",
                count=count,
                sizes=either(shapes),
            )
        )
    raise SizeNeededError(
        message(
            "%(count)s cells do not make a square: give the size too, %(sizes)s (rows x columns), "
            "or put each row on its own line",
            count=count,
            sizes=either(shapes),
        )
    )


def sizes_of(count: int) -> list[str]:
    """Return the possible board sizes for a number of cells.

    >>> sizes_of(8)
    ['2x4', '4x2']
    """
    return [
        f"{rows}x{count // rows}"
        for rows in range(2, 11)
        if count % rows == 0 and 2 <= count // rows <= 10
    ]


_COMMENT = re.compile(r"#.*|(?:^|\s)(?://|%).*")
_BAR = re.compile("[│┃║┆┇┊┋╎╏▏▕\uff5c]")
_BOX = frozenset(map(chr, range(0x2500, 0x2580)))
_RULES = frozenset("+-=_") | _BOX
_IN_RULES = _RULES | frozenset("|: \t")
# Quotes around nothing or spaces are a blank; other quotes are dropped.
_QUOTED_BLANK = re.compile(r"""(["'`])\s*\1""")
# Arguments of NumPy's and PyTorch's arrays.
_KEYWORD = re.compile(
    r",\s*(?:dtype|order|device|shape|copy|ndmin)\s*=\s*(?:\([^()]*\)|[\w.\"'<>]+)"
)
# An array's dimension such as [3][3], which is not a list.
_DIMENSION = re.compile(r"(?<=[\w\]]) {0,3}\[ {0,3}\w{0,20} {0,3}\]")
# A type parameter such as List<int>, whose brackets hold no cells.
_TYPE = re.compile("<[^<>]*>")
_NAME_BEFORE = re.compile(
    r"(?:[^\W\d][\w ]{0,40}[:=]|(?:[a-z]+[A-Z]\w*|state|board|puzzle|start|goal|initial)\s)"
)
_NUMBER_BESIDE = re.compile(r"(?<![\w.])[0-9]")
_SHORT_NAME = re.compile(r"(?<![\w.])\w{1,2}(?![\w.!])")
_MARK = re.compile("[|,]")
_BOXED = re.compile(r"\|([^|]{2,})\|")
_BRACKETS = str.maketrans("({)}", "[[]]")


MAX_ROWS = 400
"""Maximum rows to parse: three columns of 100 cells and more."""


class Line(NamedTuple):
    """The cells of a row as texts, and their line.

    `open_before` and `open_after` are True if a mark has nothing before or after it, at the row's
    edge or an empty cell.
    """

    number: int
    cells: list[str]
    open_before: bool = False
    open_after: bool = False


def rows_of(text: str) -> list[Line]:
    """Return the rows of `text` without comments, lines of boxes, names and brackets.

    >>> [line.cells for line in rows_of("int[][] t = {{1, 2}, {3, 0}};  // solved")]
    [['1', '2'], ['3', '0']]

    Raises `InvalidBoardError`.
    """
    text = text.removeprefix(BYTE_ORDER_MARK)
    lines = [_COMMENT.sub("", line) for line in split_lines(text)]
    lines = [_QUOTED_BLANK.sub("_", line) for line in lines]
    text = "\n".join(re.sub("[\"'`]", "", line) for line in lines)
    text = _KEYWORD.sub("", text).replace("...\n", "\n")
    if re.search(r"[\[({]", text):
        # a trailing comma is not an empty cell
        return [Line(*line[:2]) for leaf in lists_in(text) for line in _lines(*leaf)]
    return _lines(text, 1)


def lists_in(text: str) -> list[tuple[str, int]]:
    """Return the text in each innermost pair of brackets, with its first line number."""
    text = _DIMENSION.sub("", text.translate(_BRACKETS))
    leaves, line, before = [], 1, 0
    for match in INNER_LIST.finditer(text):
        line += text.count("\n", before, match.start())
        before = match.start()
        if match[1].strip(" \t\n,;"):
            leaves.append((match[1], line))
    rest = _TYPE.sub("", INNER_LIST.sub(" \0 ", text))
    # A number outside the brackets could be a cell, so the text is not understood.
    strange = _NUMBER_BESIDE.search(rest) or _SHORT_NAME.search(rest.partition("\0")[2])
    if not leaves or rest.count("[") != rest.count("]") or strange:
        raise _not_a_list()
    return leaves


def _lines(text: str, first: int) -> list[Line]:
    """Split `text` into rows; `first` is the number of its first line."""
    parts = [
        (number, part.strip())
        for number, line in enumerate(split_lines(text), first)
        for part in re.split("[/;]+", _BAR.sub("|", line))
        # Lines of box strokes separate rows and have no cells.
        if part.strip() and not _is_rule(part)
    ]
    if len(parts) > MAX_ROWS:
        raise InvalidBoardError(
            message(
                "a text has at most %(most)s rows, got %(count)s", most=MAX_ROWS, count=len(parts)
            )
        )
    found = _drawn(parts) or [_line(_without_name(part), number) for number, part in parts]
    return [line for line in found if line.cells]


def _drawn(parts: list[tuple[int, str]]) -> list[Line]:
    """Return the rows of a box with single characters as cells and a space as the blank.

    An example is `|GH |`. Any other box gives no rows.
    """
    inner = [box[1] for _, part in parts if (box := _BOXED.fullmatch(part))]
    one_width = len(inner) == len(parts) > 1 and len(set(map(len, inner))) == 1
    if not one_width or "".join(inner).count(" ") != 1:
        return []
    numbers = [number for number, _ in parts]
    rows = [[EMPTY if cell == " " else cell for cell in row] for row in inner]
    return [Line(number, row) for number, row in zip(numbers, rows, strict=True)]


def _is_rule(part: str) -> bool:
    """Return whether a line consists of box strokes of any width."""
    found = set(part)
    return found <= _IN_RULES and not found.isdisjoint(_RULES)


def _without_name(part: str) -> str:
    name = _NAME_BEFORE.match(part)
    return part[name.end() :] if name else part


def _line(part: str, number: int) -> Line:
    mark = _MARK.search(part)
    if not mark:
        return Line(number, _layout_words(part))
    pieces = [_layout_words(piece) for piece in part.split("|" if "|" in part else ",")]
    before, after = not pieces[0], not pieces[-1]
    if before:
        pieces = pieces[1:]
    if after:
        pieces = pieces[:-1]
    return Line(number, [word for piece in pieces for word in piece or [EMPTY]], before, after)


def _layout_words(text: str) -> list[str]:
    """Return the words of `text`, without the marks of the moved tile."""
    words = [word.strip("<>*") or word for word in re.sub(r"[<>]+", " ", text).split()]
    return [part for word in words for part in word.split(",") if part]


_ADDRESS = re.compile(r"\s*(?:https?://|/)[^\s\"'<>]+\s*", re.IGNORECASE)
_BOARD = r"[0-9]+(?:\.[0-9]+)+(?:-[0-9]+(?:\.[0-9]+)+)+"
_CODE = re.compile(rf"/({_BOARD})(?:_({_BOARD}))?(?=[/.]|$)")


MAX_FIELDS = 100
"""Maximum fields of a URL's query; this site uses about ten."""


class AddressFields(NamedTuple):
    """The puzzle in a URL, as texts; missing fields are ""."""

    start: str
    goal: str
    size: str
    moves: str


def read_address(text: str) -> AddressFields | None:
    """Parse a URL of this site or of a replay of slidysim; None if `text` is not a URL.

    >>> read_address("https://example.org/replay/1.2-0.3?moves=L&step=1")
    AddressFields(start='1.2-0.3', goal='', size='', moves='L')
    >>> read_address("1 2 3 0") is None
    True

    Raises `InvalidBoardError` for a URL without a puzzle.
    """
    if not _ADDRESS.fullmatch(text):
        return None
    try:
        parts = urlsplit(text.strip())
        fields = dict(parse_qsl(parts.query, keep_blank_values=True, max_num_fields=MAX_FIELDS))
    except ValueError:
        return None
    if is_replay(text):
        replay = read_replays(text)[0]
        return AddressFields(str(replay.start), "", "", replay.moves)
    moves = fields.get("moves", "")
    code = _CODE.search(parts.path)
    if code:
        return AddressFields(code[1], code[2] or "", "", moves)
    if fields.get("start", "").strip():
        return AddressFields(fields["start"], fields.get("goal", ""), fields.get("size", ""), moves)
    if _is_text_of_rows(text):
        return None
    raise InvalidBoardError(
        message(
            "this address holds no puzzle: open it and copy the address of the game, which "
            "contains the board"
        )
    )


def moves_of_address(text: str) -> str:
    """Return the moves in a URL with a puzzle, "" for other text.

    >>> moves_of_address("https://example.org/replay/1.2-0.3?moves=L")
    'L'
    """
    try:
        address = read_address(text)
    except InvalidBoardError:
        return ""
    return address.moves if address else ""


def _is_text_of_rows(text: str) -> bool:
    """Return whether `text` is rows between slashes, for example `/1,2/3,0`, not a URL."""
    return not text.lstrip().lower().startswith("http") and not re.search("[a-z]{3}", text)


_SURE_BLANKS = frozenset(
    {"0", "_", "__", "___", ".", "-1", "-", "--", "*", EMPTY, *"•·∙●○□▢■█☐◻⬜∅␣"}
    | {"none", "null", "nil", "nan", "blank", "empty", "space", "hole", "gap", "leer", "vacío"}
    | {"vacio", "vazio", "vide", "hueco", "nothing"}
)
BLANKS = _SURE_BLANKS | {"x", "b", "g", "e", "v"}
_FLOAT = re.compile(r"([0-9]{1,3})(?:\.([0-9]{0,30}))?(?:[eE]([+-]?[0-9]{1,2}))?")
_SIZE = re.compile(r"([0-9]{1,3})[xX×*]([0-9]{1,3})")
_TATHAM = re.compile(r"\s*([0-9]{1,2})(?:x([0-9]{1,2}))?:(?=[\s,0-9]+$)")
_GAME_ID = re.compile(r"\s*[0-9]{1,2}x[0-9]{1,2}:[0-9]++(?:,[0-9]++)*+\s*")
"""Simon Tatham's game ID, with columns before rows."""

# Texts with these come from files and programs, for which the liberal reader's error fits better.
_WRAPPED = re.compile(r"[#%={}\"'`\u2500-\u257f]|//|(?<![A-Za-z])[A-Za-z]{4}")
"""Signs of more than cells in a text, which `read_plain` rejects."""

_NUMBERED = "number "
_INDEX = re.compile(r"[0-9]{1,9}[:)]?")
_FIGURE = re.compile(r"[0-9]{1,12}")
MAX_FIGURES = 3
"""Numbers after a board in a list: Korf gives the estimate, the length and the nodes."""

_INDEXED_CELLS = 9
"""Minimum cells after a number on a line, as fewer are more likely a board without a cell."""


class Reading(NamedTuple):
    """A possible board of a text: the meaning of its parts, and the text to write for it."""

    board: Board
    meaning: str
    instead: str


class _Table(NamedTuple):
    """Possible rows of a board, of a given size or any, and the text's meaning if they are."""

    rows: list[Line]
    size: Size | None
    meaning: str = ""
    instead: str = ""


def read_liberal(text: str, size: Size | None, refusal: InvalidBoardError) -> Board:
    """Parse an irregular board; `refusal` is the error of `read_plain`.

    Raises `AmbiguousBoardError` for several readings, otherwise `InvalidBoardError`.
    """
    try:
        tables, header, sized = _tables(text, size)
    except InvalidBoardError:
        raise refusal from None  # the error quotes the text as given
    # Readings that give the same board are not ambiguous.
    found: dict[Board, Reading] = {}
    for table in tables:
        for reading in _readings(table):
            found.setdefault(reading.board, reading)
    alone = _refusal_of(tables[0])
    if isinstance(alone, SizeNeededError):
        refusal = alone
    # All cells are present, so asking for the size helps more than guessing.
    if isinstance(refusal, SizeNeededError):
        raise _or_with_index(refusal, list(found.values()))
    if len(found) == 1:
        reading = found.popitem()[1]
        if header and reading.meaning.startswith(_NUMBERED):
            raise header  # the number may be a wrong size, and the error names it
        return reading.board
    if found:
        raise _ambiguous(list(found.values()))
    if header:
        raise header
    if sized or _WRAPPED.search(text):
        raise (_refusal_of(sized) if sized else alone) or refusal
    raise refusal


def _or_with_index(refusal: SizeNeededError, readings: list[Reading]) -> InvalidBoardError:
    """Return the error that requests the size, with other readings of the numbers."""
    fault = refusal.args[0]
    for one in readings:
        if one.meaning:
            fault = message(
                "%(fault)s; or, if it is %(meaning)s, %(advice)s",
                fault=fault,
                meaning=one.meaning,
                advice=one.instead,
            )
    return SizeNeededError(fault)


def _ambiguous(readings: list[Reading]) -> AmbiguousBoardError:
    ways = [
        message(
            "%(meaning)s, that is %(board)s (%(advice)s)",
            meaning=one.meaning,
            board=str(one.board),
            advice=one.instead,
        )
        for one in readings
    ]
    shown = reduce(lambda one, other: message("%(one)s; or %(other)s", one=one, other=other), ways)
    fault = message(
        "this can mean %(count)s boards: %(readings)s", count=len(readings), readings=shown
    )
    return AmbiguousBoardError(fault, tuple((one.meaning, str(one.board)) for one in readings))


# Kinds of rows: cells alone, or cells after a size or an index


def _tables(
    text: str, size: Size | None
) -> tuple[list[_Table], InvalidBoardError | None, _Table | None]:
    """Return the possible rows of `text`, the fault in its stated size, and rows of that size."""
    sized = _TATHAM.match(text)
    if sized:
        size = size or _size_of_game(text, sized)
        tables = _with_tatham(text[sized.end() :], sized, size)
        return tables, None, next(iter(tables), None)
    rows = rows_of(text)
    if not rows:
        raise InvalidBoardError("no cells")  # the strict reader's error is shown
    tables = [_Table(rows, size)]
    if len(rows) == 1:
        return tables + list(_flat(rows[0], size)), None, None
    stated = _stated_size(rows[0])
    if not stated:
        return tables, None, None
    below = list(_below(rows, stated, size))
    if not all(MIN_SIDE <= side <= MAX_SIDE for side in stated):
        return tables + below, None, None  # unambiguously an index
    wrong = _mismatch(rows, stated)
    return tables + below, wrong, None if wrong else next(iter(below), None)


def _size_of_game(text: str, sized: re.Match[str]) -> Size | None:
    """Return the size in a game ID of Simon Tatham's puzzles, or None."""
    return (int(sized[2]), int(sized[1])) if _GAME_ID.fullmatch(text) else None


def _with_tatham(cells: str, sized: re.Match[str], size: Size | None) -> list[_Table]:
    """Return the readings of `4x3:` and cells.

    The size is columns and rows, as in Simon Tatham's puzzles, or rows and columns.
    """
    # Other programs write rows first, so both orders are tried if no size is given.
    cols, rows = int(sized[1]), int(sized[2] or sized[1])
    lines = rows_of(cells)
    label = sized[0].strip().rstrip(":")
    meanings = {
        (cols, rows): message("%(label)s as rows x columns", label=label),
        (rows, cols): message("%(label)s as columns x rows", label=label),
    }
    tables = [
        _Table(lines, one, meaning, _give_size(one))
        for one, meaning in meanings.items()
        if size in (None, one)
    ]
    if not sized[2]:
        leave_out = message("leave %(label)s out", label=label)
        tables.append(_Table(lines, size, _numbered(label), leave_out))
        if len(lines) == 1:
            tables += _before_figures(lines[0], size, _numbered(label))
    return tables


def _give_size(size: Size) -> str:
    return message("give the size %(size)s", size=f"{size[0]}x{size[1]}")


def _numbered(label: str) -> str:
    return message("number %(label)s and then a board", label=label)


def _flat(row: Line, size: Size | None) -> Iterator[_Table]:
    """Yield the readings of a line of numbers other than cells alone."""
    first, rest = row.cells[0], row._replace(cells=row.cells[1:])
    # Princeton's files state the size n before n * n cells.
    if NUMBER.fullmatch(first) and len(rest.cells) == int(first) ** 2:
        meaning = message("a size and cells")
        yield _Table([rest], (int(first), int(first)), meaning, "")
    if len(row.cells) > 2:
        stated = _stated_size(row._replace(cells=row.cells[:2]))
        if stated and stated[0] * stated[1] == len(row.cells) - 2:
            cells = [row._replace(cells=row.cells[2:])]
            yield from _sized(cells, stated, size)
    if _INDEX.fullmatch(first) and len(rest.cells) >= _INDEXED_CELLS:
        what = _numbered(first.rstrip(":)"))
        yield _Table([rest], size, what, message("leave the %(label)s out", label=first))
        yield from _before_figures(rest, size, what)
    for together in _groups(row):
        yield _Table(together, size)


def _before_figures(row: Line, size: Size | None, what: str) -> Iterator[_Table]:
    """Yield the cells before trailing numbers, for example the solution's length."""
    for count in range(1, MAX_FIGURES + 1):
        cells, figures = row.cells[:-count], row.cells[-count:]
        if len(cells) < _INDEXED_CELLS or not _FIGURE.fullmatch(figures[0]):
            return
        meaning = message("%(meaning)s before its length", meaning=what)
        instead = message(
            "leave out all numbers that are not cells of the board, %(numbers)s too",
            numbers=" ".join(figures),
        )
        yield _Table([row._replace(cells=cells)], size, meaning, instead)


def _groups(row: Line) -> Iterator[list[Line]]:
    """Yield the rows of a line such as `b12 345 678`."""
    # Words of equal length are rows of digits or letters.
    lengths = {len(word) for word in row.cells}
    if len(row.cells) >= MIN_SIDE and len(lengths) == 1 and lengths.pop() >= MIN_SIDE:
        yield [row._replace(cells=[word]) for word in row.cells]


def _stated_size(row: Line) -> Size | None:
    """Return the size on a line of its own: `3`, `3 3` or `3x3`."""
    cells = row.cells
    if len(cells) == 1 and (sides := _SIZE.fullmatch(cells[0])):
        return int(sides[1]), int(sides[2])
    if not all(map(NUMBER.fullmatch, cells)) or len(cells) > 2:
        return None
    return int(cells[0]), int(cells[-1])


def _below(rows: list[Line], stated: Size, size: Size | None) -> Iterator[_Table]:
    """Yield the readings of rows below a line with a number or two."""
    below = rows[1:]
    yield from _sized(below, stated, size)
    if len(rows[0].cells) == 1:
        leave_out = message("leave line %(line)s out", line=rows[0].number)
        yield _Table(below, size, _numbered(rows[0].cells[0]), leave_out)


def _sized(rows: list[Line], stated: Size, size: Size | None) -> Iterator[_Table]:
    """Yield the rows as a board of the stated size, as rows and columns or the reverse."""
    for one in dict.fromkeys((stated, stated[::-1])):
        if size in (None, one):
            meaning = message("%(rows)s rows of %(cols)s", rows=one[0], cols=one[1])
            yield _Table(rows, one, meaning, _give_size(one))


def _mismatch(rows: list[Line], stated: Size) -> InvalidBoardError | None:
    """Return the fault in a size that does not fit the rows below it."""
    below, first = rows[1:], " ".join(rows[0].cells)
    lengths = {len(row.cells) for row in below}
    for height, width in {stated, stated[::-1]}:
        if lengths == {width} and len(below) == height:
            return None
        if len(below) == 1 and lengths == {height * width}:
            return None
    # No orientation fits: name the fault by the size as stated.
    height, width = stated
    if len(lengths) == 1:
        what = message(
            "%(number)s is either the size, and then %(rows)s rows of %(cols)s should follow, not "
            "%(found)s of %(width)s, or the number of the board: correct it or leave it out",
            number=first,
            rows=height,
            cols=width,
            found=len(below),
            width=lengths.pop(),
        )
        return at_line(InvalidBoardError(what), rows[0].number)
    wrong = next(row for row in below if len(row.cells) != width)
    what = message(
        "the size %(size)s asks for %(width)s cells in each row, here are %(found)s; write 0 for "
        "the blank",
        size=first,
        width=width,
        found=len(wrong.cells),
    )
    return at_line(InvalidBoardError(what), wrong.number)


# Kinds of cells


def _readings(table: _Table) -> Iterator[Reading]:
    """Yield each possible board of the rows of `table`."""
    if sum(len(row.cells) for row in table.rows) > MAX_SIDE**2:
        return
    for rows, where in _with_edges(table.rows):
        meaning = table.meaning or where
        instead = table.instead or message("write 0 for the blank")
        for variant in _spread(rows):
            for read, blanks in _CELLS:
                try:
                    board = _board(variant, read, blanks, table.size)
                except InvalidBoardError:
                    continue
                yield Reading(board, meaning, instead)


def _refusal_of(table: _Table) -> InvalidBoardError | None:
    """Return the fault in the rows, read as numbers."""
    try:
        _board([TextRow(row.number, row.cells) for row in table.rows], _decimal, BLANKS, table.size)
    except InvalidBoardError as error:
        return error
    return None


def _board(
    rows: list[TextRow],
    read: Callable[[str], int | None],
    blanks: frozenset[str],
    size: Size | None,
) -> Board:
    lower = [TextRow(row.line, [cell.lower() for cell in row.cells]) for row in rows]
    found = [(row.line, numbers(row, read)) for row in rows]
    check_one_kind_of_blank(lower, blanks)
    return shape(found, size)


def _with_edges(lines: list[Line]) -> Iterator[tuple[list[TextRow], str]]:
    """Yield the rows unchanged, and with an empty cell at each open edge of the short row.

    Each comes with a note of the cell's position.
    """
    rows = [TextRow(line.number, line.cells) for line in lines]
    yield rows, ""
    width = max(len(row.cells) for row in rows)
    # Only a single row may lack a cell, because a board has a single blank.
    short = [n for n, row in enumerate(rows) if len(row.cells) == width - 1 or len(rows) == 1]
    if len(short) != 1:
        return
    place = short[0]
    line = lines[place]
    others = lines[:place] + lines[place + 1 :]
    # If other rows have the mark too, it is the frame of the board.
    before = line.open_before and not any(other.open_before for other in others)
    after = line.open_after and not any(other.open_after for other in others)
    for is_open, cells, where in (
        (before, [EMPTY, *line.cells], message("the blank before its other cells")),
        (after, [*line.cells, EMPTY], message("the blank after its other cells")),
    ):
        if is_open:
            row = TextRow(line.number, cells)
            yield [*rows[:place], row, *rows[place + 1 :]], where


def _spread(rows: list[TextRow]) -> Iterator[list[TextRow]]:
    """Yield the rows unchanged, and with digits separated if each row is a single word."""
    yield rows
    if all(len(row.cells) == 1 and len(row.cells[0]) >= MIN_SIDE for row in rows):
        yield [TextRow(row.line, list(row.cells[0])) for row in rows]


def _decimal(cell: str) -> int | None:
    """Return the tile of a cell in decimal digits, or of an integral float."""
    if cell.lower() in BLANKS:
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
    (_decimal, BLANKS),
    (_hexadecimal, _SURE_BLANKS | {"x"}),
    (_letter, _SURE_BLANKS),
    (_letter_or_x, _SURE_BLANKS | {"x"}),
)
"""Cell readers, each with its spelling of the blank."""


def with_text(error: InvalidBoardError, text: str) -> str:
    """Return the message of an error with its line, or with a text of a single line."""
    fault: str = error.args[0]
    lines = text.strip("\r\n").splitlines()
    if error.line and len(lines) > 1:
        whole = text.splitlines()
        shown = whole[error.line - 1].strip() if error.line <= len(whole) else ""
        if not shown:
            return fault
        return message(
            "line %(line)s: %(fault)s: %(text)s", line=error.line, fault=fault, text=quoted(shown)
        )
    if quoted(text.strip()) in fault or quoted(text.strip(), 20) in fault:
        return fault
    return message("%(fault)s: %(text)s", fault=fault, text=quoted(text.strip()))


_NUMBER = re.compile(r"[0-9]{1,3}")
_BOARD_RUN_TOGETHER = re.compile(r"[0-9A-Fa-f_xX]{4,}")
_SMALLEST = MIN_SIDE**2

_SHOWN_CELLS = 16
"""Maximum cells of a text that its error message repeats."""


def advice_on(text: str) -> str:
    """Return advice for a text of several boards or of rows with a single cell, "" for other text.

    >>> advice_on("1 2 3 0 3 2 1 0")[:38]
    'expected one board, found 2 of 4 cells'
    >>> advice_on("3;1;2;0")
    'expected spaces or commas between cells, such as 3 1 2 0: a line break, ; / or - begins a row'
    """
    rows = _word_rows(text)
    words = [cell for row in rows for cell in row]
    together = all(map(_BOARD_RUN_TOGETHER.fullmatch, words))
    # Words, then numbers within words, then characters: the most literal split first.
    for cells in (words, _NUMBER.findall(text), list("".join(words)) if together else []):
        count, size = _boards_in(cells)
        if count > 1:
            return message(
                "expected one board, found %(count)s of %(size)s cells: give one of them, or write "
                "a start and its goal as START_GOAL",
                count=count,
                size=size,
            )
    alone = all(len(row) == 1 and hexadecimal(row[0]) is not None for row in rows)
    if alone and len(rows) >= _SMALLEST:
        shown = " ".join(words[:_SHOWN_CELLS]) + (" ..." if len(words) > _SHOWN_CELLS else "")
        return message(
            "expected spaces or commas between cells, such as %(cells)s: a line break, ; / or - "
            "begins a row",
            cells=shown,
        )
    return ""


def _word_rows(text: str) -> list[list[str]]:
    try:
        rows = [line.cells for line in rows_of(text)]
    except InvalidBoardError:
        return []
    if [len(row) for row in rows] == [1]:
        # Here each hyphen begins a row, as in a code.
        return [[cell] for cell in rows[0][0].split("-")]
    return rows


def _boards_in(cells: list[str]) -> tuple[int, int]:
    """Return (boards, cells each) of the consecutive boards in `cells`, (0, 0) without boards."""
    tiles = [0 if cell == EMPTY else hexadecimal(cell) for cell in cells]
    for size in range(_SMALLEST, min(len(tiles), MAX_SIDE**2) + 1):
        # Each part must be a complete board, so numbers of other kinds do not match.
        if len(tiles) % size == 0 and sizes_of(size):
            numbers = set(range(size))
            parts = (tiles[at : at + size] for at in range(0, len(tiles), size))
            if all(set(part) == numbers for part in parts):
                return len(tiles) // size, size
    return 0, 0
