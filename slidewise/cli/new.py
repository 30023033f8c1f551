"""`slidewise new`: the code of a puzzle drawn from a seed."""

from __future__ import annotations

import secrets
import sys
from typing import TYPE_CHECKING

from slidewise.cli.arguments import GOAL_HELP, Commands, add_size, read_goal
from slidewise.study.distance_ahead import SEARCH_CELLS
from slidewise.study.draw import draw, parse_range

if TYPE_CHECKING:
    from argparse import Namespace


def add_to(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "new",
        help="create a puzzle from a seed",
        description="Print the code of a puzzle, drawn uniformly from all that can be solved. The "
        "same seed gives the same puzzle everywhere; without --seed a new one is chosen and "
        "printed on standard error. With --moves the puzzle is drawn from those whose shortest "
        "solution has that many moves.",
    )
    add_size(parser, "rows x columns, 2x2 to 10x10 (default: 3x3)")
    parser.add_argument("--seed", metavar="TEXT", type=_seed, help="any text, such as 7")
    parser.add_argument(
        "--moves",
        metavar="N",
        help="the length of its shortest solution, or a range such as 40-50; for up to "
        f"{SEARCH_CELLS} cells",
    )
    parser.add_argument("--goal", metavar="BOARD", help=GOAL_HELP)
    parser.set_defaults(run=new)


def new(args: Namespace) -> int:
    """Run the command and return the exit code."""
    goal = read_goal(args)
    seed = args.seed
    if seed is None:
        seed = secrets.token_hex(8)
    moves = None
    if args.moves is not None:
        moves = parse_range(args.moves)
    puzzle = draw(*goal.size, seed, moves, goal)
    if args.seed is None:
        print(f"seed: {seed}", file=sys.stderr)
    print(puzzle)
    return 0


def _seed(text: str) -> str:
    """Strip the space that takes a seed such as `-7` through the parser."""
    return text[1:] if text.startswith(" -") else text
