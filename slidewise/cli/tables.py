"""`slidewise tables` and `slidewise warm`: what searches store on this machine.

`tables` lists, builds and removes pattern databases. `warm` compiles and unpacks everything in
advance, for example for an image.
"""

import os
import sys
from argparse import Namespace
from datetime import datetime
from time import monotonic

from slidewise.cli.arguments import GOAL_HELP, Commands, UsageError, add_size, read_goal
from slidewise.cli.terminal import Bar
from slidewise.puzzle import Board
from slidewise.solver import compiling, warming
from slidewise.solver.tables.patterns import files
from slidewise.solver.tables.patterns.files import Stored
from slidewise.solver.tables.patterns.partition import Frame, Partition, find_partition
from slidewise.text import duration, text_table

TITLES = ("partition", "size", "blank cell", "bytes", "date")


def add_to(commands: Commands) -> None:
    _add_tables(commands)
    _add_warm(commands)


def _add_tables(commands: Commands) -> None:
    """Add the command, its subcommands and their options."""
    parser = commands.add_parser(
        "tables",
        help="list, build or remove pattern databases",
        description="A pattern database holds the number of moves that groups of tiles need by "
        "themselves. Each is built when a search first needs it and then stored on disk. This "
        "command can build them in advance.",
    )
    parser.set_defaults(run=_print_tables)
    actions = parser.add_subparsers(metavar="ACTION", title="actions")
    actions.add_parser(
        "list",
        help="list those on disk",
        description="List the pattern databases on disk: how many tiles their groups have, the "
        "size of the boards, the blank's cell in the goal (turned and mirrored so that it is the "
        "smallest), bytes, and when they were built.",
    ).set_defaults(run=list_tables)
    build = actions.add_parser(
        "build",
        help="build them in advance",
        description="Build the pattern databases with these names, unless they are already on "
        "disk.",
    )
    build.add_argument(
        "names",
        metavar="NAME",
        nargs="*",
        help="such as 6-6-3, how many tiles each group has (default: what a search uses)",
    )
    add_size(build, "rows x columns (default: 4x4)")
    build.add_argument("--goal", metavar="BOARD", help=GOAL_HELP)
    build.set_defaults(run=build_tables)
    actions.add_parser(
        "clear", help="remove them all", description="Remove all pattern databases from disk."
    ).set_defaults(run=clear_tables)


def _print_tables(args: Namespace) -> int:
    raise UsageError("tables needs an action: list, build or clear")


def list_tables(args: Namespace) -> int:
    """Run `tables list` and return the exit code."""
    stored = files.stored()
    if not stored:
        print(f"no pattern databases in {files.directory()}")
        return 0
    print(text_table(TITLES, map(_row, stored), rule=False))
    return 0


def build_tables(args: Namespace) -> int:
    """Run `tables build` and return the exit code."""
    goal = read_goal(args, default=(4, 4))
    frame = Frame.of(goal)
    # A list, so that a wrong name is reported before the first table is built.
    for found in [
        find_partition(frame.rows, frame.cols, frame.blank, name) for name in args.names or [None]
    ]:
        _build(goal, found)
    return 0


def clear_tables(args: Namespace) -> int:
    """Run `tables clear` and return the exit code."""
    try:
        removed = files.clear()
    except OSError as error:
        raise UsageError(f"cannot remove {error.filename}: {error.strerror}") from None
    for file in removed:
        print(f"removed {file.path} ({file.bytes:,} bytes)")
    if not removed:
        print(f"no pattern databases in {files.directory()}")
    return 0


def _build(goal: Board, partition: Partition) -> None:
    from slidewise.solver.tables.patterns.database import prepare

    built = False
    with Bar(None) as bar:
        for event in prepare(*goal.size, goal, partition.name):
            built = built or event.total > 1  # compiling alone builds no table
            bar.show(event)
    rows, cols = partition.size
    what = f"{partition.name} for {rows}x{cols} with the blank in cell {partition.blank}"
    print(f"{what}: {'built' if built else 'already there'}, {partition.bytes:,} bytes")


def _row(file: Stored) -> tuple[str, ...]:
    """Return the facts of a file, in the order of `TITLES`."""
    date = f"{datetime.fromtimestamp(file.written):%Y-%m-%d %H:%M}"
    if file.name is None:
        return f"unusable: {file.path.name}", "", "", f"{file.bytes:,}", date
    return file.name, f"{file.rows}x{file.cols}", str(file.blank), f"{file.bytes:,}", date


def _add_warm(commands: Commands) -> None:
    parser = commands.add_parser(
        "warm",
        help="compile all searches and unpack the usual tables in advance",
        description=(
            "Compile all searches and unpack the usual tables, so that no search has to wait for "
            "them. Run it once on a machine, or while building an image. Existing files are "
            "checked and not changed."
        ),
    )
    parser.set_defaults(run=warm)


def warm(args: Namespace) -> int:
    from slidewise.solver.kernels import cache

    if not compiling.is_available():
        raise UsageError(compiling.NEEDS_NUMBA)
    if not cache.find():
        raise UsageError(
            f"compiled code cannot be stored in {cache.directory()}; set NUMBA_CACHE_DIR to a "
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

    # Numba adds the features of the host to a named processor unless the features are given.
    if config.CPU_NAME and config.CPU_FEATURES is None:
        print(
            "slidewise: the compiled code also uses features that only this machine's processor "
            "may have; to avoid that, set NUMBA_CPU_FEATURES to an empty value, or "
            "NUMBA_CPU_NAME=generic",
            file=sys.stderr,
        )
    return str(config.CPU_NAME or llvmlite.binding.get_host_cpu_name())
