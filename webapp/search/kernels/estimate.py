"""The heuristics, compiled: a sum over groups of tiles of what a table says of each group.

A group's index is the sum of the weights of its tiles in their cells. What the arrays hold:

`first` (tiles + 1,) int32
    the memberships of tile t are the rows first[t] to first[t + 1] of the next two; the blank,
    tile 0, has none.
`groups` (memberships,) int32
    the group of each membership.
`weights` (memberships, cells) int64
    what the tile adds to its group's index in each cell.
`offsets` (groups,) int64
    where the group's table begins in `values`; or LINE, for a group whose value is worked out.
`values` (...) int16
    the tables, one after the other.

A group of one tile has the cell as its index. LINE is a row or column of the goal, longer than
a table could be: its index holds 4 bits for each of its cells, 1 more than the place in the
line where the tile in that cell belongs, or 0. Its value is twice the fewest tiles that must
leave the line so that those left stand in their order: the tiles less the longest rising
subsequence.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Int16s = NDArray[np.int16]
Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]

LINE = -1

_LONGEST = 10


@njit
def _line_value(index: int) -> int:
    """Return twice the fewest tiles that must leave the line of `index`."""
    tails = np.empty(_LONGEST, dtype=np.int64)  # of rising subsequences of 1, 2, ... tiles
    rising = 0
    tiles = 0
    for place in range(_LONGEST):
        home = (index >> 4 * place) & 15
        if home == 0:
            continue
        tiles += 1
        length = 0
        while length < rising and tails[length] < home:
            length += 1
        tails[length] = home
        rising = max(rising, length + 1)
    return 2 * (tiles - rising)


@njit
def _group_value(group: int, indices: Int64s, offsets: Int64s, values: Int16s) -> int:
    if offsets[group] == LINE:
        return _line_value(indices[group])
    return np.int64(values[offsets[group] + indices[group]])


@njit
def start_estimate(
    cells: Int32s,
    first: Int32s,
    groups: Int32s,
    weights: Int64s,
    offsets: Int64s,
    values: Int16s,
    indices: Int64s,
) -> int:
    """Return h of the board `cells` (the tile in each cell), and set the groups' `indices`."""
    indices[:] = 0
    for cell in range(cells.shape[0]):
        tile = cells[cell]
        for member in range(first[tile], first[tile + 1]):
            indices[groups[member]] += weights[member, cell]
    h = 0
    for group in range(offsets.shape[0]):
        h += _group_value(group, indices, offsets, values)
    return h


@njit
def move_estimate(
    tile: int,
    old: int,
    new: int,
    first: Int32s,
    groups: Int32s,
    weights: Int64s,
    offsets: Int64s,
    values: Int16s,
    indices: Int64s,
) -> int:
    """Return by how much h changes when `tile` goes from cell `old` to `new`; change `indices`.

    The move back, with `old` and `new` exchanged, brings the indices back.
    """
    change = 0
    for member in range(first[tile], first[tile + 1]):
        group = groups[member]
        step = weights[member, new] - weights[member, old]
        if step != 0:
            change -= _group_value(group, indices, offsets, values)
            indices[group] += step
            change += _group_value(group, indices, offsets, values)
    return change
