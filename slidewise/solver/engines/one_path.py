"""Linear-space searches, which store a path and its open successors: arrays for their kernels.

Importing this module loads numpy and the compiled functions, so import it lazily.
"""

import functools
import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import NamedTuple

import numpy as np

from slidewise.puzzle import Puzzle
from slidewise.solver import compiling
from slidewise.solver.estimate import Estimate, Group
from slidewise.solver.events import DEPTH_LIMIT, F_LIMIT, LOWEST_F, Iteration
from slidewise.solver.kernels import pattern_arrays, steps
from slidewise.solver.kernels.jit import NO_MOVE, Int16s, Int32s, Int64s, Uint32s, neighbours
from slidewise.solver.loop import Counts, Outcome, Work
from slidewise.solver.task import Task


@functools.lru_cache(maxsize=32)
def way_table(rows: int, cols: int) -> Uint32s:
    """Return the next cells of the blank for each of its cells and sides of arrival.

    The array is (8 * cells, 8), as described in `kernels/steps.py`.
    """
    table = np.zeros((steps.SIDES * rows * cols, steps.WAY_COLUMNS), dtype=np.uint32)
    onward_cells = neighbours(rows, cols)
    for blank, came in itertools.product(range(rows * cols), range(steps.NO_SIDE + 1)):
        place = steps.SIDES * blank + came
        for side, cell in enumerate(onward_cells[blank]):
            # The move straight back is left out, so the kernels need not test for it.
            if side != came and cell != NO_MOVE:
                onward = steps.ONWARD + table[place, steps.COUNT]
                # Opposite sides differ in the lowest bit: the blank arrives from the other side.
                table[place, onward] = steps.SIDES * cell + (side ^ 1)
                table[place, steps.COUNT] += 1
    return table


class EstimateTables(NamedTuple):
    """An estimate in the form of the linear-space kernels (see `kernels/steps.py`).

    `alone` is the `table` of the kernels. `groups` are the groups of several tiles. The first
    `with_table` of them have a table in `values` at the offset in `bases`.
    """

    alone: Int32s
    groups: tuple[Group, ...]
    with_table: int
    bases: tuple[int, ...]
    moves: Int64s
    values: Int16s


@functools.lru_cache(maxsize=32)
def estimate_tables(estimate: Estimate, cols: int) -> EstimateTables:
    """Return the tables of `estimate`, for boards of `cols` columns."""
    cells = estimate.cells
    alone = np.zeros((cells, cells), dtype=np.int32)
    tabled, lines = [], []
    for group in estimate.groups:
        if group.values is None:
            lines.append(group)
        elif len(group.weights) == 1:
            # Single tiles add up in a shared table, which saves a look-up for each.
            ((tile, indices),) = group.weights.items()
            alone[tile] += np.array(group.values, dtype=np.int32)[np.array(indices)]
        else:
            tabled.append(group)
    arrays = Estimate(cells, tabled).arrays
    bases = (*arrays.offsets.tolist(), *(0 for _ in lines))
    groups = (*tabled, *lines)
    return EstimateTables(
        alone, groups, len(tabled), bases, _moves(groups, cells, cols), arrays.values
    )


def _moves(groups: Sequence[Group], cells: int, cols: int) -> Int64s:
    """Return the change of the groups' indices by each tile move, in `moves` form."""
    members: list[list[tuple[int, Sequence[int]]]] = [[] for _ in range(cells)]
    for number, group in enumerate(groups):
        for tile, weights in group.weights.items():
            members[tile].append((number, weights))
    most = max(map(len, members))
    moves = np.zeros((cells, cells // cols, cols, 4, most), dtype=np.int64)
    for tile, member in itertools.product(range(cells), range(most)):
        if member < len(members[tile]):
            number, weights = members[tile][member]
            grid = np.array(weights, dtype=np.int64).reshape(-1, cols) << steps.GROUP_BITS
            moves[tile, ..., member] = number
            # A tile's move up, down, left and right, as the difference of its weights.
            moves[tile, 1:, :, 0, member] += grid[:-1] - grid[1:]
            moves[tile, :-1, :, 1, member] += grid[1:] - grid[:-1]
            moves[tile, :, 1:, 2, member] += grid[:, :-1] - grid[:, 1:]
            moves[tile, :, :-1, 3, member] += grid[:, 1:] - grid[:, :-1]
    return moves.reshape(4 * cells * cells if most else 0, most)


FIRST_PATH_ROWS = 128
"""Initial rows of a path, enough for every 15-puzzle, which needs at most 80 moves."""

# Outcomes shared by all kernels. Each search handles its further codes itself.
OUTCOMES = [Outcome.GOAL, Outcome.RUNNING, Outcome.FULL, Outcome.RUNNING, Outcome.RUNNING]


class OnePathSearch(Work, ABC):
    """A path from the start and its open successors.

    `module` is the compiled loop. `kernels/steps.py` describes the arrays, and each kernel its own.
    """

    _kind: str

    def __init__(self, task: Task, module: ModuleType) -> None:
        self._kernel = module
        self._start, self._limits = task.puzzle.start, task.limits
        self._depth = task.limits.max_depth
        self._reported: int | None = None
        self._place_tiles(task.puzzle)
        self._estimate = task.estimate
        self._place_estimate()
        self._path = np.zeros((FIRST_PATH_ROWS, self._columns), dtype=np.int64)
        self._counts = np.zeros(steps.COUNTS, dtype=np.int64)
        self._counts[[steps.GENERATED, steps.PEAK_STORED, steps.PEAK_FRONTIER]] = 1

    @property
    def expanded(self) -> int:
        return int(self._counts[steps.EXPANDED])

    @property
    def _columns(self) -> int:
        """Number of path columns of the kernel."""
        return int(self._kernel.PATH_COLUMNS)

    @property
    @abstractmethod
    def limit(self) -> int:
        """Current limit of the search."""

    @property
    def proved(self) -> int:
        """Lower bound in moves if h is admissible: the limit."""
        return self.limit

    @property
    def pruned(self) -> bool:
        return bool(self._counts[steps.PRUNED])

    @property
    def counts(self) -> Counts:
        counts = self._counts.tolist()
        stored = counts[steps.STORED]
        return Counts(
            expanded=counts[steps.EXPANDED],
            generated=counts[steps.GENERATED],
            frontier=stored - counts[steps.LEVEL] - 1 + counts[steps.TAKEN],
            peak_frontier=counts[steps.PEAK_FRONTIER],
            stored=stored,
            peak_stored=counts[steps.PEAK_STORED],
            deepest=counts[steps.DEEPEST],
        )

    def path(self) -> list[int]:
        level = int(self._counts[steps.LEVEL])
        return [int(entry) // steps.SIDES for entry in self._path[: level + 1, steps.WAY]]

    def new_iterations(self) -> Iterator[Iteration]:
        """Yield the current limit if it changed since the last call."""
        if self._reported != self.limit:
            self._reported = self.limit
            yield Iteration(self._kind, self.limit)

    def _place_tiles(self, puzzle: Puzzle) -> None:
        self._board = np.array(puzzle.start.cells, dtype=np.uint32)
        self._goal = np.array(puzzle.goal.cells, dtype=np.uint32)
        self._ways = way_table(puzzle.rows, puzzle.cols)
        self._first_way = steps.SIDES * puzzle.start.blank + steps.NO_SIDE

    def _place_estimate(self) -> None:
        """Set the arrays of the estimate and its value for the start."""
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
        """Reset the path to the start."""
        self._path[0] = 0
        self._path[0, steps.WAY] = self._first_way
        self._path[0, steps.ESTIMATE] = self._h
        self._counts[[steps.LEVEL, steps.TAKEN, steps.STORED]] = 0, 1, 1

    def _add_levels(self, levels: int) -> None:
        more = np.zeros((levels, self._path.shape[1]), dtype=np.int64)
        self._path = np.concatenate([self._path, more])

    def advance(self, budget: int) -> Outcome:
        """Expand up to `budget` nodes under the current limit."""
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
        room, limits = self._limits.stored_nodes, self._kernel_limits()
        code = self._kernel.search_slice(arrays, *limits, room, budget)
        return self._after_slice(int(code))

    @abstractmethod
    def _kernel_limits(self) -> tuple[int, ...]:
        """Return the limits that this kernel takes."""

    @abstractmethod
    def _after_slice(self, code: int) -> Outcome:
        """Return the outcome of a slice with this result code, and prepare the next slice."""


class CompiledDeepening(OnePathSearch):
    """Iterative deepening: depth-first search under a rising limit.

    With `uses_h` the limit is on f = g + h. It begins at the start's h, then rises to the lowest f
    above it. Otherwise it is on g: 0, 1, 2 and so on.
    """

    def __init__(self, task: Task, *, uses_h: bool) -> None:
        super().__init__(task, compiling.load("deepening"))
        self._uses_h = uses_h
        self._kind = F_LIMIT if uses_h else DEPTH_LIMIT
        self._limit = self._h if uses_h else 0
        self._begin()

    @property
    def _columns(self) -> int:
        patterned = len(self._patterns.cell_maps) > 0
        return int(self._kernel.PATTERN_COLUMNS if patterned else self._kernel.PATH_COLUMNS)

    @property
    def limit(self) -> int:
        """Limit of the current iteration."""
        return self._limit

    def _kernel_limits(self) -> tuple[int, ...]:
        return self._limit, self._depth if self._uses_h else self._limit

    def _after_slice(self, code: int) -> Outcome:
        if code != self._kernel.DONE:
            return OUTCOMES[code]
        following = int(self._counts[steps.LIMIT]) if self._uses_h else self._limit + 1
        if following == steps.INFINITE:
            return Outcome.EMPTY
        self._limit = following
        self._begin()
        return Outcome.RUNNING

    def _begin(self) -> None:
        if len(self._path) <= self._limit + 1:  # as g is never above the limit
            self._add_levels(2 * self._limit)
        self._counts[steps.LIMIT] = steps.INFINITE
        self._put_start()
        self._path[0, steps.SINGLE] = self._single
        views = len(self._patterns.cell_maps)
        if views:
            sums = self._state[:, pattern_arrays.VALUE].reshape(views, -1).sum(axis=1)
            self._path[0, self._kernel.VIEWS : self._kernel.VIEWS + views] = sums


class BestFirstRecursion(OnePathSearch):
    """Recursive best-first search. Its `limit` is the highest f of an expanded node."""

    _kind = LOWEST_F

    def __init__(self, task: Task) -> None:
        super().__init__(task, compiling.load("rbfs"))
        self._counts[steps.LIMIT] = self._h
        self._put_start()
        self._path[0, [self._kernel.RANK, self._kernel.BOUND]] = self._h, steps.INFINITE

    @property
    def limit(self) -> int:
        """Highest stored f of a selected node."""
        return int(self._counts[steps.LIMIT])

    def _kernel_limits(self) -> tuple[int, ...]:
        return (self._depth,)

    def _after_slice(self, code: int) -> Outcome:
        if code == self._kernel.PATH_FULL:
            self._add_levels(2 * len(self._path))
        return Outcome.EMPTY if code == self._kernel.DONE else OUTCOMES[code]
