"""Interface of the solvers: searches as jobs, and short calls to other processes.

`LocalSolvers` (`local.py`) uses processes of this machine. `RedisSolvers` (`redis/`) uses workers
on any number of machines, shared by its web processes.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal, Protocol, TypeVar

from slidewise import Event, Result, SearchSpec
from slidewise.text import message, replaced

from ..http.language import gettext as _
from ..http.language import ngettext
from ..http.responses import Busy, TooManySearches
from .memory import OUT_OF_MEMORY

T = TypeVar("T")

HEARTBEAT_SECONDS = 0.4
"""Seconds between heartbeats to a reader, which detect a closed connection."""

STOP_SECONDS = 5.0
"""Grace period in seconds of a stopped worker for its last event: milliseconds, more on a busy
machine."""

OVERTIME_SECONDS = 15.0
"""Seconds past its time limit until a worker is killed, without compilation."""

UNTIMED_SECONDS = 60.0
"""Time limit in seconds of a search limited by expansions: usually a second or two, more on a busy
machine."""

KEPT_SECONDS = 60.0
"""TTL of a finished job's events in seconds."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """The job is at `position` in a queue of length `queue`."""

    position: int
    queue: int


@dataclass(frozen=True, slots=True)
class Failed:
    """The worker died or could not start; `message` names the next step."""

    message: str


@dataclass(frozen=True, slots=True)
class Displaced:
    """The waiting job lost its place to a newcomer (`to_displace`), and did not run."""


JobEvent = Event | Waiting | Failed | Displaced


@dataclass(frozen=True, slots=True)
class Load:
    """Numbers of running and waiting searches."""

    running: int
    waiting: int


BACKGROUND_NICENESS = 15
"""Niceness of calls that no visitor waits for, above the niceness of searches."""


class CallQueue(StrEnum):
    """Queues of short calls: a call waits only for calls in its own queue."""

    CLICK = "click"  # look-ups and other quick calls that a page waits for
    HINT = "hint"  # distances of boards without a table
    DRAW = "draw"  # random puzzles with a given number of moves
    PAINT = "paint"  # pictures and animations
    BUILD = "build"  # tables of heuristics, checks on all boards, checks of searches
    REVIEW = "review"  # reviews of games, shortest solutions, fewest slides

    @property
    def workers(self) -> int:
        """Number of processes, each with a single call at a time."""
        return 2 if self is CallQueue.CLICK else 1

    @property
    def niceness(self) -> int:
        """Niceness of its processes."""
        return 0 if self is CallQueue.CLICK else BACKGROUND_NICENESS


class CallPool(ABC):
    """Calls public functions of modules in other processes; safe to use from many threads."""

    @abstractmethod
    def submit(
        self, queue: CallQueue, function: Callable[..., T], *args: object, timeout: float
    ) -> Future[T]:
        """Schedule `function(*args)`; the future fails with `Busy` after `timeout` seconds,
        including the time in the queue."""

    @abstractmethod
    def close(self) -> None:
        """Refuse new calls; pending calls fail with `Restarting`."""

    def call(
        self, queue: CallQueue, function: Callable[..., T], *args: object, timeout: float
    ) -> T:
        """Submit a call and wait for its result."""
        answer = self.submit(queue, function, *args, timeout=timeout)
        try:
            return answer.result(timeout)
        except TimeoutError:
            answer.cancel()
            raise busy_error() from None


def busy_error(retry_after: int = 5) -> Busy:
    """Return the error of a call or search that did not start in time."""
    return Busy(message("All solvers are busy right now. Try again in a few seconds."), retry_after)


class Solvers(ABC):
    """Runs searches as jobs with an id, and short calls; safe to use from many threads.

    Jobs are limited per visitor and per address. Waiting jobs run in the order of `in_turn`.
    """

    calls: CallPool

    closing = False
    """Whether the server stops and refuses jobs."""

    draining = False
    """Whether the server will stop: new visitors are refused, running jobs go on."""

    @abstractmethod
    def start(self, spec: SearchSpec, visitor: str, address: str = "") -> str:
        """Queue a search and return the id of its job; raises as `check_can_start` does.

        If all places are taken, it may displace a waiting job (`to_displace`).
        """

    @abstractmethod
    def check_can_start(self, visitor: str, address: str = "") -> None:
        """Raise `TooManySearches` or `Restarting` if a search could not start."""

    @abstractmethod
    def events(self, job_id: str, after: int = 0) -> Iterator[tuple[int, JobEvent | None]]:
        """Yield (id, event) for the events of a job after the id `after`, as they come.

        Ids count from 1. While nothing happens (last id, None) comes every 0.4 s. Unknown jobs
        have no events.
        """

    @abstractmethod
    def cancel(self, job_id: str) -> None:
        """Stop a job, whose last event reports its bounds; ignore an ended or unknown job."""

    @abstractmethod
    def abandon(self, job_id: str) -> None:
        """Stop a job without readers; its worker is killed at once."""

    @abstractmethod
    def forget(self, job_id: str) -> None:
        """Delete an ended job with its events."""

    @property
    @abstractmethod
    def load(self) -> Load:
        """Numbers of running and waiting searches."""

    @property
    @abstractmethod
    def missing(self) -> tuple[str, ...]:
        """Parts that are not ready yet; empty once all searches start at once."""

    @abstractmethod
    def warm_up(self) -> None:
        """Compile and load everything in the background."""

    @abstractmethod
    def close(self) -> None:
        """Refuse new jobs and cancel the others."""

    def call(self, function: Callable[..., T], *args: object, timeout: float) -> T:
        """Call a quick function in another process and wait for its result."""
        return self.calls.call(CallQueue.CLICK, function, *args, timeout=timeout)


def too_many_error(count: int, whose: Literal["visitor", "address", ""] = "") -> TooManySearches:
    """Build the error for a full queue: 429 for `whose` limit, 503 for the site's limit."""
    if whose == "visitor":
        why = ngettext(
            "%(num)s search you started is already running",
            "%(num)s searches you started are already running",
            count,
        )
    elif whose == "address":
        why = ngettext(
            "%(num)s search from your network is already running",
            "%(num)s searches from your network are already running",
            count,
        )
    else:
        why = ngettext(
            "%(num)s search is already running", "%(num)s searches are already running", count
        )
    return TooManySearches(why, 5, 429) if whose else TooManySearches(why, retry_after=10)


def displaced_error() -> TooManySearches:
    """Build the error of a search that lost its place in the queue."""
    return TooManySearches(_("Many others are waiting too"), retry_after=10)


ON_REQUEST = message("stopped on request")
"""Reason of a cancelled search."""

TIME_OVER = message("stopped when the time for this answer was over")
SERVER_STOPS = message("stopped because the server is about to restart")


NOT_STARTED = message("The solver could not be started. Try again in a moment.")
LOST = message("The solver stopped unexpectedly. Try again, or with a smaller limit.")
TOO_LARGE = message(
    "The search needed more memory than one search may use here. Choose another algorithm."
)


def lost_reason(how: str) -> str:
    """Return the message for a search whose worker died."""
    return TOO_LARGE if how == OUT_OF_MEMORY else LOST


def stop_reason(why: str, result: Result) -> Result:
    """Return the result of a stopped search with the reason `why`."""
    verdict = result.verdict
    reason, because = (
        replaced(text, ON_REQUEST, why) for text in (verdict.reason, verdict.because)
    )
    return replace(result, verdict=replace(verdict, reason=reason, because=because))


class Sent(Protocol):
    """An object with a visitor and an address."""

    @property
    def visitor(self) -> str:
        """Name of the visitor."""

    @property
    def address(self) -> str:
        """Address of the visitor."""


S = TypeVar("S", bound=Sent)


def to_displace(address: str, open_jobs: Iterable[Sent], waiting: Sequence[S]) -> S | None:
    """Return the waiting job that makes room for a newcomer at `address`, None without any.

    That is the newest job of the address with the most open jobs, if these are more than `address`
    would have with the newcomer. `waiting` is in order of arrival.
    """
    places = Counter(one.address for one in open_jobs)
    loser = max(reversed(waiting), key=lambda one: places[one.address], default=None)
    return loser if loser and places[loser.address] > places[address] + 1 else None


def in_turn(waiting: Sequence[S], running: Iterable[S] = ()) -> list[S]:
    """Return `waiting` in round-robin order of addresses, and of visitors within an address.

    Items of a visitor stay in order. Running items count as turns already taken.
    """
    had = list(running)
    by_visitor = _rounds(waiting, had, lambda one: (one.visitor, one.address))
    return _rounds(by_visitor, had, lambda one: one.address)


def _rounds(waiting: Sequence[S], had: Iterable[S], who: Callable[[S], Hashable]) -> list[S]:
    """Return `waiting` in round-robin order of the key `who`."""
    turns = Counter(map(who, had))
    rounds = []
    for one in waiting:
        rounds.append(turns[who(one)])
        turns[who(one)] += 1
    order = sorted(range(len(waiting)), key=rounds.__getitem__)
    return [waiting[place] for place in order]
