"""How long a click takes beside clients that hold the server up, each kind for a while.

Run it with `python -m benchmarks.hostile`; `--seconds` says how long each kind stays, `--kinds`
which, and `--command` how another server is started, such as
`--command "waitress-serve --port {port} --call webapp:create_app"`. All of it stays on this
machine.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import os
import shlex
import socket
import statistics
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SECONDS = 30
PATIENCE_SECONDS = 60
PAUSE_SECONDS = 0.05
"""Between two clicks, as of a visitor in a hurry."""

SMALL_BUFFER = 4096
"""What a reader that never reads has room for, in bytes."""

HOST = "127.0.0.1"
PUZZLE = "/play/7.2.4-5.0.6-8.3.1"
HARD = "/play/15.14.1.6-9.11.4.12-0.10.7.3-13.8.5.2"
LARGE = "/static/vendor/htmx-4.0.1.min.js"
FORM = "Content-Type: application/x-www-form-urlencoded\r\nHX-Request: true\r\n"

Kind = tuple[int, bytes, bytes]
"""How many clients, what each sends at once, and what it then sends a byte of each second."""


def kinds() -> dict[str, Kind]:
    """Return the kinds of clients that hold a server up."""
    click = f"POST {PUZZLE}/slide HTTP/1.1\r\nHost: {HOST}\r\n{FORM}"
    page = f"GET {LARGE} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()
    solve = f"POST {HARD}/solve HTTP/1.1\r\nHost: {HOST}\r\n{FORM}Content-Length: 13\r\n\r\n"
    return {
        "slow heads": (40, b"", click.encode() * 100),
        "slow bodies": (40, f"{click}Content-Length: 1000\r\n\r\n".encode(), b"tile=5" * 200),
        "silent": (200, b"", b""),
        "readers of pages": (40, page * 400, b""),
        "readers of streams": (40, f"{solve}algorithm=bfs".encode(), b""),
    }


@contextlib.contextmanager
def holding_up(port: int, kind: Kind) -> Iterator[None]:
    """Have clients of a kind there; all go at the end."""
    count, at_once, slowly = kind
    done = threading.Event()
    clients: list[socket.socket] = []
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            client = stack.enter_context(socket.socket())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
            client.settimeout(PATIENCE_SECONDS)
            with contextlib.suppress(OSError):
                client.connect((HOST, port))
                client.setblocking(False)
                client.send(at_once)
            clients.append(client)

        def drip() -> None:
            for byte in slowly:
                for client in clients:
                    with contextlib.suppress(OSError):
                        client.send(bytes([byte]))
                if done.wait(1):
                    return

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()


def click(port: int, connection: http.client.HTTPConnection | None = None) -> float:
    """Return the seconds that one click takes, as a visitor's who comes new where there is no
    connection."""
    headers = {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
    started = time.perf_counter()
    own = connection or http.client.HTTPConnection(HOST, port, timeout=PATIENCE_SECONDS)
    try:
        own.request("POST", f"{PUZZLE}/slide", "tile=5", headers)
        with own.getresponse() as response:
            body = response.read()
            if response.status != 200:
                raise SystemExit(f"a click was answered {response.status}: {body[:200]!r}")
    except OSError:
        return PATIENCE_SECONDS
    finally:
        if connection is None:
            own.close()
    return time.perf_counter() - started


def clicks(seconds: float, once: Callable[[], float], pause: float) -> list[float]:
    """Return the seconds of each click that is made one after the other for a time."""
    end = time.monotonic() + seconds
    times = []
    while time.monotonic() < end:
        times.append(once())
        time.sleep(pause)
    return times


@contextlib.contextmanager
def serving(command: str) -> Iterator[int]:
    """Run a server and give its port."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port = probe.getsockname()[1]
    environment = {
        **os.environ,
        "SLIDEWISE_SECRET_KEY": "for this benchmark, and longer than 32 characters",
    }
    words = shlex.split(command.format(port=port))
    server = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL)
    try:
        wait_until_it_answers(port)
        yield port
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            print("the server did not stop within 10 s")


def main(words: list[str] | None = None) -> None:
    """Start a server, hold it up in each way, print how long clicks took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--kinds", nargs="+", choices=kinds(), default=list(kinds()))
    usual = f"{sys.executable} -m webapp serve --port {{port}}"
    parser.add_argument("--command", default=usual)
    args = parser.parse_args(words)
    with serving(args.command) as port:
        _warm_up(port)
        connection = http.client.HTTPConnection(HOST, port, timeout=PATIENCE_SECONDS)
        alone = clicks(min(args.seconds, 5), lambda: click(port, connection), 0)
        print(f"alone: {len(alone) / sum(alone):.0f} clicks/s on one connection", flush=True)
        _tell("alone", clicks(min(args.seconds, 5), lambda: click(port), PAUSE_SECONDS))
        for name in args.kinds:
            with holding_up(port, kinds()[name]):
                time.sleep(1)
                _tell(name, clicks(args.seconds, lambda: click(port), PAUSE_SECONDS))


def wait_until_it_answers(port: int) -> None:
    """Wait until a server takes connections."""
    for _ in range(400):
        try:
            socket.create_connection((HOST, port)).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise SystemExit("the server did not start")


def _warm_up(port: int) -> None:
    """Have a puzzle solved, for which all has to be loaded."""
    connection = http.client.HTTPConnection(HOST, port, timeout=600)
    connection.request(
        "POST", f"{PUZZLE}/solve", "", {"Content-Type": "application/x-www-form-urlencoded"}
    )
    connection.getresponse().read()
    connection.close()


def _tell(name: str, times: list[float]) -> None:
    median, worst = 1000 * statistics.median(times), 1000 * max(times)
    print(f"{name}: median {median:.1f} ms, worst {worst:.0f} ms ({len(times)} clicks)", flush=True)


if __name__ == "__main__":
    main()
