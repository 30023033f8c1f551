"""Between the pages and the pool: what may be solved, within which limits, and waiting for it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, cast

from flask import current_app, request

from webapp.search import Limits, algorithms, find_algorithm, find_heuristic, heuristics
from webapp.search.events import Finished
from webapp.search.limits import nodes_within
from webapp.web.workers import Busy, SolverPool, Task, Waiting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webapp.puzzle import Puzzle
    from webapp.search import Result

DEFAULT_ALGORITHM, DEFAULT_HEURISTIC = "astar", "manhattan"


def pool() -> SolverPool:
    """Return the app's pool of solvers."""
    return cast("SolverPool", current_app.extensions["solvers"])


def solver_choices(chosen: Mapping[str, str]) -> dict[str, Any]:
    """Return what the Solve card offers, and what is chosen in it."""
    return {
        "algorithms": algorithms().values(),
        "heuristics": heuristics().values(),
        "algorithm": chosen.get("algorithm", DEFAULT_ALGORITHM),
        "heuristic": chosen.get("heuristic", DEFAULT_HEURISTIC),
    }


def task(puzzle: Puzzle, chosen: Mapping[str, str]) -> Task:
    """Return the task of solving `puzzle` as chosen, within the limits of this site."""
    choices = solver_choices(chosen)
    algorithm = find_algorithm(choices["algorithm"]).key
    heuristic = find_heuristic(choices["heuristic"]).key
    return Task(puzzle, algorithm, heuristic, _limits(puzzle))


def _limits(puzzle: Puzzle) -> Limits:
    room = current_app.config["SOLVE_MEGABYTES"] * 2**20
    return Limits(
        seconds=current_app.config["SOLVE_SECONDS"],
        stored_nodes=nodes_within(room, puzzle.rows * puzzle.cols),
    )


def start(wanted: Task) -> str:
    """Start a job for this visitor and return its id; raises `Busy`."""
    return pool().start(wanted, visitor=request.remote_addr or "")


def wait(wanted: Task, seconds: float) -> Result | None:
    """Return the result of `wanted`, found within about `seconds`; None if the worker was lost.

    At the end of the time the search is stopped, and its result says what it knows. Raises
    `Busy` where the search could not even begin.
    """
    job = start(wanted)
    deadline = time.monotonic() + seconds
    queued = False
    try:
        for _, event in pool().events(job):
            if isinstance(event, Finished):
                return event.result
            if event is not None:
                queued = isinstance(event, Waiting)
            if time.monotonic() > deadline or pool().closing:
                pool().cancel(job)
    finally:
        pool().cancel(job)
    if queued:
        raise Busy("All solvers are busy right now. Try again in some seconds.", retry_after=10)
    return None
