"""Questions for other processes, each asked once, and slots for the requests that wait."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from webapp.http.responses import Busy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from webapp.workers.shared import Kind, Shared

Question = TypeVar("Question")
Answer = TypeVar("Answer")


class Questions(Generic[Question, Answer]):
    """Has each question asked once by `ask`, however many requests want to know.

    At most `most` questions are under way at a time, `each` of them for one visitor; others are
    told that it is `busy`. Answers are kept in `shared` as their `kind` says, failures are not:
    what another process has found out is not asked again, though several processes may ask the
    same at the same time. It is safe to use from many threads.
    """

    def __init__(
        self,
        ask: Callable[[Question], Future[Answer]],
        kind: Kind[Question, Answer],
        shared: Shared,
        most: int,
        each: int | None = None,
        busy: str = "The server is very busy right now. Try again in a few seconds.",
    ) -> None:
        self._ask, self._kind, self._shared = ask, kind, shared
        self._most, self._each, self._busy = most, each or most, busy
        self._lock = threading.Lock()
        self._under_way: dict[Question, tuple[str, Future[Answer]]] = {}

    def ask(self, question: Question, visitor: str = "") -> Future[Answer]:
        """Return the answer, or that to come; raises `Busy` where too many are under way."""
        with self._lock:
            answer = self._here(question)
        if answer is None:
            # not under the lock, as it may be on another machine
            answer = _to_come(self._shared.get(self._kind, question))
        return answer or self._begin(question, visitor)

    def _begin(self, question: Question, visitor: str) -> Future[Answer]:
        with self._lock:
            answer = self._here(question)
            if answer is not None:
                return answer
            self._check_free(visitor)
            answer = self._ask(question)
            self._under_way[question] = visitor, answer
        answer.add_done_callback(partial(self._note, question))
        return answer

    def _here(self, question: Question) -> Future[Answer] | None:
        """Return the answer under way, or that this process remembers."""
        if question in self._under_way:
            return self._under_way[question][1]
        return _to_come(self._shared.get_here(self._kind, question))

    def _note(self, question: Question, answer: Future[Answer]) -> None:
        """Keep an answer, if it is none; then the question is under way no more."""
        try:
            if not answer.cancelled() and not answer.exception():
                self._shared.put(self._kind, question, answer.result())
        finally:
            with self._lock:
                del self._under_way[question]

    def _check_free(self, visitor: str) -> None:
        visitors = [other for other, answer in self._under_way.values() if not answer.done()]
        if visitors.count(visitor) >= self._each:
            raise Busy(self._busy, 5, status=503 if self._each == self._most else 429)
        if len(visitors) >= self._most:
            raise Busy(self._busy, retry_after=5)


def _to_come(answer: Answer | None) -> Future[Answer] | None:
    """Return an answer that is there as others that are still to come."""
    if answer is None:
        return None
    known: Future[Answer] = Future()
    known.set_result(answer)
    return known


@contextmanager
def slot(slots: threading.Semaphore) -> Iterator[bool]:
    """Hold one of the slots for requests that wait; False where none is free.

    There are few, so that threads of the server are left for clicks.
    """
    free = slots.acquire(blocking=False)
    try:
        yield free
    finally:
        if free:
            slots.release()
