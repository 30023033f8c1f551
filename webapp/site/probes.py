"""Whether the server lives, and whether it has all it needs: for whoever sends visitors to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from flask import Blueprint, Response, current_app, jsonify, request
from werkzeug.exceptions import BadHost, SecurityError

from webapp.http.responses import uncached
from webapp.workers.services import solvers

if TYPE_CHECKING:
    from flask import Flask

RETRY_SECONDS = 5
"""When to ask again: about how long one part takes to compile."""

blueprint = Blueprint("probes", __name__)


def init_probes(app: Flask) -> None:
    """Answer probes whatever host they name: they call a process by its address."""
    app.before_request(_answer_by_address)


@blueprint.get("/healthz")
def healthz() -> Response:
    """Answer 200, as long as there is an answer."""
    return uncached(Response("ok\n", mimetype="text/plain"))


@blueprint.get("/readyz")
def readyz() -> Response:
    """Answer 200 once everything is compiled and loaded; until then, and when the server stops,
    503 with the reason.

    Visitors are served while it compiles: their searches wait for what they need themselves.
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
