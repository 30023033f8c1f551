"""`slidewise solve`: the steps, the result as JSON, or the events of the search."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from slidewise.cli.arguments import (
    Commands,
    UsageError,
    add_convention,
    add_puzzle,
    add_search,
    add_settings,
    board_text,
    decimal,
    read_puzzle,
    search_options,
)
from slidewise.cli.batch import solve_file
from slidewise.cli.report import print_result
from slidewise.cli.running import exit_code, interrupts, most_megabytes, run, run_with_progress
from slidewise.solver.run import SearchSpec
from slidewise.study.formats import FORMATS, write_result

if TYPE_CHECKING:
    from argparse import Namespace

    from slidewise.solver.events import Event


def add_to(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "solve",
        help="solve a puzzle and show each step",
        description="Solve a puzzle. Each step is shown as a board with the moved tile marked, "
        "followed by the moves, whether they are proved shortest, and what the search cost. With "
        "--file many puzzles are solved, with one line of output each.",
    )
    add_puzzle(parser, "+", required=False)
    parser.add_argument(
        "--file",
        metavar="FILE",
        help="instead of BOARD, a file with one puzzle per line: the first code on a line is the "
        "start, a second one the goal; a line without a code is a board in another notation, "
        "such as one of Korf's list; # begins a comment; - reads standard input",
    )
    add_search(parser)
    add_settings(parser)
    add_convention(parser)
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=decimal,
        help="stop after this many seconds (Ctrl-C also stops it)",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object on one line")
    form.add_argument(
        "--events", action="store_true", help="the events of the search, one JSON object per line"
    )
    form.add_argument(
        "--format",
        metavar="KEY",
        choices=FORMATS,
        help="the output format of a course's programs: "
        + ", ".join(f"{form.key} ({form.title})" for form in FORMATS.values()),
    )
    parser.set_defaults(run=solve)


def solve(args: Namespace) -> int:
    """Run the command and return the exit code."""
    options = search_options(args)
    if args.file is not None:
        return solve_file(args, options)
    if not args.board:
        raise UsageError("the following arguments are required: BOARD, or --file FILE")
    spec = SearchSpec(read_puzzle(board_text(args), args), **options)
    with interrupts() as interrupted:
        if args.events:
            result = run(spec, interrupted, _print_event)
        else:
            result = run_with_progress(spec, interrupted)
    if args.format:
        print(write_result(result, args.format, most_megabytes()))
    elif args.json:
        print(json.dumps(result.as_json()))
    elif not args.events:
        print_result(result)
    return exit_code(result)


def _print_event(event: Event) -> None:
    print(json.dumps(event.as_json()), flush=True)
