"""The command `slidewise`.

Exit codes: 0 solved (and for the commands that solve nothing, done), 1 not solved, 2 bad input or
unwritable output. Also 70 for a result that contradicts itself and is withheld, 130 if interrupted
before any result, 141 if stdout was closed, and 143 after SIGTERM, which acts as Ctrl-C.
"""

from __future__ import annotations

import sys
from argparse import ArgumentError
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from slidewise.cli.arguments import Commands, Parser, UsageError, shield_boards
from slidewise.cli.terminal import (
    INVALID_RESULT,
    OutputError,
    ReaderGoneError,
    drop_output,
    safe_streams,
    termination,
)
from slidewise.puzzle import PuzzleError, SizeNeededError
from slidewise.solver.compiling import NEEDS_NUMBA
from slidewise.solver.result import ContradictionError
from slidewise.version import __version__

if TYPE_CHECKING:
    from slidewise.parts import Subcommand


class Command(Protocol):
    """Interface of a subcommand's module."""

    __name__: str

    def add_to(self, commands: Commands, /) -> None:
        """Add the subcommand, or several, and its options to the parser."""


BAD_INPUT, INTERRUPTED, PIPE_CLOSED, TERMINATED = 2, 130, 141, 143

MODULES = {
    "solve": ("solve",),
    "count": ("count", "slides"),
    "compare": ("compare",),
    "play": ("play",),
    "boards": ("new", "convert", "facts"),
    "component": ("component",),
    "algorithms": ("algorithms",),
    "tables": ("tables", "warm"),
}
"""Modules of this package with their subcommands, in the order of the help."""


def main(argv: Sequence[str] | None = None, commands: Sequence[Command] | None = None) -> int:
    """Run the command and return its exit code.

    `argv` are the arguments, by default `sys.argv`. `commands` are the subcommands, by default all.
    """
    with safe_streams():
        try:
            words = sys.argv[1:] if argv is None else argv
            code = _run(words, commands or _commands(words))
            # Flushed here, because Python would report a failed write only at exit.
            sys.stdout.flush()
        except ReaderGoneError:
            drop_output()
            return PIPE_CLOSED
        except OutputError as error:
            drop_output()
            return _fail(str(error))
        except SizeNeededError as error:
            return _fail(f"{error}; use --size")
        except (PuzzleError, UsageError) as error:
            return _fail(str(error))
        except UnicodeDecodeError:
            return _fail("the input is not UTF-8 text: save it as UTF-8 and try again")
        except ContradictionError as error:
            return _fail(str(error), INVALID_RESULT)
        except ModuleNotFoundError as error:
            # Numba is optional; any other missing module is a defect of the installation.
            if error.name != "numba":
                raise
            return _fail(NEEDS_NUMBA)
        except KeyboardInterrupt:
            return INTERRUPTED
        return code


def _run(words: Sequence[str], commands: Sequence[Command]) -> int:
    parser = _parser(commands)
    try:
        args = parser.parse_args(shield_boards(words))
    except SystemExit:  # raised by --help and --version; errors are raised as UsageError
        return 0
    if args.run is None:
        parser.print_help(sys.stderr)
        return BAD_INPUT
    # Servers install their own signal handlers.
    if getattr(args, "own_signals", False):
        return int(args.run(args))
    with termination() as terminated:
        try:
            code = int(args.run(args))
        except KeyboardInterrupt:
            if not terminated.is_set():
                raise
    return TERMINATED if terminated.is_set() else code


def _parser(commands: Sequence[Command]) -> Parser:
    parser = Parser(
        prog="slidewise",
        description="Play, share and understand the sliding-tile puzzle.",
        epilog="Exit codes: 0 solved or done, 1 not solved, 2 bad input, 70 a result that "
        "contradicts itself.",
    )
    parser.add_argument("--version", action="version", version=f"slidewise {__version__}")
    parser.set_defaults(run=None)
    subparsers = parser.add_subparsers(metavar="COMMAND", title="commands")
    for command in commands:
        try:
            command.add_to(subparsers)
        except (ArgumentError, AttributeError) as error:  # a name that is taken, or no `add_to`
            _warn(f"the subcommand {command.__name__} cannot be added: {error}; it is left out")
    return parser


def _commands(words: Sequence[str]) -> list[Command]:
    """Return the subcommand that `words` begin with, or all in the order of the help.

    Importing all takes twice as long as a short search.
    """
    name = words[0] if words else ""
    # Any other word, such as --help or a part's subcommand, needs all of them.
    found = [_own(module) for module, names in MODULES.items() if name in names]
    return found or _all_commands()


def _own(module: str) -> Command:
    return cast("Command", import_module(f"{__name__}.{module}"))


def _all_commands() -> list[Command]:
    names, found = list(MODULES), [_own(module) for module in MODULES]
    for added in _added_commands():
        try:
            module = cast("Command", import_module(added.module))
        except Exception as error:  # third-party code may raise anything
            _warn(f"the subcommand {added.module} cannot be loaded: {error!r}; it is left out")
            continue
        # `names` and `found` stay parallel, so that a part can be placed before another part.
        place = names.index(added.before) if added.before in names else len(names)
        names.insert(place, added.module.rpartition(".")[2])
        found.insert(place, module)
    return found


def _added_commands() -> Iterator[Subcommand]:
    """Yield the subcommands of parts, then the web app's."""
    from slidewise import parts  # imported late: `importlib.metadata` takes as long as a search

    for part in parts.find_parts(on_error=lambda error: _warn(f"{error}; it is left out")):
        yield from part.commands
    if web := parts.web_package():
        yield parts.Subcommand(f"{web}.command", before="algorithms")


def _warn(message: str) -> None:
    print(f"slidewise: {message}", file=sys.stderr)


def _fail(message: str, code: int = BAD_INPUT) -> int:
    print(f"slidewise: error: {message}", file=sys.stderr)
    return code
