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
    print(f"ready after {duration(monotonic() - started)}, for the processor {_processor()}")
    print(f"compiled code is in {os.environ[cache.VARIABLE]}, tables are in {files.directory()}")
    return 0


def _processor() -> str:
    """Return the name of the processor that the code is for; say so where it is still for the
    features of this one."""
    import llvmlite.binding
    from numba import config

    if config.CPU_NAME and config.CPU_FEATURES is None:
        print(
            "slidewise: the compiled code also uses what this machine's processor has beside that; "
            "set NUMBA_CPU_FEATURES to nothing to change that, or NUMBA_CPU_NAME=generic",
            file=sys.stderr,
        )
    return str(config.CPU_NAME or llvmlite.binding.get_host_cpu_name())
