"""The log: an optional line for each request, and request ids.

The id is in `X-Request-ID`, on error pages, in problems and in log lines of the request. A line has
the path without the query, and the address only if the setting LOG_ADDRESSES is on.
"""

import json
import logging
import re
import secrets
import time
from datetime import UTC, datetime
from functools import partial
from typing import Any
from urllib.parse import quote

from flask import Flask, Response, current_app, g, has_request_context, request

PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
"""Paths polled by programs, neither logged nor counted."""

ID_BYTES = 4
"""Bytes of a generated id, short enough to read out on the telephone."""

PATH_CHARACTERS = 1_000
"""Maximum length of a logged path; the codes of the largest puzzles take 600."""

_GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{6,64}")
_AS_IS = "/._-~:@!$&'()*+,;=%"


def init_log(app: Flask) -> None:
    """Give each request an id, and log it if the setting `LOG` is on.

    Call it before setting other handlers of requests and responses: it is the first to see a
    request, and the last to see a response.
    """
    app.url_value_preprocessor(_start)
    app.after_request(_end)
    if app.config["LOG"] != "off":
        _lines(app).setLevel(logging.INFO)


def request_id() -> str:
    """Return the id of this request: from a trusted proxy, or else a new id."""
    if "request_id" not in g:
        given = request.headers.get("X-Request-ID", "") if current_app.config["PROXIES"] else ""
        g.request_id = given if _GIVEN_ID.fullmatch(given) else secrets.token_hex(ID_BYTES)
    stored: str = g.request_id
    return stored


def started_at() -> float:
    """Return the start of this request, on the clock `time.perf_counter`."""
    started: float = g.get("started", time.perf_counter())
    return started


class LogLines(logging.Formatter):
    """Formats records as text or JSON, with the id of the request."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__("[%(asctime)s] %(levelname)s in %(module)s: %(message)s")
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as its line; a text line may have a traceback below it."""
        if self._as_json:
            return json.dumps(self._fields(record))
        if "of_request" in record.__dict__:
            return f"[{self.formatTime(record)}] {record.getMessage()}"
        text = super().format(record)
        if not has_request_context():
            return text
        first, *rest = text.split("\n")
        return "\n".join([f"{first} (request {request_id()})", *rest])

    def _fields(self, record: logging.LogRecord) -> dict[str, Any]:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fields = {"time": at.replace("+00:00", "Z"), "level": record.levelname}
        if "of_request" in record.__dict__:
            return {**fields, **record.__dict__["of_request"]}
        fields |= {"logger": record.name, "message": record.getMessage()}
        if has_request_context():
            fields["id"] = request_id()
        if record.exc_info:
            fields["traceback"] = self.formatException(record.exc_info)
        return fields


def _lines(app: Flask) -> logging.Logger:
    return app.logger.getChild("requests")


def _start(endpoint: str | None, values: dict[str, Any] | None) -> None:
    g.started = time.perf_counter()


def _end(response: Response) -> Response:
    if request.endpoint != "versioned":  # files without an id are cached for a year
        response.headers["X-Request-ID"] = request_id()
    if current_app.config["LOG"] == "off" or request.path in PROBES:
        return response
    log = partial(
        _log_request, _lines(current_app), started_at(), _request_fields(response.status_code)
    )
    if response.is_streamed and not response.direct_passthrough:
        response.call_on_close(log)
    else:
        log()
    return response


def _request_fields(status: int) -> dict[str, Any]:
    """Return the fields of this request, quoted so that they cannot break a line."""
    fields = {
        "method": quote(request.method)[:20],
        "path": quote(request.path[:PATH_CHARACTERS], safe=_AS_IS),
        "status": status,
        "ms": 0.0,
        "id": request_id(),
    }
    if current_app.config["LOG_ADDRESSES"]:
        fields["address"] = quote(request.remote_addr or "-", safe=":.")[:100]
    return fields


def _log_request(lines: logging.Logger, started: float, fields: dict[str, Any]) -> None:
    """Log a request that has been answered, or whose stream has ended."""
    fields["ms"] = round(1000 * (time.perf_counter() - started), 1)
    words = [f"{part} ms" if name == "ms" else str(part) for name, part in fields.items()]
    lines.info(" ".join(words), extra={"of_request": fields})
