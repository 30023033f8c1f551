"""Where the blank can go, and what a move changes: tables for the kernels that keep one path.

`kernels/steps.py` describes them. Importing this module loads numpy.
"""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from slidewise.solver.estimate import Estimate
from slidewise.solver.kernels import steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slidewise.solver.estimate import Group
    from slidewise.solver.kernels.arrays import Int16s, Int32s, Int64s, Uint32s


@functools.lru_cache(maxsize=32)
def ways(rows: int, cols: int) -> Uint32s:
    """Return where the blank can go on to from each cell and side that it came from.

    The array is (8 * cells, 8), as `kernels/steps.py` has it.
    """
    table = np.zeros((steps.SIDES * rows * cols, steps.WAY_COLUMNS), dtype=np.uint32)
    for row, col, came in itertools.product(range(rows), range(cols), range(steps.NO_SIDE + 1)):
        place = steps.SIDES * (row * cols + col) + came
        for side, (down, right) in enumerate(((-1, 0), (1, 0), (0, -1), (0, 1))):
            if side != came and 0 <= row + down < rows and 0 <= col + right < cols:
                cell = (row + down) * cols + col + right
                onward = steps.ONWARD + table[place, steps.COUNT]
                table[place, onward] = steps.SIDES * cell + (side ^ 1)
                table[place, steps.COUNT] += 1
    return table


class EstimateTables(NamedTuple):
    """An estimate as the kernels that keep one path take it, described in `kernels/steps.py`.

    `alone` is its `table`; `groups` are those of several tiles, the first `with_table` of them
    with a table that begins in `values` at its entry of `bases`.
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
    """Return what each move of a tile does to the groups' indices, in `moves` form."""
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
            moves[tile, 1:, :, 0, member] += grid[:-1] - grid[1:]
            moves[tile, :-1, :, 1, member] += grid[1:] - grid[:-1]
            moves[tile, :, 1:, 2, member] += grid[:, :-1] - grid[:, 1:]
            moves[tile, :, :-1, 3, member] += grid[:, 1:] - grid[:, :-1]
    return moves.reshape(4 * cells * cells if most else 0, most)
