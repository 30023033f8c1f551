"""How long a click takes, with the server idle and while it solves on every core.

Run it with `python -m benchmarks.clicks`. The ratio of the two is what to compare: absolute
times are this machine's.
"""

from __future__ import annotations

import http.client
import os
import socket
import statistics
import subprocess
import sys
import threading
import time
from urllib.parse import urlencode

CLICKS = 400
HARD = "/play/15.14.8.12-10.11.9.13-2.6.5.1-3.7.4.0"
PUZZLE = "/play/7.2.4-5.0.6-8.3.1"
FORM = {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}


def main() -> None:
    """Start a server, measure, print."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "SLIDEWISE_SECRET_KEY": "benchmark" * 4}
    environment["SLIDEWISE_STREAMS_PER_VISITOR"] = "16"
    command = [sys.executable, "-m", "webapp", "serve", "--port", str(port)]
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    try:
        _wait_until_it_answers(port)
        idle = _clicks(port)
        cores = os.cpu_count() or 1
        for _ in range(2 * cores):
            threading.Thread(target=_solve, args=(port,), daemon=True).start()
        time.sleep(3)
        busy = _clicks(port)
    finally:
        server.terminate()
        server.wait(10)
    _print("idle", idle)
    _print(f"{2 * cores} solves, {cores} at a time", busy)
    for name, share in ("median", 0.5), ("99 %", 0.99):
        print(f"ratio of the {name}: {_at(busy, share) / _at(idle, share):.2f}")


def _clicks(port: int) -> list[float]:
    """Return the milliseconds of each click; tile 5 goes to and fro."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    times, cookie = [], ""
    for _ in range(CLICKS):
        started = time.perf_counter()
        connection.request("POST", f"{PUZZLE}/slide", "tile=5", {**FORM, "Cookie": cookie})
        response = connection.getresponse()
        body = response.read()
        times.append(1000 * (time.perf_counter() - started))
        assert response.status == 200, body
        cookie = (response.getheader("Set-Cookie") or cookie).split(";")[0]
    return times


def _solve(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("POST", f"{HARD}/solve", urlencode({"algorithm": "bfs"}), FORM)
    try:
        connection.getresponse().read()
    except OSError:
        return  # the server was stopped


def _wait_until_it_answers(port: int) -> None:
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise SystemExit("the server did not start")


def _at(times: list[float], share: float) -> float:
    return sorted(times)[int(share * (len(times) - 1))]


def _print(name: str, times: list[float]) -> None:
    print(
        f"{name}: median {statistics.median(times):.1f} ms, 99 % {_at(times, 0.99):.1f} ms "
        f"({len(times)} clicks)"
    )


if __name__ == "__main__":
    main()
