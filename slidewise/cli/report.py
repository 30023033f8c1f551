"""A result as text: the steps as boards, the moves in three notations, the verdict, the cost."""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from time import monotonic
from typing import TYPE_CHECKING, Any, TextIO, cast

from slidewise.cli.running import words
from slidewise.puzzle import format_moves
from slidewise.puzzle.moves import opposite
from slidewise.solver.result import Proof, Status
from slidewise.text import duration, plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise.puzzle import Puzzle
    from slidewise.solver.events import Event, Preparing
    from slidewise.solver.result import Result


def print_result(result: Result) -> None:
    """Print the start board, the steps if there are some, and what is known."""
    for line in lines(result):
        print(line)


def lines(result: Result) -> Iterator[str]:
    """Yield what `print_result` prints. Steps are made one by one, as a path may be long."""
    yield f"Puzzle {result.puzzle}"
    yield result.puzzle.start.boxed()
    if result.status is Status.UNSOLVABLE:
        yield from explain_unsolvable(result.puzzle)
        return
    if result.status is Status.INVALID:
        yield f"{result.method}: {result.verdict.reason}."
        return
    for step in result.steps():
        yield f"\n{step}"
        yield step.board.boxed(moved=step.tile)
    yield ""
    yield from _moves(result)
    yield _verdict(result)
    yield from _cost(result)


def explain_unsolvable(puzzle: Puzzle) -> Iterator[str]:
    """Yield why the goal cannot be reached, and two puzzles whose goals can."""
    solvable_alternatives = puzzle.solvable_alternatives()
    first, second = solvable_alternatives.tiles
    yield "This goal cannot be reached:"
    yield puzzle.goal.boxed()
    yield puzzle.parity.explain()
    yield "Two ways out:"
    yield f"  swap tiles {first} and {second} in the start:  {solvable_alternatives.swapped}"
    yield f"  take another goal:  {solvable_alternatives.other_goal}"


def _moves(result: Result) -> Iterator[str]:
    if result.length is None:
        yield f"{result.method}: no solution was found."
    elif result.length == 0:
        yield "It is already solved."
    else:
        yield f"{result.method}: solved in {plural(result.length, 'move')}."
        yield f"Tile directions:  {format_moves(result.moves)}"
        yield f"Tile numbers:     {' '.join(map(str, result.tiles))}"
        yield f"Blank directions: {format_moves(opposite(result.moves))}"


def _verdict(result: Result) -> str:
    reason = result.verdict.reason
    if result.length is None:
        return f"Known: {reason}."
    proof = result.proof
    if result.verdict.kind is Proof.BOUNDED and result.lower_bound is not None and not result.above:
        above = plural(result.length - result.lower_bound, "move")
        proof = f"proved at most {above} above the shortest"
    return f"Verdict: {proof}: {reason}."


def _cost(result: Result) -> Iterator[str]:
    yield (
        f"Expanded {plural(result.expanded, 'node')}, "
        f"generated {plural(result.generated, 'node')}; "
        f"at most {result.peak_frontier:,} on the frontier and {result.peak_stored:,} stored; "
        f"depth {result.deepest:,}; {duration(result.seconds)}."
    )


WIDTH = 24
"""The width of the bar, in characters."""

REDRAW_SECONDS = 0.1
"""Seconds from one drawing to the next, as long as nothing else is printed."""

CLEAR = "\r\x1b[K"


class Bar:
    """A bar, there only while it is entered and where standard error is a terminal.

    `total` is the number of puzzles, None if it is not known. What is printed meanwhile has to
    go through `print`, as it may go to the same terminal.
    """

    def __init__(self, total: int | None) -> None:
        self._total = total
        self._done = 0
        self._detail = self._line = ""
        self._enabled = sys.stderr.isatty()
        self._drawn = -REDRAW_SECONDS

    def __enter__(self) -> Bar:
        self._draw()
        return self

    def __exit__(self, *_: object) -> None:
        self._clear()

    def tell(self, event: Event) -> None:
        """Show what `event` says of the search that runs."""
        self._detail = words(event) or self._detail
        self._draw()

    def show(self, event: Preparing) -> None:
        """Have the bar itself tell what is being prepared and how far that is."""
        if event.what != self._detail:
            self._drawn = -REDRAW_SECONDS  # what begins is shown at once, however soon it ends
        self._done, self._total, self._detail = event.done, event.total, event.what
        self._draw()

    def say(self, text: str) -> None:
        """Show `text` in place of the bar."""
        self._line = text
        self._draw()

    def advance(self) -> None:
        """Count one more puzzle as done."""
        self._done += 1
        self._detail = ""
        self._draw()

    def print(self, line: str, file: TextIO | None = None) -> None:
        """Print a line, by default to standard output, at once and in one piece."""
        file = file or sys.stdout
        shared = self._enabled and file.isatty()
        if shared:
            self._clear()
        file.write(f"{line}\n")
        file.flush()
        if shared:
            self._drawn = -REDRAW_SECONDS
            self._draw()

    def _draw(self) -> None:
        if self._enabled and monotonic() - self._drawn >= REDRAW_SECONDS:
            self._drawn = monotonic()
            text = self._line or bar_text(self._done, self._total, self._detail)
            sys.stderr.write(CLEAR + text[: _columns() - 1])
            sys.stderr.flush()

    def _clear(self) -> None:
        if self._enabled:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()


def bar_text(done: int, total: int | None, detail: str = "") -> str:
    """Return the bar for `done` of `total` puzzles.

    >>> bar_text(3, 6, "expanding")
    '############------------ 3 of 6; expanding'
    >>> bar_text(3, None)
    '3 done'
    """
    count = f"{done:,} done"
    if total:
        full = min(WIDTH, WIDTH * done // total)
        count = f"{'#' * full}{'-' * (WIDTH - full)} {done:,} of {total:,}"
    return f"{count}; {detail}" if detail else count


def _columns() -> int:
    return os.get_terminal_size(sys.stderr.fileno()).columns or 80


class OutputError(Exception):
    """Output that cannot be written; the message says why."""


class ReaderGoneError(OutputError):
    """The program that reads the output has gone, so that there is nobody to tell anything."""


@contextmanager
def safe_streams() -> Iterator[None]:
    """Have output that cannot be written raise `OutputError`.

    What cannot be written to standard error is dropped: there is nobody to tell of it.
    """
    _open_closed_streams()
    output = cast("TextIO", _Output(sys.stdout))
    errors = cast("TextIO", _Errors(sys.stderr))
    with redirect_stdout(output), redirect_stderr(errors):
        yield


def drop_output() -> None:
    """Have what is still to be written go nowhere, or Python would complain at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def reason(error: OSError) -> str:
    """Return why a file cannot be read or written."""
    return "it is closed" if error.errno == errno.EBADF else str(error.strerror)


class _Output:
    """A file whose errors are not `OSError`: argparse and rich pass over those or exit."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        if isinstance(file, io.TextIOWrapper):
            file.reconfigure(errors="backslashreplace")  # for terminals that know few letters

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, text: str) -> int:
        """Write as the file does."""
        with _as_our_own():
            return self._file.write(text)

    def flush(self) -> None:
        """Flush as the file does."""
        with _as_our_own():
            self._file.flush()


class _Errors(_Output):
    """A file whose errors are passed over."""

    def write(self, text: str) -> int:
        """Write as the file does, if it can."""
        with suppress(OSError):
            self._file.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush as the file does, if it can."""
        with suppress(OSError):
            self._file.flush()


@contextmanager
def _as_our_own() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise ReaderGoneError from None
    except OSError as error:
        raise OutputError(
            f"cannot write the output: {reason(error)}; send it somewhere else"
        ) from None


def _open_closed_streams() -> None:
    """Give streams that were closed a file that cannot be read, or written, as it should be.

    Otherwise the next file that is opened would take the place of standard output.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_WRONLY), "r", closefd=False)
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", closefd=False)
