"""Running one search for this visitor: start it, read its events, wait for its result."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from slidewise.solver.events import Finished, Preparing
from webapp.http.busy import Busy
from webapp.http.visitor import this_visitor
from webapp.workers.pool import Waiting
from webapp.workers.services import solvers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise import Result, SearchSpec
    from webapp.workers.pool import JobEvent


def start(wanted: SearchSpec) -> str:
    """Start a job for this visitor and return its id; raises `Busy`."""
    return solvers().start(wanted, *this_visitor())


def check_can_start() -> None:
    """Raise `Busy` where this visitor could not start a job now."""
    solvers().check_can_start(*this_visitor())


def wait(wanted: SearchSpec, seconds: float) -> Result | None:
    """Return the result of `wanted`, found within about `seconds`; None if the worker was lost.

    At the end of the time the search is stopped, and its result says what it knows. Raises
    `Busy` where the search could not even begin.
    """
    for event in events_within(wanted, seconds):
        if isinstance(event, Finished):
            return event.result
    return None


def events_within(wanted: SearchSpec, seconds: float) -> Iterator[JobEvent]:
    """Yield the events of `wanted`, which is stopped at the end of the time.

    Without `Finished` at the end the worker was lost. Raises `Busy` where the search could not
    even begin.
    """
    job = start(wanted)
    deadline = time.monotonic() + seconds
    queued = ended = compiling = stopped = False
    try:
        for _, event in solvers().events(job):
            if isinstance(event, Finished) and stopped:
                if compiling:
                    break
                verdict = event.result.verdict
                verdict = replace(verdict, reason=at_the_end_of_the_wait(verdict.reason))
                event = Finished(replace(event.result, verdict=verdict))
            if event is not None:
                queued, ended = isinstance(event, Waiting), isinstance(event, Finished)
                compiling = isinstance(event, Preparing)
                yield event
            if not ended and (time.monotonic() > deadline or solvers().closing):
                stopped = not solvers().closing
                solvers().cancel(job)
    finally:
        solvers().abandon(job)
        solvers().forget(job)
    if compiling:
        raise Busy(
            "What this search needs is still being compiled, which only the first searches on a "
            "machine wait for. Try again in some seconds.",
            retry_after=10,
        )
    if queued:
        raise Busy("All solvers are busy right now. Try again in some seconds.", retry_after=10)


def at_the_end_of_the_wait(reason: str) -> str:
    """Return the reason of a verdict on a search that nobody has asked to stop."""
    return reason.replace("stopped on request", "stopped when the time for this answer was over")
