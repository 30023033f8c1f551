"""Parser of submissions: JSON, CSV, moves, a plan, or the printed lines of a program."""

import csv
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from slidewise.course.judge.printed.printout import Printout
from slidewise.course.judge.printed.submission import (
    BOARDS,
    ONE_A_LINE,
    PATHS,
    VALUES,
    WAY,
    Reader,
    Submission,
    UnreadableWorkError,
    count_key,
    flat,
    plain_name,
)
from slidewise.puzzle import Puzzle, PuzzleError
from slidewise.puzzle.writing import is_plan, read_plan
from slidewise.text import message

MAX_CHARACTERS = 8_000_000
"""Maximum length of a submission: a board on each line up to `MAX_EXPANSIONS`, with numbers."""

_PAIR = re.compile(
    r"\s*\(\s*(?:[0-9]{1,9}\s*,\s*(\[[^\[\]]*\])|(\[[^\[\]]*\])\s*,\s*[0-9.]{1,9})\s*\)\s*"
)
"""A path and a number in parentheses."""


def read_given(given: str | Mapping[str, Any], puzzle: Puzzle, algorithm: str = "") -> Submission:
    """Parse a submission: text, or a mapping as from JSON.

    Text may be JSON with fields such as `path` and `expanded`, JSON lines as from `--events`, or
    CSV with a header. It may also be lines such as `nodes_expanded: 10`, moves, or a board on each
    line in any notation. Boards from start to goal that differ by single moves are a path. An
    `algorithm` in `GOING_BACK` returns to boards, so repeated boards are its expansions. In a table
    of several algorithms only the counts of `algorithm` are read.

    >>> from slidewise import parse_puzzle
    >>> read_given("path_to_goal: ['Down', 'Right']", parse_puzzle("1.0.3-4.2.5")).moves
    'UL'

    Raises `UnreadableWorkError` with the line.
    """
    reader = Reader(puzzle, algorithm)
    if isinstance(given, str):
        if len(given) > MAX_CHARACTERS:
            raise UnreadableWorkError(
                1, message("expected at most %(number)s characters", number=MAX_CHARACTERS)
            )
        _read_text(reader, given.removeprefix("\ufeff"))
    else:
        reader.read_fields(given, 1)
    return reader.given()


def _read_text(reader: Reader, text: str) -> None:
    """Parse text in any supported form."""
    pair = _PAIR.fullmatch(text)
    # Python prints a returned pair, such as (path, cost), as a tuple.
    text = pair[1] or pair[2] if pair else text
    if text.lstrip().startswith(("{", "[")) and _read_json(reader, text):
        return
    lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        return
    first = lines[0][1]
    if re.match(r"\s*\{\s*[\"'}]", first):
        _read_json_lines(reader, lines)
    elif is_header(first):
        _read_csv(reader, text)
    elif len(lines) == 1 and reader.is_moves(first):
        reader.read_path(first, lines[0][0])
    elif is_plan(text):
        reader.moves, reader.form = plan_in(text, reader.puzzle), message("a plan")
    else:
        reader.form = ONE_A_LINE
        Printout(reader).read([*enumerate(text.splitlines(), 1)])


def is_header(line: str) -> bool:
    """Return whether a line is a supported CSV header."""
    names = [plain_name(name.strip(" \"'")) for name in re.split("[,;\t|]", line)]
    if re.search(r"[0-9:=\[]", line):
        return False
    known = {*BOARDS, *VALUES, *PATHS}
    is_known = any(name in known or count_key(name) for name in names)
    return is_known and (len(names) > 1 or names[0] in BOARDS)


def plan_in(text: str, puzzle: Puzzle) -> str:
    """Return the tiles' directions of a PDDL plan.

    Raises `UnreadableWorkError` with the line of the first wrong step.
    """
    steps_alone = re.sub(";.*", "", text)
    try:
        return read_plan(steps_alone, puzzle.start)
    except PuzzleError as error:
        wrong = re.match(r"step (\d+), ", str(error))
        # The error has the number of the step, and the report needs its line.
        begun = [step.start() for step in re.finditer(r"\([^()]*\)", steps_alone)]
        at = begun[int(wrong[1]) - 1] if wrong and int(wrong[1]) <= len(begun) else 0
        raise UnreadableWorkError(1 + steps_alone.count("\n", 0, at), error.args[0]) from None


def _read_json(reader: Reader, text: str) -> bool:
    """Parse text as a single JSON value; return whether it is valid and supported."""
    try:
        found = json.loads(text)
    except RecursionError:
        raise UnreadableWorkError(1, message("the JSON is nested too deeply")) from None
    except ValueError:
        return False
    if isinstance(found, dict):
        reader.read_fields(found, 1)
        return True
    if not isinstance(found, list) or not found:
        return False
    if all(isinstance(part, str) and WAY.fullmatch(part) for part in found):
        reader.read_path(" ".join(found), 1)
    elif all(isinstance(part, dict) for part in found):
        for part in found:
            reader.read_fields(part, 1)
    elif not isinstance(found[0], (int, float)) and _lists_boards(reader, found):
        for part in found:
            reader.add_row(part, 1, {})
    else:
        return False
    reader.form = "JSON"
    return True


def _lists_boards(reader: Reader, found: list[Any]) -> bool:
    """Return whether a list contains boards, rather than the rows or cells of a single board."""
    cells = len(reader.tiles)
    return any(
        isinstance(part, str) or (isinstance(part, list) and len(flat(part)) == cells)
        for part in found
    )


def _read_json_lines(reader: Reader, lines: Iterable[tuple[int, str]]) -> None:
    reader.form = message("JSON lines")
    for number, line in lines:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError) as error:
            why = message("this is not JSON: %(error)s", error=str(error))
            raise UnreadableWorkError(number, why) from None
        if not isinstance(found, dict):
            raise UnreadableWorkError(
                number,
                message("expected an object such as %(example)s", example='{"board": "1.2-3.0"}'),
            )
        reader.read_fields(found, number)


def _read_csv(reader: Reader, text: str) -> None:
    reader.form = "CSV"
    head = next(line for line in text.splitlines() if line.strip())
    mark = next((mark for mark in "|;\t" if mark in head), ",")
    lines = text.splitlines()
    if mark == "|":  # Markdown, with a rule below the header and bars at the edges
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
            _read_record(reader, names, cells, table.line_num)
    except csv.Error as error:
        why = message("this is not CSV: %(error)s", error=str(error))
        raise UnreadableWorkError(table.line_num, why) from None


def _read_record(reader: Reader, names: list[str], cells: list[str], line: int) -> None:
    if len(cells) != len(names):
        raise UnreadableWorkError(
            line,
            message(
                "expected %(number)s fields as in the header, found %(found)s; put quotes around a "
                "board that has commas",
                number=len(names),
                found=len(cells),
            ),
        )
    if reader.is_of_another(cells):
        return
    record = zip(names, cells, strict=True)
    reader.read_fields({name: cell for name, cell in record if cell.strip()}, line)
