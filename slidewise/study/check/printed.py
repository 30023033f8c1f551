"""Parsing program output for people: boards, moves and counts among other lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Protocol

from slidewise.study.check.submission import (
    BOARDS,
    CANONICAL,
    IGNORED,
    LETTERS,
    NAMES,
    PATHS,
    UnreadableWorkError,
    as_letters,
    field_of,
    plain_name,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slidewise.puzzle import Puzzle
    from slidewise.study.check.submission import WorkRow

MAX_SENTENCE = 300
"""Maximum position of a count or a label in a line, in characters."""

_BLANKS = ("_", "-1", "x", "X", "*", ".")
"""Spellings of the blank, besides 0 and an empty cell of a drawn board."""

_DRAWN = re.compile(r"[-+=_*#~|\s]+")
_MARKS = str.maketrans("[](){}'\",;<>", " " * 12)
_NUMERIC = re.compile(r"[-0-9\s.,;_()\[\]{}'\"<>|]+")
_LABEL = re.compile(r"(start|initial|goal|final|target)", re.IGNORECASE)
_STEP = re.compile(r"\s*(?:(?:step|move)\s{0,3}#?\s{0,3})?[0-9]{1,6}\s{0,3}[:.)]", re.IGNORECASE)
_ASIDE = re.compile(r"\([^()]{0,40}\)|\bmove\b|\bblank\b", re.IGNORECASE)
_VALUE = re.compile(r"\b([ghf])\s{0,3}[:=]\s{0,3}(-?[0-9]{1,9}(?:\.[0-9]{1,9})?)", re.IGNORECASE)
_MOVES_MADE = re.compile(
    r"(?<![0-9,])([0-9][0-9,]{0,15})\s{0,3}(?:moves?|steps?)(?:\(s\))?(?![a-z]| so far)",
    re.IGNORECASE,
)
_COST = re.compile(r"\bcost\s{0,3}(?:[:=]|of|is)\s{0,3}([0-9][0-9,]{0,15})", re.IGNORECASE)
_KINDS = "expanded|explored|processed|visited|generated|created|reached"
_NODES_DONE = re.compile(
    rf"(?<![0-9,])([0-9][0-9,]{{0,15}})\s{{1,3}}(?:nodes?|states?|boards?)\s{{1,3}}({_KINDS})",
    re.IGNORECASE,
)
_DONE_NODES = re.compile(
    rf"\b({_KINDS})\s{{1,3}}([0-9][0-9,]{{0,15}})\s{{1,3}}(?:nodes?|states?|boards?)", re.IGNORECASE
)
_COUNT_OF = {
    **dict.fromkeys(("expanded", "explored", "processed"), "expanded"),
    **dict.fromkeys(("generated", "created"), "generated"),
    **dict.fromkeys(("visited", "reached"), "peak_stored"),
}
_UNSOLVED = re.compile(r"no (?:solution|path)|not be reached|not found|unsolvable", re.IGNORECASE)
_SOLVED = re.compile(r"solution found|solved|goal reached|goal found|success", re.IGNORECASE)


class Collector(Protocol):
    """Receiver of parsed values: a board, moves, a count or an answer."""

    puzzle: Puzzle
    rows: list[WorkRow]
    moves: str | None
    counts: dict[str, int]
    solved: bool | None
    skipped: list[tuple[int, str]]

    def add_row(self, board: object, line: int, values: Mapping[str, Any]) -> None:
        """Add an expansion."""

    def cells_of(self, board: object, line: int) -> bytes:
        """Return the cells of a board, or raise `UnreadableWorkError`."""

    def read_path(self, text: str, line: int) -> None:
        """Store moves as the path."""

    def read_field(self, key: str, value: object, line: int) -> None:
        """Store a count or a path by its name."""

    def leads_there(self, text: str) -> bool:
        """Return whether a text is moves from the start to the goal."""


class Printout:
    """Parser of lines: boards, rows, moves, counts, sentences or unknown text."""

    def __init__(self, reader: Collector) -> None:
        self._reader = reader
        self._rows, self._cols = reader.puzzle.start.size
        self._block: list[tuple[int, str, list[str]]] = []
        self._moves: list[tuple[int, str, int]] = []
        self._label = ""
        self._awaits_path: int | None = None
        self._begins_with_label = False

    def read(self, lines: list[tuple[int, str]]) -> None:
        """Read all lines, each with its number."""
        for number, line in lines:
            self._read_line(number, line)
        self._end_block()
        self._end_moves()
        if self._awaits_path is not None and not self._reader.rows:
            self._reader.read_path("", self._awaits_path)
        if self._begins_with_label and len(self._reader.rows) == 1:
            self._reader.rows.clear()  # a start without an expansion

    def _read_line(self, number: int, line: str) -> None:
        text = line.strip()
        if CANONICAL.fullmatch(text):
            self._add_board(number, text)
            return
        if not text or (_DRAWN.fullmatch(text) and text not in _BLANKS and "| " not in text):
            if not text:
                self._end_block()
            return
        cells = self._cells(text)
        if cells is not None and len(cells) == self._cols and self._cols > 1:
            self._add_row(number, text, cells)
            return
        if self._block and not self._ends_block(number, text):
            return
        if cells is not None and len(cells) == self._rows * self._cols:
            self._add_board(number, ",".join(cells))
        elif self._is_size(text):
            return
        elif _NUMERIC.fullmatch(text):
            self._add_board(number, text)
        elif not (self._read_moves(number, text) or self._read_words(number, text)):
            self._reader.skipped.append((number, text))

    def _is_size(self, text: str) -> bool:
        """Return whether a line holds only the number of rows, as before a Princeton board."""
        return text.isdigit() and len(text) < self._rows * self._cols

    def _cells(self, text: str) -> list[str] | None:
        """Return the cells of a line without other text, else None."""
        if len(text) > MAX_SENTENCE and not _NUMERIC.fullmatch(text):
            return None
        if "|" in text:
            inner = text.removeprefix("|").removesuffix("|").split("|")
            cells = [cell.translate(_MARKS).strip() or "0" for cell in inner]
        else:
            cells = text.removeprefix("array").translate(_MARKS).split()
        if not all(cell.isdecimal() or cell in _BLANKS for cell in cells):
            return None
        blanks = [cell for cell in cells if cell in _BLANKS]
        if len(blanks) > 1 or (blanks and "0" in cells):
            return None
        return ["0" if cell in _BLANKS else cell for cell in cells]

    def _add_row(self, number: int, text: str, cells: list[str]) -> None:
        self._block.append((number, text, cells))
        if len(self._block) == self._rows:
            first = self._block[0][0]
            cells = [cell for _, _, row in self._block for cell in row]
            self._block.clear()
            self._add_board(first, ",".join(cells))

    def _ends_block(self, number: int, text: str) -> bool:
        """Return whether a line after an incomplete board stands alone."""
        if self._starts_like_a_row(text):
            rows = "\n".join([*(row for _, row, _ in self._block), text])
            self._reader.cells_of(rows, self._block[0][0])
        self._end_block()
        return True

    def _starts_like_a_row(self, text: str) -> bool:
        return any(token.isdecimal() for token in text.translate(_MARKS).split()[: self._cols - 1])

    def _end_block(self) -> None:
        """Parse rows of an incomplete board: a single row may be tiles to move."""
        if not self._block:
            return
        number, text, _ = self._block[0]
        rows = "\n".join(row for _, row, _ in self._block)
        is_row_alone = len(self._block) == 1
        self._block.clear()
        if is_row_alone and self._reader.moves is None:
            self._moves.append((number, text, 2))
        else:
            self._reader.cells_of(rows, number)

    def _add_board(self, number: int, text: str, values: dict[str, str] | None = None) -> None:
        label, self._label = self._label, ""
        if label in ("goal", "final", "target"):
            self._reader.cells_of(text, number)
            return
        if label and self._reader.rows:
            return
        self._begins_with_label |= bool(label)
        self._reader.add_row(text, number, values or {})

    def _read_moves(self, number: int, text: str) -> bool:
        """Parse a line of moves, with an optional step number."""
        step = _STEP.match(text[:MAX_SENTENCE])
        if step:
            text = _ASIDE.sub(" ", text[step.end() :])
        letters = as_letters(text)
        if not re.search("[UDLR]", letters) or not LETTERS.fullmatch(letters):
            return False
        if self._reader.moves is None:
            self._moves.append((number, text, len(letters.split()) + len(text.split(",")) - 1))
        self._awaits_path = None
        return True

    def _end_moves(self) -> None:
        """Join moves on consecutive lines; of several lists the last is the path."""
        if not self._moves or self._reader.moves is not None:
            return
        number, text, size = self._moves[-1]
        if size == 1:
            single = [one for one in self._moves if one[2] == 1]
            number, text = single[0][0], " ".join(one[1] for one in single)
        self._reader.read_path(text, number)

    def _read_words(self, number: int, text: str) -> bool:
        """Parse a name with its value, a label or a sentence; return whether it was recognised."""
        text = text[:MAX_SENTENCE] if len(text) > MAX_SENTENCE and ":" not in text[:80] else text
        name, value = field_of(text)
        key = plain_name(name)
        if key in PATHS or (key in NAMES and (value or "_" in key)):
            self._read_field(number, key, value)
            return True
        if self._read_labelled_board(number, text):
            return True
        said = self._read_sentence(text)
        label = _LABEL.match(text)
        if label and (said or not value):
            self._label = label[1].lower()
            return True
        is_known = key in IGNORED or key in BOARDS or bool(_STEP.match(text)) or key == "step"
        return said or is_known

    def _read_labelled_board(self, number: int, text: str) -> bool:
        """Parse a whole board after words, or with values such as `g=3`."""
        if len(text) > MAX_SENTENCE:
            return False
        values = {key.lower(): value for key, value in _VALUE.findall(text)}
        rest = _VALUE.sub(" ", text).strip(" ,;:-")
        name, value = field_of(rest)
        board = self._digits_in(rest) if value == "" else value
        cells = self._cells(board or rest)
        if cells is None or len(cells) != self._rows * self._cols:
            return False
        label = _LABEL.match(name)
        self._label = label[1].lower() if label else self._label
        self._add_board(number, ",".join(cells), values)
        return True

    def _digits_in(self, text: str) -> str:
        """Return a board of digits among words, with its cells separated, or ""."""
        size = self._rows * self._cols
        found = [word for word in text.translate(_MARKS).split() if word.isdecimal()]
        return " ".join(found[0]) if len(found) == 1 and len(found[0]) == size <= 10 else ""

    def _read_field(self, number: int, key: str, value: str) -> None:
        """Parse a count or a path by its name."""
        if key in NAMES:
            self._reader.read_field(key, value.split()[0] if value[:1].isdigit() else value, number)
        elif not value:
            self._awaits_path = number
        elif value in ("None", "none", "[None]", "False"):
            self._reader.solved = False
        elif value.replace(" moves", "").isdigit() and not self._reader.leads_there(value):
            self._reader.read_field("length", value.split()[0], number)
        else:
            self._reader.read_field(key, value, number)

    def _read_sentence(self, text: str) -> bool:
        text = text[:MAX_SENTENCE]
        if text in ("True", "False", "true", "false", "None"):
            self._reader.solved = text in ("True", "true")
            return True
        length = _MOVES_MADE.search(text) or _COST.search(text)
        counts = [(kind, count) for count, kind in _NODES_DONE.findall(text)]
        counts += _DONE_NODES.findall(text)
        for kind, count in counts:
            self._reader.counts.setdefault(_COUNT_OF[kind.lower()], int(count.replace(",", "")))
        if length:
            self._reader.counts.setdefault("length", int(length[1].replace(",", "")))
        if _UNSOLVED.search(text):
            self._reader.solved = False
        elif _SOLVED.search(text):
            self._reader.solved = True
        else:
            return bool(counts or length)
        return True


def unread(skipped: list[tuple[int, str]]) -> UnreadableWorkError:
    """Return the error for text without any recognised line."""
    number, text = skipped[0]
    shown = text if len(text) <= MAX_SENTENCE else f"{text[:MAX_SENTENCE]} ..."
    return UnreadableWorkError(
        number, f"expected a board, moves or a count such as nodes_expanded: 10, found {shown!r}"
    )
