"""Solutions in the fewest slides: moving a whole line of tiles counts 1."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, TypedDict

from slidewise.json_schema import Amount, Count
from slidewise.puzzle import Puzzle
from slidewise.puzzle.moves import play
from slidewise.solver import compiling
from slidewise.solver.engines.constructive import constructive_path
from slidewise.solver.loop import Pace
from slidewise.solver.result import ContradictionError
from slidewise.solver.tables.exact import SlideTable, TooManyCellsError
from slidewise.solver.task import Limits, never
from slidewise.text import plural

if TYPE_CHECKING:
    from slidewise.solver.engines.shortest_layers import SlideDeepening

DEFAULT_LIMITS = Limits()

SLID_CELLS = 16
"""Cells of the largest board with a search for the fewest slides."""

SLICE = 200_000
"""Slides between checks of the limits, some hundredths of a second."""

FIRST_EXPANSIONS = 1_000_000
"""Expansions, 0.1 s, before a weighted search for any good solution."""

WEIGHTS, WEIGHTED_EXPANSIONS = (25, 20, 17), 4_000_000
"""Weights of h, in tenths, and expansions per weight. On random 4x4 boards the solution has about
35 slides, a shortest solution in single moves about 40."""

CANCELLED = "stopped on request"
PROVED = "IDA* with walking distance found none with fewer"


class FewestSlidesJSON(TypedDict):
    """A solution in few slides as JSON values."""

    puzzle: str
    slides: Annotated[
        Count | None,
        "Slides of the solution; a slide moves all tiles from the blank up to a tile of its row "
        "or column, and counts 1. Null if there is no solution.",
    ]
    lower_bound: Annotated[
        Count | None, "Every solution has at least this many slides; null if there is none."
    ]
    proved: Annotated[bool, "Whether no solution has fewer slides."]
    tiles: Annotated[
        list[Count] | None, "The last tile of each slide, the farthest from the blank."
    ]
    moves: Annotated[str | None, "The same as moves of single tiles."]
    reason: Annotated[str, "Why it is proved, or what stopped the search."]
    expanded: Annotated[Count, "Boards that the search expanded."]
    seconds: Amount


@dataclass(frozen=True, slots=True)
class FewestSlides:
    """A solution of `puzzle` in few slides, and a lower bound on their number.

    A slide moves all tiles from the blank up to a tile of its row or column. It counts 1 for any
    number of tiles: the multi-tile metric. `tiles` has the last tile of each slide, the farthest
    from the blank. `moves` is the solution as single moves, `U`, `D`, `L` and `R`. No solution has
    fewer than `lower_bound` slides. `reason` says why the solution is proved, or why the search
    ended. `expanded` boards were visited in `seconds`.

    `slides`, `lower_bound`, `tiles` and `moves` are None for an unsolvable puzzle.
    """

    puzzle: Puzzle
    slides: int | None
    lower_bound: int | None
    tiles: tuple[int, ...] | None
    moves: str | None
    reason: str
    expanded: int = 0
    seconds: float = 0.0

    @property
    def is_proved(self) -> bool:
        """Return whether no solution has fewer slides than this solution."""
        return self.slides is not None and self.slides == self.lower_bound

    def as_json(self) -> FewestSlidesJSON:
        """Return the solution as JSON values."""
        return {
            "puzzle": str(self.puzzle),
            "slides": self.slides,
            "lower_bound": self.lower_bound,
            "proved": self.is_proved,
            "tiles": None if self.tiles is None else list(self.tiles),
            "moves": self.moves,
            "reason": self.reason,
            "expanded": self.expanded,
            "seconds": round(self.seconds, 3),
        }


def fewest_slides(
    puzzle: Puzzle,
    limits: Limits = DEFAULT_LIMITS,
    *,
    cancelled: Callable[[], bool] = never,
) -> FewestSlides:
    """Return a solution of `puzzle` in the fewest slides.

    Up to 10 cells it is read from a table of all boards, without limits. On 3x3 no board needs
    more than 24 slides. Up to 16 cells IDA* searches within the `seconds` and `expansions`
    (slides tried) of `limits`. The proof for a random 4x4 takes far too long. The result is then
    the best solution found and a lower bound.

    >>> from slidewise import parse_puzzle
    >>> found = fewest_slides(parse_puzzle("8.6.7-2.5.4-3.0.1"))
    >>> found.slides, found.is_proved, len(found.moves)
    (20, True, 31)
    >>> fewest_slides(parse_puzzle("1.2.3-4.5.6-0.7.8")).tiles
    (8,)

    Raises `TooManyCellsError` above 16 cells, and `ContradictionError` if the slides do not lead
    to the goal.
    """
    if not can_be_slid(puzzle.rows, puzzle.cols):
        raise TooManyCellsError(
            f"the fewest slides can be found for boards of up to {SLID_CELLS} cells, such as 4x4, "
            f"and {puzzle.rows}x{puzzle.cols} has more"
        )
    if not puzzle.solvable:
        return FewestSlides(puzzle, None, None, None, None, puzzle.parity.explain())
    found = _by_table(puzzle) if puzzle.has_table else _by_search(puzzle, limits, cancelled)
    if play(puzzle.start, found.moves or "") != puzzle.goal:
        raise ContradictionError(f"the slides found for {puzzle} do not lead to the goal")
    if (found.slides or 0) < (found.lower_bound or 0):
        raise ContradictionError(
            f"the solution of {puzzle} has {plural(found.slides or 0, 'slide')}, and the search "
            f"says that none has fewer than {found.lower_bound}"
        )
    return found


def can_be_slid(rows: int, cols: int) -> bool:
    """Return whether `fewest_slides` takes boards of this size.

    >>> can_be_slid(4, 4), can_be_slid(5, 5)
    (True, False)
    """
    return rows * cols <= SLID_CELLS


def _by_table(puzzle: Puzzle) -> FewestSlides:
    table = SlideTable(puzzle.goal)
    return _as_proved(puzzle, table.path(puzzle.start), "read from the table of all boards")


def _by_search(puzzle: Puzzle, limits: Limits, cancelled: Callable[[], bool]) -> FewestSlides:
    for _ in compiling.prepare("slides"):
        if cancelled():
            return replace(_as_proved(puzzle, _constructive(puzzle), CANCELLED), lower_bound=0)
    if puzzle.start == puzzle.goal:
        return _as_proved(puzzle, [puzzle.goal.blank], "the start is the goal")
    search = _Search(puzzle, limits, cancelled)
    reason = search.run()
    found = _as_proved(puzzle, search.best, reason)
    return replace(
        found,
        lower_bound=search.at_least,
        expanded=search.expanded,
        seconds=search.pace.seconds,
    )


class _Search:
    """IDA* by slides, with weighted runs for a first solution if it takes long."""

    def __init__(self, puzzle: Puzzle, limits: Limits, cancelled: Callable[[], bool]) -> None:
        # deferred: loads numpy and the compiled functions
        from slidewise.solver.engines.shortest_layers import SlideDeepening

        self.best = _constructive(puzzle)
        self.expanded = 0
        self._limits = limits
        self._search = SlideDeepening(puzzle)
        self.pace = Pace(limits, cancelled)
        self._weighted = (SlideDeepening(puzzle, weight) for weight in WEIGHTS)

    @property
    def at_least(self) -> int:
        """Return the lower bound on the slides of every solution."""
        return self._search.limit

    def run(self) -> str:
        """Search, and return the reason for the end."""
        stopped = self._advance(self._search, FIRST_EXPANSIONS)
        for search in self._weighted:
            if stopped or self.is_proved:
                break
            stopped = self._advance(search, WEIGHTED_EXPANSIONS)
        while not (stopped or self.is_proved):
            stopped = self._advance(self._search, SLICE)
        return PROVED if self.is_proved else stopped

    @property
    def is_proved(self) -> bool:
        """Return whether no solution has fewer slides than the best."""
        return self._search.limit >= len(self.best) - 1

    def _advance(self, search: SlideDeepening, most: int) -> str:
        """Try up to about `most` slides or to a path. Return the limit that was met, or ""."""
        before, path = search.expanded, None
        while path is None and search.expanded - before < most and not self.is_proved:
            left = math.inf if self._limits.expansions is None else self._limits.expansions
            if end := self.pace.stop(self.expanded):
                return end.reason
            had = search.expanded
            path = search.advance(int(min(SLICE, left - self.expanded)))
            self.expanded += search.expanded - had
        if path and len(path) <= len(self.best):
            self.best = path
        return ""


def _constructive(puzzle: Puzzle) -> list[int]:
    """Return the cells of the blank after each slide of a constructive solution."""
    cells = constructive_path(puzzle)
    turns = [
        cell
        for before, cell, after in zip(cells, cells[1:], cells[2:], strict=False)
        # A slide ends at the cell at which the blank turns.
        if after - cell != cell - before
    ]
    return [cells[0], *turns, *cells[1:][-1:]]


def _as_proved(puzzle: Puzzle, blanks: list[int], reason: str) -> FewestSlides:
    """Return the solution with the blank in `blanks` after each slide, as proved fewest."""
    board, tiles, moves = puzzle.start, [], ""
    for _, cell in pairwise(blanks):
        tiles.append(board.cells[cell])
        line = board.line(tiles[-1])
        for direction in line:
            board = board.move(direction)
        moves += line
    return FewestSlides(puzzle, len(tiles), len(tiles), tuple(tiles), moves, reason)
