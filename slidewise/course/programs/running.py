"""Runs a program on the cases of an exercise, with instruments that count and record.

It contains no judge and no solution. For untrusted programs it runs in a separate process, and the
outcomes, which are plain data, go to the judge.
"""

import ast
import base64
import builtins
import dis
import inspect
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from itertools import islice, permutations
from random import Random
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, NamedTuple

from slidewise.course.programs import hooks
from slidewise.course.programs.boards import (
    ESTIMATES,
    FLAT,
    GIVEN,
    Cells,
    board_of,
    boards_in,
    form_of,
    goal_of,
    neighbors,
    plain,
    shape_of,
)
from slidewise.course.programs.calls import (
    SCRIPT,
    TRACED,
    CallResult,
    Case,
    Failure,
    Literal,
    Loaded,
    Roles,
    Signature,
    Way,
)
from slidewise.course.programs.console import Typist, captured, no_input
from slidewise.course.programs.hooks import HOOKS, Log, Parents, Stopped, instrumented, watched
from slidewise.course.programs.syntax import acts, bound_names, examples, literals, reads_input

FILE_NAME: Final = "<yours>"
"""The file name of a program in tracebacks."""

NOTHING_UNBOUND: Final[Mapping[str, Failure]] = {}

OWN_MODULE: Final = "yours"
"""The name of a program as a module."""

MAX_EXPANSIONS: Final = 200_000
"""Maximum expansions of a call, also if the reference needs more."""

CASE_EXPANSIONS: Final = 6_000
"""Maximum expansions of a call, unless the reference needs more."""

MAX_NEIGHBORS: Final = 255
"""Maximum boards in a result for the sample, whose number is stored in a byte."""

ESTIMATES_PER_EXPANSION: Final = 1_000
"""Maximum calls of `h` for each expansion."""

MAX_STOPPED: Final = 1
LATER_EXPANSIONS: Final = 1_000
LATER_TICKS: Final = 100_000
"""Maximum expansions and ticks of a call after `MAX_STOPPED` calls that reached a limit."""

MAX_OUT_OF_MEMORY: Final = 2
"""Maximum calls of a request that run out of memory, because each can take seconds."""

FREE_ESTIMATES: Final = 10_000
"""Maximum calls of `h` before the first expansion."""

NO_LIMIT: Final = 1_000_000
"""Depth limit of a case without a limit, beyond any path."""

PRINTED: Final = 12_000
"""Characters of a call's output, from its end, in the result."""

RECURSION: Final = 3_000
MAX_LITERALS: Final = 60
LETTERS: Final = {-1: "l", 1: "r"}

SAMPLE_STEP: Final = 13
"""Step through the 362,880 arrangements of 9 cells: 27,914 boards take half a second in a page. As
13 does not divide 9!, each tile is in each cell equally often, within 1 %."""


class ProgramTarget(NamedTuple):
    """Function that a program must define, without its solution.

    `names` are its other usual names, `uses` the functions that the program is given.
    """

    key: str
    signature: str
    names: tuple[str, ...]
    uses: tuple[str, ...]


class LoadError(Exception):
    """The program cannot be run."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Instruments:
    """The functions that a program is given; they count, record and stop it."""

    def __init__(
        self,
        limit: int = CASE_EXPANSIONS,
        goal: Cells = (),
        ticks: int = 0,
        *,
        sees_boards: bool = True,
    ) -> None:
        self.log = Log(limit, ticks, sees_boards=sees_boards)
        self.limit = limit
        self.goal = goal
        self.expansions = 0
        self.generated = 0
        self.estimates = 0
        self.expanded = bytearray()
        self.orders: list[str] = []
        self.parents = Parents()

    def neighbors(self, board: Any) -> list[Cells]:
        """Return the boards a single move away, and record the board as expanded."""
        cells = board_of(board)
        if cells is None:
            raise TypeError(f"neighbors needs a board, got {type(board).__name__}")
        if self.expansions >= self.limit:
            raise Stopped
        if self.goal and len(cells) != len(self.goal):
            raise TypeError(f"the board has {len(cells)} cells, the goal {len(self.goal)}")
        self.log.sees_boards = False  # no other witness is needed
        self.expansions += 1
        self.expanded += bytes(cells)
        found = neighbors(cells)
        self.generated += len(found)
        self.parents.add(cells, board, zip(found, found, strict=True))
        return found

    def estimate(self, name: str) -> Callable[..., int]:
        """Return the estimate `name` as a function, which counts its calls."""
        function = ESTIMATES[name]

        def h(board: Any, *_goal: Any) -> int:
            self.estimates += 1
            # A program with its own neighbours has no counted expansions here, but ticks.
            expansions = max(self.expansions, self.log.ticks // 10)
            if self.estimates > FREE_ESTIMATES + ESTIMATES_PER_EXPANSION * expansions:
                raise Stopped
            cells = board_of(board)
            if cells is None:
                raise TypeError(f"h needs a board, got {type(board).__name__}")
            return function(cells, self.goal)

        return h

    def is_goal(self, board: Any, goal: Any = None) -> bool:
        """Return whether the board is the goal."""
        return board_of(board) == self.goal

    def record(self, outcome: CallResult, *, search: bool) -> None:
        """Write the expansions of a call into its outcome."""
        outcome.ticks = self.log.ticks
        if self.expansions:
            outcome.witness, outcome.expansions = hooks.GIVEN, self.expansions
            outcome.expanded, outcome.generated = bytes(self.expanded), self.generated + search
            outcome.parents = self.parents.indexes
            return
        witness, seen = self.log.seen()
        goal = len(self.goal)
        # Boards of another size do not belong to this case.
        if goal:
            seen = [one for one in seen if len(one.board) == goal]
        seen = seen[: self.limit]
        outcome.witness = witness if seen else ""
        outcome.expansions = len(seen)
        outcome.expanded = b"".join(bytes(one.board) for one in seen)
        outcome.generated = sum(len(one.made) for one in seen) + search
        for board, made, *_ in seen[: hooks.MAX_ORDERED]:
            outcome.orders.append("".join(_letter(board, one) for one in made))
        for board, _, value, sources in seen[:TRACED]:
            self.parents.add(board, value, sources)
        outcome.parents = self.parents.indexes
        outcome.jump = self.log.jump() if search else []


def _letter(board: Cells, after: Cells) -> str:
    """Return the direction of the blank, `u`, `d`, `l` or `r`."""
    step = after.index(0) - board.index(0)
    return LETTERS.get(step) or ("u" if step < 0 else "d")


class Bag(list[Any]):
    """A collection of visited boards that programs can use as a list or as a set."""

    def add(self, one: Any) -> None:
        """Append a board, under the name of `set.add`."""
        self.append(one)


class Files(MetaPathFinder, Loader):
    """Importer of the helper modules of a submission, with hooks."""

    def __init__(self, sources: MutableMapping[str, str]) -> None:
        self.sources = sources

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Find a helper module, or a folder of them."""
        path = name.replace(".", "/")
        is_folder = any(one.startswith(f"{path}/") for one in self.sources)
        if f"{path}.py" not in self.sources and not is_folder:
            return None
        return ModuleSpec(name, self, is_package=f"{path}.py" not in self.sources)

    def exec_module(self, module: ModuleType) -> None:
        """Run the definitions of a helper module."""
        path = module.__name__.replace(".", "/")
        source = self.sources.get(f"{path}.py") or self.sources.get(f"{path}/__init__.py", "")
        names = vars(module)
        names |= HOOKS
        _execute(instrumented(ast.parse(source, FILE_NAME)), names, set(), {})


class Program:
    """A loaded program.

    `code` is a source text, or the namespace of a notebook, which receives the given functions.
    With `definitions`, for files of any kind, only imports, functions, classes and assignments of a
    source are run, and failing statements are skipped. Without `hooks` only calls of the given
    functions are recorded. `files` are its helper modules by their paths. Raises `LoadError`.
    """

    def __init__(
        self,
        target: ProgramTarget,
        code: str | MutableMapping[str, Any],
        *,
        definitions: bool = False,
        hooks: bool = True,
        files: MutableMapping[str, str] | None = None,
    ) -> None:
        self.target = target
        self.instruments = Instruments()
        self._code = code if isinstance(code, str) else ""
        self._definitions, self._hooks, self._files = definitions, hooks, files or {}
        self._given: dict[str, Any] = {
            **GIVEN,
            "neighbors": lambda board: self.instruments.neighbors(board),
            "is_goal": lambda board, goal=None: self.instruments.is_goal(board, goal),
        }
        self._before: dict[str, Any] = {}
        self._skipped: set[int] = set()
        self._unbound: dict[str, Failure] = {}
        self._compiled: CodeType | None = None
        # The judge's own programs need no tree: Python 3.11 parses in a single thread at a time.
        self._tree = _parsed(code) if hooks and isinstance(code, str) else None
        self.names: MutableMapping[str, Any] = {}
        if isinstance(code, str):
            self.load()
        else:
            self.names = code
            own = [name for name, one in code.items() if _is_own(one, code)]
            self._before = {name: code.get(name) for name in {*target.uses, *own}}
            for name in own:
                code[name] = watched(code[name])
            self._give()

    def load(self) -> None:
        """Run a source text in a new namespace; a notebook is left as it is. Raises `LoadError`."""
        if not self._code:
            return
        # Helper modules of the previous program, or of the previous load, would be reused.
        sys.meta_path[:] = [one for one in sys.meta_path if not isinstance(one, Files)]
        for name in [n for n, one in sys.modules.items() if isinstance(_loader(one), Files)]:
            del sys.modules[name]
        if self._files:
            sys.meta_path.append(Files(self._files))
        module = ModuleType(OWN_MODULE)
        if self._hooks:  # data classes look up their module in `sys.modules`
            sys.modules[OWN_MODULE] = module
        self.names = vars(module)
        self.names |= HOOKS
        self.instruments = Instruments()
        self._give()
        if self._definitions:
            with _command_line(self._code):
                _execute(self._hooked(), self.names, self._skipped, self._unbound)
        else:
            try:
                source = self._hooked() if self._hooks else self._code
                exec(compile(source, FILE_NAME, "exec"), self.names)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                raise LoadError(failure_of(error)) from None
        self._give()

    def _hooked(self) -> ast.Module:
        return instrumented(_parsed(self._code))

    def _give(self) -> None:
        """Add the given functions that the program does not define itself.

        Its own `neighbors` is replaced if it has the same interface as the given function.
        """
        for name in self.target.uses:
            own = self.names.get(name)
            if self._is_given(name):
                continue
            if not callable(own) or (name == "neighbors" and self._is_usual(own)):
                self.names[name] = self._given[name]

    def _is_given(self, name: str) -> bool:
        return name in self._given and self.names.get(name) is self._given[name]

    def _is_usual(self, function: Any) -> bool:
        """Return whether a function takes and returns boards in the form of the task."""
        try:
            found = function(goal_of((3, 3)))
            first = next(iter(found))
        except Exception:
            return False
        return isinstance(found, list) and isinstance(first, tuple) and len(first) == 9

    def restore(self) -> None:
        """Restore the functions of a notebook's namespace."""
        for name, value in self._before.items():
            if value is None:
                self.names.pop(name, None)
            else:
                self.names[name] = value

    def describe(self) -> Loaded:
        """Return the functions, classes and boards of the program."""
        functions, classes = list[Signature](), list[Signature]()
        boards = list[Literal]()
        for name, value in list(self.names.items()):
            if name.startswith("__") or name in HOOKS or self._is_given(name):
                continue
            if isinstance(value, type):
                if _is_own_class(value):
                    classes.append(_signature(name, vars(value).get("__init__"), method=True))
                    functions += _methods(name, value)
            elif isinstance(inspect.unwrap(value) if callable(value) else None, FunctionType):
                if _is_own(value, self.names):
                    functions.append(_signature(name, value))
            elif not isinstance(value, ModuleType) and (form := form_of(value)):
                boards.append(Literal(board_of(value) or (), form, name))
        if self._tree and self._definitions and acts(self._tree):
            functions.append(Signature(SCRIPT))
        boards += literals(self._tree) if self._tree else []
        if self._tree and not boards:
            boards += examples(self._code, self._tree)
        typed = self._tree is not None and reads_input(self._tree)
        return Loaded(
            tuple(functions), tuple(classes), tuple(boards[:MAX_LITERALS]),
            "numpy" in sys.modules, typed,
        )  # fmt: skip

    def run(
        self, case: Case, limit: int = CASE_EXPANSIONS, way: Way | None = None, ticks: int = 0
    ) -> CallResult:
        """Return the outcome of a call; exceptions of the program become part of it."""
        instruments = self.instruments = Instruments(
            limit, case.args.get("goal", ()), ticks, sees_boards="neighbors" in self.target.uses
        )
        instruments.log.roots = case.args.get("start", ()), case.args.get("goal", ())
        outcome = CallResult()
        began = time.perf_counter()
        way = way or self.usual_way()
        read = Typist(way, case.args) if way.typed else no_input
        with captured(read) as printed, _deep_recursion():
            hooks.begin(instruments.log)
            try:
                self._call(case, outcome, way)
            except Stopped:
                outcome.stopped = True
            except SystemExit as error:
                # Some programs end so after they print a result, or for unsolvable boards.
                if self.target.key == "is_solvable":
                    outcome.value = False
                elif "start" not in case.args:
                    outcome.error = failure_of(error)
                elif way.function == SCRIPT:
                    outcome.value = {"type": "nothing"}
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # a program must not end its judge
                outcome.error = failure_of(error, self._unbound)
            finally:
                hooks.begin(None)
                hooks.own_boards.clear()
        outcome.milliseconds = (time.perf_counter() - began) * 1000
        outcome.printed = printed.getvalue()[-PRINTED:]
        instruments.record(outcome, search="start" in case.args)
        return outcome

    def usual_way(self) -> Way:
        """Return the way of the exercise: its function, with positional arguments in order."""
        names = [self.target.key, *self.target.names]
        # A function that the program defines is preferred to a given function of the same name.
        found = (name for name in names if callable(self.names.get(name)))
        name = next((name for name in found if not self._is_given(name)), self.target.key)
        parameters = self.target.signature.partition("(")[2].rstrip(")").split(", ")
        return Way(name, tuple(("", one) for one in parameters))

    def _call(self, case: Case, outcome: CallResult, way: Way) -> None:
        if case.every:
            outcome.value = self._every(way, case.args.get("goal", ()))
            return
        given: list[Any] = []
        board = case.args.get("board")
        as_list = case.as_list and way.form == FLAT
        value: Any = None
        try:
            value = self._invoke(way, case.args, given, as_list=as_list)
            # A generator fails only when it is read.
            value = list(value) if as_list and inspect.isgenerator(value) else value
        except (TypeError, AttributeError):
            if as_list:  # the program expects a tuple, which it cannot change
                return
            raise
        if board is not None and given and not way.node and board_of(given[0]) != board:
            outcome.changed = plain(given[0])
        outcome.value = plain(value)
        if as_list and given:
            _share_check(value, given[0], outcome)

    def _invoke(self, way: Way, args: dict[str, Any], given: list[Any], *, as_list: bool) -> Any:
        """Call a function; `given` receives its first board, to compare it after the call."""

        def value(role: str) -> Any:
            return self._value(way, role, args, given, as_list=as_list)

        for name, role, form in way.variables:
            made = value(role) if form == way.form else form.encode(args["goal"])
            self.names[name] = hooks.own_boards[name] = made
        if way.function == SCRIPT:
            self._run_script()
            return {"type": "nothing"}
        owner: Any = None
        if way.owner:
            owner = self.names[way.owner]
            static = isinstance(inspect.getattr_static(owner, way.function), staticmethod)
            if not static:
                owner = _filled(owner, way.made, value)
            function = getattr(owner, way.function)
        else:
            function = self.names[way.function]
        return _filled(function, way.roles, value)

    def _run_script(self) -> None:
        """Run the whole file in a new namespace."""
        if self._compiled is None:
            self._compiled = compile(self._hooked(), FILE_NAME, "exec")
        names = {"__name__": SCRIPT, **HOOKS}
        exec(self._compiled, names)

    def _value(
        self, way: Way, role: str, args: dict[str, Any], given: list[Any], *, as_list: bool
    ) -> Any:
        if role in ("start", "board", "goal"):
            board: Cells = args.get("start", args.get("board", ()))
            cells = args.get("goal", board) if role == "goal" else board
            made = list(cells) if as_list and role != "goal" else way.form.encode(cells)
            if way.node:
                node = self.names[way.node]
                goal = way.form.encode(args.get("goal", board))
                roles = {"start": made, "board": made, "goal": goal}
                made = _filled(node, way.node_roles, lambda one: _usual(one, args, roles))
            if role != "goal":
                given.append(made)
            return made
        if role == "target":
            return way.form.encode(args["goal"])
        if role == "trail" and role not in args:
            return Bag([way.form.encode(args["start"])])
        if role == "temperatures":
            return [one for one, steps in args[role] for _ in range(steps)]
        if role == "random":
            return Random(args[role])
        if role == "h":
            return self.instruments.estimate(args.get("h", "manhattan"))
        return _usual(role, args, {})

    def _every(self, way: Way, goal: Cells) -> dict[str, Any]:
        """Return the results for the `sample` of boards, up to the first unreadable result.

        `results` has a byte for each yes or no, or a byte for the number of boards and then their
        cells. `rest` is the unreadable result.
        """
        results, rest = bytearray(), None
        hooks.begin(None)
        for board in sample():
            args = {"board": board, "goal": goal or board}
            value = self._invoke(way, args, [], as_list=False)
            if self.target.key == "is_solvable":
                results.append(bool(value))
                continue
            found = _cells_of(value)
            if len(b"".join(found)) != 9 * len(found) or len(found) > MAX_NEIGHBORS:
                rest = plain(value)
                break
            results.append(len(found))
            results += b"".join(found)
        return {"results": base64.b64encode(results).decode(), "rest": rest}


def sample() -> Iterator[Cells]:
    """Return the boards of 9 cells for cases with `every`."""
    return islice(permutations(range(9)), 0, None, SAMPLE_STEP)


def _cells_of(value: Any) -> list[bytes]:
    """Return the cells of the boards in a result; an empty entry for anything else."""
    try:
        if isinstance(value, dict):  # the boards by their moves
            value = list(value.values())
        if type(value) is list and value and type(value[0]) is tuple and len(value[0]) == 9:
            return list(map(bytes, value))  # fast path for the most common form
        return list(map(bytes, boards_in(value)))
    except (TypeError, ValueError):
        return [b""]


def _share_check(value: Any, board: Any, outcome: CallResult) -> None:
    """Record a result that contains the given board itself instead of a new board."""
    if isinstance(value, list) and any(one is board for one in value):
        outcome.changed = plain(board)


def run_cases(
    program: Program,
    cases: Iterable[Case],
    limits: Iterable[int],
    ways: Sequence[Way] = (),
    fresh: bool = False,
    ticks: int = 0,
) -> Iterator[CallResult]:
    """Run a program on the cases. After calls that reached a limit, the limits are lower.

    After calls that ran out of memory, the remaining cases get the last outcome without a call.
    With `fresh` the program is loaded again before each call. `ticks` is the limit of each call, 0
    for the default.
    """
    stopped = out_of_memory = 0
    outcome = CallResult()
    for case, limit in zip(cases, limits, strict=True):
        if out_of_memory >= MAX_OUT_OF_MEMORY:
            yield outcome
            continue
        if fresh:
            program.load()
        outcome = program.run(
            case,
            limit if stopped < MAX_STOPPED else min(limit, LATER_EXPANSIONS),
            ways[case.way] if ways else None,
            ticks if stopped < MAX_STOPPED else ticks or LATER_TICKS,
        )
        stopped += outcome.stopped
        out_of_memory += bool(outcome.error and outcome.error.type == "MemoryError")
        yield outcome


def failure_of(error: BaseException, unbound: Mapping[str, Failure] = NOTHING_UNBOUND) -> Failure:
    """Return the type, message and line of an exception of a program.

    A name that is `unbound` because a statement failed has the failure of the statement.
    """
    if isinstance(error, NameError) and error.name and error.name in unbound:
        return unbound[error.name]
    if isinstance(error, SyntaxError):
        return Failure(type(error).__name__, error.msg or "invalid syntax", error.lineno)
    frames = traceback.extract_tb(error.__traceback__)
    # The innermost line of the program, not of a library that it calls.
    lines = [frame.lineno for frame in frames if frame.filename == FILE_NAME]
    # The text of a program's own exception class can fail too.
    try:
        message = str(error)[:500]
    except BaseException:
        message = ""
    return Failure(type(error).__name__, message, lines[-1] if lines else None)


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Raise the recursion limit, because hooks add calls to each level of a recursion.

    The calls of the judge itself do not count, so that each run ends at the same level.
    """
    before, depth, frame = sys.getrecursionlimit(), 0, sys._getframe().f_back
    while frame:
        depth, frame = depth + 1, frame.f_back
    sys.setrecursionlimit(max(before, depth + RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


@contextmanager
def _command_line(code: str) -> Iterator[None]:
    """Give a program a board as its argument, if it reads arguments itself."""
    before = sys.argv
    sys.argv = [OWN_MODULE, "123456780"] if "sys.argv" in code else before
    try:
        yield
    finally:
        sys.argv = before


def _filled(function: Callable[..., Any], roles: Roles, value: Callable[[str], Any]) -> Any:
    """Call a function with a value for each role."""
    args = [value(role) for name, role in roles if not name]
    return function(*args, **{name: value(role) for name, role in roles if name})


def _usual(role: str, args: dict[str, Any], boards: dict[str, Any]) -> Any:
    """Return the value of a role other than a board in the program's form."""
    if role in boards:
        return boards[role]
    if role in args:
        return args[role]
    if role == "limit":
        return args.get("depth", NO_LIMIT)
    if role == "visited":
        return Bag()
    if role == "size":
        return shape_of(len(args.get("start") or args.get("board") or args["goal"]))[1]
    return 0 if role == "zero" else None


def _is_own(value: Any, names: MutableMapping[str, Any]) -> bool:
    """Return whether a value is a function of the program, or of its helper modules."""
    function = inspect.unwrap(value) if callable(value) else None
    if not isinstance(function, FunctionType):
        return False
    return function.__code__.co_filename == FILE_NAME or function.__globals__ is names


def _is_own_class(value: type) -> bool:
    loader = _loader(sys.modules.get(value.__module__))
    return value.__module__ in (OWN_MODULE, SCRIPT) or isinstance(loader, Files)


def _loader(module: Any) -> Any:
    return getattr(getattr(module, "__spec__", None), "loader", None)


def _methods(name: str, owner: type) -> Iterator[Signature]:
    for key, value in vars(owner).items():
        static = isinstance(value, staticmethod)
        function = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
        if not key.startswith("__") and isinstance(function, FunctionType):
            yield _signature(key, function, method=not static)._replace(owner=name, static=static)


def _signature(name: str, function: Any, *, method: bool = False) -> Signature:
    try:
        parameters = list(inspect.signature(function).parameters.values())[method:]
    except (TypeError, ValueError):
        return Signature(name)
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    code = getattr(inspect.unwrap(function), "__code__", None)
    used = set(_used(code)) if code else {one.name for one in parameters}
    named = [one for one in parameters if one.kind in kinds]
    # A parameter that may be missing, and is never read, is for another task.
    named = [one for one in named if one.default is not None or one.name in used]
    return Signature(
        name,
        tuple(one.name for one in named if one.default is one.empty),
        tuple(one.name for one in named if one.default is not one.empty),
        tuple(_read_boards(code, inspect.unwrap(function).__globals__)) if code else (),
    )


def _used(code: CodeType) -> Iterator[str]:
    """Yield the names that a function loads, or that its inner functions have."""
    yield from code.co_cellvars
    for step in dis.get_instructions(code):
        if step.opname.startswith("LOAD"):
            yield from step.argval if isinstance(step.argval, tuple) else [step.argval]


def _read_boards(code: CodeType, names: dict[str, Any]) -> Iterator[str]:
    """Yield the global variables that a function reads if they have a board, or no value yet."""
    for step in dis.get_instructions(code):
        name = step.argval
        if step.opname != "LOAD_GLOBAL" or name in HOOKS or hasattr(builtins, name):
            continue
        if name not in names or form_of(names[name]):
            yield name


def _parsed(code: str) -> ast.Module:
    """Return the tree of a source. Raises `LoadError`."""
    try:
        return ast.parse(code, FILE_NAME)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise LoadError(failure_of(error)) from None


_DEFINING = (
    *(ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    *(ast.Assign, ast.AnnAssign, ast.Try, ast.If, ast.For),
)


def _execute(
    tree: ast.Module,
    names: MutableMapping[str, Any],
    skipped: set[int],
    unbound: dict[str, Failure],
) -> None:
    """Run the definitions of a tree, and the assignments and loops that do not call them.

    A statement that raises an error, or takes too long, is skipped and added to `skipped`. Its
    error is added to `unbound` for each name that it would bind.
    """
    own = {
        node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    }
    # Blocks with these names run the program, rather than define a part of it.
    acting = own | {"input", "print", "__name__", "exit", "quit"}
    futures = (one for one in tree.body if isinstance(one, ast.ImportFrom))
    # Each statement is compiled by itself, so each needs the `__future__` imports.
    future = [one for one in futures if one.module == "__future__"]
    for number, node in enumerate(tree.body):
        if number in skipped or not isinstance(node, _DEFINING):
            continue
        block = isinstance(node, (ast.If, ast.For, ast.Try))
        if (block and acting & _names(node)) or "input" in _names(node):
            continue
        try:
            with captured(no_input):
                hooks.begin(Log(0, hooks.LOAD_TICKS, sees_boards=False))
                part = ast.Module([*future, node], [])
                exec(compile(part, FILE_NAME, "exec"), names)  # type: ignore[arg-type]  # it takes a tree too
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            skipped.add(number)
            if isinstance(error, Exception):  # not a limit
                unbound |= dict.fromkeys(bound_names(node), failure_of(error, unbound))
        finally:
            hooks.begin(None)


def _names(node: ast.AST) -> set[str]:
    # A definition only calls functions later.
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return set()
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
