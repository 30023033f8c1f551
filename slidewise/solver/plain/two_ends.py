"""Bidirectional breadth-first search in plain Python."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from itertools import chain
from math import inf

from slidewise.puzzle import Puzzle
from slidewise.solver.events import Expanded, Fate, Successor
from slidewise.solver.loop import Outcome
from slidewise.solver.plain.search import SWAP, PlainSearch, Watcher, Ways

START, GOAL = range(2)
"""The ends, and their first nodes."""


class TwoEnds(PlainSearch):
    """Nodes reached from the start and from the goal: the smaller outermost layer is expanded next.

    Node n has the board `cells[n]`, its `parent[n]`, and `g[n]` from its end. `ends` map the boards
    reached from each end to their nodes. `sizes` are the sizes of both layers when the `end` of the
    current layer was chosen, and `place` counts its expanded nodes. At most `room` nodes are
    stored.
    """

    def __init__(
        self, puzzle: Puzzle, ways: Ways, *, room: float = inf, watcher: Watcher | None = None
    ) -> None:
        super().__init__(puzzle, watcher)
        self._ways, self._room = ways, room
        self.cells, self.parent, self.g = [self.start, self.goal], [-1, -1], [0, 0]
        self.ends = {self.start: START}, {self.goal: GOAL}
        self.sizes, self.end, self.place = [1, 1], START, 0
        self.frontier = self.peak_frontier = self.generated = 2 if room > 1 else 1
        self._layers = deque([START]), deque([GOAL])
        self._depths = [0, 0]
        self._met: tuple[int, int] | None = None

    @property
    def stored(self) -> int:
        return len(self.cells) if self._room > 1 else 1

    @property
    def peak_stored(self) -> int:
        """Peak number of stored nodes, as no node is ever dropped."""
        return self.stored

    @property
    def proved(self) -> int:
        """Lower bound in moves: the sum of the depths of both layers plus 1."""
        return sum(self._depths) + 1

    def path(self) -> list[bytes]:
        assert self._met
        # The first node of the meeting belongs to the end that was being expanded.
        from_start, from_goal = self._met if self.end == START else self._met[::-1]
        return self._up(from_start)[::-1] + self._up(from_goal)

    def waiting(self) -> Iterator[int]:
        """Return the nodes of both outermost layers that are not expanded."""
        return chain(*self._layers)

    def _up(self, node: int) -> list[bytes]:
        """Return the boards from a node back to its end."""
        boards = []
        while node >= 0:
            boards.append(self.cells[node])
            node = self.parent[node]
        return boards

    def _expansions(self) -> Generator[Outcome]:
        while all(self._layers):
            for place in range(self._turn()):
                self.place = place
                if self.expanded >= self._target:
                    yield Outcome.RUNNING
                if len(self.cells) + 4 > self._room:
                    yield Outcome.FULL
                self._expand(self._layers[self.end].popleft())
                if self._met:
                    self.deepest = sum(self.g[node] for node in self._met) + 1
                    yield Outcome.GOAL
            self._depths[self.end] += 1
            yield Outcome.RUNNING

    def _turn(self) -> int:
        """Choose the smaller layer, the start's if they are equal, and return its size."""
        self.sizes = [len(layer) for layer in self._layers]
        self.end = GOAL if self.sizes[GOAL] < self.sizes[START] else START
        return self.sizes[self.end]

    def _expand(self, node: int) -> None:
        """Generate the successors of a node, until the ends meet."""
        cells, layer = self.cells, self._layers[self.end]
        here, there = self.ends[self.end], self.ends[1 - self.end]
        board, above, g = cells[node], self.parent[node], self.g[node] + 1
        before = cells[above] if above >= 0 else None
        self.expanded += 1
        if self.visit:
            self.visit(board, g - 1, 0, g - 1)
        watcher = self.watcher if self.expanded <= self.watched else None
        self.frontier -= 1
        self.deepest = max(self.deepest, g - 1)
        successors = []
        for cell in self._ways[board.index(0)]:
            self.generated += 1
            new = board.translate(SWAP[board[cell]])
            number, fate = None, Fate.KEPT
            if new == before:
                fate = Fate.WENT_BACK
            elif new in here:
                fate = Fate.REACHED
            elif new in there:
                number, fate = there[new], Fate.MET
                self._met = node, number
            else:
                number = here[new] = len(cells)
                cells.append(new)
                self.parent.append(node)
                self.g.append(g)
                layer.append(number)
                self.frontier += 1
            if watcher:
                successors.append(self._successor(new, number, g, 0, g, fate))
            if self._met:
                break
        self.peak_frontier = max(self.peak_frontier, self.frontier)
        if watcher:
            watcher.expand(self, self._expansion(node, successors))

    def _expansion(self, node: int, successors: list[Successor]) -> Expanded:
        """Return the event of an expansion."""
        g, above = self.g[node], self.parent[node]
        return Expanded(
            order=self.expanded,
            node=node,
            parent=above if above >= 0 else None,
            board=self._board(self.cells[node]),
            g=g,
            h=0,
            f=g,
            successors=tuple(successors),
        )
