"""The profile of a solution: what a heuristic estimates at each of its steps."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from flask import current_app

from slidewise import find_heuristic
from slidewise.solver.own.parse import is_own
from slidewise.study.distance_ahead import estimate_all
from webapp.workers import Busy
from webapp.workers.services import solvers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from slidewise import Board, Puzzle

SHOWN_STEPS = 2_000
"""The most steps of a solution that a page shows; a depth-first one can have tens of thousands."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A heuristic's estimates along a solution, from its start to its end; `top` is the greatest
    number that is drawn."""

    title: str
    estimates: list[int]
    top: int

    @property
    def length(self) -> int:
        """Return the number of moves."""
        return len(self.estimates) - 1


def profile(puzzle: Puzzle, boards: Iterable[Board], heuristic: str | None) -> Profile | None:
    """Return the estimates of `heuristic` along `boards`, which follow on the start of `puzzle`;
    None where there is no heuristic, or one that estimates nothing, or too much to draw; or an
    expression; or where its tables, which another process has, are not there in time."""
    boards = list(islice(boards, SHOWN_STEPS + 1))
    if heuristic is None or is_own(heuristic) or len(boards) > SHOWN_STEPS:
        return None
    chosen = find_heuristic(heuristic)
    boards = [puzzle.start, *boards]
    if not chosen.loads_tables:
        estimates = estimate_all(boards, puzzle.goal, heuristic)
    else:
        pool, wait = solvers(), current_app.config["FACTS_WAIT"]
        helpers = pool.helpers if puzzle.has_table else pool.builders
        try:
            estimates = helpers.call(estimate_all, boards, puzzle.goal, heuristic, timeout=wait)
        except Busy:
            return None
    top = max(len(estimates) - 1, *estimates)
    return Profile(chosen.title, estimates, top) if any(estimates) else None
