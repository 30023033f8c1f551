"""Output of a program's calls, and the lines that `input()` and standard input give it."""

import builtins
import io
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from slidewise.course.programs import hooks
from slidewise.course.programs.boards import Cells, shape_of
from slidewise.course.programs.calls import Way

MAX_ANSWERS: Final = 20
"""Maximum answers to prompts that do not ask for a board, so that a menu loop ends."""

MAX_PRINTED: Final = 200_000
"""Maximum characters collected from the output of a call."""


_CAPTURING: Final = threading.RLock()
"""Lock for the streams of the process, which threads of `slidewise grade` replace in turn."""


@contextmanager
def captured(read: Callable[..., str]) -> Iterator[io.StringIO]:
    """Collect the output of a call while it is also written; `read` answers `input()`."""
    with _CAPTURING:
        text, before = io.StringIO(), (sys.stdin, sys.stdout, builtins.input)
        # Programs read through `input()` or through `sys.stdin`, so both are replaced.
        sys.stdin = _Keyboard(read) if isinstance(read, Typist) else io.StringIO()
        sys.stdout = _Tee(text, sys.stdout)
        builtins.input = read
        try:
            yield text
        finally:
            sys.stdin, sys.stdout, builtins.input = before


def no_input(*_: object) -> str:
    """Raise `EOFError`."""
    raise EOFError("nobody answers input() here")


ANSWERS: Final = (
    (re.compile(r"goal|target|final|ziel|meta|objetivo"), "goal"),
    (re.compile(r"size|tama|dimens|number of|cu[aá]nt|quant|anzahl|gr(?:ö|oe)(?:ß|ss)e"), "size"),
    (re.compile(r"depth|limit|prof|tiefe"), "20"),
    (re.compile(r"\(?y/n|\(?s/n|again|otra vez|de novo|nochmal"), "n"),
    (
        re.compile(
            r"choose|choice|option|opci|opç|select|elig|elij|escolh|auswahl|wähl|menu|algorit"
        ),
        "1",
    ),
)
"""Answers to `input()` by its prompt: a part of the goal, the size, or a text."""


class Typist:
    """Simulated user, who types the start and the goal of a call in the form of its `Way`.

    Raises `EOFError` after the last line.
    """

    def __init__(self, way: Way, args: dict[str, Any]) -> None:
        start = args.get("start", args.get("board", ()))
        self._size = str(shape_of(len(start))[1])
        self._goal = _typed(way, args.get("goal", start))
        self.start = _typed(way, start)
        if way.typed.startswith("size"):
            self.start.insert(0, self._size)
        self._others = MAX_ANSWERS

    def __call__(self, prompt: object = "") -> str:
        words = str(prompt).lower()
        key = next((answer for pattern, answer in ANSWERS if pattern.search(words)), "")
        if key == "size":
            key = self._size
        if key not in ("", "goal"):
            self._others -= 1
            if self._others < 0:
                raise EOFError
            return key
        # Prompts without a known word ask for the start first, then for the goal.
        lines = self._goal if key or not self.start else self.start
        if not lines:
            raise EOFError("nobody answers input() any more")
        return lines.pop(0)


class _Keyboard(io.TextIOBase):
    """Standard input with the lines of a `Typist`; read as a whole, it has the start."""

    def __init__(self, typist: Typist) -> None:
        self._typist = typist

    def readline(self, _size: int | None = -1) -> str:  # type: ignore[override]  # text, no bytes
        """Return the next line of the start or the goal, "" after both."""
        try:
            return f"{self._typist()}\n"
        except EOFError:
            return ""

    def read(self, _size: int | None = -1) -> str:
        """Return the rest of the start."""
        return "".join(self)

    def __next__(self) -> str:  # type: ignore[override]  # text, no bytes
        """Return the next line of the start."""
        if not self._typist.start:
            raise StopIteration
        return self.readline()


def _typed(way: Way, board: Cells) -> list[str]:
    """Return a board as the lines that a user types."""
    _, cols = shape_of(len(board))
    blank = way.form.blank if isinstance(way.form.blank, str) else "0"
    cells = [str(cell or blank) for cell in board]
    form = way.typed.rpartition(" ")[2]
    between = "," if form.endswith(",") else "" if form == "digits" else " "
    if form == "cells":
        return cells
    if form.startswith("rows"):
        return [between.join(cells[i : i + cols]) for i in range(0, len(cells), cols)]
    return [between.join(cells)]


class _Tee(io.TextIOBase):
    """Output that is also copied to a text of limited length."""

    def __init__(self, text: io.StringIO, out: Any) -> None:
        self._text, self._out = text, out

    def write(self, part: str) -> int:
        """Write a text, copy it up to `MAX_PRINTED` characters in all, and count its ticks."""
        hooks.count_write(len(part))
        if self._text.tell() < MAX_PRINTED:
            self._text.write(part[:MAX_PRINTED])
        if self._out is not None:
            self._out.write(part)
        return len(part)

    def flush(self) -> None:
        """Flush the output."""
        if self._out is not None:
            self._out.flush()
