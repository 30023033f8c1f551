"""Hooks in a program's code, and the log of expanded boards and of the work done.

The log never judges. Its expansions come from the best of four witnesses:

- the given `neighbors`;
- a function, of any name, that returns boards a single move away;
- the boards taken from a deque, heap or list;
- a function that calls itself with boards a single move away.
"""

import ast
import functools
import inspect
import queue
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple

from slidewise.course.programs.boards import (
    LEAST_NUMBER,
    MAX_PARTS,
    Cells,
    board_of,
    center,
    is_move,
)
from slidewise.course.programs.calls import TRACED

TICKS_PER_EXPANSION: Final = 500
"""Ticks (loop passes and calls) allowed for each expansion that a call may make."""

MIN_TICKS: Final = 1_000_000
MAX_TICKS: Final = 6_000_000
CALL_TICKS: Final = 20
"""Ticks of a call with boards: recording it takes as long as this many loop passes."""

STORE_TICKS: Final = 5
"""Ticks of a value that is stored."""

WRITE_TICKS: Final = 5
"""Ticks of a text that is printed, without its length."""

WRITTEN: Final = 100
"""Printed characters that cost a further tick."""

SCANNED: Final = 4
"""Entries of a list that are compared in the time of a tick."""

LOAD_TICKS: Final = 20_000
"""Maximum ticks of each statement while a file is loaded."""

LEGAL_SHARE: Final = 0.95
"""Minimum share of a witness's successors that are a single move away."""

MAX_SUCCESSORS: Final = 5
"""Maximum length of a result that is taken for successors."""

MAX_SOURCES: Final = 20
"""Maximum objects with successors that are recorded for an expansion."""

PLAIN_NUMBERS: Final = (int, float, bool)
MAX_ORDERED: Final = 60
"""Maximum expansions whose successors are reported in order."""

GIVEN: Final = "neighbors"
FRONTIER: Final = "frontier"
"""Names of the witnesses that are not functions of the program."""

RECURSION: Final = "(...)"
"""End of the name of a witness that calls itself."""


class Stopped(BaseException):
    """The program has reached a limit of the log."""


Source = tuple[Cells, Any]
"""A board, and the program's object with it: the board itself, a frontier entry or a path."""


class SeenExpansion(NamedTuple):
    """An expansion, and its successors as far as they were seen.

    `value` is the program's object with the board, and `sources` are the successors' objects.
    """

    board: Cells
    made: list[Cells]
    value: Any
    sources: list[Source]


class ReturnedCall(NamedTuple):
    """A call that returned successors of a board. It is `whole` if it returned several of them.

    `given` are its arguments, None if the call came too late to be traced.
    """

    board: Cells
    made: list[Cells]
    whole: bool
    given: Any
    sources: list[Source]


class Parents:
    """The `indexes` of the expansions that generated the expanded boards, -1 for roots.

    Most programs pass the same objects on, which are recognised by identity. A board that was built
    again belongs to the latest expansion that generated an equal board. It is a root if it was a
    root before, because a deepening search begins again more often than it returns to its start.
    The first `TRACED` expansions are recorded.
    """

    def __init__(self) -> None:
        self.indexes: list[int] = []
        self._boards: list[Cells] = []
        self._by_object: dict[tuple[int, Cells], int] = {}
        self._by_board: dict[Cells, int] = {}
        self._roots: set[Cells] = set()
        # Keeps the objects alive, so that their ids are not used again.
        self._held: list[Any] = []

    def add(self, board: Cells, value: Any, made: Iterable[Source]) -> None:
        """Record an expansion of the board of an object, and its successors."""
        at = len(self.indexes)
        if at == TRACED:
            return
        parent = self._parent(board, value)
        # An object that was changed in place can lead to an impossible parent.
        if parent >= 0 and not is_move(self._boards[parent], board):
            parent = -1
        if parent < 0:
            self._roots.add(board)
        self.indexes.append(parent)
        self._boards.append(board)
        self._hold(board, value, parent)
        for after, one in made:
            self._by_board[after] = at
            self._hold(after, one, at)

    def _parent(self, board: Cells, value: Any) -> int:
        for one in _parts(value):
            known = self._by_object.get((id(one), board))
            if known is not None:
                return known
        return -1 if board in self._roots else self._by_board.get(board, -1)

    def _hold(self, board: Cells, value: Any, index: int) -> None:
        self._held.append(value)
        for one in _parts(value):
            # Parts of an entry, such as its parent's board, may have another board.
            if one is value or _is_plain_board(one, board):
                self._by_object[id(one), board] = index


def _is_plain_board(value: Any, board: Cells) -> bool:
    """Return whether part of an entry is the board; errors of the program's classes count as no."""
    with suppress(Exception):
        return type(value) in PLAIN and board_of(value) == board
    return False


def _parts(value: Any, depth: int = 3) -> Iterator[Any]:
    """Yield an object, and the objects in it that may have its board."""
    yield value
    if depth and type(value) in (list, tuple):
        # The last part too: the current board of a long path.
        for one in (*value[:MAX_PARTS], *value[MAX_PARTS:][-1:]):
            if type(one) not in PLAIN_NUMBERS:
                yield from _parts(one, depth - 1)


class Log:
    """Events of a call, which is stopped after `most` expansions.

    Without `sees_boards` only ticks are counted. A search begins at one of the `roots`.
    """

    def __init__(self, most: int, ticks: int = 0, *, sees_boards: bool = True) -> None:
        self.most = most
        self.sees_boards = sees_boards
        self.roots: tuple[Cells, ...] = ()
        self.ticks = 0
        self.most_ticks = ticks or min(MAX_TICKS, max(MIN_TICKS, most * TICKS_PER_EXPANSION))
        self._returned: dict[str, list[ReturnedCall]] = {}
        self._taken: list[SeenExpansion] = []
        self._with_successors = 0
        self._visits: dict[str, list[SeenExpansion]] = {}
        self._calls: dict[str, list[SeenExpansion]] = {}

    def tick(self) -> None:
        """Count a pass of a loop, or a call. Raises `Stopped`."""
        self.ticks += 1
        if self.ticks > self.most_ticks:
            raise Stopped

    def enter(self, name: str, boards: list[Cells]) -> None:
        """Record the start of a call with boards."""
        self.ticks += CALL_TICKS
        stack = self._calls.setdefault(name, [])
        board = boards[0] if boards else ()
        value: object = None
        # A call within a call of the same function with a neighbour board: recursive search.
        if stack and board and stack[-1].board and is_move(stack[-1].board, board):
            stack[-1].made.append(board)
            value = object()  # represents the call
            stack[-1].sources.append((board, value))
        entry = SeenExpansion(board, [], value, [])
        if board:
            self._visits.setdefault(name, []).append(entry)
        stack.append(entry)

    def leave(self, name: str) -> None:
        """Record the end of a call."""
        self._calls[name].pop()

    def returned(self, name: str, boards: list[Cells], given: Any, value: Any) -> None:
        """Record a result of a function with boards in its arguments. Raises `Stopped`."""
        kind = type(value)
        if not boards or value is None or kind in (float, bool):
            return
        one = board_of(value)
        if one:
            self._produced(name, boards, given, [(one, value)], whole=False)
        elif kind in (list, tuple, set, frozenset, dict) and 0 < len(value) <= MAX_SUCCESSORS:
            parts = list(value)
            # Some programs map boards to moves, others moves to boards.
            if kind is dict and not any(map(board_of, parts)):
                parts = list(value.values())
            found = [(board, one) for one in parts if (board := center(one))]
            has_flag = kind is tuple and len(parts) == 2  # a board and a flag
            if found and (has_flag or len(found) == len(parts)):
                self._produced(name, boards, given, found, whole=len(found) > 1)

    def yielded(
        self, name: str, boards: list[Cells], given: Any, value: Any, *, first: bool
    ) -> None:
        """Record a board of a generator."""
        found = center(value)
        if found and boards:
            self._produced(name, boards, given, [(found, value)], whole=first)

    def _produced(
        self, name: str, boards: list[Cells], given: Any, sources: list[Source], *, whole: bool
    ) -> None:
        made = [board for board, _ in sources]
        legal = (one for one in boards if all(is_move(one, board) for board in made))
        # Of several board arguments, such as board and goal, the expanded board fits the results.
        board = next(legal, boards[0])
        # A changed argument, or a result that includes it, is not an expansion.
        if board in made:
            return
        calls = self._returned.setdefault(name, [])
        if len(calls) >= MAX_SUCCESSORS * TRACED:  # to limit memory
            given, sources = None, []
        calls.append(ReturnedCall(board, made, whole, given, sources))
        if len(calls) > self.most * (1 if whole else MAX_SUCCESSORS):
            raise Stopped

    def take(self, value: Any) -> None:
        """Record an entry that was taken from a frontier."""
        self.tick()
        board = center(value) if self.sees_boards else None
        last = self._taken[-1] if self._taken else None
        # A `min` followed by a `pop` takes the same board twice.
        if board and not (last and last.board == board and not last.made):
            is_traced = self._with_successors < TRACED
            self._taken.append(SeenExpansion(board, [], value if is_traced else None, []))

    def is_successor(self, board: Cells) -> bool:
        """Return whether a board is a single move from the last board taken."""
        return bool(self._taken) and is_move(self._taken[-1].board, board)

    def make(self, value: Any) -> None:
        """Record a value that the program has stored, if it is a successor."""
        if (
            not self._taken
            or not self.sees_boards
            or value is None
            or type(value) in (float, bool)
            or (type(value) is int and value < LEAST_NUMBER)
        ):
            return
        self.ticks += STORE_TICKS
        board = center(value)
        at, made, _, sources = self._taken[-1]
        if not board or board == at or not is_move(at, board):
            return
        if self._with_successors < TRACED and len(sources) < MAX_SOURCES:
            sources.append((board, value))
        if board in made:
            return
        if not made:
            self._with_successors += 1
            if self._with_successors > self.most:
                raise Stopped
        made.append(board)

    def seen(self) -> tuple[str, list[SeenExpansion]]:
        """Return the best witness and its expansions, "" and none if there is no witness.

        A function that returns all successors is best. Of the others the one with most expansions
        counts: each can miss some.
        """
        found: list[tuple[bool, int, str, list[SeenExpansion]]] = []
        for name, calls in self._returned.items():
            seen = list(_joined(calls)) if _is_legal(calls) else []
            mostly = 2 * sum(one.whole for one in calls) > len(calls)
            found.append((bool(seen) and mostly, len(seen), f"{name}()", seen))
        taken = [one for one in self._taken if one.made]
        # A frontier gives the start first; the list of a path gives a dead end.
        if taken and (self._taken[0].board in self.roots or _is_frontier(taken)):
            found.append((False, len(taken), FRONTIER, taken))
        for name, visits in self._visits.items():
            seen = [one for one in visits if one.made]
            found.append((False, len(seen), f"{name}{RECURSION}", seen))
        _, number, best, expansions = max(
            found, key=lambda one: one[:2], default=(False, 0, "", list[SeenExpansion]())
        )
        return (best, expansions) if number else ("", [])

    def jump(self) -> list[int]:
        """Return a board and a successor that only exchanges the blank with a distant cell, or [].

        Only functions count that return mostly legal boards, and successors that were expanded.
        """
        for calls in self._returned.values():
            expanded = {call.board for call in calls}
            pairs = [(call.board, one) for call in calls for one in call.made]
            legal = sum(is_move(*pair) for pair in pairs)
            for board, after in pairs if legal < len(pairs) < 2 * legal else ():
                if after in expanded and not is_move(board, after):
                    exchanged = [(a, b) for a, b in zip(board, after, strict=True) if a != b]
                    if len(exchanged) == 2 and 0 in exchanged[0]:
                        return [*board, *after]
        return []


def _is_frontier(taken: list[SeenExpansion]) -> bool:
    """Return whether the boards taken were stored as successors before, unlike a path's."""
    known = {one.board for one in taken[:1]}
    strange = 0
    for one in taken:
        strange += one.board not in known
        known.update(one.made)
    return strange <= (1 - LEGAL_SHARE) * len(taken)


def _is_legal(calls: list[ReturnedCall]) -> bool:
    legal = sum(all(is_move(call.board, one) for one in call.made) for call in calls)
    return legal >= LEGAL_SHARE * len(calls)


def _joined(calls: list[ReturnedCall]) -> Iterator[SeenExpansion]:
    """Yield expansions; consecutive calls with successors of the same board are merged."""
    current: dict[Cells, SeenExpansion] = {}
    before = None
    for board, made, whole, given, sources in calls:
        known = current.get(board)
        again = board == before
        before = board
        # A repeated successor means that the search has come back to the board.
        if whole or known is None or (not again and set(made) & set(known.made)):
            known = current[board] = SeenExpansion(board, [], given, [])
            yield known
        known.made.extend(made)
        known.sources.extend(sources)


log: Log | None = None
"""The log of the call that runs, None between calls."""


def begin(new: Log | None) -> None:
    """Start to record in `new`, or stop recording if it is None."""
    global log
    log = new


def _boards_in(args: tuple[Any, ...], more: dict[str, Any]) -> list[Cells]:
    """Return the boards in the arguments of a call; `self` counts only without other boards."""
    boards = [board for one in (*args[1:], *more.values()) if (board := board_of(one))]
    if args and (not boards or type(args[0]) in PLAIN):
        first = board_of(args[0])
        return [first, *boards] if first else boards
    return boards


def watched(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with its calls recorded."""
    name = function.__name__

    @functools.wraps(function)
    def recorded(*args: Any, **more: Any) -> Any:
        now = log
        if now is None:
            return function(*args, **more)
        now.tick()
        boards = _boards_in(args, more) if now.sees_boards else []
        if not boards:
            return function(*args, **more)
        given = (*args, *more.values())
        now.enter(name, boards)
        try:
            value = function(*args, **more)
        finally:
            now.leave(name)
        if inspect.isgenerator(value):
            return _recorded(name, boards, given, value)
        now.returned(name, boards, given, value)
        return value

    return recorded


def _recorded(name: str, boards: list[Cells], given: Any, values: Iterator[Any]) -> Iterator[Any]:
    first = True
    for value in values:
        if log is not None:
            log.tick()
            log.yielded(name, boards, given, value, first=first)
        first = False
        yield value


def _tick() -> None:
    if log is not None:
        log.tick()


def _take(value: Any) -> Any:
    if log is not None:
        log.take(value)
    return value


def _pop(owner: Any, name: str, *args: Any, **more: Any) -> Any:
    lists = isinstance(owner, (list, deque, queue.Queue))
    if log is None or lists or not hasattr(owner, "__dict__"):
        value = getattr(owner, name)(*args, **more)
        # `pop` and `get` of a dictionary look a value up.
        return _take(value) if lists or name in ("popitem", "popleft") else value
    # A queue of the program's own gives its result, whatever it takes from its list meanwhile.
    sees, log.sees_boards = log.sees_boards, False
    try:
        value = getattr(owner, name)(*args, **more)
    finally:
        log.sees_boards = sees
    return _take(value)


def _make(value: Any) -> Any:
    if log is not None:
        log.make(value)
    return value


def _each(values: Any) -> Any:
    """Return the values of a loop; boards of a list, which may grow in the loop, are taken."""
    return values if log is None or type(values) not in (list, deque) else _taken(values)


def _taken(values: Any) -> Iterator[Any]:
    for value in values:
        board = center(value)
        # A loop over successors must not take them.
        if log is not None and board and not log.is_successor(board):
            log.take(value)
        yield value


def _scan(values: Any) -> Any:
    """Count the ticks of a scan through a list."""
    if log is not None and type(values) in (list, deque):
        log.ticks += len(values) // SCANNED
    return values


def count_write(characters: int) -> None:
    """Count the ticks of a printed text."""
    if log is not None:
        log.ticks += WRITE_TICKS + characters // WRITTEN


own_boards: dict[str, Any] = {}
"""Boards that a call assigns to variables of the program, by variable."""


def _own(name: str, value: Any) -> Any:
    return own_boards.get(name, value)


HOOKS: Final[dict[str, Any]] = {
    "watched__": watched,
    "tick__": _tick,
    "take__": _take,
    "pop__": _pop,
    "make__": _make,
    "each__": _each,
    "own__": _own,
    "scan__": _scan,
}
"""Functions that instrumented code calls. Python does not mangle these names in classes, because
they do not begin with "__"."""

PLAIN: Final = (tuple, list, str)
_STORING = {
    *("append", "appendleft", "add", "put", "insert", "push", "heappush", "put_nowait", "enqueue"),
}
_SCANNING = {"remove", "index", "count", "sort"}
_TAKING = {"pop", "popleft", "get", "popitem", "get_nowait"}


class Instrument(ast.NodeTransformer):
    """Puts the hooks into a tree."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Record the calls of a function; its own decorators, such as a cache, stay outside."""
        self.generic_visit(node)
        node.returns = None
        if not node.name.startswith("__"):
            node.decorator_list.append(ast.Name("watched__", ast.Load()))
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """Remove an annotation: its names may be undefined, which only some Pythons report."""
        node.annotation = None
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Record the values stored in and taken from a collection."""
        self.generic_visit(node)
        function = node.func
        name = getattr(function, "attr", getattr(function, "id", ""))
        if name in _STORING:
            node.args = [
                one if isinstance(one, ast.Starred) else _call("make__", one) for one in node.args
            ]
        if isinstance(function, ast.Attribute) and name in _SCANNING:
            function.value = _call("scan__", function.value)
        elif name in ("min", "max", "sorted") and node.args:
            node.args[0] = _scanned(node.args[0])
        if name in ("heappop", "min"):
            return _call("take__", node)
        if isinstance(function, ast.Attribute) and name in _TAKING:
            more = [function.value, ast.Constant(name), *node.args]
            return ast.Call(ast.Name("pop__", ast.Load()), more, node.keywords)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Count the ticks of a search for a value in a list."""
        self.generic_visit(node)
        if isinstance(node.ops[0], (ast.In, ast.NotIn)):
            node.comparators[0] = _scanned(node.comparators[0])
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """Record an assigned value, and let a call replace a literal board."""
        board = literal_board(node.value)
        self.generic_visit(node)
        if board and isinstance(node.targets[0], ast.Name):
            name = ast.Constant(node.targets[0].id)
            node.value = ast.Call(ast.Name("own__", ast.Load()), [name, node.value], [])
        if not isinstance(node.value, (ast.Constant, ast.Lambda)):
            node.value = _call("make__", node.value)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        """Count each pass."""
        self.generic_visit(node)
        node.body.insert(0, _tick_statement())
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        """Count each pass, and record the boards of a list that may grow."""
        self.generic_visit(node)
        node.body.insert(0, _tick_statement())
        if isinstance(node.iter, ast.Name):
            node.iter = _call("each__", node.iter)
        return node


def _scanned(node: ast.expr) -> ast.expr:
    return _call("scan__", node) if isinstance(node, (ast.Name, ast.Attribute)) else node


def literal_board(node: ast.AST) -> Any:
    """Return the value of a literal board, None for any other node."""
    if not isinstance(node, (ast.List, ast.Tuple, ast.Constant)):
        return None
    with suppress(ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        value = ast.literal_eval(node)
        return value if board_of(value) else None
    return None


def _call(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


def _tick_statement() -> ast.stmt:
    return ast.Expr(_call("tick__"))


def instrumented(tree: ast.Module) -> ast.Module:
    """Return a tree with the hooks, with the lines of the original."""
    changed: ast.Module = ast.fix_missing_locations(Instrument().visit(tree))
    return changed
