"""Beam search: arrays for its kernel, and the path that it found.

Importing this module loads numpy and the compiled functions: do it where a search runs.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from slidewise.solver.engines.packing import neighbours
from slidewise.solver.estimate import Estimate, line_value
from slidewise.solver.kernels import beam as kernel
from slidewise.solver.kernels import patterns
from slidewise.solver.limits import slots
from slidewise.solver.pace import Outcome

if TYPE_CHECKING:
    from slidewise.puzzle import Board, Puzzle
    from slidewise.solver.kernels.arrays import Int64s
    from slidewise.solver.kernels.patterns import PatternArrays
    from slidewise.solver.tables.patterns.database import PatternDatabase

SEEN_PER_BOARD = 4
"""Boards remembered for each board of a layer: with more of them no path came out shorter."""

PATIENCE_LAYERS = 200
"""Layers without a lower h than before, after which a search is given up."""

WANTED_TILES_WEIGHT = 4
"""How much more the tiles that are searched for count than the others."""

_OUTCOMES = {
    kernel.GOAL: Outcome.GOAL,
    kernel.BUDGET_USED: Outcome.RUNNING,
    kernel.NODES_FULL: Outcome.FULL,
    kernel.NONE_LEFT: Outcome.EMPTY,
    kernel.STUCK: Outcome.EMPTY,
}


class Beam:
    """A search layer by layer that keeps the `width` best boards of each.

    It finds a path of up to `most` moves (1 at least) or none, and then the outcome is EMPTY,
    which proves nothing. The boards are ranked by linear conflict and the pattern database of the
    goal, if there is one. With `tiles` only those are brought home; the others follow as they can.

    >>> from slidewise import parse_puzzle
    >>> beam = Beam(parse_puzzle("1.0.3-4.2.5"), None, width=10, most=20)
    >>> beam.advance(1_000), beam.path()
    (<Outcome.GOAL: 2>, [1, 4, 5])

    A run repeats exactly, whatever its slices. Source: B. T. Lowerre, The Harpy speech
    recognition system, 1976.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        database: PatternDatabase | None,
        width: int,
        most: int,
        tiles: frozenset[int] | None = None,
    ) -> None:
        self._puzzle, self._most = puzzle, most
        self._weight = 1 if tiles is None else WANTED_TILES_WEIGHT
        self._neighbours = neighbours(puzzle.rows, puzzle.cols)
        estimate = Estimate(len(puzzle.goal.cells), (), database)
        self._arrays = self._allocate(width, _goal(puzzle.goal, tiles), estimate.pattern_arrays)
        self._counts = self._arrays.counts
        self._place_start(estimate)

    @property
    def expanded(self) -> int:
        """Return the number of boards expanded."""
        return int(self._counts[kernel.EXPANDED])

    @property
    def generated(self) -> int:
        """Return the number of successors made."""
        return int(self._counts[kernel.GENERATED])

    @property
    def layer(self) -> int:
        """Return the number of moves that the boards of the layer under way are from the start."""
        return int(self._counts[kernel.LAYER])

    @property
    def frontier(self) -> int:
        """Return the number of boards and successors that wait."""
        names = kernel.SIZE, kernel.PLACE, kernel.MADE, kernel.NEXT
        size, place, made, taken = (int(self._counts[name]) for name in names)
        expanding = self._counts[kernel.PHASE] == kernel.EXPANDING
        return size - place + made if expanding else made - place + taken

    @property
    def peak_frontier(self) -> int:
        """Return the most boards and successors that waited at a time."""
        return max(self.frontier, int(self._counts[kernel.PEAK_FRONTIER]))

    @property
    def stored(self) -> int:
        """Return the number of boards in all layers, and of successors made for the next one."""
        return 1 + int(self._counts[kernel.TAKEN] + self._counts[kernel.MADE])

    @property
    def peak_stored(self) -> int:
        """Return the most that were stored at a time."""
        return max(self.stored, int(self._counts[kernel.PEAK_STORED]))

    def advance(self, budget: int) -> Outcome:
        """Expand up to `budget` boards; say how that ended."""
        code = kernel.search_slice(self._arrays, self._weight, self._most, PATIENCE_LAYERS, budget)
        return _OUTCOMES[code]

    def path(self) -> list[int]:
        """Return the cells of the blank from the start to the goal, after `Outcome.GOAL`."""
        link = int(self._arrays.links[self._counts[kernel.TAKEN]])
        blanks = self._way(self.layer - 1, link >> 2)
        return [*blanks, int(self._neighbours[blanks[-1], link & 3])]

    def nearest(self) -> list[int]:
        """Return the cells of the blank on the way to the first of the boards with the least h."""
        return self._way(
            int(self._counts[kernel.LOWEST_LAYER]), int(self._counts[kernel.LOWEST_ROW])
        )

    def _way(self, layer: int, row: int) -> list[int]:
        """Return the cells of the blank from the start to the board in a row of a layer."""
        directions = []
        for end in self._arrays.ends[:layer][::-1]:
            link = int(self._arrays.links[end + row])
            directions.append(link & 3)
            row = link >> 2
        blanks = [self._puzzle.start.blank]
        for direction in reversed(directions):
            blanks.append(int(self._neighbours[blanks[-1], direction]))
        return blanks

    def _allocate(
        self, width: int, goal: kernel.GoalArrays, patterns: PatternArrays
    ) -> kernel.BeamArrays:
        """Return the arrays. They take memory as they are filled, page by page."""
        views = len(patterns.cell_maps)
        self._h = kernel.BOARD + -(-len(self._puzzle.goal.cells) // 8)  # the column
        columns = self._h + 1 + views + len(patterns.sizes)
        indices, others = np.empty((2, 4 * kernel.BLOCK, views), dtype=np.int64)
        return kernel.BeamArrays(
            layers=np.zeros((2, width, columns), dtype=np.int64),
            made=np.empty((4 * width, 1 + views), dtype=np.int64),
            ranks=np.empty(4 * width, dtype=np.int32),
            order=np.empty(4 * width, dtype=np.int32),
            tally=np.zeros(kernel.RANKS, dtype=np.int64),
            seen=np.zeros(slots(SEEN_PER_BOARD * width), dtype=np.int64),
            links=np.empty(width * self._most + 1, dtype=np.int32),
            ends=np.zeros(self._most + 2, dtype=np.int64),
            counts=np.zeros(kernel.COUNTS, dtype=np.int64),
            neighbours=self._neighbours,
            indices=indices,
            others=others,
            goal=goal,
            patterns=patterns,
        )

    def _place_start(self, estimate: Estimate) -> None:
        """Make the start the only board of the first layer."""
        start, row, goal = self._puzzle.start, self._arrays.layers[0, 0], self._arrays.goal
        cells = range(len(start.cells))
        row[kernel.KEY] = np.bitwise_xor.reduce(goal.hashes[start.cells, cells])
        row[kernel.BLANK] = start.blank
        row[kernel.EXTRA] = goal.extras[start.cells, cells].sum()
        for cell, tile in enumerate(start.cells):
            row[kernel.BOARD + cell // 8] |= np.int64(tile) << 8 * (cell % 8)
        row[self._h] = _linear_conflict(start, goal)
        views = len(self._arrays.patterns.cell_maps)
        if views:
            state = estimate.pattern_state(start)
            said = state[:, patterns.VALUE]
            spots = state[:, patterns.CELLS] << kernel.VALUE_BITS | said
            row[self._h + 1 :] = *said.reshape(views, -1).sum(axis=1), *spots
        self._counts[[kernel.SIZE, kernel.PEAK_FRONTIER, kernel.PEAK_STORED]] = 1
        self._counts[kernel.LOWEST] = row[self._h]


def _linear_conflict(board: Board, goal: kernel.GoalArrays) -> int:
    """Return Manhattan distance with linear conflicts, of the tiles searched for."""
    grid = np.array(board.cells).reshape(board.size)
    in_lines = zip(goal.lines.tolist(), [*grid.tolist(), *grid.T.tolist()], strict=True)
    conflicts = [
        line_value([homes[tile] for tile in tiles if homes[tile]]) for homes, tiles in in_lines
    ]
    distance = goal.distances[board.cells, range(len(board.cells))].sum()
    return int(distance) + sum(conflicts)


@functools.lru_cache(maxsize=8)
def _goal(goal: Board, tiles: frozenset[int] | None) -> kernel.GoalArrays:
    """Return the arrays for a search for `tiles`, all of them if it is None."""
    count = len(goal.cells)
    cells = np.array([divmod(cell, goal.cols) for cell in range(count)], dtype=np.int64)
    homes = np.empty(count, dtype=np.int64)
    homes[list(goal.cells)] = range(count)
    wanted = np.array([tile > 0 and (tiles is None or tile in tiles) for tile in range(count)])
    from_home = abs(cells[homes][:, None] - cells[None]).sum(axis=2).astype(np.int32)
    lines = np.zeros((goal.rows + goal.cols, count), dtype=np.int64)
    for tile in np.flatnonzero(wanted):
        row, col = cells[homes[tile]]
        lines[row, tile], lines[goal.rows + col, tile] = col + 1, row + 1
    distances = np.where(wanted[:, None], from_home, 0)
    extras = from_home - distances
    extras[0] = 0
    hashed = wanted.copy()
    hashed[0] = True
    return kernel.GoalArrays(
        cells,
        np.ascontiguousarray(distances, dtype=np.int32),
        lines,
        np.ascontiguousarray(extras, dtype=np.int32),
        np.where(hashed[:, None], _random_numbers(count), 0),
    )


@functools.lru_cache(maxsize=8)
def _random_numbers(count: int) -> Int64s:
    """Return an array (count, count) of 64 random bits each, always the same ones."""
    drawn = np.random.PCG64(count).random_raw(count * count)
    return np.asarray(drawn).astype(np.int64).reshape(count, count)
