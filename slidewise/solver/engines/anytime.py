"""An anytime search for boards of any size: a path at once, then shorter ones, and a bound.

1. A path is put together tile by tile (`slidewise/solver/engines/by_hand.py`).
2. Beam searches look for shorter ones, in rounds of growing width. The first of a round goes from
   start to goal. Where there are no pattern databases, another path is made line by line: a beam
   for the tiles of the outermost lines that are left, then one for the next lines. After that
   come parts of the best path: each is searched anew, and a shorter way takes its place. With
   pattern databases these are also the parts from boards along the path to the goal.
3. In turns with that, IDA* raises the lower bound, with a fifth as many expansions. Where there are
   larger tables than the default ones, such as 6-6-6-6, it has about half of the time, as it can
   hope for a proof then.

The search ends by itself when its path is proved shortest, or after the round of the widest beams
that the limit of stored nodes allows. That takes about a minute with the default of that limit. But
where there are larger tables and a limit of time or expansions, IDA* goes on alone until that.

- A board counts as expanded and as generated in each beam, and in each iteration of IDA*.
- `stored` are the boards in all layers of the beam under way and the successors that it has made,
  and the path of IDA* with what waits along it; `frontier` is the part of them that waits.
- `deepest` counts the moves from the start, along the best path up to where a beam begins.
- A run repeats exactly where it is stopped by its expansions, however long it takes.

Sources: beam search, B. T. Lowerre, 1976; shortening a path by searches along it, H. Nakhost and
M. Müller, 2010; iterative deepening, R. E. Korf, 1985.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidewise.puzzle import Puzzle
from slidewise.solver import loop
from slidewise.solver.bound import LowerBound
from slidewise.solver.engines.shortening import Shortening
from slidewise.solver.events import Improved, Progress
from slidewise.solver.find import find_heuristic
from slidewise.solver.heuristics.pdb import has_tables
from slidewise.solver.pace import End, Outcome, Pace
from slidewise.solver.result import Cost, Status
from slidewise.solver.tables.patterns.frame import Frame
from slidewise.solver.tables.patterns.partition import find_partition

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise.puzzle import Board
    from slidewise.solver.events import Event, Iteration, Preparing
    from slidewise.solver.result import Result
    from slidewise.solver.tables.patterns.database import PatternDatabase
    from slidewise.solver.task import Heuristic, Task


BEAMS_TURN_EXPANSIONS, PROOF_TURN_EXPANSIONS = 50_000, 10_000
"""Expansions of the beams before it is the turn of IDA*, and of IDA* before it is theirs: a tenth
to a fifth of the time for IDA*."""

THOROUGH_TURN_EXPANSIONS = 200_000
"""Expansions of IDA* in its turn where there are larger tables: about half of the time."""


def prepare(puzzle: Puzzle) -> Iterator[Preparing]:
    """Load or build the tables that there are for a puzzle, telling how far that is."""
    return _heuristic(puzzle).prepare(puzzle)


def anytime(task: Task) -> Iterator[Event]:
    """Tell of ever shorter paths and greater lower bounds, and end with the best path.

    Its status is solved, whatever ended the search, unless that path is above the depth limit. The
    task's heuristic is not used.
    """
    search = AnytimeSearch(task)  # before the clock starts, as it loads what it needs
    return loop.run(search, Pace(task.limits, task.cancelled))


def _heuristic(puzzle: Puzzle) -> Heuristic:
    """Return the heuristic that the lower bound comes from."""
    return find_heuristic("pdb" if has_tables(*puzzle.goal.size) else "linear-conflict")


def has_larger_tables(goal: Board, database: PatternDatabase) -> bool:
    """Return whether `database` is another one than the default for `goal`."""
    frame = Frame.of(goal)
    return database.partition != find_partition(frame.rows, frame.cols, frame.blank).name


class AnytimeSearch:
    """The beams and IDA*, in turns."""

    def __init__(self, task: Task) -> None:
        # Here and not above, as they load numpy and the compiled kernels.
        from slidewise.solver.engines.deepening import Deepening
        from slidewise.solver.engines.pattern_deepening import PatternDeepening

        self._task = task
        self._told = 0, 0
        bounding = task.with_heuristic(_heuristic(task.puzzle))
        self._bound = LowerBound(task.puzzle)
        database = bounding.estimate.patterns
        self._proving: Deepening | PatternDeepening | None = (
            PatternDeepening(bounding) if database else Deepening(bounding, uses_h=True)
        )
        self._proved = self._proving.cost(0)
        self._thorough = database is not None and has_larger_tables(task.puzzle.goal, database)
        self._shortening = Shortening(task, database)
        self._beams_turn, self._left = True, BEAMS_TURN_EXPANSIONS
        self._raise_bound()

    @property
    def path(self) -> list[int]:
        """Return the cells of the blank on the best path."""
        return self._shortening.path

    @property
    def length(self) -> int:
        """Return the moves of the best path."""
        return len(self.path) - 1

    @property
    def lower_bound(self) -> int:
        """Return the moves that every path is proved to have."""
        return self._bound.moves

    @property
    def expanded(self) -> int:
        """Return the number of nodes expanded by both."""
        return self._shortening.expanded + self._proved.expanded

    def advance(self, budget: int) -> Outcome:
        """Expand up to `budget` nodes, all in one turn; EMPTY when there is no beam left."""
        before = self.expanded
        budget = min(budget, self._left)
        outcome = Outcome.RUNNING
        if self._beams_turn:
            outcome = self._shortening.advance(budget)
        else:
            self._prove(budget)
        self._left -= self.expanded - before
        if outcome is Outcome.EMPTY and self._goes_on:
            self._beams_turn, self._left = False, PROOF_TURN_EXPANSIONS
            return Outcome.RUNNING
        if self._left <= 0 or (not self._beams_turn and self._proving is None):
            self._beams_turn = not self._beams_turn
            proof = THOROUGH_TURN_EXPANSIONS if self._thorough else PROOF_TURN_EXPANSIONS
            self._left = BEAMS_TURN_EXPANSIONS if self._beams_turn else proof
        return outcome

    @property
    def _goes_on(self) -> bool:
        """Return whether IDA* goes on when there are no more beams."""
        limits = self._task.limits
        limited = limits.seconds is not None or limits.expansions is not None
        return self._thorough and limited and self._proving is not None

    def new_iterations(self) -> Iterator[Iteration]:
        """Yield nothing: the iterations of IDA* are not told."""
        return iter(())

    def news(self, outcome: Outcome) -> Iterator[Event]:
        """Yield the length of the best path and the lower bound where one of them is new."""
        known = self.length, self.lower_bound
        if known != self._told:
            self._told = known
            yield Improved(*known)

    def end(self, outcome: Outcome) -> End | None:
        """Return how the search ends by itself, if it does."""
        if beyond := loop.end_beyond(self._task, self.lower_bound):
            return beyond
        if self.length == self.lower_bound:
            return End(Status.SOLVED, "")
        if outcome is Outcome.EMPTY:
            return End(Status.SOLVED, self._shortening.reason)
        return None

    def progress(self, seconds: float) -> Progress:
        """Return how far the search is."""
        waiting, stored = self._shortening.held
        proving = self._proving.progress(0, 0) if self._proving else None
        cost = self.cost(seconds)
        return Progress(
            expanded=cost.expanded,
            generated=cost.generated,
            frontier=waiting + (proving.frontier if proving else 0),
            stored=stored + (proving.stored if proving else 0),
            deepest=cost.deepest,
            lower_bound=self.lower_bound,
            seconds=seconds,
        )

    def result(self, end: End, seconds: float) -> Result:
        """Return the best path, and how good it is proved to be."""
        cost = self.cost(seconds)
        return loop.best_result(self._task, end, self.path, self.lower_bound, cost)

    def cost(self, seconds: float) -> Cost:
        """Return what the search has cost in all."""
        beams, proving = self._shortening.cost, self._proved
        return Cost(
            expanded=beams.expanded + proving.expanded,
            generated=beams.generated + proving.generated,
            peak_frontier=beams.peak_frontier + proving.peak_frontier,
            peak_stored=beams.peak_stored + proving.peak_stored,
            deepest=max(beams.deepest, proving.deepest),
            seconds=seconds,
        )

    def _prove(self, budget: int) -> None:
        """Go on with IDA*, as long as it can."""
        if self._proving is None:
            return
        outcome = self._proving.advance(budget)
        self._raise_bound()
        self._proved = self._proving.cost(0)
        if outcome is Outcome.GOAL:
            self._shortening.offer(self._proving.path())
        if outcome is not Outcome.RUNNING:
            self._proving = None

    def _raise_bound(self) -> None:
        if self._proving:
            self._bound.raise_to(self._proving.proved)
