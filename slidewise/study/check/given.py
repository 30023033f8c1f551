"""What is given to be checked: expansions, a path, counts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from slidewise.puzzle import PuzzleError
from slidewise.text import plural

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_EXPANSIONS = 200_000
"""The most expansions that are read: more than there are boards of 3x3."""

MAX_CHARACTERS = 8_000_000
"""The longest text that is read: so many expansions, one board a line, with room for numbers."""


class UnreadableError(PuzzleError):
    """What is given cannot be read; `line` is the first line that is wrong, from 1 on."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line:,}: {why}")
        self.line = line
        self.why = why

    def __reduce__(self) -> tuple[type[UnreadableError], tuple[int, str]]:
        """Let it be sent to another process."""
        return UnreadableError, (self.line, self.why)


@dataclass(frozen=True, slots=True)
class Row:
    """An expansion as it is given: its line, the cells of the board, and values that stand there.

    `values` are those of `g`, `h` and `f`.
    """

    line: int
    cells: bytes
    values: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Given:
    """What a program found, as it was read.

    `moves` are the directions of the tiles, None without a path; `of_blank`: they were given as
    those of the blank. `counts` are by the names of the fields of a `Result`, with `length` for
    the moves of the path. `form` says in words what it was read as. `solved` is an answer such as
    `True`, None without one. `skipped` are the lines, by number, in which nothing was understood.
    """

    rows: tuple[Row, ...] = ()
    moves: str | None = None
    of_blank: bool = False
    counts: Mapping[str, int] = field(default_factory=dict)
    form: str = ""
    solved: bool | None = None
    skipped: tuple[tuple[int, str], ...] = ()

    @property
    def words(self) -> str:
        """Return what was given.

        >>> Given(moves="UL").words
        'a path of 2 moves'
        """
        parts = []
        if self.rows:
            form = f", {self.form}" if self.form else ""
            parts.append(f"{plural(len(self.rows), 'expansion')}{form}")
        if self.moves is not None:
            parts.append(f"a path of {plural(len(self.moves), 'move')}")
        if self.counts:
            parts.append(plural(len(self.counts), "count"))
        if self.solved is not None and not parts:
            parts.append("an answer without a path")
        return " and ".join(parts)
