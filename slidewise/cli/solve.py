"""`slidewise solve`: the steps, the result as JSON, or the events of the search."""

import io
import json
import re
import sys
import threading
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import BrokenExecutor
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, TextIO

from slidewise.analysis.formats import FORMATS, write_result
from slidewise.cli.arguments import (
    Commands,
    UsageError,
    add_cluster,
    add_convention,
    add_puzzle,
    add_search,
    add_settings,
    board_text,
    cannot_read,
    cluster_client,
    decimal,
    read_puzzle,
    search_options,
    whole_number,
)
from slidewise.cli.terminal import (
    NOT_SOLVED,
    SOLVED,
    Bar,
    exit_code,
    interrupts,
    most_megabytes,
    print_event,
    print_result,
    run_with_progress,
)
from slidewise.puzzle import (
    AmbiguousBoardError,
    InvalidBoardError,
    Puzzle,
    PuzzleError,
    SizeNeededError,
    parse_puzzle,
)
from slidewise.puzzle.board import STANDARD_GOALS, quoted
from slidewise.puzzle.notation import MAX_TEXT
from slidewise.puzzle.puzzle import GOAL_NAMES, solvable
from slidewise.solver.result import Result, Status
from slidewise.solver.run import SearchSpec, result_of
from slidewise.solver.solve_many import BrokenClusterError, solve_many
from slidewise.text import duration, plural

BAD_LINES = 2
"""Exit code for unreadable lines."""

_BOARD = r"[0-9]+(?:\.[0-9]+)+(?:-[0-9]+(?:\.[0-9]+)+)+"
_CODE = re.compile(f"{_BOARD}(?:_{_BOARD})?")
_NUMBERS = re.compile(r"[0-9]+(?:[\s,]+[0-9]+){3,}")
_BETWEEN_FIELDS = re.compile(r"""[\s,;"'\ufeff]+""")


def solve_file(args: Namespace, options: Mapping[str, Any]) -> int:
    """Solve the puzzle of each line of `args.file`; return the exit code.

    Each result is printed at once and not stored. Ctrl-C stops after the finished puzzles.
    """
    _check(args)
    with cluster_client(args) as client, _open(args.file) as file, Bar(_total(args.file)) as bar:
        return _Batch(args, {**options, "client": client}, bar).run(file)


class _Batch:
    """State of a batch: the puzzles of a file, `args.cores` at a time."""

    def __init__(self, args: Namespace, options: Mapping[str, Any], bar: Bar) -> None:
        self._args = args
        self._options = options
        self._bar = bar
        self._reading = False
        self._code = SOLVED
        self._unsolvable = 0
        # Number of unsolvable boards that could reach each standard goal, by the goal's name.
        self._other_goals = Counter[str]()

    def run(self, file: TextIO) -> int:
        """Print the results in the order of the lines; return the exit code."""
        # A blocked read cannot see the event, so Ctrl-C interrupts it at once.
        with interrupts(lambda: self._reading) as interrupted:
            puzzles = self._puzzles(file, interrupted)
            options = {**self._options, "cores": self._args.cores, "watch": self._bar.tell}
            try:
                for result in solve_many(puzzles, cancelled=interrupted.is_set, **options):
                    self._print(result)
            except BrokenClusterError as error:
                self._fail(str(error), NOT_SOLVED)
            # The pool is unusable after a crash, so the remaining lines are not solved.
            except BrokenExecutor:
                self._fail("a process was lost, perhaps for lack of memory", NOT_SOLVED)
            if interrupted.is_set():
                self._bar.print("slidewise: stopped; the remaining lines were not read", sys.stderr)
                self._code = max(self._code, NOT_SOLVED)
        self._name_other_goal()
        return self._code

    def _puzzles(self, file: TextIO, interrupted: threading.Event) -> Iterator[Puzzle]:
        """Yield the puzzles of the lines up to Ctrl-C, and print the errors of other lines."""
        lines = puzzle_lines(file)
        while line := self._read(lines, interrupted):
            number, text = line
            try:
                puzzle = read_line(text, self._args)
            except PuzzleError as error:
                self._fail(f"line {number}: {error}", BAD_LINES)
                self._bar.advance()
            else:
                yield puzzle

    def _read(
        self, lines: Iterator[tuple[int, str]], interrupted: threading.Event
    ) -> tuple[int, str] | None:
        """Return the next line, None at the end or after Ctrl-C."""
        try:
            self._reading = True
            return None if interrupted.is_set() else next(lines, None)
        except KeyboardInterrupt:
            interrupted.set()
            return None
        except OSError as error:
            raise UsageError(cannot_read(self._args.file, error)) from None
        finally:
            self._reading = False

    def _print(self, result: Result) -> None:
        as_json = self._args.json
        self._bar.print(json.dumps(result.as_json()) if as_json else result_line(result))
        self._code = max(self._code, exit_code(result))
        if result.status is Status.UNSOLVABLE:
            self._unsolvable += 1
            start = result.puzzle.start
            self._other_goals.update(
                name for name, goal in STANDARD_GOALS.items() if solvable(start, goal(*start.size))
            )
        self._bar.advance()

    def _name_other_goal(self) -> None:
        """Print the goal that most of the unsolvable boards can reach."""
        for name, boards in self._other_goals.most_common(1):
            count = plural(self._unsolvable, "board")
            can = f"{boards:,} of them" if boards < self._unsolvable else "all"
            self._bar.print(
                f"slidewise: {count} cannot reach the goal; {can} can reach another goal: "
                f"--goal {name} ({GOAL_NAMES[name]})",
                sys.stderr,
            )

    def _fail(self, why: str, code: int) -> None:
        self._bar.print(f"slidewise: error: {why}", sys.stderr)
        self._code = max(self._code, code)


def puzzle_lines(file: TextIO) -> Iterator[tuple[int, str]]:
    """Yield each line of `file` with more than a comment, with its number from 1.

    Lines that are too long are truncated, to limit memory.

    >>> list(puzzle_lines(io.StringIO("# boards\\n1.2-3.0 # solved\\n")))
    [(2, '1.2-3.0')]
    """
    number = 0
    while line := file.readline(MAX_TEXT + 1):
        number += 1
        text = line.partition("#")[0].strip()
        if text:
            yield number, text
        # The rest of a truncated line, in pieces, so that memory stays bounded.
        while line and not line.endswith("\n"):
            line = file.readline(MAX_TEXT + 1)


def read_line(line: str, args: Namespace) -> Puzzle:
    """Return the puzzle of the code fields in `line`: a start, optionally a goal.

    A line without a code is a board in another notation, for example of Korf's list.

    Raises `PuzzleError`, also for more than two code fields.
    """
    if len(line) > MAX_TEXT:
        raise InvalidBoardError(f"a line can have at most {MAX_TEXT:,} characters: {quoted(line)}")
    # Other fields are ignored, so that CSV files with more columns can be read.
    codes = [field for field in _BETWEEN_FIELDS.split(line) if _CODE.fullmatch(field)]
    match codes:
        case [code]:
            return read_puzzle(code, args)
        case [start, goal] if args.goal:
            raise InvalidBoardError(
                f"found two goals: leave out --goal, or {quoted(goal)} after {quoted(start)}"
            )
        case [start, goal]:
            return parse_puzzle(start, goal)
        case []:
            return _read_otherwise(line, args)
        case _:
            expected = f"a start and a goal, found {len(codes)} codes"
    raise InvalidBoardError(f"expected {expected}: {quoted(line)}")


def _read_otherwise(line: str, args: Namespace) -> Puzzle:
    try:
        return read_puzzle(line, args)
    except InvalidBoardError as error:
        # These errors name the remedy, and a list of numbers was meant as a board.
        asks = isinstance(error, SizeNeededError | AmbiguousBoardError)
        if asks or _NUMBERS.fullmatch(line):
            raise
        raise InvalidBoardError(
            f"expected a puzzle code such as 7.2.4-5.0.6-8.3.1: {quoted(line)}"
        ) from None


def result_line(result: Result) -> str:
    """Return the line for a result.

    >>> from slidewise import parse_puzzle
    >>> from slidewise import solve
    >>> result_line(solve(parse_puzzle("1.2.3-4.5.0")))
    '1.2.3-4.5.0: 0 moves (optimal), expanded 0, 0.0 ms'
    """
    found = "no solution" if result.length is None else plural(result.length, "move")
    return (
        f"{result.puzzle}: {found} ({result.outcome}), "
        f"expanded {result.expanded:,}, {duration(result.seconds)}"
    )


def _check(args: Namespace) -> None:
    """Reject options that only make sense for a single board."""
    if args.board:
        raise UsageError("give a BOARD or --file FILE, not both")
    if args.events:
        raise UsageError("--events is for one BOARD; with --file use --json")
    if args.format:
        raise UsageError("--format is for one BOARD; with --file use --json")
    if args.size:
        raise UsageError("leave out --size: the codes in --file already give their sizes")
    if args.cores < 1:
        raise UsageError("--cores must be 1 or more")
    if args.goal and args.goal.strip() == "-":
        raise UsageError("write the goal out: with --file it cannot come from standard input")


def _open(name: str) -> AbstractContextManager[TextIO]:
    """Return the file, or standard input for `-`. Undecodable bytes are reported line by line."""
    if name != "-":
        try:
            # `utf-8-sig` drops the byte order mark that Windows editors write.
            return Path(name).open(encoding="utf-8-sig", errors="replace")
        except OSError as error:
            raise UsageError(cannot_read(name or repr(name), error)) from None
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")
    return nullcontext(sys.stdin)


def _total(name: str) -> int | None:
    """Return the number of puzzles in a file, None if counting would consume them."""
    if name == "-" or not (sys.stderr.isatty() and Path(name).is_file()):
        return None
    with _open(name) as file:
        return sum(1 for _ in puzzle_lines(file))


def add_to(commands: Commands) -> None:
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
        "start, a second code the goal; a line without a code is a board in another notation, "
        "such as one of Korf's list; # begins a comment; - reads standard input",
    )
    parser.add_argument(
        "--cores",
        metavar="N",
        type=whole_number,
        default=1,
        help="with --file, solve N puzzles at a time (default: 1)",
    )
    add_cluster(parser)
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
    options = search_options(args)
    if args.file is not None:
        return solve_file(args, options)
    if args.cores != 1:
        raise UsageError("--cores is for --file: one search uses all cores that it can")
    if args.cluster:
        raise UsageError("--cluster is for --file: one search is shared by `slidewise prove` alone")
    if not args.board:
        raise UsageError("the following arguments are required: BOARD, or --file FILE")
    spec = SearchSpec(read_puzzle(board_text(args), args), **options)
    with interrupts() as interrupted:
        if args.events:
            result = result_of(spec.events(interrupted.is_set), print_event)
        else:
            result = run_with_progress(spec, interrupted)
    if args.format:
        print(write_result(result, args.format, most_megabytes()))
    elif args.json:
        print(json.dumps(result.as_json()))
    elif not args.events:
        print_result(result)
    return exit_code(result)
