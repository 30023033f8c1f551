"""What the commands read: boards, goals, sizes, and the choice of a search."""

from __future__ import annotations

import argparse
import inspect
import re
import sys
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from webapp.puzzle import blank_first_goal, parse_board, parse_puzzle, parse_size, standard_goal
from webapp.puzzle.notation import MAX_TEXT
from webapp.search import Limits, algorithms, find_algorithm, find_heuristic, heuristics, search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webapp.puzzle import Board, Puzzle

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"

NAMED_GOALS = {"first": blank_first_goal, "last": standard_goal}
_NEGATIVE = re.compile("-[0-9]")

BOARD_HELP = (
    "a board in any notation, such as 7.2.4-5.0.6-8.3.1 or 1 2 3 4 5 6 7 8 0 with 0 for the "
    "blank, or a code START_GOAL; - reads standard input"
)
GOAL_HELP = "the goal: first or last (where the blank is), or a board; by default last"


class UsageError(ValueError):
    """Arguments that the command cannot work with; the message says what to do."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are raised, and say the same in every command."""

    def error(self, message: str) -> NoReturn:
        """Raise `UsageError` with the message and the way to the help."""
        if message.startswith("unrecognized arguments"):
            message += " (put quotes around a board with spaces, or write it before the options)"
        raise UsageError(f"{message}; {self.prog} --help shows what there is")


def shield_boards(words: Sequence[str]) -> list[str]:
    """Put a space before words such as `-1`, the blank of a board, that look like options."""
    return [f" {word}" if _NEGATIVE.match(word) else word for word in words]


def add_puzzle(parser: Parser, nargs: str, *, required: bool = True) -> None:
    """Add the start board, of several words, its goal and its size."""
    board = parser.add_argument("board", metavar="BOARD", nargs=nargs, help=BOARD_HELP)
    # Not by nargs="*": that takes no words at once where an option comes before the board.
    board.required = board.required and required
    parser.add_argument("--goal", metavar="BOARD", help=GOAL_HELP)
    add_size(parser, "rows x columns, such as 2x4, of a flat list that fills no square")


def add_size(parser: Parser, help_text: str) -> None:
    """Add the option for a size."""
    parser.add_argument("--size", metavar="ROWSxCOLUMNS", help=help_text)


def add_search(parser: Parser) -> None:
    """Add the options that choose the search."""
    for kind, known in ("algorithm", algorithms()), ("heuristic", heuristics()):
        parser.add_argument(
            f"--{kind}", metavar="KEY", help=f"{', '.join(known)} (default: {_default(kind)})"
        )


def search_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments for `search` that were given, keys that exist among them."""
    options: dict[str, Any] = {}
    if args.algorithm is not None:
        options["algorithm"] = find_algorithm(args.algorithm).key
    if args.heuristic is not None:
        options["heuristic"] = find_heuristic(args.heuristic).key
    if getattr(args, "seconds", None) is not None:
        options["limits"] = Limits(seconds=args.seconds)
    return options


def board_text(args: argparse.Namespace) -> str:
    """Return the text of the board argument, which can be several words, or `-` for the input."""
    if args.board == ["-"] and args.goal == "-":
        raise UsageError("only one board can come from standard input: write the other one")
    return _text(" ".join(args.board))


def read_puzzle(text: str, args: argparse.Namespace) -> Puzzle:
    """Return the puzzle whose start board, or code, is `text`, with the goal of the options."""
    size = args.size and parse_size(args.size)
    goal = args.goal and _text(args.goal)
    if goal in NAMED_GOALS:
        goal = str(NAMED_GOALS[goal](*parse_puzzle(text, size=size).start.size))
    return parse_puzzle(text, goal, size)


def read_goal(args: argparse.Namespace) -> Board:
    """Return the goal of the options for a puzzle that is still to be drawn, by default 3x3."""
    size = args.size and parse_size(args.size)
    if args.goal is None or args.goal in NAMED_GOALS:
        return NAMED_GOALS[args.goal or "last"](*(size or (3, 3)))
    return parse_board(_text(args.goal), size)


def _text(text: str) -> str:
    return sys.stdin.read(MAX_TEXT + 1) if text.strip() == "-" else text


def _default(name: str) -> str:
    return str(inspect.signature(search).parameters[name].default)
