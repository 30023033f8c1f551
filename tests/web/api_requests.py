"""Requests to the API, and its responses and streams."""

import json
from dataclasses import dataclass

from webapp.workers.shared import services_of

STREAM = {"Accept": "text/event-stream"}


def post(client, path, headers=None, visitor="127.0.0.1", **body):
    return client.post(
        f"/api/v1/{path}", json=body, headers=headers, environ_base={"REMOTE_ADDR": visitor}
    )


def problem(response, status):
    """Return the problem of a response after checking its form."""
    assert response.status_code == status, response.text
    assert response.mimetype == "application/problem+json"
    body = response.json
    assert body["status"] == status
    assert body["title"]
    assert body["type"].startswith(("about:blank", "/api#problem-"))
    assert body["detail"].endswith(".")
    return body


@dataclass(frozen=True)
class Message:
    id: int
    kind: str
    data: dict


def parse(text):
    """Return the messages of a stream without comments."""
    found = []
    for block in text.split("\n\n")[:-1]:
        if not block.startswith(":"):
            fields = dict(line.split(": ", 1) for line in block.split("\n"))
            assert list(fields) == ["event", "id", "data"]
            found.append(Message(int(fields["id"]), fields["event"], json.loads(fields["data"])))
    return found


class Stream:
    """A client that reads a stream as it comes, and can leave."""

    def __init__(self, response):
        assert response.status_code == 200, response.text
        self._response = response
        self._chunks = iter(response.response)
        self.text = ""

    def until(self, kind):
        """Read until a message of this kind has come, and return it."""
        for chunk in self._chunks:
            self.text += chunk.decode()
            found = [message for message in parse(chunk.decode()) if message.kind == kind]
            if found:
                return found[0]
        raise AssertionError(f"no {kind} in {self.text}")

    def leave(self):
        self._response.close()

    def all(self):
        self.text += b"".join(self._chunks).decode()
        self.leave()
        return parse(self.text)


def without_seconds(result):
    return {**result.as_json(), "seconds": None}


def open_jobs(app):
    return [job for job in services_of(app).solvers._jobs.values() if job.ended is None]
