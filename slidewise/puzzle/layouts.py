"""Layouts of boards other than rows of cells, rewritten as rows.

They are tried when `slidewise.puzzle.reading` finds no board in a text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from itertools import pairwise

from slidewise.puzzle.board import MIN_SIDE

Cells = list[list[str]]

# A fact of a logic program: at(1,1,3).
_FACT = re.compile(r"(?<!\w)\w++\s*\(\s*(\w+)\s*,\s*(\w+)\s*,\s*(\w+)\s*\)\s*[.,;]?\s*")
# The beginning of a term around a list: board([
_TERM = re.compile(r"\s*+[A-Za-z]\w*+\s*+\(\s*+(?=\[)")
# The end of the term after the list: , 3).
_END_OF_TERM = re.compile(r"\s*+(?:,\s*+[0-9]++\s*+)?\)\s*+[.;]?\s*+")
# A list of rows with a number after them, for example [[1, 2], [3, 0], 4].
_ROWS_AND_MORE = re.compile(
    r"\s*\[(\s*\[[^\[\]]*\](?:\s*,\s*\[[^\[\]]*\])+)\s*,\s*-?[0-9]+\s*\]\s*"
)
_BOXES = re.compile(r"\s*(?:\|[^|]*\|\s*){2,}|\s*(?:\[[^\[\]]*\]\s*){2,}")
_IN_BOX = re.compile(r"\|([^|]*)\||\[([^\[\]]*)\]")
_HYPHENS = re.compile(r"\s*[\w.]+(?:-[\w.]+)+\s*")
_BORDER = re.compile(r"[-=+─━═\s]*")
_WORD = re.compile(r"\S+")


def as_rows(text: str) -> str | None:
    """Return a board's text with its rows on lines and `_` as the blank, None for other layouts.

    >>> as_rows("board([7,1,3,6,2,v,4,5,8], 3).")
    '[7,1,3,6,2,v,4,5,8]'
    >>> as_rows("at(1,1,3). at(1,2,1). at(2,1,0). at(2,2,2).")
    '3 1\\n0 2'
    """
    inside, bracket, end = text.rpartition("]")
    term = _TERM.match(inside)
    if term and _END_OF_TERM.fullmatch(end):
        return inside[term.end() :] + bracket
    more = _ROWS_AND_MORE.fullmatch(text)
    if more:
        return f"[{more[1]}]"
    lines = [line for line in text.expandtabs().splitlines() if line.strip()]
    for read in _LAYOUTS:
        cells = read(lines)
        if cells:
            return "\n".join(" ".join(row) for row in cells)
    return None


def _facts(lines: list[str]) -> Cells | None:
    """Read facts of a logic program, each with the row, the column and the cell, or the cell first.

    Rows and columns count from 0 or 1.
    """
    text = "\n".join(lines)
    facts = [match.groups() for match in _FACT.finditer(text)]
    if len(facts) < MIN_SIDE**2 or _FACT.sub("", text).strip():
        return None
    found = []
    # Both orders of the arguments are tried, and accepted only if a single order fits.
    for row, col, cell in (0, 1, 2), (1, 2, 0):
        places = {(fact[row], fact[col]): fact[cell] for fact in facts}
        grid = _grid(places) if len(places) == len(facts) else None
        if grid and len({cell for line in grid for cell in line}) == len(facts):
            found.append(grid)
    return found[0] if len(found) == 1 else None


def _grid(places: dict[tuple[str, str], str]) -> Cells | None:
    """Return the rows of a full grid of cells by row and column."""
    if not all(name.isdigit() for place in places for name in place):
        return None
    found = {(int(row), int(col)): cell for (row, col), cell in places.items()}
    rows, cols = (sorted({place[axis] for place in found}) for axis in (0, 1))
    for axis in rows, cols:
        # Rows and columns are consecutive and start at 0 or 1.
        if axis[0] > 1 or axis != list(range(axis[0], axis[0] + len(axis))):
            return None
    if len(found) != len(rows) * len(cols):
        return None
    return [[found[row, col] for col in cols] for row in rows]


def _boxes(lines: list[str]) -> Cells | None:
    """Read rows that have a box for each cell, `| 7 |  |   |` or `[7] [ ]`."""
    rows = [line for line in lines if not _BORDER.fullmatch(line)]
    if len(rows) < MIN_SIDE or not all(map(_BOXES.fullmatch, rows)):
        return None
    return [
        [(bars or brackets).strip() or "_" for bars, brackets in _IN_BOX.findall(row)]
        for row in rows
    ]


def _hyphens(lines: list[str]) -> Cells | None:
    """Read rows with hyphens between their cells."""
    if len(lines) < MIN_SIDE or not all(map(_HYPHENS.fullmatch, lines)):
        return None
    rows = [line.strip().split("-") for line in lines]
    return rows if len({len(row) for row in rows}) == 1 else None


def _one_a_line(lines: list[str]) -> Cells | None:
    """Read a cell a line, perhaps after a line with the size or the number of cells."""
    cells = [line.strip().rstrip(",;") for line in lines]
    if len(cells) < MIN_SIDE**2 or any(len(cell.split()) != 1 for cell in cells):
        return None
    first, rest = cells[0], cells[1:]
    is_size = first.isdigit() and math.isqrt(len(rest)) ** 2 == len(rest)
    return [rest if is_size and len(rest) in (int(first), int(first) ** 2) else cells]


def aligned_columns(lines: list[str]) -> Cells | None:
    """Read aligned columns with spaces as the blank.

    A blank at the end of a row must be written as spaces.
    """
    words = [[(match.start(), match.end()) for match in _WORD.finditer(line)] for line in lines]
    width = max(map(len, words), default=0)
    # The row of the blank is shorter by a cell than all others.
    short = [n for n, row in enumerate(words) if len(row) == width - 1]
    if len(lines) < MIN_SIDE or len(short) != 1 or set(map(len, words)) != {width, width - 1}:
        return None
    place = short[0]
    full = [row for n, row in enumerate(words) if n != place]
    spans = [
        (min(row[col][0] for row in full), max(row[col][1] for row in full)) for col in range(width)
    ]
    if any(left[1] > right[0] for left, right in pairwise(spans)):
        return None
    # A word belongs to each column whose span it overlaps.
    columns = [
        [col for col, (start, end) in enumerate(spans) if start < word[1] and word[0] < end]
        for word in words[place]
    ]
    taken = [found[0] for found in columns if len(found) == 1]
    missing = set(range(width)) - set(taken)
    if len(missing) != 1 or len(taken) != width - 1:
        return None
    col = missing.pop()
    # Without trailing spaces the cell may be missing rather than blank.
    if col == width - 1 and not lines[place].endswith(" "):
        return None
    rows = [line.split() for line in lines]
    # Written out, the blank stays in its column when spaces are collapsed.
    rows[place].insert(col, "_")
    return rows


_LAYOUTS: tuple[Callable[[list[str]], Cells | None], ...] = (
    _facts,
    _boxes,
    _hyphens,
    _one_a_line,
    aligned_columns,
)

_LABELS = {
    "start": "start|initial|begin|from|anfang|inicio|inicial|début|depart|départ",
    "goal": "goal|target|final|end|to|ziel|meta|objetivo|but|objectif",
}
_LABEL = re.compile(
    r"^[^\S\n]*+(?:(?:the|estado|tablero|tabuleiro|état|etat|plateau)[^\S\n]+)?(?:"
    + "|".join(f"(?P<{name}>{words})" for name, words in _LABELS.items())
    + r")(?:[ _-]?(?:state|board|node|position|config(?:uration)?|zustand|brett|tablero|estado))?"
    r"[^\S\n]*+(?:is[^\S\n]*+)?[:=]?[^\S\n]*+(?:\n|(?=[\d\[(_]))",
    re.IGNORECASE | re.MULTILINE,
)


def start_and_goal(text: str) -> tuple[str, str] | None:
    """Return the texts of two boards with the labels start and goal, or None.

    >>> start_and_goal("start:\\n1 0\\n3 2\\ngoal:\\n1 2\\n3 0")
    ('1 0\\n3 2', '1 2\\n3 0')
    """
    labels = list(_LABEL.finditer(text))
    if len(labels) != 2 or text[: labels[0].start()].strip():
        return None
    kinds = [str(label.lastgroup) for label in labels]
    if sorted(kinds) != sorted(_LABELS):
        return None
    parts = text[labels[0].end() : labels[1].start()], text[labels[1].end() :]
    found = dict(zip(kinds, (part.strip("\n") for part in parts), strict=True))
    return found["start"], found["goal"]
