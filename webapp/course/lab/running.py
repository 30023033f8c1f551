"""Races: several searches of a visitor, sequential or two at a time, until stopped."""

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from queue import SimpleQueue
from typing import Protocol, TypeVar
from weakref import WeakValueDictionary

from flask import Response, request, stream_with_context

from slidewise import Result, SearchSpec, Status
from slidewise.solver.events import Expanded, Improved, Iteration

from ...http import responses
from ...workers import Busy, Failed
from ...workers.jobs import SequentialSearches
from ...workers.shared import CacheKind, Shared, service
from ...workers.solvers import HEARTBEAT_SECONDS, STOP_SECONDS, JobEvent

News = tuple[int, JobEvent | None]


T = TypeVar("T")

RESULTS = CacheKind["SearchSpec", "Result"]("results", 3_000_000, 600)
"""Cached results for the downloads of a table."""

STOPPED = CacheKind[str, bool]("stopped", 100_000, 60)
"""Ids of races in other processes that should stop."""


class Race:
    """Running searches, up to `lanes` at a time if workers are free.

    Each has its own time limit. The first starts at once, or raises `Busy`.
    """

    def __init__(self, specs: Sequence[SearchSpec], lanes: int = 1) -> None:
        self.id = secrets.token_urlsafe(16)
        numbers = deque(range(len(specs)))
        seconds = sum(spec.limits.seconds or 0 for spec in specs)
        self._lanes = [SequentialSearches(specs, seconds, numbers)]
        while len(self._lanes) < lanes and numbers:
            try:
                self._lanes.append(SequentialSearches(specs, seconds, numbers))
            except Busy:  # the visitor has another search running
                break
        self.stopped = False

    def events(self) -> Iterator[News]:
        """Yield (number of the search, event), and None twice a second while idle.

        Iterations and improvements are left out.
        """
        if len(self._lanes) == 1:
            yield from _news_of(self._lanes[0])
            return
        # a thread per lane, as both wait for events
        news: SimpleQueue[News | None] = SimpleQueue()
        for lane in self._lanes:
            threading.Thread(target=_pass_on, args=(lane, news), daemon=True).start()
        for _ in self._lanes:
            yield from iter(news.get, None)  # None marks the end of each lane

    def stop(self) -> None:
        """Stop the running searches and start no others."""
        self.stopped = True
        with ExitStack() as lanes:  # every lane, also if closing another fails
            for lane in self._lanes:
                lanes.callback(lane.close)


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
        yield number, Failed(busy.args[0])


class Stoppable(Protocol):
    """A running task with an id, by which a page can stop it."""

    id: str

    def stop(self) -> None:
        """Stop it."""


class Races:
    """Registry of running races by id, and cache of recent results.

    Thread-safe.
    """

    LONGEST_PATH = 100_000
    """Longest path cached; it takes a megabyte."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._lock = threading.Lock()
        # weak: a race disappears with its stream
        self._races: WeakValueDictionary[str, Stoppable] = WeakValueDictionary()

    def enter(self, race: Stoppable) -> None:
        """Register a race by its id while it runs."""
        with self._lock:
            self._races[race.id] = race

    def stop(self, race_id: str) -> None:
        """Stop a race; unknown ids are ignored.

        A race in another process stops with its next heartbeat.
        """
        with self._lock:
            race = self._races.get(race_id)
        if race is not None:
            race.stop()
        elif race_id:
            self._shared.put(STOPPED, race_id, True)

    def stop_aware(self, race: Stoppable, messages: Iterator[str]) -> Iterator[str]:
        """Yield the messages of a race, and stop it on request of another process."""
        checked = time.monotonic()
        for message in messages:
            # the request may have reached another process, which stores the id
            yield message
            if time.monotonic() - checked > HEARTBEAT_SECONDS / 2:
                if self._shared.get(STOPPED, race.id):
                    race.stop()
                checked = time.monotonic()

    def remember(self, spec: SearchSpec, result: Result) -> None:
        """Cache a result that is final, or that ended at a limit set by `spec`."""
        ended = result.status not in (Status.CANCELLED, Status.INVALID)
        if ended and (result.length or 0) <= self.LONGEST_PATH:
            self._shared.put(RESULTS, spec, result)

    def known(self, spec: SearchSpec) -> Result | None:
        """Cached result of an equal search, None if unknown."""
        return self._shared.get(RESULTS, spec)

    def results(self, specs: Sequence[SearchSpec], seconds: float) -> list[Result]:
        """Results from the cache, or from running the missing searches within `seconds`.

        Raises `Busy` if some could not start in time, and `LostError`.
        """
        found = {spec: result for spec in specs if (result := self.known(spec))}
        missing = [spec for spec in specs if spec not in found]
        if missing:
            for spec, result in zip(
                missing, SequentialSearches(missing, seconds).results(seconds), strict=True
            ):
                found[spec] = result
                if result.status is not Status.CUTOFF:  # `seconds` may have been the shorter limit
                    self.remember(spec, result)
        return [found[spec] for spec in specs]


def begin(specs: Sequence[SearchSpec], lanes: int = 1) -> Race:
    """Start a race once the race that it replaces has ended; raises `Busy`."""
    return start_after_previous(lambda: Race(specs, lanes))


def start_after_previous(begin: Callable[[], T]) -> T:
    """Return the result of `begin`, once the replaced race has ended; raises `Busy`."""
    deadline = time.monotonic() + STOP_SECONDS
    while True:
        try:
            return begin()
        except Busy:
            if time.monotonic() > deadline or "race" not in request.form:
                raise
            time.sleep(0.05)


def stream(race: Stoppable, messages: Iterator[str]) -> Response:
    """Response that streams `messages`, and stops the race when the client disconnects."""
    stop_aware = service(Races).stop_aware(race, messages)
    return responses.response(stream_with_context(stop_aware), race.stop)
