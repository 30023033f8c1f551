"""CPU time is shared out: each request is charged to its visitor and to its address.

There are two budgets. The web process has one core for all visitors: its budget is charged for
every route that is not marked as `cheap`. The helpers' budget is charged by `charge_cpu_time`. A
visitor with an empty budget is refused until it has filled again. Searches have other limits
(`solvers.py`).
"""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from flask import Flask, Response, current_app, g, request

from ..http.language import gettext as _
from ..http.language import ngettext
from ..http.responses import Busy
from ..http.routes import CHEAP_ENDPOINTS
from ..http.visitor import SHARES_PER_ADDRESS, Visitor, current_visitor
from .shared import Shared, service

FILL_SECONDS = 480.0
"""Seconds until an empty budget is full again. A visitor's 240 CPU seconds allow half a core all
the time, or eight runs on many boards, the most expensive request, at once."""

WEB_SHARE = 0.1
"""A visitor's CPU time in the web process, as a share of the helpers' budget. Of the usual 240
seconds it allows a twentieth of a core all the time: some five pages a second."""

WEB_SHARES_PER_ADDRESS = 10
"""Budget of an address for the web process, in shares of a visitor: half a core."""

CHEAP_BYTES = 24 * 1024
"""Longest form that a cheap route reads, within 12 ms: 100 clicks, or two pasted boards. A form of
128 kB takes 55 ms."""

RESERVED_SECONDS = 1.0
"""CPU seconds charged before a request and refunded after it, so that parallel requests cannot
overdraw a budget."""


class OverBudget(Busy):
    """The budget of this visitor or address is empty. Without `can_solve`, play alone goes on."""

    def __init__(self, seconds: int, *, can_solve: bool = True) -> None:
        if seconds > 90:
            wait = ngettext("%(num)s minute", "%(num)s minutes", math.ceil(seconds / 60))
        else:
            wait = ngettext("%(num)s second", "%(num)s seconds", seconds)
        if can_solve:
            text = _(
                "You have used a lot of computing time. Try again in %(wait)s. Until then you can "
                "still play and solve.",
                wait=wait,
            )
        else:
            text = _(
                "You have used a lot of computing time. Try again in %(wait)s. Until then you can "
                "still play.",
                wait=wait,
            )
        super().__init__(text, retry_after=seconds, status=429)


class Budgets:
    """The CPU time that visitors and addresses have used; safe to use from many threads.

    Each visitor has `seconds` of the helpers, an address `SHARES_PER_ADDRESS` times as much; for
    the web process see `WEB_SHARE`. The cost is known afterwards, so a budget may be overdrawn.

    Used CPU time is a debt in `shared`, in seconds until it is paid off.
    """

    def __init__(self, seconds: float, shared: Shared) -> None:
        self._seconds, self._shared = seconds, shared

    def check(self, visitor: Visitor) -> None:
        """Raise `OverBudget` if the helpers' budget is empty."""
        _check(self._add(visitor, 0), can_solve=True)

    def charge(self, visitor: Visitor, seconds: float) -> None:
        """Count seconds of the helpers as used; negative seconds are refunded."""
        self._add(visitor, seconds)

    def check_web(self, visitor: Visitor) -> None:
        """Raise `OverBudget` if the web process's budget is empty."""
        _check(self._add_web(visitor, 0), can_solve=False)

    def charge_web(self, visitor: Visitor, seconds: float) -> None:
        """Count seconds of the web process as used."""
        self._add_web(visitor, seconds)

    def _add(self, visitor: Visitor, seconds: float) -> list[float]:
        """Add to the debts of a visitor and its address, and return them."""
        # accounts pay back a second each second, so scale the budget to FILL_SECONDS
        filled_in = seconds * FILL_SECONDS / self._seconds
        return self._shared.charge(
            {
                f"visitor {visitor.name}": filled_in,
                f"address {visitor.address}": filled_in / SHARES_PER_ADDRESS,
            }
        )

    def _add_web(self, visitor: Visitor, seconds: float) -> list[float]:
        filled_in = seconds * FILL_SECONDS / (self._seconds * WEB_SHARE)
        return self._shared.charge(
            {
                f"web visitor {visitor.name}": filled_in,
                f"web address {visitor.address}": filled_in / WEB_SHARES_PER_ADDRESS,
            }
        )


def _check(debts: list[float], *, can_solve: bool) -> None:
    wait = max(debts) - FILL_SECONDS
    if wait >= 0:
        raise OverBudget(math.ceil(wait) + 1, can_solve=can_solve)


def init_budgets(app: Flask) -> None:
    """Charge each request that is not `cheap` for its time in the web process.

    With an empty budget it is refused. Call this before setting other handlers of requests, so that
    it measures them too.
    """
    app.url_value_preprocessor(_check_web)
    app.after_request(_charge_web)


def _check_web(endpoint: str | None, values: object) -> None:
    if endpoint in current_app.extensions[CHEAP_ENDPOINTS]:
        request.max_content_length = CHEAP_BYTES
    else:
        g.web_clock = threading.get_ident(), time.thread_time()
        service(Budgets).check_web(current_visitor())


def _charge_web(response: Response) -> Response:
    """Charge the visitor once the answer has been sent, such as at the end of a stream."""
    if "web_clock" in g:
        thread, began = g.web_clock
        charge = partial(service(Budgets).charge_web, current_visitor())
        response.call_on_close(lambda: _stop_clock(thread, began, charge))
    return response


def _stop_clock(thread: int, began: float, charge: Callable[[float], None]) -> None:
    if thread == threading.get_ident():  # a server may close a stream in another thread
        charge(time.thread_time() - began)


@contextmanager
def charge_cpu_time() -> Iterator[None]:
    """Charge a view or a block to the visitor; raises `OverBudget`."""
    budgets, visitor = service(Budgets), current_visitor()
    budgets.check(visitor)
    budgets.charge(visitor, RESERVED_SECONDS)
    g.pay = lambda seconds: budgets.charge(visitor, seconds)
    began = time.thread_time()
    try:
        yield
    finally:
        budgets.charge(visitor, time.thread_time() - began - RESERVED_SECONDS)


Pay = Callable[[float], None]


def current_charge() -> Pay | None:
    """Return the callback that charges the visitor, None outside `charge_cpu_time`."""
    from flask import g, has_app_context  # here, as helpers do without Flask

    pay: Pay | None = g.get("pay") if has_app_context() else None
    return pay
