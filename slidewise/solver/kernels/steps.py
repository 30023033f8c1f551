"""What the linear-space kernels share: steps of the blank, and what they do to the estimate.

A *way* is a cell of the blank together with the side that it came from, the sides being 0 above,
1 below, 2 left, 3 right and 4 for none, at the start: 8 * cell + side. It is also the row of `ways`
that tells where the blank can go on to. What the arrays hold:

`ways` (rows, 8) uint32
    where the blank can go on to, its last move never taken back: column COUNT says how many ways
    there are, and from column ONWARD on they stand in the order blank up, down, left, right.
`board`, `goal` (cells,) uint32
    the tile in each cell, 0 for the blank. Unsigned, as numba then need not look whether an
    index is below 0.
`table` (tiles, cells) int32
    what each tile taken alone adds to h in each cell: all groups of one tile.
`with_table`
    how many of the groups of several tiles have a table.
`values` (...) int16
    their tables, one after the other.
`indices` (groups,) int64
    where in `values` each such group is on `board`; first come the groups with a table, then the
    lines, which have an index of their own, as `kernels/estimate.py` has it.
`moves` (4 * cells * tiles, memberships) int64
    what a tile's move from a cell to the side does to the indices, in row
    4 * (cells * tile + cell) + side: the number of a group in the lowest bits, and the
    step of its index. A tile in fewer groups than another has rows with 0, which is no step.
    No rows at all mean that there are no such groups. The table is far larger than `weights` of
    `kernels/estimate.py`, but a row of it is all that a move needs: no subtraction of two cells,
    and no look where the groups of a tile begin.
`counts` (11,) int64
    the counters of the search, which live here from one slice to the next.

And `trace` (capacity, 10) int32:
    a row for each of the first expansions of the slice, the last four columns as
    `kernels/trace.py` has them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import int16, int32, int64, uint32

from slidewise.solver.kernels.estimate import line_value
from slidewise.solver.kernels.jit import (
    NO_MOVE,
    OVER_F,
    WENT_BACK,
    Int16s,
    Int32s,
    Int64s,
    Uint32s,
    helper,
    tuple_type,
)
from slidewise.solver.kernels.patterns import PATTERNS, PatternArrays


class GroupArrays(NamedTuple):
    """The groups of several tiles, and where each of them is on the board."""

    with_table: int
    moves: Int64s
    values: Int16s
    indices: Int64s


class PathArrays(NamedTuple):
    """The path, the board at its end, and the tables that tell what a move does."""

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

# The places in `counts`. LEVEL: the last row of the path. TAKEN: whether its node was taken and
# is still to be expanded. MADE: nodes kept so far, which gives them their numbers. PRUNED: nodes
# taken at the depth limit, whose successors are not looked at. LIMIT: the lowest f above the
# f-limit (iterative deepening), or the f-limit under way (recursive best-first search).
LEVEL, TAKEN, STORED, PEAK_STORED, PEAK_FRONTIER, EXPANDED = range(6)
GENERATED, MADE, DEEPEST, PRUNED, LIMIT = range(6, 11)
COUNTS = 11

# The columns of `trace`. BLANK: the cell of the blank. FIRST_NEW: the number of the first
# successor kept.
NODE, G, H, F, BLANK, FIRST_NEW, FATES = range(7)
TRACE_COLUMNS = 10

# The first columns of a path in either kernel. NUMBER: the node's number, by its making. SINGLE:
# the part of h that `table` adds. FIRST_KEPT: the number of the first successor kept.
WAY, ESTIMATE, SINGLE, NUMBER, SUCCESSORS, FIRST_KEPT = range(6)

INFINITE = 2**40
"""An f above all others."""


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
    """Return by how much the move of `row` would change what the groups add to h."""
    with_table, moves, values, indices = groups
    change = 0
    for member in range(moves.shape[1]):
        group = moves[np.uint64(row), np.uint64(member)] & _GROUP
        step = moves[np.uint64(row), np.uint64(member)] >> GROUP_BITS
        index = indices[np.uint64(group)]
        if group < with_table:
            change += values[np.uint64(index + step)] - values[np.uint64(index)]
        elif step != 0:
            change += line_value(index + step) - line_value(index)
    return change


@helper
def shift(row: int, groups: GroupArrays) -> None:
    """Change the groups' indices as the move of `row` is made."""
    moves, indices = groups.moves, groups.indices
    for member in range(moves.shape[1]):
        move = moves[np.uint64(row), np.uint64(member)]
        indices[np.uint64(move & _GROUP)] += move >> GROUP_BITS


@helper
def cell_of(way: int) -> int:
    """Return the cell of the blank."""
    return way >> 3


@helper
def side_of(way: int) -> int:
    """Return where the blank went to come on `way`: 0 up, 1 down, 2 left, 3 right."""
    return (way % SIDES) ^ 1


@helper
def write_trace(
    row: Int32s, number: int, g: int, h: int, f: int, first_new: int, way: int, ways: Uint32s
) -> None:
    """Write an expansion into a row of the trace, its successors as if none were kept."""
    row[NODE] = number
    row[G] = g
    row[H] = h
    row[F] = f
    row[BLANK] = cell_of(way)
    row[FIRST_NEW] = first_new
    for fate in range(FATES, row.shape[0]):  # a slice would take far longer to compile
        row[fate] = NO_MOVE
    side = way % SIDES
    if side != NO_SIDE:
        row[FATES + side] = WENT_BACK
    for place in range(ONWARD, ONWARD + ways[way, COUNT]):
        row[FATES + side_of(ways[way, place])] = OVER_F
