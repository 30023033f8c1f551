"""`slidewise bench`: sets of puzzles of exact distances, and the score of answers to them."""

import argparse
import json
import sys
from argparse import Namespace
from datetime import UTC, date, datetime
from pathlib import Path

from slidewise.cli.arguments import Commands, UsageError, read_file, whole_number, writing
from slidewise.puzzle import Board, parse_size, standard_goal
from slidewise.puzzle.board import quoted
from slidewise.research.benchmark import (
    PUZZLES,
    STRATA,
    BenchmarkPuzzle,
    ScoredAnswer,
    day_seed,
    make_set,
    read_lines,
    score,
    scores_as_json,
    summarize,
)
from slidewise.text import text_table

TODAY = "today"

MAX_CHARACTERS = 50_000_000
"""Maximum characters of a file of answers, read into memory whole."""


def add_to(commands: Commands) -> None:
    parser = commands.add_parser(
        "bench",
        help="make a benchmark set, or score answers to it",
        description="For planners, learned solvers and language models: sets of puzzles whose "
        "exact distances are known, one set for each seed and each day, and the score of answers. "
        "docs/benchmark.md describes both files.",
    )
    parts = parser.add_subparsers(metavar="PART", title="parts", required=True)
    maker = parts.add_parser(
        "set",
        help="print the puzzles of a set",
        description="Print the puzzles of a set, one JSON object per line, without solutions. The "
        "same options give the same set everywhere.",
    )
    which = maker.add_mutually_exclusive_group(required=True)
    which.add_argument("--seed", metavar="TEXT", help="any text, such as 7")
    which.add_argument(
        "--day",
        metavar="DATE",
        nargs="?",
        const=TODAY,
        help="the set of a day, such as 2026-11-26 (without DATE: today, in UTC)",
    )
    maker.add_argument(
        "--size", metavar="ROWSxCOLUMNS", help=f"only this size (default: {_sizes()})"
    )
    maker.add_argument(
        "--moves",
        metavar="N,N,...",
        type=_numbers,
        help="the distances (default: "
        + "; ".join(
            f"{','.join(map(str, moves))} on {_name(size)}" for size, moves in STRATA.items()
        )
        + ")",
    )
    maker.add_argument(
        "--count",
        metavar="N",
        type=whole_number,
        default=PUZZLES,
        help="puzzles of each distance (default: %(default)s)",
    )
    maker.add_argument(
        "--certificates",
        metavar="FOLDER",
        type=Path,
        help="also write a proof of each distance into FOLDER, which `python -m slidewise.verify` "
        "checks; keep it from whoever solves the set",
    )
    maker.set_defaults(run=make)
    scorer = parts.add_parser(
        "score",
        help="score a file of answers",
        description='Score answers, one JSON object per line: {"puzzle": "...", "moves": "ULDR"}. '
        "The regret of an answer is the number of moves that it and the shortest way on from its "
        "end have above the shortest solution.",
    )
    scorer.add_argument("file", metavar="FILE", help="the answers; - reads standard input")
    scorer.add_argument(
        "--set",
        metavar="FILE",
        help="the set that was to be solved: puzzles without an answer count as not solved",
    )
    scorer.add_argument("--json", action="store_true", help="all scores as one JSON object")
    scorer.set_defaults(run=print_score)


def make(args: Namespace) -> int:
    """Print a set, write its certificates and return the exit code."""
    seed = args.seed if args.day is None else day_seed(_day(args.day))
    if args.count < 1:
        raise UsageError("--count must be 1 or more")
    if args.certificates:
        with writing(args.certificates):
            args.certificates.mkdir(parents=True, exist_ok=True)
    for one in make_set(seed, _strata(args), args.count):
        # A hard puzzle takes a while, so each line appears at once.
        print(one.line(), flush=True)
        if args.certificates:
            _certify(args.certificates, one)
    return 0


def print_score(args: Namespace) -> int:
    """Print the score of a file and return the exit code."""
    of_set = None
    if args.set is not None:
        of_set = [puzzle for _, puzzle, _ in read_lines(_text(args.set))]
    scores = score(read_lines(_text(args.file)), of_set)
    if not scores:
        raise UsageError(f"{args.file} has no answers")
    if args.json:
        print(json.dumps(scores_as_json(scores)))
        return 0
    for one in scores:
        if one.problem:
            print(f"{one.puzzle}: {one.problem}", file=sys.stderr)
    print(_table(scores))
    return 0


def _table(scores: list[ScoredAnswer]) -> str:
    titles = ["size", "distance", "puzzles", "answered", "solved", "shortest", "regret a move"]
    rows = [
        [
            "" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
            for value in row
        ]
        for row in summarize(scores)
    ]
    return text_table(titles, rows, frozenset(range(1, len(titles))))


def _strata(args: Namespace) -> list[tuple[Board, tuple[int, ...]]]:
    """Return the goals and distances of the options."""
    sizes = list(STRATA) if args.size is None else [parse_size(args.size)]
    strata = []
    for size in sizes:
        moves = args.moves or STRATA.get(size)
        if moves is None:
            raise UsageError(f"name the distances for {_name(size)}, such as --moves 5,10,15")
        strata.append((standard_goal(*size), moves))
    return strata


def _day(text: str) -> date:
    if text == TODAY:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"expected a date such as 2026-11-26, found {quoted(text)}") from None


def _numbers(text: str) -> tuple[int, ...]:
    numbers = tuple(map(whole_number, text.split(",")))
    if min(numbers) < 1:
        raise argparse.ArgumentTypeError("a distance is 1 or more")
    return numbers


def _name(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


def _sizes() -> str:
    return " and ".join(map(_name, STRATA))


def _certify(folder: Path, one: BenchmarkPuzzle) -> None:
    from slidewise.research.prove import write_certificate  # deferred: loads numpy
    from slidewise.solver.run import solve

    with writing(folder):
        write_certificate(folder / f"{one.number}.json", solve(one.puzzle, "best", None))


def _text(file: str) -> str:
    text = read_file(file, MAX_CHARACTERS)
    if len(text) > MAX_CHARACTERS:
        raise UsageError(f"{file} has more than {MAX_CHARACTERS:,} characters")
    return text
