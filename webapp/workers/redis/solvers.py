"""The solvers as a web process sees them whose searches run in workers, over Redis."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from redis import Redis
from redis.exceptions import RedisError

from webapp.http.busy import Busy, Restarting
from webapp.workers.redis.job import Job, Room
from webapp.workers.redis.jobs import ABANDONED, CANCELLED, CLOSING, LOST, Jobs
from webapp.workers.redis.keys import MANY
from webapp.workers.redis.questions import RemoteHelpers, Replies, unreachable
from webapp.workers.solvers import HEARTBEAT_SECONDS, Load, Solvers, too_many

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise import SearchSpec
    from webapp.workers.solvers import JobEvent

LANES = "helpers", "background", "drawers", "painters", "builders", "reviewers"
"""The kinds of questions, each with a queue of its own, called as in `Solvers`."""

LOOK_SECONDS = 2.0
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
        self._room = Room(jobs, per_visitor, per_address or jobs)
        # each reader holds a connection; how many there are is limited by `jobs`, not here
        self._jobs = Jobs(Redis.from_url(url, max_connections=MANY))
        self._replies = Replies(self._jobs.redis)
        for name in LANES:
            setattr(self, name, RemoteHelpers(self._jobs.redis, name, self._replies))
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
            raise too_many(count, whose.get(full, ""))

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
                look_at = time.monotonic() + LOOK_SECONDS
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
        self._replies.close()
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
