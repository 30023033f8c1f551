"""`slidewise serve`: a web process, the processes of its solvers, and a watcher.

The watcher binds the address and builds the app, so that errors show at once. Then it forks the
web process, and again after its death. New connections wait in the queue of the socket. On Windows,
which has no fork, a single process does both, unwatched.
"""

import ctypes
import gc
import logging
import multiprocessing
import os
import signal
import socket
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import FrameType
from typing import NoReturn

from flask import Flask
from flask.logging import default_handler

from slidewise.solver.kernels import cache
from slidewise.solver.tables.patterns import files

from . import create_app
from .http.connections import WebServer
from .http.log import LogLines
from .workers import warming
from .workers.helpers import how_it_ended, when_parent_dies
from .workers.memory import FORKS
from .workers.shared import services_of

SPARE_THREADS = 16
"""Threads above the maximum of streams: clicks are served while every stream is open."""

STOP_SECONDS = 2.0
"""Seconds that a stop waits for open streams and clicks: tenths of a second, more on a busy
machine."""

KILL_SECONDS = 5.0
"""Seconds from the stop of a web process until it is killed."""

HANG_SECONDS = 20.0
"""Seconds without a heartbeat before the web process is replaced. Nothing blocks the loop that
sends them, so even a slow machine delays them by tenths only."""

BEAT_SECONDS = 1.0
"""Seconds between heartbeat checks. Missed checks are counted, not clock time: a sleeping machine
makes no checks."""

SHORT_LIFE_SECONDS = 1.0
"""Back-off in seconds before a web process that lived no longer is restarted."""

MAX_TEMPORARY_BYTES = 75
"""Longest path of the temporary folder in bytes: socket names have at most 107 (unix(7)), of which
`multiprocessing` takes 32."""

WAITING_VISITORS = 1024
"""Connections that may wait to be accepted, such as during a restart of the web process."""

M_ARENA_MAX, ARENAS = -8, 1
"""Option of mallopt(3) for the number of glibc heaps, and its value. Python runs one thread at a
time; with more heaps, each keeps the memory it freed, and the process grows by half."""

M_MMAP_THRESHOLD, MAPPED_BYTES = -3, 2 * 2**20
"""Longer blocks are mapped separately and go back to the system once freed. Otherwise glibc raises
this threshold to the longest freed block, such as an upload, and the heap grows. The compressor's
blocks are shorter, as mapping them costs 0.5 ms a page."""

M_TRIM_THRESHOLD, FREE_BYTES = -1, 4 * 2**20
"""Bytes free at the end of the heap beyond which they go back to the system."""

STOPS = signal.SIGINT, signal.SIGTERM
"""Signals that stop the server: Ctrl-C at once, SIGTERM after `DRAIN_SECONDS`, or at once if
repeated."""


def serve(
    host: str, port: int, ready: Callable[[], None], hang_seconds: float = HANG_SECONDS
) -> None:
    """Serve until stopped, calling `ready` once connections are accepted.

    A web process without a heartbeat for `hang_seconds` is replaced. Raises `OSError` if the
    address is not available, `SystemExit` for a wrong setting.
    """
    _check_temporary_folder()
    _set_module_path()
    with _listener(host, port) as listener, cache.kernel_cache(), files.found():
        app = create_app()
        default_handler.setFormatter(LogLines(as_json=app.config["LOG"] == "json"))
        for name in "waitress", app.logger.name:
            logging.getLogger(name).addHandler(default_handler)
        logging.getLogger(warming.__name__).setLevel(logging.INFO)
        logging.getLogger("waitress.queue").disabled = True  # a full queue is no error
        listener.listen(WAITING_VISITORS)
        ready()
        if hasattr(os, "fork"):
            Restarter(app, listener, hang_seconds).run()
        else:
            _serve_until_signal(app, listener)


def _check_temporary_folder() -> None:
    """End the start if sockets cannot be created in the folder for temporary files."""
    try:
        folder = tempfile.gettempdir()
    except FileNotFoundError:
        raise SystemExit(
            "no folder for temporary files can be written; set TMPDIR to one that can, such as a "
            "tmpfs if everything else is read-only"
        ) from None
    if FORKS and len(os.fsencode(folder)) > MAX_TEMPORARY_BYTES:
        raise SystemExit(
            f"{folder}, the folder for temporary files, has too long a name for sockets in it; "
            f"set TMPDIR to one of at most {MAX_TEMPORARY_BYTES} characters"
        )


def _set_module_path() -> None:
    """Keep the current folder off the module path of other processes.

    The fork server of `multiprocessing` would import from there: another `slidewise/`, or any
    `numpy.py`. A checkout that is not installed stays on the path.
    """
    os.environ["PYTHONSAFEPATH"] = "1"
    if __package__ == "webapp":
        paths = str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        # Windows would let another program take the address too
        option = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
        listener.setsockopt(socket.SOL_SOCKET, option, 1)
        listener.bind((host, port))
    except OSError:
        listener.close()
        raise
    return listener


class Restarter:
    """Restarts the web process until a signal stops the watcher."""

    def __init__(self, app: Flask, listener: socket.socket, hang_seconds: float) -> None:
        self._app, self._listener, self._hang_seconds = app, listener, hang_seconds
        self._wake_end, self._signal_end = os.pipe()
        self._stopping = self._at_once = False

    def run(self) -> None:
        """Keep a web process running until SIGINT or SIGTERM."""
        for number in STOPS:  # also if the parent process ignored them
            signal.signal(number, self._stop)
        while not self._stopping:
            started = time.monotonic()
            self._watch(*self._start())
            if time.monotonic() - started < SHORT_LIFE_SECONDS:
                wait([self._wake_end], SHORT_LIFE_SECONDS)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._at_once = self._stopping or number == signal.SIGINT
        self._stopping = True
        os.write(self._signal_end, b"s")

    def _start(self) -> tuple[BaseProcess, int]:
        """Fork a web process; return it and the pipe of its heartbeats."""
        beats, beat = os.pipe()
        for end in beats, beat:
            os.set_blocking(end, False)
        process = multiprocessing.get_context("fork").Process(
            target=_serve_here, args=(self._app, self._listener, beat)
        )
        signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)  # until the child has its own handlers
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
        os.close(beat)
        with suppress(OSError):  # the child may have done so already
            os.setpgid(_pid(process), 0)
        return process, beats

    def _watch(self, process: BaseProcess, beats: int) -> None:
        """Wait until the web process and its children have ended; report it if it was lost."""
        try:
            hangs = self._wait_for_end(process, beats)
            if self._stopping:
                self._end(process)
                return
            process.kill()
            process.join()
            how = f"no sign of life for {self._hang_seconds:g} seconds" if hangs else ""
            self._app.logger.error(
                "The web process was lost (%s). Another takes its place.",
                how or how_it_ended(process.exitcode),
            )
        finally:
            with suppress(ProcessLookupError):
                os.killpg(_pid(process), signal.SIGKILL)
            os.close(beats)

    def _wait_for_end(self, process: BaseProcess, beats: int) -> bool:
        """Wait for the web process's end or a signal; return True if it hangs."""
        silent = 0.0
        while not wait([process.sentinel, self._wake_end], BEAT_SECONDS):
            silent = 0.0 if _beats(beats) else silent + BEAT_SECONDS
            if silent >= self._hang_seconds:
                return True
        return False

    def _end(self, process: BaseProcess) -> None:
        """Drain the web process, if `DRAIN_SECONDS` is set, and stop it."""
        self._listener.close()
        drain_seconds = self._app.config["DRAIN_SECONDS"]
        if drain_seconds and not self._at_once:
            process.terminate()
            os.read(self._wake_end, 1)
            wait([process.sentinel, self._wake_end], drain_seconds + KILL_SECONDS)
        if process.is_alive():
            os.kill(_pid(process), signal.SIGINT)
        process.join(KILL_SECONDS)
        if process.is_alive():
            process.kill()
            process.join()


def _beats(beats: int) -> bool:
    """Return whether there were heartbeats since the last check."""
    try:
        return bool(os.read(beats, 1 << 16))
    except BlockingIOError:
        return False


def _pid(process: BaseProcess) -> int:
    assert process.pid is not None
    return process.pid


def _serve_here(app: Flask, listener: socket.socket, beat: int) -> NoReturn:
    """Run the web process until a signal or the watcher's death.

    The process leads a process group, which ends with it.
    """
    _limit_heap()  # before any thread, which would get a heap of its own
    os.setpgid(0, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)  # so that its group may write to the terminal
    when_parent_dies(lambda: os.kill(os.getpid(), signal.SIGINT))
    _serve_until_signal(app, listener, partial(_give_sign, beat))
    os._exit(0)  # a normal exit would wait for the workers, which end with the group


def _serve_until_signal(
    app: Flask, listener: socket.socket, sign_of_life: Callable[[], object] = bool
) -> None:
    """Serve until a signal comes. SIGTERM drains open requests, SIGINT does not."""
    signals: set[int] = set()
    server: WebServer | None = None

    def stop(number: int, frame: FrameType | None) -> None:
        signals.add(number)
        if server is not None:
            server.wake_up()

    for number in STOPS:
        signal.signal(number, stop)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
    threads = app.config["MAX_STREAMS"] + SPARE_THREADS
    server = WebServer(app, listener, threads, app.config["PROXIES"])
    solvers = services_of(app).solvers
    solvers.warm_up()
    gc.freeze()  # collecting all imported objects would delay clicks by 25 to 90 ms
    server.run_until(lambda: bool(signals), sign_of_life)
    if app.config["DRAIN_SECONDS"] and signal.SIGINT not in signals:
        solvers.draining = True
        server.drain(app.config["DRAIN_SECONDS"], lambda: signal.SIGINT in signals)
    server.stop(solvers.close, STOP_SECONDS)
    logging.shutdown()


def _limit_heap() -> None:
    """Have all threads share a heap that shrinks again, on systems with glibc."""
    with suppress(AttributeError, OSError, TypeError):  # the last two on Windows
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(M_ARENA_MAX, ARENAS)
        mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES)
        mallopt(M_TRIM_THRESHOLD, FREE_BYTES)


def _give_sign(beat: int) -> None:
    with suppress(OSError):  # the pipe is full, or the watcher has gone
        os.write(beat, b".")
