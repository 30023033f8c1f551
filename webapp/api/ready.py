"""Whether the server has all it needs, for whoever sends visitors to it."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from webapp.workers.services import solvers

RETRY_SECONDS = 5
"""When to ask again: about how long one part takes to compile."""

blueprint = Blueprint("ready", __name__)


@blueprint.get("/readyz")
def readyz() -> Response:
    """Answer 200 once everything is compiled and loaded, until then 503 with what is missing.

    Visitors are served all the same: their searches wait for what they need themselves.
    """
    missing = solvers().warming.missing
    response = jsonify(ready=not missing, missing=missing)
    if missing:
        response.status_code = 503
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response
