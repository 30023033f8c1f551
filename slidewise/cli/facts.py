"""`slidewise facts`: the number, distances and hardest of all boards of a size."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING

from slidewise.cli.arguments import GOAL_HELP, Commands, read_goal
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.solver.tables.exact import exact_table
from slidewise.study.board_facts import MAX_LISTED, size_facts
from slidewise.text import plural, text_table

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from slidewise.solver.tables.exact import ExactTable

BAR = 40
"""Maximum width of a bar, in characters."""


def add_to(commands: Commands) -> None:
    """Add the command and its options."""
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
    """Run the command and return the exit code."""
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
