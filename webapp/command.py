"""The commands of the web app: `serve`, `static` for its pages as files, `worker` for web
processes that share a Redis, and `daily` for the results of the daily puzzles.

The commands exist without the packages that they need; the error names the extra to install.
"""

from __future__ import annotations

import errno
import logging
import os
import socket
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from slidewise.cli.arguments import Commands, UsageError
from slidewise.cli.terminal import OutputError, drop_output
from slidewise.solver.cache_dirs import write_whole

if TYPE_CHECKING:
    from .play.daily_store import DayResult, Store
    from .workers.shared import Shared


def add_to(commands: Commands) -> None:
    """Add the commands and their options."""
    serve = commands.add_parser(
        "serve", help="serve the web app", description="Serve the web app until Ctrl-C."
    )
    serve.add_argument(
        "--host",
        default="127.0.0.1",
        help="the address to serve at (default: %(default)s, this machine only)",
    )
    serve.add_argument(
        "--port", type=_number(1, 65535), default=8000, help="its port (default: %(default)s)"
    )
    serve.set_defaults(run=run_server, own_signals=True)
    static = commands.add_parser(
        "static",
        help="write the pages that need no server as files",
        description="Write the pages that need no server to a folder, for a host that only sends "
        "files.",
    )
    static.add_argument("folder", type=Path, help="a folder that is empty or does not exist yet")
    static.add_argument(
        "--days",
        type=_number(0, 1100),
        default=366,
        help="days to come with daily puzzles (default: %(default)s)",
    )
    static.set_defaults(run=write_static)
    worker = commands.add_parser(
        "worker",
        help="run the searches of web processes that share a Redis",
        description="Run searches for the web processes that have the same SLIDEWISE_REDIS, until "
        "Ctrl-C, which ends the running searches first. SLIDEWISE_SOLVERS sets how many run at a "
        "time.",
    )
    worker.set_defaults(run=run_worker, own_signals=True)
    daily = commands.add_parser(
        "daily",
        help="export or import the results of the daily puzzles",
        description="Export how many players of each daily puzzle needed how many moves, as JSON "
        "lines, or import them. The settings name the place, as for `slidewise serve`: the file "
        "daily.sqlite3 in SLIDEWISE_STATE, otherwise SLIDEWISE_REDIS. If a number is already "
        "stored, the larger stays, so an import can be repeated.",
    )
    daily.add_argument("action", choices=("export", "import"))
    daily.add_argument(
        "file", nargs="?", default="-", help="a file (default: standard input or output)"
    )
    daily.set_defaults(run=run_daily)


def run_server(args: Namespace) -> int:
    """Run `serve` and return the exit code."""
    with _usage_errors("serve", "web"):
        from .serve import serve  # Flask and the server, which no other command needs

        try:
            serve(args.host, args.port, ready=lambda: _greet(args.host, args.port))
        except OSError as error:
            raise UsageError(_refusal(error, args.host, args.port)) from error
    return 0


def write_static(args: Namespace) -> int:
    """Run `static` and return the exit code."""
    folder: Path = args.folder
    with _usage_errors("static", "web"):
        try:
            if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
                raise UsageError(f"{folder} is not an empty folder; name another")
            from .static_site import write_site

            print(f"{write_site(folder, args.days):,} files in {folder}")
        except OSError as error:
            raise UsageError(f"cannot write {folder}: {error.strerror or error}") from error
    return 0


def run_worker(args: Namespace) -> int:
    """Run `worker` and return the exit code."""
    if not hasattr(os, "fork"):
        raise UsageError(
            "slidewise worker forks its processes, which Windows does not: run it on Linux or "
            "macOS, or in WSL"
        )
    with _usage_errors("worker", "redis"):
        from .config import worker_settings
        from .workers.redis.worker import work

        settings = worker_settings()
        logging.basicConfig(format="%(message)s")
        work(*settings, lambda: _tell_ready(settings.searches))
    return 0


def run_daily(args: Namespace) -> int:
    """Run `daily` and return the exit code."""
    with _usage_errors("daily", "web"):
        from .play.daily_store import DailyStoreError
    try:
        if args.action == "export":
            text = "".join(f"{one.as_line()}\n" for one in _daily_store().results())
            if args.file == "-":
                print(text, end="")
            else:
                write_whole(Path(args.file), text.encode())
        else:
            results = _read_results(args.file)
            _daily_store().merge(results)
            print(f"{len(results):,} results imported")
    except OSError as error:
        raise UsageError(f"cannot {args.action} {args.file}: {error.strerror or error}") from error
    except DailyStoreError as error:
        raise UsageError(f"cannot {args.action} the results: {error}") from error
    return 0


def _read_results(name: str) -> list[DayResult]:
    """Parse results; raises `UsageError` with the line of an error, before any is stored."""
    from .play.daily_store import DayResult

    text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8-sig")
    results = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            if line.strip():
                results.append(DayResult.read(line))
        except ValueError as error:
            raise UsageError(f"line {number} is not a result: {error}") from error
    return results


def _daily_store() -> Store:
    from flask import Flask

    from .config import NEEDS_REDIS, settings
    from .play.daily import today
    from .play.daily_store import store_of

    try:
        config = settings()
        shared: Shared | None = None
        if config["REDIS"]:
            from .workers.redis.shared import RedisShared, connect

            shared = RedisShared(connect(config["REDIS"]))
        folder = Path(config["STATE"] or Flask(__package__).instance_path)
        return store_of({**config, "STATE_FOLDER": folder}, shared, today)
    except ModuleNotFoundError as error:
        raise UsageError(NEEDS_REDIS) from error
    except SystemExit as end:
        raise UsageError(str(end.code)) from end


@contextmanager
def _usage_errors(command: str, extra: str) -> Iterator[None]:
    """Turn invalid settings and packages that are not installed into `UsageError`."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise UsageError(
            f"slidewise {command} needs the package {error.name}, which is not installed: "
            f'pip install "slidewise[{extra}]"'
        ) from error
    except SystemExit as end:
        if isinstance(end.code, str):
            raise UsageError(end.code) from end
        raise


def _greet(host: str, port: int) -> None:
    try:
        print(f"Slidewise is at {_url(host, port)} (Ctrl-C stops it)", flush=True)
    except OutputError:  # stdout is closed, as in some services
        drop_output()


def _url(host: str, port: int) -> str:
    """Return the address as a link.

    >>> _url("::1", 8000)
    'http://[::1]:8000'
    """
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _refusal(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use; choose another with --port"
    if error.errno == errno.EACCES:
        return f"port {port} is not open to this user; choose one above 1023 with --port"
    return f"cannot serve at {host}: {error.strerror}; choose another address with --host"


def _number(least: int, most: int) -> Callable[[str], int]:
    """Return the parser of an option."""

    def parse(text: str) -> int:
        digits = text.strip()
        is_number = digits.isascii() and digits.isdigit() and len(digits) < 6
        if not (is_number and least <= int(digits) <= most):
            raise ArgumentTypeError(
                f"expected a number from {least} to {most}, found {digits[:20]!r}"
            )
        return int(digits)

    return parse


def _tell_ready(searches: int) -> None:
    at_once = "1 search" if searches == 1 else f"{searches} searches"
    print(f"Slidewise runs {at_once} at a time (Ctrl-C stops it)", flush=True)
    if manager := os.environ.get("NOTIFY_SOCKET"):  # sd_notify(3)
        address = f"\0{manager[1:]}" if manager.startswith("@") else manager
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
            notified.sendto(b"READY=1", address)
