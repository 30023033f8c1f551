"""The command `slidewise worker`: run the searches of web processes that share a Redis."""

from __future__ import annotations

import logging
import os
import socket
from typing import TYPE_CHECKING

from slidewise.cli.arguments import Commands, UsageError

if TYPE_CHECKING:
    from argparse import Namespace


def add_to(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "worker",
        help="run the searches of web processes that share a Redis",
        description="Run searches for the web processes that have the same SLIDEWISE_REDIS, until "
        "Ctrl-C; what runs then is ended first. SLIDEWISE_SOLVERS says how many at a time.",
    )
    parser.set_defaults(run=run, own_signals=True)


def run(args: Namespace) -> int:
    """Run the command and return the exit code."""
    from .config import NEEDS_REDIS, worker_settings

    try:
        settings = worker_settings()
        try:
            from .workers.redis.worker import work
        except ImportError as error:
            raise UsageError(NEEDS_REDIS) from error
        logging.basicConfig(format="%(message)s")
        work(*settings, lambda: _tell_ready(settings.searches))
    except SystemExit as end:
        if isinstance(end.code, str):
            raise UsageError(end.code) from end
        raise
    return 0


def _tell_ready(searches: int) -> None:
    at_once = "1 search" if searches == 1 else f"{searches} searches"
    print(f"Slidewise runs {at_once} at a time (Ctrl-C stops it)", flush=True)
    if manager := os.environ.get("NOTIFY_SOCKET"):  # sd_notify(3)
        address = f"\0{manager[1:]}" if manager.startswith("@") else manager
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
            notified.sendto(b"READY=1", address)
