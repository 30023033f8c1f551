"""Bounded optimal search for 11 to 16 cells: a lower and an upper bound that converge.

IDA* with pattern databases raises the lower bound. In long iterations beam searches look for a
path, whose length is the upper bound. The search ends when IDA* finds a path or proves the known
path shortest. If a limit stops it, the result is the known path with the gap between the bounds.

In each long iteration the beams get a budget in proportion to the expansions of the iteration
before. Their expansions count before the expansions of IDA*, even if other cores run the iteration
meanwhile. So a run repeats exactly under any load and on any number of cores.

Importing this module loads numpy and the compiled functions, so import it lazily.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from typing import TYPE_CHECKING

from slidewise.solver import compiling, loop
from slidewise.solver.engines.constructive import constructive_path
from slidewise.solver.engines.pattern_deepening import PatternDeepening
from slidewise.solver.events import Event, Improved, Iteration, Progress
from slidewise.solver.loop import SLICE_SECONDS, End, LowerBound, Outcome
from slidewise.solver.result import Cost, Result, Status
from slidewise.solver.run import find_heuristic
from slidewise.solver.task import Task, follow
from slidewise.text import message

if TYPE_CHECKING:
    from slidewise.solver.engines.beam import Shortening

BEAMS_FROM_EXPANSIONS = 3_000_000
"""Expansions of an iteration, some tenths of a second, from which beams look for a path too. In
shorter iterations they would only delay IDA*."""

BEAMS_SHARE = 1 / 40
"""Beam expansions per IDA* expansion of the iteration before, about a tenth of its time."""


def run(task: Task) -> Iterator[Event]:
    """Search for the shortest path, yield events, and end with the best known path."""
    return loop.run(BoundedOptimalSearch(task), task)


def how_it_ends(task: Task, outcome: Outcome, known: int | None, bound: int) -> End | None:
    """Return the end of IDA* if a slice with this outcome ends it.

    `known` is the length of the path found by beams. `bound` is the proved lower bound in moves.
    """
    if beyond := loop.cutoff_by_bound(task, bound):
        return beyond
    if outcome is Outcome.GOAL:
        return End(
            Status.SOLVED,
            message("IDA* with pattern databases has searched all paths that may have fewer moves"),
        )
    if known is not None and bound >= known:
        return End(
            Status.SOLVED,
            message(
                "IDA* with pattern databases has proved that no path has fewer moves than this "
                "path, which another search found"
            ),
        )
    if outcome is Outcome.FULL:
        return End(
            Status.CUTOFF,
            message("stopped at %(nodes)s stored nodes", nodes=task.limits.stored_nodes),
        )
    return None


class BoundedOptimalSearch:
    """IDA* with beam searches in its long iterations."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._work = PatternDeepening(task.with_heuristic(find_heuristic("pdb")))
        self._bound = LowerBound(task.puzzle)
        self._bound.raise_to(self._work.proved)
        self._beams: Shortening | None = None
        self._limit = self._work.limit
        self._beam_budget = 0  # expansions left to the beams in this iteration
        self._beside = ThreadPoolExecutor(1)
        self._found = False  # by IDA*
        self._reported = 0, 0

    @property
    def expanded(self) -> int:
        """Number of boards expanded by IDA* and the beams."""
        return self._work.expanded + (self._beams.expanded if self._beams else 0)

    def close(self) -> None:
        self._work.close()
        self._beside.shutdown()

    def advance(self, budget: int) -> Outcome:
        if not self._beam_budget:
            outcome = self._work.advance(budget)
            if outcome is Outcome.RUNNING and self._work.limit != self._limit:
                self._limit = self._work.limit
                if self._work.last >= BEAMS_FROM_EXPANSIONS:
                    self._beam_budget = int(self._work.last * BEAMS_SHARE)
            # Only here: while beams run, `hold` keeps a goal back, so that runs repeat.
            self._found = outcome is Outcome.GOAL
            return outcome
        beams = self._beams
        if beams is None:
            return self._load_beams(budget)
        # Nothing to run at the same time: all of the budget goes to the beams.
        if self._task.limits.cores == 1 or budget == 1 or self._work.searched:
            self._look(beams, budget)
            return Outcome.RUNNING
        # A core is spared for the beams, and `hold` keeps IDA* in this iteration.
        looking = self._beside.submit(self._look, beams, budget // 2)
        outcome = self._work.advance(budget - budget // 2, spared=1, hold=True)
        looking.result()
        return outcome

    def _load_beams(self, budget: int) -> Outcome:
        """Load the beams, whose kernel compiles once per machine.

        Meanwhile IDA* goes on to the end of its iteration.
        """
        loading = compiling.start_loading("beam")
        if not loading.done() and not self._work.searched:
            return self._work.advance(budget, hold=True)
        wait([loading], SLICE_SECONDS)
        if loading.done():
            from slidewise.solver.engines.beam import Shortening  # loads that kernel

            database = find_heuristic("pdb").build(self._task.puzzle.goal).patterns
            self._beams = Shortening(self._task, database)
        return Outcome.LOADING

    def _look(self, beams: Shortening, budget: int) -> None:
        """Expand up to `budget` boards in beams, within the beam budget."""
        before = beams.expanded
        outcome = beams.advance(min(budget, self._beam_budget))
        self._beam_budget -= beams.expanded - before
        if outcome is Outcome.EMPTY:
            self._beam_budget = 0

    def new_iterations(self) -> Iterator[Iteration]:
        """Yield the IDA* iterations started since the last call."""
        return self._work.new_iterations()

    def news(self, outcome: Outcome) -> Iterator[Event]:
        """Yield the best length and the lower bound if either changed."""
        if outcome is Outcome.GOAL:
            return
        self._bound.raise_to(self._work.proved)
        known = len(self._beams.path) - 1 if self._beams else 0, self._bound.moves
        if self._beams and known != self._reported:
            self._reported = known
            moves, _ = follow(self._task.puzzle.start, self._beams.path)
            yield Improved(*known, moves)

    def progress(self, seconds: float) -> Progress:
        """Return the progress of IDA*."""
        return self._work.progress(self._bound.moves, seconds)

    def end(self, outcome: Outcome) -> End | None:
        if outcome is Outcome.GOAL:
            self._bound.raise_to(len(self._work.path()) - 1)
        known = len(self._beams.path) - 1 if self._beams else None
        return how_it_ends(self._task, outcome, known, self._bound.moves)

    def result(self, end: End, seconds: float) -> Result:
        """Return the best known path with its proved bound."""
        proved = end.status is Status.SOLVED
        if self._found:
            path = self._work.path()
        elif self._beams:
            path = self._beams.path
        else:
            path = constructive_path(self._task.puzzle)
        cost = self._cost(seconds, by_beams=proved and not self._found)
        return loop.best_result(self._task, end, path, self._bound.moves, cost, shortest=proved)

    def _cost(self, seconds: float, *, by_beams: bool) -> Cost:
        """Return the cost of the search.

        If the beams found the path, unfinished work of other cores does not count.
        """
        work = replace(self._work.before, seconds=seconds) if by_beams else self._work.cost(seconds)
        return work.together_with(self._beams.cost) if self._beams else work
