"""Searches that keep one path and what waits along it: arrays for their kernels.

Importing this module loads numpy and the compiled functions: do it where a search runs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from slidewise.solver.engines.path_tables import estimate_tables, ways
from slidewise.solver.events import (
    FATES,
    Expanded,
    Fate,
    Iteration,
    Progress,
    Successor,
)
from slidewise.solver.kernels import steps
from slidewise.solver.kernels.trace import NO_MOVE
from slidewise.solver.pace import Outcome
from slidewise.solver.result import Cost

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from types import ModuleType

    from slidewise.puzzle import Puzzle
    from slidewise.solver.task import Task

FIRST_PATH_ROWS = 128
"""Rows of a path at first: no 15-puzzle needs more than 80 moves."""

TRACE_ROWS = 4_096
"""Most expansions that a slice writes down: slices are cut to that as long as there is a trace."""

# What the kernels have in common; the further codes are looked at where they may come.
OUTCOMES = [Outcome.GOAL, Outcome.RUNNING, Outcome.FULL, Outcome.RUNNING, Outcome.RUNNING]


class OnePathSearch(ABC):
    """One path from the start, and the successors that wait along it.

    `module` is the compiled loop. The arrays are described in `kernels/steps.py`, and those of
    each kernel beside it.
    """

    _kind: str

    def __init__(self, task: Task, module: ModuleType) -> None:
        self._kernel = module
        self._start, self._limits = task.puzzle.start, task.limits
        self._depth = task.limits.max_depth
        self._told: int | None = None
        self._place_tiles(task.puzzle)
        self._estimate = task.estimate
        self._place_estimate()
        self._path = np.zeros((FIRST_PATH_ROWS, self._columns), dtype=np.int64)
        self._counts = np.zeros(steps.COUNTS, dtype=np.int64)
        self._counts[[steps.GENERATED, steps.PEAK_STORED, steps.PEAK_FRONTIER]] = 1
        self._to_trace = task.trace
        self._trace = np.empty((min(task.trace, TRACE_ROWS), steps.TRACE_COLUMNS), dtype=np.int32)
        self._traced = self._trace[:0]
        self._trace_after = task.trace_after or 0
        self._on_path: list[Successor] = []
        self._before = 0, 0  # the nodes stored and the level where the slice began

    @property
    def expanded(self) -> int:
        """Return the number of nodes expanded."""
        return int(self._counts[steps.EXPANDED])

    @property
    def _columns(self) -> int:
        """Return the columns of the path that the kernel needs."""
        return int(self._kernel.PATH_COLUMNS)

    @property
    @abstractmethod
    def limit(self) -> int:
        """Return the limit that the search works under."""

    @property
    def proved(self) -> int:
        """Return the moves that each path needs, if h is never too high: the limit."""
        return self.limit

    @property
    def pruned(self) -> bool:
        """Return whether the depth limit kept any node from being expanded."""
        return bool(self._counts[steps.PRUNED])

    def cost(self, seconds: float) -> Cost:
        """Return what the search has cost in all."""
        return Cost(
            expanded=self.expanded,
            generated=int(self._counts[steps.GENERATED]),
            peak_frontier=int(self._counts[steps.PEAK_FRONTIER]),
            peak_stored=int(self._counts[steps.PEAK_STORED]),
            deepest=int(self._counts[steps.DEEPEST]),
            seconds=seconds,
        )

    def progress(self, lower_bound: int, seconds: float) -> Progress:
        """Return how far the search is."""
        stored, level = int(self._counts[steps.STORED]), int(self._counts[steps.LEVEL])
        return Progress(
            expanded=self.expanded,
            generated=int(self._counts[steps.GENERATED]),
            frontier=stored - level - 1 + int(self._counts[steps.TAKEN]),
            stored=stored,
            deepest=int(self._counts[steps.DEEPEST]),
            lower_bound=lower_bound,
            seconds=seconds,
        )

    def path(self) -> list[int]:
        """Return the cells of the blank from the start to the goal, after `Outcome.GOAL`."""
        level = int(self._counts[steps.LEVEL])
        return [int(entry) // steps.SIDES for entry in self._path[: level + 1, steps.WAY]]

    def new_iterations(self) -> Iterator[Iteration]:
        """Yield the limit that the search works under, if it has changed since the last call."""
        if self._told != self.limit:
            self._told = self.limit
            yield Iteration(self._kind, self.limit)

    def new_expansions(self) -> Iterator[Expanded]:
        """Yield the expansions traced since the last call, in their order."""
        first = self.expanded - len(self._traced) + 1
        for order, row in enumerate(self._traced.tolist(), first):
            yield self._expansion(order, *row)
        self._traced = self._trace[:0]

    def path_to_last(self, told: Container[int]) -> Iterator[Successor]:
        """Yield the node of the last of `new_expansions`, its parent, and so on up to the root,
        or to the first whose number was `told`."""
        for node in reversed(self._on_path):
            yield node
            if node.node in told:
                return

    def sizes_after(self, event: Expanded) -> tuple[int | None, int | None]:
        """Return how many nodes wait and are stored after the last of `new_expansions`, None where
        the search went back before it."""
        stored, level = self._before
        if level != event.g:
            return None, None
        stored += sum(one.fate.is_kept for one in event.successors)
        return stored - level - 1, stored

    def _place_tiles(self, puzzle: Puzzle) -> None:
        self._board = np.array(puzzle.start.cells, dtype=np.uint32)
        self._goal = np.array(puzzle.goal.cells, dtype=np.uint32)
        self._ways = ways(puzzle.rows, puzzle.cols)
        self._first_way = steps.SIDES * puzzle.start.blank + steps.NO_SIDE

    def _place_estimate(self) -> None:
        """Set the arrays of the estimate and what it says of the start."""
        self._h = self._estimate.value(self._start)
        at = {tile: cell for cell, tile in enumerate(self._start.cells)}
        tables = estimate_tables(self._estimate, self._start.cols)
        self._alone = tables.alone
        self._single = int(sum(tables.alone[tile, cell] for tile, cell in at.items()))
        indices = [
            base + sum(cells[at[tile]] for tile, cells in group.weights.items())
            for group, base in zip(tables.groups, tables.bases, strict=True)
        ]
        self._groups = steps.GroupArrays(
            tables.with_table, tables.moves, tables.values, np.array(indices, dtype=np.int64)
        )
        self._patterns = self._estimate.pattern_arrays
        self._state = self._estimate.pattern_state(self._start)

    def _put_start(self) -> None:
        """Begin the path with the start, under a new number: it is to be taken."""
        self._path[0] = 0
        self._path[0, steps.WAY] = self._first_way
        self._path[0, steps.ESTIMATE] = self._h
        self._path[0, steps.NUMBER] = self._counts[steps.MADE]
        self._counts[steps.MADE] += 1
        self._counts[[steps.LEVEL, steps.TAKEN, steps.STORED]] = 0, 1, 1

    def _add_levels(self, levels: int) -> None:
        more = np.zeros((levels, self._path.shape[1]), dtype=np.int64)
        self._path = np.concatenate([self._path, more])

    def _run(self, budget: int, *limits: int) -> int:
        """Run the kernel, with the limits that are its own, and keep what it traced."""
        before = self.expanded
        rows = min(len(self._trace), self._to_trace) if before >= self._trace_after else 0
        self._before = int(self._counts[steps.STORED]), int(self._counts[steps.LEVEL])
        if rows and before == self._trace_after:
            self._on_path = self._path_above()
        arrays = steps.PathArrays(
            self._path,
            self._counts,
            self._board,
            self._goal,
            self._ways,
            self._alone,
            self._groups,
            self._patterns,
            self._state,
        )
        room, budget = self._limits.stored_nodes, min(budget, rows) if rows else budget
        code = self._kernel.search_slice(arrays, *limits, room, budget, self._trace[:rows])
        if rows:
            self._traced = self._trace[: self.expanded - before]
            self._to_trace -= len(self._traced)
        return int(code)

    def _expansion(
        self, order: int, node: int, g: int, h: int, f: int, blank: int, new: int, *fates: int
    ) -> Expanded:
        """Return a row of the trace; the parent is the last node expanded one level above."""
        del self._on_path[g:]
        above = self._on_path[-1] if g else None
        parent, board = (above.node, above.board) if above else (None, self._start)
        board = board.slide(board.cells[blank]) if above else board
        self._on_path.append(Successor(board, node, g, h, f, Fate.KEPT))
        successors = []
        for offset, code in zip((-board.cols, board.cols, -1, 1), fates, strict=True):
            if code != NO_MOVE:
                fate = FATES[code]
                cell = blank + offset
                after = board.slide(board.cells[cell])
                value = self._estimate.value(after)
                rank = self._successor_f(g + h, f, g + 1 + value)
                number = new if fate.is_kept else None
                successors.append(Successor(after, number, g + 1, value, rank, fate))
                new += fate.is_kept
        return Expanded(order, node, parent, board, g, h, f, tuple(successors))

    def _path_above(self) -> list[Successor]:
        """Return the path to the node that is taken next, without that node."""
        board, path = self._start, []
        for g, row in enumerate(self._path[: int(self._counts[steps.LEVEL])].tolist()):
            board = board.slide(board.cells[row[steps.WAY] // steps.SIDES]) if g else board
            h = row[steps.ESTIMATE]
            path.append(Successor(board, self._number(g), g, h, self._f(g), Fate.KEPT))
        return path

    @abstractmethod
    def _number(self, level: int) -> int:
        """Return the number of the node on a level of the path."""

    @abstractmethod
    def _f(self, level: int) -> int:
        """Return the f of the node on a level of the path."""

    def _successor_f(self, own: int, stored: int, total: int) -> int:
        """Return the f of a successor with g + h `total`, of a node with `own` and f `stored`."""
        return total
