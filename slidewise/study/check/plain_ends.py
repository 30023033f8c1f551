"""Breadth-first search from both ends as a plain loop."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from slidewise.study.check.plain_search import PlainNode, PlainSearch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    _Queue: TypeAlias = deque[tuple[bytes, int]]


class PlainTwoEnds(PlainSearch):
    """Two searches that meet.

    Switches: `turn`: the ends take turns by `layers` or by `nodes`, the `smaller` frontier gives
    the next node, or the `start` alone does; `meeting`: looked for when a node is `taken`; `stack`:
    the newest node comes first.
    """

    def expansions(self) -> Iterator[PlainNode]:
        """Yield the nodes in the order in which they are expanded."""
        ends = self.start, self.goal_cells
        self._made = 2
        if self.start == self.goal_cells:
            self.path, self._made = [self.start], 1
            return
        self._parents: list[dict[bytes, bytes | None]] = [{one: None} for one in ends]
        waiting = [deque([(one, 0)]) for one in ends]
        when_taken = self.switches.get("meeting") == "taken"
        end, left = 1, 0
        while all(waiting):
            end, left = self._turn(waiting, end, left)
            self._follow(waiting[end])
            cells, g = waiting[end].pop() if "stack" in self.switches else waiting[end].popleft()
            if when_taken and cells in self._parents[1 - end]:
                self.path = [*self._way(0, cells)[::-1], *self._way(1, cells)[1:]]
                return
            yield PlainNode(cells, g, 0, g)
            for new in self.successors(cells):
                self._made += 1
                if new in self._parents[end]:
                    continue
                if new in self._parents[1 - end] and not when_taken:
                    halves = self._way(end, cells)[::-1], self._way(1 - end, new)
                    self.path = [*halves[0], *halves[1]][:: 1 if end == 0 else -1]
                    return
                self._parents[end][new] = cells
                waiting[end].append((new, g + 1))

    def generated(self) -> int:
        """Return how many nodes were made, the goal counted like the start."""
        return self._made

    def _follow(self, waiting: _Queue) -> None:
        """Put the board of the outermost layer that was given next at the front."""
        for entry in waiting:
            if entry[1] != waiting[0][1]:
                return
            if self.is_given_next(entry[0]):
                waiting.remove(entry)
                waiting.appendleft(entry)
                return

    def _turn(self, waiting: list[_Queue], end: int, left: int) -> tuple[int, int]:
        """Return the end that expands the next node, and how many of its layer follow that."""
        if left:
            return end, left - 1
        turn = self.switches.get("turn")
        sizes = [len(one) for one in waiting]
        if turn == "start":
            return 0, 0
        if turn in ("layers", "nodes"):
            return 1 - end, sizes[1 - end] - 1 if turn == "layers" else 0
        end = 1 if sizes[1] < sizes[0] else 0
        return end, 0 if turn == "smaller" else sizes[end] - 1

    def _way(self, end: int, cells: bytes) -> list[bytes]:
        """Return the boards from `cells` to where its end began."""
        way: list[bytes] = []
        one: bytes | None = cells
        while one is not None:
            way.append(one)
            one = self._parents[end][one]
        return way
