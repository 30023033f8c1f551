"""Errors for programs: each is a problem document (RFC 9457) that says what to do next."""

from __future__ import annotations

import json
from http import HTTPStatus

from flask import Response, current_app, request

from slidewise import __version__
from webapp.http.log import request_id

MIMETYPE = "application/problem+json"

TYPES = {
    400: "misfit",
    422: "no-puzzle",
    429: "visitor-limit",
    503: "site-full",
}
"""The kinds of problems that mean more than their status, by it: each is told on the page `/api`,
at the anchor `problem-` and its name, which together is the `type` of the problem. The `type` of
others is `about:blank`, which is to say that the status tells all (RFC 9457)."""

_TEXTS = {
    400: "The request cannot be read. Compare it with /api/v1/openapi.json.",
    404: "There is nothing at this address. The page /api lists what there is.",
    405: "This address does not take that method. The header Allow names those that it takes.",
    406: "Answers are JSON or an event stream. Ask for application/json in the header Accept, "
    "or at /solve and /compare for text/event-stream.",
    413: "The body is longer than any puzzle. Send less.",
    415: "The body has to be JSON. Send it with the header Content-Type: application/json.",
    429: "You asked for a lot at once. Try again after the number of seconds in Retry-After.",
    500: "Something went wrong. It is our fault, not yours. Try again in a moment; if it "
    "keeps happening, send us the request_id.",
}


def for_program() -> bool:
    """Return whether the request is one for programs, whose errors are problems and not pages."""
    return request.path.startswith("/api/")


def problem_type(status: int) -> str:
    """Return the `type` of the problems of a status."""
    if status not in TYPES:
        return "about:blank"
    # not by url_for, which builds nothing for a host that is not ours
    return f"{request.script_root}/api#problem-{TYPES[status]}"


def problem(status: int, detail: str | None = None, **more: object) -> Response:
    """Return the problem of `status`, with `detail` in place of the usual words."""
    title = HTTPStatus(status).phrase
    usual = _TEXTS.get(status, f"{title}. Change the request, and try again.")
    told: dict[str, object] = {
        "type": problem_type(status),
        "title": title,
        "status": status,
        "detail": detail or usual,
        "request_id": request_id(),
        "version": __version__,
        **more,
    }
    if contact := current_app.config["CONTACT"]:
        told["contact"] = contact
    response = Response(json.dumps(told), status, mimetype=MIMETYPE)
    response.headers["Cache-Control"] = "no-store"
    return response
