"""The compiled heuristics: a sum of table values over groups of tiles.

A group's index is the sum of the weights of its tiles in their cells. Members of `EstimateArrays`:

`first` (tiles + 1,) int32
    the memberships of tile t are the rows first[t] to first[t + 1] of the next two; the blank,
    tile 0, has none.
`groups` (memberships,) int32
    the group of each membership.
`weights` (memberships, cells) int64
    the tile's part of its group's index in each cell.
`offsets` (groups,) int64
    the start of the group's table in `values`, or LINE for a group with a computed value.
`values` (...) int16
    the tables, concatenated.

The memberships of a tile are contiguous, so a move reads only changed entries. Most tiles are in
one to three groups of dozens. The tables are one array, as a kernel is compiled for a fixed number
of arrays.

A group of a single tile has the cell as its index. LINE is a row or column of the goal that is too
long for a table. Its index has 4 bits per cell: 1 plus the tile's goal position in the line, or 0
for other tiles. Its value is twice the fewest tiles that must leave the line to sort it: the tiles
less the longest increasing subsequence.
"""

from typing import NamedTuple

from numba import int16, int32, int64

from slidewise.solver.kernels.jit import Int16s, Int32s, Int64s, Uint32s, helper, tuple_type

LINE = -1


class EstimateArrays(NamedTuple):
    """A heuristic for a goal."""

    first: Int32s
    groups: Int32s
    weights: Int64s
    offsets: Int64s
    values: Int16s


ESTIMATE = tuple_type(
    EstimateArrays,
    first=int32[::1],
    groups=int32[::1],
    weights=int64[:, ::1],
    offsets=int64[::1],
    values=int16[::1],
)


@helper
def line_value(index: int) -> int:
    """Return twice the fewest tiles that must leave the line of `index`."""
    tails = 0  # a bit for the last tile of the best rising subsequence of each length
    leave = 0
    while index:
        home = index & 15
        index >>= 4
        if home == 0:
            continue
        above = tails >> home
        if above:  # `home` replaces the next higher last tile; no subsequence gets longer
            tails ^= (above & -above) << home
            leave += 1
        tails |= 1 << home
    return 2 * leave


@helper
def set_indices(cells: Uint32s, estimate: EstimateArrays, indices: Int64s) -> None:
    """Set the groups' `indices` for the board `cells` (the tile in each cell)."""
    indices[:] = 0
    for cell in range(cells.shape[0]):
        tile = cells[cell]
        for member in range(estimate.first[tile], estimate.first[tile + 1]):
            indices[estimate.groups[member]] += estimate.weights[member, cell]


@helper
def change_of_move(tile: int, old: int, new: int, estimate: EstimateArrays, indices: Int64s) -> int:
    """Return by how much h changes when `tile` goes from cell `old` to `new`.

    The `indices` are from before the move. If all groups have a single tile, they need not be set.
    """
    first, groups, weights, offsets, values = estimate
    alone = groups.shape[0] == offsets.shape[0]
    change = 0
    for member in range(first[tile], first[tile + 1]):
        group = groups[member]
        before = weights[member, old] if alone else indices[group]
        after = before + weights[member, new] - weights[member, old]
        if offsets[group] != LINE:
            change += values[offsets[group] + after] - values[offsets[group] + before]
        elif after != before:
            change += line_value(after) - line_value(before)
    return change
