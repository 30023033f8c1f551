"""Pattern databases, compiled: incremental look-ups after a move.

A *view* maps the board's cells to the tables' cells, and sums the table values of all groups. The
members of `PatternArrays` are described in `pattern_arrays.py`.

The state of the look-ups is in `state` (groups, 2) int64: a row for each group of each view, with
its packed cells and table value. A move changes a row of each view. The tables are far larger than
the CPU caches, so a move costs a memory access per view.

Non-negative indices are cast to `np.uint64`, which saves numba's check for negative indices.

Source: R. E. Korf and A. Felner, Disjoint pattern database heuristics, 2002.
"""

from typing import Any

import numpy as np
from numba import int64, types, uint8, uint32, uint64, void
from numba.extending import intrinsic

from slidewise.solver.kernels.jit import Int64s, Uint32s, entry_point, helper, inlined, tuple_type
from slidewise.solver.kernels.pattern_arrays import CELLS, DENSE_BITS, VALUE, PatternArrays

PATTERNS = tuple_type(
    PatternArrays,
    cell_maps=int64[:, ::1],
    groups=uint64[:, ::1],
    weights=int64[:, ::1],
    sizes=int64[::1],
    dense=int64[::1],
    offsets=int64[::1],
    values=types.Array(uint8, 1, "C", readonly=True),
)

_CELL = 2**DENSE_BITS - 1


@intrinsic
def set_bits(_context: Any, mask: Any) -> Any:
    """Return the number of set bits of an integer, by a single CPU instruction."""

    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@inlined
def index_of(packed: int, size: int, dense: int, cells: int) -> int:
    """Return the table index of a group of `size` tiles for its packed cells."""
    if not dense:
        return packed
    index, taken = 0, 0
    for _ in range(size):
        cell = packed & _CELL
        packed >>= DENSE_BITS
        # Lower cells that earlier tiles take are skipped, which makes the rank lexicographic.
        lower = set_bits(taken & ((1 << cell) - 1))
        index = index * cells + cell - lower
        taken |= 1 << cell
        cells -= 1
    return index


@inlined
def look_up(
    view: int, tile: int, old: int, new: int, patterns: PatternArrays, state: Int64s
) -> int:
    """Return the group's table value after `tile` moves from cell `old` to `new`."""
    in_view, of_tile = np.uint64(view), np.uint64(tile)
    group = patterns.groups[in_view, of_tile]
    change = (
        patterns.cell_maps[in_view, np.uint64(new)] - patterns.cell_maps[in_view, np.uint64(old)]
    )
    packed = state[group, CELLS] + change * patterns.weights[in_view, of_tile]
    index = index_of(
        packed, patterns.sizes[group], patterns.dense[group], patterns.cell_maps.shape[1]
    )
    return int(patterns.values[np.uint64(patterns.offsets[group] + index)])


@inlined
def enter(
    view: int, tile: int, old: int, new: int, value: int, patterns: PatternArrays, state: Int64s
) -> int:
    """Update `state` for `tile` moving from cell `old` to `new`, with the new `value` of its group.

    Return the group's value before the move.
    """
    in_view, of_tile = np.uint64(view), np.uint64(tile)
    group = patterns.groups[in_view, of_tile]
    change = (
        patterns.cell_maps[in_view, np.uint64(new)] - patterns.cell_maps[in_view, np.uint64(old)]
    )
    before = int(state[group, VALUE])
    state[group, CELLS] += change * patterns.weights[in_view, of_tile]
    state[group, VALUE] = value
    return before


@helper
def estimate_after(tile: int, old: int, new: int, patterns: PatternArrays, state: Int64s) -> int:
    """Return h, the greatest sum of a view, after `tile` moves from cell `old` to `new`."""
    h = 0
    in_view = patterns.sizes.shape[0] // patterns.cell_maps.shape[0]
    for view in range(patterns.cell_maps.shape[0]):
        total = look_up(view, tile, old, new, patterns, state)
        for group in range(view * in_view, (view + 1) * in_view):
            if group != patterns.groups[view, tile]:
                total += int(state[group, VALUE])
        h = max(h, total)
    return h


@helper
def move(tile: int, old: int, new: int, patterns: PatternArrays, state: Int64s) -> None:
    """Update `state` for the move of `tile` from cell `old` to `new`."""
    for view in range(patterns.cell_maps.shape[0]):
        value = look_up(view, tile, old, new, patterns, state)
        enter(view, tile, old, new, value, patterns, state)


@helper
def set_state(board: Uint32s, patterns: PatternArrays, state: Int64s) -> int:
    """Set `state` for `board` (the tile in each cell); return h, the highest sum of a view."""
    for group in range(state.shape[0]):  # a slice would take far longer to compile
        state[group, CELLS] = 0
        state[group, VALUE] = 0
    for view in range(patterns.cell_maps.shape[0]):
        for cell in range(board.shape[0]):
            tile = board[cell]
            if tile != 0:
                state[patterns.groups[view, tile], CELLS] += (
                    patterns.cell_maps[view, cell] * patterns.weights[view, tile]
                )
    h = 0
    in_view = patterns.sizes.shape[0] // patterns.cell_maps.shape[0]
    for view in range(patterns.cell_maps.shape[0]):
        total = 0
        for group in range(view * in_view, (view + 1) * in_view):
            index = index_of(
                state[group, CELLS], patterns.sizes[group], patterns.dense[group], board.shape[0]
            )
            state[group, VALUE] = patterns.values[patterns.offsets[group] + index]
            total += int(state[group, VALUE])
        h = max(h, total)
    return h


@entry_point(void(uint32[:, ::1], PATTERNS, int64[:, ::1], int64[::1]))
def estimate_boards(
    boards: Uint32s, patterns: PatternArrays, state: Int64s, estimates: Int64s
) -> None:
    """Set `estimates` to h of each of the `boards`, and `state` for the last of them."""
    for number in range(boards.shape[0]):
        estimates[number] = set_state(boards[number], patterns, state)


READY = True  # all of the above is compiled
