"""Runs of the exercises' reference programs, line by line, for the lessons.

A run has the lines of the program and, for each line executed, the values beside it. The tree of
boards comes from the program's own variables: the queue of a search with a frontier, the boards of
the path of a recursive search, and the boards that wait next to it.
"""

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from math import inf
from typing import Any, NamedTuple

from slidewise.course.judge.exercise import Exercise, find_exercise
from slidewise.course.programs.boards import GIVEN, Cells, manhattan, shape_of
from slidewise.course.programs.boards import neighbors as boards_beside

Value = str | tuple[int, int]
"""A value beside a line: text, `yes` or `no`, or (number, all) of a loop."""

Variables = dict[str, Any]


OTHER = -1
"""A tile outside a pattern: all of them look alike."""


class ProgramLine(NamedTuple):
    """A line of the program: its number in the source, its indent and its text."""

    number: int
    indent: int
    text: str


class Moment(NamedTuple):
    """A line that is executed, by its index, and the values beside the lines."""

    line: int
    values: dict[int, Value]


@dataclass(frozen=True)
class TreeNode:
    """A board of the tree. `g` is the cost of its path, `h` its estimate, None without one."""

    parent: int | None
    board: Cells
    depth: int
    g: int
    h: int | None


@dataclass
class SearchStep:
    """A board taken, and the lines from there to the next board.

    `states` are those of the visible nodes: `done`, `now`, `wait` or `cut`, above the limit.
    `numbers` tell when they were taken, in this round. `waiting` are the nodes that the program has
    stored, in their order, and `ranks` the values by which they are sorted. `made` are new nodes,
    of `beside` neighbors. The first of the moments may lead to the board, as a call does.
    """

    node: int | None = None
    moments: list[Moment] = field(default_factory=list)
    states: dict[int, str] = field(default_factory=dict)
    numbers: dict[int, int] = field(default_factory=dict)
    waiting: list[int] = field(default_factory=list)
    ranks: dict[int, float] = field(default_factory=dict)
    made: list[int] = field(default_factory=list)
    beside: int = 0
    limit: int | None = None


@dataclass(frozen=True)
class SearchRun:
    """A run of a search. `steps[0]` is all that happens before the first board is taken.

    `blank` is the index of the line that the exercise is about. `expanded` are the boards given to
    `neighbors`, and `found` is the path that the program returns.
    """

    exercise: Exercise
    goal: Cells
    lines: list[ProgramLine]
    blank: int
    nodes: list[TreeNode]
    steps: list[SearchStep]
    expanded: list[Cells]
    found: list[Cells]


@cache
def run_search(exercise: str, start: Cells, goal: Cells, limit: int | None = None) -> SearchRun:
    """Run the reference program of a search on a board.

    `limit` is the limit or the depth of a program that takes one. The estimate is the Manhattan
    distance.

    >>> run = run_search("bfs", (1, 5, 2, 0, 4, 3), (1, 2, 3, 4, 5, 0))
    >>> len(run.expanded), len(run.found) - 1, run.lines[4].text
    (15, 4, 'if board == goal:')
    """
    one = find_exercise(exercise)
    source = one.for_shape(one.solution, shape_of(len(start)))
    lines, parameters = lines_of(source), one.parameters
    h = manhattan if "h" in parameters else None
    kind = _RecursiveRecorder if "search(" in source else _QueueRecorder
    recorder = kind(lines, goal, h)
    given = {"neighbors": recorder.neighbors}
    program = _load(source, recorder, given)
    more = {"h": h, "limit": limit, "depth": limit}
    found = program[exercise](start, goal, *(more[name] for name in parameters[2:]))
    return SearchRun(
        one,
        goal,
        lines,
        blank_of(one, lines),
        recorder.nodes,
        recorder.steps,
        recorder.expanded,
        found or [],
    )


@cache
def run_heuristic(exercise: str, board: Cells, goal: Cells, others: tuple[Cells, ...]) -> SearchRun:
    """Run the reference program of a heuristic with a loop over the cells.

    The nodes are boards with a single tile each, by cell, then the `others`. Their ranks are what
    the tile adds to `total`; `g` and `h` are the rows and columns between the tile and its home.

    >>> run = run_heuristic("manhattan", (4, 0, 1, 5, 3, 2), (1, 2, 3, 4, 5, 0), ())
    >>> [f"{one:g}" for one in run.steps[-1].ranks.values()]
    ['1', '0', '2', '1', '2', '2']
    """
    one = find_exercise(exercise)
    source = one.for_shape(one.solution, shape_of(len(board)))
    lines = lines_of(source)
    recorder = _CellRecorder(lines, board)
    _load(source, recorder, {})[exercise](board, goal)
    nodes = [_alone(board, goal, cell) for cell in range(len(board))]
    nodes += [TreeNode(None, other, 0, 0, 0) for other in others]
    return SearchRun(one, goal, lines, blank_of(one, lines), nodes, recorder.steps, [], [])


@cache
def run_pattern_table(tiles: tuple[int, ...], goal: Cells) -> SearchRun:
    """Run the reference program of a pattern database.

    On the boards of the nodes all tiles outside the pattern are `OTHER`. The ranks and `g` count
    the moves of the pattern's tiles. The last step, which takes no board, makes the table.

    >>> run = run_pattern_table((1,), (1, 2, 3, 4, 5, 0))
    >>> len(run.nodes), run.nodes[1].board, max(run.steps[-1].ranks.values())
    (30, (1, -1, 0, -1, -1, -1), 3)
    """
    one = find_exercise("pattern_table")
    source, _, _ = one.for_shape(one.solution, shape_of(len(goal))).partition("def beside")
    lines = lines_of(source)
    recorder = _PatternRecorder(lines, goal, tiles)
    _load(source, recorder, {"beside": recorder.beside})["pattern_table"](tiles, goal)
    blank = blank_of(one, lines)
    return SearchRun(one, goal, lines, blank, recorder.nodes, recorder.steps, recorder.expanded, [])


def _alone(board: Cells, goal: Cells, cell: int) -> TreeNode:
    """Return the node of the tile in a cell."""
    tile, (_rows, cols) = board[cell], shape_of(len(board))
    alone = tuple(one if one == tile else 0 for one in board)
    home = goal.index(tile) if tile else cell
    down, right = abs(cell // cols - home // cols), abs(cell % cols - home % cols)
    return TreeNode(None, alone, 0, down, right)


def blank_of(exercise: Exercise, lines: list[ProgramLine]) -> int:
    """Return the index of the line that an exercise is about."""
    return [line.text for line in lines].index(exercise.blank)


def lines_of(source: str) -> list[ProgramLine]:
    """Return the lines of a program's functions, without docstrings.

    Of a program with a single function, the body.

    >>> lines_of("def f(x):\\n    '''Double.'''\\n    return 2 * x")
    [ProgramLine(number=3, indent=0, text='return 2 * x')]
    """
    functions = [one for one in ast.parse(source).body if isinstance(one, ast.FunctionDef)]
    rows, found = source.splitlines(), list[ProgramLine]()
    is_alone = len(functions) == 1
    for one in functions:
        first = one.body[_has_docstring(one)].lineno
        numbers = range(first, (one.end_lineno or first) + 1)
        for number in numbers if is_alone else (one.lineno, *numbers):
            text = rows[number - 1]
            indent = (len(text) - len(text.lstrip())) // 4 - is_alone
            found.append(ProgramLine(number, indent, text.strip()))
    return found


def _has_docstring(function: ast.FunctionDef) -> bool:
    return ast.get_docstring(function) is not None


def _load(source: str, recorder: "_Recorder", given: dict[str, Any]) -> dict[str, Any]:
    """Return the names of an instrumented program."""
    tree = ast.fix_missing_locations(_Instrument().visit(ast.parse(source)))
    names: dict[str, Any] = {**GIVEN, **given, "recorder__": recorder}
    exec(compile(tree, "<lesson>", "exec"), names)
    return names


class _Instrument(ast.NodeTransformer):
    """Puts calls of a recorder into the functions of a program."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        body = [part for one in node.body[_has_docstring(node) :] for part in self._parts(one)]
        node.body = [ast.Expr(_call("enter")), *body]
        return node

    def _parts(self, node: ast.stmt) -> Iterator[ast.stmt]:
        line, end = ast.Constant(node.lineno), ast.Constant(node.end_lineno)
        if isinstance(node, (ast.If, ast.While)):
            is_loop = ast.Constant(isinstance(node, ast.While))
            node.test = _call("test", line, is_loop, node.test)
        elif isinstance(node, ast.For):
            target = ast.Constant(getattr(node.target, "id", ""))
            node.iter = _call("each", line, end, target, node.iter)
        else:
            yield ast.Expr(_call("line", line))
        if isinstance(node, (ast.If, ast.While, ast.For)):
            node.body = [part for one in node.body for part in self._parts(one)]
        if isinstance(node, ast.Return) and node.value:
            node.value = _call("returned", line, node.value)
        yield node
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr)):
            names = [
                ast.Constant(one.id)
                for one in ast.walk(node)
                if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
            ]
            yield ast.Expr(_call("done", line, ast.Tuple([*names], ast.Load())))


def _call(name: str, *args: ast.expr) -> ast.Call:
    """Return a call of the recorder with the variables of the program."""
    method = ast.Attribute(ast.Name("recorder__", ast.Load()), name, ast.Load())
    return ast.Call(method, [ast.Call(ast.Name("locals", ast.Load()), [], []), *args], [])


class _Recorder:
    """Records the moments of a program; subclasses read its variables, to find the steps.

    The values are stored for each call, by the length of its path.
    """

    def __init__(self, lines: list[ProgramLine]) -> None:
        self.steps = [SearchStep()]
        self._indexes = {line.number: index for index, line in enumerate(lines)}
        self._values: dict[int, dict[int, Value]] = {0: {}}

    def enter(self, variables: Variables) -> None:
        """A call begins."""

    def see(self, variables: Variables) -> None:
        """Read the variables, after each statement."""

    def moments_of(self, _variables: Variables) -> list[Moment]:
        """Return the list to which a moment belongs."""
        return self.steps[-1].moments

    def depth_of(self, _variables: Variables) -> int:
        """Return the length of the path of a call, 0 outside."""
        return 0

    def line(self, variables: Variables, number: int) -> None:
        """A simple statement begins."""
        self.see(variables)
        self._add(variables, number)

    def done(self, variables: Variables, number: int, names: tuple[str, ...]) -> None:
        """A simple statement ends, which has assigned to these names."""
        numbers = [(name, variables[name]) for name in names if _is_number(variables.get(name))]
        if numbers:
            text = ", ".join(f"{name} = {_number(value)}" for name, value in numbers)
            self._set(variables, number, text)
        self.see(variables)

    def returned(self, variables: Variables, number: int, value: Any) -> Any:
        if _is_number(value):
            self._set(variables, number, _number(value))
        return value

    def test(self, variables: Variables, number: int, is_loop: bool, value: Any) -> Any:
        """The condition of a statement has this value."""
        self.see(variables)
        if not is_loop:
            self._values[self.depth_of(variables)][number] = "yes" if value else "no"
        self._add(variables, number)
        return value

    def each(
        self, variables: Variables, number: int, end: int, target: str, values: Iterable[Any]
    ) -> Iterator[Any]:
        """Yield the values of a loop."""
        listed, is_range = list(values), isinstance(values, range)
        for i, value in enumerate(listed, 1):
            shown = self._values[self.depth_of(variables)]
            for line in [one for one in shown if number <= one <= end]:
                del shown[line]  # of the pass before
            shown[number] = f"{target} {value}" if is_range else (i, len(listed))
            self._add(variables, number)
            yield value

    def _set(self, variables: Variables, number: int, value: Value) -> None:
        """Set a value that is known only after its line, whose moment may be the last."""
        self._values[self.depth_of(variables)][number] = value
        moments = self.moments_of(variables)
        if moments and moments[-1].line == self._indexes[number]:
            moments[-1] = Moment(self._indexes[number], self._shown(variables))

    def _add(self, variables: Variables, number: int) -> None:
        moment = Moment(self._indexes[number], self._shown(variables))
        self.moments_of(variables).append(moment)

    def _shown(self, variables: Variables) -> dict[int, Value]:
        shown = self._values[0] | self._values[self.depth_of(variables)]
        return {self._indexes[number]: value for number, value in shown.items()}


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


def _number(value: float) -> str:
    return "∞" if value == inf else f"{value}"


class _SearchRecorder(_Recorder):
    """Records the tree of a search too."""

    def __init__(self, lines: list[ProgramLine], goal: Cells, h: Callable[..., int] | None) -> None:
        super().__init__(lines)
        self.goal, self.h = goal, h
        self.nodes: list[TreeNode] = []
        self.expanded: list[Cells] = []
        self._children: dict[tuple[int | None, Cells], int] = {}
        self._numbers: dict[int, int] = {}

    def neighbors(self, board: Cells) -> list[Cells]:
        """Return the boards a move away; the program expands the board."""
        self.expanded.append(board)
        found = boards_beside(board)
        self.steps[-1].beside = len(found)
        return found

    def child(self, parent: int | None, board: Cells, g: int | None = None) -> int:
        """Return the node of a board below another, which may be new."""
        key = parent, board
        if key not in self._children:
            depth = 0 if parent is None else self.nodes[parent].depth + 1
            h = self.h(board, self.goal) if self.h else None
            self._children[key] = len(self.nodes)
            self.nodes.append(TreeNode(parent, board, depth, depth if g is None else g, h))
        return self._children[key]


class _QueueRecorder(_SearchRecorder):
    """Follows the variable `queue`: an entry that has gone is taken, and a new one is made."""

    def __init__(self, lines: list[ProgramLine], goal: Cells, h: Callable[..., int] | None) -> None:
        super().__init__(lines, goal, h)
        self._entries: dict[Any, int] = {}
        self._ranks: dict[int, float] = {}

    def _read(self, entry: Any, _variables: Variables) -> tuple[Cells, int | None, float]:
        """Return the board of an entry, the cost of its path if the entry has it, and its rank."""
        is_ranked = isinstance(entry[-1], tuple)
        # Without an estimate, the number in the heap is the cost.
        cost = entry[0] if is_ranked and self.h is None else None
        return (entry[-1] if is_ranked else entry), cost, entry[0]

    def test(self, variables: Variables, number: int, is_loop: bool, value: Any) -> Any:
        if is_loop:  # each pass takes a board
            self.see(variables)
            self.steps.append(SearchStep())
            self._values[0].clear()
        return super().test(variables, number, is_loop, value)

    def see(self, variables: Variables) -> None:
        step, queue = self.steps[-1], list(variables.get("queue", ()))
        for entry, node in self._entries.items():
            if entry not in queue and node not in self._numbers:
                step.node, self._numbers[node] = node, len(self.steps) - 1
        for entry in queue:
            if entry not in self._entries:
                board, cost, rank = self._read(entry, variables)
                node = self.child(step.node, board, cost)
                self._entries[entry], self._ranks[node] = node, rank
                step.made.append(node)
        ordered = sorted(queue) if queue and isinstance(queue[0][-1], tuple) else queue
        step.waiting = [self._entries[entry] for entry in ordered]
        step.ranks = dict(self._ranks)
        step.numbers = dict(self._numbers)
        step.states = dict.fromkeys(self._numbers, "done") | dict.fromkeys(step.waiting, "wait")
        if step.node is not None:
            step.states[step.node] = "now"


class _PatternRecorder(_QueueRecorder):
    """Follows a queue of the cells of some tiles and of the blank."""

    def __init__(self, lines: list[ProgramLine], goal: Cells, tiles: tuple[int, ...]) -> None:
        super().__init__(lines, goal, None)
        self.tiles = tiles

    def _read(self, entry: Any, variables: Variables) -> tuple[Cells, int | None, float]:
        cells, blank = entry
        tile_in = dict(zip((*cells, blank), (*self.tiles, 0), strict=True))
        board = tuple(tile_in.get(cell, OTHER) for cell in range(len(self.goal)))
        moves = variables["moves"][entry]
        return board, moves, moves

    def beside(self, _blank: int, _width: int) -> list[int]:
        """Return the cells next to the blank of the board taken."""
        board = self.nodes[self.steps[-1].node or 0].board
        return [after.index(0) for after in self.neighbors(board)]


class _RecursiveRecorder(_SearchRecorder):
    """Follows the calls of a function with the variable `boards`, a path.

    With `waiting`, a list of values and boards, the search stores those alone. Otherwise all boards
    of a round stay visible.
    """

    def __init__(self, lines: list[ProgramLine], goal: Cells, h: Callable[..., int] | None) -> None:
        super().__init__(lines, goal, h)
        self._lead: list[Moment] = []
        self._path: list[int] = []
        self._waiting: dict[int, tuple[int, list[Any]]] = {}
        self._round: dict[int, str] = {}
        self._stored: dict[int, float] = {}

    def depth_of(self, variables: Variables) -> int:
        return len(variables.get("boards", ()))

    def moments_of(self, variables: Variables) -> list[Moment]:
        # What a caller does after a call leads to the next board.
        is_here = self.depth_of(variables) == len(self._path)
        return self.steps[-1].moments if is_here else self._lead

    def enter(self, variables: Variables) -> None:
        depth, limit = self.depth_of(variables), variables.get("limit")
        if not depth:
            return
        if depth == 1:
            self._round, self._numbers = {}, {}
            self._limit = limit if isinstance(limit, int) else None
        node = None
        for board in variables["boards"]:
            node = self.child(node, board)
        assert node is not None
        self._path = [*self._path[: depth - 1], node]
        self._values[depth] = {}
        self._numbers[node] = len(self._numbers) + 1
        self._round[node] = "now"
        self._stored[depth] = variables.get("stored", 0)
        self.steps.append(SearchStep(node, self._lead, limit=self._limit))
        self._lead = []

    def neighbors(self, board: Cells) -> list[Cells]:
        found = super().neighbors(board)
        here = self._path[-1]
        on_path = {self.nodes[node].board for node in self._path}
        for after in found:
            if after not in on_path:
                node = self.child(here, after)
                self._round.setdefault(node, "wait")
                self.steps[-1].made.append(node)
        return found

    def see(self, variables: Variables) -> None:
        depth, step = self.depth_of(variables), self.steps[-1]
        if not depth or depth != len(self._path):
            return
        here = self._path[-1]
        if "waiting" in variables:
            self._waiting[depth] = here, variables["waiting"]
            self._show_stored(step)
            return
        is_cut = "f" in variables and variables["f"] > variables["limit"]
        self._round[here] = "cut" if is_cut else "done"
        step.states = self._round | {here: "cut" if is_cut else "now"}
        step.numbers, step.waiting = dict(self._numbers), list(self._path)

    def _show_stored(self, step: SearchStep) -> None:
        """Show the path, and the boards that wait beside it."""
        step.states = dict.fromkeys(self._path, "done")
        step.numbers = {node: self._numbers[node] for node in self._path}
        step.ranks = {node: self._stored[depth] for depth, node in enumerate(self._path, 1)}
        for depth in range(1, len(self._path) + 1):
            parent, entries = self._waiting[depth]
            for f, board in entries:
                node = self.child(parent, board)
                if node not in self._path:
                    step.states[node], step.ranks[node] = "wait", f
                    step.waiting.append(node)
        step.waiting = sorted(
            (node for node, state in step.states.items() if state == "wait"),
            key=lambda node: (step.ranks[node], node),
        )
        step.states[self._path[-1]] = "now"


class _CellRecorder(_Recorder):
    """Begins a step at each pass of a loop over the cells, and follows the variable `total`."""

    def __init__(self, lines: list[ProgramLine], board: Cells) -> None:
        super().__init__(lines)
        self._board = board
        self._loop = next(i for i, line in enumerate(lines) if line.text.startswith("for "))

    def _add(self, variables: Variables, number: int) -> None:
        if self._indexes[number] == self._loop:
            self.steps.append(SearchStep(len(self.steps) - 1, ranks=dict(self.steps[-1].ranks)))
        super()._add(variables, number)

    def see(self, variables: Variables) -> None:
        step = self.steps[-1]
        if step.node is None:
            return
        earlier = sum(one for node, one in step.ranks.items() if node != step.node)
        step.ranks[step.node] = variables["total"] - earlier
        step.waiting = list(range(step.node + 1))
        step.states = dict.fromkeys(range(len(self._board)), "wait")
        step.states |= dict.fromkeys(step.waiting, "done") | {step.node: "now"}
        step.numbers = {node: node + 1 for node in step.waiting}
