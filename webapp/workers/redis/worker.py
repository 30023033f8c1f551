"""`slidewise worker`: processes that run the searches and calls of web processes over Redis.

A supervisor compiles and forks lanes: workers of RQ with one job at a time. A search lane forks a
process for each search. A call lane runs calls itself and caches its tables. Dead lanes are
replaced.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import secrets
import signal
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import NamedTuple

from redis import Redis
from redis.exceptions import RedisError
from rq import Queue, SimpleWorker, Worker, get_current_job
from rq.executions import Execution
from rq.job import Job as Ticket
from rq.serializers import JSONSerializer

from slidewise import FunctionError, Result
from slidewise.solver import compiling, warming
from slidewise.solver.events import Expanded, Finished, Preparing, Started
from slidewise.solver.kernels import cache
from slidewise.solver.tables.patterns import files
from slidewise.text import sentence

from .. import memory, solvers
from ..helpers import become_search, how_it_ended, when_parent_dies
from ..solvers import CallQueue, Failed, JobEvent
from .jobs import CLOSING, MANY, PREFIX, WORKERS, JobClaim, Jobs, Leases, log_text, timeout_of

PARENT_CHECK_SECONDS = 1
"""Seconds between checks of a lane's search: RQ takes whole seconds."""

RENEW_SECONDS = 2.0
"""Seconds after which a worker renews its lease and checks its lanes."""

SHORT_LIFE_SECONDS = 1.0
"""A lane that died within these seconds is replaced after a pause of the same length."""

STOPS = signal.SIGINT, signal.SIGTERM
"""Signals that stop a worker after its jobs; the second signal stops it at once."""

LOG = logging.getLogger(__name__)


class Duty(NamedTuple):
    """The queue of a lane, of searches or calls, and its niceness."""

    queue: str
    niceness: int = 0

    @property
    def searches(self) -> bool:
        return self.queue == "searches"


SEARCHES = Duty("searches")
"""The lanes for searches."""

CALLS = tuple(Duty(queue, queue.niceness) for queue in CallQueue for _ in range(queue.workers))
"""The lanes for calls, as many as `LocalCallPool` has processes."""


def work(url: str, searches: int, megabytes: int, ready: Callable[[], None]) -> None:
    """Run at most `searches` at a time until a signal; call `ready` once the lanes run.

    Each process may take `megabytes`. Raises `SystemExit` without Redis.
    """
    redis = Redis.from_url(url)
    try:
        redis.ping()
    except RedisError as error:
        raise SystemExit(f"Redis cannot be reached at {_without_password(url)}: {error}") from error
    with cache.kernel_cache(), files.found():
        handler = signal.getsignal(signal.SIGINT)
        from .. import preload  # noqa: F401  # compiled code, shared by all lanes

        signal.signal(signal.SIGINT, handler)  # the operator may interrupt the compilation
        _prepare()  # so that the first lane loads compiled code
        supervise(url, [*[SEARCHES] * searches, *CALLS], megabytes, ready)


def supervise(url: str, duties: Sequence[Duty], megabytes: int, ready: Callable[[], None]) -> None:
    """Run lanes with these duties until a signal; call it with all code loaded."""
    redis = Redis.from_url(url)
    Supervisor(redis, duties, lambda duty: Lane(url, duty, megabytes)).run(ready)


def _prepare() -> None:
    """Compile everything in a process, whose memory is freed."""
    process = multiprocessing.get_context("fork").Process(target=prepare_everything)
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(f"What searches need could not be compiled ({process.exitcode}).")


def prepare_everything() -> None:
    """Compile the kernels and unpack the tables; runs in its own process."""
    for number in STOPS:
        signal.signal(number, signal.SIG_DFL)
    for part in warming.PARTS:
        for _ in warming.prepare(part):
            pass


def _without_password(url: str) -> str:
    """Return a URL without its password.

    >>> _without_password("redis://:secret@db:6379/1"), _without_password("unix:///run/redis")
    ('redis://db:6379/1', 'unix:///run/redis')
    """
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"


class Supervisor:
    """Replaces dead lanes until a signal; then lets them finish."""

    def __init__(self, redis: Redis, duties: Sequence[Duty], new: Callable[[Duty], Lane]) -> None:
        self._redis, self._new = redis, new
        self._lanes: dict[Duty, list[Lane]] = {duty: [] for duty in duties}
        self._counts = {duty: duties.count(duty) for duty in duties}
        searches = self._counts[SEARCHES]
        self._name = f"{searches}|{secrets.token_hex(4)}"
        # a signal handler writes to the pipe, which ends the wait for lanes
        self._wake_end, self._signal_end = os.pipe()
        self._stops = 0

    def run(self, ready: Callable[[], None]) -> None:
        """Work until SIGINT or SIGTERM, then until the running jobs end."""
        for number in STOPS:
            signal.signal(number, self._stop)
        is_ready = False
        while not self._stops:
            self._fill()
            if self._renew() and not is_ready:
                ready()
                is_ready = True
            self._wait()
        self._drain()

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._stops += 1
        os.write(self._signal_end, b"s")

    def _fill(self) -> None:
        """Start missing lanes."""
        for duty, lanes in self._lanes.items():
            for lane in [lane for lane in lanes if not lane.process.is_alive()]:
                lanes.remove(lane)
                if duty.searches:
                    self._look_after_search_of(lane)
                LOG.warning("A lane was lost (%s). Another takes its place.", lane.how)
                if time.monotonic() - lane.began < SHORT_LIFE_SECONDS:
                    time.sleep(SHORT_LIFE_SECONDS)
            while len(lanes) < self._counts[duty]:
                lanes.append(self._new(duty))

    def _look_after_search_of(self, lane: Lane) -> None:
        """End or restart the search of a dead lane, once its process has ended."""
        wait(
            [lane.process.sentinel], PARENT_CHECK_SECONDS
        )  # the search holds the sentinel too, and ends by itself
        with suppress(RedisError):  # otherwise readers notice the expired lease
            Jobs(self._redis).killed(lane.name)

    def _renew(self) -> bool:
        """Renew the lease; return whether that worked."""
        try:
            Leases(self._redis).take(self._name, {WORKERS: MANY})
        except RedisError as error:
            LOG.warning(log_text(error))
            return False
        return True

    def _wait(self) -> None:
        """Wait for the end of a lane, a signal or the next check."""
        lanes = [lane.process for lanes in self._lanes.values() for lane in lanes]
        living = [lane.sentinel for lane in lanes if lane.is_alive()]
        if self._wake_end in wait([self._wake_end, *living], RENEW_SECONDS):
            os.read(self._wake_end, 1)

    def _drain(self) -> None:
        """Let the lanes finish; kill them at the second signal."""
        with suppress(RedisError):
            Leases(self._redis).give_back(self._name, WORKERS)
        lanes = [lane for lanes in self._lanes.values() for lane in lanes]
        for lane in lanes:
            lane.stop()
        while any(lane.process.is_alive() for lane in lanes):
            self._wait()
            if self._stops > 1:  # the second signal
                for lane in lanes:
                    lane.kill()
        for lane in self._lanes[SEARCHES]:
            self._look_after_search_of(lane)


class Lane:
    """A process that runs the jobs of a queue, one at a time."""

    def __init__(self, url: str, duty: Duty, megabytes: int) -> None:
        self.began = time.monotonic()
        self.name = secrets.token_hex(16)
        self.process: BaseProcess = multiprocessing.get_context("fork").Process(
            target=_take, args=(self.name, url, duty, megabytes)
        )
        signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)  # until the child has reset the handlers
        try:
            self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)

    @property
    def how(self) -> str:
        """Its exit status in words."""
        self.process.join()
        return how_it_ended(self.process.exitcode)

    def stop(self) -> None:
        """Stop it after its current job."""
        self.process.terminate()

    def kill(self) -> None:
        """Kill it with its search."""
        self.process.kill()


def _take(name: str, url: str, duty: Duty, megabytes: int) -> None:
    for number in STOPS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
    os.nice(duty.niceness)
    memory.limit(megabytes * 2**20)
    when_parent_dies(lambda: os.kill(os.getpid(), signal.SIGTERM))  # stops after the current job
    # otherwise each forked search first looks up the version of redis-py, for 3 ms
    redis = Redis.from_url(url, driver_info=None)
    queue = Queue(f"{PREFIX}{duty.queue}", connection=redis, serializer=JSONSerializer)
    worker = (SearchWorker if duty.searches else SimpleWorker)(
        [queue],
        name,
        connection=redis,
        serializer=JSONSerializer,
        job_monitoring_interval=PARENT_CHECK_SECONDS,
    )
    worker.work(logging_level="WARNING")


class SearchWorker(Worker):
    """Runs each search in its own process, and reports its loss."""

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Note the stop with SIGALRM blocked: the alarm would leave a reply of Redis half read."""
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
        try:
            super().request_stop(signum, frame)  # type: ignore[no-untyped-call]  # RQ has none
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])

    def maintain_heartbeats(self, job: Ticket, execution: Execution) -> None:
        """Renew the leases of the search, and kill it if overdue."""
        super().maintain_heartbeats(job, execution)
        claimed = Jobs(self.connection).claimed_by(self.name)
        if claimed and Jobs(self.connection).hold(*claimed):
            self.kill_horse()

    def handle_work_horse_killed(self, job: Ticket, *how: object) -> None:
        """End or restart the search of a dead process."""
        Jobs(self.connection).killed(self.name)


STOP_CHECK_SECONDS = 0.1
"""Seconds between checks for an order to stop."""

EVENTS_AT_ONCE = 200
"""Trace events in a batch."""


def run_next() -> None:
    """Run the first search in turn, if any; called by RQ in its own process."""
    ticket = get_current_job()
    assert ticket is not None
    lane = ticket.worker_name or ""
    jobs = Jobs(ticket.connection)
    claim = jobs.claim(lane)
    if claim is None:
        return
    become_search()
    last: list[JobEvent] = []
    try:
        last += _run(jobs, claim)
    except MemoryError:
        last.append(Failed(solvers.TOO_LARGE))
    except FunctionError as error:  # of an installed package
        last.append(Failed(sentence(str(error))))
    except Exception:
        last.append(Failed(solvers.NOT_STARTED))
        raise
    finally:
        jobs.end(claim.job, *last, lane=lane)


def _run(jobs: Jobs, claim: JobClaim) -> list[JobEvent]:
    """Run the search, send its events, and return the last batch."""
    job, seconds = claim.job, timeout_of(claim.spec)
    order = _Order(jobs, claim)
    order.start()
    prepared = False
    events: list[JobEvent] = []
    for event in claim.spec.events(order.came.is_set):
        if isinstance(event, Preparing):  # compilation is not limited by the job's seconds
            jobs.allow(job, compiling.MAX_SECONDS + seconds)
            prepared = True
        elif isinstance(event, Started) and prepared:
            jobs.allow(job, seconds)
        if isinstance(event, Finished):
            event = Finished(order.reason_in(event.result))
        events.append(event)
        # rare events are sent at once; trace events come in thousands
        if not isinstance(event, Expanded | Finished) or len(events) >= EVENTS_AT_ONCE:
            jobs.report(job, *events)
            events = []
    return events


class _Order(threading.Thread):
    """Waits for an order to stop this process's search."""

    def __init__(self, jobs: Jobs, claim: JobClaim) -> None:
        super().__init__(daemon=True)
        self._jobs, self._job = jobs, claim.job
        self._lane = os.getppid()
        self.came = threading.Event()
        self._why = solvers.ON_REQUEST

    def run(self) -> None:
        """Poll until the order comes or the lane dies."""
        how = ""
        while not how:
            time.sleep(STOP_CHECK_SECONDS)  # first, as most searches end within the pause
            if os.getppid() != self._lane:
                os._exit(1)  # the lane is dead
            how = self._jobs.order(self._job)
        self._why = solvers.SERVER_STOPS if how == CLOSING else solvers.ON_REQUEST
        self.came.set()

    def reason_in(self, result: Result) -> Result:
        """Return the result with the reason for the stop."""
        return solvers.stop_reason(self._why, result)
