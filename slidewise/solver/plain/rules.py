"""Conventions as rules of the plain best-first search, with the priority queues of programs.

Queues order their entries by key, lowest first, and differ in the order of equal keys.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from slidewise.solver.convention import (
    SLIDEWISE,
    Convention,
    CountRule,
    Duplicates,
    GoalTest,
    Queue,
    Ties,
)
from slidewise.solver.plain.best_first import (
    FIRST_PATH_ONLY,
    OWN,
    BestFirst,
    FrontierRules,
    NodeKey,
    NodeQueue,
)
from slidewise.solver.task import Task


class _Entry:
    """A heap entry that compares by its key only."""

    __slots__ = ("key", "node")

    def __init__(self, key: Any, node: int) -> None:
        self.key = key
        self.node = node

    def __lt__(self, other: _Entry) -> bool:
        return bool(self.key < other.key)


class Heapq:
    """Python's heapq, which moves the root's hole down to a leaf before filling it."""

    def __init__(self) -> None:
        self._entries: list[_Entry] = []

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._entries)

    def push(self, key: Any, node: int) -> None:
        """Add a node."""
        heapq.heappush(self._entries, _Entry(key, node))

    def pop(self) -> int:
        """Remove and return the root node."""
        return heapq.heappop(self._entries).node


class BinaryHeap:
    """The textbook binary heap, as in Sedgewick's MinPQ and Java's PriorityQueue.

    The last entry replaces the root and sinks. Between equal children it swaps with the left child.

    Source: R. Sedgewick and K. Wayne, Algorithms, 4th edition, 2011, section 2.4.
    """

    def __init__(self) -> None:
        self._entries: list[tuple[Any, int]] = []

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._entries)

    def push(self, key: Any, node: int) -> None:
        """Append a node and let it swim up."""
        entries, at = self._entries, len(self._entries)
        entries.append((key, node))
        while at and entries[(at - 1) // 2][0] > key:
            entries[at] = entries[(at - 1) // 2]
            at = (at - 1) // 2
        entries[at] = key, node

    def pop(self) -> int:
        """Remove and return the root node, and let the last entry sink from there."""
        entries = self._entries
        taken, last = entries[0], entries.pop()
        if entries:
            self._sink(last)
        return taken[1]

    def _sink(self, entry: tuple[Any, int]) -> None:
        entries, at = self._entries, 0
        while (child := 2 * at + 1) < len(entries):
            if child + 1 < len(entries) and entries[child][0] > entries[child + 1][0]:
                child += 1
            if not entry[0] > entries[child][0]:
                break
            entries[at] = entries[child]
            at = child
        entries[at] = entry


def rules_of(convention: Convention, algorithm: str, *, reopen: bool = True) -> FrontierRules:
    """Return the rules of a convention for an algorithm.

    Slidewise's own rules are the rules of the compiled search, with or without `reopen`.
    """
    if convention.is_own:
        return OWN if reopen else FIRST_PATH_ONLY
    return written_rules(convention, algorithm)


def written_rules(convention: Convention, algorithm: str) -> FrontierRules:
    """Return the rules of a convention, also of Slidewise's own, with a queue and keys."""
    duplicates = convention.duplicates
    return FrontierRules(
        against=duplicates.against,
        decreases_key=duplicates.decreases_key,
        reopens=duplicates.reopens,
        passes_over=duplicates.passes_over,
        tests_made=convention.goal_test is GoalTest.MADE,
        depth_of_made=convention.deepest is CountRule.MADE,
        queue=_queue(algorithm, convention),
        key=_key(algorithm, convention),
    )


def reopening(task: Task) -> Task:
    """Return a task of depth-first search with the rule for duplicates that its depth limit needs.

    Slidewise's convention drops every later path to a board. Under a depth limit the goal may be
    within reach by the shorter path only.
    """
    convention = task.convention
    if task.limits.depth is None or task.algorithm.key != "dfs":
        return task
    if convention.named_after != SLIDEWISE.key or convention.duplicates is not Duplicates.MADE:
        return task
    return replace(task, convention=replace(convention, duplicates=Duplicates.SHORTER))


def _queue(algorithm: str, convention: Convention) -> Callable[[], NodeQueue]:
    is_priority_queue = algorithm not in ("bfs", "dfs")
    return BinaryHeap if is_priority_queue and convention.queue is Queue.BINARY_HEAP else Heapq


def _key(algorithm: str, convention: Convention) -> NodeKey:
    """Return the key of the nodes in the queue.

    Breadth-first search uses a FIFO queue. Depth-first search uses a stack that returns the first
    or the last sibling first.
    """
    if algorithm == "bfs":
        return lambda search, node: node
    if algorithm == "dfs":
        sign = 1 if convention.siblings is Ties.FIRST_IN else -1
        return lambda search, node: (search.f(node), sign * node)
    tie = _TIES.get(convention.ties, _no_tie)
    if convention.queue is Queue.BOARDS:
        # Python compares tuples to the end, so equal boards need the node's number.
        return lambda search, node: (search.f(node), tie(search, node), search.cells[node], node)
    if convention.queue in (Queue.COUNTER, Queue.LIST):
        sign = -1 if convention.ties is Ties.LAST_IN else 1
        return lambda search, node: (search.f(node), tie(search, node), sign * node)
    return lambda search, node: (search.f(node), tie(search, node))


def _no_tie(search: BestFirst, node: int) -> int:
    return 0


_TIES: dict[Ties, NodeKey] = {
    Ties.HIGHER_G: lambda search, node: -search.g[node],
    Ties.LOWER_G: lambda search, node: search.g[node],
    Ties.LOWER_H: lambda search, node: search.h[node],
}
"""Tie-breakers of equal f."""
