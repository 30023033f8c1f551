"""The searches of checked programs: plain loops under any convention, with any known mistake."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, MutableSequence, Sequence
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from slidewise.course.check.mistakes import PLAIN, Change, FreeTies, SortedTooEarly, written_as
from slidewise.course.check.plain_best_first import PlainBestFirst, PlainNode
from slidewise.course.check.reading import WorkRow
from slidewise.puzzle import Board, Puzzle, PuzzleError
from slidewise.solver.convention import Convention
from slidewise.solver.estimate import Estimate
from slidewise.solver.events import Fate
from slidewise.solver.loop import Outcome
from slidewise.solver.plain.moves import neighbour_cells
from slidewise.solver.result import ContradictionError
from slidewise.solver.run import find_algorithm, find_fitting_heuristic
from slidewise.solver.task import EXACT_DEFAULT, Limits, Rank, Task, follow

REFERENCE_LIMITS = Limits(expansions=5_000_000)
"""Maximum expansions of the reference search: some seconds when compiled."""


@dataclass(frozen=True)
class ReferenceSearch:
    """The task of the checked program, and the limits of the reference search.

    Cached estimates are shared by all candidates.
    """

    puzzle: Puzzle
    algorithm: str
    heuristic: str | None
    limits: Limits = REFERENCE_LIMITS
    weight: Fraction = EXACT_DEFAULT
    estimates: dict[bytes, int] = field(default_factory=dict, compare=False)

    def task(self, convention: Convention, change: Change = PLAIN) -> Task:
        """Return the task under a convention, with the algorithm and goal of a mistake."""
        chosen = find_algorithm(change.algorithm or self.algorithm)
        heuristic = None
        if self.heuristic and chosen.uses_heuristic:
            heuristic = find_fitting_heuristic(self.heuristic, *self.puzzle.start.size)
        puzzle = self.puzzle
        if change.goal is not None:
            puzzle = replace(puzzle, goal=change.goal(*puzzle.goal.size))
        return Task(puzzle, chosen, heuristic, Limits(), self.weight, convention=convention)

    def traced(self, convention: Convention, change: Change = PLAIN) -> TracedSearch:
        """Return the search, before its first expansion."""
        task = self.task(convention, change)
        program = PLAIN_SEARCHES.get(task.algorithm.key, TracedBestFirst)
        return program(task, change, self.estimates if change.goal is None else {})

    @property
    def f_scale(self) -> int:
        """Return the scale that makes g + w h, the f of weighted A*, an integer."""
        return self.weight.denominator if self.algorithm == "wastar" else 1


class ProgramNode(NamedTuple):
    """An expanded node; f is the stored value."""

    cells: bytes
    g: int
    h: float
    f: float


class TracedSearch:
    """A search that stores its expansions in order in `nodes`.

    With the switch `copies` as `none` all successors share one list.
    """

    uncounted: frozenset[str] = frozenset()
    """Fields of a result that it does not count."""

    f_scale = 1
    """The factor by which `f_of` is above the program's f, so that it is an integer."""

    def __init__(self, task: Task, change: Change, estimates: dict[bytes, int]) -> None:
        self.nodes: list[Any] = []
        self.ended: Outcome | None = None
        self.switches = {**written_as(task.convention), **change.switches}
        self.start = bytes(task.puzzle.start.cells)
        self.goal_cells = bytes(task.puzzle.goal.cells)
        size, order = task.puzzle.start.size, task.convention.order
        self.ways = neighbour_cells(*size, order)
        if change.ways is not None:
            self.ways = change.ways(*size, self.ways, order)
        self._task, self._change, self._known = task, change, estimates

    def step(self) -> bool:
        """Advance by one expansion; return whether there was one. `ended` is the outcome."""
        raise NotImplementedError

    def path(self) -> list[int]:
        """Return the cells of the blank from the start to the goal, none without a path."""
        raise NotImplementedError

    def counts(self) -> dict[str, int]:
        """Return the final counts, by the names of the fields of a result."""
        raise NotImplementedError

    @property
    def endless(self) -> bool:
        """Return whether it may not terminate, and may therefore be stopped anywhere."""
        return False

    def f_of(self, node: Any) -> float:
        """Return the program's f of a node, times `f_scale`."""
        value: float = node.f
        return value

    def run(self, most: int) -> bool:
        """Run to the end; return False if that takes more than `most` expansions in all."""
        while self.ended is None and len(self.nodes) < most:
            self.step()
        return self.ended is not None

    def moves(self) -> str:
        """Return the moves of the path, "" without one."""
        try:
            return follow(self._task.puzzle.start, blanks)[0] if (blanks := self.path()) else ""
        except ContradictionError:  # the path has a step that is not a move
            return ""

    def successors(self, cells: bytes) -> list[bytes]:
        """Return the neighbour boards, in the order of the convention."""
        shared, blank, found = bytearray(cells), cells.index(0), []
        for cell in self.ways[blank]:
            if self.switches.get("copies") != "none":
                shared[:] = cells
            shared[blank], shared[cell] = shared[cell], shared[blank]
            found.append(bytes(shared))
        return found

    def board_given(self) -> bytes | None:
        """Return the next of the rows that the search follows, or the goal after the last."""
        rows = self._change.follows
        if not rows:
            return None
        return rows[len(self.nodes)].cells if len(self.nodes) < len(rows) else self.goal_cells

    def h(self, cells: bytes) -> float:
        """Return the program's estimate, 0 without a heuristic."""
        puzzle = self._task.puzzle
        if self._change.h is not None:
            value: float = self._change.h(cells, self.goal_cells, puzzle.cols)
            return value
        if self._task.heuristic is None:
            return 0
        known = self._known.get(cells)
        if known is None:
            board = Board(puzzle.rows, puzzle.cols, tuple(cells))
            known = self._known[cells] = self._built.value(board)
        return known

    @cached_property
    def _built(self) -> Estimate:
        return self._task.estimate


class TracedBestFirst(TracedSearch, PlainBestFirst):
    """A best-first search.

    Switches: with `entry` as `stale` the queue entry of a node with a shorter path is not updated.
    With `member` as `pairs` duplicates are detected by f and board.
    """

    def __init__(self, task: Task, change: Change, estimates: dict[bytes, int]) -> None:
        TracedSearch.__init__(self, task, change, estimates)
        self._pairs: set[tuple[bytes, int]] = set()
        self._done: set[bytes] = set()
        rank = task.algorithm.rank(task.weight)
        if rank is None:
            raise PuzzleError(
                f"{task.algorithm.title} reports no expansions, so only a path can be checked"
            )
        if task.algorithm.key == "wastar":
            self.f_scale = task.weight.denominator
        if isinstance(change.rank, tuple):
            rank, self.f_scale = Rank(*change.rank), max(1, change.rank[0])
        elif change.rank is not None:
            rank = Rank(*change.rank(task.weight))
        PlainBestFirst.__init__(self, task, rank, sound=False)
        self._ways = self.ways
        if change.forgets_start:
            self._reached.clear()
        if change.queue is not None or change.follows:
            start = self._queue.pop()
            self._queue = change.queue() if change.queue else FreeTies(self.board_given)
            self._queue.push(self._key(start), start)

    def step(self) -> bool:
        """Take one node; return whether it was expanded. `ended` is set at the end."""
        expanded = len(self.nodes)
        if self.ended is None:
            outcome = self.advance(1)
            self.ended = None if outcome is Outcome.RUNNING else outcome
        return len(self.nodes) > expanded

    def f_of(self, node: Any) -> float:
        """Return the program's rank of a node in the frontier."""
        return self._f(node)

    def path(self) -> list[int]:
        """Return the cells of the blank from the start to the goal, none without a path."""
        return PlainBestFirst.path(self) if self.ended is Outcome.GOAL else []

    def counts(self) -> dict[str, int]:
        """Return the final counts, by the names of the fields of a result."""
        found = asdict(self.cost(0.0))
        return {**found, "length": len(self.path()) - 1} if self.path() else found

    def _h(self, cells: bytes) -> Any:
        return self.h(cells)

    def _key(self, node: PlainNode) -> Any:
        if not self._change.follows or self._change.queue:
            return super()._key(node)
        return node.g if self._task.algorithm.key == "bfs" else self._f(node)

    @property
    def _looks_for_pairs(self) -> bool:
        return self.switches.get("member") == "pairs"

    def _keep(self, node: PlainNode) -> None:
        if self._looks_for_pairs:
            self._pairs.add((node.cells, self._f(node)))
        super()._keep(node)

    def _neighbours(self, cells: bytes) -> list[bytes]:
        return self.successors(cells)

    def _expand(self, node: PlainNode) -> None:
        self.nodes.append(node)
        self._done.add(node.cells)
        if isinstance(self._queue, SortedTooEarly):
            self._queue.sort()
        super()._expand(node)

    def _successor(self, parent: PlainNode, cells: bytes) -> PlainNode:
        node = super()._successor(parent, cells)
        if self._change.g is not None:
            node.g = self._change.g(parent, self)
        if self._change.parents_estimate:
            node.h = self._h(parent.cells)
        return node

    def _fate(self, node: PlainNode) -> Fate:
        if self._looks_for_pairs:
            known = node.cells in self._done or (node.cells, self._f(node)) in self._pairs
            return Fate.REACHED if known else Fate.KEPT
        if self._change.forgets_start and node.cells == self.start:
            return super()._fate(node) if node.cells in self._reached else Fate.KEPT
        fate = super()._fate(node)
        waiting = self._reached.get(node.cells)
        if fate is Fate.SHORTER and waiting and waiting.waiting and "entry" in self.switches:
            waiting.g, waiting.parent = node.g, node.parent
            return Fate.REACHED
        return fate


class ProgramSearch(TracedSearch):
    """A search with a loop of its own: `expansions` yields nodes and sets `boards` at the goal."""

    uncounted = frozenset({"peak_stored", "peak_frontier"})

    def __init__(self, task: Task, change: Change, estimates: dict[bytes, int]) -> None:
        super().__init__(task, change, estimates)
        self.boards: list[bytes] = []
        self._running = self.expansions()

    def expansions(self) -> Iterator[ProgramNode]:
        """Yield the nodes in the order in which they are expanded."""
        raise NotImplementedError

    def step(self) -> bool:
        """Advance by one expansion; return whether there was one. `ended` is the outcome."""
        if self.ended is None:
            for node in self._running:
                self.nodes.append(node)
                return True
            self.ended = Outcome.GOAL if self.boards else Outcome.EMPTY
        return False

    def bring_given(self, waiting: MutableSequence[tuple[bytes, int]], end: int) -> None:
        """Move the next given board to an end, 0 or -1, if it waits there at the same depth."""
        given, places = self.board_given(), range(len(waiting))
        if given is None:
            return
        for at in places if end == 0 else reversed(places):
            if waiting[at][1] != waiting[end][1]:
                return
            if waiting[at][0] == given:
                entry = waiting[at]
                del waiting[at]
                waiting.insert(len(waiting) if end else 0, entry)
                return

    def path(self) -> list[int]:
        """Return the cells of the blank from the start to the goal, none without a path."""
        return [cells.index(0) for cells in self.boards]

    def generated(self) -> int:
        """Return the number of generated nodes, with the start once and with backward moves."""
        return 1 + sum(len(self.ways[node.cells.index(0)]) for node in self.nodes)

    def counts(self) -> dict[str, int]:
        """Return the final counts, by the names of the fields of a result."""
        found = {
            "expanded": len(self.nodes),
            "generated": self.generated(),
            "deepest": max([node.g for node in self.nodes] + [len(self.boards) - 1]),
        }
        return {**found, "length": len(self.boards) - 1} if self.boards else found


class PlainTwoEnds(ProgramSearch):
    """Bidirectional search.

    Switches: with `turn` the sides alternate by `layers` or by `nodes`, the `smaller` frontier is
    next, or only the `start` side expands. With `meeting` as `taken`, the test is at expansion,
    with `layer` after a whole layer. With `stack` the newest node is first.
    """

    def expansions(self) -> Iterator[ProgramNode]:
        """Yield the nodes in the order in which they are expanded."""
        ends = self.start, self.goal_cells
        self._made = 2
        if self.start == self.goal_cells:
            self.boards, self._made = [self.start], 1
            return
        self._parents: list[dict[bytes, bytes | None]] = [{one: None} for one in ends]
        waiting = [deque([(one, 0)]) for one in ends]
        when_taken = self.switches.get("meeting") == "taken"
        after_layer = self.switches.get("meeting") == "layer"
        end, left, found = 1, 0, list[bytes]()
        while all(waiting):
            if found and not left:
                self.boards = found
                return
            end, left = self._turn([len(one) for one in waiting], end, left)
            self.bring_given(waiting[end], 0)
            cells, g = waiting[end].pop() if "stack" in self.switches else waiting[end].popleft()
            if when_taken and cells in self._parents[1 - end]:
                self.boards = [*self._way(0, cells)[::-1], *self._way(1, cells)[1:]]
                return
            yield ProgramNode(cells, g, 0, g)
            for new in self.successors(cells):
                self._made += 1
                if new in self._parents[end]:
                    continue
                if new in self._parents[1 - end] and not when_taken and not found:
                    halves = self._way(end, cells)[::-1], self._way(1 - end, new)
                    found = [*halves[0], *halves[1]][:: 1 if end == 0 else -1]
                if found and not after_layer:
                    self.boards = found
                    return
                self._parents[end][new] = cells
                waiting[end].append((new, g + 1))

    def generated(self) -> int:
        """Return the number of generated nodes, with the goal counted like the start."""
        return self._made

    def _turn(self, sizes: list[int], end: int, left: int) -> tuple[int, int]:
        """Return the side to expand, and the remaining nodes of its layer."""
        if left:
            return end, left - 1
        turn = self.switches.get("turn")
        if turn == "start":
            return 0, 0
        if turn in ("layers", "nodes"):
            return 1 - end, sizes[1 - end] - 1 if turn == "layers" else 0
        end = 1 if sizes[1] < sizes[0] else 0
        return end, 0 if turn == "smaller" else sizes[end] - 1

    def _way(self, end: int, cells: bytes) -> list[bytes]:
        """Return the boards from `cells` to the root of its side."""
        way: list[bytes] = []
        one: bytes | None = cells
        while one is not None:
            way.append(one)
            one = self._parents[end][one]
        return way


class _OnePath(ProgramSearch):
    """A search that stores one path."""

    def onward(self, path: list[bytes]) -> list[bytes]:
        """Return the successors of the last board to visit.

        The switch `back` leaves out those on the `path`, the `parent` only, or `none`.
        """
        left_out = {"path": path, "none": []}.get(self.switches.get("back", ""), path[-2:-1])
        return [cells for cells in self.successors(path[-1]) if cells not in left_out]


class PlainDeepening(_OnePath):
    """Depth-first search within a rising limit, on f or, without a heuristic, on g.

    Switches: `limit` is the rule for the next limit (`plus-one`, `plus-two`, the `highest` or
    `last` f above this one). `keeps` selects the f values (`below` the limit). `visited` forbids a
    board twice in an iteration (`yes`) or in all iterations (`kept`), or forbids any expanded
    successor (`made`), or a board unless its new path is `shorter`. With `late` a board at the
    depth limit is not compared with the goal. With `first` as `one` the first limit is 1. With
    `lists` as `all` boards that the limit cuts off are listed like expanded ones.
    """

    @property
    def endless(self) -> bool:
        """Return whether limits rise for ever because visited boards hide the goal."""
        return self.switches.get("visited") in ("kept", "made")

    def expansions(self) -> Iterator[ProgramNode]:
        """Yield the nodes in the order in which they are expanded."""
        limit: float = 1 if self.switches.get("first") == "one" else self.h(self.start)
        self._visited: set[bytes] = set()
        while True:
            cut: list[float] = []
            if not self.endless:
                self._visited.clear()
            yield from self._within(limit, cut)
            if self.boards or not (cut or self.endless):
                return
            limit = self._next(limit, cut) if cut else limit + 1

    def _next(self, limit: float, cut: list[float]) -> float:
        """Return the next limit; `cut` has the lowest, the highest and the last f above this."""
        way = self.switches.get("limit", "lowest")
        fixed = {"plus-one": limit + 1, "plus-two": limit + 2}
        found = {"lowest": cut[0], "highest": cut[1], "last": cut[2]}
        return {**fixed, **found}[way]

    def _within(self, limit: float, cut: list[float]) -> Iterator[ProgramNode]:
        waiting, path = [(self.start, 0)], list[bytes]()
        lowest: dict[bytes, int] = {}
        visited, rule = self._visited, self.switches.get("visited")
        by_depth = self._task.heuristic is None
        late = by_depth and "late" in self.switches
        lists_all = "lists" in self.switches
        while waiting:
            self.bring_given(waiting, -1)
            cells, g = waiting.pop()
            f = g + self.h(cells)
            if g and self._is_over(f, limit):
                if lists_all:
                    yield ProgramNode(cells, g, f - g, f)
                _note(cut, max(f, limit + 1) if self._is_below else f, limit)
                continue
            if rule in ("yes", "kept"):
                if cells in visited and (g or rule == "yes"):
                    continue
                visited.add(cells)
            path[g:] = [cells]
            if cells == self.goal_cells and not (late and g == limit):
                self.boards = path
                return
            if by_depth and g >= limit:
                if lists_all:
                    yield ProgramNode(cells, g, 0, f)
                _note(cut, g + 1, limit)
                continue
            if rule == "shorter" and lowest.get(cells, g + 1) <= g:
                continue
            lowest[cells] = g
            yield ProgramNode(cells, g, self.h(cells), f)
            made = self.onward(path)
            if rule == "made":
                visited.add(cells)
                made = [new for new in self.successors(cells) if new not in visited]
            waiting.extend((new, g + 1) for new in reversed(made))

    @property
    def _is_below(self) -> bool:
        return self.switches.get("keeps") == "below"

    def _is_over(self, f: float, limit: float) -> bool:
        return f >= limit if self._is_below else f > limit


def _note(cut: list[float], f: float, limit: float) -> None:
    """Record the lowest, the highest and the last f above the limit."""
    if f > limit:
        cut[:] = [min(cut[0], f), max(cut[1], f), f] if cut else [f, f, f]


@dataclass(slots=True)
class _Level:
    """A node of the path: its stored f, the bound below it, and its successors as [stored f,
    cells]. `chosen` is the successor on the path."""

    node: ProgramNode
    bound: float
    successors: list[_Waiting] = field(default_factory=list)
    chosen: _Waiting | None = None


@dataclass(slots=True)
class _Waiting:
    """A successor: its board, and its stored f."""

    cells: bytes
    f: float


class PlainRecursion(_OnePath):
    """Recursive best-first search.

    Switches: with `stored` successors start from g + h alone (`own`) or always from their parent's
    stored f (`parents`). `bound` is the path's (`inherited`) or the second best f (`second`).
    `goes-on` continues only `below` the bound. `ties` are `sorted` in place. `returned` as `lost`
    drops the backed-up f. `root` as `h` sets the first bound.
    """

    @property
    def endless(self) -> bool:
        """Return whether it enters the same successor for ever."""
        return self.switches.get("returned") == "lost"

    def expansions(self) -> Iterator[ProgramNode]:
        """Yield the nodes in the order in which they are expanded."""
        h = self.h(self.start)
        bound = h if self.switches.get("root") == "h" else math.inf
        levels = [_Level(ProgramNode(self.start, 0, h, h), bound)]
        taken = True
        while levels:
            level = levels[-1]
            if taken:
                if level.node.cells == self.goal_cells:
                    self.boards = [one.node.cells for one in levels]
                    return
                yield level.node
                self._make(level, [one.node.cells for one in levels])
            best, second = self._best_two(level)
            taken = best is not None and self._goes_on(best.f, level.bound)
            if taken and best is not None:
                level.chosen = best
                g = level.node.g + 1
                node = ProgramNode(best.cells, g, self.h(best.cells), best.f)
                levels.append(_Level(node, self._bound(level.bound, second)))
            else:
                levels.pop()
                if levels and levels[-1].chosen is not None and not self.endless:
                    levels[-1].chosen.f = best.f if best is not None else math.inf

    def _make(self, level: _Level, path: list[bytes]) -> None:
        _, g, h, stored = level.node
        rule = self.switches.get("stored", "")
        least = stored if stored > g + h or rule == "parents" else 0
        for cells in self.onward(path):
            f = g + 1 + self.h(cells)
            level.successors.append(_Waiting(cells, f if rule == "own" else max(f, least)))

    def _best_two(self, level: _Level) -> tuple[_Waiting | None, float]:
        """Return the successor with the lowest stored f, and the next lowest f."""
        ranked = sorted(level.successors, key=lambda one: one.f)
        if self.switches.get("ties") == "sorted":
            level.successors = ranked
        best = ranked[0] if ranked and ranked[0].f < math.inf else None
        for other in ranked:
            if best is not None and other.f == best.f and other.cells == self.board_given():
                best = other
        return best, ranked[1].f if len(ranked) > 1 else math.inf

    def _goes_on(self, f: float, bound: float) -> bool:
        return f < bound if self.switches.get("goes-on") == "below" else f <= bound

    def _bound(self, inherited: float, second: float) -> float:
        bounds = {"inherited": inherited, "second": second}
        return bounds.get(self.switches.get("bound", ""), min(inherited, second))


PLAIN_SEARCHES: dict[str, type[ProgramSearch]] = {
    "iddfs": PlainDeepening,
    "idastar": PlainDeepening,
    "rbfs": PlainRecursion,
    "bidirectional": PlainTwoEnds,
}
"""Searches that are not best-first, by algorithm key."""


def agreed(search: TracedSearch, rows: Sequence[WorkRow], most: int | None = None) -> int:
    """Return the number of leading rows that match the search, up to `most`.

    The goal matches as the last row if the search takes it next.
    """
    rows = rows[:most]
    for number, row in enumerate(rows):
        if number < len(search.nodes):
            node: Any = search.nodes[number]
        elif search.step():
            node = search.nodes[-1]
        else:
            last = number == len(rows) - 1 and search.ended is Outcome.GOAL
            return number + (last and row.cells == search.goal_cells)
        if row.cells != node.cells or wrong_value(row, node, search.f_of(node), search.f_scale):
            return number
    return len(rows)


TOLERANCE = 0.01
"""Tolerance of a value printed with few decimals."""


def wrong_value(row: WorkRow, node: Any, f: float, f_scale: int) -> str:
    """Return the name of the first value of a row that is not the node's, "" if there is none.

    `f` is `f_scale` times the program's, which may print either.
    """
    expected = {"g": (node.g,), "h": (node.h,), "f": (f, f / f_scale)}
    for name, value in row.values.items():
        if min(abs(value - one) for one in expected[name]) > TOLERANCE:
            return name
    return ""
