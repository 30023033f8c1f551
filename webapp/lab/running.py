"""Races: several searches of one visitor, one after the other or two at a time, until stopped."""

from __future__ import annotations

import secrets
import threading
import time
from collections import deque
from queue import SimpleQueue
from typing import TYPE_CHECKING, Protocol, TypeVar
from weakref import WeakValueDictionary

from flask import request, stream_with_context

from slidewise import Status
from slidewise.solver.events import Expanded, Improved, Iteration
from webapp.http import responses
from webapp.workers import Busy, Failed
from webapp.workers.sequential import SequentialSearches
from webapp.workers.services import service
from webapp.workers.shared import CacheKind
from webapp.workers.solvers import HEARTBEAT_SECONDS, STOP_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from flask import Response

    from slidewise import Result, SearchSpec
    from webapp.workers.shared import Shared
    from webapp.workers.solvers import JobEvent

    News = tuple[int, JobEvent | None]


T = TypeVar("T")

RESULTS = CacheKind["SearchSpec", "Result"]("results", 3_000_000, 600)
"""For the downloads of a table."""

STOPPED = CacheKind[str, bool]("stopped", 100_000, 60)
"""The races that run in another process and are to stop, by their ids."""


class Race:
    """Some searches on the way, `lanes` of them at a time where there is room for so many.

    Each has the seconds of its own limits. The first begins at once, or `Busy` is raised.
    """

    def __init__(self, specs: Sequence[SearchSpec], lanes: int = 1) -> None:
        self.id = secrets.token_urlsafe(16)
        numbers = deque(range(len(specs)))
        seconds = sum(spec.limits.seconds or 0 for spec in specs)
        self._lanes = [SequentialSearches(specs, seconds, numbers)]
        while len(self._lanes) < lanes and numbers:
            try:
                self._lanes.append(SequentialSearches(specs, seconds, numbers))
            except Busy:  # the visitor has another search under way
                break
        self.stopped = False

    def events(self) -> Iterator[News]:
        """Yield (number of the search, event) as they come, None for an event twice a second
        while nothing happens. Iterations and improvements are left out."""
        if len(self._lanes) == 1:
            yield from _news_of(self._lanes[0])
            return
        news: SimpleQueue[News | None] = SimpleQueue()
        for lane in self._lanes:
            threading.Thread(target=_pass_on, args=(lane, news), daemon=True).start()
        for _ in self._lanes:
            yield from iter(news.get, None)  # None stands at the end of each lane

    def stop(self) -> None:
        """Stop what runs, and begin nothing else."""
        self.stopped = True
        for lane in self._lanes:
            lane.close()


def _pass_on(lane: SequentialSearches, news: SimpleQueue[News | None]) -> None:
    try:
        for one in _news_of(lane):
            news.put(one)
    finally:
        news.put(None)


def _news_of(lane: SequentialSearches) -> Iterator[News]:
    number = 0
    try:
        for number, event in lane.events():
            if not isinstance(event, (Iteration, Improved, Expanded)):
                yield number, event
    except Busy as busy:  # the server is about to restart
        yield number, Failed(str(busy))


class Stoppable(Protocol):
    """What runs for a while, and has an id by which a page can stop it."""

    id: str

    def stop(self) -> None:
        """Stop it."""


class Races:
    """The races under way, to be stopped by their ids, and the results found last.

    It is safe to use from many threads.
    """

    LONGEST_PATH = 100_000
    """The moves of the longest path that is remembered: it takes a megabyte."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._lock = threading.Lock()
        self._races: WeakValueDictionary[str, Stoppable] = WeakValueDictionary()

    def enter(self, race: Stoppable) -> None:
        """Let a race be stopped by its id, as long as it runs."""
        with self._lock:
            self._races[race.id] = race

    def stop(self, race_id: str) -> None:
        """Stop a race; one of another process stops with its next heartbeat, and one that has
        ended or is unknown is left."""
        with self._lock:
            race = self._races.get(race_id)
        if race is not None:
            race.stop()
        elif race_id:
            self._shared.put(STOPPED, race_id, True)

    def stop_aware(self, race: Stoppable, messages: Iterator[str]) -> Iterator[str]:
        """Yield the messages of a race, and stop it where another process was told to."""
        asked = time.monotonic()
        for message in messages:
            yield message
            if time.monotonic() - asked > HEARTBEAT_SECONDS / 2:
                if self._shared.get(STOPPED, race.id):
                    race.stop()
                asked = time.monotonic()

    def remember(self, spec: SearchSpec, result: Result) -> None:
        """Remember the result of a search that came to its end, or to a limit that `spec` sets."""
        ended = result.status not in (Status.CANCELLED, Status.INVALID)
        if ended and (result.length or 0) <= self.LONGEST_PATH:
            self._shared.put(RESULTS, spec, result)

    def known(self, spec: SearchSpec) -> Result | None:
        """Return the result of an equal search, None if it is not known."""
        return self._shared.get(RESULTS, spec)

    def results(self, specs: Sequence[SearchSpec], seconds: float) -> list[Result]:
        """Return the results, running those searches within `seconds` whose results are not known.

        Raises `Busy` where they did not all begin by then, and `LostError`.
        """
        found = {spec: result for spec in specs if (result := self.known(spec))}
        missing = [spec for spec in specs if spec not in found]
        if missing:
            for spec, result in zip(
                missing, SequentialSearches(missing, seconds).results(seconds), strict=True
            ):
                found[spec] = result
                if result.status is not Status.CUTOFF:  # which may be for the shorter time
                    self.remember(spec, result)
        return [found[spec] for spec in specs]


def begin(specs: Sequence[SearchSpec], lanes: int = 1) -> Race:
    """Return a race that has begun, once the one that it replaces has ended; raises `Busy`."""
    return start_after_previous(lambda: Race(specs, lanes))


def start_after_previous(begin: Callable[[], T]) -> T:
    """Return what `begin` does, once the race that this one replaces has ended; raises `Busy`."""
    deadline = time.monotonic() + STOP_SECONDS
    while True:
        try:
            return begin()
        except Busy:
            if time.monotonic() > deadline or "race" not in request.form:
                raise
            time.sleep(0.05)


def stream(begun: Stoppable, messages: Iterator[str]) -> Response:
    """Return the response that streams `messages`, and stops the race when its reader has gone."""
    stop_aware = service(Races).stop_aware(begun, messages)
    return responses.response(stream_with_context(stop_aware), begun.stop)
