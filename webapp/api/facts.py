"""What is known about a puzzle without a search."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

from flask import current_app, url_for

from slidewise import heuristics
from slidewise.solver.known import from_table, moves_at_least
from slidewise.study.distance_ahead import estimate
from webapp.workers import Busy
from webapp.workers.distances import DEADLINE_SECONDS, Distances
from webapp.workers.services import service, solvers
from webapp.workers.solvers import CallQueue

if TYPE_CHECKING:
    from concurrent.futures import Future

    from slidewise import Puzzle

LOADING_QUESTIONS = 8
"""The most questions that wait for tables to be loaded or built; others are told null."""

EXACT = "exact"
"""The heuristic whose value is the distance, which is asked for already: it loads numpy."""

_loading = threading.BoundedSemaphore(LOADING_QUESTIONS)


def facts(puzzle: Puzzle) -> dict[str, Any]:
    """Return what there is to tell of a puzzle, as JSON."""
    small, wait = puzzle.has_table, current_app.config["FACTS_WAIT"]
    distances = service(Distances)
    ahead = distances.within(puzzle, wait, "") if small else None
    known = from_table(ahead.at_least) if ahead else distances.known(puzzle)
    distance = known.at_least if known and known.exact else None
    at_least = known.at_least if known else moves_at_least(puzzle)
    parity = puzzle.parity
    return {
        "puzzle": str(puzzle),
        "rows": puzzle.rows,
        "cols": puzzle.cols,
        "start": str(puzzle.start),
        "goal": str(puzzle.goal),
        "goal_name": puzzle.goal_name,
        "solvable": puzzle.solvable,
        "parity": {
            "transpositions": parity.transpositions,
            "grid_distance": parity.grid_distance,
            "inversions": parity.inversions,
            "row_distance": parity.row_distance,
            "explanation": parity.explain(),
        },
        "distance": distance,
        "lower_bound": at_least if puzzle.solvable else None,
        "estimates": _estimates(puzzle) | ({EXACT: distance} if small else {}),
        "links": links(puzzle),
    }


def links(puzzle: Puzzle) -> dict[str, str]:
    """Return the addresses of a puzzle on this site."""
    code = str(puzzle)
    return {
        "self": url_for("api.puzzle", code=code),
        "play": url_for("game.page", code=code),
        "picture": url_for("sharing.drawing", code=code),
    }


def _estimates(puzzle: Puzzle) -> dict[str, int | None]:
    """Return what the heuristics for this size say of the start, but for the exact distance:
    those that load tables only where the goal can be reached, and as far as these are ready."""
    known = heuristics().items()
    keys = [key for key, entry in known if entry.fits(*puzzle.start.size) and key != EXACT]
    tabled = [key for key in keys if heuristics()[key].loads_tables]
    answers = {key: _ask(puzzle, key) for key in tabled} if puzzle.solvable else {}
    deadline = time.monotonic() + current_app.config["FACTS_WAIT"]
    return {
        key: _answered(answers.get(key), deadline) if key in tabled else estimate(puzzle, key)
        for key in keys
    }


def _ask(puzzle: Puzzle, heuristic: str) -> Future[int] | None:
    """Ask for an estimate that takes tables, which this process does not load; None where too
    much is asked."""
    if not _loading.acquire(blocking=False):
        return None
    try:
        queue = CallQueue.CLICK if puzzle.has_table else CallQueue.BUILD
        answer = solvers().calls.submit(
            queue, estimate, puzzle, heuristic, timeout=DEADLINE_SECONDS
        )
    except Busy:
        _loading.release()
        return None
    answer.add_done_callback(lambda _: _loading.release())
    return answer


def _answered(answer: Future[int] | None, deadline: float) -> int | None:
    try:
        return answer.result(max(0.0, deadline - time.monotonic())) if answer else None
    except (TimeoutError, Busy):
        return None
