"""Parsing submissions in the forms that programs print."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

from slidewise.puzzle import PuzzleError, parse_board, read_moves, steps
from slidewise.puzzle.moves import opposite, play
from slidewise.puzzle.writing import is_plan, read_plan
from slidewise.study.check.printed import Printout, unread
from slidewise.study.check.submission import (
    BOARDS,
    CANONICAL,
    LETTERS,
    LISTS,
    MAX_CHARACTERS,
    MAX_EXPANSIONS,
    NAMES,
    PATHS,
    VALUES,
    WAY,
    Submission,
    UnreadableWorkError,
    WorkRow,
    as_letters,
    count_of,
    flat,
    is_given,
    is_header,
    number_of,
    plain_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from slidewise.puzzle import Board, Puzzle


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
    longest = max(ways, key=lambda way: _legal_moves(puzzle.start, way))
    taken = next((way for way in ways if _leads_there(puzzle, way)), longest)
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
    moves = []
    steps = {start.cols: "U", -start.cols: "D", 1: "L", -1: "R"}
    for before, after in pairwise(boards):
        blank, cell = before.index(0), after.index(0)
        moved = bytearray(before)
        moved[blank], moved[cell] = before[cell], 0
        is_row = abs(cell - blank) == 1 and cell // start.cols != blank // start.cols
        if bytes(moved) != after or cell - blank not in steps or is_row:
            return None
        moves.append(steps[cell - blank])
    return "".join(moves)


def _legal_moves(start: Board, moves: str) -> int:
    """Return the number of leading legal moves."""
    made = 0
    try:
        for _ in steps(start, moves):
            made += 1
    except PuzzleError:
        pass
    return made


def _leads_there(puzzle: Puzzle, moves: str) -> bool:
    try:
        return play(puzzle.start, moves) == puzzle.goal
    except PuzzleError:
        return False


def read_given(given: str | Mapping[str, Any], puzzle: Puzzle) -> Submission:
    """Parse a submission: text, or a mapping as from JSON.

    Text may be JSON with fields such as `path` and `expanded`, JSON lines as from `--events`, or
    CSV with a header. It may also be lines such as `nodes_expanded: 10`, moves, or one board a line
    in any notation. Boards one move apart from start to goal are a path.

    >>> from slidewise import parse_puzzle
    >>> read_given("path_to_goal: ['Down', 'Right']", parse_puzzle("1.0.3-4.2.5")).moves
    'UL'

    Raises `UnreadableWorkError` with the line.
    """
    reader = Reader(puzzle)
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
    rows: list[WorkRow] = field(default_factory=list)
    moves: str | None = None
    in_blank_directions: bool = False
    counts: dict[str, int] = field(default_factory=dict)
    form: str = ""
    solved: bool | None = None
    skipped: list[tuple[int, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._tiles = sorted(self.puzzle.goal.cells)
        self._told: dict[int, None] = {}

    def given(self) -> Submission:
        """Return the submission, with boards of a path as moves."""
        found = self.rows or self.moves is not None or self.counts or self.solved is not None
        if not found and self.skipped:
            raise unread(self.skipped)
        if not found:
            raise UnreadableWorkError(
                1, "there is nothing to check: give moves, counts, or one board per line"
            )
        path = self._path_of_rows() if self.form == ONE_A_LINE else None
        if path is not None and self.moves in (None, path):
            self.rows.clear()
            self.moves, self.form = path, "one board a line"
        return Submission(
            tuple(self.rows),
            self.moves,
            self.in_blank_directions,
            self.counts,
            self.form,
            self.solved,
            tuple(self.skipped),
        )

    def read_text(self, text: str) -> None:
        """Parse text in any supported form."""
        if text.lstrip().startswith(("{", "[")) and self._read_json(text):
            return
        lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
        if not lines:
            return
        first = lines[0][1]
        if first.lstrip().startswith("{"):
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
            self.form = self.form if self.rows else ""

    def read_fields(self, fields: Mapping[str, Any], line: int) -> None:
        """Parse a mapping as from JSON: one event, or the whole submission."""
        names = {plain_name(key): value for key, value in fields.items()}
        if names.get("event") == "finished" and isinstance(names.get("result"), dict):
            self.read_fields(names["result"], line)
            return
        row = next((key for key in BOARDS if isinstance(names.get(key), (str, list))), None)
        if (row and "event" not in names) or names.get("event") == "expanded":
            self.add_row(names.get(row or "board"), line, names)
            return
        if "event" in names:
            return
        for key in LISTS:
            for board in names.get(key) or ():
                self.add_row(board, line, {})
        for key, value in names.items():
            self.read_field(key, value, line)

    def read_field(self, key: str, value: object, line: int) -> None:
        if key in PATHS and value is not None:
            text = " ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
            self.read_path(text, line, in_blank_directions=key == "path_to_goal")
        elif key in NAMES and value is not None:
            self.counts[NAMES[key]] = count_of(key, value, line)

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
        mark = next((mark for mark in ";\t" if mark in head), ",")
        table = csv.reader(io.StringIO(text), delimiter=mark)
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
        record = dict(zip(names, cells, strict=True))
        column = next((key for key in BOARDS if key in record), None)
        text = record[column].strip() if column else ""
        if column and (not text.isdigit() or len(text) == len(self._tiles)):
            self.add_row(record[column], line, record)
        else:
            self.form = ""
            self.read_fields({key: value for key, value in record.items() if value}, line)

    def add_row(self, board: object, line: int, values: Mapping[str, Any]) -> None:
        if len(self.rows) >= MAX_EXPANSIONS:
            raise UnreadableWorkError(line, f"expected at most {MAX_EXPANSIONS:,} expansions")
        found = {
            key: number_of(key, values[key], line) for key in VALUES if is_given(values.get(key))
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

    def _path_of_rows(self) -> str | None:
        """Return the moves along all boards from start to goal, or None."""
        if not self.rows or self.rows[-1].cells != bytes(self.puzzle.goal.cells):
            return None
        boards = [cells for cells, _ in groupby(row.cells for row in self.rows)]
        return moves_along(boards, self.puzzle.start)

    def leads_there(self, text: str) -> bool:
        """Return whether a text is moves from the start to the goal."""
        try:
            return play(self.puzzle.start, path_in(text, 1, self.puzzle)[0]) == self.puzzle.goal
        except PuzzleError:
            return False


ONE_A_LINE = "one board a line"
"""Name of the form that may also be a path."""
