"""How long the server takes to be whole again after one of its processes was killed.

`python -m benchmarks.faults` starts a server, waits until it has loaded all, and kills (SIGKILL),
one after the other, a solver at work, the helpers, the process that they are forked from and the
web process, while a search runs. Right after each a click, a hint on 4x4 and a Solve on 3x3 and
on 4x4 are asked for at once; it prints the seconds until each was answered. Then it stops the
server, with searches at work, and prints the seconds that this took.
"""

from __future__ import annotations

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
"""A 4x4 that is solved at once, by a search."""

HARD = "15.14.1.6-9.11.4.12-0.10.7.3-13.8.5.2"

ASKED = {
    "click": (f"/play/{TWENTY_MOVES}/slide", "tile=5", HTMX, 200),
    "hint": (f"/play/{HARD}/hint", "", HTMX, 200),
    "Solve 3x3": (f"/play/{TWENTY_MOVES}/solve", "", {}, 303),
    "Solve 4x4": (f"/play/{EASY}/solve", "", {}, 303),
}
"""What is asked for: address, form, headers and the status of an answer."""

KILLED = {
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


def answered(server: Server, what: str) -> float:
    """Ask for something until it is answered; return the seconds that this took."""
    path, form, headers, status = ASKED[what]
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
        for name, found in KILLED.items():
            with server.stream(), ThreadPoolExecutor() as threads:
                for process in found(server):
                    os.kill(process, signal.SIGKILL)
                times = threads.map(lambda what: answered(server, what), ASKED)
                told = [f"{what} {took:.2f} s" for what, took in zip(ASKED, times, strict=True)]
                print(f"killed {name}: {', '.join(told)}", flush=True)
            until(lambda: server.get("/readyz").status == 200)
        with server.stream(), server.stream():
            began = time.perf_counter()
            server.stop(signal.SIGINT)
            print(f"stopped within {time.perf_counter() - began:.2f} s")


if __name__ == "__main__":
    main()
