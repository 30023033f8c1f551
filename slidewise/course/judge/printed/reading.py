"""Submissions to a check, parsed in the forms that programs print: boards, paths and counts."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from typing import Any

from slidewise.course.judge.printed.counts import (
    NAMES,
    algorithm_named,
    count_named,
    counts_in,
    is_of_search,
    plain_letters,
)
from slidewise.puzzle import Board, Puzzle, PuzzleError, parse_board, read_moves, steps
from slidewise.puzzle.board import neighbour_cells, quoted
from slidewise.puzzle.layouts import aligned_columns
from slidewise.puzzle.moves import DIRECTIONS, opposite, play
from slidewise.puzzle.reading import BLANKS
from slidewise.puzzle.writing import is_plan, read_plan
from slidewise.solver.plain.moves import SWAP
from slidewise.solver.task import follow
from slidewise.text import listed, message, plural

GOING_BACK = ("iddfs", "idastar", "rbfs")
"""Searches that expand boards of a path again on their way back."""

MAX_EXPANSIONS = 200_000
"""Maximum expansions in a submission: more than there are boards of 3x3."""

MAX_CHARACTERS = 8_000_000
"""Maximum length of a submission: one board a line up to the expansion limit, with room for
numbers."""


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
    """A submitted expansion: its line, its cells, and values printed with it.

    `values` are those of `g`, `h` and `f`.
    """

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
    `is_excerpt` words stand between the boards, and none of them reports an end. With
    `leaves_out_start` the first of the rows is the start, which was not in the list.
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
"""Names of a path field."""

BOARDS = ("board", "state", "expanded_board", "expanded", "node", "cells")
"""Names of a column of expanded boards."""

LISTS = ("expansions", "order", "trace", "expanded_boards")
"""Names of a field that lists the expanded boards."""

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
    """Return a name in normal form."""
    name = re.sub(r"[\s-]+", "_", str(text).strip().lower())
    if name in NAMES or name in PATHS:
        return name
    for start in ("total_", "number_of_", "num_", "no_of_"):
        name = name.removeprefix(start)
    return name


def is_header(line: str) -> bool:
    """Return whether a line is a supported CSV header."""
    names = [plain_name(name.strip(" \"'")) for name in re.split("[,;\t|]", line)]
    if re.search(r"[0-9:=\[]", line):
        return False
    known = {*BOARDS, *VALUES, *PATHS}
    is_known = any(name in known or count_key(name) for name in names)
    return is_known and (len(names) > 1 or names[0] in BOARDS)


def count_key(name: str) -> str | None:
    """Return the key of a count by its name in a program or in words."""
    return NAMES.get(name) or count_named(name)


def as_letters(text: str) -> str:
    """Return moves in words or arrows as letters, without brackets and quotes."""
    arrows = dict.fromkeys(_ARROWS, " ") if WAY.search(text) else _ARROWS
    plain = re.sub(r"[\[\]()'\"{};>-]", " ", text.translate(arrows))
    return (
        WAY.sub(lambda way: DIRECTIONS[way[0].lower()], plain).upper()
        if re.search("[A-Za-z]", plain)
        else plain
    )


def count_of(key: str, value: object, line: int) -> int:
    """Return an integer from 0."""
    found = number_of(key, value, line)
    if found != int(found) or found < 0:
        raise UnreadableWorkError(line, f"{key} must be a whole number, found {quoted(str(value))}")
    return int(found)


def number_of(key: str, value: object, line: int) -> float:
    """Parse a number."""
    text = str(value).strip().replace("\u2212", "-")
    if isinstance(value, bool) or not re.fullmatch(r"-?[0-9][0-9,]{0,20}(?:\.[0-9]{1,20})?", text):
        raise UnreadableWorkError(line, f"{key} must be a number, found {quoted(str(value))}")
    return float(text.replace(",", ""))


def flat(board: list[Any]) -> list[Any]:
    """Return the cells of a board, a list of rows or of cells."""
    return [cell for row in board for cell in (row if isinstance(row, list) else [row])]


def path_in(
    text: str, line: int, puzzle: Puzzle, *, in_blank_directions: bool = False
) -> tuple[str, bool]:
    """Return the directions of the tiles, and whether the letters were the blank's.

    They are the blank's with `in_blank_directions`, or if only that reaches the goal. Raises
    `UnreadableWorkError` with the `line`.
    """
    letters = as_letters(text)
    try:
        moves = read_moves(letters, puzzle.start) if letters.strip() else ""
    except PuzzleError as error:
        raise UnreadableWorkError(line, str(error)) from None
    ways = [opposite(moves), moves] if in_blank_directions else [moves, opposite(moves)]
    if re.fullmatch(r"[\s0-9,]*", letters):
        ways = [moves]
    longest = max(ways, key=lambda way: legal_moves(puzzle.start, way))
    taken = next((way for way in ways if leads_there(puzzle, way)), longest)
    return taken, taken != moves


def plan_in(text: str, puzzle: Puzzle) -> str:
    """Return the tiles' directions of a PDDL plan.

    Raises `UnreadableWorkError` with the line of the first wrong step.
    """
    steps_alone = re.sub(";.*", "", text)
    try:
        return read_plan(steps_alone, puzzle.start)
    except PuzzleError as error:
        wrong = re.match(r"step (\d+), ", str(error))
        begun = [step.start() for step in re.finditer(r"\([^()]*\)", steps_alone)]
        at = begun[int(wrong[1]) - 1] if wrong and int(wrong[1]) <= len(begun) else 0
        raise UnreadableWorkError(1 + steps_alone.count("\n", 0, at), str(error)) from None


def moves_along(boards: list[bytes], start: Board) -> str | None:
    """Return the moves from each board to the next, None if two are not neighbours."""
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


def read_given(given: str | Mapping[str, Any], puzzle: Puzzle, algorithm: str = "") -> Submission:
    """Parse a submission: text, or a mapping as from JSON.

    Text may be JSON with fields such as `path` and `expanded`, JSON lines as from `--events`, or
    CSV with a header. It may also be lines such as `nodes_expanded: 10`, moves, or one board a line
    in any notation. Boards one move apart from start to goal are a path. An `algorithm` of
    `GOING_BACK` returns to boards, so that boards with one of them twice are its expansions. Of
    several algorithms in a table only the counts of this one are read.

    >>> from slidewise import parse_puzzle
    >>> read_given("path_to_goal: ['Down', 'Right']", parse_puzzle("1.0.3-4.2.5")).moves
    'UL'

    Raises `UnreadableWorkError` with the line.
    """
    reader = Reader(puzzle, algorithm)
    if isinstance(given, str):
        if len(given) > MAX_CHARACTERS:
            raise UnreadableWorkError(1, f"expected at most {MAX_CHARACTERS:,} characters")
        reader.read_text(given.removeprefix("\ufeff"))
    else:
        reader.read_fields(given, 1)
    return reader.given()


@dataclass
class Reader:
    """Collector of the parsed values."""

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
        self._tiles = sorted(self.puzzle.goal.cells)

    def given(self) -> Submission:
        """Return the submission, with boards of a path as moves."""
        found = self.rows or self._has_end()
        if not found and self.skipped:
            number, text = self.skipped[0]
            shown = text if len(text) <= MAX_SENTENCE else f"{text[:MAX_SENTENCE]} ..."
            wanted = "a board, moves or a count such as nodes_expanded: 10"
            raise UnreadableWorkError(number, f"expected {wanted}, found {shown!r}")
        if not found:
            why = "there is nothing to check: give moves, counts, or one board per line"
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

    def read_text(self, text: str) -> None:
        """Parse text in any supported form."""
        pair = _PAIR.fullmatch(text)
        text = pair[1] or pair[2] if pair else text
        if text.lstrip().startswith(("{", "[")) and self._read_json(text):
            return
        lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
        if not lines:
            return
        first = lines[0][1]
        if re.match(r"\s*\{\s*[\"'}]", first):
            self._read_json_lines(lines)
        elif is_header(first):
            self._read_csv(text)
        elif len(lines) == 1 and self._is_moves(first):
            self.read_path(first, lines[0][0])
        elif is_plan(text):
            self.moves, self.form = plan_in(text, self.puzzle), "a plan"
        else:
            self.form = ONE_A_LINE
            Printout(self).read([*enumerate(text.splitlines(), 1)])

    def read_fields(self, fields: Mapping[str, Any], line: int) -> None:
        """Parse a mapping as from JSON: one event, or the whole submission."""
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
        """Return whether a value may be a board and not a number."""
        text = str(value).strip()
        is_number = text.isdigit() and len(text) != len(self._tiles)
        return isinstance(value, (str, list)) and text != "" and not is_number

    def read_field(self, key: str, value: object, line: int) -> None:
        if key in PATHS and value is not None:
            text = " ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
            self.read_path(text, line, in_blank_directions=key == "path_to_goal")
        elif key in NAMES and value is not None:
            self.counts[NAMES[key]] = count_of(key, value, line)
        elif str(value).strip().isdecimal() and (count := count_named(key)):
            self.counts[count] = count_of(key, value, line)

    def _read_json(self, text: str) -> bool:
        """Parse text as one JSON value; return whether it is one."""
        try:
            found = json.loads(text)
        except RecursionError:
            raise UnreadableWorkError(1, "the JSON is nested too deeply") from None
        except ValueError:
            return False
        if isinstance(found, dict):
            self.read_fields(found, 1)
            return True
        if not isinstance(found, list) or not found:
            return False
        if all(isinstance(part, str) and WAY.fullmatch(part) for part in found):
            self.read_path(" ".join(found), 1)
        elif all(isinstance(part, dict) for part in found):
            for part in found:
                self.read_fields(part, 1)
        elif not isinstance(found[0], (int, float)) and self._lists_boards(found):
            for part in found:
                self.add_row(part, 1, {})
        else:
            return False
        self.form = "JSON"
        return True

    def _lists_boards(self, found: list[Any]) -> bool:
        """Return whether a list holds boards, rather than one board or its rows."""
        cells = len(self._tiles)
        return any(
            isinstance(part, str) or (isinstance(part, list) and len(flat(part)) == cells)
            for part in found
        )

    def _read_json_lines(self, lines: Iterable[tuple[int, str]]) -> None:
        self.form = "JSON lines"
        for number, line in lines:
            try:
                found = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise UnreadableWorkError(number, f"this is not JSON: {error}") from None
            if not isinstance(found, dict):
                raise UnreadableWorkError(number, 'expected an object such as {"board": "1.2-3.0"}')
            self.read_fields(found, number)

    def _read_csv(self, text: str) -> None:
        self.form = "CSV"
        head = next(line for line in text.splitlines() if line.strip())
        mark = next((mark for mark in "|;\t" if mark in head), ",")
        lines = text.splitlines()
        if mark == "|":  # of Markdown, with lines below the header and at the edges
            lines = ["" if set(line) <= set("-|: ") else line.strip(" |") for line in lines]
        table = csv.reader(lines, delimiter=mark, skipinitialspace=True)
        names: list[str] = []
        try:
            for cells in table:
                if not any(cell.strip() for cell in cells):
                    continue
                if not names:
                    names = [plain_name(cell) for cell in cells]
                    continue
                self._read_record(names, cells, table.line_num)
        except csv.Error as error:
            raise UnreadableWorkError(table.line_num, f"this is not CSV: {error}") from None

    def _read_record(self, names: list[str], cells: list[str], line: int) -> None:
        if len(cells) != len(names):
            raise UnreadableWorkError(
                line,
                f"expected {len(names)} fields as in the header, found {len(cells)}; "
                "put quotes around a board that has commas",
            )
        if self.is_of_another(cells):
            return
        record = zip(names, cells, strict=True)
        self.read_fields({name: cell for name, cell in record if cell.strip()}, line)

    def is_of_another(self, cells: Iterable[str]) -> bool:
        """Return whether cells or a line begin with the name of another algorithm."""
        named = {algorithm_named(cell) for cell in cells} - {None}
        return bool(named) and self.algorithm != "" and self.algorithm not in named

    def add_row(self, board: object, line: int, values: Mapping[str, Any]) -> None:
        if len(self.rows) >= MAX_EXPANSIONS:
            raise UnreadableWorkError(line, f"expected at most {MAX_EXPANSIONS:,} expansions")
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
        if CANONICAL.fullmatch(text) and len(text) < 1000:
            numbers = [int(cell) for cell in re.split("[.-]", text)]
            rows = text.split("-")
            even = len(rows) == self.puzzle.rows and len({row.count(".") for row in rows}) == 1
            if even and sorted(numbers) == self._tiles:
                return bytes(numbers)
        try:
            read = parse_board(text, self.puzzle.start.size)
        except PuzzleError as error:
            below = getattr(error, "line", None) or 1  # number of lines of the board
            why = str(error).removeprefix(f"line {below}: ")
            raise UnreadableWorkError(line + below - 1, why) from None
        if read.size != self.puzzle.start.size:
            height, width = self.puzzle.start.size
            raise UnreadableWorkError(line, f"expected a board of {height} rows of {width}: {read}")
        return bytes(read.cells)

    def _is_moves(self, text: str) -> bool:
        """Return whether a line is moves and not a board."""
        if not LETTERS.fullmatch(as_letters(text)):
            return False
        return len(re.findall("[0-9]+", text)) < len(self._tiles) and "." not in text

    def read_path(self, text: str, line: int, *, in_blank_directions: bool = False) -> None:
        self.moves, self.in_blank_directions = path_in(
            text, line, self.puzzle, in_blank_directions=in_blank_directions
        )

    def is_path(self, text: str) -> bool:
        """Return whether a text is moves from the start to the goal."""
        try:
            return leads_there(self.puzzle, path_in(text, 1, self.puzzle)[0])
        except PuzzleError:
            return False

    def is_words(self, text: str) -> bool:
        """Return whether a text is moves in words, letters or arrows."""
        letters = re.search("[UDLR]", as_letters(text))
        return letters is not None and self._is_moves(text)

    def _refuse_two_runs(self) -> None:
        """Raise `UnreadableWorkError` if the start comes again after the goal."""
        ends = bytes(self.puzzle.goal.cells), bytes(self.puzzle.start.cells)
        for one, other in pairwise(self.rows):
            if (one.cells, other.cells) == ends and ends[0] != ends[1]:
                raise UnreadableWorkError(
                    other.line, "a second run begins here: give the output of one run"
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
        if boards[0] != start:  # a path can be printed without it
            boards.insert(0, start)
        if (
            self.algorithm in GOING_BACK
            and not self.is_backwards
            and len(set(boards)) < len(boards)
        ):
            return None
        return moves_along(boards, self.puzzle.start)


ONE_A_LINE = message("one board a line")
"""Name of the form that may also be a path."""

MAX_SENTENCE = 300
"""Maximum position of a count or a label in a line, in characters."""

_ARROW = re.compile(r"\s*(?:[↑↓←→⇓⇒⬇➡▼]|[-=]+>|[|v])\s*")
_DRAWN = re.compile(r"[-+=_*#~|\s\u2500-\u257f]+")
_MARKS = str.maketrans("[](){}'\",;<>", " " * 12)
_NUMERIC = re.compile(r"[-0-9\s.,;_()\[\]{}'\"<>|]+")
_LABEL = re.compile(
    r"(?:estado |etat |tablero |tabuleiro |board |plateau )?"
    r"(start|initial|inici|inicio|anfang|depart|goal|final|target|objetivo|meta|ziel|but\b|end\b)"
)
_STEP = re.compile(
    r"\s*(?:(?:step|move|paso|passo|schritt|étape|etape|zug|coup|movimiento|movimento)"
    r"\s{0,3}#?\s{0,3}[0-9]{1,6}\s{0,3}(?:[:.)]|$)|[0-9]{1,6}\s{0,3}[:.)])",
    re.IGNORECASE,
)
_ITEM = re.compile(r"(?:[0-9]{1,6}\s?[.)]|\[[0-9]{1,6}\]|-{1,2}>?|=?>)\s{1,3}")
"""The mark or the number of an item of a list, before its board."""
_WORDS = re.compile(r"\A[A-Za-z ]+")
_ASIDE = re.compile(r"\([^()]{0,40}\)|\bmove\b|\bblank\b", re.IGNORECASE)
_VALUE = re.compile(
    r"\b([ghf])\s{0,3}(?:\(\w{1,10}\)\s{0,3})?[:=]\s{0,3}(-?[0-9]{1,9}(?:\.[0-9]{1,9})?)",
    re.IGNORECASE,
)
_UNSOLVED = re.compile(
    r"\b(?:no|not|without|sin|sem|pas|kein\w*|nicht|nao|aucun\w*|impossible|imposible)\b"
    r"[a-z ]{0,20}"
    r"\b(?:solution|path|solv\w+|found|reached|solucao|solucion|camin\w+|losung|losbar|gelost"
    r"|gefunden|weg|pfad|chemin|solu\w+|resol\w+|to solve|tiene)\b|un-?solv|unlosbar|insolu[vb]"
    r"|irresolu|insolvable|infeasible|impossible (?:to|de|a)\b|imposible de"
)
_SOLVED = re.compile(
    r"solution found|solved|goal reached|goal found|found at|success|gelost|losung gefunden"
    r"|solucion encontrada|solucao encontrada|solution trouvee|resuelto|resolvido|resolu\b"
)
_ANSWERS = {
    **dict.fromkeys(("True", "true", "yes", "Yes"), True),
    **dict.fromkeys(("False", "false", "None", "Nothing", "no", "No", "null"), False),
}
"""Answers in one word."""

_BARS = str.maketrans("│┃║", "|||")
_PATH_WORDS = frozenset(
    {"path", "moves", "solution", "actions", "result", "answer", "chemin", "resultat"}
    | {"camino", "solucion", "resultado", "respuesta", "caminho", "solucao", "resposta"}
    | {"losung", "weg", "pfad", "losungsweg", "losungspfad", "ergebnis", "antwort"}
)
"""Words of the name of a path, without accents."""

_GOALS = ("goal", "final", "target", "objetivo", "meta", "ziel", "but")
_MOVES_TILE = re.compile(
    r"(?:move|slide|mover?|mueve|desliza|bewege|verschiebe|schiebe|d[eé]place|glisse|tile|blank"
    r"|ficha|pe[çc]a|stein|tuile|vac[ií]o|vazio)",
    re.IGNORECASE,
)
"""Start of a sentence on one move."""

_BESIDE = re.compile(r"[-=]{1,9}>|[→⇒➡|│]")
"""Marks between boards beside each other."""

_BEHIND = re.compile(r"(\S.{0,100}?)\s{2,}(\S{0,20}[A-Za-z].*)")
"""A row of a board and words behind it."""

_SWAPPED = re.compile(
    r"(?:swap|exchang|intercambi|troca|tausch|[ée]chang)[^0-9]{1,40}([0-9]{1,3})\b", re.IGNORECASE
)
"""A tile that takes the place of the blank."""

_REMARK = re.compile(r"\(\s?[0-9]{1,9}\s[^()0-9]{1,30}\)")
"""A number in parentheses, such as `(14 moves)`."""

_TILES = re.compile(r"[\[(]?[0-9]{1,3}(?:[,\s]+[0-9]{1,3})+[\])]?")
_PAIR = re.compile(
    r"\s*\(\s*(?:[0-9]{1,9}\s*,\s*(\[[^\[\]]*\])|(\[[^\[\]]*\])\s*,\s*[0-9.]{1,9})\s*\)\s*"
)
"""A path and a number in parentheses."""

_GROUP = re.compile(r"[\[({]{2}[^A-Za-z]{0,300}[\])}]{2}|[\[(][^\[\]()]{0,200}[\])]")
"""Rows in brackets, or cells in brackets."""

_COLUMNS = re.compile(r"\s*[|│\t]\s*|\s{2,}")


def without_arrows(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Leave out lines of a single arrow, if each has other text before it and after it."""
    texts = [(place, line) for place, (_, line) in enumerate(lines) if line.strip()]
    arrows = [bool(_ARROW.fullmatch(line)) for _, line in texts]
    stand_alone = not any(one and other for one, other in pairwise(arrows))
    if not any(arrows) or arrows[0] or arrows[-1] or not stand_alone:
        return lines
    left_out = {place for (place, _), is_arrow in zip(texts, arrows, strict=True) if is_arrow}
    return [line for place, line in enumerate(lines) if place not in left_out]


class Printout:
    """Parser of lines: boards, rows, moves, counts, sentences or unknown text."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._rows, self._cols = reader.puzzle.start.size
        self._tiles = sorted(map(str, reader.puzzle.goal.cells))
        self._block: list[tuple[int, str, list[str]]] = []
        self._moves: list[tuple[int, str, int]] = []
        self._label = ""
        self._awaits_path: int | None = None
        self._begins_with_label = False
        self._values: dict[str, str] = {}
        self._values_first = False
        self._is_narrated = False
        self._header: list[str] = []

    def read(self, lines: list[tuple[int, str]]) -> None:
        """Read all lines, each with its number."""
        lines = without_arrows(lines)
        for is_text, block in groupby(lines, key=lambda one: bool(one[1].strip())):
            paragraph = list(block)
            if is_text:
                paragraph = self._boards_beside(paragraph) or self._with_blank(paragraph)
                self._find_place_of_values(paragraph)
            for number, line in paragraph:
                self._read_line(number, line)
        self._end_block()
        self._end_moves()
        if self._awaits_path is not None and not self._reader.rows:
            self._reader.read_path("", self._awaits_path)
        if self._begins_with_label and len(self._reader.rows) == 1:
            self._reader.rows.clear()  # a start without an expansion

    def _with_blank(self, lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
        """Write `_` into the lines of a board that has spaces as its blank."""
        rows = aligned_columns([line for _, line in lines]) if len(lines) == self._rows else None
        if rows is None or {len(row) for row in rows} != {self._cols}:
            return lines
        return [(number, " ".join(row)) for (number, _), row in zip(lines, rows, strict=True)]

    def _boards_beside(self, lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
        """Return boards printed beside each other, one a line, or none."""
        drawn = [(n, _BESIDE.sub(" ", line)) for n, line in lines if not _DRAWN.fullmatch(line)]
        if len(drawn) != self._rows or len({len(line.split()) for _, line in drawn}) > 1:
            return []
        rows = [self._cells_beside(line) for _, line in drawn]
        size = len(rows[0])
        if (
            size < 2 * self._cols
            or size % self._cols
            or any(map(self._is_board, dict(drawn).values()))
        ):
            return []
        boards = [
            [cell for row in rows for cell in row[at : at + self._cols]]
            for at in range(0, size, self._cols)
        ]
        if any(sorted(cells) != self._tiles for cells in boards):
            return []
        return [(drawn[0][0], ",".join(cells)) for cells in boards]

    def _cells_beside(self, line: str) -> list[str]:
        words = line.translate(_MARKS).split()
        return ["0" if word.lower() in BLANKS else word for word in words]

    def _find_place_of_values(self, lines: list[tuple[int, str]]) -> None:
        """Set whether lines such as `g=1 h=9` stand before their board or after it."""
        for _, line in lines:
            if _VALUE.search(line[:MAX_SENTENCE]):
                ends = line.rstrip().endswith((":", ".", "is", "\u2026"))
                self._values_first = len(lines) > 1 or ends or not self._reader.rows
                return
            if self._cells(line.strip()):
                break
        self._values_first = False

    def _note_values(self, text: str) -> bool:
        """Store g and h for the next board, or add them to the last; return whether any."""
        values = {key.lower(): value for key, value in _VALUE.findall(text[:MAX_SENTENCE])}
        if not values.keys() & {"g", "h"}:
            return False
        if self._values_first or self._block:
            self._values |= values
            self._is_narrated = True
        elif self._reader.rows:
            row = self._reader.rows[-1]
            numbers = {key: float(value) for key, value in values.items()}
            self._reader.rows[-1] = replace(row, values={**row.values, **numbers})
        return True

    def _read_line(self, number: int, line: str) -> None:
        text = line.strip().removeprefix("Just ").translate(_BARS)
        text = text.replace("[|", "[").replace("|]", "]")  # an array of OCaml
        item = _ITEM.match(text)
        if item and (self._is_board(text[item.end() :]) or self._digits_in(text[item.end() :])):
            text = self._digits_in(text[item.end() :]) or text[item.end() :]
        if CANONICAL.fullmatch(text) or SLASHED.fullmatch(text):
            self._add_board(number, text)
            return
        if not text or (_DRAWN.fullmatch(text) and text not in BLANKS and "| " not in text):
            if not text:
                self._end_block()
            return
        cells = self._cells(text)
        behind = _BEHIND.match(text) if cells is None and len(text) <= MAX_SENTENCE else None
        if behind and len(self._cells(behind[1]) or ()) == self._cols:
            text, cells = behind[1], self._cells(behind[1])
            self._values |= {key.lower(): value for key, value in _VALUE.findall(behind[2])}
            self._is_narrated = True
        if cells is not None and len(cells) == self._cols and self._cols > 1:
            self._add_row(number, text, cells)
            return
        if self._block:
            self._end_block_before(text)
        if cells is not None and len(cells) == self._rows * self._cols:
            self._add_board(number, ",".join(cells))
        elif boards := self._boards_in(text):
            for board in boards:
                self._add_board(number, ",".join(board))
        elif text.isdigit() and len(text) < self._rows * self._cols:
            return  # the number of rows, as before a Princeton board
        elif _NUMERIC.fullmatch(text):
            self._add_board(number, text)
        elif not (
            self._read_table(number, text)
            or self._read_moves(number, text)
            or self._read_words(number, text)
        ):
            self._reader.skipped.append((number, text))

    def _cells(self, text: str) -> list[str] | None:
        """Return the cells of a line without other text, else None."""
        if "|" in text:
            inner = text.removeprefix("|").removesuffix("|").split("|")
            cells = [cell.translate(_MARKS).strip() or "0" for cell in inner]
        else:
            cells = text.removeprefix("array").translate(_MARKS).split()
        if not all(cell.isdecimal() or cell.lower() in BLANKS for cell in cells):
            return None
        cells = ["0" if cell.lower() in BLANKS else cell for cell in cells]
        return cells if cells.count("0") <= 1 else None

    def _add_row(self, number: int, text: str, cells: list[str]) -> None:
        self._block.append((number, text, cells))
        if len(self._block) == self._rows:
            first = self._block[0][0]
            cells = [cell for _, _, row in self._block for cell in row]
            self._block.clear()
            self._add_board(first, ",".join(cells))

    def _end_block_before(self, text: str) -> None:
        """End an incomplete board before a line, which raises if the line starts like a row."""
        words = text.translate(_MARKS).split()[: self._cols - 1]
        if any(word.isdecimal() for word in words):
            rows = "\n".join([*(row for _, row, _ in self._block), text])
            self._reader.cells_of(rows, self._block[0][0])
        self._end_block()

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
        if label in _GOALS:
            self._reader.cells_of(text, number)
            return
        if label and self._reader.rows:
            return
        self._begins_with_label |= bool(label)
        self._reader.add_row(text, number, {**self._values, **(values or {})})
        self._values.clear()
        self._reader.narrated += self._is_narrated
        self._is_narrated = False

    def _read_table(self, number: int, text: str) -> bool:
        """Parse the header of a table of counts, or a line below it; return whether it is one."""
        cells = [cell.strip() for cell in _COLUMNS.split(text.strip("|│ \t"))]
        if len(cells) < 2 or len(text) > MAX_SENTENCE:
            self._header = []
            return False
        if not re.search("[0-9]", text) and any(map(count_key, map(plain_name, cells))):
            self._header = [plain_name(cell) for cell in cells]
            return True
        if len(cells) != len(self._header):
            return False
        if not self._reader.is_of_another(cells):
            for name, cell in zip(self._header, cells, strict=True):
                if (key := count_key(name)) and re.fullmatch("[0-9][0-9,]*", cell):
                    self._reader.counts[key] = count_of(name, cell, number)
        return True

    def _read_moves(self, number: int, text: str) -> bool:
        """Parse a line of moves, with an optional step number."""
        step = _STEP.match(text)
        ways = WAY.findall(text) if step or _MOVES_TILE.match(text) else []
        if step:
            text = _ASIDE.sub(" ", text[step.end() :])
        text = ways[0] if len(ways) == 1 else text.rstrip(".")
        swapped = _SWAPPED.search(text) if step and not ways else None
        if swapped and self._reader.moves is None:
            self._moves.append((number, swapped[1], 1))
            return True
        letters = as_letters(text)
        if not self._reader.is_words(text):
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
        name, value = field_of(
            _REMARK.sub(" ", text[:MAX_NAME]) + _REMARK.sub(" ", text[MAX_NAME:])
        )
        key = plain_name(name)
        if self._reader.is_of_another([text]):
            return True
        words = plain_letters(name).split()
        is_tiles = bool(_TILES.fullmatch(value)) and (
            "tiles" in words or self._reader.is_path(value)
        )
        if is_tiles:
            key = "path"
        elif self._reader.is_words(value.rstrip(".,;")) and (
            value[0] in "[(" or count_key(key) == "length" or not _PATH_WORDS.isdisjoint(words)
        ):
            key, value = key if key in PATHS else "path", value.rstrip(".,;")
        is_count = key in NAMES and (value or "_" in key) and not self._is_board(value)
        is_field = key in PATHS or is_count
        if is_field and (len(text) > MAX_SENTENCE or len(list(counts_in(text))) < 2):
            self._read_field(number, key, value)
            return True
        if len(text) <= MAX_SENTENCE and self._read_labelled_board(number, text):
            return True
        if self._note_values(text):
            return True
        said = self._read_sentence(text[:MAX_SENTENCE])
        label = _LABEL.match(plain_letters(text[:MAX_SENTENCE]))
        if label and (said or not value):
            self._label = label[1]
            return True
        is_known = is_of_search(name) or key in IGNORED or key in BOARDS or bool(_STEP.match(text))
        return said or is_known

    def _read_labelled_board(self, number: int, text: str) -> bool:
        """Parse a whole board after words, or with values such as `g=3`."""
        if any(counts_in(text)):
            return False
        values = {key.lower(): value for key, value in _VALUE.findall(text)}
        rest = _VALUE.sub(" ", text).strip(" ,;:-")
        name, value = field_of(rest)
        board = value or self._digits_in(rest) or _WORDS.sub("", rest)
        groups = [group for group in _GROUP.findall(rest) if self._is_board(group)]
        if not self._is_board(board):
            words = rest.translate(_MARKS).replace("=", " ").split()
            alone = " ".join(word for word in words if word.isdecimal() or word in ("_", "-1"))
            board = next((one for one in (*groups, alone) if self._is_board(one)), board)
        cells = self._cells(board)
        if cells is None or len(cells) != self._rows * self._cols:
            return False
        label = _LABEL.match(plain_letters(name))
        self._label = label[1] if label else self._label
        self._add_board(number, ",".join(cells), values)
        return True

    def _boards_in(self, text: str) -> list[list[str]]:
        """Return the cells of two or more boards on one line, or none."""
        words = text.translate(_MARKS).split()
        cells = ["0" if word.lower() in BLANKS else word for word in words if word != "="]
        size = self._rows * self._cols
        boards = [cells[at : at + size] for at in range(len(cells) % size, len(cells), size)]
        is_all = len(cells) % size < 2 and all(sorted(cells) == self._tiles for cells in boards)
        return boards if len(boards) > 1 and is_all else []

    def _digits_in(self, text: str) -> str:
        """Return a board of digits among words, with its cells separated, or ""."""
        found = [word for word in text.translate(_MARKS).split() if word.isdecimal()]
        return " ".join(found[0]) if len(found) == 1 and self._is_board(" ".join(found[0])) else ""

    def _is_board(self, text: str) -> bool:
        """Return whether a text is a whole board with all tiles, its cells separated."""
        cells = self._cells(text)
        return cells is not None and sorted(cells) == self._tiles

    def _read_field(self, number: int, key: str, value: str) -> None:
        """Parse a count or a path by its name."""
        if key in NAMES:
            self._reader.read_field(key, value.split()[0] if value[:1].isdigit() else value, number)
        elif not value:
            self._awaits_path = number
        elif value in ("None", "none", "[None]", "False"):
            self._reader.solved = False
        elif value.replace(" moves", "").isdigit() and not self._reader.is_path(value):
            self._reader.read_field("length", value.split()[0], number)
        else:
            self._reader.read_field(key, value, number)

    def _read_sentence(self, text: str) -> bool:
        answer = _ANSWERS.get(text.rstrip(".!"))
        if answer is not None:
            self._reader.solved = answer
            return True
        plain = plain_letters(text)
        is_unsolved = bool(_UNSOLVED.search(plain))  # its moves or depth are a limit
        words = text.translate(_MARKS).split()
        is_of_board = any(map(self._is_board, map(" ".join, words)))  # and so is the cost
        found = [] if is_unsolved or self._reader.is_of_another([text]) else counts_in(text)
        counts = [(key, number) for key, number in found if key != "length" or not is_of_board]
        self._reader.counts.update(counts)
        if is_unsolved:
            self._reader.solved = False
        elif _SOLVED.search(plain):
            self._reader.solved = True
        else:
            return bool(counts)
        return True
