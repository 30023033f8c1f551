"""Between the pages and the pool: what may be solved, within which limits, and waiting for it."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar, cast

from flask import current_app, request

from slidewise.puzzle import PuzzleError
from slidewise.puzzle.errors import quoted
from slidewise.solver import Limits, algorithms, find_algorithm, find_heuristic, heuristics
from slidewise.solver.events import Finished
from slidewise.solver.forecast import forecast
from slidewise.solver.limits import nodes_within
from slidewise.solver.own.heuristic import is_own
from slidewise.solver.registry import find_fitting_heuristic
from slidewise.solver.weights import (
    DEFAULT_WEIGHT,
    HIGHEST_WEIGHT,
    InvalidWeightError,
    exact_weight,
)
from webapp.workers import Busy, SolverPool, Task, Waiting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from slidewise.puzzle import Puzzle
    from slidewise.solver import Algorithm, Heuristic, Result
    from webapp.workers.pool import JobEvent

N = TypeVar("N", int, float)

DEFAULT_ALGORITHM, DEFAULT_HEURISTIC = "best", "manhattan"

MOST_TYPED = 40
"""So much of what was typed into a field stands there again, in characters."""

MOST_DEPTH = 999_999_999
"""The highest depth limit that can be typed, far above any that a search comes to."""

_DEPTH = f"the depth limit must be a whole number from 1 to {MOST_DEPTH:,}"
_WEIGHT = f"the weight must be from 1 to {HIGHEST_WEIGHT} and have at most two decimals"


class FieldError(PuzzleError):
    """Something typed that cannot be taken; `field` is the name of where it was typed."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def pool() -> SolverPool:
    """Return the app's pool of solvers."""
    return cast("SolverPool", current_app.extensions["solvers"])


def solver_choices(
    puzzle: Puzzle, chosen: Mapping[str, str], wrong: FieldError | None = None
) -> dict[str, Any]:
    """Return what the Solve card offers for `puzzle`, what is chosen in it, and what of that is
    wrong."""
    return {
        "algorithms": algorithms().values(),
        "heuristics": [
            *(entry for entry in heuristics().values() if entry.fits(puzzle.rows, puzzle.cols)),
            *_own(puzzle, chosen),
        ],
        "algorithm": chosen.get("algorithm", DEFAULT_ALGORITHM),
        "heuristic": chosen.get("heuristic", DEFAULT_HEURISTIC),
        "options": {
            "seconds": chosen.get("seconds", "")[:MOST_TYPED],
            "depth": chosen.get("depth", "")[:MOST_TYPED],
            "weight": chosen.get("weight", f"{DEFAULT_WEIGHT:g}")[:MOST_TYPED],
        },
        "wrong": wrong,
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
    weighs = weight(chosen) if "weight" in algorithm.options else DEFAULT_WEIGHT
    return Task(puzzle, algorithm.key, heuristic, _limits(puzzle, algorithm, chosen), weighs)


def weight(chosen: Mapping[str, str]) -> float:
    """Return the weight that was typed, else the usual one; raises `FieldError`."""
    asked = number(chosen, "weight", float, _WEIGHT)
    if asked is None:
        return DEFAULT_WEIGHT
    try:
        exact_weight(asked)  # refused here, and not in a worker
    except InvalidWeightError as error:
        raise FieldError("weight", str(error)) from None
    return asked


def _limits(puzzle: Puzzle, algorithm: Algorithm, chosen: Mapping[str, str]) -> Limits:
    """Return the limits that were chosen, within those of this site."""
    most = current_app.config["SOLVE_SECONDS"]
    within = seconds_within(most)
    seconds = number(chosen, "seconds", float, within)
    if seconds is not None and not 0 < seconds <= most:
        raise FieldError("seconds", f"{within}, found {seconds:g}")
    depth = number(chosen, "depth", int, _DEPTH) if "depth" in algorithm.options else None
    if depth == 0:
        raise FieldError("depth", f"{_DEPTH}, found 0")
    room = current_app.config["SOLVE_MEGABYTES"] * 2**20
    return Limits(
        seconds=most if seconds is None else seconds,
        stored_nodes=nodes_within(room, puzzle.rows * puzzle.cols),
        depth=depth,
    )


def seconds_within(most: float) -> str:
    """Return what can be typed as seconds, in words."""
    return f"seconds must be above 0 and at most {most:g}"


def number(
    chosen: Mapping[str, str], name: str, kind: Callable[[str], N], expected: str
) -> N | None:
    """Return what was typed in a field as a number, None if nothing was; a comma before one or
    two decimals is read too, as some keypads have no point.

    Raises `FieldError`, which says what is `expected`.
    """
    text = chosen.get(name, "").strip()
    if not text:
        return None
    typed = re.fullmatch(r"([0-9]{1,9})(\.[0-9]{1,6}|,[0-9]{1,2})?", text)
    if not typed or (kind is int and typed[2]):
        raise FieldError(name, f"{expected}, found {quoted(text, 20)}")
    return kind(text.replace(",", "."))


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
