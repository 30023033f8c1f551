"""The jobs in Redis: each a hash, a stream of events, and a place among those that wait or run.

Each word with Redis takes a tenth of a millisecond here and there: what can be said together is.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rq import Queue
from rq.serializers import JSONSerializer

from slidewise.solver.events import Preparing, Started
from webapp.workers.solvers import (
    KEPT_SECONDS,
    OVERTIME_SECONDS,
    STOP_SECONDS,
    UNTIMED_SECONDS,
    Failed,
    Load,
    Waiting,
    in_turn,
)
from webapp.workers.wire import UnknownError, dumps, loads

if TYPE_CHECKING:
    from redis import Redis
    from redis.client import Pipeline

    from slidewise import SearchSpec
    from webapp.workers.solvers import JobEvent


VERSION = 1
"""The version of what stands in Redis; changed with the meaning of a key, an event, an argument."""

PREFIX = f"slidewise:{VERSION}:"

MANY = 1 << 30
"""More than there ever are, where nothing else is to limit how many."""

WORKERS = f"{PREFIX}workers"
"""The workers that live, by lease; each is called by its lanes and a name, as in `2|4f1c`."""

LEASE_SECONDS = 8.0
"""How long a place is held without a word of its holder, who gives one each second or two: some
times as long as that is late on a slow machine."""

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
    """Places in sets that have room for so many."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._take = redis.register_script(_TAKE)

    def take(
        self, who: str, room: dict[str, int], seconds: float = LEASE_SECONDS
    ) -> tuple[str, int]:
        """Take a place in each of the sets, or renew it; `room` says how many each has.

        Returns the set that is full, tried in order, and how many are in it; ("", 0) where it
        worked. With "" for `who` it is only looked whether it would.
        """
        full, taken = self._take(keys=list(room), args=[who, seconds, *room.values()])
        return ["", *room][full], taken

    def give_back(self, who: str, *keys: str) -> None:
        """Give places back."""
        with self._redis.pipeline() as pipe:
            for key in keys:
                pipe.zrem(key, who)
            pipe.execute()


def now(redis: Redis) -> float:
    """Return the time in seconds by the clock of Redis, which all machines go by."""
    seconds, microseconds = redis.time()
    return float(seconds) + microseconds / 1e6


OPEN, WAITING, RUNNING = (f"{PREFIX}{name}" for name in ("open", "waiting", "running"))
"""The jobs that have not ended, those that wait by the time of coming, those that run by lease."""


@dataclass(frozen=True, slots=True)
class JobLimits:
    """How many jobs there may be in all, of a visitor, and of those behind one address."""

    jobs: int
    per_visitor: int
    per_address: int


@dataclass(frozen=True, slots=True)
class Job:
    """A job: its id, and who sent it."""

    id: str
    visitor: str
    address: str

    @classmethod
    def new(cls, visitor: str, address: str) -> Job:
        """Return a job whose id cannot be guessed."""
        return cls(secrets.token_urlsafe(16), visitor, address)

    @classmethod
    def read(cls, text: bytes) -> Job:
        """Return the job that was written so, whatever an address is called."""
        return cls(*text.decode().split("|", 2))

    def __str__(self) -> str:
        return f"{self.id}|{self.visitor}|{self.address}"

    @property
    def key(self) -> str:
        """The name of its hash, and how its other keys begin."""
        return f"{PREFIX}job:{self.id}"

    @property
    def events(self) -> str:
        """The name of its stream."""
        return f"{self.key}:events"

    @property
    def stop(self) -> str:
        """The key that says how it is to stop."""
        return f"{self.key}:stop"

    @property
    def reader(self) -> str:
        """The key that is there while somebody reads its events."""
        return f"{self.key}:reader"

    def places(self, room: JobLimits) -> dict[str, int]:
        """Return the sets in which it has a place, and how many those have room for."""
        return {
            f"{PREFIX}visitor:{self.visitor}": room.per_visitor,
            f"{PREFIX}address:{self.address}": room.per_address,
            OPEN: room.jobs,
        }


UNLIMITED = JobLimits(MANY, MANY, MANY)
"""The room for jobs that were let in already."""


CLAIM = """
-- Takes the job ARGV[1], whose hash is KEYS[3], from those that wait (KEYS[1]) to those that run
-- (KEYS[2]), with a lease for ARGV[2] seconds. KEYS[4] says for ARGV[3] seconds that the lane runs
-- it. Returns what it is to search and how often that was begun by now, nothing where another has
-- taken it.
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
"""How many replies `ask` leads to."""


def ask(pipe: Pipeline) -> None:
    """Ask for what `Turns.read` reads, as the last of a pipeline."""
    pipe.time()
    pipe.zrange(WAITING, 0, -1)
    for leases in RUNNING, WORKERS:
        pipe.zrange(leases, 0, -1, withscores=True)


@dataclass(frozen=True, slots=True)
class Turns:
    """The jobs that wait in the order of their turns, and how many of all lanes are taken."""

    jobs: list[Job]
    running: int
    lanes: int

    @classmethod
    def read(cls, replies: list[Any]) -> Turns:
        """Return what a pipeline has found that asked for it last."""
        (seconds, _), waiting, running, workers = replies[-REPLIES:]
        runs = [Job.read(name) for name, ends in running if ends >= seconds]
        lanes = sum(int(name.split(b"|")[0]) for name, ends in workers if ends >= seconds)
        return cls(in_turn([Job.read(name) for name in waiting], runs), len(runs), lanes)

    @property
    def told(self) -> list[tuple[int, Job]]:
        """The jobs that cannot begin at once, with their places."""
        free = max(0, self.lanes - self.running)
        return list(enumerate(self.jobs, start=1))[free:]


CANCELLED, ABANDONED, CLOSING = "cancelled", "abandoned", "closing"
"""How a job is told to stop: to say what it knows, to end at once, or as its web process ends."""

ATTEMPTS = 2
"""How often a search is begun whose worker was lost, where nothing of it was shown yet."""

JOB_SECONDS = 600
"""How long a job is kept of which nobody says a word any more, as all are lost who knew of it."""

READER_SECONDS = 30
"""How long a search goes on that nobody reads: its web process was killed, or its reader stands
still for longer than a page does on a slow line."""

RUN_NEXT = "webapp.workers.redis.worker.run_next"
"""What RQ is to call for a ticket."""

TICKET_SECONDS = 3600
"""The longest that RQ lets a search run; its own limits end it long before."""

LOST = Failed("The solver stopped unexpectedly. Try again, or with a smaller limit.")


@dataclass(frozen=True, slots=True)
class JobClaim:
    """A job that a lane runs: what it is to search, and how often that was begun by now."""

    job: Job
    spec: SearchSpec
    attempt: int

    @property
    def seconds(self) -> float:
        """How long it may take, at the most."""
        return _seconds(self.spec)


class Jobs:
    """The jobs in a Redis. It is safe to use from many threads and processes."""

    def __init__(self, redis: Redis) -> None:
        self.redis = redis
        self.leases = Leases(redis)
        self._claim = redis.register_script(CLAIM)
        # a ticket for each search: whoever takes one looks whose turn it is
        self.tickets = Queue(f"{PREFIX}searches", connection=redis, serializer=JSONSerializer)

    # What the web process does

    def full(self, job: Job, room: JobLimits) -> tuple[str, int]:
        """Return what is full, where the job could not be added now, and how many are in it."""
        return self.leases.take("", job.places(room))

    def add(self, job: Job, spec: SearchSpec, room: JobLimits) -> tuple[str, int]:
        """Let a job wait for its turn; return what is full, where it cannot."""
        full = self.leases.take(str(job), job.places(room))
        if full[0]:
            return full
        came = now(self.redis)
        with self.redis.pipeline() as pipe:
            self.issue_ticket(pipe)
            pipe.hset(job.key, mapping={"spec": dumps(spec), "job": str(job), "state": "waiting"})
            pipe.hset(job.key, "seconds", _seconds(spec))
            pipe.expire(job.key, JOB_SECONDS)
            pipe.set(job.reader, 1, ex=READER_SECONDS)
            pipe.zadd(WAITING, {str(job): came})
            ask(pipe)
            self._announce(Turns.read(pipe.execute()))
        return full

    def issue_ticket(self, pipe: Pipeline | None = None) -> None:
        """Have a worker look whose turn it is; in a pipeline RQ wants to be the first."""
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
        """Return the job with an id, None where there is none, or none any more."""
        text: Any = self.redis.hget(f"{PREFIX}job:{job_id}", "job")
        return Job.read(text) if text else None

    def find_open(self, job_id: str) -> Job | None:
        """Return the job with an id, None where there is none that has not ended."""
        text, state = self._read(f"{PREFIX}job:{job_id}", "job", "state")
        return Job.read(text) if text and state != b"ended" else None

    def state(self, job: Job) -> str:
        """Return `waiting`, `running` or `ended`; "" where it is not known any more."""
        state: Any = self.redis.hget(job.key, "state")
        return (state or b"").decode()

    def news(self, job: Job, after: int, seconds: float) -> list[tuple[int, JobEvent | None]]:
        """Return what it told after the id `after`, once there is something, within `seconds`.

        None, the last, stands for its end; an event that is not known here is left out.
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
                continue  # of a process of a newer version
        return news

    def look_after(self, job: Job) -> str:
        """Say that somebody reads a job, and see to it that a worker has it; return its state.

        While it waits that holds its places, and issues a ticket where that was lost. Where its
        worker was lost, it begins again, or is told so where something was shown.
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
            if not self.tickets.count:  # lost with the worker that had taken it
                self.issue_ticket()
        elif state == "running" and (ends is None or ends < seconds):
            self.lost(job)
        return state

    def tell_to_stop(self, job: Job, how: str) -> None:
        """Have a job stop: `how` it is told is read by its worker. One that waits ends at once."""
        if self.redis.zrem(WAITING, str(job)):
            self.end(job)
        else:
            self.redis.set(job.stop, f"{how} {now(self.redis)}", ex=JOB_SECONDS)
            if how == ABANDONED:  # whoever has left can come again before it has ended
                self.leases.give_back(str(job), *job.places(UNLIMITED))

    def lost(self, job: Job) -> None:
        """Begin a job again whose worker was lost, or end it; one of those who see it does so."""
        shown, attempts = self._read(job.key, "shown", "attempts")
        again = not shown and int(attempts or 1) < ATTEMPTS and not self.redis.exists(job.stop)
        if self.redis.hincrby(job.key, f"lost {int(attempts or 1)}", 1) != 1:
            return
        self.redis.zrem(RUNNING, str(job))
        if not again:
            self.end(job, LOST)
            return
        with self.redis.pipeline() as pipe:
            self.issue_ticket(pipe)
            pipe.hset(job.key, "state", "waiting")
            pipe.zadd(WAITING, {str(job): 0})  # before all others: it had its turn
            ask(pipe)
            self._announce(Turns.read(pipe.execute()))

    # What the worker does

    def claim(self, lane: str) -> JobClaim | None:
        """Take the job whose turn it is for a lane, None where none waits."""
        while turns := self._turns().jobs:
            job = turns[0]
            keys = [WAITING, RUNNING, job.key, _claimed_by(lane)]
            found: Any = self._claim(keys=keys, args=[str(job), LEASE_SECONDS, JOB_SECONDS])
            if not found:
                continue
            spec, attempt = found
            if spec is None:  # nobody was left who knew of it
                self.end(job, lane=lane)
                continue
            if turns[1:]:
                self._announce(self._turns())
            return JobClaim(job, loads(spec), attempt)
        return None

    def claimed_by(self, lane: str) -> tuple[Job, int] | None:
        """Return the job that a lane runs, and how often that was begun by then."""
        text: Any = self.redis.get(_claimed_by(lane))
        if not text:
            return None
        attempt, _, job = text.partition(b" ")
        return Job.read(job), int(attempt)

    def order(self, job: Job) -> str:
        """Return how a job is to stop, "" where it is not."""
        order: Any = self.redis.get(job.stop)
        return order.decode().split()[0] if order else ""

    def allow(self, job: Job, seconds: float) -> None:
        """Let a job run for so many seconds from now, at the most."""
        self.redis.hset(job.key, "deadline", now(self.redis) + seconds)

    def hold(self, job: Job, attempt: int) -> bool:
        """Renew what a running job holds; return whether its process is to be killed: it has not
        ended in time, nobody reads it, or another worker has begun it again."""
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
        how, told_at = order.decode().split() if order else ("", time)
        return (
            int(attempts or 0) != attempt
            or not is_read
            or how == ABANDONED
            or time > float(deadline or time)
            or time - float(told_at) > STOP_SECONDS
        )

    def killed(self, lane: str) -> None:
        """Say what there is to say of the job of a lane whose process was killed, if it had one."""
        claimed = self.claimed_by(lane)
        if claimed is None:
            return
        job, attempt = claimed
        self.redis.delete(_claimed_by(lane))
        attempts, state = self._read(job.key, "attempts", "state")
        if int(attempts or 0) != attempt or state != b"running":
            return  # another worker has it, or it has ended
        if self.redis.exists(job.stop) or not self.redis.exists(job.reader):
            self.end(job)
        else:
            self.lost(job)

    def tell(self, job: Job, *events: JobEvent) -> None:
        """Tell events of a job."""
        with self.redis.pipeline() as pipe:
            _tell(pipe, job, events)
            pipe.expire(job.events, JOB_SECONDS)
            pipe.execute()

    def end(self, job: Job, *last: JobEvent, lane: str = "") -> None:
        """End a job with its last events, which can still be read for a while."""
        kept = int(KEPT_SECONDS)
        with self.redis.pipeline() as pipe:
            _tell(pipe, job, last)
            pipe.hset(job.key, "state", "ended")
            pipe.xadd(job.events, {"end": 1}, id="0-*")
            for key in job.key, job.events:
                pipe.expire(key, kept)
            for place in (*job.places(UNLIMITED), WAITING, RUNNING):
                pipe.zrem(place, str(job))
            if lane:
                pipe.delete(_claimed_by(lane))
            ask(pipe)
            self._announce(Turns.read(pipe.execute()))

    def forget(self, job: Job) -> None:
        """Drop an ended job."""
        if self.state(job) == "ended":
            self.redis.delete(job.key, job.events, job.stop, job.reader)

    # The queue

    @property
    def load(self) -> Load:
        """How many searches run and wait."""
        turns = self._turns()
        return Load(turns.running, len(turns.jobs))

    @property
    def lanes(self) -> int:
        """How many searches all workers together can run at a time."""
        return self._turns().lanes

    def _announce(self, turns: Turns) -> None:
        """Tell those that wait their places in the queue, where these have changed."""
        if not turns.told:
            return
        with self.redis.pipeline(transaction=False) as pipe:
            for _, job in turns.told:
                pipe.hget(job.key, "place")
            told = pipe.execute()
        for (place, job), before in zip(turns.told, told, strict=True):
            words = f"{place}/{len(turns.jobs)}"
            if (before or b"").decode() != words:
                self.redis.hset(job.key, "place", words)
                self.tell(job, Waiting(place, len(turns.jobs)))

    def _read(self, key: str, *names: str) -> list[Any]:
        return self.redis.hmget(key, *names)

    def _turns(self) -> Turns:
        with self.redis.pipeline(transaction=False) as pipe:
            ask(pipe)
            return Turns.read(pipe.execute())


def _tell(pipe: Pipeline, job: Job, events: tuple[JobEvent, ...]) -> None:
    for event in events:
        pipe.xadd(job.events, {"event": dumps(event), "version": VERSION}, id="0-*")
        if not isinstance(event, Waiting | Preparing | Started):
            pipe.hset(job.key, "shown", 1)


def _claimed_by(lane: str) -> str:
    """Return the name of the key that says what a lane runs."""
    return f"{PREFIX}lane:{lane}"


def _seconds(spec: SearchSpec) -> float:
    return (spec.limits.seconds or UNTIMED_SECONDS) + OVERTIME_SECONDS
