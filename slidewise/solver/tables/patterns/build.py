"""Construction of the tables: a backward breadth-first search from the goal for each group.

Importing this module loads numpy and the compiled kernel.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from slidewise.solver.kernels import patterns_build as kernel
from slidewise.solver.kernels.jit import Int64s, Uint8s, Uint16s
from slidewise.solver.tables.patterns.partition import Partition, is_spread

MOVES_PER_CALL = 20_000_000
"""Moves per call of the kernel, about 50 ms, so that a build can be cancelled promptly."""


def build(partition: Partition, keep: Callable[[Uint8s], None]) -> Iterator[float]:
    """Yield the completed share many times a second, and pass each finished table to `keep`.

    The search uses a byte per set, region of the blank and order of the tiles. That is 2 GB for 8
    tiles on 4x4 and 0.6 GB for 6 on 5x5, freed after each group.
    """
    rows, cols = partition.size
    grids: dict[int, Grid] = {}  # shared by groups of the same size
    done = 0
    for group, length in zip(partition.groups, partition.lengths, strict=True):
        if len(group) not in grids:
            grids[len(group)] = Grid.of(rows, cols, len(group))
        table = np.zeros(length, dtype=np.uint8)
        for share in fill(table, grids[len(group)], group, partition.blank):
            yield (done + share * length) / partition.bytes
        keep(table)
        done += length


@dataclass(frozen=True, eq=False)
class Grid:
    """The sets, blocks and moves of groups of the same size."""

    sets: kernel.SetArrays
    moves: kernel.MoveArrays

    @classmethod
    def of(cls, rows: int, cols: int, size: int) -> Grid:
        """Return the moves of `size` tiles on a grid."""
        cells = rows * cols
        count = math.comb(cells, size)
        sets = kernel.SetArrays(
            near=neighbour_masks(rows, cols),
            masks=np.empty(count, dtype=np.int64),
            regions=np.empty((count, cells), dtype=np.int8),
            first=np.empty(count + 1, dtype=np.int32),
        )
        kernel.fill_blocks(size, sets)
        # A move across each pair of neighbours in each direction, for every arrangement of the
        # others.
        pairs = rows * (cols - 1) + cols * (rows - 1)
        count = 2 * pairs * math.comb(cells - 2, size - 1)
        moves = kernel.MoveArrays(
            first_move=np.empty(sets.first[-1] + 1, dtype=np.int64),
            to=np.empty(count, dtype=np.int32),
            turns=np.empty(count, dtype=np.int16),
            maps=move_maps(size),
        )
        kernel.fill_moves(sets, binomials(cells, size), moves)
        return cls(sets, moves)


def fill(table: Uint8s, grid: Grid, group: tuple[int, ...], blank: int) -> Iterator[float]:
    """Fill the table of the tiles with the home cells `group`.

    Yields the completed share many times a second.
    """
    orders, cells = grid.moves.maps.shape[1], grid.sets.regions.shape[1]
    costs = np.zeros((grid.sets.first[-1], orders), dtype=np.uint8)
    for found in _expand_all(costs, grid, _home(grid, group, blank)):
        yield found / costs.size
    places, lower = np.empty((2, orders, len(group)), dtype=np.int64)
    kernel.fill_places(len(group), places, lower)
    slots = range(len(group))
    if is_spread(len(group)):
        lower[:] = 0  # a slot's digit is its cell
        radix = np.array([cells ** (len(group) - 1 - slot) for slot in slots])
    else:
        radix = np.array([math.perm(cells - 1 - slot, len(group) - 1 - slot) for slot in slots])
    sets = max(1, MOVES_PER_CALL // orders)
    for start in range(0, len(grid.sets.masks), sets):
        end = min(start + sets, len(grid.sets.masks))
        kernel.fill_table(costs, grid.sets, places, lower, radix, table, start, end)
        yield 1


def _expand_all(costs: Uint8s, grid: Grid, home: int) -> Iterator[int]:
    """Search from the block `home`, and yield the number of found states many times a second."""
    active, following = np.zeros((2, len(costs)), dtype=np.uint8)
    costs[home, 0] = active[home] = 1
    cost, counts = 0, np.zeros(2, dtype=np.int64)
    while active.any():
        done = False
        while not done:
            done = kernel.expand_slice(
                costs, grid.moves, active, following, counts, cost, MOVES_PER_CALL
            )
            yield int(counts[kernel.FOUND])
        active, following = following, active
        following[:] = 0
        counts[kernel.BLOCK] = 0
        cost += 1


def _home(grid: Grid, group: tuple[int, ...], blank: int) -> int:
    """Return the block of the goal."""
    number = np.searchsorted(grid.sets.masks, sum(1 << cell for cell in group))
    return int(grid.sets.first[number] + grid.sets.regions[number, blank])


@functools.cache
def neighbour_masks(rows: int, cols: int) -> Int64s:
    """Return the neighbours of each cell as bit masks: shape (cells,)."""
    masks = np.zeros(rows * cols, dtype=np.int64)
    for cell in range(rows * cols):
        for other in range(cell):
            if cell - other == cols or (cell - other == 1 and cell % cols):
                masks[cell] |= 1 << other
                masks[other] |= 1 << cell
    return masks


def binomials(cells: int, size: int) -> Int64s:
    """Return the binomial coefficients of each cell: shape (cells, size + 1)."""
    counts = range(size + 1)
    return np.array([[math.comb(cell, count) for count in counts] for cell in range(cells)])


@functools.cache
def move_maps(size: int) -> Uint16s:
    """Return the result of each turn for each order: shape (size * size, size!)."""
    maps = np.empty((size * size, math.factorial(size)), dtype=np.uint16)
    kernel.fill_turns(size, maps)
    return maps
