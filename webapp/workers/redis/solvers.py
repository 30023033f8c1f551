"""The solvers as a web process sees them whose searches run in workers, over Redis."""

from __future__ import annotations

import logging
import math
import secrets
import threading
import time
import traceback
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from redis import Redis
from redis.exceptions import RedisError
from rq import Queue, get_current_job
from rq.serializers import JSONSerializer

from slidewise import PuzzleError
from webapp.http.responses import Busy, Restarting, TooLarge
from webapp.workers.budgets import current_charge
from webapp.workers.redis.jobs import (
    ABANDONED,
    CANCELLED,
    CLOSING,
    LOST,
    MANY,
    PREFIX,
    Job,
    JobLimits,
    Jobs,
)
from webapp.workers.solvers import (
    HEARTBEAT_SECONDS,
    CallPool,
    CallQueue,
    Load,
    Solvers,
    busy_error,
    too_many_error,
)
from webapp.workers.wire import UnknownError, dumps, loads, name_of, named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from slidewise import SearchSpec
    from webapp.workers.budgets import Pay
    from webapp.workers.solvers import JobEvent


T = TypeVar("T")

LOG = logging.getLogger(__name__)

REPLY_SECONDS = 60
"""How long answers are kept that nobody takes, as their web process has gone."""

QUEUE_WAIT_SECONDS = 1.0
"""How often it is looked for questions that have waited too long."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of a question: a value, or an error of the class `error`; and what it cost."""

    call: str
    value: object = None
    error: str = ""
    message: str = ""
    seconds: float = 0.0


@dataclass(eq=False)
class _Open:
    """A question that is not answered yet."""

    answer: Future[Any]
    deadline: float
    pay: Pay | None


class Replies:
    """Takes the answers to the questions of this process, in a thread of its own."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self.key = f"{PREFIX}replies:{secrets.token_hex(8)}"
        self._lock = threading.Lock()
        self._open: dict[str, _Open] = {}
        self._thread: threading.Thread | None = None
        self._closing = False

    def expect(self, call: str, timeout: float) -> Future[Any]:
        """Return the answer to come to a question."""
        asked = _Open(Future(), time.monotonic() + timeout, current_charge())
        with self._lock:
            if self._closing:
                raise Restarting
            self._open[call] = asked
            if self._thread is None:
                self._thread = threading.Thread(target=self._listen, daemon=True)
                self._thread.start()
        return asked.answer

    def close(self) -> None:
        """Expect no more answers: whoever waits is told to come again."""
        with self._lock:
            self._closing = True
            left, self._open = list(self._open.values()), {}
        for asked in left:
            _settle(asked.answer, Restarting())

    def _listen(self) -> None:
        while not self._closing:
            try:
                found: Any = self._redis.blpop([self.key], timeout=QUEUE_WAIT_SECONDS)
                if found:
                    self._take(found[1])
            except RedisError:
                time.sleep(QUEUE_WAIT_SECONDS)  # questions are late meanwhile
            self._give_up_late()

    def _take(self, text: bytes) -> None:
        try:
            reply = loads(text)
        except UnknownError:
            LOG.exception("An answer could not be read")
            return
        with self._lock:
            asked = self._open.pop(reply.call, None)
        if asked is None:
            return
        if asked.pay:
            asked.pay(reply.seconds)
        _settle(asked.answer, _error(reply) if reply.error else None, reply.value)

    def _give_up_late(self) -> None:
        now = time.monotonic()
        with self._lock:
            overdue = [call for call, asked in self._open.items() if asked.deadline < now]
            left = [self._open.pop(call) for call in overdue]
        for asked in left:
            _settle(asked.answer, busy_error())


class RemoteCallPool(CallPool):
    """Workers that take calls from queues of RQ."""

    def __init__(self, redis: Redis) -> None:
        self._replies = Replies(redis)
        self._queues = {
            name: Queue(f"{PREFIX}{name}", connection=redis, serializer=JSONSerializer)
            for name in CallQueue
        }

    def submit(
        self, queue: CallQueue, function: Callable[..., T], *args: object, timeout: float
    ) -> Future[T]:
        call = secrets.token_hex(8)
        seconds = max(1, math.ceil(timeout))  # none is forbidden by RQ
        answer = self._replies.expect(call, timeout)
        try:
            self._queues[queue].enqueue_call(
                name_of(reply_to).replace(":", "."),
                (call, self._replies.key, name_of(function), dumps(args)),
                timeout=seconds,
                ttl=seconds,
                result_ttl=0,
                failure_ttl=REPLY_SECONDS,
                description=function.__name__,
            )
        except RedisError as error:
            raise unreachable() from error
        return answer

    def close(self) -> None:
        self._replies.close()


def reply_to(call: str, replies: str, function: str, args: str) -> None:
    """Answer a question; called by RQ."""
    ticket = get_current_job()
    assert ticket is not None
    began = time.process_time()
    reply = _outcome(call, function, args)
    text = dumps(Reply(call, *reply, time.process_time() - began))
    with ticket.connection.pipeline() as pipe:
        pipe.rpush(replies, text)
        pipe.expire(replies, REPLY_SECONDS)
        pipe.execute()


def _outcome(call: str, function: str, args: str) -> tuple[object, str, str]:
    """Return (value, class of an error or "", its message)."""
    try:
        return named(function)(*loads(args)), "", ""
    except PuzzleError as error:
        return None, name_of(type(error)), str(error)
    except MemoryError:
        LOG.warning("A question took more memory than it is given: %s", function)
        return None, name_of(TooLarge), ""
    except Exception as error:
        LOG.exception("A question could not be answered: %s", function)
        return None, type(error).__name__, traceback.format_exc()


def _error(reply: Reply) -> Exception:
    """Return what a question raised: where it is about a puzzle as it was, else with its text."""
    try:
        kind = named(reply.error)
    except UnknownError:
        return RuntimeError(f"In a worker: {reply.message}")
    if kind is TooLarge:
        return TooLarge()
    made: Exception = kind(reply.message) if issubclass(kind, PuzzleError) else RuntimeError()
    return made


def _settle(answer: Future[Any], error: Exception | None, value: object = None) -> None:
    if not answer.set_running_or_notify_cancel():
        return
    if error is not None:
        answer.set_exception(error)
    else:
        answer.set_result(value)


def unreachable() -> Busy:
    """Return what is raised where Redis cannot be reached."""
    return Busy("The solvers cannot be reached right now. Try again in a few seconds.", 10)


LOST_CHECK_SECONDS = 2.0
"""How often a reader to whom nothing is told looks after the search, and says that it is there."""

NO_WORKER, NO_REDIS = "a worker", "Redis"
"""What is missing where no worker lives, and where Redis cannot be reached."""


class RedisSolvers(Solvers):
    """Has searches run by the workers of a Redis, which all web processes share.

    There may be `jobs` in all, `per_visitor` each, and `per_address` of the visitors behind one
    address, whatever processes they come to.
    """

    def __init__(
        self, url: str, jobs: int, per_visitor: int, per_address: int | None = None
    ) -> None:
        self._room = JobLimits(jobs, per_visitor, per_address or jobs)
        # each reader holds a connection; how many there are is limited by `jobs`, not here
        self._jobs = Jobs(Redis.from_url(url, max_connections=MANY))
        self.calls = RemoteCallPool(self._jobs.redis)
        self._lock = threading.Lock()
        self._read_here: list[Job] = []

    def start(self, spec: SearchSpec, visitor: str, address: str = "") -> str:
        with _reached():
            self._check_open()
            job = Job.new(visitor, address or visitor)
            self._check(job, *self._jobs.add(job, spec, self._room))
        return job.id

    def check_can_start(self, visitor: str, address: str = "") -> None:
        with _reached():
            self._check_open()
            job = Job.new(visitor, address or visitor)
            self._check(job, *self._jobs.full(job, self._room))

    def _check_open(self) -> None:
        if self.closing:
            raise Restarting
        if not self._jobs.lanes:
            raise Busy("No solver is running right now. Try again in a few seconds.", 10)

    def _check(self, job: Job, full: str, count: int) -> None:
        """Raise `TooManySearches` where a set of places is `full`."""
        if full:
            visitors, addresses, _ = job.places(self._room)
            whose = {visitors: "you started", addresses: "from your network"}
            raise too_many_error(count, whose.get(full, ""))

    def events(self, job_id: str, after: int = 0) -> Iterator[tuple[int, JobEvent | None]]:
        try:
            job = self._jobs.find(job_id)
        except RedisError:
            yield after + 1, LOST
            return
        if job is None:
            return
        with self._lock:
            self._read_here.append(job)
        try:
            yield from self._news(job, after)
        except RedisError:
            yield after + 1, LOST
        finally:
            with self._lock:
                self._read_here.remove(job)

    def _news(self, job: Job, after: int) -> Iterator[tuple[int, JobEvent | None]]:
        look_at = time.monotonic() + HEARTBEAT_SECONDS / 2  # when it has told nothing for once
        while True:
            news = self._jobs.news(job, after, HEARTBEAT_SECONDS)
            for number, event in news:
                if event is None:
                    return
                after = number
                yield after, event
            if time.monotonic() > look_at:
                look_at = time.monotonic() + LOST_CHECK_SECONDS
                if self._jobs.look_after(job) in ("ended", "") and not news:
                    return
            if not news:
                yield after, None

    def cancel(self, job_id: str) -> None:
        self._stop(job_id, CANCELLED)

    def abandon(self, job_id: str) -> None:
        self._stop(job_id, ABANDONED)

    def forget(self, job_id: str) -> None:
        with _reached():
            job = self._jobs.find(job_id)
            if job is not None:
                self._jobs.forget(job)

    def _stop(self, job_id: str, how: str) -> None:
        with _reached():
            job = self._jobs.find_open(job_id)
            if job is not None:
                self._jobs.tell_to_stop(job, how)

    @property
    def load(self) -> Load:
        with _reached():
            return self._jobs.load

    @property
    def missing(self) -> tuple[str, ...]:
        try:
            return () if self._jobs.lanes else (NO_WORKER,)
        except RedisError:
            return (NO_REDIS,)

    def warm_up(self) -> None:
        """Nothing: the workers do."""

    def close(self) -> None:
        self.closing = True
        self.calls.close()
        with self._lock:
            read_here = list(self._read_here)
        for job in read_here:
            with _reached():
                self._jobs.tell_to_stop(job, CLOSING)


@contextmanager
def _reached() -> Iterator[None]:
    """Tell a visitor where Redis cannot be reached."""
    try:
        yield
    except RedisError as error:
        raise unreachable() from error
