"""`slidewise warm`: have everything compiled and unpacked beforehand, as for an image."""

from __future__ import annotations

import os
import sys
from time import monotonic
from typing import TYPE_CHECKING

from slidewise.cli.arguments import Commands, UsageError
from slidewise.solver import warming
from slidewise.solver.tables.patterns import files
from slidewise.text import duration

if TYPE_CHECKING:
    from argparse import Namespace


def add_to(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "warm",
        help="compile all searches and unpack the usual tables beforehand",
        description="Compile all searches and unpack the usual tables, so that no search waits for "
        "that: once on a machine, or while an image is built. What is there already is checked and "
        "left as it is.",
    )
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    """Run the command and return the exit code."""
    from slidewise.solver.kernels import cache

    if not cache.find():
        raise UsageError(
            f"compiled code cannot be kept in {cache.directory()}; set NUMBA_CACHE_DIR to a "
            "directory that can be written"
        )
    started = monotonic()
    for part in warming.PARTS:
        print(warming.words(part), flush=True)
        for _ in warming.prepare(part):
            pass  # Ctrl-C ends the wait between two of these
    print(f"ready after {duration(monotonic() - started)}")
    print(f"compiled code is in {os.environ[cache.VARIABLE]}, tables are in {files.directory()}")
    if not any(files.directory().glob(f"*{files.SUFFIX}")):
        print(f"slidewise: the tables could not be kept in {files.directory()}", file=sys.stderr)
    return 0
