"""Table of searches with their costs: of a race on a board, or as medians of many boards."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from flask import render_template

from slidewise import find_algorithm, find_heuristic
from slidewise.solver.compare import Choice

from ...http import responses
from .selection import Selection

DECADES = 9
"""Upper end of the bars, as an exponent of 10."""

LEAST_TIMES = 1.5
"""Minimum ratio of expansions that is worth a sentence."""


@dataclass(frozen=True, slots=True)
class SearchRow:
    """A search of a table; its subclasses add the costs."""

    number: int
    choice: Choice
    selection: Selection

    @property
    def title(self) -> str:
        """Title of the algorithm, with its weight."""
        entry = find_algorithm(self.choice.algorithm)
        weighted = "weight" in entry.options
        return f"{entry.title}, w = {self.selection.weight:g}" if weighted else entry.title

    @property
    def heuristic(self) -> str | None:
        """Title of the heuristic, None without any."""
        key = self.choice.heuristic
        return None if key is None else find_heuristic(key).title

    @property
    def label(self) -> str:
        """Title with the heuristic after a comma."""
        return f"{self.title}, {self.heuristic}" if self.heuristic else self.title

    @property
    def name(self) -> str:
        """Name in a sentence, with the heuristic: A* with Manhattan distance."""
        heuristic = self.heuristic or ""
        if not heuristic.startswith("Manhattan"):
            heuristic = heuristic[:1].lower() + heuristic[1:]
        return f"{self.title} with {heuristic}" if heuristic else self.title


def bar(count: float) -> float:
    """Length of a count's bar on the log scale, of 100.

    >>> bar(0), bar(999), bar(10**12)
    (0.0, 33.3, 100)
    """
    return min(100, round(100 * math.log10(1 + count) / DECADES, 1))


class Insight(NamedTuple):
    """A sentence on the outcome, around its figure; `best` is the number of a row."""

    best: int
    before: str
    figure: str
    after: str

    @classmethod
    def compare(
        cls, best: SearchRow, other: SearchRow, times: float, where: str = ""
    ) -> Insight | None:
        """`best` expanded `times` fewer boards than `other`; None below 1.5 times."""
        if times < LEAST_TIMES:
            return None
        figure = f"{int(times):,}" if times >= 10 else f"{int(10 * times) / 10:g}"
        is_word = other.name[1].islower()  # unlike A*
        name = other.name[0].lower() + other.name[1:] if is_word else other.name
        path = "its paths are" if where else "its path is"
        before = f"{where}{best.name} expanded"
        after = f"boards than {name}, and {path} as short."
        return cls(best.number, before, f"{figure} times fewer", after)

    def __str__(self) -> str:
        return f"{self.before} {self.figure} {self.after}"


def message(kind: str, rows: Iterable[SearchRow], **values: Any) -> str:
    """Build a message of a stream that has `began`, has `news` or has `ended`."""
    return responses.message(
        render_template("course/lab/_stream.html", kind=kind, rows=rows, **values)
    )
