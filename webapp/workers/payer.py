"""Who pays for processor time that other processes spend for a request."""

from __future__ import annotations

from collections.abc import Callable

Pay = Callable[[float], None]


def payer() -> Pay | None:
    """Return what charges the visitor of this request, None where it is not `costly`."""
    from flask import g, has_app_context  # here, as helpers do without Flask

    pay: Pay | None = g.get("pay") if has_app_context() else None
    return pay
