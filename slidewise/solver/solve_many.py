"""Results of many puzzles, on one core, in a process for each core, or on a cluster."""

from __future__ import annotations

import os
import secrets
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager
from dataclasses import replace
from itertools import count, islice
from time import sleep
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from slidewise.puzzle import Puzzle
from slidewise.solver.events import Event
from slidewise.solver.functions import AlgorithmFunction, HeuristicFunction
from slidewise.solver.result import Result
from slidewise.solver.run import DEFAULT_LIMITS, SearchSpec, ignored, result_of
from slidewise.solver.task import DEFAULT_WEIGHT, Limits, never

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event as ProcessEvent

    from distributed import Client
    from distributed import Future as Task

AHEAD = 32
"""Puzzles per core that are read before the next result, for the other cores to solve while a
puzzle takes longer."""

POLL_SECONDS = 0.05
"""Interval of calls of `cancelled` while processes search, and so the delay of a stop."""


def solve_many(
    puzzles: Iterable[Puzzle],
    algorithm: str | AlgorithmFunction = "best",
    heuristic: str | HeuristicFunction | None = "manhattan",
    limits: Limits = DEFAULT_LIMITS,
    *,
    weight: float = DEFAULT_WEIGHT,
    convention: str = "slidewise",
    cores: int = 1,
    client: Client | None = None,
    cancelled: Callable[[], bool] = never,
    watch: Callable[[Event], object] = ignored,
) -> Iterator[Result]:
    """Yield the result of each puzzle in order, with known bounds added as by `compare`.

    `puzzles` is read lazily, at most 32 puzzles per core ahead, and may be endless. The searches
    have the arguments of `search`, with `limits` for each. With several `cores` each search runs in
    a process of its own. A program then needs `if __name__ == "__main__":`, as for every process
    pool, and functions must be importable by name. Once `cancelled` returns True, searches stop,
    and only the results of searches under way follow. `watch` receives the events with one core.

    With the `client` of a Dask cluster, its workers search instead of this machine, each search in
    a thread. A search whose worker is lost begins again on another worker, and after `cancelled` no
    result follows.

    >>> from slidewise import scramble
    >>> [result.length for result in solve_many(scramble(3, 3, str(n)) for n in range(3))]
    [19, 22, 27]

    The results raise the errors of `search`, `BrokenProcessPool` if a process was killed, and
    `BrokenClusterError` if the scheduler of the cluster is lost. Raises `InvalidLimitsError` if
    `cores` is below 1.
    """
    single = replace(limits, cores=cores).cores == 1 and client is None  # also validates `cores`
    specs = (
        SearchSpec(
            puzzle,
            algorithm,  # type: ignore[arg-type]  # functions stay in their process, or are pickled
            heuristic,  # type: ignore[arg-type]  # the same
            limits if single else replace(limits, cores=1),
            weight,
            convention=convention,
            plain_first=False,
        )
        for puzzle in puzzles
    )
    if client:
        return _on_cluster(client, specs, cancelled)
    return (
        _in_turn(specs, cancelled, watch)
        if single
        else Processes[Result](cores, cancelled).run(specs)
    )


def _in_turn(
    specs: Iterator[SearchSpec], cancelled: Callable[[], bool], watch: Callable[[Event], object]
) -> Iterator[Result]:
    """Yield the results of searches in this process."""
    while not cancelled() and (spec := next(specs, None)):
        yield result_of(spec.events(cancelled), watch)


R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class Computation(Protocol[R_co]):
    """A computation that can be pickled, such as a `SearchSpec`."""

    def result(self, cancelled: Callable[[], bool]) -> R_co:
        """Return the result, early once `cancelled` returns True."""


class Processes(Generic[R]):
    """Processes that compute at the same time, with their results in order."""

    def __init__(self, cores: int, cancelled: Callable[[], bool]) -> None:
        # deferred: these load for as long as a short search takes
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_all_start_methods, get_context

        # Threads would spend a quarter of their time waiting for Python's lock. A fork of this
        # process could inherit locks from its threads.
        forks = "forkserver" in get_all_start_methods()
        context = get_context("forkserver" if forks else "spawn")
        self._stop = context.Event()
        self._pool = ProcessPoolExecutor(cores, context, _start_worker, (self._stop,))
        self._most = AHEAD * cores
        self._cancelled = cancelled
        self._pending: deque[Future[R]] = deque()

    def run(self, jobs: Iterator[Computation[R]]) -> Iterator[R]:
        """Yield the results; the end of the iterator ends the processes."""
        try:
            while not self._cancelled() and (job := next(jobs, None)):
                with _signals_blocked():
                    self._pending.append(self._pool.submit(_result, job))
                while self._pending and (
                    len(self._pending) >= self._most or self._pending[0].done()
                ):
                    yield self._next()
            while self._pending:
                yield self._next()
        finally:
            self._stop.set()
            self._pool.shutdown(cancel_futures=True)

    def _next(self) -> R:
        """Wait for the next result."""
        future = self._pending.popleft()
        while True:
            try:
                return future.result(POLL_SECONDS)
            except TimeoutError:
                if self._cancelled():
                    self._stop.set()
                    # Searches under way stay: they end by `_stop`, each with a result.
                    self._pending = deque(f for f in self._pending if not f.cancel())


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Start processes that no Ctrl-C reaches, even before they run `_start_worker`."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_stop_events: list[ProcessEvent] = []
"""In a worker, the event that stops its searches."""


def _start_worker(stop: ProcessEvent) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that reads results
    _stop_events.append(stop)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Exit when the parent dies, even during a search."""
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _result(job: Computation[R]) -> R:
    return job.result(_stop_events[-1].is_set)


BUNDLE_SECONDS = 0.5
"""Target seconds of a task on a cluster, whose scheduler takes some milliseconds per task."""

MOST_IN_BUNDLE = 500
"""Maximum puzzles in a task."""

BUNDLES_AHEAD = 4
"""Tasks per thread of a cluster submitted before the next result, so that no thread waits."""


class BrokenClusterError(BrokenExecutor):
    """The scheduler of a cluster was lost, or a search ended several of its workers."""


def _on_cluster(
    client: Client, specs: Iterator[SearchSpec], cancelled: Callable[[], bool]
) -> Iterator[Result]:
    """Yield the results of searches on a cluster, in order."""
    token, size = secrets.token_hex(4), 1
    pending: deque[Task[list[Result]]] = deque()
    numbers = count()
    try:
        while True:
            most = BUNDLES_AHEAD * max(1, _threads(client))
            while len(pending) < most and (bundle := list(islice(specs, size))):
                key = f"solve-{next(numbers)}-{token}"
                pending.append(client.submit(_results, bundle, key=key, pure=False))
            if not pending or not _is_done(pending[0], cancelled):
                return
            results = _results_of(pending[0])
            pending.popleft()
            mean = sum(result.seconds for result in results) / len(results)
            # Doubled at most, as the first puzzles may be easier than the rest.
            size = int(min(2 * size, BUNDLE_SECONDS / max(mean, 1e-6), MOST_IN_BUNDLE)) or 1
            yield from results
    finally:
        if client.status == "running":
            client.cancel([*pending])


def _threads(client: Client) -> int:
    """Return the number of threads of a cluster."""
    try:
        if client.status == "running":
            return sum(client.nthreads().values())
    except OSError:
        pass
    raise BrokenClusterError(_NO_SCHEDULER)


_NO_SCHEDULER = "the scheduler of the cluster cannot be reached"


def _is_done(task: Task[list[Result]], cancelled: Callable[[], bool]) -> bool:
    """Wait for a task; return False once the searches are cancelled."""
    while not cancelled():
        if task.done():
            return True
        sleep(POLL_SECONDS)
    return False


def _results_of(task: Task[list[Result]]) -> list[Result]:
    """Return the results of a task that is done, or raise its error."""
    from asyncio import CancelledError

    from distributed import KilledWorker

    try:
        results: list[Result] = task.result()
    except CancelledError:
        raise BrokenClusterError(_NO_SCHEDULER) from None
    except KilledWorker:
        raise BrokenClusterError("a search ended several workers of the cluster") from None
    return results


def _results(specs: list[SearchSpec]) -> list[Result]:
    """Search in a worker of a cluster."""
    cancelled = withdrawn()
    return [spec.result(cancelled) for spec in specs]


def withdrawn() -> Callable[[], bool]:
    """Return a function that returns whether the client no longer needs this task's result."""
    try:
        from distributed import get_worker

        worker = get_worker()
        key = worker.get_current_task()
    except (ImportError, ValueError):  # no task of Dask
        return lambda: False

    def is_withdrawn() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state == "cancelled"

    return is_withdrawn
