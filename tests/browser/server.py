"""The real server of the browser tests, in a process of its own."""

import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from tests.web.processes import below, living
from tests.web.streams import until

PROJECT = Path(__file__).parents[2]
ONE_MOVE = "/play/1.2.3-4.5.6-7.0.8"
SETTINGS = {
    "SLIDEWISE_SOLVERS": "1",  # the second search waits, regardless of the number of cores
    "SLIDEWISE_SOLVE_MEGABYTES": "1500",  # lets long searches last until they are stopped
    "SLIDEWISE_PROXIES": "1",  # tests act as several visitors by X-Forwarded-For
}


@dataclass(frozen=True)
class Server:
    """A running server: its URL, process and log."""

    url: str
    process: subprocess.Popen[bytes]
    log: Path

    def wait_until_ready(self) -> None:
        """Wait until the server answers and its searches are compiled, which can take long."""
        deadline = time.monotonic() + 300
        while not (self._answers("solve", "/replay/") and self._answers("hint", "/play/")):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"the server does not answer:\n{self.log.read_text()}")
            time.sleep(0.1)

    def _answers(self, question: str, leads_to: str) -> bool:
        """Return whether the form about a board redirects to its answer."""
        address = f"{self.url}{ONE_MOVE}/{question}"
        try:
            with urllib.request.urlopen(address, data=b"", timeout=60) as answer:
                return leads_to in answer.url
        except urllib.error.HTTPError as error:
            if error.code == HTTPStatus.SERVICE_UNAVAILABLE:  # no solver is ready yet
                return False
            raise AssertionError(f"{error}:\n{self.log.read_text()}") from error
        except OSError:
            return False


@contextmanager
def serving(log: Path, port: int = 0, **settings: str) -> Iterator[Server]:
    """Run a server and stop it, at a free port and with a key of its own by default. Its log must
    contain no traceback."""
    port = port or free_port()
    command = [sys.executable, "-m", "webapp", "serve", "--port", str(port)]
    environment = {
        **os.environ,
        **SETTINGS,
        "SLIDEWISE_PROOFS": str(log.with_name("proofs")),
        "SLIDEWISE_EXERCISES": str(PROJECT / "examples" / "exercises"),
        "SLIDEWISE_STATE": str(log.with_name("state")),
        "SLIDEWISE_SECRET_KEY": secrets.token_hex(),
        **settings,
    }
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=PROJECT, env=environment, stdout=output, stderr=output
        )
    server = Server(f"http://127.0.0.1:{port}", process, log)
    try:
        server.wait_until_ready()
        yield server
    finally:
        started = below(process.pid)
        _end(process)
    log_text = log.read_text()
    assert "Traceback" not in log_text, log_text
    assert until(lambda: not started & set(living())), f"some were left of {started}"


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def free_port() -> int:
    """Return a free port of this machine.

    It is below the range for outgoing connections, which could take it meanwhile.
    """
    while True:
        port = 20_000 + secrets.randbelow(12_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
