"""Recording breadth-first search from both ends: two trees, and where they meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidewise.puzzle import steps as steps_of
from slidewise.solver.events import Fate
from slidewise.study.recording.node import State
from slidewise.study.recording.recorder import REACHED, Recorder
from slidewise.text import plural

if TYPE_CHECKING:
    from slidewise.puzzle import Board, Puzzle
    from slidewise.solver.events import Successor
    from slidewise.solver.result import Result
    from slidewise.solver.task import Algorithm

_END_NAMES = ("start", "goal")
"""The ends, by the indices of their roots: the first two nodes of the recording."""


class TwoEndsRecorder(Recorder):
    """Two frontiers, a layer of one or the other at a time."""

    usual_order = "Two queues, from the start and from the goal: the oldest comes first in each."
    memory_label = REACHED

    def __init__(self, puzzle: Puzzle, algorithm: Algorithm, weight: float | None) -> None:
        super().__init__(puzzle, algorithm, weight)
        roots = [self._add_root(0, board) for board in (puzzle.start, puzzle.goal)]
        self._node_of_number = dict(enumerate(roots))
        self._ends = roots  # the end that each node was reached from
        self._waiting = [1, 1]
        self._layer: tuple[int, int] | None = None
        self._reached = 2

    def _keep(self, at: int, parent: int, successor: Successor) -> int:
        assert successor.node is not None
        if successor.fate is Fate.MET:
            index = self._add(at, parent, successor, State.MET)
            self.nodes[index].other = self._node_of_number.get(successor.node)
        else:
            index = self._add(at, parent, successor, State.WAITING)
            self._node_of_number[successor.node] = index
            self._waiting[self._ends[parent]] += 1
            self._reached += 1
        return index

    def _add(self, at: int, parent: int, successor: Successor, state: State) -> int:
        self._ends.append(self._ends[parent])
        return super()._add(at, parent, successor, state)

    def _forget(self) -> None:
        self._layer = None

    def _late_roots(self, at: int) -> tuple[int, ...]:
        puzzle = self.recording.puzzle
        self._ends += (0, 1)
        roots = tuple(self._add_root(at, board) for board in (puzzle.start, puzzle.goal))
        for root in roots:  # by then, unless it is told otherwise
            self.nodes[root].changes = [(at, State.EXPANDED)]
        return roots

    def _root_with(self, board: Board) -> int:
        gap = self.recording.gap
        assert gap is not None
        return next(root for root in gap.roots if self.nodes[root].board == board)

    def _add_late(self, parent: int, board: Board, h: int, f: int) -> int:
        self._ends.append(self._ends[parent])
        return super()._add_late(parent, board, h, f)

    def _complete_path(self, result: Result) -> None:
        """Add the nodes between the meeting and the other end that were made in the gap."""
        gap = self.recording.gap
        met = next(index for index, node in enumerate(self.nodes) if node.state is State.MET)
        node = self.nodes[met]
        if node.other is not None or gap is None:
            return
        boards = [step.board for step in steps_of(self.recording.puzzle.start, result.moves)]
        if _END_NAMES[self._ends[met]] == "start":
            down = boards[node.g - 1 : -1][::-1]
        else:
            down = boards[: boards.index(node.board) + 1]
        node.other = self._lead_down(gap.roots[1 - self._ends[met]], down)

    def _take(self, index: int, at: int) -> str:
        why = self._why(index)
        self._layer = self._ends[index], self.nodes[index].g
        self._waiting[self._ends[index]] -= 1
        return why

    def _why(self, index: int) -> str:
        """Say why the node comes next; a layer is the nodes of one end that have the same g."""
        end, depth = layer = self._ends[index], self.nodes[index].g
        layer_words = f"{plural(depth, 'move')} from the {_END_NAMES[end]}"
        if layer == self._layer:
            return f"It is the next of the layer {layer_words}, which is expanded to its end."
        if self.recording.gap:
            return self._why_late(layer_words)
        size, other = self._waiting[end], self._waiting[1 - end]
        if size == other:
            return (
                f"A new layer, {layer_words}: both outermost layers hold {size}, "
                "so it is the start's turn."
            )
        return (
            f"A new layer, {layer_words}: it is the smaller of the two outermost ones, "
            f"{size} against {other}."
        )

    def _why_late(self, layer_words: str) -> str:
        if self._layer is None:
            return f"It is in the layer {layer_words}. The expansion before it is not recorded."
        return (
            f"A new layer, {layer_words}: the smaller of the two outermost ones, or the start's "
            "if they are equal. How many nodes each holds is not recorded."
        )

    def _late_sizes_at_end(self) -> tuple[int | None, int | None]:
        return self.steps[-1].frontier, self.steps[-1].in_memory

    def _sizes(self) -> tuple[int, int]:
        return sum(self._waiting), self._reached

    def _end(self, goal: int, at: int) -> str:
        from_start = self.recording.solution.index(goal)
        length = len(self.recording.solution) - 1
        return (
            f"The ends have met: {from_start} moves from the start and {length - from_start} from "
            f"the goal make a path of {length}."
        )

    def _path(self, result: Result) -> tuple[int, list[int]]:
        """Return where the ends met, and the path: down one tree and up the other."""
        met = next(index for index, node in enumerate(self.nodes) if node.state is State.MET)
        other = self.nodes[met].other
        assert other is not None
        if _END_NAMES[self._ends[met]] == "start":
            return met, [*self._up(met)[::-1], *self._up(other)[1:]]
        return met, [*self._up(other)[:0:-1], *self._up(met)]

    def _up(self, index: int) -> list[int]:
        """Return the nodes from `index` up to its root."""
        path: list[int] = []
        here: int | None = index
        while here is not None:
            path.append(here)
            here = self.nodes[here].parent
        return path
