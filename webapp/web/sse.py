"""Server-sent events: the text of a stream (https://html.spec.whatwg.org, section 9.2)."""

from __future__ import annotations

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
