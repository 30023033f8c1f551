"""`slidewise count` and `slidewise slides`: all shortest solutions, and the fewest slides.

`count` shows the number of shortest solutions and the forced moves. A slide is a whole line of
tiles and counts 1.
"""

import json
from argparse import Namespace
from collections.abc import Iterator

from slidewise.analysis.shortest_solutions import ShortestSolutions, shortest_solutions
from slidewise.cli.arguments import Commands, add_puzzle, board_text, decimal, read_puzzle
from slidewise.cli.terminal import NOT_SOLVED, SOLVED, explain_unsolvable, interrupts
from slidewise.puzzle import format_moves, read_moves
from slidewise.puzzle.moves import tiles_moved
from slidewise.solver.fewest_slides import FewestSlides, fewest_slides
from slidewise.solver.task import Limits
from slidewise.text import plural, text_table

SECONDS = 60.0
"""Time limit in seconds: most random 4x4 boards would take hours to prove."""


def add_to(commands: Commands) -> None:
    _add_count(commands)
    _add_slides(commands)


def _add_count(commands: Commands) -> None:
    parser = commands.add_parser(
        "count",
        help="count the shortest solutions, and show which moves are forced",
        description="Count the shortest solutions of a puzzle, and show for each step of one of "
        "them which other tiles begin a shortest solution too; a step without another tile is "
        "forced. "
        "For boards of up to 16 cells.",
    )
    add_puzzle(parser, "+")
    parser.add_argument(
        "--moves",
        metavar="MOVES",
        help="the shortest solution whose steps are shown, such as ULDR (default: any of them)",
    )
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=decimal,
        help="stop after this many seconds (Ctrl-C also stops it)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on one line")
    parser.set_defaults(run=count)


def count(args: Namespace) -> int:
    puzzle = read_puzzle(board_text(args), args)
    # Parsed before the search, so that a typing error is reported at once.
    moves = args.moves and read_moves(args.moves, puzzle.start, goal=puzzle.goal)
    with interrupts() as interrupted:
        found = shortest_solutions(
            puzzle, Limits(seconds=args.seconds), cancelled=interrupted.is_set
        )
    print(json.dumps(found.as_json(moves)) if args.json else "\n".join(_report(found, moves)))
    return SOLVED if found.count else NOT_SOLVED


def _report(found: ShortestSolutions, moves: str | None) -> Iterator[str]:
    yield f"Puzzle {found.puzzle}"
    if not found.puzzle.solvable:
        yield from explain_unsolvable(found.puzzle)
    elif found.count is None or found.boards is None:
        yield f"The shortest solutions were not counted: {found.reason}."
        if found.length is None:
            yield f"Each has at least {plural(found.lower_bound or 0, 'move')}."
        else:
            yield f"Each has {plural(found.length, 'move')}."
    else:
        shortest = plural(found.count, "shortest solution")
        yield f"{shortest} of {plural(found.length or 0, 'move')}, on {found.boards:,} boards."
        yield from _steps(found, found.moves if moves is None else moves)


def _steps(found: ShortestSolutions, moves: str | None) -> Iterator[str]:
    steps = found.along(moves)
    if not steps:
        return
    forced = sum(step.is_forced for step in steps)
    yield f"In the solution below, {forced:,} of {plural(len(steps), 'move')} are forced."
    yield ""
    rows = []
    for number, (step, tile) in enumerate(
        zip(steps, tiles_moved(found.puzzle.start, moves or ""), strict=True), 1
    ):
        others = ", ".join(
            f"tile {other} ({count:,})" for other, count in step.solutions.items() if other != tile
        )
        here = f"{step.solutions[tile]:,}"
        rows.append((f"{number}", f"{tile}", here, "only move" if step.is_forced else others))
    yield text_table(("step", "tile", "solutions", "instead"), rows, frozenset({0, 1, 2}))


def _add_slides(commands: Commands) -> None:
    parser = commands.add_parser(
        "slides",
        help="solve a puzzle in the fewest slides of whole lines",
        description="Find a solution in the fewest slides. A slide moves all tiles from the blank "
        "up to a tile of its row or column, and counts 1 for any number of tiles (the multi-tile "
        "metric). For boards of up to 16 cells; always the fewest up to 10 cells.",
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
    puzzle = read_puzzle(board_text(args), args)
    with interrupts() as interrupted:
        found = fewest_slides(puzzle, Limits(seconds=args.seconds), cancelled=interrupted.is_set)
    print(json.dumps(found.as_json()) if args.json else "\n".join(_slides_report(found)))
    return NOT_SOLVED if found.slides is None else SOLVED


def _slides_report(found: FewestSlides) -> Iterator[str]:
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
