"""`slidewise worker`: the processes that run searches and answer questions which come over Redis.

One process prepares what searches need, and forks lanes: workers of RQ, each with one thing to do
at a time. Those for searches fork a process for each search; those for questions answer themselves,
and keep the tables that they have made. A lane that is lost is followed by another.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import secrets
import signal
import threading
import time
from contextlib import suppress
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, NamedTuple

from redis import Redis
from redis.exceptions import RedisError
from rq import Queue, SimpleWorker, Worker, get_current_job
from rq.serializers import JSONSerializer

from slidewise.solver import compiling, warming
from slidewise.solver.events import Expanded, Finished, Preparing, Started
from slidewise.solver.kernels import cache
from slidewise.solver.tables.patterns import files
from webapp.workers import memory, solvers
from webapp.workers.helpers import NICENESS, how_it_ended
from webapp.workers.redis.jobs import CLOSING, LEASE_SECONDS, MANY, PREFIX, WORKERS, Jobs, Leases
from webapp.workers.solvers import CallQueue, Failed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.context import ForkProcess
    from types import FrameType

    from rq.executions import Execution
    from rq.job import Job as Ticket

    from slidewise import Result
    from webapp.workers.redis.jobs import JobClaim
    from webapp.workers.solvers import JobEvent


PARENT_CHECK_SECONDS = 1
"""How often a lane looks after the search that it runs: RQ takes whole seconds."""

RENEW_SECONDS = 2.0
"""How often a worker says that it lives, and looks after its lanes."""

SHORT_LIFE_SECONDS = 1.0
"""A lane that lived no longer is followed by another only after a pause as long."""

STOPS = signal.SIGINT, signal.SIGTERM
"""What stops a worker once its lanes are done; the second of them, at once."""

LOG = logging.getLogger(__name__)


class Duty(NamedTuple):
    """What a lane does: searches, or questions of one kind; and how far it lets others go first."""

    queue: str
    niceness: int = 0

    @property
    def searches(self) -> bool:
        """Whether it runs searches."""
        return self.queue == "searches"


SEARCHES = Duty("searches")
"""The lanes for searches."""

CALLS = tuple(Duty(queue, queue.niceness) for queue in CallQueue for _ in range(queue.workers))
"""The lanes for calls, as many as `LocalCallPool` has processes."""


def work(url: str, searches: int, megabytes: int, ready: Callable[[], None]) -> None:
    """Run searches, so many at a time, until told to stop; `ready` is called once they can begin.

    Each process may take `megabytes`. Raises `SystemExit` where Redis cannot be reached.
    """
    redis = Redis.from_url(url)
    try:
        redis.ping()
    except RedisError as error:
        raise SystemExit(f"Redis cannot be reached at {_without_password(url)}: {error}") from error
    with cache.kernel_cache(), files.found():
        heard = signal.getsignal(signal.SIGINT)
        import webapp.workers.preload  # noqa: F401  # which lanes share: what is compiled by now

        signal.signal(signal.SIGINT, heard)  # it is for whoever waits for the compiler
        _prepare()  # the first lane finds what that has added
        supervise(url, [*[SEARCHES] * searches, *CALLS], megabytes, ready)


def supervise(url: str, duties: Sequence[Duty], megabytes: int, ready: Callable[[], None]) -> None:
    """Have lanes with these duties work until this process is told to stop, in which all is loaded
    that they need."""
    redis = Redis.from_url(url)
    Supervisor(redis, duties, lambda duty: Lane(url, duty, megabytes)).run(ready)


def _prepare() -> None:
    """Have everything compiled, in a process that gives its memory back."""
    process = multiprocessing.get_context("fork").Process(target=prepare_everything)
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(f"What searches need could not be compiled ({process.exitcode}).")


def prepare_everything() -> None:
    """Compile and unpack what searches need; run in a process of its own."""
    for number in STOPS:
        signal.signal(number, signal.SIG_DFL)
    for part in warming.PARTS:
        for _ in warming.prepare(part):
            pass


def _without_password(url: str) -> str:
    """Return an address as it may be shown.

    >>> _without_password("redis://:secret@db:6379/1"), _without_password("unix:///run/redis")
    ('redis://db:6379/1', 'unix:///run/redis')
    """
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"


class Supervisor:
    """Keeps lanes running until this process is told to stop; then lets them end what they do."""

    def __init__(self, redis: Redis, duties: Sequence[Duty], new: Callable[[Duty], Lane]) -> None:
        self._redis, self._new = redis, new
        self._lanes: dict[Duty, list[Lane]] = {duty: [] for duty in duties}
        self._wanted = {duty: duties.count(duty) for duty in duties}
        searches = self._wanted[SEARCHES]
        self._name = f"{searches}|{secrets.token_hex(4)}"
        self._told, self._tell = os.pipe()
        self._stops = 0

    def run(self, ready: Callable[[], None]) -> None:
        """Work until SIGINT or SIGTERM comes, and then until what was begun has ended."""
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
        os.write(self._tell, b"s")

    def _fill(self) -> None:
        """Start the lanes that are not there."""
        for duty, lanes in self._lanes.items():
            for lane in [lane for lane in lanes if not lane.process.is_alive()]:
                lanes.remove(lane)
                if duty.searches:
                    self._look_after_search_of(lane)
                LOG.warning("A lane was lost (%s). Another takes its place.", lane.how)
                if time.monotonic() - lane.began < SHORT_LIFE_SECONDS:
                    time.sleep(SHORT_LIFE_SECONDS)
            while len(lanes) < self._wanted[duty]:
                lanes.append(self._new(duty))

    def _look_after_search_of(self, lane: Lane) -> None:
        """Say what became of the search of a lane that was lost, once its process has gone too."""
        wait(
            [lane.process.sentinel], PARENT_CHECK_SECONDS
        )  # which it holds as well, and ends by itself
        with suppress(RedisError):  # else readers see that its lease is over
            Jobs(self._redis).killed(lane.name)

    def _renew(self) -> bool:
        """Say that this worker lives; return whether that could be said."""
        try:
            Leases(self._redis).take(self._name, {WORKERS: MANY}, LEASE_SECONDS)
        except RedisError as error:
            LOG.warning("Redis cannot be reached: %s", error)
            return False
        return True

    def _wait(self) -> None:
        """Wait until a lane ends, this process is told to stop, or it is time to look."""
        lanes = [lane.process for lanes in self._lanes.values() for lane in lanes]
        living = [lane.sentinel for lane in lanes if lane.is_alive()]
        if self._told in wait([self._told, *living], RENEW_SECONDS):
            os.read(self._told, 1)

    def _drain(self) -> None:
        """Let the lanes end what they do; at the second signal end them."""
        with suppress(RedisError):
            Leases(self._redis).give_back(self._name, WORKERS)
        lanes = [lane for lanes in self._lanes.values() for lane in lanes]
        for lane in lanes:
            lane.tell_to_stop()
        while any(lane.process.is_alive() for lane in lanes):
            self._wait()
            if self._stops > 1:
                for lane in lanes:
                    lane.kill()
        for lane in self._lanes[SEARCHES]:
            self._look_after_search_of(lane)


class Lane:
    """A process that takes what stands in a queue, one after the other."""

    def __init__(self, url: str, duty: Duty, megabytes: int) -> None:
        self.began = time.monotonic()
        self.name = secrets.token_hex(16)
        self.process: ForkProcess = multiprocessing.get_context("fork").Process(
            target=_take, args=(self.name, url, duty, megabytes)
        )
        signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)  # until it does not have ours any more
        try:
            self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)

    @property
    def how(self) -> str:
        """How it ended."""
        self.process.join()
        return how_it_ended(self.process.exitcode)

    def tell_to_stop(self) -> None:
        """Have it take nothing more, and end."""
        self.process.terminate()

    def kill(self) -> None:
        """End it at once, and the search that it runs."""
        self.process.kill()


def _take(name: str, url: str, duty: Duty, megabytes: int) -> None:
    """Do what a lane does."""
    for number in STOPS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
    os.nice(duty.niceness)
    memory.limit(megabytes * 2**20)
    threading.Thread(target=_stop_when_alone, daemon=True).start()
    # else each process that is forked from it looks first for the version of redis-py, for 3 ms
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


def _stop_when_alone() -> None:
    """Have a lane end what it does, and then itself, when the process that forked it has gone."""
    supervisor = multiprocessing.parent_process()
    if supervisor is not None:
        wait([supervisor.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)


class SearchWorker(Worker):
    """Runs each search in a process of its own, looks after that, and tells where it was lost."""

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Note that the lane is to stop, undisturbed by the alarm that ends each look: it would
        leave the words with Redis half read."""
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
        try:
            super().request_stop(signum, frame)  # type: ignore[no-untyped-call]  # RQ has none
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])

    def maintain_heartbeats(self, job: Ticket, execution: Execution) -> None:
        """Hold the places of the search that runs, and kill it where it does not end."""
        super().maintain_heartbeats(job, execution)
        claimed = Jobs(self.connection).claimed_by(self.name)
        if claimed and Jobs(self.connection).hold(*claimed):
            self.kill_horse()

    def handle_work_horse_killed(self, job: Ticket, *how: object) -> None:
        """Look after the search of a process that was lost."""
        Jobs(self.connection).killed(self.name)


STOP_CHECK_SECONDS = 0.1
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
        last.append(Failed(solvers.TOO_LARGE))
    except Exception:
        last.append(Failed("The solver could not be started. Try again in a moment."))
        raise
    finally:
        jobs.end(claim.job, *last, lane=lane)


def _run(jobs: Jobs, claim: JobClaim) -> list[JobEvent]:
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

    def __init__(self, jobs: Jobs, claim: JobClaim) -> None:
        super().__init__(daemon=True)
        self._jobs, self._job = jobs, claim.job
        self._lane = os.getppid()
        self.came = threading.Event()
        self._why = solvers.ON_REQUEST

    def run(self) -> None:
        """Look for it, until it comes or there is nobody left to give it."""
        how = ""
        while not how:
            time.sleep(STOP_CHECK_SECONDS)  # first, as most searches have ended by then
            if os.getppid() != self._lane:
                os._exit(1)  # nobody looks after this process any more
            how = self._jobs.order(self._job)
        self._why = solvers.SERVER_STOPS if how == CLOSING else solvers.ON_REQUEST
        self.came.set()

    def reason_in(self, result: Result) -> Result:
        """Return the result of the search, with the reason why it was stopped."""
        return solvers.stop_reason(self._why, result)
