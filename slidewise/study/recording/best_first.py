"""Recording best-first searches: one frontier, ranked by f."""

from __future__ import annotations

import heapq
from collections import Counter
from typing import TYPE_CHECKING

from slidewise.solver.events import Fate
from slidewise.solver.task import Rank
from slidewise.study.recording.node import State
from slidewise.study.recording.recorder import REACHED, Recorder
from slidewise.text import plural

if TYPE_CHECKING:
    from slidewise.puzzle import Board, Puzzle
    from slidewise.solver.events import LateExpanded, Successor
    from slidewise.solver.task import Algorithm
    from slidewise.study.recording.node import Node

START = "The start is the only node."


class BestFirstRecorder(Recorder):
    """One frontier: the lowest f first and, with equal f, the node that was made first."""

    usual_order = "A priority queue: the lowest f comes first; with equal f, the one made first."
    memory_label = REACHED

    def __init__(self, puzzle: Puzzle, algorithm: Algorithm, weight: float | None) -> None:
        super().__init__(puzzle, algorithm, weight)
        self._node_of_number[0] = self._add_root(0, puzzle.start)
        self._reached: dict[Board, int] = {puzzle.start: 0}
        self._queue: list[tuple[int, int]] = []
        self._waiting_with_f: Counter[int] = Counter()

    def _keep(self, at: int, parent: int, successor: Successor) -> int:
        index = self._add(at, parent, successor, State.WAITING)
        if successor.fate is Fate.SHORTER and successor.board in self._reached:
            older = self.nodes[self._reached[successor.board]]
            if older.state is State.WAITING:
                self._waiting_with_f[older.f] -= 1
            older.set_state(at, State.REPLACED)
        self._reached[successor.board] = index
        assert successor.node is not None
        self._node_of_number[successor.node] = index
        heapq.heappush(self._queue, (successor.f, index))
        self._waiting_with_f[successor.f] += 1
        return index

    def _take(self, index: int, at: int) -> str:
        """Take a node. Those before it in the queue that were not replaced were taken as well,
        but not expanded, as they are at the depth limit."""
        if at == 1:
            return START
        node = self.nodes[index]
        place = node.f, index if node.fate else 0  # made in the gap: before those that are known
        while self._queue and self._queue[0] <= place:
            first = heapq.heappop(self._queue)[1]
            if first != index and self.nodes[first].state is State.WAITING:
                self.nodes[first].set_state(at, State.LEFT)
                self._waiting_with_f[self.nodes[first].f] -= 1
        tied = self._waiting_with_f[node.f]
        self._waiting_with_f[node.f] -= 1
        return self._why(node, tied)

    def _forget(self) -> None:
        self._reached.clear()
        self._queue.clear()

    def _late_sizes(self, event: LateExpanded) -> tuple[int | None, int | None]:
        """Return the sizes; where a longer path can come first, some nodes stored share a board."""
        return event.frontier, event.stored if self.rank == Rank(1, 0) else None

    def _sizes(self) -> tuple[int, int]:
        return sum(self._waiting_with_f.values()), len(self._reached)

    def _why(self, node: Node, tied: int) -> str:
        """Say why `node` came next, of `tied` nodes with the lowest f, a number that is not known
        after the gap."""
        frontier = self.frontier
        filled_in = {
            "g": node.g,
            "h": node.h,
            "f": node.f,
            "depth": plural(node.g, "move"),
            "formula": self.recording.formula,
            "sum": self.rank.worked_out(node.g, node.h) if self.rank else str(node.f),
        }
        reason = (frontier.reason or self._usual_reason()).format(**filled_in)
        if not frontier.ties or (tied < 2 and not self.recording.gap):
            return f"{reason}."
        ties = frontier.ties.format(**filled_in)
        if self.recording.gap:
            return f"{reason}; among nodes {ties}, if there were others, {self._tie_words()}."
        return f"{reason}; of the {tied} nodes {ties}, {self._tie_words()}."

    def _tie_words(self) -> str:
        """Return why a node was taken before those that tie with it."""
        return "it was made first"

    def _usual_reason(self) -> str:
        if self.rank:
            return "It has the lowest f = {formula}: {sum}"
        return "It has the lowest f on the frontier: {f}"
