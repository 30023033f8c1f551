"""What scripts on the pages of other sites may ask of the addresses for programs (CORS).

Each `GET` is answered to all of them. A `POST`, which takes the time of solvers, only to those that
the setting `CORS` names. Cookies are never allowed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import current_app, request

if TYPE_CHECKING:
    from flask import Flask, Response

PREFIX = "/api/v1"

ANY = "*"
"""In the setting: the pages of all sites."""

HEARD = "Retry-After, X-Request-ID, Allow"
"""The headers that such a script may read, beside those that it always may."""

REMEMBERED_SECONDS = 24 * 3600
"""For how long a browser remembers what it may send."""


def init_cross_origin(app: Flask) -> None:
    """Mark the answers that scripts of other sites may read."""
    app.after_request(_allow)


def may_post() -> bool:
    """Return whether a script of another site sent this request to an address for programs that it
    may send it to."""
    return _for_programs() and bool(_allowed_origin())


def _for_programs() -> bool:
    return request.path == PREFIX or request.path.startswith(f"{PREFIX}/")


def _allowed_origin() -> str:
    """Return the origin to which a `POST` is allowed, `*` if to all, nothing if not to this one."""
    allowed = current_app.config["CORS"].replace(",", " ").split()
    if ANY in allowed:
        return ANY
    origin = request.headers.get("Origin", "")
    return origin if origin in allowed else ""


def _allow(response: Response) -> Response:
    if not _for_programs():
        return response
    asked = request.method
    if asked == "OPTIONS":
        asked = request.headers.get("Access-Control-Request-Method", "")
    origin = ANY if asked in ("GET", "HEAD") else _allowed_origin()
    if asked not in ("GET", "HEAD") and current_app.config["CORS"]:
        response.vary.add("Origin")
    if not origin:
        return response
    response.headers["Access-Control-Allow-Origin"] = origin
    if request.method == "OPTIONS":
        response.headers["Access-Control-Allow-Methods"] = "GET, POST"
        response.headers["Access-Control-Allow-Headers"] = "Content-Type, Accept"
        response.headers["Access-Control-Max-Age"] = str(REMEMBERED_SECONDS)
    else:
        response.headers["Access-Control-Expose-Headers"] = HEARD
    return response
