"""Jobs as Redis has them: a hash, a stream of events, and a place among those that wait or run."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from redis.exceptions import WatchError
from rq import Queue
from rq.serializers import JSONSerializer

from slidewise.solver.events import Preparing, Started
from webapp.workers.redis.keys import LEASE_SECONDS, PREFIX, VERSION, WORKERS, Leases, now
from webapp.workers.solvers import KEPT_SECONDS, STOP_SECONDS, Failed, Load, Waiting
from webapp.workers.turns import in_turn
from webapp.workers.wire import UnknownError, dumps, loads

if TYPE_CHECKING:
    from redis import Redis

    from slidewise import SearchSpec
    from webapp.workers.solvers import JobEvent

CANCELLED, ABANDONED, CLOSING = "cancelled", "abandoned", "closing"
"""How a job is told to stop: to say what it knows, to end at once, or as its web process ends."""

ATTEMPTS = 2
"""How often a search is begun whose worker was lost, where nothing of it was shown yet."""

JOB_SECONDS = 600
"""How long a job is kept of which nobody says a word any more, as all are lost who knew of it."""

READER_SECONDS = 30
"""How long a search goes on that nobody reads: its web process was killed, or its reader stands
still for longer than a page does on a slow line."""

RUN_NEXT = "webapp.workers.redis.searching.run_next"
"""What RQ is to call for a ticket."""

TICKET_SECONDS = 3600
"""The longest that RQ lets a search run; its own limits end it long before."""

OPEN, WAITING, RUNNING = (f"{PREFIX}{name}" for name in ("open", "waiting", "running"))
"""The jobs that have not ended, those that wait by the time of coming, those that run by lease."""

LOST = Failed("The solver was lost. Try again, or with a smaller limit.")


@dataclass(frozen=True, slots=True)
class Room:
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

    def places(self, room: Room) -> dict[str, int]:
        """Return the sets in which it has a place, and how many those have room for."""
        return {
            f"{PREFIX}visitor:{self.visitor}": room.per_visitor,
            f"{PREFIX}address:{self.address}": room.per_address,
            OPEN: room.jobs,
        }


UNLIMITED = Room(*[1 << 30] * 3)
"""The room for jobs that were let in already."""


class Jobs:
    """The jobs in a Redis. It is safe to use from many threads and processes."""

    def __init__(self, redis: Redis) -> None:
        self.redis = redis
        self.leases = Leases(redis)
        # a ticket for each search: whoever takes one looks whose turn it is
        self.tickets = Queue(f"{PREFIX}searches", connection=redis, serializer=JSONSerializer)

    # What the web process does

    def full(self, job: Job, room: Room) -> tuple[str, int]:
        """Return what is full, where the job could not be added now, and how many are in it."""
        return self.leases.take("", job.places(room))

    def add(self, job: Job, spec: SearchSpec, room: Room) -> tuple[str, int]:
        """Let a job wait for its turn; return what is full, where it cannot."""
        full = self.leases.take(str(job), job.places(room))
        if full[0]:
            return full
        with self.redis.pipeline() as pipe:
            pipe.hset(job.key, mapping={"spec": dumps(spec), "job": str(job), "state": "waiting"})
            pipe.expire(job.key, JOB_SECONDS)
            pipe.set(job.reader, 1, ex=READER_SECONDS)
            pipe.zadd(WAITING, {str(job): now(self.redis)})
            pipe.execute()
        self.issue_ticket()
        self.announce()
        return full

    def issue_ticket(self) -> None:
        """Have a worker look whose turn it is."""
        self.tickets.enqueue_call(
            RUN_NEXT,
            timeout=TICKET_SECONDS,
            result_ttl=0,
            failure_ttl=60,
            ttl=JOB_SECONDS,
            description="search",
        )

    def find(self, job_id: str) -> Job | None:
        """Return the job with an id, None where there is none, or none any more."""
        text: Any = self.redis.hget(f"{PREFIX}job:{job_id}", "job")
        return Job.read(text) if text else None

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

    def read_on(self, job: Job) -> None:
        """Say that somebody reads it; and hold its places while it waits."""
        with self.redis.pipeline() as pipe:
            pipe.set(job.reader, 1, ex=READER_SECONDS)
            pipe.expire(job.key, JOB_SECONDS)
            pipe.execute()
        if self.state(job) == "waiting":
            self.leases.take(str(job), job.places(UNLIMITED))
            if not self.tickets.count:  # lost with the worker that had taken it
                self.issue_ticket()

    def tell_to_stop(self, job: Job, how: str) -> None:
        """Have a job stop: `how` it is told is read by its worker. One that waits ends at once."""
        if not self._leave_queue(job):
            self.redis.set(job.stop, f"{how} {now(self.redis)}", ex=JOB_SECONDS)

    def _leave_queue(self, job: Job) -> bool:
        if not self.redis.zrem(WAITING, str(job)):
            return False
        self.end(job)
        return True

    def look_for_worker(self, job: Job) -> None:
        """Where a job's worker was lost: begin it again, or say so where something was shown."""
        if self.state(job) == "running" and self._lease_is_over(job):
            self.lost(job)

    def _lease_is_over(self, job: Job) -> bool:
        ends = self.redis.zscore(RUNNING, str(job))
        return ends is None or ends < now(self.redis)

    def lost(self, job: Job) -> None:
        """Begin a job again whose worker was lost, or end it; one of those who see it does so."""
        shown, attempts = self.redis.hmget(job.key, "shown", "attempts")
        again = not shown and int(attempts or 1) < ATTEMPTS and not self.redis.exists(job.stop)
        if self.redis.hincrby(job.key, f"lost {int(attempts or 1)}", 1) != 1:
            return
        self.redis.zrem(RUNNING, str(job))
        if not again:
            self.tell(job, LOST)
            self.end(job)
            return
        with self.redis.pipeline() as pipe:
            pipe.hset(job.key, "state", "waiting")
            pipe.zadd(WAITING, {str(job): 0})  # before all others: it had its turn
            pipe.execute()
        self.issue_ticket()
        self.announce()

    # What the worker does

    def claim(self) -> Claim | None:
        """Take the job whose turn it is, None where none waits."""
        while True:
            with self.redis.pipeline() as pipe:
                try:
                    pipe.watch(WAITING, RUNNING)  # type: ignore[no-untyped-call]
                    turns = self._queue().turns
                    if not turns:
                        return None
                    job = turns[0]
                    spec = self.redis.hget(job.key, "spec")
                    pipe.multi()
                    pipe.zrem(WAITING, str(job))
                    pipe.hset(job.key, "state", "running")
                    pipe.hincrby(job.key, "attempts", 1)
                    pipe.zadd(RUNNING, {str(job): now(self.redis) + LEASE_SECONDS})
                    *_, attempt, _ = pipe.execute()
                except WatchError:
                    continue
            if spec is None:  # nobody was left who knew of it
                self.end(job)
                continue
            self.announce()
            return Claim(job, loads(spec), attempt)

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

    def killed(self, job: Job, attempt: int) -> None:
        """Say what there is to say of a job whose process was killed."""
        attempts: Any = self.redis.hget(job.key, "attempts")
        if int(attempts or 0) != attempt:
            return  # another worker has it
        if self.redis.exists(job.stop) or not self.redis.exists(job.reader):
            self.end(job)
        else:
            self.lost(job)

    def tell(self, job: Job, *events: JobEvent) -> None:
        """Tell events of a job."""
        with self.redis.pipeline() as pipe:
            for event in events:
                pipe.xadd(job.events, {"event": dumps(event), "version": VERSION}, id="0-*")
                if not isinstance(event, Waiting | Preparing | Started):
                    pipe.hset(job.key, "shown", 1)
            pipe.expire(job.events, JOB_SECONDS)
            pipe.execute()

    def end(self, job: Job) -> None:
        """End a job, whose events can still be read for a while."""
        kept = int(KEPT_SECONDS)
        with self.redis.pipeline() as pipe:
            pipe.hset(job.key, "state", "ended")
            pipe.xadd(job.events, {"end": 1}, id="0-*")
            for key in job.key, job.events:
                pipe.expire(key, kept)
            for place in (*job.places(UNLIMITED), WAITING, RUNNING):
                pipe.zrem(place, str(job))
            pipe.execute()
        self.announce()

    def forget(self, job: Job) -> None:
        """Drop an ended job."""
        if self.state(job) == "ended":
            self.redis.delete(job.key, job.events, job.stop, job.reader)

    # The queue

    @property
    def load(self) -> Load:
        """How many searches run and wait."""
        queue = self._queue()
        return Load(queue.running, len(queue.turns))

    @property
    def lanes(self) -> int:
        """How many searches all workers together can run at a time."""
        return self._queue().lanes

    def announce(self) -> None:
        """Tell those that wait their places in the queue, where these have changed."""
        queue = self._queue()
        with self.redis.pipeline(transaction=False) as pipe:
            for job in queue.turns:
                pipe.hget(job.key, "place")
            told = pipe.execute()
        for place, (job, before) in enumerate(zip(queue.turns, told, strict=True), start=1):
            words = f"{place}/{len(queue.turns)}"
            if place > queue.free and (before or b"").decode() != words:
                self.redis.hset(job.key, "place", words)
                self.tell(job, Waiting(place, len(queue.turns)))

    def _queue(self) -> _Queue:
        with self.redis.pipeline(transaction=False) as pipe:
            pipe.time()
            pipe.zrange(WAITING, 0, -1)
            for leases in RUNNING, WORKERS:
                pipe.zrange(leases, 0, -1, withscores=True)
            (seconds, _), waiting, running, workers = pipe.execute()
        runs = [Job.read(name) for name, ends in running if ends >= seconds]
        lanes = sum(int(name.split(b"|")[0]) for name, ends in workers if ends >= seconds)
        return _Queue(in_turn([Job.read(name) for name in waiting], runs), len(runs), lanes)


@dataclass(frozen=True, slots=True)
class Claim:
    """A job that this process runs: what it is to search, and how often that was begun by now."""

    job: Job
    spec: SearchSpec
    attempt: int


@dataclass(frozen=True, slots=True)
class _Queue:
    """The jobs that wait in the order of their turns, and how many of all lanes are taken."""

    turns: list[Job]
    running: int
    lanes: int

    @property
    def free(self) -> int:
        """How many searches can begin at once."""
        return self.lanes - self.running
