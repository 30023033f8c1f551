"""What runs searches for the web process, and answers its questions: the interface.

`LocalSolvers` (`local.py`) does it in processes of this machine; `RedisSolvers` (`redis/`) has it
done by workers on any number of machines, for any number of web processes, which then share jobs
and limits.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, TypeVar

from slidewise import Event
from webapp.http.responses import Busy, TooManySearches
from webapp.workers.memory import OUT_OF_MEMORY

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
    from concurrent.futures import Future

    from slidewise import Result, SearchSpec


T = TypeVar("T")

HEARTBEAT_SECONDS = 0.4
"""Seconds after which a reader hears something, so that a visitor who left is noticed."""

STOP_SECONDS = 5.0
"""How long a worker that was told to stop has to say what it knows, before it is killed. It takes
milliseconds, but where the machine is busy."""

OVERTIME_SECONDS = 15.0
"""Seconds past its time limit after which a worker is killed, those for compiling not counted."""

UNTIMED_SECONDS = 60.0
"""The time limit of a search that has none, as it ends after a number of expansions: it takes a
second or two, but much longer on a machine that is busy."""

KEPT_SECONDS = 60.0
"""How long the events of a finished job can still be read."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """The job waits for its turn: it is number `position` of `queue` in the queue."""

    position: int
    queue: int


@dataclass(frozen=True, slots=True)
class Failed:
    """The search was lost, or could not begin; `message` says what to do."""

    message: str


JobEvent = Event | Waiting | Failed


@dataclass(frozen=True, slots=True)
class Load:
    """How many searches run, and how many wait for their turn."""

    running: int
    waiting: int


BACKGROUND_NICENESS = 15
"""Niceness of calls that no visitor waits for, above that of searches."""


class CallQueue(StrEnum):
    """Queues of short calls: a call waits only for others in its own queue."""

    CLICK = "click"  # look-ups and other quick calls that a page waits for
    HINT = "hint"  # distances of boards without a table
    DRAW = "draw"  # random puzzles with a given number of moves
    PAINT = "paint"  # pictures and animations
    BUILD = "build"  # tables of heuristics, checks on all boards, checks of searches
    REVIEW = "review"  # reviews of games, shortest solutions, fewest slides

    @property
    def workers(self) -> int:
        """Number of processes, each with one call at a time."""
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
        """Schedule `function(*args)`; the future fails with `Busy` after `timeout` seconds, which
        include the time in the queue."""

    @abstractmethod
    def close(self) -> None:
        """Refuse new calls; pending ones fail with `Restarting`."""

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


def busy_error() -> Busy:
    """Return what is raised where an answer takes too long."""
    return Busy("All solvers are busy right now. Try again in a few seconds.", retry_after=5)


class Solvers(ABC):
    """Runs searches, each a job with an id, and answers short questions.

    It is safe to use from many threads. Of a visitor, and of the visitors behind one address, it
    takes so many jobs and no more; jobs that wait take turns (`turns.py`).
    """

    calls: CallPool

    closing = False
    """Whether the server stops: no job begins any more."""

    draining = False
    """Whether it stops soon: visitors who come anew are refused, what is begun goes on."""

    @abstractmethod
    def start(self, spec: SearchSpec, visitor: str, address: str = "") -> str:
        """Queue a search and return the id of its job; raises as `check_can_start` does."""

    @abstractmethod
    def check_can_start(self, visitor: str, address: str = "") -> None:
        """Raise `TooManySearches` or, where the server stops, `Restarting`: no search can start."""

    @abstractmethod
    def events(self, job_id: str, after: int = 0) -> Iterator[tuple[int, JobEvent | None]]:
        """Yield (id, event) for the events of a job after the id `after`, as they come.

        Ids count from 1. While nothing happens (last id, None) comes every 0.4 s. Unknown jobs
        have no events.
        """

    @abstractmethod
    def cancel(self, job_id: str) -> None:
        """Stop a job; its last event says what was known. An ended or unknown job is left."""

    @abstractmethod
    def abandon(self, job_id: str) -> None:
        """Stop a job that nobody listens to any more; its worker is ended at once."""

    @abstractmethod
    def forget(self, job_id: str) -> None:
        """Drop a job that has ended and that nobody reads again, as its events may be many."""

    @property
    @abstractmethod
    def load(self) -> Load:
        """How many searches run and wait."""

    @property
    @abstractmethod
    def missing(self) -> tuple[str, ...]:
        """What is still to come until all searches can begin at once."""

    @abstractmethod
    def warm_up(self) -> None:
        """Compile and load, in the background, what visitors will need."""

    @abstractmethod
    def close(self) -> None:
        """Take no more jobs and cancel those there are."""

    def call(self, function: Callable[..., T], *args: object, timeout: float) -> T:
        """Call a quick function in another process and wait for its result."""
        return self.calls.call(CallQueue.CLICK, function, *args, timeout=timeout)


def too_many_error(count: int, whose: str = "") -> TooManySearches:
    """Return what is raised where so many searches run already, "you started" or all of them."""
    which = f"{count} {'search' if count == 1 else 'searches'}{whose and ' '}{whose}"
    return TooManySearches(which, 5, 429) if whose else TooManySearches(which, retry_after=10)


ON_REQUEST = "stopped on request"
"""What a search says that was told to stop."""

TIME_OVER = "stopped when the time for this answer was over"
SERVER_STOPS = "stopped because the server is about to restart"


LOST = "The solver stopped unexpectedly. Try again, or with a smaller limit."
TOO_LARGE = "The search needed more memory than one search may use here. Choose another algorithm."


def lost_reason(how: str) -> str:
    """Return what is told of a search whose worker ended so before the search had finished."""
    return TOO_LARGE if how == OUT_OF_MEMORY else LOST


def stop_reason(why: str, result: Result) -> Result:
    """Return the result of a search that was told to stop, with the reason for that."""
    verdict = result.verdict
    reason, because = (text.replace(ON_REQUEST, why) for text in (verdict.reason, verdict.because))
    return replace(result, verdict=replace(verdict, reason=reason, because=because))


class Sent(Protocol):
    """What was sent by a visitor, from an address."""

    @property
    def visitor(self) -> str:
        """Who sent it."""

    @property
    def address(self) -> str:
        """From where."""


S = TypeVar("S", bound=Sent)


def in_turn(waiting: Sequence[S], running: Iterable[S] = ()) -> list[S]:
    """Return those that wait in the order of their turns, each address taking one after another.

    Those of one address, such as a class, take turns by visitor; those of one visitor keep the
    order in which they came. What runs already counts as a turn that was had.
    """
    had = list(running)
    by_visitor = _rounds(waiting, had, lambda one: (one.visitor, one.address))
    return _rounds(by_visitor, had, lambda one: one.address)


def _rounds(waiting: Sequence[S], had: Iterable[S], who: Callable[[S], Hashable]) -> list[S]:
    """Return `waiting` with the first of each before the second of any."""
    turns = Counter(map(who, had))
    rounds = []
    for one in waiting:
        rounds.append(turns[who(one)])
        turns[who(one)] += 1
    order = sorted(range(len(waiting)), key=rounds.__getitem__)
    return [waiting[place] for place in order]
