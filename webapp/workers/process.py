"""What a worker process does: run one search, send its events, stop when told to."""

from __future__ import annotations

import os
import signal
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slidewise.solver import search
from slidewise.solver.weights import DEFAULT_WEIGHT

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from slidewise.puzzle import Puzzle
    from slidewise.solver import Limits

NICENESS = 10
"""Lets the web process go first: a click is answered while every core is solving."""


@dataclass(frozen=True, slots=True)
class Task:
    """One search to run; the first `trace` expansions are told as events."""

    puzzle: Puzzle
    algorithm: str
    heuristic: str
    limits: Limits
    weight: float = DEFAULT_WEIGHT
    trace: int = 0


def run(connection: Connection, task: Task) -> None:
    """Send the events of the search for `task`; any message that comes back stops it."""
    os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which tells us
    stop = threading.Event()
    threading.Thread(target=_watch, args=(connection, stop), daemon=True).start()
    events = search(
        task.puzzle,
        task.algorithm,
        task.heuristic,
        task.limits,
        weight=task.weight,
        trace=task.trace,
        cancelled=stop.is_set,
    )
    for event in events:
        connection.send(event)


def _watch(connection: Connection, stop: threading.Event) -> None:
    """Set `stop` when a message comes; end the process when the web process has gone."""
    try:
        while True:
            connection.recv()
            stop.set()
    except (EOFError, OSError):
        os._exit(0)
