"""`slidewise convert`: a board in all notations, or in one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from slidewise.cli.arguments import (
    Commands,
    UsageError,
    add_puzzle,
    board_text,
    read_goal,
    read_puzzle,
)
from slidewise.puzzle.board import quoted
from slidewise.puzzle.scramble import read_scramble
from slidewise.puzzle.writing import DOMAIN, NOTATIONS, problem, write_board, written

if TYPE_CHECKING:
    from argparse import Namespace

    from slidewise.puzzle import Puzzle

_PDDL = ("pddl-domain", "pddl-problem")


def add_to(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "convert",
        help="write a board in other notations",
        description="Read a board in any notation and write it in all the others, or in one. For "
        "planners the puzzle can also be written as a PDDL problem, together with the domain "
        "that all problems share.",
    )
    add_puzzle(parser, "+")
    parser.add_argument(
        "--scramble",
        action="store_true",
        help="BOARD is a scramble from the goal, such as 'D2 R U', as csTimer writes it (with "
        "--size, by default 3x3; 'blank: U2 L D' names the blank's directions)",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--to", metavar="KEY", help=", ".join((*NOTATIONS, *_PDDL)))
    form.add_argument(
        "--json", action="store_true", help="all of them as one JSON object on one line"
    )
    parser.set_defaults(run=convert)


def convert(args: Namespace) -> int:
    """Run the command and return the exit code."""
    if args.to is not None and args.to not in (*NOTATIONS, *_PDDL):
        raise UsageError(
            f"no notation {quoted(args.to)}: choose from {', '.join((*NOTATIONS, *_PDDL))}"
        )
    if args.scramble:
        puzzle = read_scramble(board_text(args), read_goal(args))
    else:
        puzzle = read_puzzle(board_text(args), args)
    if args.json:
        texts = {one.key: text for one, text in written(puzzle.start)}
        print(json.dumps({"puzzle": str(puzzle), **texts, "pddl-problem": problem(puzzle)}))
    elif args.to:
        print(_written(puzzle, args.to))
    else:
        for one, text in written(puzzle.start):
            print(f"{one.key}: {one.title} ({one.used})\n{text}\n")
    return 0


def _written(puzzle: Puzzle, notation: str) -> str:
    if notation == "pddl-domain":
        return DOMAIN.rstrip("\n")
    if notation == "pddl-problem":
        return problem(puzzle).rstrip("\n")
    return str(puzzle) if notation == "code" else write_board(puzzle.start, notation)
