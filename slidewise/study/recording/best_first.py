"""Recording best-first searches: one frontier, ranked by f."""

from __future__ import annotations

import heapq
from collections import Counter
from typing import TYPE_CHECKING

from slidewise.solver.events import Fate
from slidewise.solver.weights import exact_weight
from slidewise.study.recording.recording import Recorder, State, moves

if TYPE_CHECKING:
    from slidewise.puzzle import Board, Puzzle
    from slidewise.solver.events import Expanded, Successor
    from slidewise.solver.registry import Algorithm
    from slidewise.study.recording.recording import Node

_FORMULAS = {"bfs": "g", "ucs": "g", "dfs": "−g", "greedy": "h", "astar": "g + h"}
_ORDERS = {
    "bfs": "A queue: the oldest comes first.",
    "dfs": "A stack: the deepest comes first; of equal depth, the one made first.",
    "ucs": "A priority queue: the cheapest path comes first; of equal cost, the one made first.",
    "greedy": "A priority queue: the lowest h comes first; of equal h, the one made first.",
}
_USUAL_ORDER = "A priority queue: the lowest f comes first; of equal f, the one made first."


class BestFirst(Recorder):
    """One frontier: the lowest f first and, of equal f, the node that was made first."""

    def __init__(self, puzzle: Puzzle, algorithm: Algorithm, weight: float | None) -> None:
        super().__init__(puzzle, algorithm, weight)
        self._key = algorithm.key
        self._weight = exact_weight(weight or 1)
        self._place_of_number: dict[int, int] = {0: self._add_root(0, puzzle.start)}
        self._known: dict[Board, int] = {puzzle.start: 0}
        self._waiting: list[tuple[int, int]] = []
        self._ties: Counter[int] = Counter()

    def _words(self, algorithm: Algorithm, weight: float | None) -> tuple[str, str, str, str]:
        formula = _FORMULAS.get(algorithm.key, "")
        if algorithm.key == "wastar":
            exact = exact_weight(weight or 1)
            formula = f"{_times(exact.denominator)}g + {_times(exact.numerator)}h"
        order = _ORDERS.get(algorithm.key, _USUAL_ORDER)
        return formula, order, "rank", "reached"

    def _place_of(self, event: Expanded) -> int:
        return self._place_of_number[event.node]

    def _keep(self, at: int, parent: int, successor: Successor) -> int:
        place = self._add(at, parent, successor, State.WAITING)
        if successor.fate is Fate.SHORTER:
            older = self.nodes[self._known[successor.board]]
            if older.state is State.WAITING:
                self._ties[older.f] -= 1
            older.become(at, State.REPLACED)
        self._known[successor.board] = place
        assert successor.node is not None
        self._place_of_number[successor.node] = place
        heapq.heappush(self._waiting, (successor.f, place))
        self._ties[successor.f] += 1
        return place

    def _take(self, place: int, at: int) -> str:
        """Take a node. Those before it in the order, but for useless ones, were taken as well,
        and not expanded, as they stand at the depth limit."""
        if at == 1:
            return "The start is the only node there is."
        while (first := heapq.heappop(self._waiting)[1]) != place:
            if self.nodes[first].state is State.WAITING:
                self.nodes[first].become(at, State.LEFT)
                self._ties[self.nodes[first].f] -= 1
        node = self.nodes[place]
        ties = self._ties[node.f]
        self._ties[node.f] -= 1
        return self._why(node, ties)

    def _sizes(self) -> tuple[int, int]:
        return sum(self._ties.values()), len(self._known)

    def _why(self, node: Node, ties: int) -> str:
        """Say why `node` came next, of `ties` nodes with the lowest f."""
        if self._key == "bfs":
            return f"It is the oldest in the queue, {_depth(node)}."
        if self._key == "dfs":
            return f"It is the deepest on the frontier, {_depth(node)}{_first_of(ties, 'as deep')}."
        if self._key == "ucs":
            words = f"It has the cheapest path on the frontier: g = {node.g}"
            return f"{words}{_first_of(ties, 'as cheap')}."
        if self._key == "greedy":
            return f"It has the lowest h on the frontier: {node.h}{_first_of(ties, 'with that h')}."
        return f"{self._ranked(node)}{_first_of(ties, f'with f {node.f}')}."

    def _ranked(self, node: Node) -> str:
        formula = self.recording.formula
        if self._key == "astar":
            parts = f"{node.g} + {node.h}"
        elif self._key == "wastar":
            parts = f"{self._weight.denominator * node.g} + {self._weight.numerator * node.h}"
        else:
            return f"It has the lowest f on the frontier: {node.f}"
        return f"It has the lowest f = {formula}: {parts} = {node.f}"


def _first_of(ties: int, what: str) -> str:
    return f"; of the {ties} nodes {what}, it was made first" if ties > 1 else ""


def _depth(node: Node) -> str:
    return f"{moves(node.g)} from the start"


def _times(factor: int) -> str:
    return "" if factor == 1 else str(factor)
