"""Response time of a click beside hostile clients: `python -m benchmarks.hostile`.

`--seconds` sets the duration of each kind of client, `--kinds` the kinds. `--command` starts
another server, for example `--command "waitress-serve --port {port} --call webapp:create_app"`. All
traffic stays on this machine.
"""

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
from collections.abc import Callable, Iterator

SECONDS = 30
TIMEOUT_SECONDS = 60
PAUSE_SECONDS = 0.05
"""Pause between two clicks of a quick visitor."""

SMALL_BUFFER = 4096
"""Bytes in the receive buffer of a client that never reads."""

HOST = "127.0.0.1"
PUZZLE = "/play/7.2.4-5.0.6-8.3.1"
HARD = "/play/15.14.1.6-9.11.4.12-0.10.7.3-13.8.5.2"
LARGE = "/static/vendor/htmx-4.0.1.min.js"
FORM = "Content-Type: application/x-www-form-urlencoded\r\nHX-Request: true\r\n"

Kind = tuple[int, bytes, bytes]
"""Number of clients, the bytes that each sends at once, and those that it sends one a second."""


def kinds() -> dict[str, Kind]:
    """Return the kinds of hostile clients by name."""
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
def hostile_clients(port: int, kind: Kind) -> Iterator[None]:
    """Connect the clients of a kind, and close them at the end."""
    count, at_once, slowly = kind
    done = threading.Event()
    clients: list[socket.socket] = []
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            client = stack.enter_context(socket.socket())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
            client.settimeout(TIMEOUT_SECONDS)
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
    """Return the seconds of a click, which without `connection` opens one as a new visitor does."""
    headers = {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
    started = time.perf_counter()
    own = connection or http.client.HTTPConnection(HOST, port, timeout=TIMEOUT_SECONDS)
    try:
        own.request("POST", f"{PUZZLE}/slide", "tile=5", headers)
        with own.getresponse() as response:
            body = response.read()
            if response.status != 200:
                raise SystemExit(f"a click was answered {response.status}: {body[:200]!r}")
    except OSError:
        return TIMEOUT_SECONDS
    finally:
        if connection is None:
            own.close()
    return time.perf_counter() - started


def clicks(seconds: float, once: Callable[[], float], pause: float) -> list[float]:
    """Return the seconds of each click, made one after the other for `seconds`."""
    end = time.monotonic() + seconds
    times = []
    while time.monotonic() < end:
        times.append(once())
        time.sleep(pause)
    return times


@contextlib.contextmanager
def serving(command: str) -> Iterator[int]:
    """Run a server, and yield its port."""
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
        wait_for_connections(port)
        yield port
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            print("the server did not stop within 10 s")


def main(words: list[str] | None = None) -> None:
    """Start a server, and print the times of clicks beside each kind of client."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--kinds", nargs="+", choices=kinds(), default=list(kinds()))
    usual = f"{sys.executable} -m webapp serve --port {{port}}"
    parser.add_argument("--command", default=usual)
    args = parser.parse_args(words)
    with serving(args.command) as port:
        _warm_up(port)
        connection = http.client.HTTPConnection(HOST, port, timeout=TIMEOUT_SECONDS)
        alone = clicks(min(args.seconds, 5), lambda: click(port, connection), 0)
        print(f"alone: {len(alone) / sum(alone):.0f} clicks/s on one connection", flush=True)
        _print_times("alone", clicks(min(args.seconds, 5), lambda: click(port), PAUSE_SECONDS))
        for name in args.kinds:
            with hostile_clients(port, kinds()[name]):
                time.sleep(1)
                _print_times(name, clicks(args.seconds, lambda: click(port), PAUSE_SECONDS))


def wait_for_connections(port: int) -> None:
    """Wait until a server accepts connections."""
    for _ in range(400):
        try:
            socket.create_connection((HOST, port)).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise SystemExit("the server did not start")


def _warm_up(port: int) -> None:
    """Solve a puzzle, so that everything is loaded."""
    connection = http.client.HTTPConnection(HOST, port, timeout=600)
    connection.request(
        "POST", f"{PUZZLE}/solve", "", {"Content-Type": "application/x-www-form-urlencoded"}
    )
    connection.getresponse().read()
    connection.close()


def _print_times(name: str, times: list[float]) -> None:
    median, worst = 1000 * statistics.median(times), 1000 * max(times)
    print(f"{name}: median {median:.1f} ms, worst {worst:.0f} ms ({len(times)} clicks)", flush=True)


if __name__ == "__main__":
    main()
