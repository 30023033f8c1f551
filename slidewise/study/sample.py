"""Compare searches on many boards: what each costs, as medians and quartiles."""

from __future__ import annotations

import statistics
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, NamedTuple

from slidewise.puzzle import PuzzleError
from slidewise.solver.tables.exact import exact_distance
from slidewise.study.draw import Range, draw

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slidewise.puzzle import Board, Puzzle
    from slidewise.solver.result import Result


class DrawnPuzzle(NamedTuple):
    """A puzzle that was drawn, and the length of its shortest solution if that is known."""

    puzzle: Puzzle
    shortest: int | None


def draw_boards(
    goal: Board, seed: str, numbers: Sequence[int], of: int, wanted: Range | None = None
) -> list[DrawnPuzzle]:
    """Return the puzzles with these `numbers`, from 0 on, of the `of` that `seed` draws.

    Without `wanted` they are drawn uniformly from all boards that can reach `goal`. With it, up
    to 10 cells, their lengths are spread evenly over the range, the last having the most moves;
    above, each is one that a search has found to be within the range.

    >>> from slidewise import standard_goal
    >>> boards = draw_boards(standard_goal(3, 3), "7", range(3), 3, Range(10, 20))
    >>> [board.shortest for board in boards]
    [10, 15, 20]

    Raises `PuzzleError` as `draw` does.
    """
    small = goal.has_table
    if wanted and wanted.least > wanted.most:
        raise PuzzleError(f"{wanted} moves is an empty range: write the smaller number first")
    drawn = []
    for number in numbers:
        moves = _nth_of(wanted, number, of) if wanted and small else wanted
        puzzle = draw(*goal.size, f"{number} {seed}", moves, goal)
        drawn.append(DrawnPuzzle(puzzle, exact_distance(puzzle) if small else None))
    return drawn


def _nth_of(wanted: Range, number: int, of: int) -> int:
    """Return the number of moves of the puzzle `number` where `of` are spread over a range."""
    if of == 1:
        return wanted.most
    return wanted.least + (wanted.most - wanted.least) * number // (of - 1)


@dataclass(frozen=True, slots=True)
class Measurement:
    """What one search cost on one board; `shortest` is None where it is not known."""

    puzzle: str
    shortest: int | None
    algorithm: str
    heuristic: str | None
    weight: float | None
    status: str
    length: int | None
    verdict: str
    expanded: int
    generated: int
    peak_stored: int
    seconds: float

    @classmethod
    def of(cls, result: Result, shortest: int | None) -> Measurement:
        """Return the measurement of a result: all but its path, which may be long."""
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
        """Return the measure as what JSON can hold."""
        return asdict(self)


class Quartiles(NamedTuple):
    """The quartiles of some numbers: a quarter is at most `lower`, half at most `median`, and a
    quarter at least `upper`."""

    lower: float
    median: float
    upper: float


def quartiles(numbers: Sequence[float]) -> Quartiles | None:
    """Return the quartiles of `numbers`, themselves among what is counted; None of none.

    >>> quartiles([1, 2, 3, 4, 10])
    Quartiles(lower=2.0, median=3.0, upper=4.0)
    """
    if not numbers:
        return None
    if len(numbers) == 1:
        return Quartiles(numbers[0], numbers[0], numbers[0])
    return Quartiles(*statistics.quantiles(numbers, n=4, method="inclusive"))


@dataclass(frozen=True, slots=True)
class SampleSummary:
    """What a search cost on some boards. One that was cut off counts with what it cost so far."""

    boards: int
    solved: int
    shortest: int
    expanded: Quartiles | None
    generated: Quartiles | None
    peak_stored: Quartiles | None
    seconds: Quartiles | None

    @classmethod
    def of(cls, measures: Sequence[Measurement]) -> SampleSummary:
        """Return the summary of the measurements of one search."""
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
