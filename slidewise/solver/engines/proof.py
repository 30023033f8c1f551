"""A proof that a path is shortest: IDA* with pattern databases, for as long as that takes.

When an iteration has become long, beam searches look for a short path once. Then IDA* goes on
alone until it has found a path, or has searched all that could be shorter than the one known.
What it would take to go on is written into a file again and again.

Importing this module loads numpy and the compiled functions: do it where a search runs.
"""

from __future__ import annotations

import logging
from dataclasses import asdict
from time import monotonic
from typing import TYPE_CHECKING

from slidewise.solver import loop
from slidewise.solver.bound import LowerBound
from slidewise.solver.engines.bracket import how_it_ends
from slidewise.solver.engines.checkpoint import (
    BEGIN_AGAIN,
    Checkpoint,
    CheckpointError,
    write,
)
from slidewise.solver.engines.resuming import OtherSearchError, ResumableDeepening
from slidewise.solver.engines.sampling import Sample
from slidewise.solver.engines.shortening import Shortening
from slidewise.solver.events import Event, Improved, Proving
from slidewise.solver.pace import End, Outcome, Pace
from slidewise.solver.result import Cost, Status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from slidewise.solver.events import Iteration
    from slidewise.solver.result import Result
    from slidewise.solver.task import Task

log = logging.getLogger(__name__)

PATH_FROM_EXPANSIONS = 3_000_000
"""After an iteration of so many, some tenths of a second, beams look for a path: before, they
would take longer than all the rest."""

PATH_EXPANSIONS = 2_000_000
"""Boards that the beams expand, in some seconds: what they find after that is seldom shorter, and
what is lost where the process ends meanwhile is little."""

SAVE_SECONDS = 20.0
"""From one checkpoint to the next: with what a slice and the writing take, less than half a
minute is done again after a crash."""

GROWTH = 8.0
"""How many times as many nodes an iteration is taken to have as the one before, where nothing is
known yet: between what is usual on 4x4 and on 5x5."""


def run(task: Task, folder: Path | None, checkpoint: Checkpoint | None) -> Iterator[Event]:
    """Search for the proof, tell how it goes, and end with the best path and what is proved."""
    search = ProofSearch(task, folder, checkpoint)
    try:
        yield from loop.run(search, Pace(task.limits, task.cancelled))
    finally:
        search.close()


class ProofSearch:
    """IDA*, the beams once, and the checkpoints in a folder, if there is one."""

    def __init__(self, task: Task, folder: Path | None, checkpoint: Checkpoint | None) -> None:
        database = task.estimate.patterns
        if database is None:
            raise TypeError(f"{task.heuristic} has no pattern database")
        self._task, self._database, self._folder = task, database, folder
        self._work = ResumableDeepening(task)
        self._shortening = Shortening(task, database)
        self._beams = Cost(0, 0, 0, 0, 0, 0.0)
        self._owed: int | None = None  # what the beams have still to expand, None before them
        self._before = 0.0  # seconds of the runs before this one
        self._found = False  # a path by IDA*
        self._growth = GROWTH
        if checkpoint:
            self._resume(checkpoint)
        self._sample = Sample(self._work)  # of the iteration under way
        self._limit, self._expanded_before = self._work.limit, self.expanded
        self._bound = LowerBound(task.puzzle)
        self._bound.raise_to(self._work.proved)
        self._told = 0, 0
        self._begun = self._saved = monotonic()

    @property
    def expanded(self) -> int:
        """Return the number of boards expanded by IDA* and in beams, in all runs."""
        return self._work.expanded + self._beams.expanded

    @property
    def path(self) -> list[int]:
        """Return the cells of the blank on the best path that is known."""
        return self._work.path() if self._found else self._shortening.path

    def close(self) -> None:
        """Let the threads go."""
        self._work.close()

    def advance(self, budget: int) -> Outcome:
        """Expand up to `budget` boards."""
        if self._owed:
            outcome = self._shortening.advance(min(budget, self._owed))
            before, self._beams = self._beams.expanded, self._shortening.cost
            self._owed -= self._beams.expanded - before
            if outcome is Outcome.EMPTY:
                self._owed = 0
            return Outcome.RUNNING
        if not self._sample.is_over:
            self._sample.advance()
            return Outcome.RUNNING
        last = self._work.last
        outcome = self._work.advance(budget)
        self._found = outcome is Outcome.GOAL
        if outcome is Outcome.RUNNING and self._work.limit != self._limit:
            self._limit, self._sample = self._work.limit, Sample(self._work)
            if last:
                self._growth = self._work.last / last
            if self._owed is None and self._work.last >= PATH_FROM_EXPANSIONS:
                self._owed = PATH_EXPANSIONS
        return outcome

    def new_iterations(self) -> Iterator[Iteration]:
        """Yield the iterations that were begun since the last call."""
        return self._work.new_iterations()

    def news(self, outcome: Outcome) -> Iterator[Event]:
        """Write a checkpoint if it is time, and yield what bounds are new."""
        if self._folder and monotonic() - self._saved >= SAVE_SECONDS:
            self._save()
        if outcome is Outcome.GOAL:
            return
        self._bound.raise_to(self._work.proved)
        known = len(self.path) - 1, self._bound.moves
        if known != self._told:
            self._told = known
            yield Improved(*known)

    def progress(self, seconds: float) -> Proving:
        """Return how far the proof is."""
        progress = self._work.progress(self._bound.moves, self._before + seconds)
        told = asdict(progress)
        told["expanded"] += self._beams.expanded
        told["generated"] += self._beams.generated
        rate = (self.expanded - self._expanded_before) / max(seconds, 0.001)
        left, more = self._left()
        return Proving(
            **told,
            length=len(self.path) - 1,
            limit=self._work.limit,
            per_second=int(rate),
            left_in_iteration=left,
            left=left + more,
        )

    def end(self, outcome: Outcome) -> End | None:
        """Return how the search ends if a slice with this outcome ends it."""
        if outcome is Outcome.GOAL:
            self._bound.raise_to(len(self.path) - 1)
        return how_it_ends(self._task, outcome, len(self.path) - 1, self._bound.moves)

    def result(self, end: End, seconds: float) -> Result:
        """Return the best path that is known, and how good it is; write a last checkpoint if there
        is more to do."""
        proved = end.status is Status.SOLVED
        if self._folder and not proved:
            self._save()
        cost, bound = self._cost(self._before + seconds), self._bound.moves
        return loop.best_result(self._task, end, self.path, bound, cost, shortest=proved)

    def _cost(self, seconds: float) -> Cost:
        """Return what the proof has cost, up to the path that IDA* has found if it has."""
        work = self._work.cost(seconds)
        return work.together_with(self._beams) if self._beams.expanded else work

    def _left(self) -> tuple[int, int]:
        """Return about how many nodes there are still to expand in this iteration, and in those
        that follow up to the length of the path known."""
        last, done = self._work.last, self._work.in_iteration
        nodes, growth = max(done, last * self._growth), self._growth
        if self._sample.nodes is not None:
            nodes = max(done, self._sample.nodes)
            growth = nodes / last
        left = (1 - self._work.share) * nodes
        more = 0.0
        for _ in range(self._work.limit + 2, len(self.path) - 1, 2):
            nodes *= growth
            more += nodes
        return int(left), int(more)

    def _save(self) -> None:
        """Write a checkpoint. Beams that are under way begin anew with it."""
        if self._folder is None:
            return
        checkpoint = Checkpoint(
            puzzle=str(self._task.puzzle),
            partition=self._database.partition,
            tables=self._database.checksum,
            path=None if self._owed else [int(cell) for cell in self._shortening.path],
            beams=None if self._owed is None else asdict(self._beams),
            growth=self._growth,
            seconds=self._before + monotonic() - self._begun,
            search=self._work.snapshot(),
        )
        try:
            write(self._folder, checkpoint)
        except CheckpointError as error:
            log.warning("%s: the proof goes on, but it could not after a crash", error)
        self._saved = monotonic()

    def _resume(self, checkpoint: Checkpoint) -> None:
        """Go on from a checkpoint."""
        if checkpoint.tables != self._database.checksum:
            raise CheckpointError(
                f"the checkpoint in {self._folder} was written with other pattern tables: "
                f"{BEGIN_AGAIN}"
            )
        try:
            self._work.resume(checkpoint.search)
        except (OtherSearchError, KeyError, TypeError, ValueError, IndexError):
            raise CheckpointError(
                f"the checkpoint in {self._folder} is of a version of Slidewise that searches "
                f"otherwise: {BEGIN_AGAIN}"
            ) from None
        self._before, self._growth = checkpoint.seconds, checkpoint.growth
        if checkpoint.path is None:
            self._owed = PATH_EXPANSIONS
        elif checkpoint.beams is not None:
            self._shortening.path = checkpoint.path
            self._owed, self._beams = 0, Cost(**checkpoint.beams)  # type: ignore[arg-type]  # read from JSON
