"""Processor time is shared out: what is dear is paid for by the visitor who asks for it.

A view that is `costly` is measured, with what helpers do for it, and is refused to a visitor, or
to an address, who has used a budget up. Budgets fill again with time. What costs little, such as a
click or a hint, is never refused; searches have limits of their own (`solvers.py`).
"""

from __future__ import annotations

import math
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from flask import g

from slidewise.text import plural
from webapp.http.busy import Busy
from webapp.http.visitor import SHARES_PER_ADDRESS, Visitor, this_visitor
from webapp.workers.cache import Cache
from webapp.workers.services import service

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FILL_SECONDS = 480.0
"""After so many seconds a budget that was used up is whole again. With that of a visitor, 240
processor seconds, half a core can be used all the time, and a run on many boards, the dearest there
is, can be repeated eight times at once."""

RESERVED_SECONDS = 1.0
"""What a request counts for while it is under way, so that many at once cannot all begin on what
is left for one: the dearest usual ones take as much."""

MAX_ACCOUNTS = 10_000
"""How many visitors and addresses are remembered, some 2 MB; those forgotten begin anew."""


class OverBudget(Busy):
    """This visitor, or this address, has used its processor time up."""

    def __init__(self, seconds: int) -> None:
        wait = plural(math.ceil(seconds / 60), "minute") if seconds > 90 else f"{seconds} seconds"
        super().__init__(
            "What you have asked for takes the server a long time. "
            f"Try again in {wait}; until then you can play and solve.",
            retry_after=seconds,
            status=429,
        )


class Budgets:
    """What visitors and addresses have used by now. It is safe to use from many threads.

    Each has `seconds` of processor time, an address `SHARES_PER_ADDRESS` times as many. A cost is
    only known afterwards: a budget may then be overdrawn, and is waited for the longer.
    """

    def __init__(self, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._now = seconds, now
        self._lock = threading.Lock()
        self._used: Cache[str, tuple[float, float]] = Cache(MAX_ACCOUNTS)

    def check(self, visitor: Visitor) -> None:
        """Raise `OverBudget` where nothing is left."""
        waits = [
            (self._used_by(account) - budget) * FILL_SECONDS / budget
            for account, budget in self._accounts(visitor)
        ]
        if max(waits) >= 0:
            raise OverBudget(math.ceil(max(waits)) + 1)

    def charge(self, visitor: Visitor, seconds: float) -> None:
        """Count seconds as used; fewer than none are given back."""
        with self._lock:
            for account, _ in self._accounts(visitor):
                used = max(0.0, self._used_by(account) + seconds)
                self._used.put(account, (used, self._now()))

    def _accounts(self, visitor: Visitor) -> list[tuple[str, float]]:
        """Return what a visitor's requests are counted for, and the budgets."""
        return [
            (f"visitor {visitor.name}", self._seconds),
            (f"address {visitor.address}", self._seconds * SHARES_PER_ADDRESS),
        ]

    def _used_by(self, account: str) -> float:
        used, at = self._used.get(account) or (0.0, 0.0)
        shares = SHARES_PER_ADDRESS if account.startswith("address ") else 1
        filled = (self._now() - at) * shares * self._seconds / FILL_SECONDS
        return max(0.0, used - filled)


@contextmanager
def costly() -> Iterator[None]:
    """Have the visitor pay for a view, or for what is done inside; raises `OverBudget`."""
    budgets, visitor = service(Budgets), this_visitor()
    budgets.check(visitor)
    budgets.charge(visitor, RESERVED_SECONDS)
    g.pay = lambda seconds: budgets.charge(visitor, seconds)
    began = time.thread_time()
    try:
        yield
    finally:
        budgets.charge(visitor, time.thread_time() - began - RESERVED_SECONDS)
