"""Shared arguments: boards, goals, sizes, and the choice of a search."""

from __future__ import annotations

import argparse
import inspect
import os
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from slidewise.cli.terminal import reason
from slidewise.puzzle import STANDARD_GOALS, Board, Puzzle, parse_board, parse_puzzle, parse_size
from slidewise.puzzle.board import quoted
from slidewise.puzzle.notation import MAX_TEXT
from slidewise.puzzle.scramble import check_seed
from slidewise.solver.convention import ALGORITHMS, SLIDEWISE, conventions, find_convention
from slidewise.solver.registry import algorithms, heuristics
from slidewise.solver.run import find_algorithm, find_heuristic, search
from slidewise.solver.task import (
    DEFAULT_COOLING,
    DEFAULT_SEED,
    DEFAULT_WEIGHT,
    Limits,
    check_cooling,
    exact_weight,
)
from slidewise.text import message

if TYPE_CHECKING:
    from distributed import Client

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"

_NEGATIVE = re.compile("-[0-9]")
_WHOLE_NUMBER = re.compile(r"\s*[+-]?[0-9]{1,30}\s*")

BOARD_HELP = (
    "a board in almost any notation, such as 7.2.4-5.0.6-8.3.1 or '1 2 3 4 5 6 7 8 0' (0 is the "
    "blank), or a code START_GOAL; - reads standard input"
)
GOAL_HELP = (
    "the goal: first or last (where the blank is), spiral (1, 2, 3 ... clockwise inwards), or a "
    "board (default: last)"
)


class UsageError(ValueError):
    """Unusable arguments; the message names the remedy."""


class _Help(argparse.HelpFormatter):
    """Help formatter that does not break keys such as `linear-conflict`."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)


class Parser(argparse.ArgumentParser):
    """Argument parser that raises its errors, with the same text in every command."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": _Help, **options})

    def error(self, message: str) -> NoReturn:
        """Raise `UsageError` with the message and a hint to the help."""
        if message.startswith("unrecognized arguments"):
            message += " (put quotes around a board with spaces, or write it before the options)"
        raise UsageError(f"{message}; {self.prog} --help lists the options")


FOR_HEURISTIC = "astar"
"""Algorithm if only a heuristic or a convention is given; the default may use neither."""


def shield_boards(words: Sequence[str]) -> list[str]:
    """Prefix a space to arguments such as `-1`, a board's blank, that look like options."""
    return [f" {word}" if _NEGATIVE.match(word) else word for word in words]


def add_puzzle(parser: Parser, nargs: str, *, required: bool = True) -> None:
    """Add the arguments for the start board, of several words, its goal and its size."""
    board = parser.add_argument("board", metavar="BOARD", nargs=nargs, help=BOARD_HELP)
    # nargs="*" matches no words if an option precedes the board.
    board.required = board.required and required
    parser.add_argument("--goal", metavar="BOARD", help=GOAL_HELP)
    add_size(
        parser, "rows x columns, such as 2x4, for a flat list of cells that does not make a square"
    )


def add_size(parser: Parser, help_text: str) -> None:
    """Add the option for a size."""
    parser.add_argument("--size", metavar="ROWSxCOLUMNS", help=help_text)


def add_search(parser: Parser) -> None:
    """Add the options that choose the search."""
    own = ", or your own, such as '=max(manhattan, 2 * misplaced)'"
    for kind, known, more in ("algorithm", algorithms(), ""), ("heuristic", heuristics(), own):
        parser.add_argument(
            f"--{kind}", metavar="KEY", help=f"{', '.join(known)}{more} (default: {_default(kind)})"
        )


def whole_number(text: str) -> int:
    """Parse a number with the digits 0 to 9.

    >>> whole_number("20")
    20

    Raises `argparse.ArgumentTypeError`.
    """
    if not _WHOLE_NUMBER.fullmatch(text):
        raise argparse.ArgumentTypeError(
            f"expected a whole number such as 20, found {quoted(text)}"
        )
    return int(text)


def decimal(text: str) -> float:
    """Parse a number with an optional decimal point.

    >>> decimal("1.5")
    1.5

    Raises `argparse.ArgumentTypeError`.
    """
    try:
        # `float` also accepts `1_000` and digits of other scripts.
        if text.isascii() and "_" not in text:
            return float(text)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"expected a number such as 1.5, found {quoted(text)}")


def add_settings(parser: Parser) -> None:
    """Add the options of single algorithms; `Algorithm.options` lists them."""
    parser.add_argument(
        "--depth",
        metavar="N",
        type=whole_number,
        help=f"look no deeper than N moves; for {', '.join(_taking('depth'))}",
    )
    add_weight(parser)
    parser.add_argument(
        "--seed",
        metavar="TEXT",
        help=f"the seed of the random numbers (default: {DEFAULT_SEED}); for "
        f"{', '.join(_taking('seed'))}",
    )
    parser.add_argument(
        "--cooling",
        metavar="C",
        type=decimal,
        help=f"the factor of the temperature in each step (default: {DEFAULT_COOLING}); for "
        f"{', '.join(_taking('cooling'))}",
    )


def add_weight(parser: Parser) -> None:
    """Add the option for the weight of weighted algorithms."""
    parser.add_argument(
        "--weight",
        metavar="W",
        type=decimal,
        help=f"the weight of the estimate (default: {DEFAULT_WEIGHT}); for "
        f"{', '.join(_taking('weight'))}",
    )


def add_convention(parser: Parser) -> None:
    """Add the options for the conventions of textbooks and courses."""
    parser.add_argument(
        "--convention",
        metavar="NAME",
        help=f"search as a textbook or course does: {', '.join(conventions())}; rules can be "
        f"added, as in columbia,ties=last-in; for {', '.join(ALGORITHMS)} "
        f"(default: {SLIDEWISE.key})",
    )
    parser.add_argument(
        "--order",
        metavar="udlr",
        help="the order in which successors are generated, as directions of the blank; the same "
        "as --convention NAME,order=udlr",
    )


def convention_text(args: argparse.Namespace) -> str | None:
    """Return the convention of the options, None if they name none.

    Raises `InvalidConventionError`.
    """
    given = vars(args)  # some commands lack these options
    convention, order = given.get("convention"), given.get("order")
    if convention is None and order is None:
        return None
    name = convention or SLIDEWISE.key
    text = name if order is None else f"{name},order={order}"
    find_convention(text)  # rejected here for all algorithms
    return text


def search_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return the given arguments of `search`, validated."""
    given = {name: value for name, value in vars(args).items() if value is not None}
    options: dict[str, Any] = {}
    if "algorithm" in given:
        options["algorithm"] = find_algorithm(given["algorithm"]).key
    if "heuristic" in given:
        options["heuristic"] = find_heuristic(given["heuristic"]).key
        options.setdefault("algorithm", FOR_HEURISTIC)
    convention = convention_text(args)
    if convention:
        options.setdefault("algorithm", FOR_HEURISTIC)
        options["convention"] = str(find_convention(convention, options["algorithm"]))
    for name in ("depth", "weight", "seed", "cooling"):
        if name in given:
            check_taken(name, options.get("algorithm", _default("algorithm")))
    limits = {name: given[name] for name in ("seconds", "depth") if name in given}
    options["limits"] = Limits(**limits, cores=os.cpu_count() or 1)
    if "weight" in given:
        options["weight"] = float(exact_weight(given["weight"]))
    if "seed" in given:
        check_seed(given["seed"])
        options["seed"] = given["seed"]
    if "cooling" in given:
        options["cooling"] = check_cooling(given["cooling"])
    return options


def board_text(args: argparse.Namespace) -> str:
    """Return the text of the board argument: joined words, or the input for `-`."""
    if args.board == ["-"] and args.goal == "-":
        raise UsageError("only one board can be read from standard input: write the other one out")
    return _text(" ".join(args.board))


def read_puzzle(text: str, args: argparse.Namespace) -> Puzzle:
    """Return the puzzle of `text`, a start board or a code, with the goal of the options."""
    size = args.size and parse_size(args.size)
    goal = args.goal and _text(args.goal)
    if goal in STANDARD_GOALS:
        # A named goal takes its size from the start board, so the start is parsed first.
        goal = str(STANDARD_GOALS[goal](*parse_puzzle(text, size=size).start.size))
    return parse_puzzle(text, goal, size)


def read_goal(args: argparse.Namespace, default: tuple[int, int] = (3, 3)) -> Board:
    """Return the goal of the options if no board gives the size; 3x3 by default."""
    size = args.size and parse_size(args.size)
    if args.goal is None or args.goal in STANDARD_GOALS:
        return STANDARD_GOALS[args.goal or "last"](*(size or default))
    return parse_board(_text(args.goal), size)


def _text(text: str) -> str:
    """Return the text, or standard input for `-`."""
    if text.strip() != "-":
        return text
    try:
        # An extra character, so that the parser rejects longer text.
        return sys.stdin.read(MAX_TEXT + 1)
    except OSError as error:
        raise UsageError(cannot_read("standard input", error)) from None


def read_file(name: str, most: int) -> str:
    """Return the text of a file, or of standard input for `-`.

    A longer text than `most` characters is cut off after one more, so that callers can reject it.
    """
    try:
        if name == "-":
            return sys.stdin.read(most + 1)
        with Path(name).open(encoding="utf-8-sig") as file:
            return file.read(most + 1)
    except OSError as error:
        raise UsageError(cannot_read(name or repr(name), error)) from None


@contextmanager
def writing(name: str | Path) -> Iterator[None]:
    """Raise `UsageError` if the file or folder `name` cannot be written."""
    try:
        yield
    except OSError as error:
        why = message("cannot write %(name)s: %(why)s", name=str(name), why=str(error.strerror))
        raise UsageError(why) from None


def cannot_read(what: str, error: OSError) -> str:
    """Return the error message for an unreadable file or standard input."""
    return message("cannot read %(what)s: %(why)s", what=what, why=reason(error))


def check_taken(name: str, algorithm: str) -> None:
    if algorithm not in _taking(name):
        takers = ", ".join(_taking(name))
        raise UsageError(f"{algorithm} takes no --{name}: it is for --algorithm {takers}")


def _taking(option: str) -> list[str]:
    return [key for key, entry in algorithms().items() if option in entry.options]


def _default(name: str) -> str:
    return str(inspect.signature(search).parameters[name].default)


CONNECT_SECONDS = 10
"""Timeout of the connection to a scheduler."""

QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
}
"""Dask settings that reduce the overhead of a process from 4 % of a core to 0.6 %."""


def add_cluster(parser: Parser) -> None:
    """Add `--cluster`, for commands that also have `--cores`."""
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="search on the machines of a Dask cluster: tcp://HOST:PORT of its scheduler, or local "
        "for one here with N cores; needs slidewise[cluster]",
    )


@contextmanager
def cluster_client(args: argparse.Namespace, *, shared: bool = False) -> Iterator[Client | None]:
    """Yield the client of the cluster that `--cluster` names, None without it.

    A local cluster has a single worker for all cores if `shared`, otherwise a worker for each core.

    Raises `UsageError` if the cluster cannot be reached, or Dask is not installed.
    """
    if args.cluster is None:
        yield None
        return
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError:
        raise UsageError(
            "--cluster needs Dask: install it with `pip install 'slidewise[cluster]'`"
        ) from None
    if args.cluster == "local":
        with (
            dask.config.set(QUIET),
            LocalCluster(
                n_workers=1 if shared else args.cores,
                threads_per_worker=args.cores if shared else 1,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                memory_limit=0,  # mapped tables would count
            ) as cluster,
            Client(cluster) as client,
        ):
            yield client
        return
    try:
        client = Client(args.cluster, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"cannot reach a scheduler at {args.cluster}: start one with `dask scheduler`, which "
            f"prints its address ({error})"
        ) from None
    with client:
        # A warning only: tasks wait in the scheduler until a worker connects.
        if not client.nthreads():
            print(
                f"slidewise: no worker is connected to {args.cluster}: start some with "
                f"`dask worker {args.cluster} --memory-limit 0`, also later",
                file=sys.stderr,
            )
        yield client
