"""Recording breadth-first search from both ends: two trees, and where they meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidewise.solver.events import Fate
from slidewise.study.recording.recording import Recorder, State, moves

if TYPE_CHECKING:
    from slidewise.puzzle import Puzzle
    from slidewise.solver.events import Expanded, Successor
    from slidewise.solver.registry import Algorithm
    from slidewise.solver.result import Result

START, GOAL = range(2)
"""The roots, which are the first two nodes."""

_NAMES = ("start", "goal")


class TwoEnds(Recorder):
    """Two frontiers, a layer of one or the other at a time."""

    def __init__(self, puzzle: Puzzle, algorithm: Algorithm, weight: float | None) -> None:
        super().__init__(puzzle, algorithm, weight)
        places = self._add_root(0, puzzle.start), self._add_root(0, puzzle.goal)
        self._place_of_number = dict(enumerate(places))
        self._ends = list(places)
        self._waiting = [1, 1]
        self._layer: tuple[int, int] | None = None
        self._reached = 2

    def _words(self, algorithm: Algorithm, weight: float | None) -> tuple[str, str, str, str]:
        order = "Two queues, from the start and from the goal: the oldest comes first in each."
        return "g", order, "ends", "reached"

    def _place_of(self, event: Expanded) -> int:
        return self._place_of_number[event.node]

    def _keep(self, at: int, parent: int, successor: Successor) -> int:
        assert successor.node is not None
        if successor.fate is Fate.MET:
            place = self._add(at, parent, successor, State.MET)
            self.nodes[place].other = self._place_of_number[successor.node]
        else:
            place = self._add(at, parent, successor, State.WAITING)
            self._place_of_number[successor.node] = place
            self._waiting[self._ends[parent]] += 1
            self._reached += 1
        self._note_ends()
        return place

    def _note_ends(self) -> None:
        """Give the nodes made since the last call the end of their parents."""
        for node in self.nodes[len(self._ends) :]:
            assert node.parent is not None
            self._ends.append(self._ends[node.parent])

    def _take(self, place: int, at: int) -> str:
        self._note_ends()
        end, depth = layer = self._ends[place], self.nodes[place].g
        sizes, begins = tuple(self._waiting), layer != self._layer
        self._layer = layer
        self._waiting[end] -= 1
        name = _NAMES[end]
        if not begins:
            return f"It is the next of the layer {_far(depth, name)}, which is expanded to its end."
        words = f"A new layer, {_far(depth, name)}"
        if sizes[0] == sizes[1]:
            return f"{words}: both outermost layers hold {sizes[0]}, so it is the start's turn."
        return (
            f"{words}: it is the smaller of the two outermost ones, {sizes[end]} against "
            f"{sizes[1 - end]}."
        )

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
        met = next(place for place, node in enumerate(self.nodes) if node.state is State.MET)
        other = self.nodes[met].other
        assert other is not None
        if self._ends[met] == START:
            return met, [*self._up(met)[::-1], *self._up(other)[1:]]
        return met, [*self._up(other)[:0:-1], *self._up(met)]

    def _up(self, place: int) -> list[int]:
        """Return the nodes from `place` up to its root."""
        path: list[int] = []
        here: int | None = place
        while here is not None:
            path.append(here)
            here = self.nodes[here].parent
        return path


def _far(depth: int, name: str) -> str:
    return f"{moves(depth)} from the {name}"
