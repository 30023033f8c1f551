"""`slidewise warm`: compile and unpack everything in advance, for example for an image."""

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
        help="compile all searches and unpack the usual tables in advance",
        description="Compile all searches and unpack the usual tables, so that no search has to "
        "wait for it. Run it once on a machine, or while building an image. What is already "
        "there is checked and left as it is.",
    )
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    """Run the command and return the exit code."""
    from slidewise.solver.kernels import cache

    if not cache.find():
        raise UsageError(
            f"compiled code cannot be kept in {cache.directory()}; set NUMBA_CACHE_DIR to a "
            "directory you can write to"
        )
    started = monotonic()
    for part in warming.PARTS:
        print(warming.words(part), flush=True)
        for _ in warming.prepare(part):
            pass  # Ctrl-C stops the wait between two of these
    print(f"ready after {duration(monotonic() - started)}, for the processor {_processor()}")
    print(f"compiled code is in {os.environ[cache.VARIABLE]}, tables are in {files.directory()}")
    return 0


def _processor() -> str:
    """Return the processor that the code is compiled for. Warn if it uses features of this
    machine."""
    import llvmlite.binding
    from numba import config

    if config.CPU_NAME and config.CPU_FEATURES is None:
        print(
            "slidewise: the compiled code also uses features that only this machine's processor "
            "may have; to avoid that, set NUMBA_CPU_FEATURES to an empty value, or "
            "NUMBA_CPU_NAME=generic",
            file=sys.stderr,
        )
    return str(config.CPU_NAME or llvmlite.binding.get_host_cpu_name())
