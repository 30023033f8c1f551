"""The terminal: progress lines, Ctrl-C, results as text, exit codes, and output that may fail.

A result is the steps as boards, the moves in three notations, the verdict and the cost.
"""

from __future__ import annotations

import errno
import io
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Any, TextIO, cast

from slidewise.puzzle import Puzzle, format_moves
from slidewise.puzzle.moves import opposite
from slidewise.solver.events import Event, Improved, Iteration, Preparing, Progress
from slidewise.solver.result import Proof, Result, Status
from slidewise.solver.run import SearchSpec, result_of
from slidewise.solver.task import never
from slidewise.text import duration, plural

if TYPE_CHECKING:
    from rich.status import Status as Spinner

SOLVED, NOT_SOLVED = 0, 1
"""The exit codes."""

INVALID_RESULT = 70
"""Exit code of a contradictory result: EX_SOFTWARE, an internal error (`sysexits.h`)."""

_KILOBYTES_PER_MEGABYTE, _BYTES_PER_MEGABYTE = 1024, 1024**2

SHOW_AFTER_SECONDS = 0.3
"""Delay of the progress line in seconds, longer than most searches."""


def exit_code(*results: Result) -> int:
    """Return the exit code: 0 if all are solved, 70 if any is contradictory, otherwise 1."""
    found = {result.status for result in results}
    # A contradiction outranks an unsolved puzzle.
    if Status.INVALID in found:
        return INVALID_RESULT
    return SOLVED if found <= {Status.SOLVED} else NOT_SOLVED


def run_with_progress(spec: SearchSpec, interrupted: threading.Event, title: str = "") -> Result:
    """Run a search until it ends or `interrupted` is set.

    A terminal shows a progress line that begins with `title`.
    """
    events = spec.events(interrupted.is_set)
    if not sys.stderr.isatty():
        return result_of(events)
    with ProgressLine(title) as line:
        return result_of(events, line.tell)


def print_event(event: Event) -> None:
    """Print an event as a JSON object on a line."""
    print(json.dumps(event.as_json()), flush=True)


class ProgressLine:
    """A progress line on standard error, visible inside its context after a delay."""

    def __init__(self, title: str = "") -> None:
        self._timer = threading.Timer(SHOW_AFTER_SECONDS, self._show)
        self._spinner: Spinner | None = None
        self._title = title
        self._text = "searching"
        self._found = ""

    def __enter__(self) -> ProgressLine:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self._timer.join()  # the timer's thread may be drawing the line
        if self._spinner:
            self._spinner.stop()

    def tell(self, event: Event) -> None:
        """Show the progress in `event`."""
        if isinstance(event, Improved) and event.length is not None:
            self._found = f"found {event.length:,} moves; "
        # An event without words keeps the text shown before.
        self.say(self._found + (words(event) or self._text.removeprefix(self._found)))

    def say(self, text: str) -> None:
        """Show `text`."""
        self._text = text
        if self._spinner:
            self._spinner.update(self._title + self._text)

    def _show(self) -> None:
        from rich.console import Console  # imported here, as most searches end earlier

        spinner = Console(stderr=True, highlight=False).status(self._title + self._text)
        spinner.start()
        self._spinner = spinner


def words(event: Event) -> str:
    """Return the progress line for an event, or "".

    >>> words(Preparing("compiling the search", 0, 1))
    'compiling the search, only the first time (Ctrl-C stops)'
    """
    text = ""
    if isinstance(event, Preparing) and event.done < event.total:
        text = f"{event.words}, only the first time"
    elif isinstance(event, Iteration):
        text = event.words
    elif isinstance(event, Progress):
        text = (
            f"{event.seconds:.0f} s, expanded {event.expanded:,}, generated "
            f"{event.generated:,}, at least {event.lower_bound} moves"
        )
    return text and f"{text} (Ctrl-C stops)"


@contextmanager
def interrupts(at_once: Callable[[], bool] = never) -> Iterator[threading.Event]:
    """Yield an event that Ctrl-C sets; the second Ctrl-C raises `KeyboardInterrupt`.

    The first Ctrl-C also raises it if `at_once()` is true.
    """
    interrupted = threading.Event()

    def interrupt(number: int, frame: FrameType | None) -> None:
        if interrupted.is_set() or at_once():
            raise KeyboardInterrupt
        interrupted.set()

    if threading.current_thread() is not threading.main_thread():
        yield interrupted  # other threads do not receive signals
        return
    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def termination() -> Iterator[threading.Event]:
    """Handle SIGTERM like Ctrl-C; it also sets the yielded event."""
    terminated = threading.Event()

    def terminate(number: int, frame: FrameType | None) -> None:
        terminated.set()
        interrupt = signal.getsignal(signal.SIGINT)
        if not callable(interrupt):  # a shell started this in the background with SIGINT ignored
            raise KeyboardInterrupt
        interrupt(signal.SIGINT, frame)

    if threading.current_thread() is not threading.main_thread():
        yield terminated
        return
    before = signal.signal(signal.SIGTERM, terminate)
    try:
        yield terminated
    finally:
        signal.signal(signal.SIGTERM, before)


def most_megabytes() -> float | None:
    """Return the peak memory of this process, None if the system does not report it."""
    try:
        import resource  # not available on Windows
    except ModuleNotFoundError:
        return None
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / (_BYTES_PER_MEGABYTE if sys.platform == "darwin" else _KILOBYTES_PER_MEGABYTE)


def print_result(result: Result) -> None:
    """Print the start board, any steps, and the facts of the result."""
    for line in lines(result):
        print(line)


def lines(result: Result) -> Iterator[str]:
    """Yield the lines of `print_result`; a generator, because a path may be long."""
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
    """Yield the reason that the goal cannot be reached, and two solvable puzzles."""
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
        return f"{'Stuck' if result.status is Status.STUCK else 'Known'}: {reason}."
    proof = result.proof
    # Without an exact distance, the bound of the search is given in moves.
    if result.verdict.kind is Proof.BOUNDED and result.lower_bound is not None and not result.above:
        above = plural(result.length - result.lower_bound, "move")
        proof = f"proved at most {above} above the shortest"
    return f"Verdict: {proof}; {reason}."


def _cost(result: Result) -> Iterator[str]:
    yield (
        f"Expanded {plural(result.expanded, 'node')}, "
        f"generated {plural(result.generated, 'node')}; "
        f"at most {result.peak_frontier:,} on the frontier and {result.peak_stored:,} stored; "
        f"depth {result.deepest:,}; {duration(result.seconds)}."
    )


WIDTH = 24
"""Width of the bar, in characters."""

REDRAW_SECONDS = 0.1
"""Minimum seconds between drawings of the bar, to spare slow terminals."""

# ANSI: to the start of the line, then erase to its end.
CLEAR = "\r\x1b[K"


class Bar:
    """A progress bar, visible inside its context if standard error is a terminal.

    `total` is the number of puzzles, None if unknown. Other output must use `print`, as it may
    share the terminal.
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
        """Show the state of the running search from `event`."""
        self._detail = words(event) or self._detail
        self._draw()

    def show(self, event: Preparing) -> None:
        """Show preparation steps and their progress on the bar."""
        if event.what != self._detail:
            self._drawn = -REDRAW_SECONDS  # each step is shown at once, however short
        self._done, self._total, self._detail = event.done, event.total, event.what
        self._draw()

    def say(self, text: str) -> None:
        """Show `text` in place of the bar."""
        self._line = text
        self._draw()

    def advance(self) -> None:
        """Add 1 to the number of puzzles done."""
        self._done += 1
        self._detail = ""
        self._draw()

    def print(self, line: str, file: TextIO | None = None) -> None:
        """Print a line at once and in a single write, by default to standard output."""
        file = file or sys.stdout
        # On a shared terminal the bar would stand in the middle of the line.
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
    # Some terminals report 0 columns.
    return os.get_terminal_size(sys.stderr.fileno()).columns or 80


class OutputError(Exception):
    """Unwritable output; the message gives the reason."""


class ReaderGoneError(OutputError):
    """The reader of the output has gone, so no message can reach it."""


@contextmanager
def safe_streams() -> Iterator[None]:
    """Raise `OutputError` for unwritable output.

    Errors on standard error are dropped, as there is no other place to report them.
    """
    _open_closed_streams()
    output = cast("TextIO", _Output(sys.stdout))
    errors = cast("TextIO", _Errors(sys.stderr))
    with redirect_stdout(output), redirect_stderr(errors):
        yield


def drop_output() -> None:
    """Discard unwritten output, or Python would report an error at exit."""
    # Python flushes at exit; buffered output then goes to the null device.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def reason(error: OSError) -> str:
    """Return the reason that a file cannot be read or written."""
    return "it is closed" if error.errno == errno.EBADF else str(error.strerror)


class _Output:
    """A file whose errors are not `OSError`, which argparse and rich ignore or exit on."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        if isinstance(file, io.TextIOWrapper):
            file.reconfigure(
                errors="backslashreplace"
            )  # for terminals with a limited character set

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, text: str) -> int:
        """Write to the file."""
        with _as_our_own():
            return self._file.write(text)

    def flush(self) -> None:
        """Flush the file."""
        with _as_our_own():
            self._file.flush()


class _Errors(_Output):
    """A file that ignores its errors."""

    def write(self, text: str) -> int:
        """Write to the file, if possible."""
        with suppress(OSError):
            self._file.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush the file, if possible."""
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
    """Replace closed standard streams by files that fail on use.

    Otherwise the next opened file would take the place of standard output.
    """
    # Python sets a stream to None if its descriptor is closed.
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_WRONLY), "r", closefd=False)
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", closefd=False)
