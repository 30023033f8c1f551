"""`slidewise check`: a program's results against the reference search."""

import csv
import json
import sys
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path

from slidewise.cli.arguments import (
    FOR_HEURISTIC,
    GOAL_HELP,
    Commands,
    UsageError,
    add_size,
    add_weight,
    check_taken,
    read_file,
    read_puzzle,
    whole_number,
    writing,
)
from slidewise.course.judge.printed import Report, UnreadableWorkError, check
from slidewise.course.judge.printed.candidates import DEFAULT_EXPANSIONS
from slidewise.course.judge.printed.reading import MAX_CHARACTERS
from slidewise.puzzle import Puzzle, PuzzleError
from slidewise.solver.cache_dirs import write_whole
from slidewise.solver.convention import conventions
from slidewise.solver.registry import algorithms, heuristics
from slidewise.solver.run import find_algorithm, find_heuristic
from slidewise.solver.task import DEFAULT_WEIGHT

RIGHT, UNKNOWN, WRONG, UNREADABLE = 0, 3, 1, 2

_WORST_LAST = (RIGHT, UNKNOWN, WRONG, UNREADABLE)

COLUMNS = (
    *("file", "right", "score", "first difference", "expected", "explanation", "agreed", "error"),
)


def add_to(commands: Commands) -> None:
    parser = commands.add_parser(
        "check",
        help="check a program's own path, counts or expansions",
        description="Check what your own program found: a path, counts, the boards in the order "
        "in which it expanded them, or a whole trace. The report gives the first difference, what "
        "was expected there and why, and the convention or known mistake that explains it, if "
        "there is one.",
        epilog="Exit codes: 0 right, whatever the order, the convention and the way of counting, "
        "1 something is wrong, 2 the input cannot be read, 3 nothing in it can be checked.",
    )
    parser.add_argument("board", metavar="BOARD", help="a board in any notation, in quotes")
    parser.add_argument(
        "file",
        metavar="FILE",
        help="what the program printed: JSON lines like those of --events, CSV with a header, "
        "lines such as nodes_expanded: 10, moves, a PDDL plan, or one board per line; - reads "
        "standard input; in a folder every file is checked",
    )
    parser.add_argument("--goal", metavar="BOARD", help=GOAL_HELP)
    add_size(
        parser, "rows x columns, such as 2x4, for a flat list of cells that does not make a square"
    )
    parser.add_argument("--algorithm", metavar="KEY", help=", ".join(algorithms()))
    parser.add_argument(
        "--heuristic", metavar="KEY", help=f"{', '.join(heuristics())} (default: manhattan)"
    )
    add_weight(parser)
    parser.add_argument(
        "--convention",
        metavar="NAME",
        default="slidewise",
        help=f"the convention that the program follows: {', '.join(conventions())}; rules can be "
        "added, as in columbia,order=rlud (default: slidewise)",
    )
    parser.add_argument(
        "--expansions",
        metavar="N",
        type=whole_number,
        default=DEFAULT_EXPANSIONS,
        help="the maximum number of nodes to expand to explain a difference (default: %(default)s)",
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="accept only results that match the convention exactly",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object per file, on one line")
    form.add_argument("--csv", action="store_true", help="CSV: a header, then one line per file")
    parser.add_argument(
        "--gradescope",
        metavar="FILE",
        help="also write Gradescope's results.json (for one file only)",
    )
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    """Run the command and return the exit code.

    With `--gradescope` each error is written to its file too, because an autograder without a
    result file fails.
    """
    try:
        return _run(args)
    except (PuzzleError, UsageError, UnicodeDecodeError) as error:
        if args.gradescope:
            write_results(args.gradescope, 0, f"Your output cannot be read: {error}.")
        raise


def _run(args: Namespace) -> int:
    if not args.algorithm and not args.heuristic:
        raise UsageError("say which algorithm your program runs, for example --algorithm bfs")
    args.algorithm = find_algorithm(args.algorithm or FOR_HEURISTIC).key
    args.heuristic = find_heuristic(args.heuristic or "manhattan").key
    if args.weight is not None:
        check_taken("weight", args.algorithm)
    puzzle = read_puzzle(args.board, args)
    folder = Path(args.file)
    if args.file == "-" or not folder.is_dir():
        return _one(args, puzzle)
    if args.gradescope:
        raise UsageError(
            "--gradescope is for one file: Gradescope grades each submission separately"
        )
    return _folder(args, puzzle, folder)


def _one(args: Namespace, puzzle: Puzzle) -> int:
    report = _report(args, puzzle, read_file(args.file, MAX_CHARACTERS))
    if args.gradescope:
        write_results(args.gradescope, report.score, report.as_text())
    if args.csv:
        print_rows(COLUMNS, [_row(args.file, report)])
    else:
        print(json.dumps(report.as_json()) if args.json else report.as_text())
    return _code(report)


def _folder(args: Namespace, puzzle: Puzzle, folder: Path) -> int:
    """Check each file of a folder; unreadable files are listed with the others."""
    codes = [RIGHT]
    rows: list[tuple[str, ...]] = []
    for file in sorted(file for file in folder.iterdir() if file.is_file()):
        try:
            report = _report(args, puzzle, read_file(str(file), MAX_CHARACTERS))
        except (UnreadableWorkError, UnicodeDecodeError) as error:
            codes.append(UNREADABLE)
            why = str(error) if isinstance(error, UnreadableWorkError) else "the file is not text"
            rows.append((file.name, "", "", "", "", "", "", why))
            record = json.dumps({"file": file.name, "error": why})
            line = f"{file.name}: cannot be read: {why}"
        else:
            codes.append(_code(report))
            rows.append(_row(file.name, report))
            record = json.dumps({"file": file.name, **report.as_json()})
            line = f"{file.name}: {_line(report)}"
        if not args.csv:
            print(record if args.json else line)
    if args.csv:
        print_rows(COLUMNS, rows)
    # The exit code is for the worst file; the numbers are not in this order.
    return max(codes, key=_WORST_LAST.index)


def _code(report: Report) -> int:
    if report.wrong:
        return WRONG
    return RIGHT if report.right else UNKNOWN


def _report(args: Namespace, puzzle: Puzzle, text: str) -> Report:
    return check(
        puzzle,
        args.algorithm,
        args.heuristic,
        args.convention,
        text,
        weight=DEFAULT_WEIGHT if args.weight is None else args.weight,
        expansions=args.expansions,
        strict=args.strict,
    )


def _line(report: Report) -> str:
    cause = f"; {report.explanation.title}" if report.explanation else ""
    return f"{report.title}{cause}."


def _row(name: str, report: Report) -> tuple[str, ...]:
    found, explanation = report.divergence, report.explanation
    return (
        name,
        "yes" if report.right else "no" if report.wrong else "unknown",
        str(report.score),
        found.title if found else "",
        found.expected if found else "",
        explanation.title if explanation else "",
        str(report.agreed),
        "",
    )


def print_rows(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    """Print a table as CSV."""
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(columns)
    table.writerows([_safe(cell) for cell in row] for row in rows)


def _safe(cell: str) -> str:
    """Quote a cell that spreadsheets would evaluate as a formula."""
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell


def write_file(path: str | Path, data: bytes) -> None:
    """Write a file whole. Raises `UsageError`."""
    with writing(path):
        write_whole(Path(path), data)


def write_results(path: str, score: int, output: str, **more: object) -> None:
    """Write the result file for Gradescope's autograder."""
    results = {"score": score, "output": output, "output_format": "text", **more}
    write_file(path, f"{json.dumps(results)}\n".encode())
