"""The same searches on many boards: what is run, measured and remembered."""

from __future__ import annotations

import csv
import io
import secrets
import time
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from flask import current_app

from slidewise import Proof
from slidewise.solver.events import Finished
from slidewise.study.sample import DrawnPuzzle, Measurement, draw_boards
from webapp.lab.running import begin
from webapp.workers import Failed, TooManySearches
from webapp.workers.one_after_another import RETRY_SECONDS
from webapp.workers.payer import payer
from webapp.workers.services import solvers
from webapp.workers.shared import Kind

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from slidewise import Board, Result, SearchSpec
    from slidewise.study.draw import Range
    from webapp.lab.running import Race
    from webapp.lab.selection import Selection
    from webapp.workers.shared import Shared

DRAWING_SECONDS = 20.0
"""Seconds that drawing may take: for all boards up to 10 cells, for each above."""

CSV_COLUMNS = tuple(one.name for one in fields(Measurement))


@dataclass(frozen=True, slots=True)
class Plan:
    """What is run: `selection` on so many `boards` with this `goal`, drawn with `seed`, whose
    shortest solutions have so many `moves`; None for all boards alike."""

    goal: Board
    boards: int
    moves: Range | None
    seed: str
    selection: Selection

    @property
    def size(self) -> str:
        """Return the size of the boards, as it is typed."""
        return f"{self.goal.rows}x{self.goal.cols}"

    @property
    def link(self) -> dict[str, str]:
        """Return the fields of the link to this run."""
        return {
            "size": self.size,
            "boards": str(self.boards),
            "moves": str(self.moves or ""),
            "seed": self.seed,
            **self.selection.link,
        }

    def draw(self) -> Iterator[list[DrawnPuzzle]]:
        """Yield the boards: all at once where that is quick, else one by one. Raises `Busy`, and
        `PuzzleError` where there are none."""
        numbers = range(self.boards)
        pool = solvers()
        helpers = pool.helpers if self.goal.has_table else pool.drawers
        for some in [numbers] if self.goal.has_table else [[number] for number in numbers]:
            yield helpers.call(
                draw_boards,
                self.goal,
                self.seed,
                some,
                self.boards,
                self.moves,
                timeout=DRAWING_SECONDS,
            )


@dataclass(eq=False)
class Sample:
    """What was measured by now; `drawn` boards are there, and `done` of them have been solved."""

    plan: Plan
    id: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    drawn: list[DrawnPuzzle] = field(default_factory=list)
    done: int = 0
    stopped: bool = False
    measures: list[list[Measurement]] = field(default_factory=list)
    _race: Race | None = None

    def stop(self) -> None:
        """Stop what runs; what was measured stays."""
        self.stopped = True
        if self._race:
            self._race.stop()

    def run(self, seconds: float) -> Iterator[bool]:
        """Run it, for about so many seconds; yield True when another board is done, or is drawn.

        Raises `Busy` and `PuzzleError`.
        """
        deadline = time.monotonic() + seconds
        for drawn in self.plan.draw():
            self.drawn += drawn
            yield True
            if self.stopped or time.monotonic() > deadline:
                return
        choices = self.plan.selection.choices
        self.measures = [[] for _ in choices]
        specs = [spec for board in self.drawn for spec in self.plan.selection.specs(board.puzzle)]
        self._race = yield from self._begin(specs, deadline)
        found: list[Result] = []
        pay = payer()
        for _, event in self._race.events():
            if isinstance(event, Failed):
                self.stop()
            if isinstance(event, Finished) and not self._race.stopped:
                found.append(event.result)
                if pay:
                    pay(event.result.seconds)
                if len(found) == len(choices):
                    self._note(found)
                    found = []
                    yield True
            elif event is None:
                yield False
            if time.monotonic() > deadline:
                self._race.stop()

    def _begin(self, specs: list[SearchSpec], deadline: float) -> Generator[bool, None, Race]:
        """Begin as soon as there is room for it, which others may have taken meanwhile."""
        while True:
            try:
                return begin(specs)
            except TooManySearches:
                if self.stopped or time.monotonic() > deadline:
                    raise
            yield False
            time.sleep(RETRY_SECONDS)

    def _note(self, results: list[Result]) -> None:
        """Note the results of all searches on a board."""
        shortest = self.drawn[self.done].shortest
        if shortest is None:
            proved = (one for one in results if one.verdict.kind is Proof.OPTIMAL)
            shortest = next((one.length for one in proved), None)
        for measures, result in zip(self.measures, results, strict=True):
            measures.append(Measurement.of(result, shortest))
        self.done += 1

    @property
    def is_complete(self) -> bool:
        """Return whether all boards are done."""
        return self.done == self.plan.boards

    def as_csv(self) -> str:
        """Return a line for each search on each board, after the names of the columns."""
        text = io.StringIO()
        writer = csv.DictWriter(text, CSV_COLUMNS, lineterminator="\n")
        writer.writeheader()
        for of_board in zip(*self.measures, strict=True):
            writer.writerows(one.as_json() for one in of_board)
        return text.getvalue()

    def as_json(self) -> dict[str, object]:
        """Return the same, and what was asked for, as what JSON can hold."""
        plan = self.plan
        of_boards = zip(*self.measures, strict=True)
        return {
            "goal": str(plan.goal),
            "boards": plan.boards,
            "moves": str(plan.moves) if plan.moves else None,
            "seed": plan.seed,
            "seconds": plan.selection.seconds,
            "measures": [one.as_json() for of_board in of_boards for one in of_board],
        }


def _unpack(packed: tuple[Plan, list[DrawnPuzzle], list[list[Measurement]]]) -> Sample:
    plan, drawn, measures = packed
    return Sample(plan, drawn=drawn, done=plan.boards, measures=measures)


TAKEN = Kind[Plan, Sample](
    "samples",
    max_bytes=2_000_000,
    seconds=600,
    pack=lambda sample: (sample.plan, sample.drawn, sample.measures),
    unpack=_unpack,
)
"""Samples that are complete, for their downloads."""


class Samples:
    """The samples taken last. It is safe to use from many threads."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def remember(self, sample: Sample) -> None:
        """Remember a sample that is complete."""
        if sample.is_complete:
            self._shared.put(TAKEN, sample.plan, sample)

    def get(self, plan: Plan) -> Sample:
        """Return the sample of a plan, taken within the time of a page where it is not kept."""
        sample = self._shared.get(TAKEN, plan)
        if sample is None:
            sample = Sample(plan)
            for _ in sample.run(current_app.config["SOLVE_WAIT"]):
                pass
            self.remember(sample)
        return sample
