"""`slidewise serve`: gunicorn, one process of many threads, worker processes for the searches."""

from __future__ import annotations

import signal
import socket
from typing import TYPE_CHECKING, Any

from gunicorn.app.base import BaseApplication

from webapp import create_app
from webapp.config import settings
from webapp.workers.services import services_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from flask import Flask
    from gunicorn.workers.base import Worker

SPARE_THREADS = 16
"""Threads above the most streams: clicks are served while every stream is open."""


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """The server, configured here and nowhere else."""

    def __init__(self, host: str, port: int, ready: Callable[[], None]) -> None:
        self._bind = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self._ready = ready
        super().__init__()

    def load_config(self) -> None:
        """Set gunicorn's settings."""
        gunicorn: dict[str, Any] = {
            "bind": self._bind,
            "workers": 1,  # the pool and its queue are this process's own
            "worker_class": "gthread",
            "threads": settings()["MAX_STREAMS"] + SPARE_THREADS,
            "timeout": 60,
            "graceful_timeout": 2,
            "keepalive": 5,
            "limit_request_line": 8190,
            "control_socket_disable": True,
            "when_ready": lambda arbiter: self._ready(),
            "post_worker_init": _end_streams_on_stop,
            "worker_int": _close_pool,
            "loglevel": "warning",
        }
        for name, value in gunicorn.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Return the app, in the serving process."""
        app = create_app()
        services_of(app).solvers.warm_up()
        return app


def serve(host: str, port: int, ready: Callable[[], None]) -> None:
    """Serve until stopped, calling `ready` once connections are taken.

    Raises `OSError` where the address is not to be had, which gunicorn would only find out
    after five tries.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((host, port))
    Server(host, port, ready).run()


def _close_pool(worker: Worker) -> None:
    services_of(worker.wsgi).solvers.close()


def _end_streams_on_stop(worker: Worker) -> None:
    """Have a stop end the streams first, which else would last as long as their searches."""
    go_on = signal.getsignal(signal.SIGTERM)

    def stop(number: int, frame: FrameType | None) -> None:
        _close_pool(worker)
        if callable(go_on):
            go_on(number, frame)

    signal.signal(signal.SIGTERM, stop)
