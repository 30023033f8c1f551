"""Running one search for this visitor: start it, read its events, wait for its result."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from slidewise.solver.events import Finished, Preparing

from ..http.responses import Compiling, Restarting
from ..http.visitor import current_visitor
from .distances import Distances
from .services import service, solvers
from .solvers import TIME_OVER, Waiting, busy_error, stop_reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise import Result, SearchSpec

    from .solvers import JobEvent


def start(wanted: SearchSpec) -> str:
    """Start a job for this visitor and return its id; raises `Busy`."""
    return solvers().start(wanted, *current_visitor())


def check_can_start() -> None:
    """Raise `Busy` if this visitor could not start a job now."""
    solvers().check_can_start(*current_visitor())


def events(job: str, wanted: SearchSpec) -> Iterator[tuple[int, JobEvent | None]]:
    """Yield the events of the job that runs `wanted`, with known bounds added."""
    return service(Distances).joined(solvers().events(job), wanted.puzzle)


def wait(wanted: SearchSpec, seconds: float) -> Result | None:
    """Return the result of `wanted`, found within about `seconds`; None if the worker was lost.

    After that the search is stopped, and its result has the bounds so far. Raises `Busy` if the
    search could not start.
    """
    for event in events_within(wanted, seconds):
        if isinstance(event, Finished):
            return event.result
    return None


def events_within(wanted: SearchSpec, seconds: float) -> Iterator[JobEvent]:
    """Yield the events of `wanted`, which is stopped at the end of the time.

    Without `Finished` at the end the worker was lost. Raises `Busy` if the search could not
    start.
    """
    job = start(wanted)
    deadline = time.monotonic() + seconds
    queued = ended = compiling = stopped = False
    try:
        for _, event in events(job, wanted):
            if isinstance(event, Finished) and stopped:
                if compiling:
                    break
                event = Finished(stop_reason(TIME_OVER, event.result))
            if event is not None:
                queued, ended = isinstance(event, Waiting), isinstance(event, Finished)
                compiling = isinstance(event, Preparing)
                yield event
            if not ended and (time.monotonic() > deadline or solvers().closing):
                stopped = stopped or not solvers().closing
                solvers().cancel(job)
    finally:
        solvers().abandon(job)
        solvers().forget(job)
    if solvers().closing and not stopped and not ended:
        raise Restarting
    if compiling:
        raise Compiling
    if queued:
        raise busy_error(retry_after=10)
