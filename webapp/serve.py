"""`slidewise serve`: one web process, the processes of its solvers, and one that watches over it.

The watching process binds the address and builds the app, so that what is wrong is told at once;
then it forks the web process, and forks another should that be lost. Visitors who come meanwhile
wait in the queue of the socket.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import threading
import time
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, NoReturn

from flask.logging import default_handler

from webapp import create_app
from webapp.http.connections import WebServer
from webapp.workers.process import how_it_ended
from webapp.workers.services import services_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.context import ForkProcess
    from types import FrameType

    from flask import Flask

SPARE_THREADS = 16
"""Threads above the most streams: clicks are served while every stream is open."""

STOP_SECONDS = 2.0
"""How long the streams have to end, and clicks to be answered, when the server stops."""

KILL_SECONDS = 5.0
"""After how long a web process that was told to stop is killed."""

SHORT_LIFE_SECONDS = 1.0
"""A web process that lived no longer is followed by another only after a pause as long."""

WAITING_VISITORS = 1024
"""How many connections wait to be accepted, such as while there is no web process."""


def serve(host: str, port: int, ready: Callable[[], None]) -> None:
    """Serve until stopped, calling `ready` once connections are taken.

    Raises `OSError` where the address is not to be had.
    """
    with _listener(host, port) as listener:
        app = create_app()
        for name in "waitress", app.logger.name:
            logging.getLogger(name).addHandler(default_handler)
        logging.getLogger("waitress.queue").disabled = True  # a busy moment is no trouble
        listener.listen(WAITING_VISITORS)
        ready()
        _watch_over(app, listener)


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
    except OSError:
        listener.close()
        raise
    return listener


def _watch_over(app: Flask, listener: socket.socket) -> None:
    """Keep a web process running until this one is told to stop."""
    for number in signal.SIGINT, signal.SIGTERM:  # also where it was started with one ignored
        signal.signal(number, _interrupt)
    process: ForkProcess | None = None
    try:
        while True:
            process = multiprocessing.get_context("fork").Process(
                target=_serve_here, args=(app, listener)
            )
            started = time.monotonic()
            process.start()
            process.join()
            app.logger.error(
                "The web process was lost (%s). Another takes its place.",
                how_it_ended(process.exitcode),
            )
            if time.monotonic() - started < SHORT_LIFE_SECONDS:
                time.sleep(SHORT_LIFE_SECONDS)
    except KeyboardInterrupt:
        for number in signal.SIGINT, signal.SIGTERM:
            signal.signal(number, signal.SIG_IGN)
        if process is not None:
            _end(process)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _end(process: ForkProcess) -> None:
    process.terminate()
    process.join(KILL_SECONDS)
    if process.is_alive():
        process.kill()
        process.join()


def _serve_here(app: Flask, listener: socket.socket) -> None:
    """Serve in this process, the web process, until it is told to stop or is on its own."""
    stopping = threading.Event()
    threads = app.config["MAX_STREAMS"] + SPARE_THREADS
    server = WebServer(app, listener, threads, app.config["PROXIES"])

    def stop(number: int, frame: FrameType | None) -> None:
        stopping.set()
        server.wake_up()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one that watches over this
    threading.Thread(target=_stop_when_alone, daemon=True).start()
    solvers = services_of(app).solvers
    solvers.warm_up()
    server.run_until(stopping, solvers.close, STOP_SECONDS)


def _stop_when_alone() -> None:
    """Stop this process when the one that watches over it has gone."""
    watching = multiprocessing.parent_process()
    if watching is not None:
        wait([watching.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)
