"""Compiled construction of pattern databases: breadth-first search over a group's arrangements.

The tiles of a group of k occupy a *set* of k cells, a bit mask. The other cells form regions in
which the blank moves freely, as only moves of the group count. A set with a region is a *block*,
with a state for each of the k! orders of the tiles. A move leads from all states of a block to the
same other block and permutes all orders alike. The tile in the i-th occupied cell becomes the j-th.
That is the move's *turn*, i * k + j.

So moves are computed once per block instead of per state. A block's states are contiguous, and
expanding it scans two rows of bytes.

Sets are numbered in ascending order of their masks, which is their colexicographic order. Orders
are numbered lexicographically by the slots of the tiles in ascending cells.
"""

from typing import NamedTuple

import numpy as np
from numba import boolean, int8, int16, int32, int64, uint8, uint16, void

from slidewise.solver.kernels.jit import (
    Int8s,
    Int16s,
    Int32s,
    Int64s,
    Uint8s,
    Uint16s,
    entry_point,
    helper,
    tuple_type,
)


class SetArrays(NamedTuple):
    """The sets of some number of cells and their blocks, filled in by `fill_blocks`.

    `near` (cells,) has the neighbours of each cell as bits; `masks` (sets,) the cells of each set;
    `regions` (sets, cells) the region of each cell, or -1 if it is occupied; `first` (sets + 1,)
    the number of the first block of each set, and of all blocks.
    """

    near: Int64s
    masks: Int64s
    regions: Int8s
    first: Int32s


class MoveArrays(NamedTuple):
    """The moves, filled in by `fill_moves`, and the result of each turn for each order.

    The moves of block b are first_move[b] to first_move[b + 1] in the other arrays. `to` (moves,)
    has the target block of each, `turns` (moves,) its turn, and `maps` (turns, orders) the result
    of a turn for each order, filled in by `fill_turns`.
    """

    first_move: Int64s
    to: Int32s
    turns: Int16s
    maps: Uint16s


SETS = tuple_type(
    SetArrays, near=int64[::1], masks=int64[::1], regions=int8[:, ::1], first=int32[::1]
)
MOVES = tuple_type(
    MoveArrays, first_move=int64[::1], to=int32[::1], turns=int16[::1], maps=uint16[:, ::1]
)

# The places in `counts`.
BLOCK, FOUND = range(2)


@helper
def _bits(mask: int) -> int:
    """Return the number of bits set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@helper
def _rank(mask: int, binomials: Int64s) -> int:
    """Return the number of the set `mask`, the sum of a binomial for each of its cells."""
    rank, place = 0, 0
    for cell in range(binomials.shape[0]):
        if mask >> cell & 1:
            place += 1
            rank += binomials[cell, place]
    return rank


@helper
def _region(free: int, cell: int, near: Int64s) -> int:
    """Return the cells that the blank reaches from `cell` through `free` cells, as bits."""
    region = 1 << cell
    before = 0
    while region != before:
        before = region
        for other in range(near.shape[0]):
            if region >> other & 1:
                region |= near[other] & free
    return region


@entry_point(void(int64, SETS))
def fill_blocks(size: int, sets: SetArrays) -> None:
    """Fill in the sets of `size` cells and their blocks."""
    near, masks, regions, first = sets
    cells = near.shape[0]
    mask = (1 << size) - 1
    blocks = 0
    for number in range(masks.shape[0]):
        masks[number] = mask
        first[number] = blocks
        free = (1 << cells) - 1 & ~mask
        regions[number, :] = -1
        label = 0
        for cell in range(cells):
            if free >> cell & 1 and regions[number, cell] < 0:
                region = _region(free, cell, near)
                for other in range(cells):
                    if region >> other & 1:
                        regions[number, other] = label
                label += 1
        blocks += label
        lowest = mask & -mask  # the next mask of the same size: Gosper's hack
        ripple = mask + lowest
        mask = (mask ^ ripple) // lowest >> 2 | ripple
    first[masks.shape[0]] = blocks


@entry_point(void(SETS, int64[:, ::1], MOVES))
def fill_moves(sets: SetArrays, binomials: Int64s, moves: MoveArrays) -> None:
    """Fill in the moves from block to block.

    `binomials` (cells, size + 1) has the number of ways to choose k of the lower cells.
    """
    near, masks, regions, first = sets
    first_move, to, turns, _ = moves
    cells = near.shape[0]
    made = 0
    for number in range(masks.shape[0]):
        mask = masks[number]
        size = _bits(mask)
        for block in range(first[number], first[number + 1]):
            first_move[block] = made
            place = -1
            for cell in range(cells):
                if not mask >> cell & 1:
                    continue
                place += 1
                for blank in range(cells):
                    if not near[cell] >> blank & 1:
                        continue
                    if regions[number, blank] != block - first[number]:
                        continue
                    after = mask ^ 1 << cell ^ 1 << blank
                    after_number = _rank(after, binomials)
                    to[made] = first[after_number] + regions[after_number, cell]
                    turns[made] = place * size + _bits(after & (1 << blank) - 1)
                    made += 1
    first_move[first[masks.shape[0]]] = made


@helper
def _next_order(order: Int64s) -> None:
    """Turn `order` into the lexicographically next order, and the last into the first."""
    place = order.shape[0] - 2
    while place >= 0 and order[place] > order[place + 1]:
        place -= 1
    if place >= 0:
        other = order.shape[0] - 1
        while order[other] < order[place]:
            other -= 1
        order[place], order[other] = order[other], order[place]
    low, high = place + 1, order.shape[0] - 1
    while low < high:
        order[low], order[high] = order[high], order[low]
        low += 1
        high -= 1


@entry_point(void(int64, uint16[:, ::1]), makes_arrays=True)
def fill_turns(size: int, maps: Uint16s) -> None:
    """Fill in the result of each turn (`size` squared) for each order (`size` factorial)."""
    order = np.arange(size)
    turned = np.empty(size, dtype=np.int64)
    for number in range(maps.shape[1]):
        for source in range(size):
            for target in range(size):
                # The tile in place `source` moves to place `target`, and the tiles between shift.
                for place in range(size):
                    from_place = place
                    if source <= place < target:
                        from_place = place + 1
                    elif target < place <= source:
                        from_place = place - 1
                    turned[place] = order[from_place]
                turned[target] = order[source]
                rank = 0
                for place in range(size):
                    lower = 0
                    for later in range(place + 1, size):
                        lower += turned[later] < turned[place]
                    rank = rank * (size - place) + lower
                maps[source * size + target, number] = rank
        _next_order(order)


@entry_point(
    boolean(uint8[:, ::1], MOVES, uint8[::1], uint8[::1], int64[::1], int64, int64),
    makes_arrays=True,
)
def expand_slice(
    costs: Uint8s,
    moves: MoveArrays,
    active: Uint8s,
    following: Uint8s,
    counts: Int64s,
    cost: int,
    budget: int,
) -> bool:
    """Expand the states of `cost`, up to about `budget` moves; return whether all are expanded.

    `costs` (blocks, orders) holds 1 plus the cost of each found state, and 0 for others. Only
    `active` blocks have states of `cost`. `following` marks the blocks with states of the next
    cost. `counts` has the next block and the number of expanded states.
    """
    first_move, to, turns, maps = moves
    states = np.empty(costs.shape[1], dtype=np.uint16)
    old, new = np.uint8(cost + 1), np.uint8(cost + 2)
    for block in range(counts[BLOCK], costs.shape[0]):
        if not active[block]:
            continue
        if budget <= 0:
            counts[BLOCK] = block
            return False
        found = 0
        row = costs[block]
        for state in range(row.shape[0]):
            # Written always and kept only if it counts, which saves a branch.
            states[found] = state
            found += row[state] == old
        counts[FOUND] += found
        budget -= row.shape[0]
        if not found:
            continue
        for move in range(first_move[block], first_move[block + 1]):
            turn = maps[turns[move]]
            target = costs[to[move]]
            for number in range(found):
                after = turn[states[number]]
                known = target[after]
                target[after] = known if known else new  # no branch, which the CPU would mispredict
            following[to[move]] = 1
            budget -= found
    counts[BLOCK] = costs.shape[0]
    return True


@entry_point(void(int64, int64[:, ::1], int64[:, ::1]), makes_arrays=True)
def fill_places(size: int, places: Int64s, lower: Int64s) -> None:
    """Fill in for each order (`size` factorial) the place of each slot among the occupied cells.

    `lower` gets how many slots before it have a lower place.
    """
    order = np.arange(size)
    for number in range(places.shape[0]):
        for place in range(size):
            places[number, order[place]] = place
        for slot in range(size):
            lower[number, slot] = 0
            for before in range(slot):
                lower[number, slot] += places[number, before] < places[number, slot]
        _next_order(order)


@entry_point(
    void(
        uint8[:, ::1],
        SETS,
        int64[:, ::1],
        int64[:, ::1],
        int64[::1],
        uint8[::1],
        int64,
        int64,
    ),
    makes_arrays=True,
)
def fill_table(
    costs: Uint8s,
    sets: SetArrays,
    places: Int64s,
    lower: Int64s,
    radix: Int64s,
    table: Uint8s,
    start: int,
    end: int,
) -> None:
    """Fill in `table` for the sets from `start` to `end`: the least cost over their blocks.

    The table has the arrangements of the tiles in lexicographic order of their cells, by slot. A
    slot's digit is its cell minus `lower`, and `radix` its weight. In a dense table `lower` counts
    the earlier slots with a lower cell, in a spread table it is 0. A state that was not found costs
    255.
    """
    masks, first = sets.masks, sets.first
    size = places.shape[1]
    cells = np.empty(size, dtype=np.int64)
    for number in range(start, end):
        mask = masks[number]
        for place in range(size):
            cell = 0
            while not mask >> cell & 1:
                cell += 1
            cells[place] = cell
            mask ^= 1 << cell
        for order in range(places.shape[0]):
            index = 0
            for slot in range(size):
                index += (cells[places[order, slot]] - lower[order, slot]) * radix[slot]
            best = np.uint8(255)
            for block in range(first[number], first[number + 1]):
                # A state not found is 0, and 0 - 1 is 255.
                best = min(best, np.uint8(costs[block, order] - 1))
            table[index] = best


READY = True  # all of the above is compiled
