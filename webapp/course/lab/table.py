"""Table of searches with their costs: of a race on a board, or as medians of many boards."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from flask import render_template
from markupsafe import Markup, escape

from slidewise import find_algorithm, find_heuristic
from slidewise.solver.compare import Choice

from ...http import responses
from ...http.language import capitalized, current, number, translated
from ...http.language import gettext as _
from ...play.sentences import lowered
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
        entry = find_algorithm(self.choice.algorithm)
        title = translated(entry.title)
        if "weight" not in entry.options:
            return title
        weight = number(self.selection.weight)
        return _("%(algorithm)s, w = %(weight)s", algorithm=title, weight=weight)

    @property
    def heuristic(self) -> str | None:
        """Title of the heuristic, None without any."""
        key = self.choice.heuristic
        return None if key is None else translated(find_heuristic(key).title)

    @property
    def label(self) -> str:
        """Title with the heuristic after a comma."""
        return f"{self.title}, {self.heuristic}" if self.heuristic else self.title

    @property
    def mark(self) -> Markup:
        """Attribute that keeps an expression from being translated."""
        is_own = self.heuristic and self.heuristic.startswith("=")
        return Markup(' translate="no"') if is_own else Markup("")

    @property
    def name(self) -> str:
        """Name within a sentence, with the heuristic: A* with Manhattan distance."""
        search = _within_sentence(self.title)
        if not self.heuristic:
            return search
        heuristic = _within_sentence(self.heuristic)
        return _("%(search)s with %(heuristic)s", search=search, heuristic=heuristic)


PROPER_NAMES = ("Manhattan", "Nilsson", "Euclidean")


def _within_sentence(title: str) -> str:
    """Title in lower case, except for names such as A* and IDA*, and German nouns."""
    is_name = not title[1:2].islower() or title.startswith(PROPER_NAMES)
    return title if is_name or current().code == "de" else lowered(title)


def bar(count: float) -> float:
    """Length of a count's bar on the log scale, of 100.

    >>> bar(0), bar(999), bar(10**12)
    (0.0, 33.3, 100)
    """
    return min(100, round(100 * math.log10(1 + count) / DECADES, 1))


class Tick(NamedTuple):
    """A number at the axis of a chart, and its position."""

    at: float
    words: str


class OutcomeSentence(NamedTuple):
    """A sentence on the outcome, with its figure in bold; `best` is the number of a row."""

    best: int
    text: Markup

    @classmethod
    def compare(
        cls, best: SearchRow, other: SearchRow, times: float, boards: str = ""
    ) -> OutcomeSentence | None:
        """`best` expanded `times` fewer boards than `other`; None below 1.5 times.

        `boards` is the number of boards of medians, with its noun.
        """
        if times < LEAST_TIMES:
            return None
        shown = number(int(times) if times >= 10 else int(10 * times) / 10)
        values = {"best": escape(best.name), "other": escape(other.name), "times": shown}
        if boards:
            text = _(
                "In the median of %(boards)s, %(best)s expanded <b>%(times)s times fewer</b> "
                "boards than %(other)s, and its paths are as short.",
                boards=boards,
                **values,
            )
        else:
            text = _(
                "%(best)s expanded <b>%(times)s times fewer</b> boards than %(other)s, and its "
                "path is as short.",
                **values,
            )
        return cls(best.number, Markup(capitalized(text)))


def message(kind: str, rows: Iterable[SearchRow], **values: Any) -> str:
    """Build a message of a stream that has `began`, has `news` or has `ended`."""
    return responses.message(
        render_template("course/lab/_stream.html", kind=kind, rows=rows, **values)
    )
