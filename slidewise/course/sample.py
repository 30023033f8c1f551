"""Compare searches on many boards: their costs as medians and quartiles."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

from slidewise.analysis.distance import Range
from slidewise.analysis.draw import draw
from slidewise.json_schema import Amount, Count
from slidewise.puzzle import Board, Puzzle, PuzzleError
from slidewise.solver.result import Result
from slidewise.solver.tables.exact import exact_distance
from slidewise.text import message


class DrawnPuzzle(NamedTuple):
    """A drawn puzzle, and the length of its shortest solution if known."""

    puzzle: Puzzle
    shortest: int | None


def draw_boards(
    goal: Board, seed: str, numbers: Sequence[int], of: int, wanted: Range | None = None
) -> list[DrawnPuzzle]:
    """Return the puzzles with these `numbers`, from 0, of the `of` puzzles of `seed`.

    Without `wanted` they are drawn uniformly from all boards that can reach `goal`. With it, up to
    10 cells, their lengths are spread evenly over the range, the last with the most moves. Above 10
    cells, a search checks that each is within the range.

    >>> from slidewise import standard_goal
    >>> boards = draw_boards(standard_goal(3, 3), "7", range(3), 3, Range(10, 20))
    >>> [board.shortest for board in boards]
    [10, 15, 20]

    Raises the errors of `draw`.
    """
    small = goal.has_table
    if wanted and wanted.least > wanted.most:
        raise PuzzleError(
            message(
                "%(range)s moves is an empty range: write the smaller number first",
                range=str(wanted),
            )
        )
    drawn = []
    for number in numbers:
        moves = _nth_of(wanted, number, of) if wanted and small else wanted
        # Each puzzle has its own seed, so that parallel processes can draw any part of them.
        puzzle = draw(*goal.size, f"{number} {seed}", moves, goal)
        drawn.append(DrawnPuzzle(puzzle, exact_distance(puzzle) if small else None))
    return drawn


def _nth_of(wanted: Range, number: int, of: int) -> int:
    """Return the number of moves of puzzle `number` if `of` are spread over a range."""
    if of == 1:
        return wanted.most
    return wanted.least + (wanted.most - wanted.least) * number // (of - 1)


@dataclass(frozen=True, slots=True)
class Measurement:
    """Cost of a search on a board; `shortest` is None if unknown."""

    puzzle: str
    shortest: Count | None
    algorithm: str
    heuristic: str | None
    weight: float | None
    status: str
    length: Count | None
    verdict: str
    expanded: Count
    generated: Count
    peak_stored: Count
    seconds: Amount

    @classmethod
    def of(cls, result: Result, shortest: int | None) -> Measurement:
        """Return the measurement of a result, without its possibly long path."""
        return cls(
            puzzle=str(result.puzzle),
            shortest=shortest,
            algorithm=result.algorithm,
            heuristic=result.heuristic,
            weight=result.weight,
            status=result.status.value,
            length=result.length,
            verdict=result.verdict.kind.value,
            expanded=result.expanded,
            generated=result.generated,
            peak_stored=result.peak_stored,
            seconds=result.seconds,
        )

    def as_json(self) -> dict[str, object]:
        """Return the measurement as JSON values."""
        return asdict(self)


class Quartiles(NamedTuple):
    """Quartiles: a quarter is up to `lower`, half up to `median`, and a quarter from `upper`."""

    lower: Amount
    median: Amount
    upper: Amount


def quartiles(numbers: Sequence[float]) -> Quartiles | None:
    """Return the inclusive quartiles of `numbers`, None if empty.

    >>> quartiles([1, 2, 3, 4, 10])
    Quartiles(lower=2.0, median=3.0, upper=4.0)
    """
    if not numbers:
        return None
    # `statistics.quantiles` needs two numbers.
    if len(numbers) == 1:
        return Quartiles(numbers[0], numbers[0], numbers[0])
    return Quartiles(*statistics.quantiles(numbers, n=4, method="inclusive"))


@dataclass(frozen=True, slots=True)
class SampleSummary:
    """Cost of a search on some boards. A search that was cut off counts with its cost so far."""

    boards: int
    solved: int
    shortest: int
    expanded: Quartiles | None
    generated: Quartiles | None
    peak_stored: Quartiles | None
    seconds: Quartiles | None

    @classmethod
    def of(cls, measures: Sequence[Measurement]) -> SampleSummary:
        """Return the summary of a search's measurements."""
        solved = [one for one in measures if one.length is not None]
        return cls(
            boards=len(measures),
            solved=len(solved),
            shortest=sum(one.shortest == one.length for one in solved),
            expanded=quartiles([one.expanded for one in measures]),
            generated=quartiles([one.generated for one in measures]),
            peak_stored=quartiles([one.peak_stored for one in measures]),
            seconds=quartiles([one.seconds for one in measures]),
        )


class Share(NamedTuple):
    """A share in percent, and the ends of its 95 % interval."""

    percent: float
    low: float
    high: float


NORMAL = 1.96
"""Standard errors on each side of a 95 % interval."""


def share(count: int, of: int) -> Share:
    """Return a share with its interval by Wilson (1927), which holds for 0 and for all too.

    >>> tuple(round(one, 1) for one in share(0, 60))
    (0.0, 0.0, 6.0)
    """
    part, extra = count / of, NORMAL**2 / of
    middle = (part + extra / 2) / (1 + extra)
    half = NORMAL / (1 + extra) * math.sqrt(part * (1 - part) / of + extra / (4 * of))
    return Share(100 * part, max(0.0, 100 * (middle - half)), min(100.0, 100 * (middle + half)))


@dataclass(frozen=True, slots=True)
class Arrivals:
    """How often a search arrives at the goal, and its costs on the boards that it solved.

    `shortest` is for the same boards, as far as it is known.
    """

    boards: int
    solved: int
    share: Share
    moves: Quartiles | None
    shortest: Quartiles | None
    expanded: Quartiles | None

    @classmethod
    def of(cls, measures: Sequence[Measurement]) -> Arrivals:
        """Return the arrivals of a search with at least a measurement."""
        solved = [one for one in measures if one.length is not None]
        return cls(
            len(measures),
            len(solved),
            share(len(solved), len(measures)),
            quartiles([one.length for one in solved if one.length is not None]),
            quartiles([one.shortest for one in solved if one.shortest is not None]),
            quartiles([one.expanded for one in solved]),
        )
