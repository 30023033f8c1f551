"""From 11 to 16 cells: the shortest path is closed in on from below and from above.

IDA* with pattern databases raises the lower bound; when it lasts, beam searches look for a path
beside it, whose length is the upper bound. The search ends when IDA* finds a path, when it has
proved that none is shorter than the one known, or when a limit stops it: then the path known is
the answer, with the bound on how much longer than the shortest it is.

Importing this module loads numpy and the compiled functions: do it where a search runs.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from slidewise.solver import compiling, loop
from slidewise.solver.bound import LowerBound
from slidewise.solver.engines.by_hand import constructive_path
from slidewise.solver.engines.parallel import SharedDeepening
from slidewise.solver.engines.shortening import Shortening
from slidewise.solver.events import Event, Improved
from slidewise.solver.find import find_heuristic
from slidewise.solver.pace import End, Outcome, Pace
from slidewise.solver.result import Status
from slidewise.solver.verdict import of_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise.solver.events import Iteration, Progress
    from slidewise.solver.result import Result
    from slidewise.solver.task import Task

ALONE_SECONDS = 0.5
"""So long IDA* works alone, as beams would only delay what it solves soon."""

BEAMS_SHARE = 0.25
"""The part of the time after that in which beams look for a path."""

BEAM_SLICE_BOARDS = 20_000
"""What a beam expands at a time: some milliseconds, so that a limit of time is kept."""


def run(task: Task) -> Iterator[Event]:
    """Search for the shortest path, tell how it goes, and end with the best that is known."""
    pace = Pace(task.limits, task.cancelled)
    return loop.run(BracketSearch(task, pace), pace)


class BracketSearch:
    """IDA*, and beside it the beams once it lasts, by the clock of `pace`."""

    def __init__(self, task: Task, pace: Pace) -> None:
        self._task, self._pace = task, pace
        self._work = SharedDeepening(task.with_heuristic(find_heuristic("pdb")))
        self._bound = LowerBound(task.puzzle)
        self._bound.raise_to(self._work.proved)
        self._beams: Shortening | None = None
        self._looking = 0.0
        self._path: list[int] = []

    @property
    def _known(self) -> list[int]:
        """Return the best path that was found, as the cells of the blank; empty without one."""
        return self._path or (self._beams.path if self._beams else [])

    def advance(self, budget: int) -> Outcome:
        """Expand up to `budget` boards with IDA*."""
        return self._work.advance(budget)

    def new_iterations(self) -> Iterator[Iteration]:
        """Yield the iterations of IDA* that were begun since the last call."""
        return self._work.new_iterations()

    def news(self, outcome: Outcome) -> Iterator[Event]:
        """Raise the lower bound to what is proved, and look for a path if it is time for that."""
        if outcome is Outcome.GOAL:
            return
        before = self._bound.moves, len(self._known)
        self._bound.raise_to(self._work.proved)
        if self._pace.seconds > ALONE_SECONDS:
            self._look()
        if self._known and before != (self._bound.moves, len(self._known)):
            yield Improved(len(self._known) - 1, self._bound.moves)

    def progress(self, seconds: float) -> Progress:
        """Return how far IDA* is."""
        return self._work.progress(self._bound.moves, seconds)

    def _look(self) -> None:
        """Look for a shorter path for a moment, if that has not had its part of the time yet."""
        if self._beams is None:
            if not compiling.begin("beam").done():
                return  # it is compiled beside the search, which may well end before
            database = find_heuristic("pdb").build(self._task.puzzle.goal).patterns
            self._beams = Shortening(self._task, database)
        if self._looking <= BEAMS_SHARE * (self._pace.seconds - ALONE_SECONDS):
            started = perf_counter()
            self._beams.advance(self._budget())
            self._looking += perf_counter() - started

    @property
    def expanded(self) -> int:
        """Return the number of boards expanded by IDA* and in beams."""
        return self._work.expanded + (self._beams.expanded if self._beams else 0)

    def _budget(self) -> int:
        """Return how many boards a beam may expand now."""
        most = self._task.limits.expansions
        return (
            BEAM_SLICE_BOARDS
            if most is None
            else max(0, min(BEAM_SLICE_BOARDS, most - self.expanded))
        )

    def end(self, outcome: Outcome) -> End | None:
        """Return how the search ends if a slice with this outcome ends it."""
        if outcome is Outcome.GOAL:
            self._path = self._work.path()
            self._bound.raise_to(len(self._path) - 1)
            return End(
                Status.SOLVED,
                "IDA* with pattern databases has searched all paths that may have fewer moves",
            )
        if self._known and self._bound.moves >= len(self._known) - 1:
            return End(
                Status.SOLVED,
                "IDA* with pattern databases has proved that no path has fewer moves than this "
                "one, which was found otherwise",
            )
        if outcome is Outcome.FULL:
            nodes = self._task.limits.stored_nodes
            return End(Status.CUTOFF, f"stopped at {nodes:,} stored nodes")
        return None

    def result(self, end: End, seconds: float) -> Result:
        """Return the best path that is known, and how good it is."""
        path = self._known or constructive_path(self._task.puzzle)
        length, bound = len(path) - 1, self._bound.moves
        proved = end.status is Status.SOLVED
        verdict = of_path(length, bound, end.reason, shortest=proved, bounded=True)
        cost = self._work.cost(seconds)
        if self._beams:
            cost = cost.together_with(self._beams.cost)
        return self._task.result(Status.SOLVED, verdict, bound, cost, path)
