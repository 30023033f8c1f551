"""Running a search from a terminal: the progress line, and Ctrl-C."""

from __future__ import annotations

import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from slidewise.solver.events import Event, Finished, Improved, Iteration, Preparing, Progress
from slidewise.solver.result import Status
from slidewise.solver.task import never

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from rich.status import Status as Spinner

    from slidewise.solver.result import Result
    from slidewise.solver.run import SearchSpec

SOLVED, NOT_SOLVED = 0, 1
"""The exit codes."""

INVALID_RESULT = 70
"""Exit code of a contradictory result: that of an internal error (`sysexits.h`)."""

_KILOBYTES_PER_MEGABYTE, _BYTES_PER_MEGABYTE = 1024, 1024**2

SHOW_AFTER_SECONDS = 0.3
"""Delay of the progress line in seconds, longer than most searches."""


def exit_code(*results: Result) -> int:
    """Return the exit code for results: 0 if all are solved, 70 if one is contradictory."""
    found = {result.status for result in results}
    if Status.INVALID in found:
        return INVALID_RESULT
    return SOLVED if found <= {Status.SOLVED} else NOT_SOLVED


def run(
    spec: SearchSpec, interrupted: threading.Event, watch: Callable[[Event], None] = lambda _: None
) -> Result:
    """Return the result of a search that stops once `interrupted` is set; `watch` receives its
    events."""
    for event in spec.events(interrupted.is_set):
        watch(event)
        if isinstance(event, Finished):
            return event.result
    raise AssertionError("every search ends with Finished")


def run_with_progress(spec: SearchSpec, interrupted: threading.Event, title: str = "") -> Result:
    """Return the result of `run`, with a progress line if standard error is a terminal.

    The line begins with `title`.
    """
    if not sys.stderr.isatty():
        return run(spec, interrupted)
    with ProgressLine(title) as line:
        return run(spec, interrupted, line.tell)


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
        self._timer.join()  # the timer may be drawing the line now
        if self._spinner:
            self._spinner.stop()

    def tell(self, event: Event) -> None:
        """Show the progress in `event`."""
        if isinstance(event, Improved) and event.length is not None:
            self._found = f"found {event.length:,} moves; "
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
    """Yield an event set by the first Ctrl-C; the second one interrupts, or one `at_once`."""
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
