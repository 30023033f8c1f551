"""Solvers whose searches run in workers, reached over Redis."""

import logging
import math
import secrets
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from redis import Redis
from redis.exceptions import OutOfMemoryError, RedisError
from rq import Queue, get_current_job
from rq.serializers import JSONSerializer

from slidewise import PuzzleError, SearchSpec
from slidewise.text import Message, message

from ...http.responses import Busy, Restarting, TooLarge
from ..budgets import Pay, current_charge
from ..json_values import UnknownError, dumps, loads, qualified_name, resolve
from ..solvers import (
    HEARTBEAT_SECONDS,
    CallPool,
    CallQueue,
    Failed,
    JobEvent,
    Load,
    Solvers,
    busy_error,
    too_many_error,
)
from .jobs import (
    ABANDONED,
    CANCELLED,
    CLOSING,
    LOST_JOB,
    MANY,
    PREFIX,
    Job,
    JobLimits,
    Jobs,
    log_text,
)

T = TypeVar("T")

LOG = logging.getLogger(__name__)

REPLY_SECONDS = 60
"""TTL in seconds of replies whose web process died."""

QUEUE_WAIT_SECONDS = 1.0
"""Seconds between checks for overdue calls."""


@dataclass(frozen=True, slots=True)
class Reply:
    """Reply to a call: a value or an error of the class `error`, and its CPU seconds."""

    call: str
    value: object = None
    error: str = ""
    message: str = ""
    seconds: float = 0.0


@dataclass(eq=False)
class _Open:
    """A pending call."""

    answer: Future[Any]
    deadline: float
    pay: Pay | None


class Replies:
    """Receives the replies to the calls of this process, in a thread."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self.key = f"{PREFIX}replies:{secrets.token_hex(8)}"
        self._lock = threading.Lock()
        self._open: dict[str, _Open] = {}
        self._thread: threading.Thread | None = None
        self._closing = False

    def expect(self, call: str, timeout: float) -> Future[Any]:
        pending = _Open(Future(), time.monotonic() + timeout, current_charge())
        with self._lock:
            if self._closing:
                raise Restarting
            self._open[call] = pending
            if self._thread is None:
                thread = threading.Thread(target=self._listen, daemon=True)
                thread.start()
                self._thread = thread
        return pending.answer

    def close(self) -> None:
        """Stop; pending calls fail with `Restarting`."""
        self._closing = True
        self._fail_all(Restarting)

    def _listen(self) -> None:
        while not self._closing:
            try:
                found: Any = self._redis.blpop([self.key], timeout=QUEUE_WAIT_SECONDS)
                if found:
                    self._receive(found[1])
            except RedisError:
                self._fail_all(unreachable)  # a restarted Redis may have lost the calls
                time.sleep(QUEUE_WAIT_SECONDS)
            self._expire_overdue()

    def _receive(self, text: bytes) -> None:
        try:
            reply = loads(text)
        except UnknownError:
            LOG.exception("An answer could not be read")
            return
        with self._lock:
            pending = self._open.pop(reply.call, None)
        if pending is None:  # it was overdue and has failed
            return
        if pending.pay:
            pending.pay(reply.seconds)
        _settle(pending.answer, _error(reply) if reply.error else None, reply.value)

    def _fail_all(self, error: Callable[[], Busy]) -> None:
        with self._lock:
            left, self._open = list(self._open.values()), {}
        for pending in left:
            _settle(pending.answer, error())

    def _expire_overdue(self) -> None:
        now = time.monotonic()
        with self._lock:
            overdue = [call for call, pending in self._open.items() if pending.deadline < now]
            left = [self._open.pop(call) for call in overdue]
        for pending in left:
            _settle(pending.answer, busy_error())


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
        seconds = max(1, math.ceil(timeout))  # RQ forbids 0
        answer = self._replies.expect(call, timeout)
        try:
            self._queues[queue].enqueue_call(
                qualified_name(reply_to).replace(":", "."),
                (call, self._replies.key, qualified_name(function), dumps(args)),
                timeout=seconds,
                ttl=seconds,
                result_ttl=0,
                failure_ttl=REPLY_SECONDS,
                description=function.__name__,
            )
        except RedisError as error:
            raise redis_busy(error) from error
        return answer

    def close(self) -> None:
        self._replies.close()


def reply_to(call: str, replies: str, function: str, args: str) -> None:
    """Run a call and send its reply; called by RQ."""
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
        return resolve(function)(*loads(args)), "", ""
    except PuzzleError as error:
        text = error.args[0] if error.args else ""
        return None, qualified_name(type(error)), text if isinstance(text, Message) else str(error)
    except MemoryError:
        LOG.warning("A question took more memory than it is given: %s", function)
        return None, qualified_name(TooLarge), ""
    except Exception as error:
        LOG.exception("A question could not be answered: %s", function)
        return None, type(error).__name__, traceback.format_exc()


def _error(reply: Reply) -> Exception:
    """Return the error of a call: a `PuzzleError` keeps its class, others are a `RuntimeError`."""
    try:
        kind = resolve(reply.error)
    except UnknownError:
        return RuntimeError(f"In a worker: {reply.message}")
    if kind is TooLarge:
        return TooLarge()
    rebuilt: Exception = kind(reply.message) if issubclass(kind, PuzzleError) else RuntimeError()
    return rebuilt


def _settle(answer: Future[Any], error: Exception | None, value: object = None) -> None:
    if not answer.set_running_or_notify_cancel():
        return
    if error is not None:
        answer.set_exception(error)
    else:
        answer.set_result(value)


def unreachable() -> Busy:
    """Build the error for an unreachable Redis."""
    return Busy(message("The solvers cannot be reached right now. Try again in a few seconds."), 10)


def redis_busy(error: RedisError) -> Busy:
    """Build the error for a failed request to Redis; log it if Redis is full."""
    if not isinstance(error, OutOfMemoryError):
        return unreachable()
    LOG.warning(log_text(error))
    return Busy(SHORT_OF_MEMORY, 60)


SHORT_OF_MEMORY = message(
    "This site is short of memory right now, so it cannot solve anything. Try again in a minute."
)


LOST_CHECK_SECONDS = 2.0
"""Seconds between checks by which an idle reader reports itself and looks after the job."""

NO_WORKER, NO_REDIS, NO_MEMORY = "a worker", "Redis", "memory in Redis"
"""Values of `missing`: no live worker, no Redis, and a full Redis."""


class RedisSolvers(Solvers):
    """Runs searches in the workers of a Redis, shared by all web processes.

    The limits `jobs`, `per_visitor` and `per_address` hold over all web processes.
    """

    def __init__(
        self, url: str, jobs: int, per_visitor: int, per_address: int | None = None
    ) -> None:
        self._room = JobLimits(jobs, per_visitor, per_address or jobs)
        # each reader holds a connection; `jobs` limits the readers
        self._jobs = Jobs(Redis.from_url(url, max_connections=MANY))
        self.calls = RemoteCallPool(self._jobs.redis)
        self._lock = threading.Lock()
        self._open_jobs: list[Job] = []

    def start(self, spec: SearchSpec, visitor: str, address: str = "") -> str:
        with _redis_errors():
            self._check_open()
            job = Job.new(visitor, address or visitor)
            self._check(job, *self._jobs.add(job, spec, self._room))
        return job.id

    def check_can_start(self, visitor: str, address: str = "") -> None:
        with _redis_errors():
            self._check_open()
            job = Job.new(visitor, address or visitor)
            self._check(job, *self._jobs.full(job, self._room))

    def _check_open(self) -> None:
        if self.closing:
            raise Restarting
        if not self._jobs.lanes:
            self._jobs.check_memory()  # a full Redis refuses the leases of workers too
            raise Busy(message("No solver is running right now. Try again in a few seconds."), 10)

    def _check(self, job: Job, full: str, count: int) -> None:
        """Raise `TooManySearches` if a set is `full`."""
        if full:
            visitors, addresses, _ = job.places(self._room)
            whose = {visitors: "visitor", addresses: "address"}
            raise too_many_error(count, whose.get(full, ""))  # type: ignore[arg-type]

    def events(self, job_id: str, after: int = 0) -> Iterator[tuple[int, JobEvent | None]]:
        try:
            job = self._jobs.find(job_id)
        except RedisError as error:
            yield after + 1, _failed(error)
            return
        if job is None:
            return
        with self._lock:
            self._open_jobs.append(job)
        try:
            yield from self._news(job, after)
        except RedisError as error:
            yield after + 1, _failed(error)
        finally:
            with self._lock:
                self._open_jobs.remove(job)

    def _news(self, job: Job, after: int) -> Iterator[tuple[int, JobEvent | None]]:
        check_at = time.monotonic() + HEARTBEAT_SECONDS / 2  # soon after the first pause
        over = False
        while True:
            news = self._jobs.news(job, after, 0 if over else HEARTBEAT_SECONDS)
            for number, event in news:
                if event is None:
                    return
                after = number
                yield after, event
            if over and not news:
                return
            if time.monotonic() > check_at:
                check_at = time.monotonic() + LOST_CHECK_SECONDS
                over = self._jobs.look_after(job) in ("ended", "")
                if over:
                    continue  # read events that came before the end
            if not news:
                yield after, None

    def cancel(self, job_id: str) -> None:
        self._stop(job_id, CANCELLED)

    def abandon(self, job_id: str) -> None:
        self._stop(job_id, ABANDONED)

    def forget(self, job_id: str) -> None:
        with _redis_errors():
            job = self._jobs.find(job_id)
            if job is not None:
                self._jobs.forget(job)

    def _stop(self, job_id: str, how: str) -> None:
        with _redis_errors():
            job = self._jobs.find_open(job_id)
            if job is not None:
                self._jobs.order_stop(job, how)

    @property
    def load(self) -> Load:
        with _redis_errors():
            return self._jobs.load

    @property
    def missing(self) -> tuple[str, ...]:
        try:
            self._jobs.check_memory()
            return () if self._jobs.lanes else (NO_WORKER,)
        except OutOfMemoryError:
            return (NO_MEMORY,)
        except RedisError:
            return (NO_REDIS,)

    def warm_up(self) -> None:
        """Do nothing: workers warm up themselves."""

    def close(self) -> None:
        self.closing = True
        self.calls.close()
        with self._lock:
            read_here = list(self._open_jobs)
        for job in read_here:
            with _redis_errors():
                self._jobs.order_stop(job, CLOSING)


@contextmanager
def _redis_errors() -> Iterator[None]:
    """Turn errors of Redis into `Busy`."""
    try:
        yield
    except RedisError as error:
        raise redis_busy(error) from error


def _failed(error: RedisError) -> Failed:
    """Return the last event of a search whose job cannot be read or renewed."""
    if isinstance(error, OutOfMemoryError):
        LOG.warning(log_text(error))
        return Failed(SHORT_OF_MEMORY)
    return LOST_JOB
