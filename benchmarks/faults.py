"""Recovery time of the server after one of its processes was killed.

`python -m benchmarks.faults` starts a server and waits until it is ready. While a search runs, it
kills (SIGKILL) a working solver, then the helpers, the process that they are forked from and the
web process. After each kill it requests a click, a hint on 4x4 and a Solve on 3x3 and on 4x4. It
prints the seconds until each answer. Then it stops the server during searches, and prints the
seconds that this took.
"""

import os
import signal
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.boards import TWENTY_MOVES
from tests.web.processes import helpers, living, solvers
from tests.web.served import Server
from tests.web.streams import HTMX, until

EASY = "1.2.3.4-5.6.7.8-9.11.0.12-13.10.14.15"
"""A 4x4 that a search solves at once."""

HARD = "15.14.1.6-9.11.4.12-0.10.7.3-13.8.5.2"

REQUESTS = {
    "click": (f"/play/{TWENTY_MOVES}/slide", "tile=5", HTMX, 200),
    "hint": (f"/play/{HARD}/hint", "", HTMX, 200),
    "Solve 3x3": (f"/play/{TWENTY_MOVES}/solve", "", {}, 303),
    "Solve 4x4": (f"/play/{EASY}/solve", "", {}, 303),
}
"""Requests: address, form, headers and the status of an answer."""

TARGETS = {
    "nothing": lambda server: set(),
    "a solver": lambda server: solvers(server.process.pid),
    "the helpers": lambda server: helpers(server.process.pid),
    "what they are forked from": lambda server: {
        living()[pid] for pid in solvers(server.process.pid)
    },
    "the web process": lambda server: {
        pid for pid, parent in living().items() if parent == server.process.pid
    },
}


def seconds_to_answer(server: Server, what: str) -> float:
    """Repeat a request until it succeeds. Return the seconds that this took."""
    path, form, headers, status = REQUESTS[what]
    began = time.perf_counter()
    while True:
        try:
            answer = server.post(path, form, headers)
        except OSError:
            continue  # the connection was lost with the web process
        if answer.status == status:
            return time.perf_counter() - began
        print(f"{what}: {answer.status}")
        time.sleep(0.05)


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {"SLIDEWISE_STREAMS_PER_VISITOR": "20", "SLIDEWISE_SOLVERS": "3"}
        server = Server(Path(folder), **settings)
        until(lambda: server.get("/readyz").status == 200)
        for name, found in TARGETS.items():
            with server.stream(), ThreadPoolExecutor() as threads:
                for process in found(server):
                    os.kill(process, signal.SIGKILL)
                times = threads.map(lambda what: seconds_to_answer(server, what), REQUESTS)
                texts = [f"{what} {took:.2f} s" for what, took in zip(REQUESTS, times, strict=True)]
                print(f"killed {name}: {', '.join(texts)}", flush=True)
            until(lambda: server.get("/readyz").status == 200)
        with server.stream(), server.stream():
            began = time.perf_counter()
            server.stop(signal.SIGINT)
            print(f"stopped within {time.perf_counter() - began:.2f} s")


if __name__ == "__main__":
    main()
