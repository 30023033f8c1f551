"""The real server, started as people start it."""

from __future__ import annotations

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import sys
from email.message import Message
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.boards import FOUR as HARD
from tests.boards import TWO_MOVES as CODE
from tests.web import markup
from tests.web.processes import NEEDS_PROC, below, living, solvers
from tests.web.streams import HTMX, PATIENCE, until

ROOT = Path(__file__).parents[2]

pytestmark = NEEDS_PROC


class Answer(NamedTuple):
    status: int
    headers: Message
    text: str


class Server:
    """A server of its own on a free port, and what it wrote."""

    def __init__(self, tmp_path):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._log = tmp_path / "log"
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "webapp", "serve", "--port", str(self.port)],
                cwd=ROOT,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={
                    **os.environ,
                    "PYTHONPATH": ".",
                    "SLIDEWISE_SECRET_KEY": "for tests only" * 3,
                    "SLIDEWISE_SOLVE_WAIT": str(PATIENCE),
                },
            )
        assert until(lambda: f":{self.port}" in self.log or self.process.poll() is not None)
        assert self.process.poll() is None, self.log
        assert self.post(f"/play/{CODE}/solve").status == 303, "ready to solve"

    @property
    def log(self):
        return self._log.read_text()

    def get(self, path, headers=None):
        return self._request("GET", path, "", headers or {})

    def post(self, path, body="", headers=None):
        form = {"Content-Type": "application/x-www-form-urlencoded", **(headers or {})}
        return self._request("POST", path, body, form)

    def _request(self, method, path, body, headers):
        """Return the status, the headers and the text of the response."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            connection.request(method, path, body, headers)
            with connection.getresponse() as response:
                return Answer(response.status, response.headers, response.read().decode())

    def send(self, *parts):
        """Send raw bytes and return the first that come back."""
        with contextlib.closing(socket.create_connection(("127.0.0.1", self.port))) as raw:
            raw.settimeout(PATIENCE)
            with contextlib.suppress(ConnectionError):
                for part in parts:
                    raw.sendall(part)
            with contextlib.suppress(ConnectionError):
                return raw.recv(100)
        return b""

    @contextlib.contextmanager
    def stream(self):
        """Begin a long search; give the response when it has told how far it is. Afterwards the
        tab is closed."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        form = {"Content-Type": "application/x-www-form-urlencoded", **HTMX}
        with contextlib.closing(connection):
            connection.request("POST", f"/play/{HARD}/solve", "algorithm=bfs", form)
            with connection.getresponse() as response:
                assert response.status == 200
                while b"Expanded" not in (line := response.readline()):
                    assert line, "the stream has ended"
                yield response

    def stop(self, number=signal.SIGTERM):
        """Stop the server; return its code."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("server"))
    yield server
    everything = below(server.process.pid) | {server.process.pid}
    assert server.stop() == 0, server.log
    assert "Traceback" not in server.log
    assert until(lambda: not everything & set(living())) is True


def test_it_says_where_it_is_and_serves_pages(server):
    assert f"http://127.0.0.1:{server.port}" in server.log
    response = server.get(f"/play/{CODE}")
    assert response.status == 200
    assert markup.board_of(markup.read(response.text)) == CODE
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]
    assert server.get("/static/js/app.js").status == 200


def test_a_game_can_be_played(server):
    response = server.post(f"/play/{CODE}/slide", "tile=5", HTMX)
    assert markup.board_of(markup.read(response.text)) == "1.2.3-4.5.6-7.0.8"
    cookies = response.headers.get_all("Set-Cookie")
    assert any(f"Path=/play/{CODE};" in cookie for cookie in cookies)


def test_other_spellings_are_redirected_by_what_the_browser_really_sent(server):
    for spelling in "1%2E2.3-4.0.6-7.5.8", "123406758", f"{CODE}_123456780":
        response = server.get(f"/play/{spelling}?a=%2F")
        assert response.status == 308
        assert response.headers["Location"] == f"/play/{CODE}?a=%2F"
    assert server.get(f"http://127.0.0.1:{server.port}/play/{CODE}").status == 200
    assert server.get(f"/play/{CODE}?moves=%55").status == 200


def test_addresses_and_bodies_that_are_too_long_are_refused(server):
    response = server.get("/custom?start=" + "1" * 10_000)
    assert response.status in {400, 414}
    response = server.post(f"/play/{CODE}/slide", "tile=" + "5" * 140_000)
    assert response.status == 413
    head = (
        b"POST /custom HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\n\r\n"
    )
    chunks = [b"1000\r\n" + b"5" * 4096 + b"\r\n"] * 40
    assert server.send(head, *chunks, b"0\r\n\r\n").startswith(b"HTTP/1.1 4")


@pytest.mark.parametrize(
    "line",
    [
        *(b"GET //[/play/x HTTP/1.1", b"GET http://[/ HTTP/1.1", b"GET * HTTP/1.1", b"GET"),
        *(b"GET /play/%00 HTTP/1.1", b"GET /\xff HTTP/1.1", b"GET /play/\xff?\xff HTTP/1.1"),
        *(b"BREW / HTTP/1.1", b"\x00\x01\x02", b"GET / HTTP/9.9"),
    ],
)
def test_odd_requests_break_nothing(server, line):
    answer = server.send(line + b"\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert not answer.startswith(b"HTTP/1.1 5") or b" 505 " in answer or b" 501 " in answer
    assert server.get("/custom").status == 200


def test_the_stream_comes_as_it_is_made_and_a_closed_tab_ends_the_search(server):
    with server.stream() as stream:
        assert stream.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        worker = solvers(server.process.pid)
        assert len(worker) == 1
    assert until(lambda: not worker & set(living())) is True


def test_a_visitor_with_two_streams_is_told_to_wait_for_a_third(server):
    with server.stream(), server.stream():
        answer = server.post(f"/play/{HARD}/solve", "algorithm=bfs", HTMX)
        assert answer.status == 429
        assert int(answer.headers["Retry-After"]) > 0
        assert server.get(f"/play/{CODE}").status == 200
    assert until(lambda: not solvers(server.process.pid)) is True


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["terminate", "Ctrl-C"])
def test_a_stop_ends_the_streams_politely_and_leaves_nothing_behind(tmp_path, number):
    server = Server(tmp_path)
    with kill_at_the_end(server.process), server.stream() as stream:
        everything = below(server.process.pid) | {server.process.pid}
        assert solvers(server.process.pid)
        assert server.stop(number) == 0, server.log
        rest = stream.read()
        assert b"Stopped on request" in rest or b"Stopped." in rest, "the stream was ended"
        assert "Traceback" not in server.log
        assert until(lambda: not everything & set(living())) is True


def test_when_the_server_is_killed_its_workers_go(tmp_path):
    server = Server(tmp_path)
    with kill_at_the_end(server.process), server.stream():
        everything = below(server.process.pid) | {server.process.pid}
        workers = solvers(server.process.pid)
        assert workers
        serving = {pid for pid, parent in living().items() if parent == server.process.pid}
        for pid in serving | {server.process.pid}:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        server.process.wait()
        assert until(lambda: not workers & set(living())) is True
        assert until(lambda: not everything & set(living())) is True


@contextlib.contextmanager
def kill_at_the_end(process):
    try:
        yield
    finally:
        process.kill()
        process.wait()
