"""Searches for this visitor: start them, read their events, wait for their results.

Programs run some one after the other, for their events or only their results.
"""

import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace

from flask import current_app

from slidewise import Result, SearchSpec, Status
from slidewise.solver.events import Finished, Preparing

from ..http.responses import Compiling, Restarting
from ..http.visitor import current_visitor
from . import Busy, Failed
from .distances import Distances
from .helpers import slot
from .shared import service, solvers
from .solvers import (
    TIME_OVER,
    Displaced,
    JobEvent,
    Waiting,
    busy_error,
    displaced_error,
    stop_reason,
)

MIN_SECONDS = 0.1
"""Minimum seconds of a search, even if earlier searches used up the total."""

RETRY_SECONDS = 0.3
"""Seconds until the next attempt to start a search while the visitor runs another."""

WITHOUT_A_PLACE = threading.BoundedSemaphore(6)
"""Threads that may hold a stream whose next search waits for a place; clicks need the other
threads."""


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
    search could not start, or lost its place in the queue.
    """
    job = start(wanted)
    deadline = time.monotonic() + seconds
    result: Result | None = None
    queued = compiling = stopped = False
    try:
        for _, event in events(job, wanted):
            if isinstance(event, Displaced):
                raise displaced_error()
            if isinstance(event, Finished):
                result = event.result
            elif event is not None:
                queued, compiling = isinstance(event, Waiting), isinstance(event, Preparing)
            if result is None and (time.monotonic() > deadline or solvers().closing):
                stopped = stopped or not solvers().closing
                solvers().cancel(job)
    finally:
        solvers().abandon(job)
        solvers().forget(job)
    if result is not None and not (stopped and compiling):
        return stop_reason(TIME_OVER, result) if stopped else result
    if solvers().closing and not stopped:
        raise Restarting
    if compiling:  # which took all of the time
        raise Compiling
    if queued:
        raise busy_error(retry_after=10)
    return None


class LostError(Exception):
    """The worker of a search died; the message names the next step."""


class SequentialSearches:
    """Some searches, one at a time, within `seconds` of searching in all.

    The remaining seconds are shared evenly between the remaining searches. The first starts at
    once, or raises `Busy`. Several instances can share the work: each takes the next of the common
    `numbers` of searches.
    """

    def __init__(
        self, specs: Sequence[SearchSpec], seconds: float, numbers: deque[int] | None = None
    ) -> None:
        self._specs, self._left = specs, seconds
        self._numbers = deque(range(len(specs))) if numbers is None else numbers
        # stored, as a stream outlives the context of its request
        self._pool, self._visitor = solvers(), current_visitor()
        self._distances = service(Distances)
        self._grace = current_app.config["QUEUE_WAIT"]
        self._closed = False
        self._job = self._start(self._numbers[0])
        self._first = self._numbers.popleft()

    def events(self) -> Iterator[tuple[int, JobEvent | None]]:
        """Yield (number of the search, event), or None as the event twice a second while nothing
        happens. A search that lost its place in the queue is queued again."""
        number: int | None = self._first
        while number is not None:
            events = self._pool.events(self._job)
            event: JobEvent | None = None
            for _, event in self._distances.joined(events, self._specs[number].puzzle):
                if isinstance(event, Finished):
                    self._left -= event.result.seconds
                yield number, event
            self._pool.forget(self._job)  # there may be hundreds, and paths are long
            if not isinstance(event, Displaced):
                number = self._next()
            if number is not None:
                yield from self._start_next(number)
            if self._closed:
                return

    def results(self, seconds: float) -> list[Result]:
        """Return the results within about `seconds`; later searches are stopped.

        Raises `Busy` if some could not start by then or lost their place, and `LostError`.
        """
        deadline = time.monotonic() + seconds + self._grace
        found: list[Result] = []
        compiling = False
        for _, event in self.events():
            if isinstance(event, Finished):
                result = event.result
                if result.status is Status.CANCELLED:
                    if compiling:
                        raise Restarting if self._pool.closing else Compiling
                    # stopped for its time, as at any other limit
                    result = replace(stop_reason(TIME_OVER, result), status=Status.CUTOFF)
                found.append(result)
            if event is not None:
                compiling = isinstance(event, Preparing)
            if isinstance(event, Failed):
                self.close()
                raise LostError(event.message)
            if isinstance(event, Displaced):
                raise displaced_error()
            if time.monotonic() > deadline or self._pool.closing:
                self.close()
        if len(found) < len(self._specs) and self._pool.closing:
            raise Restarting
        if len(found) < len(self._specs):
            raise busy_error(retry_after=10)
        return found

    def close(self) -> None:
        """Stop the running search, and start no other."""
        self._closed = True
        self._pool.cancel(self._job)

    def _next(self) -> int | None:
        """Return the number of the next search, or None after the last."""
        try:
            return None if self._closed else self._numbers.popleft()
        except IndexError:  # another instance has taken the last
            return None

    def _start(self, number: int) -> str:
        spec = self._specs[number]
        share = max(MIN_SECONDS, self._left / (len(self._specs) - number))
        seconds = round(min(spec.limits.seconds or share, share), 2)
        limits = replace(spec.limits, seconds=seconds)
        return self._pool.start(replace(spec, limits=limits), *self._visitor)

    def _start_next(self, number: int) -> Iterator[tuple[int, None]]:
        """Start a search once there is a place; raises `Busy` if too many streams wait."""
        with slot(WITHOUT_A_PLACE) as waits:
            while not self._closed:
                try:
                    self._job = self._start(number)
                    if self._closed:  # closed during the start
                        self._pool.cancel(self._job)
                    return
                # keep the stream alive while it waits
                except Busy:
                    if self._pool.closing or not waits:
                        raise
                    yield number, None
                    time.sleep(RETRY_SECONDS)
