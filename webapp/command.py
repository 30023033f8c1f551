"""The command `slidewise` with `serve`, the web app on this machine."""

from __future__ import annotations

import errno
import sys
from argparse import ArgumentTypeError
from typing import TYPE_CHECKING

from slidewise import cli
from slidewise.cli.arguments import Commands, UsageError
from slidewise.cli.report import OutputError, drop_output

from . import worker_command

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command, `serve` included, with the words `argv`; return the exit code."""
    *others, algorithms, tables, warm = cli.COMMANDS
    serve = sys.modules[__name__]
    return cli.main(argv, (*others, serve, worker_command, algorithms, tables, warm))


def add_to(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "serve", help="serve the web app", description="Serve the web app until Ctrl-C."
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="the address to serve at (default: %(default)s, this machine only)",
    )
    parser.add_argument("--port", type=_port, default=8000, help="its port (default: %(default)s)")
    parser.set_defaults(run=run, own_signals=True)


def run(args: Namespace) -> int:
    """Run the command and return the exit code."""
    from .serve import serve  # Flask and the server, which no other command needs

    try:
        serve(args.host, args.port, ready=lambda: _greet(args.host, args.port))
    except OSError as error:
        raise UsageError(_refusal(error, args.host, args.port)) from error
    except SystemExit as end:
        if isinstance(end.code, str):  # a setting in the environment that cannot be used
            raise UsageError(end.code) from end
        raise
    return 0


def _greet(host: str, port: int) -> None:
    try:
        print(f"Slidewise is at {_url(host, port)} (Ctrl-C stops it)", flush=True)
    except OutputError:  # a service whose output leads nowhere
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


def _port(text: str) -> int:
    number = text.strip()
    if not (number.isascii() and number.isdigit() and len(number) < 6 and 0 < int(number) < 65536):
        raise ArgumentTypeError(f"expected a number from 1 to 65535, found {number[:20]!r}")
    return int(number)
