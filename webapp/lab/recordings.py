"""The recordings of searches, made in a worker and shared by the pages and the viewer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from flask import current_app

from slidewise import Status, find_algorithm, find_heuristic
from slidewise.solver.convention import find_convention
from slidewise.solver.events import Finished
from slidewise.solver.frontier import FrontierKind
from slidewise.study.recording import record
from slidewise.study.recording.packed import pack, unpack
from slidewise.study.recording.pseudocode import pseudocode
from slidewise.text import plural
from webapp.http.errors import sentence
from webapp.workers import Busy, Failed, Waiting, jobs
from webapp.workers.shared import Kind

if TYPE_CHECKING:
    from slidewise import Result, SearchSpec
    from slidewise.study.recording import Recording
    from webapp.workers.shared import Shared

RECORDED_EXPANSIONS = 2_000
"""Expansions of a search that are recorded: a tree of more is a blur, and slow to draw."""

LAST_EXPANSIONS = 100
"""Expansions recorded at the end of a longer search: enough to see how it comes to the goal, and
few enough to step through. Such a search runs twice, which takes about as long again."""

RANKED_EXPANSIONS, PATH_EXPANSIONS, BOOK_EXPANSIONS = 2_000_000, 20_000_000, 30_000
"""Expansions after which a search that is recorded ends: of one that holds its frontier, of one
that keeps one path, and of the plain loop. Each takes about a second. They are counted, not timed,
so that the same search has the same end however busy the machine is."""

RECORDINGS = Kind["SearchSpec", "Recording"](
    "recordings", most=6, seconds=300, pack=pack, unpack=unpack
)
"""Some 10 MB each in memory, at the most, and a fiftieth of that as they are shared."""


class Recordings:
    """The latest recordings, so that a page, its viewer and its next page share one."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def get(self, spec: SearchSpec) -> Recording:
        """Return the recording of a search, which may have to run first; raises `Busy`."""
        recording = self._shared.get(RECORDINGS, spec)
        if recording is None:
            recording = _record(spec)
            self._shared.put(RECORDINGS, spec, recording)
        return recording


def to_record(spec: SearchSpec) -> SearchSpec:
    """Return the search as it is recorded: with a trace, and to an end that repeats."""
    limits = replace(spec.limits, seconds=None, expansions=_most_expansions(spec))
    return replace(spec, limits=limits, trace=RECORDED_EXPANSIONS, trace_last=LAST_EXPANSIONS)


def _most_expansions(spec: SearchSpec) -> int:
    if not find_convention(spec.convention, spec.algorithm).is_own:
        return BOOK_EXPANSIONS
    frontier = find_algorithm(spec.algorithm).frontier
    keeps_path = frontier and frontier.kind in (FrontierKind.PATH, FrontierKind.RECURSION)
    return PATH_EXPANSIONS if keeps_path else RANKED_EXPANSIONS


def _record(spec: SearchSpec) -> Recording:
    """Return the recording of a search that came to an end by itself; raises `Busy`."""
    found = list(jobs.events_within(spec, current_app.config["SOLVE_WAIT"]))
    last = found[-1] if found else None
    if not isinstance(last, Finished) or last.result.status is Status.CANCELLED:
        raise Busy(
            "The solver did not get that far in time. Try again in a few seconds.", retry_after=5
        )
    events = [event for event in found if not isinstance(event, Waiting | Failed)]
    return record(spec.puzzle, find_algorithm(spec.algorithm), events, spec.weight, spec.convention)


def viewer_json(recording: Recording) -> dict[str, Any]:
    """Return a recording and its result as the viewer takes them."""
    result = recording.result
    assert result is not None
    return {
        **recording.as_json(),
        "title": _title(recording, result),
        "status": result.status.value,
        "length": result.length,
        "expanded": result.expanded,
        "words": _outcome(result),
        "heuristic": result.heuristic,
        "algorithm": recording.algorithm.title,
        "code": pseudocode(recording.algorithm, recording.convention),
    }


def _title(recording: Recording, result: Result) -> str:
    """Return the titles of the algorithm and its heuristic, and the weight."""
    title = recording.algorithm.title
    if result.heuristic:
        title += f", {find_heuristic(result.heuristic).title}"
    if not recording.rules.is_own:
        title += f" ({recording.rules.title})"
    return f"{title}, w = {result.weight:g}" if result.weight else title


def _outcome(result: Result) -> str:
    """Return in a sentence what the search found."""
    reason = result.verdict.reason
    if result.status is Status.SOLVED:
        proof = f"{result.proof[:1].upper()}{result.proof[1:]}"
        return sentence(f"{plural(result.length or 0, 'move')}. {proof}: {reason}")
    if result.status is Status.UNSOLVABLE:
        return sentence(f"This goal cannot be reached: {reason}")
    return sentence(f"No solution was found: {reason}")
