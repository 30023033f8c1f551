"""The table of a race: a row for each search, which changes as its events come."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from flask import url_for

from slidewise import Proof, Status, find_algorithm, find_heuristic
from slidewise.solver.events import Finished, Preparing, Progress, Started
from slidewise.solver.known import Known, join
from slidewise.study.recording import is_recorded
from slidewise.text import duration, plural, sentence
from webapp.solve import links
from webapp.workers import Failed, Waiting

if TYPE_CHECKING:
    from slidewise import Puzzle, Result
    from slidewise.solver.compare import Choice
    from webapp.lab.selection import Selection
    from webapp.workers.solvers import JobEvent

DECADES = 9
"""The bars go up to 10 to the power of this."""


class Chip(NamedTuple):
    """What is known of a path, in a word or two: `kind` is how it looks."""

    kind: str
    words: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class RaceRow:
    """A search of a race. `state` is `ready`, `waiting`, `running`, `done` or `failed`."""

    number: int
    choice: Choice
    selection: Selection
    state: str = "ready"
    progress: Progress | None = None
    result: Result | None = None
    said: str = ""

    @property
    def title(self) -> str:
        """Return the title of the algorithm, with its weight."""
        entry = find_algorithm(self.choice.algorithm)
        weighted = "weight" in entry.options
        return f"{entry.title}, w = {self.selection.weight:g}" if weighted else entry.title

    @property
    def heuristic(self) -> str | None:
        """Return the title of the heuristic, None without one."""
        key = self.choice.heuristic
        return None if key is None else find_heuristic(key).title

    @property
    def expanded(self) -> int | None:
        """Return the count, None before there is one."""
        return self._of("expanded")

    @property
    def generated(self) -> int | None:
        """Return the count, None before there is one."""
        return self._of("generated")

    @property
    def stored(self) -> int | None:
        """Return the peak of the stored nodes, those stored while it runs."""
        return self.result.peak_stored if self.result else self._of("stored")

    @property
    def time(self) -> str:
        """Return the time with its unit, "" before there is one."""
        counts = self.result or self.progress
        return duration(counts.seconds) if counts else ""

    @property
    def bar(self) -> float:
        """Return how long the bar is, of 100."""
        return bar(self.expanded or 0)

    @property
    def replay_url(self) -> str | None:
        """Return the link to the solution, None without one."""
        if self.result is None or not self.result.moves:
            return None
        options = {"weight": f"{self.result.weight:g}"} if self.result.weight else {}
        return links.replay_url(self.result, options)

    def watch_url(self, puzzle: Puzzle) -> str | None:
        """Return the link to the search, expansion by expansion; None where it is not recorded."""
        if not is_recorded(find_algorithm(self.choice.algorithm)):
            return None
        options = self.selection.options(self.choice)
        del options["seconds"]
        # mypy takes the fields for url_for's own options, such as _anchor
        return url_for("watch.page", code=str(puzzle), **options)  # type: ignore[arg-type]

    def _of(self, name: str) -> int | None:
        counts = self.result or self.progress
        return getattr(counts, name) if counts else None


def bar(count: int) -> float:
    """Return how long the bar of a count is on the log scale, of 100.

    >>> bar(0), bar(999), bar(10**12)
    (0.0, 33.3, 100)
    """
    return min(100, round(100 * math.log10(1 + count) / DECADES, 1))


class Standings:
    """The rows of a race on `puzzle`, and what is known of its shortest solution."""

    def __init__(self, puzzle: Puzzle, selection: Selection, known: Known | None = None) -> None:
        self.puzzle, self.selection, self.known = puzzle, selection, known
        self.rows = [
            RaceRow(number, choice, selection) for number, choice in enumerate(selection.choices)
        ]

    @property
    def shortest(self) -> int | None:
        """Return the moves of a shortest solution, None where they are not known."""
        return self.known.at_least if self.known and self.known.exact else None

    def note(self, number: int, event: JobEvent) -> list[RaceRow]:
        """Note an event of a search, and return the rows that have changed."""
        row = _after(self.rows[number], event)
        if row is self.rows[number]:
            return []
        self.rows[number] = row
        if row.result and self.shortest is None:
            self.known = _better(self.known, row.result)
        joined = [_joined(one, self.known) for one in self.rows]
        changed = [one for one, was in zip(joined, self.rows, strict=True) if one is not was]
        self.rows = joined
        return [one for one in joined if one.number == number or one in changed]

    def finish(self, results: list[Result]) -> Standings:
        """Note the results of all searches."""
        for number, result in enumerate(results):
            self.note(number, Finished(result))
        return self

    def end(self) -> list[RaceRow]:
        """Note that the race is over, and return the rows that never ran."""
        changed = []
        for row in self.rows:
            if row.state not in ("done", "failed"):
                self.rows[row.number] = replace(row, state="failed", said="Not run.")
                changed.append(self.rows[row.number])
        return changed

    def chip(self, row: RaceRow) -> Chip | None:
        """Return what is known of the path of a row, None before its search is over."""
        result = row.result
        if result is None:
            return None
        why = sentence(result.verdict.reason)
        if result.status is not Status.SOLVED:
            return Chip("none", _WITHOUT_PATH[result.status], why)
        assert result.length is not None
        if _proves(result):
            return Chip("optimal", "shortest", why)
        if result.above == 0:
            return Chip("unproved", "happens to be shortest", why)
        if result.above:
            return Chip("longer", f"{result.above:,} above", why)
        if result.verdict.kind is Proof.BOUNDED:
            words = f"within {result.weight:g}×" if result.weight else "within a bound"
            return Chip("bounded", words, why)
        return Chip("unproved", "unproved", why)

    @property
    def done(self) -> int:
        """Return the number of searches that are over."""
        return sum(row.result is not None for row in self.rows)

    @property
    def summary(self) -> str:
        """Return what came out, in a sentence or two."""
        results = [row.result for row in self.rows if row.result]
        solved = [result for result in results if result.status is Status.SOLVED]
        if not solved:
            return "None found a solution." if results else ""
        said = f"{len(solved)} of {len(self.rows)} found a solution"
        said += f"; the shortest has {plural(self.shortest, 'move')}." if self.shortest else "."
        proved = [
            row for row in self.rows if row.result and _proves(row.result) and row.result.expanded
        ]
        if len(proved) > 1:
            best = min(proved, key=lambda row: row.expanded or 0)
            with_it = f" with {best.heuristic}" if best.heuristic else ""
            said += (
                f" Of the searches that prove it, {best.title}{with_it} expands least: "
                f"{plural(best.expanded or 0, 'node')}."
            )
        return said


_WITHOUT_PATH = {
    Status.UNSOLVABLE: "no solution",
    Status.EXHAUSTED: "none found",
    Status.CUTOFF: "cut off",
    Status.CANCELLED: "stopped",
    Status.INVALID: "withdrawn",
}


def _proves(result: Result) -> bool:
    """Return whether a search has proved by itself that its path is shortest."""
    return result.verdict.kind is Proof.OPTIMAL and not result.verdict.source


def _better(known: Known | None, result: Result) -> Known | None:
    """Return what is known of the puzzle once there is a result, too."""
    moves, exact = result.lower_bound or 0, result.shortest is not None
    if not exact and moves <= (known.at_least if known else 0):
        return known
    by = f"{result.method} proves {moves if exact else f'at least {moves}'}"
    return Known(moves, exact, result.verdict.source or by)


def _joined(row: RaceRow, known: Known | None) -> RaceRow:
    """Return a row whose result says what is known too, the same where that is nothing new."""
    result = row.result and join(row.result, known)
    return row if result is row.result else replace(row, result=result)


def _after(row: RaceRow, event: JobEvent) -> RaceRow:
    """Return a row after an event, the same where nothing is new."""
    if isinstance(event, Finished):
        return replace(row, state="done", result=event.result, said="")
    if isinstance(event, Progress):
        return replace(row, state="running", progress=event, said="")
    if isinstance(event, Waiting):
        place = f"Number {event.position} of {event.queue} in the queue."
        return replace(row, state="waiting", said=place)
    if isinstance(event, Preparing):
        return replace(row, state="running", said=f"Getting ready: {event.words}.")
    if isinstance(event, Started):
        return replace(row, state="running", said="")
    if isinstance(event, Failed):
        return replace(row, state="failed", said=event.message)
    return row
