"""Shared code of the linear-space kernels: steps of the blank and updates of the estimate.

A *way* is a cell of the blank and its side of arrival: 8 * cell + side. The sides are 0 above, 1
below, 2 left, 3 right and 4 for none, at the start. It is also the row of `ways` with the next
cells of the blank. Contents of the arrays:

`ways` (rows, 8) uint32
    the next ways of the blank without undoing its last move. Column COUNT has their number. From
    column ONWARD on they are in the order blank up, down, left, right.
`board`, `goal` (cells,) uint32
    the tile in each cell, 0 for the blank. Unsigned, which saves numba's check for negative
    indices.
`table` (tiles, cells) int32
    the part of h of each tile alone in each cell, from all groups of a single tile.
`with_table`
    the number of groups of several tiles with a table.
`values` (...) int16
    their tables, concatenated.
`indices` (groups,) int64
    the index in `values` of each of these groups on `board`. The groups with a table come first,
    then the lines with their own kind of index, as in `kernels/estimate.py`.
`moves` (4 * cells * tiles, memberships) int64
    the change of the indices by a tile's move from a cell to a side, in row 4 * (cells * tile +
    cell) + side: the number of a group in the lowest bits, and the step of its index. Rows of tiles
    in fewer groups are padded with 0, which is no step. Without groups of several tiles there are
    no rows. The table is far larger than `weights` of `kernels/estimate.py`, but a move needs a
    single row. It subtracts no cells and looks up no group offsets.
`counts` (10,) int64
    the counters of the search, which persist between slices.
"""

from typing import NamedTuple

import numpy as np
from numba import int16, int32, int64, uint32

from slidewise.solver.kernels.estimate import line_value
from slidewise.solver.kernels.jit import Int16s, Int32s, Int64s, Uint32s, helper, tuple_type
from slidewise.solver.kernels.pattern_arrays import PatternArrays
from slidewise.solver.kernels.patterns import PATTERNS


class GroupArrays(NamedTuple):
    """The groups of several tiles, and their indices on the board."""

    with_table: int
    moves: Int64s
    values: Int16s
    indices: Int64s


class PathArrays(NamedTuple):
    """The path, the board at its end, and the tables of the effects of moves."""

    path: Int64s
    counts: Int64s
    board: Uint32s
    goal: Uint32s
    ways: Uint32s
    table: Int32s
    groups: GroupArrays
    patterns: PatternArrays
    state: Int64s


ARRAYS = tuple_type(
    PathArrays,
    path=int64[:, ::1],
    counts=int64[::1],
    board=uint32[::1],
    goal=uint32[::1],
    ways=uint32[:, ::1],
    table=int32[:, ::1],
    groups=tuple_type(
        GroupArrays,
        with_table=int64,
        moves=int64[:, ::1],
        values=int16[::1],
        indices=int64[::1],
    ),
    patterns=PATTERNS,
    state=int64[:, ::1],
)

# The columns of `ways`, of which ONWARD is the first of up to four.
COUNT, ONWARD = 0, 1
WAY_COLUMNS = 8

SIDES = 8
"""Ways of a cell, of which 5 are in use: a power of two, so that dividing is a shift."""

NO_SIDE = 4

GROUP_BITS = 12
"""Bits for the number of a group in `moves`; the step of its index, up to 16**10, is above."""

_GROUP = 2**GROUP_BITS - 1

# The places in `counts`. LEVEL: the last row of the path. TAKEN: whether its node was selected and
# is not yet expanded. PRUNED: nodes at the depth limit, which are not expanded. LIMIT: the lowest f
# above the f-limit (iterative deepening), or the current f-limit (recursive best-first search).
LEVEL, TAKEN, STORED, PEAK_STORED, PEAK_FRONTIER, EXPANDED = range(6)
GENERATED, DEEPEST, PRUNED, LIMIT = range(6, 10)
COUNTS = 10

# The first columns of a path in either kernel. SINGLE: the part of h that `table` adds.
WAY, ESTIMATE, SINGLE, SUCCESSORS = range(4)

INFINITE = 2**40
"""An f above any f of a board."""


@helper
def is_goal(board: Uint32s, goal: Uint32s) -> bool:
    """Return whether `board` is the goal."""
    for cell in range(goal.shape[0]):
        if board[cell] != goal[cell]:
            return False
    return True


@helper
def blank_of(board: Uint32s) -> int:
    """Return the cell of the blank."""
    blank = 0
    while board[blank] != 0:
        blank += 1
    return blank


@helper
def row_of(tile: int, cell: int, side: int, cells: int) -> int:
    """Return the row of `moves` of a move of `tile` from `cell` to the side."""
    return 4 * (cells * tile + cell) + side


@helper
def look_ahead(row: int, groups: GroupArrays) -> int:
    """Return the change of the groups' part of h by the move of `row`."""
    with_table, moves, values, indices = groups
    change = 0
    for member in range(moves.shape[1]):
        group = moves[np.uint64(row), np.uint64(member)] & _GROUP
        step = moves[np.uint64(row), np.uint64(member)] >> GROUP_BITS
        index = indices[np.uint64(group)]
        if group < with_table:
            change += values[np.uint64(index + step)] - values[np.uint64(index)]
        # A padded member has no step, and its line would be computed twice in vain.
        elif step != 0:
            change += line_value(index + step) - line_value(index)
    return change


@helper
def shift(row: int, groups: GroupArrays) -> None:
    """Update the groups' indices by the move of `row`."""
    moves, indices = groups.moves, groups.indices
    for member in range(moves.shape[1]):
        move = moves[np.uint64(row), np.uint64(member)]
        indices[np.uint64(move & _GROUP)] += move >> GROUP_BITS


@helper
def cell_of(way: int) -> int:
    """Return the cell of the blank."""
    return way >> 3
