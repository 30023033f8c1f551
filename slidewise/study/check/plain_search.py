"""Searches other than best-first as plain loops, with a switch for each way to write them.

Those that keep one path are in `plain_paths.py`, the one from both ends in `plain_ends.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from slidewise.puzzle import Board
from slidewise.solver.engines.plain_best_first import moved, ways_of
from slidewise.solver.loop import Outcome
from slidewise.solver.task import follow
from slidewise.study.check.habits import written_as

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise.solver.task import Task
    from slidewise.study.check.change import Change


class PlainNode(NamedTuple):
    """A node that is expanded; f is what the search stores with it."""

    cells: bytes
    g: int
    h: float
    f: float


def swapped_in_place(cells: bytes, made: list[bytes]) -> list[bytes]:
    """Return the successors of a program that swaps each time in one and the same list.

    `made` are those that it should have.
    """
    shared, blank, found = bytearray(cells), cells.index(0), []
    for board in made:
        to = board.index(0)
        shared[blank], shared[to] = shared[to], shared[blank]
        found.append(bytes(shared))
    return found


class PlainSearch:
    """A search that keeps its expansions in their order in `nodes`.

    A subclass has the loop: `expansions` yields the nodes, and sets `path` if it comes to the goal.
    """

    uncounted = frozenset({"peak_stored", "peak_frontier"})
    """The counts of a result that it does not keep."""

    endless = False
    """Whether it may never end, so that a program with it is stopped anywhere."""

    def __init__(self, task: Task, change: Change, estimates: dict[bytes, int]) -> None:
        self.nodes: list[PlainNode] = []
        self.ended: Outcome | None = None
        self.switches = {**written_as(task.convention), **change.switches}
        self.path: list[bytes] = []
        self.start = bytes(task.puzzle.start.cells)
        self.goal_cells = bytes(task.puzzle.goal.cells)
        self.ways = ways_of(task.puzzle.rows, task.puzzle.cols, task.convention.order)
        if change.ways is not None:
            rows, cols = task.puzzle.start.size
            self.ways = change.ways(rows, cols, self.ways, task.convention.order)
        self._task, self._change = task, change
        self._estimates = estimates
        self._running = self.expansions()

    def expansions(self) -> Iterator[PlainNode]:
        """Yield the nodes in the order in which they are expanded."""
        raise NotImplementedError

    def step(self) -> bool:
        """Go on to the next expansion; return whether there is one. `ended` says how it ended."""
        if self.ended is None:
            for node in self._running:
                self.nodes.append(node)
                return True
            self.ended = Outcome.GOAL if self.path else Outcome.EMPTY
        return False

    def run(self, most: int) -> bool:
        """Go on to the end; return False where `most` expansions in all are not enough."""
        while self.ended is None and len(self.nodes) < most:
            self.step()
        return self.ended is not None

    def is_given_next(self, cells: bytes) -> bool:
        """Return whether a board is the next of those that the search follows, or the goal after
        the last of them."""
        given = self._change.board_given(len(self.nodes))
        return cells == (given or self.goal_cells) if self._change.follows else False

    def successors(self, cells: bytes) -> list[bytes]:
        """Return the boards one move away, in their order."""
        made = [moved(cells, cell) for cell in self.ways[cells.index(0)]]
        return swapped_in_place(cells, made) if self.switches.get("copies") == "none" else made

    def h(self, cells: bytes) -> float:
        """Return the estimate as the program has it, 0 without a heuristic."""
        puzzle = self._task.puzzle
        if self._task.heuristic is None:
            return 0
        if self._change.h is not None:
            value: float = self._change.h(cells, self.goal_cells, puzzle.cols)
            return value
        known = self._estimates.get(cells)
        if known is None:
            board = Board(puzzle.rows, puzzle.cols, tuple(cells))
            known = self._estimates[cells] = self._task.estimate.value(board)
        return known

    def f_of(self, node: PlainNode) -> float:
        """Return what the search stores with a node."""
        return node.f

    def moves(self) -> str:
        """Return the moves of the path found, "" without one."""
        try:
            blanks = [cells.index(0) for cells in self.path]
            return follow(self._task.puzzle.start, blanks)[0] if blanks else ""
        except KeyError:  # it made a step that is no move
            return ""

    def generated(self) -> int:
        """Return how many nodes were made, the start once and the moves back too."""
        return 1 + sum(len(self.ways[node.cells.index(0)]) for node in self.nodes)

    def counts(self) -> dict[str, int]:
        """Return the counts after the end, by the names of the fields of a result."""
        found = {
            "expanded": len(self.nodes),
            "generated": self.generated(),
            "deepest": max([node.g for node in self.nodes] + [len(self.path) - 1]),
        }
        if self.path:
            found["length"] = len(self.path) - 1
        return found
