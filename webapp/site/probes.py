"""Liveness and readiness probes for load balancers."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from flask import Blueprint, Response, current_app, jsonify, request
from werkzeug.exceptions import BadHost, SecurityError

from ..http.responses import uncached
from ..workers.services import solvers

if TYPE_CHECKING:
    from flask import Flask

RETRY_SECONDS = 5
"""`Retry-After` in seconds: about the compile time of one part."""

blueprint = Blueprint("probes", __name__)


def init_probes(app: Flask) -> None:
    """Answer probes under any host name, since orchestrators use addresses."""
    app.before_request(_answer_by_address)


@blueprint.get("/healthz")
def healthz() -> Response:
    """Liveness: always 200."""
    return uncached(Response("ok\n", mimetype="text/plain"))


@blueprint.get("/readyz")
def readyz() -> Response:
    """Readiness: 200 once everything is compiled and loaded, else 503 with the reason.

    A stopping server is 503 too. Visitors are served while it compiles: their searches wait for the
    parts they need.
    """
    missing = solvers().missing
    stops = solvers().closing or solvers().draining
    reason = "the server is about to stop" if stops else None
    if missing and not reason:
        reason = f"still to come: {', '.join(missing)}"
    response = jsonify(ready=not reason, missing=missing, reason=reason)
    if reason:
        response.status_code = 503
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return uncached(response)


def _answer_by_address() -> Response | None:
    if not isinstance(request.routing_exception, (SecurityError, BadHost)):
        return None
    view = current_app.view_functions.get(f"probes.{request.path[1:]}")
    return cast("Response", view()) if view else None
