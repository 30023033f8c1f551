"""The recordings of searches, each made once by a worker, whose turn it is like a search's."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webapp.lab.recorded import Recorded
from webapp.workers import Busy, TooManySearches, Waiting, jobs
from webapp.workers.distances import Distances
from webapp.workers.questions import slot
from webapp.workers.services import service
from webapp.workers.shared import Kind

if TYPE_CHECKING:
    from webapp.lab.recorded import SearchToRecord
    from webapp.workers import Solvers
    from webapp.workers.shared import Shared

RECORDINGS = Kind["SearchToRecord", "Recorded"]("recordings", 4_000_000, 300)
"""Of some 200 kB each at most."""

RETRY_SECONDS = 3
"""After how long a page that waits for a recording looks again."""

ABANDONED_SECONDS = 20.0
"""How long nobody may ask for a recording that waits or is made, until its search is stopped."""

MAX_WAITING = 10
"""The most requests that wait for recordings: other threads are left for clicks."""


class NotRecorded(Busy):
    """The recording is not there yet; the message says why."""

    def __init__(self, message: str) -> None:
        super().__init__(message, RETRY_SECONDS)


@dataclass(eq=False)
class _Job:
    id: str
    place: Waiting | None = None
    asked: float = field(default_factory=time.monotonic)
    answer: Future[Recorded] = field(default_factory=Future)

    @property
    def words(self) -> str:
        if self.place is None:
            return "The search is being recorded."
        return (
            "The search waits for its turn: it is number "
            f"{self.place.position} of {self.place.queue} in the queue."
        )


class Recordings:
    """Has searches recorded, and remembers the last. It is safe to use from many threads."""

    def __init__(self, pool: Solvers, shared: Shared) -> None:
        self._pool, self._shared = pool, shared
        self._lock = threading.Lock()
        self._jobs: dict[SearchToRecord, _Job] = {}
        self._waiting = threading.BoundedSemaphore(MAX_WAITING)

    def get(self, search: SearchToRecord, seconds: float) -> Recorded:
        """Return the recording of a search, which may have to run first.

        Raises `NotRecorded` if it is not there within `seconds`. The search goes on, as long as
        somebody asks for it again in time.
        """
        recorded = self._shared.get(RECORDINGS, search)
        if recorded is not None:
            return recorded
        job = self._job(search)
        with slot(self._waiting) as waits:
            try:
                return job.answer.result(seconds if waits else 0)
            except TimeoutError:
                raise NotRecorded(job.words) from None

    def _job(self, search: SearchToRecord) -> _Job:
        """Return the job that records a search, which is started if there is none."""
        with self._lock:
            job = self._jobs.get(search)
            if job is None:
                try:
                    job = self._jobs[search] = _Job(jobs.start(search))
                except TooManySearches as full:
                    raise NotRecorded(
                        f"The search waits for a place: {full.why}. It starts when there is room."
                    ) from None
                distances = service(Distances)
                threading.Thread(
                    target=self._follow, args=(search, job, distances), daemon=True
                ).start()
            job.asked = time.monotonic()
        return job

    def _follow(self, search: SearchToRecord, job: _Job, distances: Distances) -> None:
        """Read the events of a job to their end; runs in a thread of its own."""
        try:
            for _, event in distances.joined(self._pool.events(job.id), search.puzzle):
                if isinstance(event, Recorded):
                    self._shared.put(RECORDINGS, search, event)
                    job.answer.set_result(event)
                elif event is not None:
                    job.place = event if isinstance(event, Waiting) else None
                if time.monotonic() > job.asked + ABANDONED_SECONDS:
                    self._pool.abandon(job.id)
        finally:
            with self._lock:
                del self._jobs[search]
            self._pool.forget(job.id)
            if not job.answer.done():
                job.answer.set_exception(
                    Busy("The search could not be recorded. Try again in a few seconds.", 5)
                )
