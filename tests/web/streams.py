"""Solve streams, read like a browser does: server-sent events that contain partials."""

import threading
import time
from dataclasses import dataclass

from tests.web import markup

HTMX = {"HX-Request": "true", "Accept": "text/html, text/event-stream"}
PATIENCE = 600
"""Seconds until a test gives up: the first solve may have to compile."""


@dataclass(frozen=True)
class Message:
    """A message: its id, if any, and its partials."""

    id: str | None
    data: str

    @property
    def partials(self):
        """Return the partials as {target: element}."""
        return {part["hx-target"]: part for part in markup.read(self.data).all("hx-partial")}

    def text(self, target):
        """Return the text for `target`, or an empty string."""
        part = self.partials.get(target)
        return part.text if part else ""


def parse(text):
    """Return the messages of a stream (HTML Living Standard, 9.2.6) without comments."""
    messages = []
    for block in text.split("\n\n")[:-1]:
        fields = [line.partition(": ") for line in block.split("\n")]
        data = [value for name, _, value in fields if name == "data"]
        ids = [value for name, _, value in fields if name == "id"]
        assert {name for name, _, _ in fields} <= {"data", "id", ""}, block
        if data:
            messages.append(Message(ids[-1] if ids else None, "\n".join(data)))
    return messages


def events_of(solvers, job):
    """Return the events of a job until its end, without heartbeats."""
    return [event for _, event in solvers.events(job) if event is not None]


def steps_of(messages):
    """Return (tile, direction) of each streamed step after checking their numbers."""
    steps = []
    for message in messages:
        part = message.partials.get("#steps")
        if part is not None:
            button = part.one("button")
            steps.append((int(button["data-tile"]), button["data-move"]))
            assert button["value"] == str(len(steps))
            assert part["hx-swap"] == "beforeend"
            assert button["title"].startswith(f"Step {len(steps):,}: tile {steps[-1][0]} moves ")
    return steps


class Reader:
    """A visitor who solves, in a thread like that of a request."""

    def __init__(self, app, code, form, visitor, cookies, path=None):
        self._app, self._path, self._form = app, path or f"/play/{code}/solve", form
        self._visitor, self._cookies = visitor, cookies
        self._chunks = []
        self._left = threading.Event()
        self._answered = threading.Event()
        self._ended = threading.Event()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        client = self._app.test_client()
        for name, value in self._cookies.items():
            client.set_cookie(name, value)
        try:
            response = client.post(
                self._path,
                data=self._form,
                headers=HTMX,
                environ_base={"REMOTE_ADDR": self._visitor},
                buffered=False,
            )
            self._response = response
            self._answered.set()
            for chunk in response.response:
                if self._left.is_set():
                    break
                self._chunks.append(chunk.decode())
            response.close()  # as a server does at the end or when the reader has gone
        finally:
            self._answered.set()
            self._ended.set()

    @property
    def response(self):
        """Wait for the response, whose content may still come."""
        assert self._answered.wait(PATIENCE)
        return self._response

    @property
    def text(self):
        return "".join(self._chunks)

    @property
    def messages(self):
        """Return the messages so far."""
        return parse(self.text)

    def leave(self):
        """Close the tab. The server notices with its next message."""
        self._left.set()

    def wait_for_end(self, seconds=PATIENCE):
        return self._ended.wait(seconds)

    def all(self):
        """Return all messages after the end of the stream."""
        assert self.wait_for_end(), self.text
        return self.messages

    def wait_for(self, target, words, seconds=PATIENCE):
        """Return the first message that puts `words` at `target`."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            ended = self._ended.is_set()
            for message in self.messages:
                if words in message.text(target):
                    return message
            if ended:
                break
            time.sleep(0.02)
        raise AssertionError(f"no {words!r} at {target} in {self.text}")

    def job(self):
        """Return the id of the job from the first message."""
        assert until(lambda: self.messages)
        return self.messages[0].partials["#job"].one("input", name="job")["value"]


def until(condition, seconds=PATIENCE):
    """Wait until `condition()` is true; return its last value."""
    deadline = time.monotonic() + seconds
    while not (met := condition()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return met
