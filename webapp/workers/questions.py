"""Questions for other processes, each asked once, and slots for the requests that wait."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Generic, TypeVar

from webapp.workers import Busy
from webapp.workers.cache import Cache

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future

Question = TypeVar("Question")
Answer = TypeVar("Answer")


class Questions(Generic[Question, Answer]):
    """Has each question asked once by `ask`, however many requests want to know.

    At most `most` questions are under way at a time, `each` of them for one visitor; others are
    told that it is `busy`. The last `kept` answers are remembered, failures are not. It is safe
    to use from many threads.
    """

    def __init__(
        self,
        ask: Callable[[Question], Future[Answer]],
        most: int,
        each: int | None = None,
        kept: int = 0,
        busy: str = "Too much is asked right now. Try again in some seconds.",
    ) -> None:
        self._ask, self._most, self._each, self._busy = ask, most, each or most, busy
        self._lock = threading.Lock()
        self._under_way: dict[Question, tuple[str, Future[Answer]]] = {}
        self._answered: Cache[Question, Future[Answer]] = Cache(kept)

    def ask(self, question: Question, visitor: str = "") -> Future[Answer]:
        """Return the answer, or that to come; raises `Busy` where too many are under way."""
        with self._lock:
            self._sort_out()
            answer = self._answered.get(question)
            if answer is None and question in self._under_way:
                _, answer = self._under_way[question]
            if answer is None:
                self._check_free(visitor)
                answer = self._ask(question)
                self._under_way[question] = visitor, answer
            return answer

    def _sort_out(self) -> None:
        """Move the questions that are under way no more to those answered, but for failures."""
        for question, (_, answer) in list(self._under_way.items()):
            if answer.done():
                del self._under_way[question]
                if not answer.cancelled() and not answer.exception():
                    self._answered.put(question, answer)

    def _check_free(self, visitor: str) -> None:
        visitors = [other for other, _ in self._under_way.values()]
        if visitors.count(visitor) >= self._each:
            raise Busy(self._busy, 5, status=503 if self._each == self._most else 429)
        if len(visitors) >= self._most:
            raise Busy(self._busy, retry_after=5)


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
