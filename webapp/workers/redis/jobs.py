"""The jobs in Redis: a hash, a stream of events, and a place among waiting or running jobs.

A Redis round trip costs about 0.1 ms; commands are pipelined.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

from redis import Redis
from redis.client import Pipeline
from redis.exceptions import OutOfMemoryError, RedisError
from rq import Queue
from rq.serializers import JSONSerializer

from slidewise import SearchSpec
from slidewise.solver.events import Preparing, Started

from ..json_values import UnknownError, dumps, loads
from ..solvers import (
    KEPT_SECONDS,
    LOST,
    OVERTIME_SECONDS,
    STOP_SECONDS,
    UNTIMED_SECONDS,
    Displaced,
    Failed,
    JobEvent,
    Load,
    Waiting,
    in_turn,
    to_displace,
)

VERSION = 3
"""Version of the data in Redis; changes with the meaning of a key, an event or an argument."""

PREFIX = f"slidewise:{VERSION}:"

MANY = 1 << 30
"""A limit that is never reached."""

WORKERS = f"{PREFIX}workers"
"""Set of live workers, by lease; a member is lanes and name, as in `2|4f1c`."""

LEASE_SECONDS = 8.0
"""TTL of a lease in seconds. Holders renew it every second or two, later on a slow machine."""

_TAKE = """
-- Takes a place in each set of KEYS, or renews it. ARGV: who, for how long, then how many have room
-- in each. Returns 0, or which set is full and how many are in it; for nobody ("") only looks.
local time = redis.call('TIME')
local now = time[1] + time[2] / 1e6
local who = ARGV[1]
local held = who ~= '' and redis.call('ZSCORE', KEYS[1], who)
for i, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
  local taken = redis.call('ZCARD', key)
  if not held and taken >= tonumber(ARGV[i + 2]) then return {i, taken} end
end
if who ~= '' then
  for _, key in ipairs(KEYS) do
    redis.call('ZADD', key, now + ARGV[2], who)
    redis.call('EXPIRE', key, math.ceil(ARGV[2]))
  end
end
return {0, 0}
"""


class Leases:
    """Members of sets with a limited size, which expire."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._take = redis.register_script(_TAKE)

    def take(self, who: str, room: dict[str, int]) -> tuple[str, int]:
        """Add `who` to each set of `room`, which maps sets to limits, or renew its lease.

        Returns the first full set and its size, or ("", 0) on success. An empty `who` only checks.
        """
        full, taken = self._take(keys=list(room), args=[who, LEASE_SECONDS, *room.values()])
        return ["", *room][full], taken

    def give_back(self, who: str, *keys: str) -> None:
        """Release places; a full Redis accepts removals only outside a transaction."""
        with self._redis.pipeline(transaction=False) as pipe:
            for key in keys:
                pipe.zrem(key, who)
            pipe.execute()


def log_text(error: RedisError) -> str:
    """Return the log line of a failed request: Redis is full, or does not answer."""
    if isinstance(error, OutOfMemoryError):  # its text may contain the address of a visitor
        return (
            "Redis is full. Until it has room, no search can start: raise maxmemory, and set "
            "maxmemory-policy volatile-lru."
        )
    return (
        f"Redis does not answer ({error}). Until it does, no search can start and web processes "
        "share nothing: see that it runs, and that SLIDEWISE_REDIS says where."
    )


def now(redis: Redis) -> float:
    """Return the time in seconds by the clock of Redis, common to all machines."""
    seconds, microseconds = redis.time()
    return float(seconds) + microseconds / 1e6


OPEN, WAITING, RUNNING = (f"{PREFIX}{name}" for name in ("open", "waiting", "running"))
"""Sets of jobs: open; waiting, by time of arrival; running, by end of the lease."""


@dataclass(frozen=True, slots=True)
class JobLimits:
    """Limits of open jobs: in all, per visitor and per address."""

    jobs: int
    per_visitor: int
    per_address: int


@dataclass(frozen=True, slots=True)
class Job:
    """A job: its id, visitor and address."""

    id: str
    visitor: str
    address: str

    @classmethod
    def new(cls, visitor: str, address: str) -> Job:
        """Return a job whose id cannot be guessed."""
        return cls(secrets.token_urlsafe(16), visitor, address)

    @classmethod
    def read(cls, text: bytes) -> Job:
        """Parse the text of a job; the address may contain any character."""
        return cls(*text.decode().split("|", 2))

    def __str__(self) -> str:
        return f"{self.id}|{self.visitor}|{self.address}"

    @property
    def key(self) -> str:
        """Key of its hash, and prefix of its other keys."""
        return f"{PREFIX}job:{self.id}"

    @property
    def events(self) -> str:
        """Key of its stream of events."""
        return f"{self.key}:events"

    @property
    def stop(self) -> str:
        """Key of the order to stop it."""
        return f"{self.key}:stop"

    @property
    def reader(self) -> str:
        """Key that exists while a client reads its events."""
        return f"{self.key}:reader"

    def places(self, room: JobLimits) -> dict[str, int]:
        """Return the sets that count it, with their limits."""
        return {
            f"{PREFIX}visitor:{self.visitor}": room.per_visitor,
            f"{PREFIX}address:{self.address}": room.per_address,
            OPEN: room.jobs,
        }


UNLIMITED = JobLimits(MANY, MANY, MANY)
"""Limits for jobs that were accepted before."""


CLAIM = """
-- Takes the job ARGV[1], whose hash is KEYS[3], from those that wait (KEYS[1]) to those that run
-- (KEYS[2]), with a lease for ARGV[2] seconds. KEYS[4] says for ARGV[3] seconds that the lane runs
-- it. Returns the search and the number of attempts, nothing if another lane has taken
-- the job.
if redis.call('ZREM', KEYS[1], ARGV[1]) == 0 then return false end
local time = redis.call('TIME')
local now = time[1] + time[2] / 1e6
local spec, seconds = unpack(redis.call('HMGET', KEYS[3], 'spec', 'seconds'))
local attempt = redis.call('HINCRBY', KEYS[3], 'attempts', 1)
redis.call('HSET', KEYS[3], 'state', 'running', 'deadline', now + (seconds or 0))
redis.call('ZADD', KEYS[2], now + ARGV[2], ARGV[1])
redis.call('SET', KEYS[4], attempt .. ' ' .. ARGV[1], 'EX', ARGV[3])
return {spec, attempt}
"""

REPLIES = 4
"""Number of replies to the commands of `request_turns`."""


def request_turns(pipe: Pipeline) -> None:
    """Append the commands whose replies `Turns.read` parses."""
    pipe.time()
    pipe.zrange(WAITING, 0, -1)
    for leases in RUNNING, WORKERS:
        pipe.zrange(leases, 0, -1, withscores=True)


@dataclass(frozen=True, slots=True)
class Turns:
    """The queue in order, and the numbers of running searches and lanes."""

    jobs: list[Job]
    running: int
    lanes: int

    @classmethod
    def read(cls, replies: list[Any]) -> Turns:
        """Parse the replies of a pipeline that ended with `request_turns`."""
        (seconds, _), waiting, running, workers = replies[-REPLIES:]
        runs = [Job.read(name) for name, ends in running if ends >= seconds]
        lanes = sum(int(name.split(b"|")[0]) for name, ends in workers if ends >= seconds)
        return cls(in_turn([Job.read(name) for name in waiting], runs), len(runs), lanes)

    @property
    def queued(self) -> list[tuple[int, Job]]:
        """Jobs without a free lane, with their positions."""
        free = max(0, self.lanes - self.running)
        return list(enumerate(self.jobs, start=1))[free:]


CANCELLED, ABANDONED, CLOSING = "cancelled", "abandoned", "closing"
"""Orders to a job: report and stop, stop at once, stop because the web process ends."""

ATTEMPTS = 2
"""Attempts at a search whose worker died before it reported anything."""

JOB_SECONDS = 600
"""TTL of an orphaned job."""

READER_SECONDS = 30
"""Seconds until a search without a reader stops: its web process died, or its client stalls for
longer than a slow line does."""

RUN_NEXT = f"{__package__}.worker.run_next"
"""The function that RQ calls for a ticket."""

TICKET_SECONDS = 3600
"""RQ's timeout of a search in seconds; the search's own limits end it long before."""

LOST_JOB = Failed(LOST)


@dataclass(frozen=True, slots=True)
class JobClaim:
    """A job taken by a lane: its search and the number of attempts so far."""

    job: Job
    spec: SearchSpec
    attempt: int


class Jobs:
    """The jobs in a Redis; safe to use from many threads and processes."""

    def __init__(self, redis: Redis) -> None:
        self.redis = redis
        self.leases = Leases(redis)
        self._claim = redis.register_script(CLAIM)
        # a ticket per search; the lane that takes it runs the first job in turn
        self.tickets = Queue(f"{PREFIX}searches", connection=redis, serializer=JSONSerializer)

    # Used by the web process

    def full(self, job: Job, room: JobLimits) -> tuple[str, int]:
        """Return the full set that refuses the job and its size, or ("", 0)."""
        full = self.leases.take("", job.places(room))
        return ("", 0) if full[0] == OPEN and self._to_displace(job) else full

    def add(self, job: Job, spec: SearchSpec, room: JobLimits) -> tuple[str, int]:
        """Queue a job, or return the full set that refuses it."""
        full = self.leases.take(str(job), job.places(room))
        # repeated, as other web processes queue jobs at the same time
        while full[0] == OPEN and (displaced := self._to_displace(job)):
            if self.redis.zrem(WAITING, str(displaced)):  # no lane took it meanwhile
                self.end(displaced, Displaced())
            full = self.leases.take(str(job), job.places(room))
        if full[0]:
            return full
        try:
            self._queue(job, spec)
        except OutOfMemoryError:
            self.leases.give_back(str(job), *job.places(UNLIMITED), WAITING)
            raise
        return full

    def _queue(self, job: Job, spec: SearchSpec) -> None:
        came = now(self.redis)
        with self.redis.pipeline() as pipe:
            # RQ watches keys in the pipeline, so its commands come first
            self.issue_ticket(pipe)
            pipe.hset(job.key, mapping={"spec": dumps(spec), "job": str(job), "state": "waiting"})
            pipe.hset(job.key, "seconds", timeout_of(spec))
            pipe.expire(job.key, JOB_SECONDS)
            pipe.set(job.reader, 1, ex=READER_SECONDS)
            pipe.zadd(WAITING, {str(job): came})
            request_turns(pipe)
            self._announce(Turns.read(pipe.execute()))

    def check_memory(self) -> None:
        """Raise `OutOfMemoryError` if Redis is full, so that it refuses to write."""
        self.redis.set(f"{PREFIX}probe", 1, px=1)

    def _to_displace(self, job: Job) -> Job | None:
        """Return the waiting job that makes room for `job`."""
        with self.redis.pipeline(transaction=False) as pipe:
            for places in OPEN, WAITING:
                pipe.zrange(places, 0, -1)
            open_jobs, waiting = ([Job.read(name) for name in names] for names in pipe.execute())
        return to_displace(job.address, open_jobs, waiting)

    def issue_ticket(self, pipe: Pipeline | None = None) -> None:
        """Wake a worker; in a pipeline, RQ must come first."""
        self.tickets.enqueue_call(
            RUN_NEXT,
            timeout=TICKET_SECONDS,
            result_ttl=0,
            failure_ttl=60,
            ttl=JOB_SECONDS,
            description="search",
            pipeline=pipe,
        )

    def find(self, job_id: str) -> Job | None:
        text: Any = self.redis.hget(f"{PREFIX}job:{job_id}", "job")
        return Job.read(text) if text else None

    def find_open(self, job_id: str) -> Job | None:
        """Return the job, or None if unknown, expired or ended."""
        text, state = self._read(f"{PREFIX}job:{job_id}", "job", "state")
        return Job.read(text) if text and state != b"ended" else None

    def state(self, job: Job) -> str:
        """Return `waiting`, `running` or `ended`, or "" if the job expired."""
        state: Any = self.redis.hget(job.key, "state")
        return (state or b"").decode()

    def news(self, job: Job, after: int, seconds: float) -> list[tuple[int, JobEvent | None]]:
        """Return the events after the id `after`, waiting up to `seconds` for the first.

        None marks the end of the job. Unknown event classes are skipped.
        """
        wait = max(1, int(seconds * 1000))
        found: Any = self.redis.xread({job.events: f"0-{after}"}, block=wait)
        news: list[tuple[int, JobEvent | None]] = []
        for number, fields in found[0][1] if found else ():
            count = int(number.split(b"-")[1])
            if b"event" not in fields:
                news.append((count, None))
                continue
            try:
                news.append((count, loads(fields[b"event"])))
            except UnknownError:
                continue  # a newer version wrote it
        return news

    def look_after(self, job: Job) -> str:
        """Report a reader of the job, repair the job, and return its state.

        A waiting job has its leases renewed and a lost ticket replaced. A job whose worker died is
        restarted, or failed if it has reported something.
        """
        with self.redis.pipeline() as pipe:
            pipe.hget(job.key, "state")
            pipe.zscore(RUNNING, str(job))
            pipe.time()
            pipe.set(job.reader, 1, ex=READER_SECONDS)
            found, ends, (seconds, _), _ = pipe.execute()
        state: str = (found or b"").decode()
        if state == "waiting":
            self.redis.expire(job.key, JOB_SECONDS)
            self.leases.take(str(job), job.places(UNLIMITED))
            if not self.tickets.count:  # a worker died with the ticket
                self.issue_ticket()
        elif state == "running" and (ends is None or ends < seconds):
            self.lost(job)
        return state

    def order_stop(self, job: Job, how: str) -> None:
        """Order the worker of a job to stop it; a waiting job ends at once."""
        if self.redis.zrem(WAITING, str(job)):
            self.end(job)
        else:
            if how == ABANDONED:  # free at once, so that the visitor can start the next search
                self.leases.give_back(str(job), *job.places(UNLIMITED))
            self.redis.set(job.stop, f"{how} {now(self.redis)}", ex=JOB_SECONDS)

    def lost(self, job: Job) -> None:
        """Restart or fail a job whose worker died; only the first caller acts."""
        shown, attempts = self._read(job.key, "shown", "attempts")
        # an event that was shown cannot be taken back: no second attempt
        again = not shown and int(attempts or 1) < ATTEMPTS and not self.redis.exists(job.stop)
        # the counter lets only the first caller act
        if self.redis.hincrby(job.key, f"lost {int(attempts or 1)}", 1) != 1:
            return
        self.redis.zrem(RUNNING, str(job))
        if not again:
            self.end(job, LOST_JOB)
            return
        with self.redis.pipeline() as pipe:
            self.issue_ticket(pipe)
            pipe.hset(job.key, "state", "waiting")
            pipe.zadd(WAITING, {str(job): 0})  # before all others, as it already had its turn
            request_turns(pipe)
            self._announce(Turns.read(pipe.execute()))

    # Used by the worker

    def claim(self, lane: str) -> JobClaim | None:
        """Take the first job in turn for a lane, or None if none waits."""
        while turns := self._turns().jobs:
            job = turns[0]
            keys = [WAITING, RUNNING, job.key, _claimed_by(lane)]
            found: Any = self._claim(keys=keys, args=[str(job), LEASE_SECONDS, JOB_SECONDS])
            if not found:  # another lane was faster
                continue
            spec, attempt = found
            if spec is None:  # the job expired
                self.end(job, lane=lane)
                continue
            if turns[1:]:
                self._announce(self._turns())
            return JobClaim(job, loads(spec), attempt)
        return None

    def claimed_by(self, lane: str) -> tuple[Job, int] | None:
        """Return the job of a lane and its number of attempts."""
        text: Any = self.redis.get(_claimed_by(lane))
        if not text:
            return None
        attempt, _, job = text.partition(b" ")
        return Job.read(job), int(attempt)

    def order(self, job: Job) -> str:
        """Return the order to stop a job, or ""."""
        order: Any = self.redis.get(job.stop)
        return order.decode().split()[0] if order else ""

    def allow(self, job: Job, seconds: float) -> None:
        """Set the deadline of a job to `seconds` from now."""
        self.redis.hset(job.key, "deadline", now(self.redis) + seconds)

    def hold(self, job: Job, attempt: int) -> bool:
        """Renew the leases of a running job; return whether to kill its process.

        That is the case past its deadline, without a reader, or after a restart elsewhere.
        """
        self.leases.take(str(job), job.places(UNLIMITED))
        time = now(self.redis)
        with self.redis.pipeline() as pipe:
            pipe.zadd(RUNNING, {str(job): time + LEASE_SECONDS}, xx=True)
            pipe.expire(job.key, JOB_SECONDS)
            pipe.expire(job.events, JOB_SECONDS)
            pipe.hmget(job.key, "attempts", "deadline")
            pipe.get(job.stop)
            pipe.exists(job.reader)
            *_, (attempts, deadline), order, is_read = pipe.execute()
        how, ordered_at = order.decode().split() if order else ("", time)
        return (
            int(attempts or 0) != attempt
            or not is_read
            or how == ABANDONED
            or time > float(deadline or time)
            or time - float(ordered_at) > STOP_SECONDS
        )

    def killed(self, lane: str) -> None:
        """End or restart the job of a lane whose process was killed."""
        claimed = self.claimed_by(lane)
        if claimed is None:
            return
        job, attempt = claimed
        self.redis.delete(_claimed_by(lane))
        attempts, state = self._read(job.key, "attempts", "state")
        if int(attempts or 0) != attempt or state != b"running":
            return  # it was restarted elsewhere or has ended
        if self.redis.exists(job.stop) or not self.redis.exists(job.reader):
            self.end(job)
        else:
            self.lost(job)

    def report(self, job: Job, *events: JobEvent) -> None:
        with self.redis.pipeline() as pipe:
            _report(pipe, job, events)
            pipe.expire(job.events, JOB_SECONDS)
            pipe.execute()

    def end(self, job: Job, *last: JobEvent, lane: str = "") -> None:
        """End a job with its last events, which can still be read for a while."""
        ttl = int(KEPT_SECONDS)
        with self.redis.pipeline() as pipe:
            _report(pipe, job, last)
            pipe.hset(job.key, "state", "ended")
            pipe.xadd(job.events, {"end": 1}, id="0-*")
            for key in job.key, job.events:
                pipe.expire(key, ttl)
            for place in (*job.places(UNLIMITED), WAITING, RUNNING):
                pipe.zrem(place, str(job))
            if lane:
                pipe.delete(_claimed_by(lane))
            request_turns(pipe)
            self._announce(Turns.read(pipe.execute()))

    def forget(self, job: Job) -> None:
        if self.state(job) == "ended":
            self.redis.delete(job.key, job.events, job.stop, job.reader)

    # The queue

    @property
    def load(self) -> Load:
        """Numbers of running and waiting searches."""
        turns = self._turns()
        return Load(turns.running, len(turns.jobs))

    @property
    def lanes(self) -> int:
        """Maximum of searches that all workers run at a time."""
        return self._turns().lanes

    def _announce(self, turns: Turns) -> None:
        """Report changed queue positions to waiting jobs."""
        if not turns.queued:
            return
        with self.redis.pipeline(transaction=False) as pipe:
            for _, job in turns.queued:
                pipe.hget(job.key, "place")
            places = pipe.execute()
        for (place, job), before in zip(turns.queued, places, strict=True):
            words = f"{place}/{len(turns.jobs)}"
            if (before or b"").decode() != words:
                self.redis.hset(job.key, "place", words)
                self.report(job, Waiting(place, len(turns.jobs)))

    def _read(self, key: str, *names: str) -> list[Any]:
        return self.redis.hmget(key, *names)

    def _turns(self) -> Turns:
        with self.redis.pipeline(transaction=False) as pipe:
            request_turns(pipe)
            return Turns.read(pipe.execute())


def _report(pipe: Pipeline, job: Job, events: tuple[JobEvent, ...]) -> None:
    for event in events:
        pipe.xadd(job.events, {"event": dumps(event), "version": VERSION}, id="0-*")
        if not isinstance(event, Waiting | Preparing | Started):
            pipe.hset(job.key, "shown", 1)


def _claimed_by(lane: str) -> str:
    """Return the key of the job that a lane runs."""
    return f"{PREFIX}lane:{lane}"


def timeout_of(spec: SearchSpec) -> float:
    return (spec.limits.seconds or UNTIMED_SECONDS) + OVERTIME_SECONDS
