"""Whether the server has all it needs, for whoever sends visitors to it."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from webapp.workers.services import solvers

blueprint = Blueprint("ready", __name__)


@blueprint.get("/readyz")
def readyz() -> tuple[Response, int]:
    """Answer 200 once everything is compiled and loaded, until then 503 with what is missing.

    Visitors are served all the same: their searches wait for what they need themselves.
    """
    missing = solvers().warming.missing
    return jsonify(ready=not missing, missing=missing), 503 if missing else 200
