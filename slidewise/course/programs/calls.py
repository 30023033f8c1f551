"""Data between a judge and a program's process: ways to call, calls, results. Plain data."""

from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from slidewise.course.programs.boards import FLAT, Cells, Form

TRACED: Final = 2_000
"""Expansions of a call whose parents are recorded; a page shows and stores no more."""

Roles = tuple[tuple[str, str], ...]
"""Parameters with their roles; a parameter "" is by position."""


SCRIPT = "__main__"
"""Name of a file as a function."""

TYPED = ("rows", "line", "cells", "rows,", "line,", "digits", "size rows", "size cells")
"""Forms of boards that are typed: rows, a line, a cell a line, with commas, after their size."""


class Way(NamedTuple):
    """A way to call a function of a program.

    `roles` are of its parameters, `made` of those of the constructor of its class `owner`, and
    `sets` of global variables, or of variables of the function that get a board. `typed` is how
    `input()` is answered, one of `TYPED`. The function `SCRIPT` is the whole file. Boards are
    objects of the class `node`, or values in the form.

    The roles are `board`, `goal`, `h`, `limit`, `visited` (an empty list), `trail` (a list with the
    start), `size`, `zero`, `none`, `unknown` (None too), and names of further arguments of the
    case.
    """

    function: str
    roles: Roles
    form: Form = FLAT
    owner: str = ""
    made: Roles = ()
    node: str = ""
    node_roles: Roles = ()
    sets: Roles = ()
    typed: str = ""

    @property
    def taken(self) -> set[str]:
        """The roles that it has."""
        return {role for _, role in (*self.roles, *self.made, *self.sets)}

    @property
    def name(self) -> str:
        """The function's name, with its class."""
        return f"{self.owner}.{self.function}" if self.owner else self.function


class Signature(NamedTuple):
    """A function or class of a program: its parameters, and the global names that it reads."""

    name: str
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    owner: str = ""
    static: bool = False

    @property
    def full_name(self) -> str:
        """The name, with its class."""
        return f"{self.owner}.{self.name}" if self.owner else self.name


class Literal(NamedTuple):
    """A board in a program, with the name of the variable that has it, or "".

    The variable is global, or one of the function `scope`.
    """

    board: Cells
    form: Form
    name: str = ""
    scope: str = ""


@dataclass(frozen=True)
class Failure:
    """An exception of a program: its type, its message and the line of the program, if known."""

    type: str
    message: str
    line: int | None


class Loaded(NamedTuple):
    """A program after it was loaded: its functions, its classes, its boards.

    `missing` are modules that it imports and that are not there. `typed` is true if it calls
    `input()`.
    """

    functions: tuple[Signature, ...] = ()
    classes: tuple[Signature, ...] = ()
    boards: tuple[Literal, ...] = ()
    missing: tuple[str, ...] = ()
    numpy: bool = False
    typed: bool = False
    failure: Failure | None = None


class Case(NamedTuple):
    """One call, for the checks with the keys `checks`.

    `args` are its arguments by name, `h` as the name of an estimate. `as_list` gives the board as a
    list. `every` stands for a call with each board of the `sample`. `way` is the number of the
    request's way.
    """

    checks: tuple[str, ...]
    args: dict[str, Any]
    as_list: bool = False
    every: bool = False
    way: int = 0

    @property
    def board(self) -> Cells | None:
        """The board that the call is about, or None."""
        return self.args.get("board") or self.args.get("start")


@dataclass
class CallResult:
    """Result of one call, as plain data.

    `expanded` has the cells of all expanded boards, one byte each, as the `witness` saw them; ""
    stands for none. `orders` has the blank's moves to the successors of the first of them, such as
    `udl`. `generated` counts their successors, and the start of a search as the library's searches
    do. `stopped` is true if a limit ended the call. `changed` is the board that was given, if the
    program changed it. `ticks` are the passes of loops and the calls. `printed` is the end of the
    output. `parents` has, for each of the first `TRACED` expansions, the index of the expansion
    that generated its board, -1 for a root.
    """

    value: Any = None
    error: Failure | None = None
    stopped: bool = False
    expansions: int = 0
    expanded: bytes = b""
    milliseconds: float = 0.0
    changed: Any = None
    generated: int = 0
    witness: str = ""
    orders: list[str] = field(default_factory=list)
    ticks: int = 0
    printed: str = ""
    parents: list[int] = field(default_factory=list)

    def boards(self, cells: int) -> list[Cells]:
        """Return the expanded boards in their order."""
        data = self.expanded
        return [tuple(data[i : i + cells]) for i in range(0, len(data) - cells + 1, cells)]


class ProgramReply(NamedTuple):
    """Results of a request. `ended` is why some are missing, "" if all are there."""

    loaded: Loaded = Loaded()
    outcomes: tuple[CallResult, ...] = ()
    ended: str = ""
