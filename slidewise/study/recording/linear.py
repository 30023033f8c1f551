"""Recording searches that keep one path and what waits along it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidewise.study.recording.recording import Made, Recorder, State

if TYPE_CHECKING:
    from slidewise.puzzle import Puzzle
    from slidewise.solver.events import Expanded, Iteration, Successor
    from slidewise.solver.registry import Algorithm
    from slidewise.study.recording.recording import Node

_KEPT = "kept in memory"


class _OnePath(Recorder):
    """A path, and at each level the nodes that wait there, in the order of their making.

    `_levels[0]` is the root, and `_levels[g]` are the successors of the node at g - 1 on the path.
    """

    def __init__(self, puzzle: Puzzle, algorithm: Algorithm, weight: float | None) -> None:
        super().__init__(puzzle, algorithm, weight)
        self._limit = 0
        self._kind = ""
        self._trail: list[int] = []
        self._levels: list[list[int]] = []
        self._place_of_number: dict[int, int] = {}

    def begin(self, event: Iteration) -> None:
        super().begin(event)
        self._limit, self._kind = event.limit, event.kind

    def _new_root(self, at: int) -> int:
        root = self._add_root(at, self.recording.puzzle.start)
        if self.recording.iterations:
            self._generated -= 1  # the start counts once
        self._trail, self._levels = [], [[root]]
        return root

    def _place_of(self, event: Expanded) -> int:
        if event.parent is None:
            return self._levels[0][0]
        return self._place_of_number[event.node]

    def _note(self, made: list[Made]) -> None:
        super()._note(made)
        self._levels.append([one.node for one in made if one.fate.is_kept])

    def _number(self, place: int, successor: Successor) -> int:
        assert successor.node is not None
        self._place_of_number[successor.node] = place
        return place

    def _sizes(self) -> tuple[int, int]:
        kept = sum(map(len, self._levels))
        return kept - len(self._trail), kept

    def _leave(self, places: list[int], at: int) -> None:
        for place in places:
            self.nodes[place].become(at, State.LEFT)

    def _follows(self, node: Node) -> bool:
        """Return whether `node` is a successor of the node expanded last."""
        return bool(self.steps) and node.parent == self.steps[-1].node


class Deepening(_OnePath):
    """Depth-first search, a tree for each limit."""

    def _words(self, algorithm: Algorithm, weight: float | None) -> tuple[str, str, str, str]:
        formula = "g + h" if algorithm.uses_heuristic else "g"
        order = (
            "A stack: what waits along the path, the deepest first; of equal depth, the one made "
            "first."
        )
        return formula, order, "path", _KEPT

    def _root(self, first: int, event: Iteration) -> int:
        return self._new_root(first)

    def _keep(self, at: int, parent: int, successor: Successor) -> int:
        return self._number(self._add(at, parent, successor, State.WAITING), successor)

    def _take(self, place: int, at: int) -> str:
        node = self.nodes[place]
        for level in self._levels[node.g + 1 :]:
            self._leave(level, at)
        del self._levels[node.g + 1 :], self._trail[node.g :]
        siblings = self._levels[node.g]
        taken = siblings.index(place)
        self._leave(siblings[:taken], at)
        del siblings[:taken]
        self._trail.append(place)
        return self._why(node)

    def _why(self, node: Node) -> str:
        limit = f"the {self._kind} {self._limit}"
        if node.parent is None:
            again = "The search begins again" if len(self.recording.iterations) > 1 else "It begins"
            return f"{again} from the start, with {limit}."
        value = f"g = {node.g}"
        if self.recording.algorithm.uses_heuristic:
            value = f"f = {node.g} + {node.h} = {node.g + node.h}"
        if self._follows(node):
            return f"It is the first successor of the node before that is within {limit}: {value}."
        return (
            "Nothing is left to do below the node before, so the search goes back to the next one "
            f"that waits along the path, within {limit}: {value}."
        )


class Recursive(_OnePath):
    """Recursive best-first search: one tree, whose nodes are made again, with stored f values."""

    def __init__(self, puzzle: Puzzle, algorithm: Algorithm, weight: float | None) -> None:
        super().__init__(puzzle, algorithm, weight)
        self._new_root(0)

    def _words(self, algorithm: Algorithm, weight: float | None) -> tuple[str, str, str, str]:
        order = "What waits along the path, the lowest stored f first; of equal f, the deepest."
        return "g + h, or what was backed up", order, "recursion", _KEPT

    def _keep(self, at: int, parent: int, successor: Successor) -> int:
        place = self._children.get((parent, successor.board.blank))
        if place is None:
            place = self._add(at, parent, successor, State.WAITING)
        else:
            node = self.nodes[place]
            node.become(at, State.WAITING)
            _rank(node, at, successor.f)
        return self._number(place, successor)

    def _make(self, parent: int, at: int, successor: Successor) -> Made:
        place = self._children.get((parent, successor.board.blank))
        if place is not None and not successor.fate.is_kept:
            _rank(self.nodes[place], at, successor.f)
            return Made(place, successor.f, successor.fate)
        return super()._make(parent, at, successor)

    def _take(self, place: int, at: int) -> str:
        """Take a node, once the search has come back to its parent: each node that it came back
        from stores the lowest f of its successors, and these are forgotten."""
        node = self.nodes[place]
        while len(self._trail) > node.g:
            back = self.nodes[self._trail.pop()]
            forgotten = self._levels.pop()
            _rank(back, at, min((self.nodes[one].f for one in forgotten), default=back.f))
            self._leave(forgotten, at)
            back.become(at, State.WAITING)
        others = [
            self.nodes[one].f
            for level, trail in zip(self._levels, [*self._trail, place], strict=True)
            for one in level
            if one != trail
        ]
        self._trail.append(place)
        return self._why(node, min(others, default=None))

    def _why(self, node: Node, other: int | None) -> str:
        if node.parent is None:
            return "The start is the only node there is."
        words = f"It has the lowest stored f: {node.f}"
        if node.f > node.g + node.h:
            words += f", found out when the search was here before; its own is {node.g} + {node.h}"
        if other is None:
            return f"{words}. Nothing else waits."
        return f"{words}. The best of the others has {other}: up to there the search stays below."


def _rank(node: Node, at: int, f: int) -> None:
    """Note that the stored f of `node` is `f` from expansion `at` on."""
    if node.f != f:
        node.ranks.append((at, f))
