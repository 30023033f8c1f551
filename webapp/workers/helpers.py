"""Pools of helper processes for short calls, for example an exact distance.

The web process loads neither numpy nor tables. A fork per call would cost some 10 ms. A running
helper takes less than 1 ms, and caches its tables.
"""

import logging
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Generic, TypeVar, cast

from slidewise import FunctionError, SearchSpec
from slidewise.solver import warming
from slidewise.solver.events import Event, Finished, Preparing
from slidewise.text import message, sentence

from ..http.responses import Busy, Restarting, TooLarge
from .budgets import Pay, current_charge
from .memory import EXIT_CODE, OUT_OF_MEMORY, LimitedContext, LimitedProcess, data_bytes
from .shared import CacheKind, Shared
from .solvers import CallPool, CallQueue, Failed, busy_error

NICENESS = 10
"""Lets the web process go first: clicks are answered while every core is solving."""

PROCESS_NAME = "slidewise-solve"
"""Process name of a search in `ps` and `top`: 15 characters at most."""

STOP = "stop"
"""Message to a worker: stop the search."""

MAX_SEARCHES = 200
"""Searches of a worker before it is replaced, so that leaks stay small."""

MAX_GROWTH_BYTES = 50 * 2**20
"""Growth of a worker in bytes that still leaves the next search its memory."""

BATCH_SECONDS = 0.02
"""Seconds between batches of events: sending each event alone takes longer than many a search."""

_looking = threading.Lock()
"""multiprocessing polls all children in start() and join(); serialise both, or a race reports a
live child as lost."""


def start(process: LimitedProcess) -> None:
    """Start a worker; raises `EOFError` or `OSError` if the fork server died."""
    with _looking:
        process.start()


def end(process: LimitedProcess, seconds: float | None = 0.0) -> str:
    """Wait for a worker's end, kill it after `seconds` unless None, and return how it exited."""
    if seconds == 0 or not wait([process.sentinel], seconds):
        process.kill()
        wait([process.sentinel])
    with _looking:
        process.join()
    return how_it_ended(process.exitcode)


def when_parent_dies(action: Callable[[], object]) -> None:
    """Call `action` in a thread once the process that started this process has died."""

    def watch() -> None:
        if parent := parent_process():
            wait([parent.sentinel])
            action()

    threading.Thread(target=watch, daemon=True).start()


def lower_priority(niceness: int) -> None:
    """Lower the priority of this process on POSIX systems."""
    if hasattr(os, "nice"):
        os.nice(niceness)


def become_search() -> None:
    """Lower the priority and, on Linux, take the process name of a search."""
    lower_priority(NICENESS)
    with suppress(OSError):
        Path("/proc/self/comm").write_text(PROCESS_NAME)


def run(connection: Connection) -> None:
    """Run searches one after the other; the message "stop" stops the running search.

    Each message back is a list of events, and whether the process then waits for another search.
    """
    become_search()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles Ctrl-C
    searches: SimpleQueue[tuple[SearchSpec, threading.Event]] = SimpleQueue()
    threading.Thread(target=_receive, args=(connection, searches), daemon=True).start()
    at_start = data_bytes()
    for number in range(1, MAX_SEARCHES + 1):
        events = _search(connection, *searches.get())
        if node_store := sys.modules.get("slidewise.solver.engines.node_store"):
            node_store.POOL.clear()  # looked up, because an import would compile its kernels
        is_small = data_bytes() - at_start <= MAX_GROWTH_BYTES
        is_ready = number < MAX_SEARCHES and is_small and isinstance(events[-1], Finished)
        send_event(connection, (events, is_ready))
        if not is_ready:
            break


def _receive(
    connection: Connection, searches: SimpleQueue[tuple[SearchSpec, threading.Event]]
) -> None:
    """Queue each search with the event that stops it; exit if the web process died."""
    stop = threading.Event()
    try:
        while True:
            received = connection.recv()
            if received == STOP:
                stop.set()
            else:
                # a new event: an earlier "stop" must not stop this search
                stop = threading.Event()
                searches.put((received, stop))
    finally:
        os._exit(0)


def _search(
    connection: Connection, spec: SearchSpec, stop: threading.Event
) -> list[Event | Failed]:
    """Run a search, send its events in batches, and return the last batch."""
    events: list[Event | Failed] = []
    sent = time.monotonic()
    try:
        for event in spec.events(stop.is_set):
            if events and (isinstance(event, Preparing) or time.monotonic() - sent > BATCH_SECONDS):
                send_event(connection, (events, False))
                events, sent = [], time.monotonic()
            events.append(event)
    except FunctionError as error:  # of an installed package
        events.append(Failed(sentence(str(error))))
    return events


def prepare_all(connection: Connection) -> None:
    """Compile and load each part, and send its name once it is ready."""
    lower_priority(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    when_parent_dies(partial(os._exit, 0))
    for part in warming.PARTS:
        for _ in warming.prepare(part):
            pass
        send_event(connection, part)


def send_event(connection: Connection, message: object) -> None:
    """Send a message; exit if the web process died."""
    try:
        connection.send(message)
    except OSError:
        os._exit(0)


def notify_parent(connection: Connection) -> None:
    """Send the id of the process that forked this process."""
    send_event(connection, os.getppid())


def wait_for_end_of(process: int) -> None:
    """Wait until a process has ended; raises `OSError` without pidfd."""
    if not hasattr(os, "pidfd_open"):
        raise OSError("processes cannot be watched here")
    descriptor = os.pidfd_open(process)
    try:
        wait([descriptor])
    finally:
        os.close(descriptor)


def how_it_ended(code: int | None) -> str:
    """Return an exit code in words.

    >>> how_it_ended(-9), how_it_ended(1)
    ('killed by SIGKILL', 'exit code 1')
    """
    if code is not None and -code in set(signal.Signals):
        return f"killed by {signal.Signals(-code).name}"
    if code == EXIT_CODE:
        return OUT_OF_MEMORY
    return f"exit code {code}"


T = TypeVar("T")

_LOG = logging.getLogger(__name__)

ATTEMPTS = 2
"""Attempts at a call: a killed helper is rarely the fault of its call."""

Outcome = tuple[BaseException | None, Any, float]
"""Outcome of a call: error, value and CPU seconds."""


@dataclass(eq=False)
class _Call:
    message: memoryview
    deadline: float
    pay: Pay | None = None
    answer: Future[Any] = field(default_factory=Future)


class LocalCallPool(CallPool):
    """Processes of this machine, started by the first call of their queue."""

    def __init__(self, context: LimitedContext) -> None:
        self._context = context
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._queues: dict[CallQueue, SimpleQueue[_Call | None]] = {}
        self._workers: list[tuple[_Worker, SimpleQueue[_Call | None]]] = []

    def submit(
        self, queue: CallQueue, function: Callable[..., T], *args: object, timeout: float
    ) -> Future[T]:
        """Schedule a call; arguments and result are pickled. An overdue call is stopped."""
        message = ForkingPickler.dumps((function, args))
        call = _Call(message, time.monotonic() + timeout, current_charge())
        self._open(queue).put(call)
        return call.answer

    def close(self) -> None:
        with self._lock:
            self._closing.set()
        for worker, calls in self._workers:
            worker.kill()
            calls.put(None)

    def _open(self, queue: CallQueue) -> SimpleQueue[_Call | None]:
        with self._lock:
            if self._closing.is_set():
                raise Restarting()
            if queue not in self._queues:
                calls: SimpleQueue[_Call | None] = SimpleQueue()
                for _ in range(queue.workers):
                    worker = _Worker(self._context, queue.niceness, self._closing)
                    threading.Thread(target=worker.serve, args=(calls,), daemon=True).start()
                    self._workers.append((worker, calls))
                    self._queues[queue] = calls  # after the start of a thread that serves it
            return self._queues[queue]


class _Worker:
    """A process that runs calls, started by the first call."""

    def __init__(self, context: LimitedContext, niceness: int, closing: threading.Event) -> None:
        self._context, self._niceness, self._closing = context, niceness, closing
        self._running: tuple[LimitedProcess, Connection] | None = None

    def serve(self, calls: SimpleQueue[_Call | None]) -> None:
        """Run calls one after the other, in a thread of the web process."""
        while call := calls.get():
            if not call.answer.set_running_or_notify_cancel():
                continue
            error, value, seconds = self._outcome(call)
            if call.pay:
                call.pay(seconds)
            if error is None:
                call.answer.set_result(value)
            else:
                call.answer.set_exception(error)
        self.end()

    def _outcome(self, call: _Call) -> Outcome:
        """Run a call, and repeat it in a new process if the first process died."""
        began = time.monotonic()
        failure: Exception = Busy(
            message("The process working on this stopped unexpectedly. Try again in a moment."), 5
        )
        for _ in range(ATTEMPTS):
            try:
                return self._run(call)
            except TimeoutError:
                self.end()
                failure = busy_error()
                break
            except (EOFError, OSError):
                if self._closing.is_set():
                    self.end()
                    failure = Restarting()
                    break
                how = self.end()
                _LOG.warning("A helper was lost (%s). Another takes its place.", how)
                if how == OUT_OF_MEMORY:
                    failure = TooLarge()
                    break
            except Exception as other:
                self.end()
                failure = other
                break
        # the CPU time of a lost process is unknown: charge the elapsed time
        return failure, None, time.monotonic() - began

    def kill(self) -> None:
        """Kill the process from another thread; `closing` gives the reason."""
        if running := self._running:
            running[0].kill()

    def end(self) -> str:
        """Kill the process and return its exit status in words."""
        if self._running is None:
            return "it did not start"
        process, connection = self._running
        self._running = None
        how = end(process)
        connection.close()
        return how

    def _run(self, call: _Call) -> Outcome:
        """Send a call and receive its outcome; raises `TimeoutError` past its deadline."""
        if self._closing.is_set():
            return Restarting(), None, 0.0
        connection = self._connection()
        if call.deadline < time.monotonic():
            return busy_error(), None, 0.0  # overdue in the queue; the helper takes the next
        connection.send_bytes(call.message)
        if not connection.poll(max(0.0, call.deadline - time.monotonic())):
            raise TimeoutError
        return cast("Outcome", connection.recv())

    def _connection(self) -> Connection:
        """Return the connection to the process, started if necessary."""
        if self._running is None:
            ours, theirs = self._context.Pipe()
            is_spawned = self._context.get_start_method() == "spawn"
            process = self._context.Process(
                target=answer_calls, args=(theirs, self._niceness, is_spawned), daemon=True
            )
            start(process)
            theirs.close()
            self._running = process, ours
            if is_spawned:
                ours.recv()  # loading everything takes seconds, which no call's timeout includes
        return self._running[1]


def answer_calls(connection: Connection, niceness: int = 0, is_spawned: bool = False) -> None:
    """Run calls until the connection closes; the loop of a helper.

    If `is_spawned`, first load the modules that a forked helper inherits, then send None. The
    timeouts of calls do not include that time.
    """
    lower_priority(niceness)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles Ctrl-C
    when_parent_dies(partial(os._exit, 0))  # even during a call
    if is_spawned:
        from . import preload  # noqa: F401  # for its imports

        connection.send(None)
    while True:
        try:
            function, args = connection.recv()
        except EOFError:
            return
        began = time.process_time()
        outcome = _outcome(function, args)
        connection.send((*outcome, time.process_time() - began))


def _outcome(function: Callable[..., object], args: tuple[object, ...]) -> tuple[object, object]:
    """Call the function and return (error, value)."""
    try:
        return None, function(*args)
    except MemoryError:
        raise  # exit and free the memory
    except Exception as error:
        error.add_note(f"In a helper: {traceback.format_exc()}")
        return error, None


Key = TypeVar("Key")
Answer = TypeVar("Answer")


class Late(Busy):
    """The result of a call is not ready; the call goes on."""


class CoalescedCalls(Generic[Key, Answer]):
    """Runs equal calls once, however many requests submit them, and caches results as `kind`.

    At most `most` calls are pending, `each` per visitor; others are refused with the message
    `busy`. Requests that wait for a result hold a slot of `waiting`, without which any may wait.
    Failures are not cached. Two processes may run the same call at the same time. It is safe to
    use from many threads.
    """

    def __init__(
        self,
        start: Callable[[Key], Future[Answer]],
        kind: CacheKind[Key, Answer],
        shared: Shared,
        most: int,
        each: int | None = None,
        busy: str = "The server is very busy right now. Try again in a few seconds.",
        waiting: threading.Semaphore | None = None,
    ) -> None:
        self._start, self._kind, self._shared = start, kind, shared
        self._most, self._each, self._busy = most, each or most, busy
        self._waiting = waiting
        self._lock = threading.Lock()
        self._pending: dict[Key, tuple[str, Future[Answer]]] = {}

    def submit(self, key: Key, visitor: str = "") -> Future[Answer]:
        """Return the cached, pending or new call of `key`; raises `Busy` over a limit."""
        with self._lock:
            answer = self._local(key)
        if answer is None:
            # without the lock, as it may take a round trip to another machine
            answer = _finished(self._shared.get(self._kind, key))
        return answer or self._submit(key, visitor)

    def within(self, key: Key, seconds: float, visitor: str = "") -> Answer:
        """Return the result of `submit`; raises `Late` after `seconds`, or at once without a slot
        for waiting."""
        answer = self.submit(key, visitor)
        with slot(self._waiting) if self._waiting else nullcontext(True) as waits:
            try:
                return answer.result(seconds if waits else 0)
            except (TimeoutError, CancelledError):
                raise Late(self._busy, retry_after=5) from None

    def _submit(self, key: Key, visitor: str) -> Future[Answer]:
        with self._lock:
            # check again: another thread may have submitted it meanwhile
            answer = self._local(key)
            if answer is not None:
                return answer
            self._check_limits(visitor)
            answer = self._start(key)
            self._pending[key] = visitor, answer
        # outside the lock: if the call has finished, `_done` runs here and takes it
        answer.add_done_callback(partial(self._done, key))
        return answer

    def _local(self, key: Key) -> Future[Answer] | None:
        """Return the call if it is pending or cached in this process."""
        if key in self._pending:
            return self._pending[key][1]
        return _finished(self._shared.get_local(self._kind, key))

    def _done(self, key: Key, answer: Future[Answer]) -> None:
        """Cache a result, and remove the call from the pending calls."""
        try:
            if not answer.cancelled() and not answer.exception():
                self._shared.put(self._kind, key, answer.result())
        finally:
            with self._lock:
                del self._pending[key]

    def _check_limits(self, visitor: str) -> None:
        visitors = [other for other, answer in self._pending.values() if not answer.done()]
        if visitors.count(visitor) >= self._each:
            raise Busy(self._busy, 5, status=503 if self._each == self._most else 429)
        if len(visitors) >= self._most:
            raise Busy(self._busy, retry_after=5)


def _finished(result: Answer | None) -> Future[Answer] | None:
    """Return a future with the result; None stays None."""
    if result is None:
        return None
    future: Future[Answer] = Future()
    future.set_result(result)
    return future


@contextmanager
def slot(slots: threading.Semaphore) -> Iterator[bool]:
    """Hold a slot for a waiting request; yield False if all slots are taken.

    Slots are few, so that threads of the server stay free for clicks.
    """
    free = slots.acquire(blocking=False)
    try:
        yield free
    finally:
        if free:
            slots.release()
