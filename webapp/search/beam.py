"""Beam search: arrays for its kernel, and the path that it found.

Importing this module loads numpy and the compiled functions: do it where a search runs.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from webapp.search.kernels import beam as kernel
from webapp.search.kernels import patterns
from webapp.search.limits import slots
from webapp.search.nodes import neighbours
from webapp.search.pace import Outcome
from webapp.search.registry import find_heuristic
from webapp.search.result import Cost

if TYPE_CHECKING:
    from webapp.puzzle import Board, Puzzle
    from webapp.search.estimates import Estimate
    from webapp.search.kernels.estimate import Int32s, Int64s

_OUTCOMES = {
    kernel.GOAL: Outcome.GOAL,
    kernel.BUDGET_USED: Outcome.RUNNING,
    kernel.NODES_FULL: Outcome.FULL,
    kernel.NONE_LEFT: Outcome.EMPTY,
}

SEEN = 64
"""Slots for the keys of boards taken, to each board of a layer, at least."""

_CONFLICTS = "linear-conflict"


class Beam:
    """A search that keeps the `width` best boards of each layer.

    It finds a path of up to `most` moves or none (`Outcome.EMPTY`), which proves nothing. Boards
    are ranked by linear conflict, and with it by `estimate` if that has a pattern database.

    Source: B. T. Lowerre, The Harpy speech recognition system, 1976.
    """

    def __init__(self, puzzle: Puzzle, estimate: Estimate, width: int, most: int) -> None:
        self._puzzle, self._most = puzzle, most
        self._patterns = patterns.of(estimate)
        self._neighbours = neighbours(*puzzle.start.size)
        self._goal = (
            _cells(*puzzle.start.size),
            *_homes(puzzle.goal),
            _hashes(len(puzzle.goal.cells)),
        )
        columns = _columns(len(puzzle.goal.cells), self._patterns)
        views = len(self._patterns.cell_maps)
        self._layers = np.zeros((2, width, columns), dtype=np.int64)
        self._made = np.empty((4 * width, 1 + views), dtype=np.int64)
        self._ranks = np.empty(4 * width, dtype=np.int32)
        self._order = np.empty(4 * width, dtype=np.int32)
        self._tally = np.zeros(kernel.RANKS, dtype=np.int64)
        self._seen = np.zeros(slots(SEEN * width // 2), dtype=np.int64)
        self._links = np.empty(width * most, dtype=np.int32)
        self._ends = np.zeros(most + 2, dtype=np.int64)
        self._counts = np.zeros(kernel.COUNTS, dtype=np.int64)
        self._place_start()

    @property
    def expanded(self) -> int:
        """Return the number of boards expanded."""
        return int(self._counts[kernel.EXPANDED])

    @property
    def cost(self) -> Cost:
        """Return what the search has cost, but for the time."""
        return Cost(
            expanded=self.expanded,
            generated=1 + int(self._counts[kernel.GENERATED]),
            peak_frontier=int(self._counts[kernel.PEAK_FRONTIER]),
            peak_stored=1 + int(self._counts[kernel.TAKEN]),
            deepest=int(self._counts[kernel.LAYER]),
            seconds=0.0,
        )

    def advance(self, budget: int) -> Outcome:
        """Expand up to `budget` boards; say how that ended."""
        code = kernel.search_slice(
            self._layers,
            self._made,
            self._ranks,
            self._order,
            self._tally,
            self._seen,
            self._links,
            self._ends,
            self._counts,
            self._neighbours,
            *self._goal,
            *self._patterns,
            self._most,
            budget,
        )
        return _OUTCOMES[code]

    def path(self) -> list[int]:
        """Return the cells of the blank from the start to the goal, after `Outcome.GOAL`."""
        blanks = [self._puzzle.goal.blank]
        link = int(self._links[self._counts[kernel.TAKEN]])
        for layer in range(int(self._counts[kernel.LAYER]) - 1, -1, -1):
            blanks.append(int(self._neighbours[blanks[-1], (link & 3) ^ 1]))
            if layer:
                link = int(self._links[self._ends[layer - 1] + (link >> 2)])
        return blanks[::-1]

    def _place_start(self) -> None:
        """Make the first layer."""
        start, row = self._puzzle.start, self._layers[0, 0]
        hashes = self._goal[-1]
        row[kernel.KEY] = np.bitwise_xor.reduce(
            [hashes[tile, cell] for cell, tile in enumerate(start.cells) if tile]
        )
        row[kernel.BLANK] = start.blank
        cells = np.zeros(8 * (_estimates(len(start.cells)) - kernel.BOARD), dtype=np.uint8)
        cells[: len(start.cells)] = start.cells
        row[kernel.BOARD : _estimates(len(start.cells))] = cells.view("<i8")
        found = row[_estimates(len(start.cells)) :]
        found[0] = find_heuristic(_CONFLICTS).value(start, self._puzzle.goal)
        views = len(self._patterns.cell_maps)
        if views:
            state = patterns.new_state(self._patterns)
            patterns.set_state(np.array(start.cells, dtype=np.uint32), *self._patterns, state)
            found[1 : 1 + views] = state[:, patterns.VALUE].reshape(views, -1).sum(axis=1)
            spots = state[:, patterns.CELLS] << kernel.VALUE_BITS | state[:, patterns.VALUE]
            found[1 + views :] = spots
        self._counts[kernel.SIZE] = 1


def width_within(size: int, puzzle: Puzzle, estimate: Estimate, most: int) -> int:
    """Return the greatest width of a beam for paths of up to `most` moves in `size` bytes."""
    arrays = patterns.of(estimate)
    layers = 16 * _columns(len(puzzle.start.cells), arrays)
    made = 4 * (8 * (1 + len(arrays.cell_maps)) + 4 + 4)
    return size // (layers + made + 2 * 8 * SEEN + 4 * most)


def _estimates(cells: int) -> int:
    """Return the column of the first estimate: the one after the board."""
    return kernel.BOARD + -(-cells // 8)


def _columns(cells: int, arrays: patterns.PatternArrays) -> int:
    return _estimates(cells) + 1 + len(arrays.cell_maps) + len(arrays.sizes)


@functools.lru_cache(maxsize=8)
def _cells(rows: int, cols: int) -> Int64s:
    return np.array([divmod(cell, cols) for cell in range(rows * cols)], dtype=np.int64)


@functools.lru_cache(maxsize=8)
def _homes(goal: Board) -> tuple[Int32s, Int64s]:
    """Return the distance of each tile in each cell, and the places of tiles in their lines."""
    distances = np.zeros((len(goal.cells), len(goal.cells)), dtype=np.int32)
    lines = np.zeros((goal.rows + goal.cols, len(goal.cells)), dtype=np.int64)
    cells = _cells(*goal.size)
    for home, tile in enumerate(goal.cells):
        if tile:
            row, col = divmod(home, goal.cols)
            lines[row, tile], lines[goal.rows + col, tile] = col + 1, row + 1
            distances[tile] = np.abs(cells - (row, col)).sum(axis=1)
    return distances, lines


@functools.lru_cache(maxsize=8)
def _hashes(cells: int) -> Int64s:
    """Return a random number for each tile in each cell, the same ones at all times."""
    draw = np.random.Generator(np.random.PCG64(1))
    return draw.integers(-(2**63), 2**63, size=(cells, cells), dtype=np.int64)
