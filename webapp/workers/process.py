"""What worker processes do: run one search and stop when told to, or prepare for all of them."""

from __future__ import annotations

import os
import signal
import threading
from multiprocessing.connection import wait
from typing import TYPE_CHECKING

from slidewise.solver import warming
from webapp.workers.memory import EXIT_CODE, OUT_OF_MEMORY

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkServerProcess

    from slidewise import SearchSpec

NICENESS = 10
"""Lets the web process go first: a click is answered while every core is solving."""

_looking = threading.Lock()
"""Whoever starts a process looks, in `multiprocessing`, at all others too; of two threads that look
at one that has ended, the second takes it for lost with the process that it was forked from."""


def start(process: ForkServerProcess) -> None:
    """Start a worker; raises `EOFError` or `OSError` where there is nothing to fork it from."""
    with _looking:
        process.start()


def end(process: ForkServerProcess, seconds: float | None = 0.0) -> str:
    """Wait until a worker has ended, and kill it after `seconds` unless they are None; return how
    it ended."""
    if seconds == 0 or not wait([process.sentinel], seconds):
        process.kill()
        wait([process.sentinel])
    with _looking:
        process.join()
    return how_it_ended(process.exitcode)


def run(connection: Connection, spec: SearchSpec) -> None:
    """Send the events of the search `spec`; any message that comes back stops it."""
    os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which tells us
    stop = threading.Event()
    threading.Thread(target=watch, args=(connection, stop), daemon=True).start()
    for event in spec.events(stop.is_set):
        tell(connection, event)


def prepare_all(connection: Connection) -> None:
    """Prepare all that searches need, and send the name of each part once it is ready."""
    os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=watch, args=(connection, threading.Event()), daemon=True).start()
    for part in warming.PARTS:
        for _ in warming.prepare(part):
            pass
        tell(connection, part)


def tell(connection: Connection, message: object) -> None:
    """Send a message; end the process when the web process, which reads it, has gone."""
    try:
        connection.send(message)
    except OSError:
        os._exit(0)


def watch(connection: Connection, stop: threading.Event) -> None:
    """Set `stop` when a message comes; end the process when the web process has gone."""
    try:
        while True:
            connection.recv()
            stop.set()
    except (EOFError, OSError):
        os._exit(0)


def tell_parent(connection: Connection) -> None:
    """Send the id of the process that this one was forked from."""
    tell(connection, os.getppid())


def wait_for_end_of(process: int) -> None:
    """Wait until a process has ended; raises `OSError` where the system cannot tell."""
    if not hasattr(os, "pidfd_open"):
        raise OSError("processes cannot be watched here")
    descriptor = os.pidfd_open(process)
    try:
        wait([descriptor])
    finally:
        os.close(descriptor)


def how_it_ended(code: int | None) -> str:
    """Return what an exit code says, that of a process.

    >>> how_it_ended(-9), how_it_ended(1)
    ('killed by SIGKILL', 'exit code 1')
    """
    if code is not None and -code in set(signal.Signals):
        return f"killed by {signal.Signals(-code).name}"
    if code == EXIT_CODE:
        return OUT_OF_MEMORY
    return f"exit code {code}"
