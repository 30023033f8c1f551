"""The chart of a heuristic: its estimates against the true distances of all boards."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from slidewise.solver.own.check import HeuristicCheck
    from slidewise.study.explanation import Explanation


class Square(NamedTuple):
    """A square of the chart; `level` is from 1 to 5 for the number of boards, `above` tells that
    h is greater than the distance there."""

    x: float
    y: float
    width: float
    height: float
    level: int
    above: bool
    boards: int


class AxisNumber(NamedTuple):
    """A number at an axis, and where it stands."""

    at: float
    number: int


@dataclass(frozen=True, slots=True)
class Chart:
    """How h goes with the distance: squares, the line where both are equal, the means."""

    squares: list[Square]
    line: str
    means: str
    x_ticks: list[AxisNumber]
    y_ticks: list[AxisNumber]
    per_h: int
    here: tuple[float, float] | None


LEFT, TOP, WIDTH, HEIGHT = 46, 12, 400, 280
"""Where the chart stands in its picture of 460 x 350."""

MOST_STEPS = 60
"""Of h there are at most about so many steps in the chart; several values share one above."""


def chart_of(found: HeuristicCheck, seen: Explanation | None) -> Chart:
    """Return the chart of a check, with the board that was looked at marked in it."""
    longest = len(found.counts) - 1
    highest = max(found.highest, longest if found.highest <= 3 * longest else 0, 1)
    per_h = -(-(highest + 1) // MOST_STEPS)
    steps = highest // per_h + 1
    width, height = WIDTH / (longest + 1), HEIGHT / steps

    def place(distance: float, h: float) -> str:
        return f"{LEFT + (distance + 0.5) * width:.1f},{_y(h, per_h, height):.1f}"

    most = max(count.boards for of_one in found.counts for count in of_one)
    squares = [
        Square(
            round(LEFT + distance * width, 1),
            round(TOP + HEIGHT - (step + 1) * height, 1),
            round(width, 2),
            round(height, 2),
            1 + int(4 * math.log(boards) / max(1, math.log(most))),
            step * per_h > distance,
            boards,
        )
        for distance, of_one in enumerate(found.counts)
        for step, boards in _steps(of_one, per_h)
    ]
    end = min(longest, highest)
    return Chart(
        squares,
        line=f"{place(0, 0)} {place(end, end)}",
        means=" ".join(place(row.distance, row.mean) for row in rows_of(found)),
        x_ticks=[AxisNumber(round(LEFT + (n + 0.5) * width, 1), n) for n in _ticks(longest)],
        y_ticks=[AxisNumber(round(_y(n, per_h, height), 1), n) for n in _ticks(highest)],
        per_h=per_h,
        here=None
        if seen is None or seen.h is None or seen.distance is None
        else (LEFT + (seen.distance + 0.5) * width, _y(seen.h, per_h, height)),
    )


def _y(h: float, per_h: int, height: float) -> float:
    return TOP + HEIGHT - (h / per_h + 0.5) * height


def _steps(of_one: Sequence[tuple[int, int]], per_h: int) -> Iterator[tuple[int, int]]:
    """Yield how many boards have an h within each step."""
    within: dict[int, int] = {}
    for h, boards in of_one:
        within[h // per_h] = within.get(h // per_h, 0) + boards
    yield from within.items()


def _ticks(highest: int) -> range:
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100) if highest <= 7 * step)
    return range(0, highest + 1, step)


class DistanceRow(NamedTuple):
    """A row of the table: the boards at a distance and their h."""

    distance: int
    boards: int
    lowest: int
    mean: float
    highest: int
    above: int


def rows_of(found: HeuristicCheck) -> Iterator[DistanceRow]:
    """Yield the rows of the table that says the same as the chart, one for each distance."""
    for distance, of_one in enumerate(found.counts):
        boards = sum(count.boards for count in of_one)
        yield DistanceRow(
            distance,
            boards,
            of_one[0].h,
            sum(count.h * count.boards for count in of_one) / boards,
            of_one[-1].h,
            sum(count.boards for count in of_one if count.h > distance),
        )
