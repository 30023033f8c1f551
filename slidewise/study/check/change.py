"""What a mistaken program does otherwise than a plain one."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from fractions import Fraction

    from slidewise.puzzle import Board
    from slidewise.solver.engines.plain_best_first import BookNode, BookSearch
    from slidewise.study.check.given import Row

    Ways = list[list[int]]


@dataclass(frozen=True)
class Change:
    """What a mistaken program does otherwise; None: as it should be.

    `h(cells, goal, cols)` is its estimate, `g(parent, search)` the cost of a successor, `rank` its
    f, as g and h weights or made from the weight that was asked for; `ways(rows, cols, ways,
    order)` are the cells that the blank can go to, from the right ones; `algorithm` is the one it
    is in truth, `goal` that which it looks for. `forgets_start`: the start is not noted as reached.
    `parents_estimate`: a successor gets the h of its parent. `queue` makes its frontier. `switches`
    are those of a `PlainSearch`, and of any search: `copies`: there are `none`, each successor is
    swapped in one list; `entry`: that of a node with a shorter path stays `stale` in the queue;
    `member`: a board is looked for among `pairs` of f and board. `follows`: of several boards that
    may come next, the one given by the next of these rows does.
    """

    h: Callable[[bytes, bytes, int], Any] | None = None
    g: Callable[[BookNode, BookSearch], int] | None = None
    rank: tuple[int, int] | Callable[[Fraction], tuple[int, int]] | None = None
    ways: Callable[[int, int, Ways, str], Ways] | None = None
    algorithm: str | None = None
    goal: Callable[[int, int], Board] | None = None
    forgets_start: bool = False
    parents_estimate: bool = False
    queue: Callable[[], SortedTooEarly] | None = None
    switches: Mapping[str, str] = field(default_factory=dict)
    follows: Sequence[Row] = ()

    def board_given(self, number: int) -> bytes | None:
        """Return the cells of the row after `number` rows, None after the last."""
        return self.follows[number].cells if number < len(self.follows) else None


class FreeTies:
    """A queue that takes, of the nodes with the lowest key, the one whose board was given.

    `wanted` returns the cells of that board.
    """

    def __init__(self, wanted: Callable[[], bytes]) -> None:
        self._wanted = wanted
        self._keys: list[float] = []
        self._nodes: dict[float, dict[bytes, list[BookNode]]] = {}
        self._size = 0

    def __len__(self) -> int:
        """Return the number of entries."""
        return self._size

    def push(self, key: float, node: BookNode) -> None:
        """Add a node."""
        if key not in self._nodes:
            heapq.heappush(self._keys, key)
            self._nodes[key] = {}
        self._nodes[key].setdefault(node.cells, []).append(node)
        self._size += 1

    def pop(self) -> BookNode:
        """Take the node that was given, or any one if it does not have the lowest key."""
        key = self._keys[0]
        boards = self._nodes[key]
        cells = self._wanted()
        if cells not in boards:
            cells = next(iter(boards))
        node = boards[cells].pop(0)
        self._size -= 1
        if not boards[cells]:
            del boards[cells]
        if not boards:
            del self._nodes[heapq.heappop(self._keys)]
        return node


class SortedTooEarly:
    """A list that is sorted before the successors of a node are added to it.

    With `from_end` the list is sorted downwards and the last entry taken, else the first.
    """

    def __init__(self, *, from_end: bool) -> None:
        self._entries: list[tuple[float, BookNode]] = []
        self._from_end = from_end

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._entries)

    def push(self, key: tuple[float, ...], node: BookNode) -> None:
        """Add a node at the end."""
        self._entries.append((key[0], node))

    def pop(self) -> BookNode:
        """Take the node at the end that nodes are taken from."""
        return self._entries.pop(-1 if self._from_end else 0)[1]

    def sort(self) -> None:
        """Sort by f alone, as Python's `sort` does with a key."""
        self._entries.sort(key=lambda entry: entry[0], reverse=self._from_end)


PLAIN = Change()
"""No mistake."""
