"""Submission to a check: expansions, a path, counts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from slidewise.puzzle import PuzzleError
from slidewise.puzzle.board import quoted
from slidewise.text import plural

if TYPE_CHECKING:
    from collections.abc import Mapping


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
    """

    rows: tuple[WorkRow, ...] = ()
    moves: str | None = None
    in_blank_directions: bool = False
    counts: Mapping[str, int] = field(default_factory=dict)
    form: str = ""
    solved: bool | None = None
    skipped: tuple[tuple[int, str], ...] = ()

    @property
    def words(self) -> str:
        """Describe the submitted parts.

        >>> Submission(moves="UL").words
        'a path of 2 moves'
        """
        parts = []
        if self.rows:
            form = f", {self.form}" if self.form else ""
            parts.append(f"{plural(len(self.rows), 'expansion')}{form}")
        if self.moves is not None:
            parts.append(f"a path of {plural(len(self.moves), 'move')}")
        if self.counts:
            parts.append(plural(len(self.counts), "count"))
        if self.solved is not None and not parts:
            parts.append("an answer without a path")
        return " and ".join(parts)


COUNTS = {
    "length": (
        *("length", "cost", "cost_of_path", "path_cost", "path_length", "moves_made"),
        *("minimum_number_of_moves", "number_of_moves", "number_of_steps", "steps", "total_moves"),
        *("solution_length", "solution_depth", "solution_cost", "total_cost", "moves_count"),
    ),
    "expanded": (
        *("expanded", "nodes_expanded", "expanded_nodes", "complexity_in_time"),
        *("nodes_explored", "explored", "states_expanded", "states_explored", "nodes_processed"),
    ),
    "generated": ("generated", "nodes_generated", "generated_nodes", "created"),
    "peak_stored": (
        "peak_stored",
        "reached",
        "visited",
        "stored",
        "nodes_reached",
        "nodes_visited",
        "states_visited",
        "complexity_in_size",
    ),
    "peak_frontier": ("peak_frontier", "max_frontier", "max_fringe_size", "max_queue_size"),
    "deepest": ("deepest", "max_search_depth", "max_depth"),
}
"""The checked counts, each with its usual names in programs."""

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
    *("running_time", "max_ram_usage", "search_depth", "seconds", "time", "time_taken"),
    *("execution_time", "memory", "depth", "level", "limit", "depth_limit", "iteration", "step"),
    *("threshold", "bound", "algorithm", "heuristic", "search"),
)
"""Printed names without a counterpart in the reference."""

NAMES = {name: key for key, names in COUNTS.items() for name in names}
VALUES = ("g", "h", "f")
CANONICAL = re.compile(r"[0-9]+(?:\.[0-9]+)+(?:-[0-9]+(?:\.[0-9]+)+)+")
MAX_NAME = 80
"""Maximum position of the end of a line's name, in characters."""

_NAME = re.compile(r"[A-Za-z][\w ]*")
WAY = re.compile(r"\b(up|down|left|right|north|south|west|east)\b", re.IGNORECASE)
_ARROWS = str.maketrans("↑↓←→", "UDLR")
_COMPASS = {"n": "U", "s": "D", "w": "L", "e": "R"}
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
    names = [plain_name(name.strip("\"'")) for name in re.split("[,;\t]", line)]
    known = {*BOARDS, *VALUES, *PATHS, *NAMES}
    return any(name in known for name in names) and (len(names) > 1 or names[0] in BOARDS)


def as_letters(text: str) -> str:
    """Return moves in words or arrows as letters, without brackets and quotes."""
    plain = re.sub(r"[\[\]()'\"{};>-]", " ", text.translate(_ARROWS))
    return (
        WAY.sub(lambda way: _COMPASS.get(way[0][0].lower(), way[0][0].upper()), plain).upper()
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


def is_given(value: object) -> bool:
    """Return whether a value is present."""
    return value is not None and str(value).strip() != ""


def flat(board: list[Any]) -> list[Any]:
    """Return the cells of a board, a list of rows or of cells."""
    return [cell for row in board for cell in (row if isinstance(row, list) else [row])]
