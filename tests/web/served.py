"""The real server, started like a user starts it, for tests that need its processes."""

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
from email.message import Message
from pathlib import Path
from typing import NamedTuple

from tests.boards import FOUR as HARD
from tests.boards import TWO_MOVES as CODE
from tests.browser.server import free_port
from tests.web.streams import HTMX, PATIENCE, until
from webapp.http.connections import WebServer

ROOT = Path(__file__).parents[2]


class Answer(NamedTuple):
    status: int
    headers: Message
    text: str


COMMAND = "-m", "webapp", "serve", "--port"
"""The arguments of Python before the port."""


class Server:
    """A server on a free port, with its log."""

    def __init__(self, tmp_path, command=COMMAND, host="127.0.0.1", cwd=ROOT, **settings):
        self._host = host
        self.port = free_port()
        self._log = tmp_path / "log"
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, *command, str(self.port)],
                cwd=cwd,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={
                    **os.environ,
                    "PYTHONPATH": ".",
                    "SLIDEWISE_SECRET_KEY": "for tests only" * 3,
                    "SLIDEWISE_SOLVE_WAIT": str(PATIENCE),
                    **settings,
                },
            )
        try:
            assert until(lambda: f":{self.port}" in self.log or self.process.poll() is not None)
            assert self.process.poll() is None, self.log
            assert self.post(f"/play/{CODE}/solve").status == 303, self.log
        except BaseException:
            self.process.kill()
            self.process.wait()
            raise

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
        connection = http.client.HTTPConnection(self._host, self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            connection.request(method, path, body, headers)
            with connection.getresponse() as response:
                return Answer(response.status, response.headers, response.read().decode())

    def send(self, *parts):
        """Send raw bytes and return the first bytes of the answer."""
        with contextlib.closing(socket.create_connection((self._host, self.port))) as raw:
            raw.settimeout(PATIENCE)
            with contextlib.suppress(ConnectionError):
                for part in parts:
                    raw.sendall(part)
            with contextlib.suppress(ConnectionError):
                return raw.recv(100)
        return b""

    @contextlib.contextmanager
    def stream(self, form="algorithm=bfs"):
        """Start a long search, yield the response after its first progress, then close the tab."""
        connection = http.client.HTTPConnection(self._host, self.port, timeout=PATIENCE)
        headers = {"Content-Type": "application/x-www-form-urlencoded", **HTMX}
        with contextlib.closing(connection):
            connection.request("POST", f"/play/{HARD}/solve", form, headers)
            with connection.getresponse() as response:
                assert response.status == 200
                while b"Expanded" not in (line := response.readline()):
                    assert line, "the stream has ended"
                yield response

    def stop(self, number=signal.SIGTERM):
        """Stop the server and return its exit code."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@contextlib.contextmanager
def kill_at_the_end(process):
    try:
        yield
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def serving(app, threads=2):
    """Run an app in this process, behind the project's own server."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        stopping = threading.Event()
        server = WebServer(app, listener, threads=threads, proxies=0)
        loop = threading.Thread(target=server.run_until, args=(stopping.is_set,))
        loop.start()
        try:
            yield server
        finally:
            stopping.set()
            server.wake_up()
            loop.join()
            server.stop(bool, 0)
            server.task_dispatcher.shutdown()
