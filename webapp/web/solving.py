"""Between the pages and the pool: what may be solved, within which limits, and waiting for it."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar, cast

from flask import current_app, request

from webapp.puzzle import PuzzleError
from webapp.puzzle.errors import quoted
from webapp.search import Limits, algorithms, find_algorithm, find_heuristic, heuristics
from webapp.search.events import Finished
from webapp.search.forecast import forecast
from webapp.search.limits import nodes_within
from webapp.search.own import is_own
from webapp.search.registry import find_fitting_heuristic
from webapp.search.weights import DEFAULT_WEIGHT, exact_weight
from webapp.web.workers import Busy, SolverPool, Task, Waiting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from webapp.puzzle import Puzzle
    from webapp.search import Algorithm, Heuristic, Result
    from webapp.web.workers.pool import JobEvent

N = TypeVar("N", int, float)

DEFAULT_ALGORITHM, DEFAULT_HEURISTIC = "best", "manhattan"


def pool() -> SolverPool:
    """Return the app's pool of solvers."""
    return cast("SolverPool", current_app.extensions["solvers"])


def solver_choices(puzzle: Puzzle, chosen: Mapping[str, str]) -> dict[str, Any]:
    """Return what the Solve card offers for `puzzle`, and what is chosen in it."""
    return {
        "algorithms": algorithms().values(),
        "heuristics": [
            *(entry for entry in heuristics().values() if entry.fits(puzzle.rows, puzzle.cols)),
            *_own(puzzle, chosen),
        ],
        "algorithm": chosen.get("algorithm", DEFAULT_ALGORITHM),
        "heuristic": chosen.get("heuristic", DEFAULT_HEURISTIC),
        "options": {
            "seconds": chosen.get("seconds", ""),
            "depth": chosen.get("depth", ""),
            "weight": chosen.get("weight", f"{DEFAULT_WEIGHT:g}"),
        },
        "most_seconds": current_app.config["SOLVE_SECONDS"],
        "forecast": forecast,
    }


def _own(puzzle: Puzzle, chosen: Mapping[str, str]) -> Iterator[Heuristic]:
    """Yield the heuristic of one's own that a link brought along, if it is one for the board."""
    key = chosen.get("heuristic", "")
    if is_own(key):
        with suppress(PuzzleError):
            yield find_fitting_heuristic(key, puzzle.rows, puzzle.cols)


def task(puzzle: Puzzle, chosen: Mapping[str, str]) -> Task:
    """Return the task of solving `puzzle` as chosen, within the limits of this site."""
    choices = solver_choices(puzzle, chosen)
    algorithm = find_algorithm(choices["algorithm"])
    heuristic = find_heuristic(choices["heuristic"]).key
    if algorithm.uses_heuristic:
        find_fitting_heuristic(heuristic, puzzle.rows, puzzle.cols)
    weight = number(chosen, "weight", float) if "weight" in algorithm.options else None
    weight = DEFAULT_WEIGHT if weight is None else weight
    exact_weight(weight)  # refused here, and not in a worker
    return Task(puzzle, algorithm.key, heuristic, _limits(puzzle, algorithm, chosen), weight)


def _limits(puzzle: Puzzle, algorithm: Algorithm, chosen: Mapping[str, str]) -> Limits:
    """Return the limits that were chosen, within those of this site."""
    most = current_app.config["SOLVE_SECONDS"]
    seconds = number(chosen, "seconds", float)
    room = current_app.config["SOLVE_MEGABYTES"] * 2**20
    return Limits(
        seconds=most if seconds is None else min(seconds, most),
        stored_nodes=nodes_within(room, puzzle.rows * puzzle.cols),
        depth=number(chosen, "depth", int) if "depth" in algorithm.options else None,
    )


def number(chosen: Mapping[str, str], name: str, kind: Callable[[str], N]) -> N | None:
    """Return what was typed in a field as a number, None if nothing was."""
    text = chosen.get(name, "").strip()
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,6})?", text) or (kind is int and "." in text):
        raise PuzzleError(f"{name} must be a number such as 20, found {quoted(text, 20)}")
    return kind(text)


def start(wanted: Task) -> str:
    """Start a job for this visitor and return its id; raises `Busy`."""
    return pool().start(wanted, visitor=request.remote_addr or "")


def check_room() -> None:
    """Raise `Busy` where this visitor could not start a job now."""
    pool().check_room(request.remote_addr or "")


def wait(wanted: Task, seconds: float) -> Result | None:
    """Return the result of `wanted`, found within about `seconds`; None if the worker was lost.

    At the end of the time the search is stopped, and its result says what it knows. Raises
    `Busy` where the search could not even begin.
    """
    for event in events_within(wanted, seconds):
        if isinstance(event, Finished):
            return event.result
    return None


def events_within(wanted: Task, seconds: float) -> Iterator[JobEvent]:
    """Yield the events of `wanted`, which is stopped at the end of the time.

    Without `Finished` at the end the worker was lost. Raises `Busy` where the search could not
    even begin.
    """
    job = start(wanted)
    deadline = time.monotonic() + seconds
    queued = ended = False
    try:
        for _, event in pool().events(job):
            if event is not None:
                queued, ended = isinstance(event, Waiting), isinstance(event, Finished)
                yield event
            if not ended and (time.monotonic() > deadline or pool().closing):
                pool().cancel(job)
    finally:
        pool().abandon(job)
        pool().forget(job)
    if queued:
        raise Busy("All solvers are busy right now. Try again in some seconds.", retry_after=10)
