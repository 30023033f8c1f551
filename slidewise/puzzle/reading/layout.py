"""Taking a text apart into rows of cells: comments, lines of boxes, brackets of programs."""

from __future__ import annotations

import re
from typing import NamedTuple

from slidewise.puzzle.errors import InvalidBoardError
from slidewise.puzzle.reading.plain import BYTE_ORDER_MARK, EMPTY, INNER_LIST, split_lines

_COMMENT = re.compile(r"#.*|(?:^|\s)(?://|%).*")
_BAR = re.compile("[│┃║┆┇┊┋╎╏▏▕\uff5c]")
_BOX = frozenset(map(chr, range(0x2500, 0x2580)))
_RULES = frozenset("+-=_") | _BOX
_IN_RULES = _RULES | frozenset("|: \t")
_QUOTED_BLANK = re.compile(r"""(["'`])\s*\1""")
_KEYWORD = re.compile(
    r",\s*(?:dtype|order|device|shape|copy|ndmin)\s*=\s*(?:\([^()]*\)|[\w.\"'<>]+)"
)
_DIMENSION = re.compile(r"(?<=[\w\]]) {0,3}\[ {0,3}\w{0,20} {0,3}\]")
_TYPE = re.compile("<[^<>]*>")
_NAME_BEFORE = re.compile(
    r"(?:[A-Za-z_][\w ]{0,40}[:=]|(?:[a-z]+[A-Z]\w*|state|board|puzzle|start|goal|initial)\s)"
)
_NUMBER_BESIDE = re.compile(r"(?<![\w.])[0-9]")
_SHORT_NAME = re.compile(r"(?<![\w.])\w{1,2}(?![\w.!])")
_MARK = re.compile("[|,]")
_BOXED = re.compile(r"\|([^|]{2,})\|")
_BRACKETS = str.maketrans("({)}", "[[]]")


MAX_ROWS = 400
"""The most rows that are taken apart: three columns of 100 cells and more."""


class Line(NamedTuple):
    """The cells of one row as texts, the line they stand in, and whether a mark has nothing before
    it or after it: an edge of the row, or an empty cell."""

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
        # a comma before the bracket that closes is no empty cell
        return [Line(*line[:2]) for leaf in lists_in(text) for line in _lines(*leaf)]
    return _lines(text, 1)


def lists_in(text: str) -> list[tuple[str, int]]:
    """Return the text in each innermost pair of brackets, and the line in which it begins."""
    text = _DIMENSION.sub("", text.translate(_BRACKETS))
    leaves, line, before = [], 1, 0
    for match in INNER_LIST.finditer(text):
        line += text.count("\n", before, match.start())
        before = match.start()
        if match[1].strip(" \t\n,;"):
            leaves.append((match[1], line))
    rest = _TYPE.sub("", INNER_LIST.sub(" \0 ", text))
    strange = _NUMBER_BESIDE.search(rest) or _SHORT_NAME.search(rest.partition("\0")[2])
    if not leaves or rest.count("[") != rest.count("]") or strange:
        raise InvalidBoardError("expected a list of rows such as [[1, 2], [3, 0]]")
    return leaves


def _lines(text: str, first: int) -> list[Line]:
    """Return the rows in `text`, whose first line has the number `first`."""
    parts = [
        (number, part.strip())
        for number, line in enumerate(split_lines(text), first)
        for part in re.split("[/;]+", _BAR.sub("|", line))
        if part.strip() and not _is_rule(part)
    ]
    if len(parts) > MAX_ROWS:
        raise InvalidBoardError(f"a text has at most {MAX_ROWS} rows, got {len(parts):,}")
    found = _drawn(parts) or [_line(_without_name(part), number) for number, part in parts]
    return [line for line in found if line.cells]


def _drawn(parts: list[tuple[int, str]]) -> list[Line]:
    """Return the rows of a box with a character for each cell, the only space for the blank, such
    as `|GH |`; none if it is another box."""
    inner = [box[1] for _, part in parts if (box := _BOXED.fullmatch(part))]
    one_width = len(inner) == len(parts) > 1 and len(set(map(len, inner))) == 1
    if not one_width or "".join(inner).count(" ") != 1:
        return []
    numbers = [number for number, _ in parts]
    rows = [[EMPTY if cell == " " else cell for cell in row] for row in inner]
    return [Line(number, row) for number, row in zip(numbers, rows, strict=True)]


def _is_rule(part: str) -> bool:
    """Return whether a line has nothing but the strokes of a box, of any width."""
    found = set(part)
    return found <= _IN_RULES and not found.isdisjoint(_RULES)


def _without_name(part: str) -> str:
    name = _NAME_BEFORE.match(part)
    return part[name.end() :] if name else part


def _line(part: str, number: int) -> Line:
    mark = _MARK.search(part)
    if not mark:
        return Line(number, _words(part))
    pieces = [_words(piece) for piece in part.split("|" if "|" in part else ",")]
    before, after = not pieces[0], not pieces[-1]
    if before:
        pieces = pieces[1:]
    if after:
        pieces = pieces[:-1]
    return Line(number, [word for piece in pieces for word in piece or [EMPTY]], before, after)


def _words(text: str) -> list[str]:
    """Return the words of `text`, without the marks of the tile just moved."""
    words = [word.strip("<>*") or word for word in re.sub(r"[<>]+", " ", text).split()]
    return [part for word in words for part in word.split(",") if part]
