"""The chart of a heuristic: its estimates against the true distances, for all boards."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from slidewise.solver.own.check import Count, HeuristicCheck
    from slidewise.study.explanation import Explanation


class Square(NamedTuple):
    """A square of the chart; `level` is from 1 to 5 for the number of boards, `above` says that h
    is greater than the distance there."""

    x: float
    y: float
    width: float
    height: float
    level: int
    above: bool
    boards: int


class AxisNumber(NamedTuple):
    """A number at an axis, and its coordinate along the axis."""

    at: float
    number: int


@dataclass(frozen=True, slots=True)
class Chart:
    """h against the distance: squares, the `line` where both are equal, the `means` of h.

    A square covers `per_h` values of h; `here` is the board that the page shows.
    """

    squares: list[Square]
    line: str
    means: str
    x_ticks: list[AxisNumber]
    y_ticks: list[AxisNumber]
    per_h: int
    here: tuple[float, float] | None


LEFT, TOP, WIDTH, HEIGHT = 46, 12, 400, 280
"""The rectangle of the chart, in pixels of its picture of 460 x 350."""

MAX_BARS = 60
"""Rows of squares in the chart, about: where there are more values of h, several share a row."""


def chart_of(check: HeuristicCheck, explanation: Explanation | None) -> Chart:
    """Return the chart of a check, with the board of the explanation marked in it."""
    longest = len(check.counts) - 1
    highest = max(check.highest, longest if check.highest <= 3 * longest else 0, 1)
    scale = _Scale.up_to(longest, highest)
    end = min(longest, highest)
    return Chart(
        list(_squares(check, scale)),
        line=f"{scale.point(0, 0)} {scale.point(end, end)}",
        means=" ".join(scale.point(row.distance, row.mean) for row in rows_of(check)),
        x_ticks=[AxisNumber(round(scale.x(n), 1), n) for n in _axis_numbers(longest)],
        y_ticks=[AxisNumber(round(scale.y(n), 1), n) for n in _axis_numbers(highest)],
        per_h=scale.per_h,
        here=None
        if explanation is None or explanation.h is None or explanation.distance is None
        else (scale.x(explanation.distance), scale.y(explanation.h)),
    )


class _Scale(NamedTuple):
    """The size of a square in pixels, and how many values of h it covers."""

    width: float
    height: float
    per_h: int

    @classmethod
    def up_to(cls, longest: int, highest: int) -> _Scale:
        """Return the scale of a chart of distances up to `longest` and h up to `highest`."""
        per_h = -(-(highest + 1) // MAX_BARS)
        return cls(WIDTH / (longest + 1), HEIGHT / (highest // per_h + 1), per_h)

    def x(self, distance: float) -> float:
        return LEFT + (distance + 0.5) * self.width

    def y(self, h: float) -> float:
        return TOP + HEIGHT - (h / self.per_h + 0.5) * self.height

    def point(self, distance: float, h: float) -> str:
        """Return a point as SVG writes it."""
        return f"{self.x(distance):.1f},{self.y(h):.1f}"


def _squares(check: HeuristicCheck, scale: _Scale) -> Iterator[Square]:
    most = max(count.boards for counts in check.counts for count in counts)
    for distance, counts in enumerate(check.counts):
        for step, boards in _boards_by_step(counts, scale.per_h).items():
            yield Square(
                round(LEFT + distance * scale.width, 1),
                round(TOP + HEIGHT - (step + 1) * scale.height, 1),
                round(scale.width, 2),
                round(scale.height, 2),
                1 + int(4 * math.log(boards) / max(1, math.log(most))),
                step * scale.per_h > distance,
                boards,
            )


def _boards_by_step(counts: Sequence[Count], per_h: int) -> dict[int, int]:
    """Return how many boards have an h within each step of `per_h` values."""
    boards: dict[int, int] = defaultdict(int)
    for count in counts:
        boards[count.h // per_h] += count.boards
    return boards


def _axis_numbers(highest: int) -> range:
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100) if highest <= 7 * step)
    return range(0, highest + 1, step)


class DistanceRow(NamedTuple):
    """A row of the table: how many boards are at a distance, and their h."""

    distance: int
    boards: int
    lowest: int
    mean: float
    highest: int
    above: int


def rows_of(check: HeuristicCheck) -> Iterator[DistanceRow]:
    """Yield the rows of the table that says the same as the chart, one for each distance."""
    for distance, counts in enumerate(check.counts):
        boards = sum(count.boards for count in counts)
        yield DistanceRow(
            distance,
            boards,
            counts[0].h,
            sum(count.h * count.boards for count in counts) / boards,
            counts[-1].h,
            sum(count.boards for count in counts if count.h > distance),
        )
