"""Runs a program on the cases of an exercise, with instruments that count and record.

Nothing here judges, and no solution is here. A caller that trusts no program runs this in a process
of its own, and gives the outcomes, which are plain data, to the judge.
"""

import ast
import base64
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from dataclasses import dataclass, field
from itertools import islice, permutations
from typing import Any, Final, NamedTuple

from slidewise.course.programs.boards import (
    ESTIMATES,
    FLAT,
    GIVEN,
    Cells,
    Form,
    arguments,
    board_of,
    goal_of,
    neighbors,
    plain,
)

FILE_NAME: Final = "<yours>"
"""The file name of a program in tracebacks."""

MAX_EXPANSIONS: Final = 200_000
CASE_EXPANSIONS: Final = 6_000
"""Expansions that one call may make, if the reference does not need more."""

MAX_NEIGHBORS: Final = 255
ESTIMATES_PER_EXPANSION: Final = 1_000
MAX_STOPPED: Final = 3
LATER_EXPANSIONS: Final = 1_000
"""Expansions of a call after `MAX_STOPPED` calls that had no end."""

FREE_ESTIMATES: Final = 10_000
"""Calls of `h` that a program may make for each expansion, and at all before the first."""

SAMPLE_STEP: Final = 13
"""Of all 362,880 arrangements of 9 cells, every 13th is tried: 27,914, in half a second in a page.

It has no factor of 9!, and each tile is in each cell as often as in another, within 1%."""


class ProgramTarget(NamedTuple):
    """Function that a program has to have, without its solution.

    `names` are its other usual names, `uses` the functions that the program is given. `successors`
    are usual names of a function of neighbors, `searches` those of the functions of all exercises.
    """

    key: str
    signature: str
    names: tuple[str, ...]
    uses: tuple[str, ...]
    successors: tuple[str, ...]
    searches: frozenset[str]


class Case(NamedTuple):
    """One call of the function, for the checks with the keys `checks`.

    `args` are its arguments by name, `h` as the name of an estimate. `as_list` gives the board as a
    list. `every` stands for a call with each board of the `sample`. `own` calls the program's own
    function of neighbors instead.
    """

    checks: tuple[str, ...]
    args: dict[str, Any]
    as_list: bool = False
    every: bool = False
    own: bool = False

    @property
    def board(self) -> Cells | None:
        """The board that the call is about, or None."""
        return self.args.get("board") or self.args.get("start")


class Stopped(BaseException):
    """The program has reached a limit of the instruments."""


@dataclass(frozen=True)
class Failure:
    """An exception of a program: its type, its message and the line of the program, if known."""

    type: str
    message: str
    line: int | None


class LoadError(Exception):
    """The program cannot be run, or has no such function."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


@dataclass
class CallResult:
    """Result of one call, as plain data.

    `expanded` has the cells of all expanded boards, one byte each. `generated` counts their
    successors, and the start of a search as the library's searches do. `stopped` is true if a limit
    ended the call. `changed` is the board that was given, if the program changed it.
    """

    value: Any = None
    error: Failure | None = None
    stopped: bool = False
    expansions: int = 0
    expanded: bytes = b""
    milliseconds: float = 0.0
    changed: Any = None
    generated: int = 0

    def boards(self, cells: int) -> list[Cells]:
        """Return the expanded boards in their order."""
        data = self.expanded
        return [tuple(data[i : i + cells]) for i in range(0, len(data) - cells + 1, cells)]


@dataclass
class Instruments:
    """The functions that a program is given; they count, record and stop it."""

    limit: int = CASE_EXPANSIONS
    expansions: int = 0
    generated: int = 0
    estimates: int = 0
    expanded: bytearray = field(default_factory=bytearray)
    goal: Cells = ()

    def expand(self, board: Cells) -> None:
        """Record an expansion."""
        if self.expansions >= self.limit:
            raise Stopped
        if self.goal and len(board) != len(self.goal):
            raise TypeError(f"the board has {len(board)} cells, the goal {len(self.goal)}")
        self.expansions += 1
        self.expanded += bytes(board)

    def neighbors(self, board: Any) -> list[Cells]:
        """Return the boards one move away, and record the board as expanded."""
        cells = board_of(board)
        if cells is None:
            raise TypeError(f"neighbors needs a board, got {type(board).__name__}")
        self.expand(cells)
        found = neighbors(cells)
        self.generated += len(found)
        return found

    def count(self, successors: Any) -> Any:
        """Return the successors from a program's own function, counted; an iterator when read."""
        if isinstance(successors, Iterator):
            return self._counted(successors)
        if isinstance(successors, (list, tuple, set, frozenset, dict)):
            self.generated += len(successors)
        return successors

    def _counted(self, successors: Iterator[Any]) -> Iterator[Any]:
        for one in successors:
            self.generated += 1
            yield one

    def estimate(self, name: str, form: Form) -> Callable[[Any, Any], int]:
        """Return the estimate with the name."""
        function = ESTIMATES[name]

        def h(board: Any, goal: Any = None) -> int:
            self.estimates += 1
            if self.estimates > FREE_ESTIMATES + ESTIMATES_PER_EXPANSION * self.expansions:
                raise Stopped
            cells = board_of(board)
            if cells is None:
                raise TypeError(f"h needs a board, got {type(board).__name__}")
            return function(cells, self.goal)

        return h

    def is_goal(self, board: Any, goal: Any = None) -> bool:
        """Return whether the board is the goal."""
        return board_of(board) == self.goal


class Program:
    """A program with the function of a target, loaded.

    `code` is a source text, or the namespace of a notebook, in which the given functions are put.
    `function` is the name of the function, if it is not the target's.
    With `definitions`, for files of any kind, only imports, functions, classes and assignments of a
    source are run, failing ones are left out, and functions may have other parameters.
    Raises `LoadError`.
    """

    def __init__(
        self,
        target: ProgramTarget,
        code: str | MutableMapping[str, Any],
        *,
        form: Form = FLAT,
        definitions: bool = False,
        function: str | None = None,
    ) -> None:
        self.target = target
        self._name, self._definitions = function, definitions
        self.form = form
        self.instruments = Instruments()
        self._given: dict[str, Any] = {
            **GIVEN,
            "neighbors": lambda board: self.instruments.neighbors(board),
            "is_goal": lambda board, goal=None: self.instruments.is_goal(board, goal),
        }
        self._before: dict[str, Any] = {}
        self.names: MutableMapping[str, Any] = {"__name__": "yours"}
        if isinstance(code, str):
            self._give()
            _execute(code, self.names, target.searches if definitions else None)
            self._give()
        else:
            self.names = code
            watched = {*target.uses, "neighbors", *target.successors}
            self._before = {name: code.get(name) for name in watched}
            self._give()
        self.function = self._find()
        self.own = self._wrap()

    def _give(self) -> None:
        """Give the functions that the program does not define itself.

        Its own `neighbors` is replaced if it takes and returns boards as the given one does.
        """
        for name in self.target.uses:
            own = self.names.get(name)
            if not callable(own) or (name == "neighbors" and self._is_usual(own)):
                self.names[name] = self._given[name]

    def _is_given(self, name: str) -> bool:
        return name in self._given and self.names.get(name) is self._given[name]

    def _is_usual(self, function: Any) -> bool:
        """Return whether a function takes and returns boards as the task has them."""
        try:
            found = function(goal_of((3, 3)))
            first = next(iter(found))
        except Exception:
            return False
        return isinstance(found, list) and isinstance(first, tuple) and len(first) == 9

    def _find(self) -> Any:
        names = [self._name] if self._name else [self.target.key, *self.target.names]
        for name in names:
            if not self._is_given(name) and callable(self.names.get(name)):
                return self.names[name]
        message = f"there is no function {self.target.signature}"
        raise LoadError(Failure("NameError", message, None))

    def restore(self) -> None:
        """Put back the functions of a namespace that was given."""
        for name, value in self._before.items():
            if value is None:
                self.names.pop(name, None)
            else:
                self.names[name] = value

    def fill(self, function: Any, given: dict[str, Any]) -> list[Any]:
        """Return the arguments for a call of one of the program's functions."""
        if not self._definitions:
            return list(given.values())
        return arguments(function, given, self.names)

    def _wrap(self) -> Any:
        """Let the program's own function of neighbors record; return it, or None."""
        own = None
        for name in ("neighbors", *self.target.successors):
            function = self.names.get(name)
            if callable(function) and not self._is_given(name) and function is not self.function:
                self.names[name] = self._recording(function)
                own = own or function
        return own

    def _recording(self, function: Any) -> Any:
        def recording(board: Any, *args: Any, **more: Any) -> Any:
            cells = board_of(board)
            if cells is None:
                return function(board, *args, **more)
            self.instruments.expand(cells)
            return self.instruments.count(function(board, *args, **more))

        return recording

    def run(self, case: Case, limit: int = CASE_EXPANSIONS) -> CallResult:
        """Return the outcome of a call, which no exception of the program leaves."""
        instruments = self.instruments = Instruments(
            limit, generated=int("start" in case.args), goal=case.args.get("goal", ())
        )
        outcome = CallResult()
        began = time.perf_counter()
        try:
            self._call(case, outcome)
        except Stopped:
            outcome.stopped = True
        except SystemExit as error:
            if self.target.key == "is_solvable":  # some programs end if it is not
                outcome.value = False
            else:
                outcome.error = failure_of(error)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a program must not end its judge
            outcome.error = failure_of(error)
        outcome.milliseconds = (time.perf_counter() - began) * 1000
        outcome.expansions = instruments.expansions
        outcome.generated = instruments.generated
        outcome.expanded = bytes(instruments.expanded)
        return outcome

    def _call(self, case: Case, outcome: CallResult) -> None:
        if case.every:
            outcome.value = self._every()
            return
        args = dict(case.args)
        if "h" in args:
            args["h"] = self.instruments.estimate(args["h"], self.form)
        given = {name: self.form.encode(value) for name, value in args.items()}
        board = case.args.get("board")
        if case.as_list and self.form == FLAT:
            given["board"] = list(case.args["board"])
        function = self.own if case.own else self.function
        try:
            value = function(*self.fill(function, given))
        except (TypeError, AttributeError):
            if case.as_list and self.form == FLAT:  # a tuple cannot be changed
                return
            raise
        if board is not None and board_of(given["board"]) != board:
            outcome.changed = plain(given["board"])
        outcome.value = plain(value)
        if case.as_list:
            _share_check(value, given["board"], outcome)

    def _every(self) -> dict[str, Any]:
        """Return the results for the `sample` of boards, up to the first unreadable one.

        `results` has a byte for each yes or no, or the number of boards and their cells. `rest` is
        the unreadable result.
        """
        to_goal = self.form.encode(goal_of((3, 3)))
        results, rest = bytearray(), None
        for board in sample():
            given = self.form.encode(board)
            if self.target.key == "is_solvable":
                value = self.function(*self.fill(self.function, {"board": given, "goal": to_goal}))
                results.append(bool(value))
                continue
            value = self.function(*self.fill(self.function, {"board": given}))
            found = _cells_of(value)
            if len(b"".join(found)) != 9 * len(found) or len(found) > MAX_NEIGHBORS:
                rest = plain(value)
                break
            results.append(len(found))
            results += b"".join(found)
        return {"results": base64.b64encode(results).decode(), "rest": rest}


def sample() -> Iterator[Cells]:
    """Return the boards of 9 cells that a call of the kind `every` tries."""
    return islice(permutations(range(9)), 0, None, SAMPLE_STEP)


def _cells_of(value: Any) -> list[bytes]:
    """Return the cells of the boards in a result; an empty entry for anything else."""
    try:
        if type(value) is list and value and type(value[0]) is tuple and len(value[0]) == 9:
            return list(map(bytes, value))  # as most are: no time for more
        return list(map(bytes, boards_in(value)))
    except (TypeError, ValueError):
        return [b""]


def boards_in(value: Any) -> list[Cells]:
    """Return the boards of a list of boards, or of pairs with a board; `()` for another entry."""
    found = []
    for one in value:
        cells = board_of(one)
        if cells is None and isinstance(one, (tuple, list)):
            cells = next((board for part in one if (board := board_of(part))), None)
        found.append(cells or ())
    return found


def _share_check(value: Any, board: Any, outcome: CallResult) -> None:
    """Record a board that is handed back as it is, in place of a new one."""
    if isinstance(value, list) and any(one is board for one in value):
        outcome.changed = plain(board)


def run_cases(
    program: Program, cases: Iterable[Case], limits: Iterable[int]
) -> Iterator[CallResult]:
    """Run a program on the cases. After some calls without an end the others get less."""
    stopped = 0
    for case, limit in zip(cases, limits, strict=True):
        outcome = program.run(
            case, limit if stopped < MAX_STOPPED else min(limit, LATER_EXPANSIONS)
        )
        stopped += outcome.stopped
        yield outcome


def failure_of(error: BaseException) -> Failure:
    """Return the type, message and line of an exception of a program."""
    if isinstance(error, SyntaxError):
        return Failure(type(error).__name__, error.msg or "invalid syntax", error.lineno)
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == FILE_NAME]
    try:
        message = str(error)[:500]
    except BaseException:
        message = ""
    return Failure(type(error).__name__, message, lines[-1] if lines else None)


def _calls(node: ast.AST, names: frozenset[str]) -> bool:
    """Return whether a statement calls one of the functions: a search may take long."""
    called = (one.func for one in ast.walk(node) if isinstance(one, ast.Call))
    return any(isinstance(one, ast.Name) and one.id in names for one in called)


def _execute(source: str, names: MutableMapping[str, Any], searches: frozenset[str] | None) -> None:
    """Run a source; of its statements the definitions only, if the names of `searches` are given.

    An assignment that calls one of them is left out too.
    """
    try:
        tree = ast.parse(source, FILE_NAME)
        if searches is None:
            exec(compile(tree, FILE_NAME, "exec"), names)  # type: ignore[arg-type]  # it takes a tree too
            return
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise LoadError(failure_of(error)) from None
    functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    kinds = (ast.Import, ast.ImportFrom, ast.Try, ast.Assign, ast.AnnAssign, *functions)
    for node in tree.body:
        if isinstance(node, kinds) and not (
            isinstance(node, ast.Assign) and _calls(node, searches)
        ):
            try:
                exec(compile(ast.Module([node], []), FILE_NAME, "exec"), names)  # type: ignore[arg-type]  # it takes a tree too
            except KeyboardInterrupt:
                raise
            except BaseException:
                continue
