"""Short questions, such as an exact distance, answered in processes that are kept for them.

The web process loads neither numpy nor the tables. A worker forked for each question would take
some 10 ms; a helper that is there already takes less than one, and keeps the tables it has made.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
import traceback
from concurrent.futures import Future
from dataclasses import dataclass, field
from multiprocessing import parent_process
from multiprocessing.connection import wait
from multiprocessing.reduction import ForkingPickler
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar, cast

from webapp.http.busy import Busy, Restarting, TooLarge
from webapp.workers.memory import OUT_OF_MEMORY
from webapp.workers.payer import payer
from webapp.workers.process import end, start
from webapp.workers.solvers import Asked, late

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkServerContext, ForkServerProcess

    from webapp.workers.payer import Pay

T = TypeVar("T")

_LOG = logging.getLogger(__name__)

ATTEMPTS = 2
"""How often a call is tried: one whose helper was killed is no cause of that, as a rule."""

Outcome = tuple[BaseException | None, Any, float]
"""Of a call: the error or the value, and the processor seconds that it took."""

HELPERS = 2
"""The processes that answer questions, and so the questions that are answered at a time."""


@dataclass(eq=False)
class _Call:
    message: memoryview
    deadline: float
    pay: Pay | None = None
    answer: Future[Any] = field(default_factory=Future)


class Helpers(Asked):
    """At most `most` processes that call functions, each started when it is first needed.

    It is safe to use from many threads.
    """

    def __init__(self, context: ForkServerContext, most: int = HELPERS, niceness: int = 0) -> None:
        self._context, self._most, self._niceness = context, most, niceness
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._helpers: list[_Helper] = []
        self._closing = threading.Event()

    def ask(self, function: Callable[..., T], *args: object, timeout: float) -> Future[T]:
        """Return what `function(*args)` returns in a helper, or raises; arguments and value are
        pickled. What takes too long is stopped."""
        call = _Call(ForkingPickler.dumps((function, args)), time.monotonic() + timeout, payer())
        self._start_keepers()
        self._calls.put(call)
        return call.answer

    def close(self) -> None:
        with self._lock:
            self._closing.set()
        for helper in self._helpers:
            helper.kill()
            self._calls.put(None)

    def _start_keepers(self) -> None:
        with self._lock:
            if self._closing.is_set():
                raise Restarting()
            while len(self._helpers) < self._most:
                helper = _Helper(self._context, self._niceness, self._closing)
                self._helpers.append(helper)
                threading.Thread(target=self._keep, args=(helper,), daemon=True).start()

    def _keep(self, helper: _Helper) -> None:
        """Have calls answered, one after the other; runs in a thread for each helper."""
        while call := self._calls.get():
            if not call.answer.set_running_or_notify_cancel():
                continue
            error, value, seconds = helper.outcome(call)
            if call.pay:
                call.pay(seconds)
            if error is None:
                call.answer.set_result(value)
            else:
                call.answer.set_exception(error)
        helper.end()


class _Helper:
    """A process that answers calls, seen from the web process; started when it is first asked."""

    def __init__(self, context: ForkServerContext, niceness: int, closing: threading.Event) -> None:
        self._context, self._niceness, self._closing = context, niceness, closing
        self._running: tuple[ForkServerProcess, Connection] | None = None

    def outcome(self, call: _Call) -> Outcome:
        """Return what came of a call. Where the process was lost another is asked, once."""
        began = time.monotonic()
        failure: Exception = Busy(
            "The process that was working on this was lost. Try again in a moment.", 5
        )
        for _ in range(ATTEMPTS):
            try:
                return self._ask(call)
            except TimeoutError:
                self.end()
                failure = late()
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
        return failure, None, time.monotonic() - began

    def kill(self) -> None:
        """End the process from another thread, which then knows by `closing` why."""
        if running := self._running:
            running[0].kill()

    def end(self) -> str:
        """End the process, whatever it is at; return how it ended."""
        if self._running is None:
            return "it did not start"
        process, connection = self._running
        self._running = None
        how = end(process)
        connection.close()
        return how

    def _ask(self, call: _Call) -> Outcome:
        """Return what came of a call; raises `TimeoutError` past its deadline."""
        if call.deadline < time.monotonic():
            return late(), None, 0.0  # it waited too long; the helper can go on with the next
        if self._closing.is_set():
            return Restarting(), None, 0.0
        connection = self._connection()
        connection.send_bytes(call.message)
        if not connection.poll(max(0.0, call.deadline - time.monotonic())):
            raise TimeoutError
        return cast("Outcome", connection.recv())

    def _connection(self) -> Connection:
        """Return what leads to the process, which is started where there is none."""
        if self._running is None:
            ours, theirs = self._context.Pipe()
            process = self._context.Process(
                target=answer_calls, args=(theirs, self._niceness), daemon=True
            )
            start(process)
            theirs.close()
            self._running = process, ours
        return self._running[1]


def answer_calls(connection: Connection, niceness: int = 0) -> None:
    """Answer the calls that come, until there is nobody left to ask; what a helper does."""
    os.nice(niceness)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    threading.Thread(target=_end_with_parent, daemon=True).start()
    while True:
        try:
            function, args = connection.recv()
        except EOFError:
            return
        began = time.process_time()
        outcome = _outcome(function, args)
        connection.send((*outcome, time.process_time() - began))


def _outcome(function: Callable[..., object], args: tuple[object, ...]) -> tuple[object, object]:
    """Return (error, value) of a call, one of which is None."""
    try:
        return None, function(*args)
    except MemoryError:
        raise  # this process ends, and gives its memory back
    except Exception as error:
        error.add_note(f"In a helper: {traceback.format_exc()}")
        return error, None


def _end_with_parent() -> None:
    """End this process when the web process has gone, also in the middle of a call."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(0)
