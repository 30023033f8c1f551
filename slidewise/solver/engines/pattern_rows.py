"""What the kernel of IDA* with pattern databases begins with: `kernels/pattern_search.py`.

Importing this module loads numpy and the compiled functions: do it where a search runs.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from slidewise.solver.engines.walks import SIDES
from slidewise.solver.kernels import pattern_search as kernel
from slidewise.solver.kernels.patterns import CELLS, VALUE

if TYPE_CHECKING:
    from slidewise.puzzle import Board
    from slidewise.solver.kernels.arrays import Uint64s
    from slidewise.solver.kernels.patterns import PatternArrays
    from slidewise.solver.tables.patterns.database import PatternDatabase

VIEWS = 2
"""What the kernel looks at: where there is one view only, that one twice."""


@functools.lru_cache(maxsize=4)
def tile_rows(database: PatternDatabase, cols: int) -> Uint64s:
    """Return `SearchArrays.tiles`, for boards that have `cols` columns."""
    patterns = database.arrays
    rows = np.zeros((patterns.groups.shape[1], kernel.TILE_COLUMNS), dtype=np.int64)
    cells = np.arange(patterns.cell_maps.shape[1]).reshape(-1, cols)
    for number, view in enumerate(_views(patterns)):
        groups = patterns.groups[view].astype(np.int64)
        for side, (down, right) in enumerate(SIDES):
            blank, cell = _edge(patterns.cell_maps[view][cells], down, right)
            rows[:, len(SIDES) * number + side] = (blank - cell) * patterns.weights[
                view
            ] << kernel.VALUE_BITS
        rows[:, kernel.GROUP + number] = kernel.ENTRIES + groups
        rows[:, kernel.SIZE + number] = patterns.sizes[groups] * patterns.dense[groups]
        rows[:, kernel.OFFSET + number] = patterns.offsets[groups]
    rows[0] = 0
    return rows.view(np.uint64)


def first_row(database: PatternDatabase, board: Board, row: int) -> Uint64s:
    """Return the row of the path for `board`, where the automaton is in `row`."""
    patterns, state = database.arrays, database.state(board)
    blocks = -(-len(state) // kernel.ENTRIES_BLOCK)
    first = np.zeros(kernel.ENTRIES + blocks * kernel.ENTRIES_BLOCK, dtype=np.uint64)
    first[kernel.BLANK], first[kernel.ROW] = board.blank, row
    said = state[:, VALUE].reshape(len(patterns.cell_maps), -1).sum(axis=1)
    first[[kernel.FIRST, kernel.SECOND]] = said[_views(patterns)]
    places = state[:, CELLS] + np.where(patterns.dense, 0, patterns.offsets)
    first[kernel.ENTRIES : kernel.ENTRIES + len(state)] = (
        places << kernel.VALUE_BITS | state[:, VALUE]
    )
    return first


def _views(patterns: PatternArrays) -> list[int]:
    """Return the view that is the kernel's first, and its second."""
    return [0, len(patterns.cell_maps) - 1]


def _edge(cells: np.ndarray, down: int, right: int) -> tuple[int, int]:
    """Return the tables' cells of two neighbours: of one, and of that to the side from it.

    As the tables' cells are those of the board turned or reflected, all neighbours on that side
    differ by as much; 0 twice where no cell has one there.
    """
    last, right_most = cells.shape[0] - 1, cells.shape[1] - 1
    row, col = (last if down < 0 else 0), (right_most if right < 0 else 0)
    if not (0 <= row + down <= last and 0 <= col + right <= right_most):
        return 0, 0
    return int(cells[row, col]), int(cells[row + down, col + right])
