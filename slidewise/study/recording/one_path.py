"""Recording searches that keep one path and what waits along it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidewise.study.recording.best_first import START
from slidewise.study.recording.node import State
from slidewise.study.recording.recorder import IN_MEMORY, Recorder
from slidewise.study.recording.recording import RecordedSuccessor

if TYPE_CHECKING:
    from slidewise.puzzle import Board, Puzzle
    from slidewise.solver.events import Expanded, Iteration, LateExpanded, Successor
    from slidewise.solver.task import Algorithm
    from slidewise.study.recording.node import Node


class _OnePathRecorder(Recorder):
    """A path, and at each level the nodes that wait there, in the order of their making.

    `_levels[0]` is the root, and `_levels[g]` are the successors of the node at g - 1 on the path.
    """

    memory_label = IN_MEMORY

    def __init__(self, puzzle: Puzzle, algorithm: Algorithm, weight: float | None) -> None:
        super().__init__(puzzle, algorithm, weight)
        self._path_taken: list[int] = []
        self._levels: list[list[int]] = []

    def _new_root(self, at: int) -> int:
        root = self._add_root(at, self.recording.puzzle.start)
        if self.recording.iterations:
            self._generated -= 1  # the start counts once
        self._path_taken, self._levels = [], [[root]]
        return root

    def _node_of(self, event: Expanded) -> int:
        return self._levels[0][0] if event.parent is None else super()._node_of(event)

    def _successors_made(self, made: list[RecordedSuccessor]) -> None:
        super()._successors_made(made)
        self._levels.append([one.node for one in made if one.fate.is_kept])

    def _note_number(self, index: int, successor: Successor) -> int:
        assert successor.node is not None
        self._node_of_number[successor.node] = index
        return index

    def _sizes(self) -> tuple[int, int]:
        in_memory = sum(map(len, self._levels))
        return in_memory - len(self._path_taken), in_memory

    def _forget(self) -> None:
        self._path_taken, self._levels = [], []

    def _lead_to(self, event: LateExpanded) -> None:
        begins = self.recording.gap is None
        super()._lead_to(event)
        if begins:  # the nodes above the one that is taken next
            assert event.path[-1].node is not None
            index = self.nodes[self._node_of_number[event.path[-1].node]].parent
            while index is not None:
                self._path_taken.insert(0, index)
                index = self.nodes[index].parent

    def _late_roots(self, at: int) -> tuple[int, ...]:
        roots = super()._late_roots(at)
        self._levels = [[*roots]]
        return roots

    def _add_late(self, parent: int, board: Board, h: int, f: int) -> int:
        index = super()._add_late(parent, board, h, f)
        self._levels += [[] for _ in range(len(self._levels), self.nodes[index].g + 1)]
        self._levels[self.nodes[index].g].append(index)
        return index

    def _leave(self, indices: list[int], at: int) -> None:
        for index in indices:
            self.nodes[index].set_state(at, State.LEFT)


class DeepeningRecorder(_OnePathRecorder):
    """Depth-first search, a tree for each limit."""

    usual_order = (
        "A stack: nodes waiting along the path, the deepest first; with equal depth, the one "
        "made first."
    )

    def begin(self, event: Iteration) -> None:
        super().begin(event)
        self.recording.limit_name = event.kind

    def _root_of_iteration(self, first: int) -> int:
        return self._new_root(first)

    def _limit(self) -> int:
        return self.recording.iterations[-1].limit

    def _keep(self, at: int, parent: int, successor: Successor) -> int:
        return self._note_number(self._add(at, parent, successor, State.WAITING), successor)

    def _take(self, index: int, at: int) -> str:
        node = self.nodes[index]
        for level in self._levels[node.g + 1 :]:
            self._leave(level, at)
        del self._levels[node.g + 1 :], self._path_taken[node.g :]
        siblings = self._levels[node.g]
        taken = siblings.index(index)
        self._leave(siblings[:taken], at)
        del siblings[:taken]
        self._path_taken.append(index)
        return self._why(node)

    def _why(self, node: Node) -> str:
        limit = f"the {self.recording.limit_name} {self._limit()}"
        gap = self.recording.gap
        if node.parent is None:
            again = "The search begins again" if len(self.recording.iterations) > 1 else "It begins"
            return f"{again} from the start, with {limit}."
        value = f"g = {node.g}"
        if self.rank and self.rank.h_weight:
            value = f"f = {self.rank.worked_out(node.g, node.h)}"
        if gap and gap.after == len(self.steps):
            return (
                f"It is the next one waiting along the path, within {limit}: {value}. The "
                "expansion before it is not recorded."
            )
        if self.steps and node.parent == self.steps[-1].node:
            return f"It is the first successor of the previous node within {limit}: {value}."
        return (
            "Nothing is left to do below the previous node, so the search goes back to the next "
            f"one that is waiting along the path, within {limit}: {value}."
        )


class RecursionRecorder(_OnePathRecorder):
    """Recursive best-first search: one tree, whose nodes are made again, with stored f values."""

    usual_order = (
        "Nodes waiting along the path, the lowest stored f first; with equal f, the deepest, and "
        "there the one made first."
    )

    def __init__(self, puzzle: Puzzle, algorithm: Algorithm, weight: float | None) -> None:
        super().__init__(puzzle, algorithm, weight)
        self.recording.limit_name = "f-limit"
        self._lowest_other: int | None = None
        self._not_whole = 0  # levels, from the root on, of which not all nodes are known
        self._new_root(0)

    def _formula(self) -> str:
        formula = super()._formula()
        return f"{formula}, or what was backed up" if formula else ""

    def _limit(self) -> int | None:
        return self._lowest_other

    def _keep(self, at: int, parent: int, successor: Successor) -> int:
        index = self._children.get((parent, successor.board.blank))
        if index is None:
            index = self._add(at, parent, successor, State.WAITING)
        else:
            self.nodes[index].set_state(at, State.WAITING)
            self.nodes[index].set_f(at, successor.f)
        return self._note_number(index, successor)

    def _make(self, parent: int, at: int, successor: Successor) -> RecordedSuccessor:
        index = self._children.get((parent, successor.board.blank))
        if index is not None and not successor.fate.is_kept:
            self.nodes[index].set_f(at, successor.f)
            return RecordedSuccessor(index, successor.f, successor.fate)
        return super()._make(parent, at, successor)

    def _take(self, index: int, at: int) -> str:
        node = self.nodes[index]
        while len(self._path_taken) > node.g:
            self._go_back(at)
        self._path_taken.append(index)
        if self.recording.gap:
            self._lowest_other = None
            return self._why_late(node)
        self._lowest_other = min(
            (
                self.nodes[one].f
                for level, taken in zip(self._levels, self._path_taken, strict=True)
                for one in level
                if one != taken
            ),
            default=None,
        )
        return self._why(node)

    def _go_back(self, at: int) -> None:
        """Leave the end of the path: it stores the lowest f of its successors, which the search
        forgets. That f is not known where not all of them are."""
        index = self._path_taken.pop()
        back = self.nodes[index]
        forgotten = self._levels.pop()
        if len(self._levels) < self._not_whole:
            self._not_whole -= 1
            self._leave([*forgotten, index], at)
            return
        back.set_f(at, min((self.nodes[one].f for one in forgotten), default=back.f))
        self._leave(forgotten, at)
        back.set_state(at, State.WAITING)

    def _lead_to(self, event: LateExpanded) -> None:
        begins = self.recording.gap is None
        super()._lead_to(event)
        if begins:
            self._not_whole = len(self._levels)

    def _why_late(self, node: Node) -> str:
        words = f"It has the lowest stored f: {node.f}"
        if node.f > node.g + node.h:
            words += f", found when the search was here before; its own is {node.g} + {node.h}"
        return f"{words}. Which f the other nodes had is not recorded."

    def _why(self, node: Node) -> str:
        if node.parent is None:
            return START
        other = self._lowest_other
        words = f"It has the lowest stored f: {node.f}"
        if other == node.f:
            words = (
                f"Of those with the lowest stored f, {node.f}, it is the deepest and there the one "
                "made first"
            )
        if node.f > node.g + node.h:
            words += f", found when the search was here before; its own is {node.g} + {node.h}"
        if other is None:
            return f"{words}. No other node is waiting."
        return (
            f"{words}. The best of the others has {other}, so the search stays below this node as "
            f"long as some f there is {other} or less."
        )
