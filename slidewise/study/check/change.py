"""What a mistaken program does otherwise than a plain one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from fractions import Fraction

    from slidewise.puzzle import Board
    from slidewise.solver.engines.by_the_book import BookNode, BookSearch

    Ways = list[list[int]]


@dataclass(frozen=True)
class Change:
    """What a mistaken program does otherwise; None: as it should be.

    `h(cells, goal, cols)` is its estimate, `g(parent, search)` the cost of a successor, `rank` its
    f, as g and h weights or made from the weight that was asked for; `ways(rows, cols, ways,
    order)` are the cells that the blank can go to, from the right ones; `algorithm` is the one it
    is in truth, `goal` that which it looks for. `forgets_start`: the start is not noted as reached.
    `parents_estimate`: a successor gets the h of its parent. `queue` makes its frontier. `switches`
    are those of a `PlainSearch`.
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
