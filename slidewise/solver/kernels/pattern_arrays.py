"""The arrays of a pattern database, and look-ups without the compiler.

A *view* maps the board's cells to the tables' cells, and sums the table values of all groups.
Members of `PatternArrays`:

`cell_maps` (views, cells) int64
    the table cell of each cell of the board.
`groups` (views, tiles) uint64
    each tile's group, numbered across all views. It is 0 for the blank, tile 0, which has no group.
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

import numpy as np

if TYPE_CHECKING:
    from slidewise.solver.kernels.jit import Int64s, Uint8s, Uint32s, Uint64s

DENSE_BITS = 5
"""Bits that a cell takes in the packed cells of a group with a dense table."""


class PatternArrays(NamedTuple):
    """The tables of a pattern database for a goal, and the place of each tile in them."""

    cell_maps: Int64s
    groups: Uint64s
    weights: Int64s
    sizes: Int64s
    dense: Int64s
    offsets: Int64s
    values: Uint8s


CELLS, VALUE = range(2)
"""The columns of `state`."""


def look_up(boards: Uint32s, arrays: PatternArrays) -> tuple[Int64s, Int64s]:
    """Return h of each of `boards` and the look-up state of the last, without the kernel."""
    cell_of = np.argsort(boards, axis=1)
    views, cells = arrays.cell_maps.shape
    per_view = len(arrays.sizes) // views
    sums = np.zeros((views, len(boards)), dtype=np.int64)
    state = np.zeros((len(arrays.sizes), 2), dtype=np.int64)
    for group, size in enumerate(arrays.sizes):
        view = group // per_view
        # The blank has group 0 too, but no weight.
        tiles = np.flatnonzero(arrays.weights[view] * (arrays.groups[view] == group))
        places = arrays.cell_maps[view][cell_of[:, tiles]]
        packed = places @ arrays.weights[view, tiles]
        index = _rank(packed, int(size), cells) if arrays.dense[group] else packed
        values = arrays.values[arrays.offsets[group] + index].astype(np.int64)
        sums[view] += values
        state[group] = packed[-1], values[-1]
    return sums.max(axis=0), state


def _rank(packed: Int64s, size: int, cells: int) -> Int64s:
    """Return the lexicographic ranks of arrangements of `size` tiles, from their packed cells."""
    places = [packed >> DENSE_BITS * slot & 2**DENSE_BITS - 1 for slot in range(size)]
    rank = np.zeros_like(packed)
    for slot, place in enumerate(places):
        lower = sum((before < place).astype(np.int64) for before in places[:slot])
        rank = rank * (cells - slot) + place - lower
    return rank
