"""Plain best-first search under a convention, with the priority queues of common programs.

Queues order their entries by key, lowest first, and differ in the order of equal keys. Insertion
order is a heap whose keys end with a counter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from slidewise.puzzle import Board
from slidewise.solver.convention import Against, CountRule, GoalTest, Queue, Ties
from slidewise.solver.events import Fate
from slidewise.solver.loop import Outcome
from slidewise.solver.plain.moves import STEPS, neighbour_cells
from slidewise.solver.plain.rules import BinaryHeap, Heapq
from slidewise.solver.result import Cost
from slidewise.solver.task import Rank, Task

NODE_BYTES = 400
"""Memory per node in bytes, with its cells, queue entry and cached estimates."""


class PlainNode:
    """A search node: its cells as bytes, its parent, g, h and creation number.

    `useless` is true if a shorter path to its board was found while it was on the frontier.
    """

    __slots__ = ("cells", "expanded", "g", "h", "number", "parent", "useless", "waiting")

    def __init__(self, number: int, cells: bytes, parent: PlainNode | None, g: int, h: int) -> None:
        self.number = number
        self.cells = cells
        self.parent = parent
        self.g = g
        self.h = h
        self.useless = self.expanded = False
        self.waiting = True

    def path(self) -> Iterator[PlainNode]:
        """Yield the node and its ancestors up to the start."""
        node: PlainNode | None = self
        while node is not None:
            yield node
            node = node.parent


class PlainBestFirst:
    """Best-first search under a convention with the frontier ranked by `rank`.

    `sound` is true if the lowest f on the frontier is a lower bound on undiscovered paths.
    """

    def __init__(self, task: Task, rank: Rank, *, sound: bool) -> None:
        self._task = task
        self._rank = rank
        self._convention = task.convention
        self._sound = sound
        self._ways = neighbour_cells(task.puzzle.rows, task.puzzle.cols, task.convention.order)
        self._goal = bytes(task.puzzle.goal.cells)
        self._room = max(len(STEPS), task.limits.memory(len(self._goal)) // NODE_BYTES)
        self._estimate = task.estimate
        self._estimates: dict[bytes, int] = {}
        self._queue = _queue(task)
        self._reached: dict[bytes, PlainNode] = {}
        self._trail: list[PlainNode] = []
        self._on_trail: set[bytes] = set()
        self._goal_node: PlainNode | None = None
        self._expanded, self._generated, self._stored, self._deepest = 0, 1, 0, 0
        self._useless = self._peak_frontier = self._lowest_f = 0
        self.pruned = False
        cells = bytes(task.puzzle.start.cells)
        self._keep(PlainNode(0, cells, None, 0, self._h(cells)))

    @property
    def expanded(self) -> int:
        """Number of expanded nodes."""
        return self._expanded

    def advance(self, budget: int) -> Outcome:
        """Expand up to `budget` nodes; return the outcome."""
        for _ in range(budget):
            if self._stored + len(STEPS) > self._room:
                return Outcome.FULL
            node = self._take()
            if node is None:
                return Outcome.EMPTY
            if node.cells == self._goal:
                self._goal_node = node
            else:
                self._expand(node)
            if self._goal_node:
                self._deepest = max(self._deepest, self._goal_node.g)
                return Outcome.GOAL
        return Outcome.RUNNING

    def _take(self) -> PlainNode | None:
        """Remove and return the next node to expand, or None if there is none."""
        depth = self._task.limits.depth
        while len(self._queue):
            node: PlainNode = self._queue.pop()
            node.waiting = False
            self._useless -= node.useless
            if self._is_passed_over(node):
                continue
            self._lowest_f = max(self._lowest_f, self._f(node))
            if depth is not None and node.g >= depth and node.cells != self._goal:
                self.pruned = True
                continue
            return node
        return None

    def _is_passed_over(self, node: PlainNode) -> bool:
        rule = self._convention.duplicates
        if not rule.passes_over:
            return False
        known = self._reached.get(node.cells) if rule.against is Against.EXPANDED else None
        again = known is not None and not (rule.reopens and node.g < known.g)
        return node.useless or again

    def _expand(self, node: PlainNode) -> None:
        self._expanded += 1
        self._deepest = max(self._deepest, node.g)
        node.expanded = True
        if self._convention.duplicates.against is Against.EXPANDED:
            self._reached[node.cells] = node
        generated = []
        for cells in self._neighbours(node.cells):
            generated.append(self._make(node, cells))
            if self._convention.goal_test is GoalTest.MADE and cells == self._goal:
                break

    def _neighbours(self, cells: bytes) -> list[bytes]:
        return [moved(cells, cell) for cell in self._ways[cells.index(0)]]

    def _make(self, parent: PlainNode, cells: bytes) -> tuple[PlainNode, Fate]:
        """Create a successor and return it with its fate."""
        self._generated += 1
        successor = self._successor(parent, cells)
        fate = self._fate(successor)
        if fate.is_kept:
            if fate is Fate.SHORTER:
                self._forget(self._reached[cells])
            self._keep(successor)
            if self._convention.goal_test is GoalTest.MADE and cells == self._goal:
                self._goal_node = successor
        return successor, fate

    def _successor(self, parent: PlainNode, cells: bytes) -> PlainNode:
        return PlainNode(self._stored, cells, parent, parent.g + 1, self._h(cells))

    def _fate(self, node: PlainNode) -> Fate:
        """Return the fate of a successor under the duplicate rule."""
        rule, parent = self._convention.duplicates, node.parent
        assert parent is not None
        if rule.against is Against.NOTHING:
            return Fate.KEPT
        if parent.parent and parent.parent.cells == node.cells:
            return Fate.WENT_BACK
        if rule.against is Against.PATH:
            return Fate.ON_PATH if node.cells in self._path_to(parent) else Fate.KEPT
        known = self._reached.get(node.cells)
        if known is None:
            return Fate.KEPT
        if node.g >= known.g:
            return Fate.REACHED
        if rule.reopens if known.expanded else rule.decreases_key:
            return Fate.SHORTER
        return Fate.NOT_AGAIN

    def _path_to(self, node: PlainNode) -> set[bytes]:
        """Return the boards on the path to a node. Depth-first search maintains them with the
        stack."""
        if self._task.algorithm.key != "dfs":
            return {one.cells for one in node.path()}
        if len(self._trail) <= node.g or self._trail[node.g] is not node:
            for left in self._trail[node.g :]:
                self._on_trail.discard(left.cells)
            self._trail[node.g :] = [node]
            self._on_trail.add(node.cells)
        return self._on_trail

    def _forget(self, older: PlainNode) -> None:
        """Mark a node as superseded by a shorter path if the rule skips superseded nodes."""
        if older.waiting and self._convention.duplicates.passes_over:
            older.useless = True
            self._useless += 1

    def _keep(self, node: PlainNode) -> None:
        if self._convention.duplicates.against is Against.MADE:
            self._reached[node.cells] = node
        self._stored += 1
        if self._convention.deepest is CountRule.MADE:
            self._deepest = max(self._deepest, node.g)
        self._queue.push(self._key(node), node)
        self._peak_frontier = max(self._peak_frontier, self._frontier)

    def _key(self, node: PlainNode) -> Any:
        """Return the key of a node in the queue: f, the tie-breaker and the queue's own part.

        Breadth-first search uses a FIFO queue. Depth-first search uses a stack that returns the
        first or the last sibling first.
        """
        convention, f = self._convention, self._f(node)
        if self._task.algorithm.key == "bfs":
            return node.number
        if self._task.algorithm.key == "dfs":
            return f, node.number if convention.siblings is Ties.FIRST_IN else -node.number
        ties = {Ties.HIGHER_G: -node.g, Ties.LOWER_G: node.g, Ties.LOWER_H: node.h}
        tie = ties.get(convention.ties, 0)
        if convention.queue is Queue.BOARDS:
            return f, tie, node.cells, node.number
        if convention.queue in (Queue.COUNTER, Queue.LIST):
            return f, tie, -node.number if convention.ties is Ties.LAST_IN else node.number
        return f, tie

    def _f(self, node: PlainNode) -> int:
        return self._rank.g_weight * node.g + self._rank.h_weight * node.h

    def _h(self, cells: bytes) -> int:
        if self._task.heuristic is None:
            return 0
        known = self._estimates.get(cells)
        if known is None:
            known = self._estimates[cells] = self._estimate.value(self._board(cells))
        return known

    def _board(self, cells: bytes) -> Board:
        return Board(self._task.puzzle.rows, self._task.puzzle.cols, tuple(cells))

    @property
    def _frontier(self) -> int:
        return len(self._queue) - self._useless

    def cost(self, seconds: float) -> Cost:
        """Return the cost of the search by the counting rules of the convention."""
        found = self._goal_node is not None
        return Cost(
            expanded=self._expanded + (found and self._convention.counts_goal),
            generated=self._generated,
            peak_frontier=self._peak_frontier,
            peak_stored=self._stored,
            deepest=self._deepest,
            seconds=seconds,
        )

    def path(self) -> list[int]:
        """Return the cells of the blank from the start to the goal, after `Outcome.GOAL`."""
        assert self._goal_node is not None
        return [node.cells.index(0) for node in self._goal_node.path()][::-1]


def _queue(task: Task) -> Any:
    is_priority_queue = task.algorithm.key not in ("bfs", "dfs")
    if is_priority_queue and task.convention.queue is Queue.BINARY_HEAP:
        return BinaryHeap()
    return Heapq()


def moved(cells: bytes, cell: int) -> bytes:
    """Return the cells after the tile in `cell` has moved into the blank."""
    moved = bytearray(cells)
    moved[cells.index(0)], moved[cell] = cells[cell], 0
    return bytes(moved)
