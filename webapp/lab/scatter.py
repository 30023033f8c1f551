"""The chart of many boards: expansions, on a log scale, against the length of the solution."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from slidewise.study.sample import Measurement

LEFT, TOP, WIDTH, HEIGHT = 84, 14, 620, 330
"""Where the chart stands in its picture of 720 x 400."""

BESIDE = 0.11
"""The searches' marks of one length stand so far apart, in moves, not to cover each other."""


class Point(NamedTuple):
    """Where a mark stands in the picture."""

    x: float
    y: float


class Tick(NamedTuple):
    """A number at an axis, and where it stands."""

    at: float
    words: str


@dataclass(frozen=True, slots=True)
class Series:
    """The marks of one search, and the line through the medians of each length."""

    points: list[Point]
    line: str


@dataclass(frozen=True, slots=True)
class Scatter:
    """The chart; `left_out` boards have no place in it, as their shortest length is not known."""

    series: list[Series]
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    left_out: int


def scatter(measures: Sequence[Sequence[Measurement]]) -> Scatter | None:
    """Return the chart of what each search cost, None where there is nothing to show."""
    known = [one for search in measures for one in search if one.shortest is not None]
    if not known:
        return None
    lengths = [one.shortest or 0 for one in known]
    least, most = min(lengths) - 1, max(lengths) + 1
    low = math.floor(min(_log(one.expanded) for one in known))
    high = max(low + 1, math.ceil(max(_log(one.expanded) for one in known)))

    def x(length: float) -> float:
        return round(LEFT + WIDTH * (length - least) / (most - least), 1)

    def y(expanded: float) -> float:
        return round(TOP + HEIGHT * (high - _log(expanded)) / (high - low), 1)

    middle = (len(measures) - 1) / 2
    series = []
    for number, search in enumerate(measures):
        shift = (number - middle) * BESIDE
        points = [
            Point(x(one.shortest + shift), y(one.expanded))
            for one in search
            if one.shortest is not None
        ]
        line = " ".join(
            f"{x(length + shift)},{y(median)}" for length, median in medians(search).items()
        )
        series.append(Series(points, line))
    step = next(one for one in (1, 2, 5, 10, 20, 50, 100) if (most - least) / one <= 12)
    first = -(-(least + 1) // step) * step
    return Scatter(
        series,
        x_ticks=[Tick(x(n), str(n)) for n in range(first, most, step)],
        y_ticks=[Tick(y(10**n), _short(n)) for n in range(low, high + 1)],
        left_out=len({one.puzzle for search in measures for one in search if one.shortest is None}),
    )


def medians(search: Iterable[Measurement]) -> dict[int, float]:
    """Return the median of the expansions of one search at each length, in their order."""
    found: Mapping[int, list[int]] = defaultdict(list)
    for one in search:
        if one.shortest is not None:
            found[one.shortest].append(one.expanded)
    return {length: statistics.median(found[length]) for length in sorted(found)}


def by_length(measures: Sequence[Sequence[Measurement]]) -> dict[int, list[float | None]]:
    """Return the chart as a table: at each length the median of each search."""
    columns = [medians(search) for search in measures]
    lengths = sorted({length for column in columns for length in column})
    return {length: [column.get(length) for column in columns] for length in lengths}


def _short(power: int) -> str:
    """Return a power of ten in few letters.

    >>> _short(2), _short(3), _short(5), _short(7)
    ('100', '1k', '100k', '10M')
    """
    return f"{10 ** (power % 3)}{['', 'k', 'M', 'G'][power // 3]}"


def _log(expanded: float) -> float:
    return math.log10(max(1, expanded))
