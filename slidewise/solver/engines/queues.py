"""Queues as programs have them: what decides which of several nodes with one f is taken first.

Each entry is pushed with a key that is compared, the lowest first; of equal keys each queue has
its own way. A queue of nodes in the order in which they were made is a heap whose keys end with a
count.
"""

from __future__ import annotations

import heapq
from typing import Any, Generic, Protocol, TypeVar

Node = TypeVar("Node")


class NodeQueue(Protocol[Node]):
    """A queue of nodes."""

    def __len__(self) -> int:
        """Return the number of entries."""

    def push(self, key: Any, node: Node) -> None:
        """Add a node."""

    def pop(self) -> Node:
        """Take a node with the lowest key."""


class _Entry(Generic[Node]):
    """An entry of which heapq sees the key alone."""

    __slots__ = ("key", "node")

    def __init__(self, key: Any, node: Node) -> None:
        self.key = key
        self.node = node

    def __lt__(self, other: _Entry[Node]) -> bool:
        return bool(self.key < other.key)


class Heapq(Generic[Node]):
    """Python's heapq: a node taken leaves a hole that goes down to a leaf before it is filled."""

    def __init__(self) -> None:
        self._entries: list[_Entry[Node]] = []

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._entries)

    def push(self, key: Any, node: Node) -> None:
        """Add a node."""
        heapq.heappush(self._entries, _Entry(key, node))

    def pop(self) -> Node:
        """Take the node at the root."""
        return heapq.heappop(self._entries).node


class BinaryHeap(Generic[Node]):
    """The textbooks' binary heap, as in Sedgewick's MinPQ and Java's PriorityQueue.

    The last entry is put in the place of the one taken, and sinks; of two equal children it
    changes places with the left one.

    Source: R. Sedgewick and K. Wayne, Algorithms, 4th edition, 2011, section 2.4.
    """

    def __init__(self) -> None:
        self._entries: list[tuple[Any, Node]] = []

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._entries)

    def push(self, key: Any, node: Node) -> None:
        """Add a node at the end, and let it swim up."""
        entries, at = self._entries, len(self._entries)
        entries.append((key, node))
        while at and entries[(at - 1) // 2][0] > key:
            entries[at] = entries[(at - 1) // 2]
            at = (at - 1) // 2
        entries[at] = key, node

    def pop(self) -> Node:
        """Take the node at the root, and let the last one sink from there."""
        entries = self._entries
        taken, last = entries[0], entries.pop()
        if entries:
            self._sink(last)
        return taken[1]

    def _sink(self, entry: tuple[Any, Node]) -> None:
        entries, at = self._entries, 0
        while (child := 2 * at + 1) < len(entries):
            if child + 1 < len(entries) and entries[child][0] > entries[child + 1][0]:
                child += 1
            if not entry[0] > entries[child][0]:
                break
            entries[at] = entries[child]
            at = child
        entries[at] = entry
