"""When a running search reports, and when it stops."""

from __future__ import annotations

from enum import Enum, auto
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple, Protocol

from slidewise.solver.result import Status
from slidewise.text import plural

if TYPE_CHECKING:
    from collections.abc import Callable

    from slidewise.solver.limits import Limits

SLICE_SECONDS = 0.02
"""Seconds that a slice of a search aims at: short, so that limits are met to about that."""

REPORT_SECONDS = 0.1
"""Seconds from one progress report to the next."""

FIRST_BUDGET, LOWEST_BUDGET, HIGHEST_BUDGET = 4_000, 500, 1_000_000


class Outcome(Enum):
    """What a slice of a search ended with; only RUNNING asks for another."""

    RUNNING = auto()
    GOAL = auto()
    EMPTY = auto()
    FULL = auto()


class End(NamedTuple):
    """How a search ends, and why in words."""

    status: Status
    reason: str


class Sliced(Protocol):
    """A search that runs in slices."""

    @property
    def expanded(self) -> int:
        """Return the number of nodes expanded so far."""

    def advance(self, budget: int) -> Outcome:
        """Expand up to `budget` nodes; say how that ended."""


class Pace:
    """The clock of one search, which runs from the making of this object."""

    def __init__(self, limits: Limits, cancelled: Callable[[], bool]) -> None:
        self._limits = limits
        self._cancelled = cancelled
        self._budget = FIRST_BUDGET
        self._started = self._reported = perf_counter()

    @property
    def seconds(self) -> float:
        """Return the seconds since the start, to the microsecond."""
        return round(perf_counter() - self._started, 6)

    def run_slice(self, work: Sliced) -> Outcome:
        """Run the next slice of `work`, and learn from the time that it takes."""
        before = work.expanded
        budget = self._budget
        if self._limits.expansions is not None:
            budget = min(budget, self._limits.expansions - before)
        started = perf_counter()
        outcome = work.advance(budget)
        self._learn(work.expanded - before, perf_counter() - started)
        return outcome

    def _learn(self, expanded: int, seconds: float) -> None:
        """Set the next budget from the expansions of a slice, if any, and the time they took."""
        if expanded:
            wanted = SLICE_SECONDS * expanded / max(seconds, 1e-6)
            wanted = min(2.0 * self._budget, max(0.5 * self._budget, wanted))
            self._budget = min(HIGHEST_BUDGET, max(LOWEST_BUDGET, int(wanted)))

    def report_due(self) -> bool:
        """Return whether it is time for a report, which then counts as made."""
        now = perf_counter()
        due = now - self._reported >= REPORT_SECONDS
        if due:
            self._reported = now
        return due

    def stop(self, expanded: int) -> End | None:
        """Return how the search ends if it must stop now."""
        limits = self._limits
        if self._cancelled():
            return End(Status.CANCELLED, "stopped on request")
        if limits.expansions is not None and expanded >= limits.expansions:
            return End(Status.CUTOFF, f"stopped after {plural(limits.expansions, 'expansion')}")
        if limits.seconds is not None and self.seconds >= limits.seconds:
            return End(Status.CUTOFF, f"stopped after {limits.seconds:g} s")
        return None
