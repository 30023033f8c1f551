"""Comparison of several searches on a puzzle."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, overload

from slidewise.puzzle import Puzzle
from slidewise.puzzle.board import quoted
from slidewise.solver import compiling
from slidewise.solver.convention import SLIDEWISE, convention_for
from slidewise.solver.registry import algorithms, heuristics
from slidewise.solver.result import Result, Status
from slidewise.solver.run import SearchSpec, find_algorithm, find_heuristic
from slidewise.solver.task import (
    DEFAULT_WEIGHT,
    Limits,
    UnfitHeuristicError,
    UnknownNameError,
    never,
)
from slidewise.text import duration, html_table, message, text_table, with_commas

COMPARE_SECONDS = 10.0
COMPARE_LIMITS = Limits(seconds=COMPARE_SECONDS)
"""Default limits of each search of a comparison."""

CSV_COLUMNS = (
    "puzzle", "algorithm", "heuristic", "weight", "status", "length", "verdict", "lower_bound",
    "reason", "expanded", "generated", "peak_frontier", "peak_stored", "deepest", "seconds",
    "convention", "seed", "cooling",
)  # fmt: skip
"""Fields of the JSON except the moves, as depth-first paths are too long for a CSV cell."""

HEURISTIC = "manhattan"
STRONGER, FOR_STRONGER = "linear-conflict", ("astar", "idastar")
"""A second heuristic, and the algorithms that also run with it."""


class Choice(NamedTuple):
    """Registry keys of an algorithm and its heuristic, None if it uses none."""

    algorithm: str
    heuristic: str | None

    def __str__(self) -> str:
        """Format the choice for `read_choices`, such as `astar:manhattan`."""
        return self.algorithm if self.heuristic is None else f"{self.algorithm}:{self.heuristic}"


@dataclass(frozen=True)
class Comparison(Sequence[Result]):
    """Results of several searches on a puzzle, in the requested order.

    A sequence of results that prints as a table, in a notebook as HTML.
    """

    puzzle: Puzzle
    results: tuple[Result, ...]

    def __len__(self) -> int:
        """Return the number of results."""
        return len(self.results)

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Result]: ...
    def __getitem__(self, index: int | slice) -> Result | Sequence[Result]:
        """Return a result, or a slice of the results."""
        return self.results[index]

    def __str__(self) -> str:
        """Return the table that `slidewise compare` prints."""
        right = frozenset(n for n, column in enumerate(_COLUMNS) if column.is_number)
        return text_table(_TITLES, self._cells(), right)

    def _repr_html_(self) -> str:
        """Show the comparison as a table in a notebook."""
        return html_table(f"Puzzle {self.puzzle}", _TITLES, self._cells())

    @property
    def all_solved(self) -> bool:
        """Return whether each search found a path."""
        return all(result.status is Status.SOLVED for result in self.results)

    @property
    def plain(self) -> list[str]:
        """Names of the searches that ran in plain Python; the others ran compiled."""
        return [
            str(Choice(one.algorithm, one.heuristic))
            for one in self.results
            if not runs_compiled(one.algorithm, one.heuristic, one.convention)
        ]

    @property
    def form(self) -> str:
        """Sentence on the form of the searches, on which their times depend."""
        return form_sentence(self.plain, len(self.results))

    def as_json(self) -> dict[str, object]:
        """Return the comparison as JSON values, with the puzzle as its code."""
        results = [result.as_json() for result in self.results]
        return {"puzzle": str(self.puzzle), "plain": self.plain, "results": results}

    def as_csv(self) -> str:
        """Return the comparison as CSV: a header line, then a line for each result."""
        text = io.StringIO()
        writer = csv.DictWriter(text, CSV_COLUMNS, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(result.as_json() for result in self.results)
        return text.getvalue()

    def _cells(self) -> Iterator[list[str]]:
        for result in self.results:
            yield [column.cell(result) for column in _COLUMNS]


def runs_compiled(algorithm: str, heuristic: str | None, convention: str = SLIDEWISE.key) -> bool:
    """Return whether a search runs in compiled code if it does not begin in plain Python."""
    if convention != SLIDEWISE.key or not compiling.is_available():
        return False
    try:
        fits = heuristic is None or find_heuristic(heuristic).compiled
        entry = find_algorithm(algorithm)
        return fits and entry.compiled and not entry.local
    except UnknownNameError:  # a function of the caller
        return False


def form_sentence(plain: Sequence[str], searches: int) -> str:
    """Return a sentence on the form of compared searches, of which `plain` are not compiled.

    >>> form_sentence(["astar:manhattan"], 2)
    'In plain Python, slower than the others, which are compiled: astar:manhattan.'
    """
    if not plain:
        return message("All searches are compiled.")
    if len(plain) == searches:
        return message(
            "All searches run in plain Python, slower than compiled, with the same counts."
        )
    return message(
        "In plain Python, slower than the others, which are compiled: %(searches)s.",
        searches=with_commas(plain),
    )


class _Column(NamedTuple):
    """A column of the table: its title, and the text of its cell for a result."""

    title: str
    cell: Callable[[Result], str]
    is_number: bool = True


_COLUMNS = (
    _Column("algorithm", lambda result: result.algorithm, is_number=False),
    _Column("heuristic", lambda result: result.heuristic or "-", is_number=False),
    _Column("moves", lambda result: "-" if result.length is None else f"{result.length:,}"),
    _Column("verdict", lambda result: result.outcome, is_number=False),
    _Column("expanded", lambda result: f"{result.expanded:,}"),
    _Column("generated", lambda result: f"{result.generated:,}"),
    _Column("peak stored", lambda result: f"{result.peak_stored:,}"),
    _Column("time", lambda result: duration(result.seconds)),
)
_TITLES = [column.title for column in _COLUMNS]


def compare(
    puzzle: Puzzle,
    selection: str | Iterable[str] | None = None,
    limits: Limits = COMPARE_LIMITS,
    *,
    weight: float = DEFAULT_WEIGHT,
    convention: str = "slidewise",
    cancelled: Callable[[], bool] = never,
) -> Comparison:
    """Run several searches on `puzzle`, each within `limits`: 10 s by default.

    `selection` lists algorithms, as a list of names or a string with commas between. A colon adds
    the heuristic: `astar:manhattan`, the default of `astar`. Without a selection, `default_choices`
    picks the searches for this size.

    `weight` applies to algorithms with that option. `convention`, read by `find_convention`,
    applies to algorithms that support conventions. If `cancelled` returns True, the comparison
    ends with the results so far.

    >>> from slidewise import parse_puzzle
    >>> comparison = compare(parse_puzzle("1.0.3-4.2.5"), "bfs, astar:misplaced")
    >>> [(result.algorithm, result.heuristic, result.length) for result in comparison]
    [('bfs', None, 2), ('astar', 'misplaced', 2)]

    Raises `UnknownNameError` for a name that is not in the registry, `InvalidWeightError` and
    `InvalidConventionError`.
    """
    chosen = default_choices(puzzle) if selection is None else read_choices(selection)
    results = []
    for choice in chosen:
        # Algorithms that support no conventions run under Slidewise's.
        rules = convention_for(choice.algorithm, convention)
        spec = SearchSpec(puzzle, *choice, limits, weight, convention=rules, plain_first=False)
        results.append(spec.result(cancelled))
        if cancelled():
            break
    return Comparison(puzzle, tuple(results))


def default_choices(puzzle: Puzzle) -> list[Choice]:
    """Return the searches suited to the size of `puzzle`.

    Uninformed searches are omitted if the board is too large for them to finish, and local searches
    always, as they seldom solve a board.

    >>> from slidewise import scramble
    >>> Choice("bfs", None) in default_choices(scramble(3, 3, "seed"))
    True
    >>> Choice("bfs", None) in default_choices(scramble(4, 4, "seed"))
    False
    """
    chosen = []
    for key, entry in algorithms().items():
        if entry.local:
            continue
        if entry.uses_heuristic:
            chosen.append(Choice(key, HEURISTIC))
            if key in FOR_STRONGER and STRONGER in heuristics():
                chosen.append(Choice(key, STRONGER))
        elif len(puzzle.start.cells) <= entry.suits:
            chosen.append(Choice(key, None))
    return chosen


def read_choices(selection: str | Iterable[str], *, strict: bool = False) -> list[Choice]:
    """Parse the searches in `selection`, in its order.

    A heuristic is ignored, or an error if `strict`, for an algorithm that uses none.

    >>> [str(choice) for choice in read_choices("bfs,astar,greedy:zero")]
    ['bfs', 'astar:manhattan', 'greedy:zero']

    Raises `UnknownNameError`, and `ExpressionError` for an invalid heuristic expression.
    """
    names = _split(selection) if isinstance(selection, str) else list(selection)
    if not any(name.strip() for name in names):
        known = ", ".join(algorithms())
        raise UnknownNameError(
            message("name the algorithms to compare, from %(names)s", names=known)
        )
    return [_read_choice(name, strict) for name in names]


def parse_runs(text: str) -> list[Choice]:
    """Parse the searches of a link or a command, separated by commas or semicolons.

    A comma within brackets belongs to a heuristic expression.

    >>> [str(choice) for choice in parse_runs("bfs;astar:=max(manhattan,misplaced),greedy:zero")]
    ['bfs', 'astar:=max(manhattan, misplaced)', 'greedy:zero']

    Raises `UnknownNameError` and `ExpressionError`.
    """
    return read_choices(_split(text))


def _split(text: str) -> list[str]:
    """Split `text` at commas and semicolons outside brackets."""
    parts, depth = [""], 0
    for letter in text:
        # A surplus bracket must not hide the separators after it.
        depth = max(0, depth + (letter == "(") - (letter == ")"))
        if letter in ",;" and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _read_choice(text: str, strict: bool) -> Choice:
    key, colon, heuristic = (part.strip() for part in text.partition(":"))
    entry = find_algorithm(key)
    if strict and colon and not entry.uses_heuristic:
        raise UnfitHeuristicError(
            f"{entry.key} takes no heuristic: write {entry.key} instead of {quoted(text.strip())}"
        )
    estimate = find_heuristic(heuristic if colon else HEURISTIC)
    return Choice(entry.key, estimate.key if entry.uses_heuristic else None)
