"""`slidewise slides`: a solution in the fewest slides, with a whole line of tiles as 1."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from slidewise.cli.arguments import Commands, add_puzzle, board_text, decimal, read_puzzle
from slidewise.cli.report import explain_unsolvable
from slidewise.cli.running import NOT_SOLVED, SOLVED, interrupts
from slidewise.puzzle import format_moves
from slidewise.solver.fewest_slides import fewest_slides
from slidewise.solver.task import Limits
from slidewise.text import plural

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from slidewise.solver.fewest_slides import FewestSlides

SECONDS = 60.0
"""Maximum duration: most random 4x4 boards would take hours to prove."""


def add_to(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "slides",
        help="solve a puzzle in the fewest slides of whole lines",
        description="Find a solution in the fewest slides. A slide moves all tiles from the blank "
        "up to a tile of its row or column, and counts 1 however many they are (the multi-tile "
        "metric). For boards of up to 16 cells; up to 10 they are always the fewest.",
    )
    add_puzzle(parser, "+")
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=decimal,
        default=SECONDS,
        help="stop after this many seconds with the best solution found (Ctrl-C also stops it; "
        f"default: {SECONDS:g})",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on one line")
    parser.set_defaults(run=slides)


def slides(args: Namespace) -> int:
    """Run the command and return the exit code."""
    puzzle = read_puzzle(board_text(args), args)
    with interrupts() as interrupted:
        found = fewest_slides(puzzle, Limits(seconds=args.seconds), cancelled=interrupted.is_set)
    print(json.dumps(found.as_json()) if args.json else "\n".join(_report(found)))
    return NOT_SOLVED if found.slides is None else SOLVED


def _report(found: FewestSlides) -> Iterator[str]:
    yield f"Puzzle {found.puzzle}"
    if not found.puzzle.solvable:
        yield from explain_unsolvable(found.puzzle)
        return
    if found.slides is None or found.tiles is None or found.moves is None:
        yield f"No solution was found: {found.reason}."
        return
    moves = plural(len(found.moves), "move")
    yield f"Solved in {plural(found.slides, 'slide')}, which are {moves} of single tiles."
    yield f"Last tile of each slide: {' '.join(map(str, found.tiles))}"
    yield f"Tile directions:         {format_moves(found.moves)}"
    if found.is_proved:
        yield f"Verdict: proved fewest: {found.reason}."
    else:
        yield f"Verdict: each solution has at least {plural(found.lower_bound or 0, 'slide')}."
        yield f"Known: {found.reason}."
