"""The bar on standard error that tells how far a file of puzzles, or a building of tables, is."""

from __future__ import annotations

import os
import sys
from time import monotonic
from typing import TYPE_CHECKING, TextIO

from slidewise.cli.running import words

if TYPE_CHECKING:
    from slidewise.solver.events import Event, Preparing

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
