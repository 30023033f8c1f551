"""Submissions to a check: their boards, paths and counts, under the names that programs use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Any

from slidewise.course.judge.printed.counts import NAMES, algorithm_named, count_named
from slidewise.puzzle import Board, Puzzle, PuzzleError, parse_board, read_moves, steps
from slidewise.puzzle.board import neighbour_cells, quoted
from slidewise.puzzle.moves import DIRECTIONS, opposite, play
from slidewise.solver.plain.search import SWAP
from slidewise.solver.task import follow
from slidewise.text import listed, message, plural

GOING_BACK = ("iddfs", "idastar", "rbfs")
"""Searches that expand boards of a path again when they backtrack."""

MAX_EXPANSIONS = 200_000
"""Maximum expansions in a submission: more than there are boards of 3x3."""


class UnreadableWorkError(PuzzleError):
    """Unreadable submission; `line` is the first faulty line, from 1."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line:,}: {why}")
        self.line = line
        self.why = why

    def __reduce__(self) -> tuple[type[UnreadableWorkError], tuple[int, str]]:
        """Support pickling, for other processes."""
        return UnreadableWorkError, (self.line, self.why)


@dataclass(frozen=True, slots=True)
class WorkRow:
    """A submitted expansion: its line, its cells, and the printed `values` of g, h and f."""

    line: int
    cells: bytes
    values: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Submission:
    """Parsed results of a program.

    `moves` are the directions of the tiles, None without a path. With `in_blank_directions` they
    were submitted as the blank's. `counts` are by the names of the fields of a `Result`, with
    `length` for the moves of the path. `form` names the detected format. `solved` is an answer such
    as `True`, or None. `skipped` are the unrecognised lines, by number.

    With `is_backwards` the boards of the path were printed from the goal to the start. With
    `is_excerpt` there is text between the boards, but no end of the search. With `leaves_out_start`
    the first row is the start, which was added because it was not in the list.
    """

    rows: tuple[WorkRow, ...] = ()
    moves: str | None = None
    in_blank_directions: bool = False
    counts: Mapping[str, int] = field(default_factory=dict)
    form: str = ""
    solved: bool | None = None
    skipped: tuple[tuple[int, str], ...] = ()
    is_backwards: bool = False
    is_excerpt: bool = False
    leaves_out_start: bool = False

    @property
    def words(self) -> str:
        """Describe the submitted parts.

        >>> Submission(moves="UL").words
        'a path of 2 moves'
        """
        parts = []
        if self.rows:
            expansions: str = plural(len(self.rows), "expansion")
            if self.form:
                expansions = message("%(one)s, %(other)s", one=expansions, other=self.form)
            parts.append(expansions)
        if self.moves is not None:
            parts.append(message("a path of %(moves)s", moves=plural(len(self.moves), "move")))
        if self.counts:
            parts.append(plural(len(self.counts), "count"))
        if self.solved is not None and not parts:
            parts.append(message("an answer without a path"))
        return listed(parts) if parts else ""


PATHS = (
    *("path", "moves", "path_to_goal", "solution", "actions"),
    *("solution_moves", "solution_path", "moves_to_goal", "optimal_path", "steps_to_goal"),
)
"""Names of a field with a path."""

BOARDS = ("board", "state", "expanded_board", "expanded", "node", "cells")
"""Names of a column with expanded boards."""

LISTS = ("expansions", "order", "trace", "expanded_boards")
"""Names of a field with the list of expanded boards."""

IGNORED = (
    *("ans", "running_time", "max_ram_usage", "search_depth", "seconds", "time", "time_taken"),
    *("execution_time", "memory", "depth", "level", "limit", "depth_limit", "iteration", "step"),
    *("threshold", "bound", "algorithm", "heuristic", "search"),
)
"""Printed names without a counterpart in the reference."""

VALUES = ("g", "h", "f")
CANONICAL = re.compile(r"[0-9]+(?:\.[0-9]+)+(?:-[0-9]+(?:\.[0-9]+)+)+")
SLASHED = re.compile(r"[0-9]+(?: [0-9]+)+(?:/[0-9]+(?: [0-9]+)+)+")
"""A board as the exercises write it, such as `1 2 3/4 5 6/7 8 0`."""

MAX_NAME = 80
"""Maximum position of the end of a line's name, in characters."""

_NAME = re.compile(r"[^\W\d_][\w '’]*")
WAY = re.compile(rf"\b(?:{'|'.join(DIRECTIONS)})\b", re.IGNORECASE)
_ARROWS = str.maketrans("↑↓←→", "UDLR")
LETTERS = re.compile(r"[UDLRudlr0-9\s,]+")


def field_of(line: str) -> tuple[str, str]:
    """Return the name and the value of a line such as `nodes_expanded: 10`, "" if absent.

    >>> field_of("nodes_expanded: 10"), field_of("Goal State:"), field_of("8 moves")
    (('nodes_expanded', '10'), ('Goal State', ''), ('', ''))
    """
    mark = next((mark for mark in line[:MAX_NAME] if mark in ":="), "")
    name, _, value = line.partition(mark) if mark else ("", "", "")
    name = name.strip()
    return (name, value.strip()) if _NAME.fullmatch(name) else ("", "")


def plain_name(text: object) -> str:
    """Return a name in normal form: lower case, with underscores, without words such as "total"."""
    name = re.sub(r"[\s-]+", "_", str(text).strip().lower())
    if name in NAMES or name in PATHS:
        return name
    for start in ("total_", "number_of_", "num_", "no_of_"):
        name = name.removeprefix(start)
    return name


def count_key(name: str) -> str | None:
    """Return the key of a count by its name in a program or in words."""
    return NAMES.get(name) or count_named(name)


def as_letters(text: str) -> str:
    """Return moves in words or arrows as letters, without brackets and quotes."""
    # Next to words, arrows only separate the moves.
    arrows = dict.fromkeys(_ARROWS, " ") if WAY.search(text) else _ARROWS
    plain = re.sub(r"[\[\]()'\"{};>-]", " ", text.translate(arrows))
    return (
        WAY.sub(lambda way: DIRECTIONS[way[0].lower()], plain).upper()
        if re.search("[A-Za-z]", plain)
        else plain
    )


def count_of(key: str, value: object, line: int) -> int:
    """Parse a non-negative integer. Raises `UnreadableWorkError`."""
    found = number_of(key, value, line)
    if found != int(found) or found < 0:
        why = message(
            "%(name)s must be a whole number, found %(found)s", name=key, found=quoted(str(value))
        )
        raise UnreadableWorkError(line, why)
    return int(found)


def number_of(key: str, value: object, line: int) -> float:
    """Parse a number, also with thousands separators. Raises `UnreadableWorkError`."""
    text = str(value).strip().replace("\u2212", "-")
    if isinstance(value, bool) or not re.fullmatch(r"-?[0-9][0-9,]{0,20}(?:\.[0-9]{1,20})?", text):
        why = message(
            "%(name)s must be a number, found %(found)s", name=key, found=quoted(str(value))
        )
        raise UnreadableWorkError(line, why)
    return float(text.replace(",", ""))


def flat(board: list[Any]) -> list[Any]:
    """Return the cells of a board, a list of rows or of cells."""
    return [cell for row in board for cell in (row if isinstance(row, list) else [row])]


def path_in(
    text: str, line: int, puzzle: Puzzle, *, in_blank_directions: bool = False
) -> tuple[str, bool]:
    """Return the directions of the tiles, and whether the text has the blank's directions.

    Of both readings, the first that reaches the goal is taken; with `in_blank_directions` the
    blank's is tried first. Raises `UnreadableWorkError` with the `line`.
    """
    letters = as_letters(text)
    try:
        moves = read_moves(letters, puzzle.start) if letters.strip() else ""
    except PuzzleError as error:
        raise UnreadableWorkError(line, error.args[0]) from None
    ways = [opposite(moves), moves] if in_blank_directions else [moves, opposite(moves)]
    # Numbers of tiles have no direction to reverse.
    if re.fullmatch(r"[\s0-9,]*", letters):
        ways = [moves]
    # If neither reading reaches the goal, the longer legal path is the likelier.
    longest = max(ways, key=lambda way: legal_moves(puzzle.start, way))
    taken = next((way for way in ways if leads_there(puzzle, way)), longest)
    return taken, taken != moves


def moves_along(boards: list[bytes], start: Board) -> str | None:
    """Return the moves along boards that begin with `start`, None if they are not a path."""
    if not boards or boards[0] != bytes(start.cells):
        return None
    ways = neighbour_cells(*start.size, "udlr")
    blanks = [cells.index(0) for cells in boards]
    for before, (blank, cell), after in zip(boards, pairwise(blanks), boards[1:], strict=False):
        if cell not in ways[blank] or before.translate(SWAP[before[cell]]) != after:
            return None
    return follow(start, blanks)[0]


def legal_moves(start: Board, moves: str) -> int:
    """Return the number of leading legal moves."""
    made = 0
    try:
        for _ in steps(start, moves):
            made += 1
    except PuzzleError:
        pass
    return made


def leads_there(puzzle: Puzzle, moves: str) -> bool:
    """Return whether moves lead from the start to the goal."""
    try:
        return play(puzzle.start, moves) == puzzle.goal
    except PuzzleError:
        return False


ONE_A_LINE = message("one board a line")
"""Name of the form in which the boards may also be a path."""

MAX_SENTENCE = 300
"""Maximum position of a count or a label in a line, in characters."""


@dataclass
class Reader:
    """Collects the parsed values of a submission."""

    puzzle: Puzzle
    algorithm: str = ""
    rows: list[WorkRow] = field(default_factory=list)
    moves: str | None = None
    in_blank_directions: bool = False
    counts: dict[str, int] = field(default_factory=dict)
    form: str = ""
    solved: bool | None = None
    is_backwards: bool = False
    narrated: int = 0
    skipped: list[tuple[int, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tiles = sorted(self.puzzle.goal.cells)

    def given(self) -> Submission:
        """Return the submission, with boards of a path as moves."""
        found = self.rows or self._has_end()
        if not found and self.skipped:
            number, text = self.skipped[0]
            shown = text if len(text) <= MAX_SENTENCE else f"{text[:MAX_SENTENCE]} ..."
            why = message(
                "expected a board, moves or a count such as nodes_expanded: 10, found %(found)s",
                found=repr(shown),
            )
            raise UnreadableWorkError(number, why)
        if not found:
            why = message("there is nothing to check: give moves, counts, or one board per line")
            raise UnreadableWorkError(1, why)
        if self.form == ONE_A_LINE:
            self._refuse_two_runs()
        path = self._path_of_rows() if self.form in (ONE_A_LINE, "JSON") else None
        if path is not None and self.moves in (None, path):
            self.rows.clear()
            self.moves = path
        return Submission(
            tuple(self.rows),
            self.moves,
            self.in_blank_directions,
            self.counts,
            self.form,
            self.solved,
            tuple(self.skipped),
            is_backwards=path is not None and self.is_backwards,
            is_excerpt=0 < len(self.rows) <= 2 * self.narrated and not self._has_end(),
        )

    def _has_end(self) -> bool:
        """Return whether a path, a count or an answer was parsed."""
        return self.moves is not None or bool(self.counts) or self.solved is not None

    def read_fields(self, fields: Mapping[str, Any], line: int) -> None:
        """Parse a mapping as from JSON: a single event, or the whole submission."""
        names = {plain_name(key): value for key, value in fields.items()}
        if names.get("event") == "finished" and isinstance(names.get("result"), dict):
            self.read_fields(names["result"], line)
            return
        row = next((key for key in BOARDS if self._may_be_board(names.get(key))), None)
        if (row and "event" not in names) or names.get("event") == "expanded":
            self.add_row(names.get(row or "board"), line, names)
            return
        if "event" in names:
            return
        for key in LISTS:
            boards = names.get(key)
            for board in boards if isinstance(boards, (list, tuple)) else ():
                self.add_row(board, line, {})
        for key, value in names.items():
            self.read_field(key, value, line)

    def _may_be_board(self, value: object) -> bool:
        """Return whether a value may be a board rather than a number."""
        text = str(value).strip()
        is_number = text.isdigit() and len(text) != len(self.tiles)
        return isinstance(value, (str, list)) and text != "" and not is_number

    def read_field(self, key: str, value: object, line: int) -> None:
        if key in PATHS and value is not None:
            text = " ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
            self.read_path(text, line, in_blank_directions=key == "path_to_goal")
        elif key in NAMES and value is not None:
            self.counts[NAMES[key]] = count_of(key, value, line)
        elif str(value).strip().isdecimal() and (count := count_named(key)):
            self.counts[count] = count_of(key, value, line)

    def is_of_another(self, cells: Iterable[str]) -> bool:
        """Return whether cells or a line begin with the name of another algorithm."""
        named = {algorithm_named(cell) for cell in cells} - {None}
        return bool(named) and self.algorithm != "" and self.algorithm not in named

    def add_row(self, board: object, line: int, values: Mapping[str, Any]) -> None:
        if len(self.rows) >= MAX_EXPANSIONS:
            raise UnreadableWorkError(
                line, message("expected at most %(number)s expansions", number=MAX_EXPANSIONS)
            )
        found = {
            key: number_of(key, values[key], line)
            for key in VALUES
            if values.get(key) not in (None, "")
        }
        self.rows.append(WorkRow(line, self.cells_of(board, line), found))

    def cells_of(self, board: object, line: int) -> bytes:
        if isinstance(board, list):
            text = ",".join(map(str, flat(board)))
        else:
            text = str(board)
        # Fast path: most long submissions have boards in this form.
        if CANONICAL.fullmatch(text) and len(text) < 1000:
            numbers = [int(cell) for cell in re.split("[.-]", text)]
            rows = text.split("-")
            even = len(rows) == self.puzzle.rows and len({row.count(".") for row in rows}) == 1
            if even and sorted(numbers) == self.tiles:
                return bytes(numbers)
        try:
            read = parse_board(text, self.puzzle.start.size)
        except PuzzleError as error:
            below = getattr(error, "line", None) or 1  # the faulty line within the board
            why = error.args[0]
            if str(error).startswith(f"line {below}: "):
                why = str(error).removeprefix(f"line {below}: ")
            raise UnreadableWorkError(line + below - 1, why) from None
        if read.size != self.puzzle.start.size:
            height, width = self.puzzle.start.size
            why = message(
                "expected a board of %(rows)s rows of %(cols)s: %(board)s",
                rows=height,
                cols=width,
                board=str(read),
            )
            raise UnreadableWorkError(line, why)
        return bytes(read.cells)

    def is_moves(self, text: str) -> bool:
        """Return whether a line has moves rather than a board."""
        if not LETTERS.fullmatch(as_letters(text)):
            return False
        return len(re.findall("[0-9]+", text)) < len(self.tiles) and "." not in text

    def read_path(self, text: str, line: int, *, in_blank_directions: bool = False) -> None:
        self.moves, self.in_blank_directions = path_in(
            text, line, self.puzzle, in_blank_directions=in_blank_directions
        )

    def is_path(self, text: str) -> bool:
        """Return whether a text has moves from the start to the goal."""
        try:
            return leads_there(self.puzzle, path_in(text, 1, self.puzzle)[0])
        except PuzzleError:
            return False

    def is_words(self, text: str) -> bool:
        """Return whether a text has moves in words, letters or arrows."""
        letters = re.search("[UDLR]", as_letters(text))
        return letters is not None and self.is_moves(text)

    def _refuse_two_runs(self) -> None:
        """Raise `UnreadableWorkError` if the start directly follows the goal."""
        ends = bytes(self.puzzle.goal.cells), bytes(self.puzzle.start.cells)
        for one, other in pairwise(self.rows):
            if (one.cells, other.cells) == ends and ends[0] != ends[1]:
                raise UnreadableWorkError(
                    other.line,
                    message("a second run begins here: give the output of one run"),
                )

    def _path_of_rows(self) -> str | None:
        """Return the moves along all boards from start to goal, or None."""
        start, goal = bytes(self.puzzle.start.cells), bytes(self.puzzle.goal.cells)
        boards = [cells for cells, _ in groupby(row.cells for row in self.rows)]
        self.is_backwards = len(boards) > 1 and boards[0] == goal != start
        if self.is_backwards:
            boards.reverse()
        if not boards or boards[-1] != goal:
            return None
        if boards[0] != start:  # some programs print a path without its start
            boards.insert(0, start)
        # Repeated boards are the expansions of a search that backtracks, not a path.
        if (
            self.algorithm in GOING_BACK
            and not self.is_backwards
            and len(set(boards)) < len(boards)
        ):
            return None
        return moves_along(boards, self.puzzle.start)
