"""The course of a search in slices: what it tells on its way, when it ends, and with what.

Whatever takes part says after each slice how many moves it has proved to be needed. The
linear-space searches and the one from both ends run this course.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from slidewise.solver.bound import LowerBound
from slidewise.solver.events import Event, Finished
from slidewise.solver.pace import End, Outcome, Pace, Sliced
from slidewise.solver.result import Status
from slidewise.solver.verdict import Proof, Verdict, of_path, without_path
from slidewise.text import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise.solver.events import Expanded, Iteration, Progress
    from slidewise.solver.result import Cost, Result
    from slidewise.solver.task import Task


class Work(Sliced, Protocol):
    """A search in slices that proves more and more moves to be needed."""

    @property
    def proved(self) -> int:
        """Return the moves that each path still to be found has, if h is to be trusted."""

    @property
    def pruned(self) -> bool:
        """Return whether the depth limit kept any node from being expanded."""

    def new_iterations(self) -> Iterator[Iteration]:
        """Yield the iterations that were begun since the last call."""

    def new_expansions(self) -> Iterator[Expanded]:
        """Yield the expansions traced since the last call, in their order."""

    def progress(self, lower_bound: int, seconds: float) -> Progress:
        """Return how far the search is."""

    def cost(self, seconds: float) -> Cost:
        """Return what the search has cost in all."""

    def path(self) -> list[int]:
        """Return the cells of the blank from the start to the goal, after `Outcome.GOAL`."""


def run(task: Task, work: Work, pace: Pace, because: str) -> Iterator[Event]:
    """Search slice by slice, tell how it goes, and end with the result.

    `because` says why the path is shortest, where h is never above the true distance.
    """
    return _Course(task, work, pace, because, LowerBound(task.puzzle)).run()


@dataclass
class _Course:
    task: Task
    work: Work
    pace: Pace
    because: str
    bound: LowerBound

    def run(self) -> Iterator[Event]:
        self._raise_bound()
        end = self.pace.stop(0) or self._end(Outcome.RUNNING)
        while end is None:
            yield from self.work.new_iterations()
            outcome = self.pace.run_slice(self.work)
            yield from self.work.new_expansions()
            self._raise_bound()
            if self.pace.report_due():
                yield self.work.progress(self.bound.moves, self.pace.seconds)
            end = self._end(outcome) or self.pace.stop(self.work.expanded)
        yield Finished(self._result(end))

    def _raise_bound(self) -> None:
        """Raise the lower bound to what is proved.

        But where nodes were taken at the depth limit, the shortest path may lead through one of
        them, and all that is known then is that it is longer than the limit.
        """
        if self._trusts_h:
            moves, depth = self.work.proved, self.task.limits.depth
            self.bound.raise_to(min(moves, depth + 1) if depth and self.work.pruned else moves)

    def _end(self, outcome: Outcome) -> End | None:
        """Return how the search ends if a slice with this outcome ends it."""
        limits = self.task.limits
        if outcome is Outcome.GOAL:
            return End(Status.SOLVED, self.because)
        if outcome is Outcome.FULL:
            return End(Status.CUTOFF, f"stopped at {limits.stored_nodes:,} stored nodes")
        if limits.depth is not None and self._none_within(limits.depth, outcome):
            self.bound.raise_to(limits.depth + 1)
            return End(
                Status.CUTOFF, f"no path within {plural(limits.depth, 'move')} leads to the goal"
            )
        if outcome is Outcome.EMPTY:
            return End(Status.EXHAUSTED, self.task.puzzle.parity.explain())
        return None

    def _none_within(self, depth: int, outcome: Outcome) -> bool:
        """Return whether it is proved that no path of up to `depth` moves leads to the goal."""
        if outcome is Outcome.EMPTY:
            return self.work.pruned
        return self._trusts_h and self.work.proved > depth

    def _result(self, end: End) -> Result:
        cost = self.work.cost(self.pace.seconds)
        status, reason = end
        if status is Status.EXHAUSTED:
            return self.task.result(status, Verdict(Proof.UNPROVED, reason), None, cost)
        if status is not Status.SOLVED:
            bound = self.bound.moves
            return self.task.result(status, without_path(reason, bound), bound, cost)
        path = self.work.path()
        length = len(path) - 1
        if self._trusts_h:
            self.bound.raise_to(length)
        verdict = of_path(length, self.bound.moves, reason, shortest=self._trusts_h)
        return self.task.result(status, verdict, self.bound.moves, cost, path)

    @property
    def _trusts_h(self) -> bool:
        """Return whether h is not used at all, or never above the true distance."""
        heuristic = self.task.heuristic
        return heuristic is None or heuristic.admissible
