"""A plain search that keeps its expansions, under any convention and with any mistake."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from slidewise.puzzle import format_moves
from slidewise.solver.convention import find_convention
from slidewise.solver.engines.plain_best_first import BookNode, BookSearch, moved
from slidewise.solver.events import Fate
from slidewise.solver.find import find_algorithm, find_fitting_heuristic
from slidewise.solver.limits import EXACT_DEFAULT, Limits
from slidewise.solver.loop import Outcome
from slidewise.solver.task import Task, follow
from slidewise.study.check.change import PLAIN, Change, FreeTies, SortedTooEarly
from slidewise.study.check.plain_ends import PlainTwoEnds
from slidewise.study.check.plain_paths import PlainDeepening, PlainRecursion
from slidewise.study.check.plain_search import swapped_in_place

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from slidewise.puzzle import Puzzle
    from slidewise.solver.convention import Convention
    from slidewise.study.check.change import Ways
    from slidewise.study.check.given import Row
    from slidewise.study.check.plain_search import PlainSearch

    AnySearch: TypeAlias = "TracedSearch | PlainSearch"
    Estimates = dict[bytes, int]


REFERENCE_LIMITS = Limits(expansions=5_000_000)
"""Of the search that is compared with: some seconds where it is compiled."""


@dataclass(frozen=True)
class AskedSearch:
    """What a program was asked to do, and the limits of the search that it is compared with.

    Estimates worked out once serve all that is tried.
    """

    puzzle: Puzzle
    algorithm: str
    heuristic: str | None
    limits: Limits = REFERENCE_LIMITS
    weight: Fraction = EXACT_DEFAULT
    estimates: Estimates = field(default_factory=dict, compare=False)

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

    def convention(self, text: str, change: Change = PLAIN) -> Convention:
        """Return the convention that a text names, for the algorithm that it is in truth."""
        return find_convention(text, change.algorithm or self.algorithm)

    def traced(self, convention: Convention, change: Change = PLAIN) -> AnySearch:
        """Return the search, which has not begun."""
        task = self.task(convention, change)
        plain = PLAIN_SEARCHES.get(task.algorithm.key)
        if plain is None:
            return TracedSearch(self, task, change)
        return plain(task, change, self.estimates if change.goal is None else {})


PLAIN_SEARCHES: dict[str, type[PlainSearch]] = {
    "iddfs": PlainDeepening,
    "idastar": PlainDeepening,
    "rbfs": PlainRecursion,
    "bidirectional": PlainTwoEnds,
}
"""The searches that are not best-first, by the keys of their algorithms."""


class TracedSearch(BookSearch):
    """A search that keeps its expansions in their order in `nodes`."""

    uncounted: frozenset[str] = frozenset()
    endless = False

    def __init__(self, asked: AskedSearch, task: Task, change: Change) -> None:
        self.nodes: list[BookNode] = []
        self.change = change
        self._pairs: list[tuple[bytes, int]] = []
        self._done: set[bytes] = set()
        self._shared: Iterator[bytes] = iter(())
        self.ended: Outcome | None = None
        self._cols = task.puzzle.cols
        self._aim = bytes(task.puzzle.goal.cells)
        self._first = bytes(task.puzzle.start.cells)
        rank = task.algorithm.rank(task.weight)
        assert rank is not None
        super().__init__(task, rank._replace(**_weights(change, task.weight)), sound=False)
        own = change.h is None and change.goal is None and task.heuristic is not None
        if own:
            asked.estimates.update(self._estimates)
            self._estimates = asked.estimates
        if change.ways is not None:
            rows, cols = task.puzzle.start.size
            self._ways = change.ways(rows, cols, self._ways, task.convention.order)
        if change.forgets_start:
            self._reached.clear()
        if change.queue is not None or change.follows:
            start = self._queue.pop()
            self._queue = change.queue() if change.queue else FreeTies(self._board_given)
            self._queue.push(self._key(start), start)

    def step(self) -> bool:
        """Take one node; return whether it was expanded. `ended` says how the search has ended."""
        expanded = len(self.nodes)
        if self.ended is None:
            outcome = self.advance(1)
            self.ended = None if outcome is Outcome.RUNNING else outcome
        return len(self.nodes) > expanded

    def run(self, most: int) -> bool:
        """Go on to the end; return False where `most` expansions in all are not enough."""
        while self.ended is None and len(self.nodes) < most:
            self.step()
        return self.ended is not None

    @property
    def goal_cells(self) -> bytes:
        """Return the cells of the board that it looks for."""
        return self._aim

    @property
    def ways(self) -> Ways:
        """Return the cells that the blank can go to from each cell."""
        return self._ways

    def f_of(self, node: BookNode) -> float:
        """Return what the frontier is ranked by, as a program works it out."""
        rank = self.change.rank
        scale = rank[0] if isinstance(rank, tuple) else scale_of_f(self._task)
        return self._f(node) / max(1, scale)

    def moves(self) -> str:
        """Return the moves of the path found, "" without one."""
        if self.ended is not Outcome.GOAL:
            return ""
        try:
            return follow(self._task.puzzle.start, self.path())[0]
        except KeyError:  # it made a step that is no move
            return ""

    def counts(self) -> dict[str, int]:
        """Return the counts after the end, by the names of the fields of a result."""
        cost = self.cost(0.0)
        found = {
            "expanded": cost.expanded,
            "generated": cost.generated,
            "peak_stored": cost.peak_stored,
            "peak_frontier": cost.peak_frontier,
            "deepest": cost.deepest,
        }
        if self.ended is Outcome.GOAL:
            found["length"] = len(self.path()) - 1
        return found

    def _board_given(self) -> bytes:
        return self.change.board_given(len(self.nodes)) or self._aim

    def _key(self, node: BookNode) -> Any:
        if not self.change.follows or self.change.queue:
            return super()._key(node)
        return node.g if self._task.algorithm.key == "bfs" else self._f(node)

    def _take(self) -> BookNode | None:
        node = super()._take()
        if node is not None and self.change.switches.get("member") == "pairs":
            self._pairs.remove((node.cells, self._f(node)))
        return node

    def _keep(self, node: BookNode) -> None:
        if self.change.switches.get("member") == "pairs":
            self._pairs.append((node.cells, self._f(node)))
        super()._keep(node)

    def _make(self, parent: BookNode, cells: bytes) -> tuple[BookNode, Fate]:
        if self.change.switches.get("copies") == "none":
            cells = next(self._shared)
        return super()._make(parent, cells)

    def _expand(self, node: BookNode) -> None:
        self.nodes.append(node)
        self._done.add(node.cells)
        made = [moved(node.cells, cell) for cell in self._ways[node.cells.index(0)]]
        self._shared = iter(swapped_in_place(node.cells, made))
        if isinstance(self._queue, SortedTooEarly):
            self._queue.sort()
        super()._expand(node)

    def _successor(self, parent: BookNode, cells: bytes) -> BookNode:
        node = super()._successor(parent, cells)
        if self.change.g is not None:
            node.g = self.change.g(parent, self)
        if self.change.parents_estimate:
            node.h = self._h(parent.cells)
        return node

    def _fate(self, node: BookNode) -> Fate:
        if self.change.switches.get("member") == "pairs":
            known = node.cells in self._done or (node.cells, self._f(node)) in self._pairs
            return Fate.REACHED if known else Fate.KEPT
        fate = super()._fate(node)
        if fate is Fate.SHORTER and self.change.switches.get("entry") == "stale":
            waiting = self._reached[node.cells]
            if waiting.waiting:
                waiting.g, waiting.parent = node.g, node.parent
                return Fate.REACHED
        again = self.change.forgets_start and node.cells == self._first
        if again and node.cells not in self._reached:
            return Fate.KEPT
        return fate

    def h_of(self, cells: bytes) -> float:
        """Return the estimate of a board."""
        return self._h(cells)

    def _h(self, cells: bytes) -> int:
        if self.change.h is None:
            return super()._h(cells)
        value: int = self.change.h(cells, self._aim, self._cols)
        return value


def _weights(change: Change, weight: Fraction) -> dict[str, int]:
    if change.rank is None:
        return {}
    rank = change.rank if isinstance(change.rank, tuple) else change.rank(weight)
    return dict(zip(("g_weight", "h_weight"), rank, strict=True))


def scale_of_f(searched: AskedSearch | Task) -> int:
    """Return how many times g + w h the f of weighted A* is, which is a whole number."""
    key = searched.algorithm if isinstance(searched.algorithm, str) else searched.algorithm.key
    return searched.weight.denominator if key == "wastar" else 1


def agreed(search: AnySearch, rows: Sequence[Row], most: int | None = None) -> int:
    """Return how many of the first rows are what a search expands, looking at `most` at most.

    The goal as the last row counts as agreed where the search takes it then.
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
        if row.cells != node.cells or any(
            abs(value - value_of(search, node, key)) > TOLERANCE
            for key, value in row.values.items()
        ):
            return number
    return len(rows)


TOLERANCE = 0.01
"""How far a value printed with few decimals may be from the one that is meant."""


def value_of(search: AnySearch, node: Any, key: str) -> float:
    """Return g, h or f of a node."""
    values: dict[str, float] = {"g": node.g, "h": node.h}
    return values.get(key, search.f_of(node))


def shown(moves: str) -> str:
    """Return moves as they are told: with run lengths, shortened."""
    text = format_moves(moves)
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]} ..."


SHOWN_CHARACTERS = 200
"""The longest path that a sentence repeats, in characters."""
