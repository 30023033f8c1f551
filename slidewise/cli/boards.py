"""`slidewise new`, `slidewise convert` and `slidewise facts`: boards without a search.

`new` draws a puzzle from a seed, `convert` writes a board in other notations, and `facts` counts
all boards of a size by their distance.
"""

import json
import secrets
import sys
from argparse import Namespace
from collections.abc import Iterator
from itertools import islice

from slidewise.analysis.distance import MAX_LISTED, SEARCH_CELLS, parse_range, size_facts
from slidewise.analysis.draw import draw
from slidewise.cli.arguments import (
    GOAL_HELP,
    Commands,
    UsageError,
    add_puzzle,
    add_size,
    board_text,
    read_goal,
    read_puzzle,
)
from slidewise.puzzle import Puzzle
from slidewise.puzzle.board import TABLE_CELLS, quoted
from slidewise.puzzle.scramble import read_scramble
from slidewise.puzzle.writing import DOMAIN, NOTATIONS, problem, write_board, written
from slidewise.solver.tables.exact import ExactTable, exact_table
from slidewise.text import plural, text_table

_PDDL = ("pddl-domain", "pddl-problem")

BAR = 40
"""Maximum width of a bar, in characters."""


def add_to(commands: Commands) -> None:
    _add_new(commands)
    _add_convert(commands)
    _add_facts(commands)


def _add_new(commands: Commands) -> None:
    parser = commands.add_parser(
        "new",
        help="create a puzzle from a seed",
        description="Print the code of a puzzle, drawn uniformly from all that can be solved. The "
        "same seed gives the same puzzle everywhere; without --seed a random seed is chosen and "
        "printed on standard error. With --moves the puzzle is drawn from the puzzles whose "
        "shortest solution has that many moves.",
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
    goal = read_goal(args)
    seed = args.seed
    # Drawn here rather than in `draw`, because it is printed so that the puzzle can be drawn again.
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


def _add_convert(commands: Commands) -> None:
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


def _add_facts(commands: Commands) -> None:
    parser = commands.add_parser(
        "facts",
        help="count all boards of a size by their distance to the goal",
        description="Show how many boards of a size can reach the goal, how many moves they need "
        f"at most and on average, and which are the hardest. For boards of up to {TABLE_CELLS} "
        "cells.",
    )
    parser.add_argument(
        "size",
        metavar="ROWSxCOLUMNS",
        nargs="?",
        help="such as 2x4 (default: the size of the goal, or 3x3)",
    )
    parser.add_argument("--goal", metavar="BOARD", help=GOAL_HELP)
    parser.add_argument("--json", action="store_true", help="one JSON object on one line")
    parser.set_defaults(run=facts)


def facts(args: Namespace) -> int:
    goal = read_goal(args)
    print(json.dumps(size_facts(goal)) if args.json else "\n".join(_report(exact_table(goal))))
    return 0


def _report(table: ExactTable) -> Iterator[str]:
    yield f"Goal {table.goal}"
    yield f"{table.boards:,} of {len(table.values):,} boards can reach it."
    yield f"They need {table.mean:.2f} moves on average, and at most {table.diameter}."
    yield ""
    most = max(table.counts)
    rows = [
        (f"{distance}", f"{count:,}", "#" * -(-BAR * count // most))
        for distance, count in enumerate(table.counts)
    ]
    yield text_table(("moves", "boards", ""), rows, frozenset({0, 1}))
    yield ""
    yield f"The hardest take {table.diameter} moves ({plural(table.counts[-1], 'board')}):"
    hardest = [str(board) for board in islice(table.at(table.diameter), MAX_LISTED)]
    yield from (f"  {board}" for board in hardest)
    if len(hardest) < table.counts[-1]:
        yield f"  and {table.counts[-1] - len(hardest):,} more"
