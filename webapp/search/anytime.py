"""A short path with a stated bound, on boards too large to prove one shortest: better with time.

- First comes a path put together tile by tile (`webapp/search/constructive.py`), at once.
- Then beam searches (`webapp/search/beam.py`), each some times wider than the one before. A beam
  looks for paths shorter than the best one known, and leaves what cannot become one.
- Beside them IDA* raises the lower bound, for a small part of the time.

The estimate is that of the pattern databases where there are any, else linear conflict. It ends
when a limit is met, when no wider beam has room in memory, or when the best path is proved
shortest. The counts are those of all beams and of IDA* together.

Importing this module loads neither numpy nor compiled functions.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from webapp.search import kernels
from webapp.search.constructive import constructive_path
from webapp.search.events import Event, Finished, Improved, Progress
from webapp.search.pace import End, Outcome, Pace
from webapp.search.registry import find_heuristic
from webapp.search.result import Cost, Status
from webapp.search.verdict import LowerBound, of_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webapp.puzzle import Puzzle
    from webapp.search.beam import Beam
    from webapp.search.events import Preparing
    from webapp.search.paths import Deepening
    from webapp.search.registry import Heuristic
    from webapp.search.result import Result
    from webapp.search.task import Task

FIRST_WIDTH, GROWTH = 50, 4
"""The width of the first beam, and how many times as wide each next one is."""

PROVING = 0.1
"""The part of the time in which IDA* raises the lower bound."""

PROVING_BUDGET = 20_000
"""Expansions of IDA* at a time: some milliseconds."""


def prepare(puzzle: Puzzle) -> Iterator[Preparing]:
    """Compile and build what a board of this size needs, telling how far that is."""
    for kernel in "beam", "deepening":
        yield from kernels.prepare(kernel)
    yield from _heuristic(puzzle).prepare(puzzle)
    _heuristic(puzzle).build(puzzle.goal)


def anytime(task: Task) -> Iterator[Event]:
    """Find a path and make it shorter, tell how it goes, and end with the best that is known."""
    yield from _Anytime(task).run()


def _heuristic(puzzle: Puzzle) -> Heuristic:
    """Return the best heuristic that there is for the size."""
    pdb = find_heuristic("pdb")
    return pdb if pdb.fits(puzzle.rows, puzzle.cols) else find_heuristic("linear-conflict")


class Widening:
    """Beams, one after the other, each wider and looking for a shorter path."""

    def __init__(self, task: Task, path: list[int], heuristic: Heuristic) -> None:
        self.path = path
        self._puzzle = task.puzzle
        self._memory = task.limits.memory(len(task.puzzle.start.cells))
        self._estimate = heuristic.build(task.puzzle.goal)
        self._width = FIRST_WIDTH
        self._beam: Beam | None = self._next_beam()
        self._done = Cost(0, 0, 0, 0, 0, 0.0)

    @property
    def expanded(self) -> int:
        """Return the boards expanded by all beams."""
        return self.cost.expanded

    @property
    def cost(self) -> Cost:
        """Return what all beams have cost."""
        done, beam = self._done, self._beam
        if beam is None:
            return done
        return done.together_with(beam.cost)

    def advance(self, budget: int) -> Outcome:
        """Expand up to `budget` boards of one beam; EMPTY when there is no room for a wider one."""
        if self._beam is None:
            return Outcome.EMPTY
        outcome = self._beam.advance(budget)
        if outcome is Outcome.GOAL:
            self.path = self._beam.path()
        if outcome is not Outcome.RUNNING:
            self._done = self.cost
            self._beam = None  # its memory is free before the next one's is taken
            self._width *= GROWTH
            self._beam = self._next_beam()
        return Outcome.RUNNING

    def _next_beam(self) -> Beam | None:
        """Return a beam for a shorter path than the one known, None where it has no room."""
        from webapp.search.beam import Beam, width_within

        most = len(self.path) - 3  # all paths have lengths of one parity
        if most < 1 or self._width > width_within(self._memory, self._puzzle, self._estimate, most):
            return None
        return Beam(self._puzzle, self._estimate, self._width, most)


class _Anytime:
    def __init__(self, task: Task) -> None:
        from webapp.search.paths import Deepening

        self._task = task
        self._pace = Pace(task.limits, task.cancelled)
        heuristic = _heuristic(task.puzzle)
        self._beams = Widening(task, constructive_path(task.puzzle), heuristic)
        self._proof: Deepening = Deepening(task.with_heuristic(heuristic), uses_h=True)
        self._proving = 0.0
        self._bound = LowerBound(task.puzzle)
        self._bound.raise_to(self._proof.proved)

    def run(self) -> Iterator[Event]:
        yield self._improved()
        end = self._pace.stop(0)
        while end is None:
            before = len(self._beams.path), self._bound.moves
            outcome = self._pace.run_slice(self._beams)
            self._prove()
            if before != (len(self._beams.path), self._bound.moves):
                yield self._improved()
            if self._pace.report_due():
                yield self._progress()
            end = self._end(outcome) or self._pace.stop(self._beams.expanded)
        yield Finished(self._result(end))

    def _improved(self) -> Improved:
        return Improved(len(self._beams.path) - 1, self._bound.moves)

    def _prove(self) -> None:
        """Raise the lower bound, if IDA* has not had its part of the time yet."""
        if self._proving > PROVING * self._pace.seconds or self._proved:
            return
        started = perf_counter()
        outcome = self._proof.advance(PROVING_BUDGET)
        self._proving += perf_counter() - started
        self._bound.raise_to(self._proof.proved)
        if outcome is Outcome.GOAL:
            self._beams.path = self._proof.path()

    @property
    def _proved(self) -> bool:
        return self._bound.moves >= len(self._beams.path) - 1

    def _end(self, outcome: Outcome) -> End | None:
        """Return how the search ends if a slice with this outcome ends it."""
        if self._proved:
            return End(Status.SOLVED, "no path has fewer moves than the lower bound")
        if outcome is Outcome.EMPTY:
            memory = self._task.limits.memory(len(self._task.puzzle.start.cells))
            return End(Status.CUTOFF, f"stopped as no wider beam has room in {memory / 1e9:.1f} GB")
        return None

    def _progress(self) -> Progress:
        cost = self._cost()
        return Progress(
            expanded=cost.expanded,
            generated=cost.generated,
            frontier=cost.peak_frontier,
            stored=cost.peak_stored,
            deepest=cost.deepest,
            lower_bound=self._bound.moves,
            seconds=self._pace.seconds,
        )

    def _cost(self) -> Cost:
        """Return what all has cost so far."""
        return self._proof.cost(self._pace.seconds).together_with(self._beams.cost)

    def _result(self, end: End) -> Result:
        path, bound = self._beams.path, self._bound.moves
        verdict = of_path(len(path) - 1, bound, end.reason, bounded=True)
        return self._task.result(Status.SOLVED, verdict, bound, self._cost(), path)
