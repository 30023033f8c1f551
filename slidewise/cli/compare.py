"""`slidewise compare`: several searches on a board, as a table, as JSON or as CSV."""

import json
from argparse import Namespace
from collections.abc import Iterator

from slidewise.cli.arguments import (
    Commands,
    add_convention,
    add_puzzle,
    board_text,
    convention_text,
    decimal,
    read_puzzle,
)
from slidewise.cli.terminal import (
    NOT_SOLVED,
    exit_code,
    explain_unsolvable,
    interrupts,
    run_with_progress,
)
from slidewise.puzzle import Puzzle
from slidewise.solver.compare import (
    COMPARE_SECONDS,
    Choice,
    Comparison,
    default_choices,
    read_choices,
)
from slidewise.solver.convention import SLIDEWISE, convention_for, find_convention
from slidewise.solver.registry import algorithms, heuristics
from slidewise.solver.run import SearchSpec
from slidewise.solver.task import Limits


def add_to(commands: Commands) -> None:
    parser = commands.add_parser(
        "compare",
        help="run several algorithms on one board",
        description="Run several algorithms on one board, one after the other, and print the "
        "result and the cost of each. The exit code is 0 if all of them solved it, otherwise 1. "
        "Ctrl-C stops and prints what has been done so far.",
    )
    add_puzzle(parser, "+")
    parser.add_argument(
        "--algorithms",
        metavar="KEY[:KEY],...",
        action="append",
        help="the searches to run, in this order, with their heuristics: bfs,astar:manhattan; can "
        "be repeated (default: all that suit a board of this size). "
        f"Algorithms: {', '.join(algorithms())}. Heuristics: {', '.join(heuristics())}",
    )
    add_convention(parser)
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=decimal,
        default=COMPARE_SECONDS,
        help=f"stop each search after this many seconds (default: {COMPARE_SECONDS:g})",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object on one line")
    form.add_argument("--csv", action="store_true", help="CSV: a header, then one line per search")
    parser.set_defaults(run=compare)


def compare(args: Namespace) -> int:
    limits = Limits(seconds=args.seconds)
    # Wrong keys are reported before standard input is read.
    named = None
    if args.algorithms is not None:
        named = read_choices(",".join(args.algorithms), strict=True)
    puzzle = read_puzzle(board_text(args), args)
    chosen = default_choices(puzzle) if named is None else named
    comparison = _run_all(puzzle, chosen, limits, convention_text(args) or SLIDEWISE.key)
    if args.json:
        print(json.dumps(comparison.as_json()))
    elif args.csv:
        print(comparison.as_csv(), end="")
    else:
        print("\n".join(_report(comparison)))
    code = exit_code(*comparison)
    # An interrupted comparison has fewer results than searches.
    return code if len(comparison) == len(chosen) else max(code, NOT_SOLVED)


def _run_all(puzzle: Puzzle, chosen: list[Choice], limits: Limits, convention: str) -> Comparison:
    """Return the results of the searches, up to the first Ctrl-C."""
    results = []
    with interrupts() as interrupted:
        for number, choice in enumerate(chosen, start=1):
            title = f"{choice} ({number} of {len(chosen)}): "
            rules = convention_for(choice.algorithm, convention)
            # `plain_first=False`: a comparison measures the fast form of each search.
            spec = SearchSpec(puzzle, *choice, limits, convention=rules, plain_first=False)
            results.append(run_with_progress(spec, interrupted, title))
            if interrupted.is_set():
                break
    return Comparison(puzzle, tuple(results))


def _report(comparison: Comparison) -> Iterator[str]:
    """Yield the table, and the reason if there is no solution."""
    yield f"Puzzle {comparison.puzzle}"
    yield str(comparison)
    yield comparison.form
    yield from _conventions(comparison)
    if not comparison.puzzle.solvable:
        yield from explain_unsolvable(comparison.puzzle)
        return
    for result in comparison:
        if result.length is None:
            yield f"{Choice(result.algorithm, result.heuristic)}: {result.verdict.reason}."


def _conventions(comparison: Comparison) -> Iterator[str]:
    """Yield a line for each convention other than Slidewise's, with its searches."""
    named: dict[str, list[str]] = {}
    for result in comparison:
        if result.convention != SLIDEWISE.key:
            title = find_convention(result.convention, result.algorithm).title
            named.setdefault(title, []).append(result.algorithm)
    for title, ran in named.items():
        yield f"Under {title}: {', '.join(dict.fromkeys(ran))}."
