"""Processor time is shared out: what is dear is paid for by the visitor who asks for it.

A view that is `costly` is measured, with what helpers do for it, and is refused to a visitor, or
to an address, who has used a budget up. Budgets fill again with time. What costs little, such as a
click or a hint, is never refused; searches have limits of their own (`solvers.py`).
"""

from __future__ import annotations

import math
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from flask import g

from slidewise.text import plural
from webapp.http.busy import Busy
from webapp.http.visitor import SHARES_PER_ADDRESS, Visitor, this_visitor
from webapp.workers.services import service

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webapp.workers.shared import Shared

FILL_SECONDS = 480.0
"""After so many seconds a budget that was used up is whole again. With that of a visitor, 240
processor seconds, half a core can be used all the time, and a run on many boards, the dearest there
is, can be repeated eight times at once."""

RESERVED_SECONDS = 1.0
"""What a request counts for while it is under way, so that many at once cannot all begin on what
is left for one: the dearest usual ones take as much."""


class OverBudget(Busy):
    """This visitor, or this address, has used its processor time up."""

    def __init__(self, seconds: int) -> None:
        wait = plural(math.ceil(seconds / 60), "minute") if seconds > 90 else f"{seconds} seconds"
        super().__init__(
            f"You have asked for a lot of computing time. Try again in {wait}. Until then you can "
            "still play and solve.",
            retry_after=seconds,
            status=429,
        )


class Budgets:
    """What visitors and addresses have used by now. It is safe to use from many threads.

    Each has `seconds` of processor time, an address `SHARES_PER_ADDRESS` times as many. A cost is
    only known afterwards: a budget may then be overdrawn, and is waited for the longer.

    What was used is a debt in `shared`, in the seconds that it takes to fill again.
    """

    def __init__(self, seconds: float, shared: Shared) -> None:
        self._seconds, self._shared = seconds, shared

    def check(self, visitor: Visitor) -> None:
        """Raise `OverBudget` where nothing is left."""
        wait = max(self._add(visitor, 0)) - FILL_SECONDS
        if wait >= 0:
            raise OverBudget(math.ceil(wait) + 1)

    def charge(self, visitor: Visitor, seconds: float) -> None:
        """Count seconds as used; fewer than none are given back."""
        self._add(visitor, seconds)

    def _add(self, visitor: Visitor, seconds: float) -> list[float]:
        """Add to the debts of a visitor and its address, and return them."""
        filled_in = seconds * FILL_SECONDS / self._seconds
        return self._shared.charge(
            {
                f"visitor {visitor.name}": filled_in,
                f"address {visitor.address}": filled_in / SHARES_PER_ADDRESS,
            }
        )


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
