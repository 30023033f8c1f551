"""Server-sent events: the text of a stream (https://html.spec.whatwg.org, section 9.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MIMETYPE = "text/event-stream"

HEARTBEAT = ": still here\n\n"
"""A comment, which readers pass over; writing it finds out whether anyone still listens."""


def message(text: str, event_id: int | None = None, kind: str | None = None) -> str:
    r"""Return one message of a stream: HTML, or JSON of a `kind` that names it.

    >>> message("<p>\n1</p>", 7)
    'id: 7\ndata: <p>\ndata: 1</p>\n\n'
    """
    lines = [f"event: {kind}"] if kind is not None else []
    lines += [f"id: {event_id}"] if event_id is not None else []
    lines += [f"data: {line}" for line in text.splitlines() if line.strip()]
    return "\n".join(lines) + "\n\n"


def response(messages: Iterator[str], on_close: Callable[[], object]) -> Response:
    """Return the response that streams `messages`, and calls `on_close` when it has ended."""
    response = Response(messages, mimetype=MIMETYPE)
    # also where the reader has gone, which the next write finds out, be it the first
    response.call_on_close(on_close)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"  # tells nginx to pass each message on at once
    return response
