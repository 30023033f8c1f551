"""The arrays of a pattern database, without the compiler.

A *view* maps the board's cells to those of the tables, and sums the table values of all groups.
Members of `PatternArrays`:

`cell_maps` (views, cells) int64
    the tables' cell of each cell of the board.
`groups` (views, tiles) uint64
    each tile's group, numbered across all views. It is 0 for the blank, tile 0, which has none.
`weights` (views, tiles) int64
    the factor of the tile's cell in the packed cells of its group, which are the sum of cell times
    weight over the tiles of the group.
`sizes` (groups,) int64
    the number of tiles of each group.
`dense` (groups,) int64
    0 if the packed cells are the index, with the cells as digits to the base of the cell count.
    That is fast, but up to half of the table is empty, or more for large groups. Otherwise 1, with
    5 bits per cell, and the index is the lexicographic rank of the arrangement.
`offsets` (groups,) int64
    the start of each group's table in `values`.
`values` (...) uint8
    the tables, read-only, so all processes share the mapped file without private memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from slidewise.solver.kernels.jit import Int64s, Uint8s, Uint64s

DENSE_BITS = 5
"""Bits that a cell takes in the packed cells of a group with a dense table."""


class PatternArrays(NamedTuple):
    """The tables of a pattern database for one goal, and how the tiles find theirs."""

    cell_maps: Int64s
    groups: Uint64s
    weights: Int64s
    sizes: Int64s
    dense: Int64s
    offsets: Int64s
    values: Uint8s


CELLS, VALUE = range(2)
"""The columns of `state`."""
