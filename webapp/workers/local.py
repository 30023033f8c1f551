"""Solvers on a single machine: a queue and a worker process for each running search."""

import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import NamedTuple

from slidewise import SearchSpec
from slidewise.solver import compiling
from slidewise.solver.events import Finished, Preparing, Started

from ..http.responses import Restarting
from . import solvers
from .helpers import STOP, LocalCallPool, end, notify_parent, run, start, wait_for_end_of
from .memory import FORKS, LimitedContext, LimitedProcess
from .solvers import (
    HEARTBEAT_SECONDS,
    KEPT_SECONDS,
    OVERTIME_SECONDS,
    STOP_SECONDS,
    UNTIMED_SECONDS,
    Displaced,
    Failed,
    JobEvent,
    Load,
    Solvers,
    Waiting,
    in_turn,
    to_displace,
    too_many_error,
)
from .warming import Warming

_LOG = logging.getLogger(__name__)

CLOSING_SECONDS = 0.5
"""Grace period in seconds for workers at shutdown."""

LEAVE_SECONDS = 0.05
"""Grace period in seconds after a worker's last event."""

IDLE_SECONDS = 1.0
"""Seconds that a worker waits for another search, which saves a fork; that takes longer than a
usual 15-puzzle."""


class _Searcher(NamedTuple):
    """A process that runs searches, one at a time."""

    process: LimitedProcess
    connection: Connection

    def end(self, seconds: float = 0.0) -> str:
        """Wait for its end, kill it after `seconds`, and return its exit status in words."""
        how = end(self.process, seconds)
        self.connection.close()
        return how


@dataclass(eq=False)
class _Job:
    id: str
    spec: SearchSpec
    visitor: str
    address: str
    changed: threading.Condition = field(default_factory=threading.Condition)
    events: list[JobEvent] = field(default_factory=list)
    cancelled: bool = False
    abandoned: bool = False
    ended: float | None = None

    def report(self, *events: JobEvent) -> None:
        with self.changed:
            self.events.extend(events)
            self.changed.notify_all()

    def end(self) -> None:
        with self.changed:
            self.ended = time.monotonic()
            self.changed.notify_all()


class LocalSolvers(Solvers):
    """Runs at most `solvers` searches at a time, in the order of `in_turn`.

    Open jobs are limited by `jobs`, `per_visitor` and `per_address`. Workers, of at most
    `megabytes` each, are forked from a server with the compiled search (`forkserver`), so a search
    starts within milliseconds. A worker takes the next search if there is one soon. A worker that
    has grown, crashed or was killed is replaced.
    """

    def __init__(
        self,
        solvers: int,
        jobs: int,
        per_visitor: int,
        per_address: int | None = None,
        megabytes: int | None = None,
    ) -> None:
        self._solvers, self._most_jobs, self._per_visitor = solvers, jobs, per_visitor
        self._per_address = per_address or jobs
        self._context = LimitedContext(megabytes)
        if FORKS:
            self._context.set_forkserver_preload([f"{__package__}.preload"])
        self.calls = LocalCallPool(self._context)
        self.stop_seconds, self.closing_seconds = STOP_SECONDS, CLOSING_SECONDS
        self.overtime, self.kept_seconds = OVERTIME_SECONDS, KEPT_SECONDS
        self.idle_seconds = IDLE_SECONDS
        self._turn = threading.Condition()
        self._jobs: dict[str, _Job] = {}
        self._queue: list[_Job] = []
        self._running: list[_Job] = []
        self._idle_lock = threading.Lock()
        self._idle: list[tuple[_Searcher, float]] = []
        self._ends_idle = False
        self.warming = Warming(self._context)

    def start(self, spec: SearchSpec, visitor: str, address: str = "") -> str:
        with self._turn:
            displaced = self._find_room(visitor, address or visitor)
            job = _Job(secrets.token_urlsafe(16), spec, visitor, address or visitor)
            # first, as a job without a thread would hold up the queue for ever
            threading.Thread(target=self._serve, args=(job,), daemon=True).start()
            if displaced:
                displaced.report(Displaced())
                displaced.end()
                self._queue.remove(displaced)
                self.cancel(displaced.id)
            self._jobs[job.id] = job
            self._queue.append(job)
        return job.id

    def check_can_start(self, visitor: str, address: str = "") -> None:
        self._find_room(visitor, address or visitor)

    def _find_room(self, visitor: str, address: str) -> _Job | None:
        """Return the job to displace, None if a place is free; raises as `check_can_start` does."""
        with self._turn:
            self._forget_old_jobs()
            open_jobs = [job for job in self._jobs.values() if job.ended is None]
            waiting = [job for job in self._queue if not job.cancelled]
        if self.closing:
            raise Restarting
        if sum(job.visitor == visitor for job in open_jobs) >= self._per_visitor:
            raise too_many_error(self._per_visitor, "visitor")
        if sum(job.address == address for job in open_jobs) >= self._per_address:
            raise too_many_error(self._per_address, "address")
        if len(open_jobs) < self._most_jobs:
            return None
        displaced = to_displace(address, open_jobs, waiting)
        if displaced is None:
            raise too_many_error(len(open_jobs))
        return displaced

    def events(self, job_id: str, after: int = 0) -> Iterator[tuple[int, JobEvent | None]]:
        job = self._jobs.get(job_id)
        while job is not None:
            with job.changed:
                if after >= len(job.events) and job.ended is None:
                    job.changed.wait(HEARTBEAT_SECONDS)
                news, ended = job.events[after:], job.ended is not None
            for event in news:
                after += 1
                yield after, event
            if ended and after >= len(job.events):
                return
            if not news:
                yield after, None  # a heartbeat, which detects a closed connection

    def cancel(self, job_id: str) -> None:
        job = self._jobs.get(job_id)
        if job is not None:
            job.cancelled = True
            with self._turn:
                self._turn.notify_all()

    def abandon(self, job_id: str) -> None:
        job = self._jobs.get(job_id)
        if job is not None:
            job.abandoned = True
        self.cancel(job_id)

    def forget(self, job_id: str) -> None:
        with self._turn:
            job = self._jobs.get(job_id)
            if job is not None and job.ended is not None:
                del self._jobs[job_id]

    @property
    def load(self) -> Load:
        with self._turn:
            return Load(len(self._running), len(self._queue))

    @property
    def missing(self) -> tuple[str, ...]:
        return self.warming.missing

    def warm_up(self) -> None:
        if FORKS:
            threading.Thread(target=self._warm_up, daemon=True).start()
        self.warming.start()

    def close(self) -> None:
        self.closing = True
        self.warming.close()
        self.calls.close()
        with self._idle_lock:
            idle, self._idle = self._idle, []
        for worker, _ in idle:
            worker.end()
        for job_id in list(self._jobs):
            self.cancel(job_id)

    def _warm_up(self) -> None:
        """Load the fork server, again after its death."""
        while not self.closing:
            process, connection = self._start_worker(notify_parent)
            try:
                wait_for_end_of(connection.recv())
            except (EOFError, OSError):
                return  # it cannot be watched here: the next start of a worker reports it
            finally:
                end(process, None)
                connection.close()
            if not self.closing:
                _LOG.warning(
                    "The process that workers are forked from was lost. Another takes its place."
                )

    def _forget_old_jobs(self) -> None:
        now = time.monotonic()
        for job in list(self._jobs.values()):
            if job.ended is not None and now - job.ended > self.kept_seconds:
                self._jobs.pop(job.id, None)

    def _serve(self, job: _Job) -> None:
        """Take a job through the queue and its worker; runs in a thread."""
        try:
            if self._wait_for_turn(job):
                try:
                    self._work(job)
                finally:
                    with self._turn:
                        self._running.remove(job)
                        self._turn.notify_all()
        except Exception:
            job.report(Failed(solvers.NOT_STARTED))
            raise
        finally:
            job.end()

    def _wait_for_turn(self, job: _Job) -> bool:
        """Return True at the job's turn, False if it was cancelled before."""
        reported = None
        my_turn = False
        with self._turn:
            while not job.cancelled:
                place = in_turn(self._queue, self._running).index(job)
                my_turn = place == 0 and len(self._running) < self._solvers
                if my_turn:
                    self._running.append(job)
                    break
                waiting = Waiting(place + 1, len(self._queue))
                if waiting != reported:
                    job.report(waiting)
                    reported = waiting
                self._turn.wait()
            if job in self._queue:  # otherwise it was displaced
                self._queue.remove(job)
            self._turn.notify_all()
        return my_turn

    def _work(self, job: _Job) -> None:
        """Search in an idle worker, or in a new worker.

        If an idle worker dies before its first event, the search is repeated: the worker was
        already dying, as a killed process closes its connection only after its last thread has
        ended.
        """
        idle, reported = self._take_idle(), len(job.events)
        death = self._search_in(idle, job) if idle else ""
        if not idle or (death and len(job.events) == reported):
            death = self._search_in(_Searcher(*self._start_worker(run)), job)
        if death:
            _LOG.warning("A search was lost (%s).", death)
            job.report(Failed(solvers.lost_reason(death)))

    def _search_in(self, worker: _Searcher, job: _Job) -> str:
        """Return the exit status of a worker lost during the search, otherwise an empty string."""
        lost = is_ready = False
        how = ""
        try:
            lost, is_ready = self._relay(job, worker.connection)
        finally:
            if not (is_ready and self._leave_idle(worker)):
                how = worker.end(LEAVE_SECONDS)
        return how if lost else ""

    def _take_idle(self) -> _Searcher | None:
        """Return the worker that finished last, if any waits for a search."""
        while True:
            with self._idle_lock:
                if not self._idle:
                    return None
                worker, _ = self._idle.pop()
            if not worker.connection.poll():  # readable: the worker has ended
                return worker
            worker.end()

    def _leave_idle(self, worker: _Searcher) -> bool:
        """Keep a worker for another search; return False if it has to end."""
        with self._idle_lock:
            if self.closing or not self.idle_seconds:
                return False
            self._idle.append((worker, time.monotonic() + self.idle_seconds))
            if not self._ends_idle:
                threading.Thread(target=self._end_idle, daemon=True).start()
                self._ends_idle = True
        return True

    def _end_idle(self) -> None:
        """End workers that have waited long enough, until none waits; runs in a thread."""
        while True:
            with self._idle_lock:
                now = time.monotonic()
                late = [worker for worker, until in self._idle if until <= now]
                self._idle = self._idle[len(late) :]  # ordered by their deadlines
                if not self._idle:
                    self._ends_idle = False
                pause = self._idle[0][1] - now if self._idle else None
            for worker in late:
                worker.end()
            if pause is None:
                return
            time.sleep(pause)

    def _start_worker(
        self, target: Callable[[Connection], None]
    ) -> tuple[LimitedProcess, Connection]:
        """Fork a worker; the first call waits for the fork server."""
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=target, args=(theirs,), daemon=True)
        try:
            start(process)
        except (EOFError, OSError):  # the fork server died; this starts a new server
            process = self._context.Process(target=target, args=(theirs,), daemon=True)
            start(process)
        theirs.close()
        return process, ours

    def _relay(self, job: _Job, connection: Connection) -> tuple[bool, bool]:
        """Have the worker search, and relay its events until its end or its deadline.

        Return whether it died, and whether it waits for another search.
        """
        seconds = (job.spec.limits.seconds or UNTIMED_SECONDS) + self.overtime
        deadline = time.monotonic() + compiling.MAX_SECONDS + seconds  # compiling may come first
        why_stopped = ""
        _send(connection, job.spec)
        while time.monotonic() < deadline and not job.abandoned:
            if job.cancelled and not why_stopped:
                why_stopped = solvers.SERVER_STOPS if self.closing else solvers.ON_REQUEST
                left = self.closing_seconds if self.closing else self.stop_seconds
                deadline = time.monotonic() + left
                _send(connection, STOP)
            if not connection.poll(0.05):  # short, to notice a cancelled job
                continue
            try:
                events, is_ready = connection.recv()
            except (EOFError, OSError):
                break
            last = events[-1]
            if isinstance(last, Finished):
                events[-1] = Finished(solvers.stop_reason(why_stopped, last.result))
            job.report(*events)
            if isinstance(last, Finished | Failed):
                return False, is_ready
            # compilation is not limited by the job's seconds
            if not why_stopped and isinstance(last, Preparing):
                deadline = time.monotonic() + compiling.MAX_SECONDS + seconds
            elif not why_stopped and any(isinstance(event, Started) for event in events):
                deadline = time.monotonic() + seconds
        return not job.cancelled, False


def _send(connection: Connection, message: object) -> None:
    try:
        connection.send(message)
    except OSError:
        return  # the worker has ended, which the next `recv` reports
