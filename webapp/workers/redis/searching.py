"""What a worker does with a ticket of RQ: it runs the search whose turn it is."""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING

from rq import get_current_job

from slidewise.solver import compiling
from slidewise.solver.events import Expanded, Finished, Preparing, Started
from webapp.workers import reasons
from webapp.workers.process import NICENESS
from webapp.workers.redis.jobs import CLOSING, Jobs
from webapp.workers.solvers import Failed

if TYPE_CHECKING:
    from slidewise import Result
    from webapp.workers.redis.jobs import Claim
    from webapp.workers.solvers import JobEvent

LOOK_SECONDS = 0.1
"""How often it is looked whether a search is to stop."""

EVENTS_AT_ONCE = 200
"""How many events of a trace are sent together."""


def run_next() -> None:
    """Run the search whose turn it is, if there is one; called by RQ in a process of its own."""
    ticket = get_current_job()
    assert ticket is not None
    lane = ticket.worker_name or ""
    jobs = Jobs(ticket.connection)
    claim = jobs.claim(lane)
    if claim is None:
        return
    os.nice(NICENESS)
    last: list[JobEvent] = []
    try:
        last += _run(jobs, claim)
    except MemoryError:
        last.append(Failed(reasons.TOO_LARGE))
    except Exception:
        last.append(Failed("The solver could not be started. Try again in a moment."))
        raise
    finally:
        jobs.end(claim.job, *last, lane=lane)


def _run(jobs: Jobs, claim: Claim) -> list[JobEvent]:
    """Run the search and tell its events, but for the last, which are returned."""
    job = claim.job
    order = _Order(jobs, claim)
    order.start()
    prepared = False
    events: list[JobEvent] = []
    for event in claim.spec.events(order.came.is_set):
        if isinstance(event, Preparing):  # which does not count
            jobs.allow(job, compiling.MAX_SECONDS + claim.seconds)
            prepared = True
        elif isinstance(event, Started) and prepared:
            jobs.allow(job, claim.seconds)
        if isinstance(event, Finished):
            event = Finished(order.reason_in(event.result))
        events.append(event)
        if not isinstance(event, Expanded | Finished) or len(events) >= EVENTS_AT_ONCE:
            jobs.tell(job, *events)
            events = []
    return events


class _Order(threading.Thread):
    """Waits for the order to stop the search that runs in this process."""

    def __init__(self, jobs: Jobs, claim: Claim) -> None:
        super().__init__(daemon=True)
        self._jobs, self._job = jobs, claim.job
        self._lane = os.getppid()
        self.came = threading.Event()
        self._why = reasons.ON_REQUEST

    def run(self) -> None:
        """Look for it, until it comes or there is nobody left to give it."""
        how = ""
        while not how:
            time.sleep(LOOK_SECONDS)  # first, as most searches have ended by then
            if os.getppid() != self._lane:
                os._exit(1)  # nobody looks after this process any more
            how = self._jobs.order(self._job)
        self._why = reasons.SERVER_STOPS if how == CLOSING else reasons.ON_REQUEST
        self.came.set()

    def reason_in(self, result: Result) -> Result:
        """Return the result of the search, with the reason why it was stopped."""
        return reasons.stopped_for(self._why, result)
