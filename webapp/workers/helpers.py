"""Short questions, such as an exact distance, answered in processes that are kept for them.

The web process loads neither numpy nor the tables. A worker forked for each question would take
some 10 ms; a helper that is there already takes less than one, and keeps the tables it has made.
"""

from __future__ import annotations

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

from webapp.http.busy import Busy
from webapp.workers.payer import payer

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkServerContext

    from webapp.workers.payer import Pay

T = TypeVar("T")

HELPERS = 2
"""The processes that answer questions, and so the questions that are answered at a time."""


@dataclass(eq=False)
class _Call:
    message: memoryview
    deadline: float
    pay: Pay | None = None
    answer: Future[Any] = field(default_factory=Future)


class Helpers:
    """At most `most` processes that call functions, each started when it is first needed.

    It is safe to use from many threads.
    """

    def __init__(self, context: ForkServerContext, most: int = HELPERS, niceness: int = 0) -> None:
        self._context, self._most, self._niceness = context, most, niceness
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._keepers: list[threading.Thread] = []
        self._closing = False

    def call(self, function: Callable[..., T], *args: object, timeout: float) -> T:
        """Return what `function(*args)` returns in a helper, or raise what it raises.

        The function has to be a public one of a module, and arguments and value are pickled.
        Raises `Busy` where there is no answer within `timeout` seconds, waiting for a free helper
        included; the function is then stopped.
        """
        answer = self.ask(function, *args, timeout=timeout)
        try:
            return answer.result(timeout)
        except TimeoutError:
            answer.cancel()
            raise _late() from None

    def ask(self, function: Callable[..., T], *args: object, timeout: float) -> Future[T]:
        """Return what `call` would, once it is there: to wait less long, or not at all."""
        call = _Call(ForkingPickler.dumps((function, args)), time.monotonic() + timeout, payer())
        self._start_keepers()
        self._calls.put(call)
        return call.answer

    def close(self) -> None:
        """Take no more calls, and end the helpers once they have answered those there are."""
        with self._lock:
            self._closing = True
        for _ in self._keepers:
            self._calls.put(None)

    def _start_keepers(self) -> None:
        with self._lock:
            if self._closing:
                raise Busy("The server is about to restart.", retry_after=10)
            while len(self._keepers) < self._most:
                self._keepers.append(threading.Thread(target=self._keep, daemon=True))
                self._keepers[-1].start()

    def _keep(self) -> None:
        """Have calls answered, one after the other; runs in a thread for each helper."""
        helper: _Helper | None = None
        while call := self._calls.get():
            if not call.answer.set_running_or_notify_cancel():
                continue
            began = time.monotonic()
            try:
                helper = helper or _Helper(self._context, self._niceness)
                error, value, seconds = helper.ask(call)
            except Busy as late:
                error, value, seconds = late, None, 0.0
            except Exception as failure:
                if helper:
                    helper.end()
                helper = None
                lost = isinstance(failure, (EOFError, OSError))  # too late counts as lost
                error, value = _late() if lost else failure, None
                seconds = time.monotonic() - began
            if call.pay:
                call.pay(seconds)
            if error is None:
                call.answer.set_result(value)
            else:
                call.answer.set_exception(error)
        if helper:
            helper.end()


class _Helper:
    """A process that answers calls, seen from the web process."""

    def __init__(self, context: ForkServerContext, niceness: int) -> None:
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=answer_calls, args=(theirs, niceness), daemon=True)
        self._process.start()
        theirs.close()

    def ask(self, call: _Call) -> tuple[BaseException | None, Any, float]:
        """Return (error, value, processor seconds) of a call.

        Raises `TimeoutError` past its deadline.
        """
        if call.deadline < time.monotonic():
            raise _late()  # it waited too long; the helper can go on with the next
        self._connection.send_bytes(call.message)
        if not self._connection.poll(max(0.0, call.deadline - time.monotonic())):
            raise TimeoutError
        return cast("tuple[BaseException | None, Any, float]", self._connection.recv())

    def end(self) -> None:
        """End the process, whatever it is at."""
        self._process.kill()
        self._process.join()
        self._connection.close()


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
    except Exception as error:
        error.add_note(f"In a helper: {traceback.format_exc()}")
        return error, None


def _end_with_parent() -> None:
    """End this process when the web process has gone, also in the middle of a call."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(0)


def _late() -> Busy:
    return Busy("All solvers are busy right now. Try again in some seconds.", retry_after=5)
