"""Plain data between the judge and a program's process: ways to call, cases, results."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from slidewise.course.programs.boards import FLAT, Cells, Form

TRACED: Final = 2_000
"""Maximum expansions of a call with recorded parents; pages show and store no more."""

Roles = tuple[tuple[str, str], ...]
"""Parameters with their roles; "" stands for a positional parameter."""


SCRIPT = "__main__"
"""Function name that stands for running the whole file."""

TYPED = ("rows", "line", "cells", "rows,", "line,", "digits", "size rows", "size cells")
"""Forms of typed boards: in rows, in a line, a cell on each line, with commas, after the size."""


class Way(NamedTuple):
    """A way to call a function of a program.

    `roles` belong to its parameters, and `made` to the constructor's parameters of its class
    `owner`. `sets` belong to global variables, or to variables of the function with a literal
    board. `typed` is an entry of `TYPED`: how `input()` is answered. The function `SCRIPT` is the
    whole file. Boards are objects of the class `node`, or values in the form. `set_forms` are the
    forms of the variables of `sets`, None for the form of the boards.

    The roles are `board`, `goal`, `target` (the goal in the form, beside a node), `h`, `limit`,
    `visited` (an empty list), `trail` (a list with the start), `size`, `zero`, `none`, `unknown`
    (None too), and names of further arguments of the case.
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
    set_forms: tuple[Form | None, ...] = ()

    @property
    def variables(self) -> Iterator[tuple[str, str, Form]]:
        """Yield the name, role and form of each variable that is set."""
        for (name, role), form in zip_longest(self.sets, self.set_forms[: len(self.sets)]):
            yield name, role, form or self.form

    @property
    def taken(self) -> set[str]:
        """All roles of the way."""
        found = {role for _, role in (*self.roles, *self.made, *self.sets)}
        return found | {"goal"} if "target" in found else found

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
    """A board in a program, with the name of its variable, or "".

    The variable is global, or belongs to the function `scope`.
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
    """A loaded program: its functions, its classes, its boards.

    `typed` is true if it calls `input()`.
    """

    functions: tuple[Signature, ...] = ()
    classes: tuple[Signature, ...] = ()
    boards: tuple[Literal, ...] = ()
    numpy: bool = False
    typed: bool = False
    failure: Failure | None = None


class Case(NamedTuple):
    """A call, for the checks with the keys `checks`.

    `args` are its arguments by name, `h` as the name of an estimate. With `as_list` the board is a
    list. `every` stands for a call with each board of the `sample`. `way` is the index of its way
    in the request.
    """

    checks: tuple[str, ...]
    args: dict[str, Any]
    as_list: bool = False
    every: bool = False
    way: int = 0

    @property
    def board(self) -> Cells | None:
        """The board or start in the arguments, or None."""
        return self.args.get("board") or self.args.get("start")


@dataclass
class CallResult:
    """Result of a call, as plain data.

    `expanded` has the cells of all expanded boards, a byte each, as recorded by the `witness`; ""
    means that there is no witness. `orders` has the blank's moves to the successors of the first
    expanded boards, such as `udl`. `generated` counts their successors and, as in the library's
    searches, the start. `stopped` is true if a limit ended the call. `changed` is the given board,
    if the program changed it. `ticks` are the passes of loops and the calls. `printed` is the end
    of the output. `parents` has, for each of the first `TRACED` expansions, the index of the
    expansion that generated its board, -1 for a root. `jump` has the cells of a board and of one of
    its successors that is no move from it, and was expanded too.
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
    jump: list[int] = field(default_factory=list)

    def boards(self, cells: int) -> list[Cells]:
        """Return the expanded boards in their order."""
        data = self.expanded
        return [tuple(data[i : i + cells]) for i in range(0, len(data) - cells + 1, cells)]


class ProgramReply(NamedTuple):
    """Results of a request. `ended` is the reason for missing results, "" if it is complete."""

    loaded: Loaded = Loaded()
    outcomes: tuple[CallResult, ...] = ()
    ended: str = ""
