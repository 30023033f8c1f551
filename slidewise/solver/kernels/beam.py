"""The compiled loop of beam search, which keeps only the best boards of each layer.

The boards of a layer are expanded. Their successors are sorted by rank and taken in that order
until the next layer is full. A successor is skipped if its board was taken before. Equal ranks are
taken in order of generation.

The rank is a sum: a multiple of the Manhattan distance with linear conflicts, called h here, a part
for each tile in its cell, and the sum of each view of the pattern databases, if there are any. The
sum is finer than the maximum. A search can be limited to some of the tiles, which alone count in h.
The other tiles then add a separate part to the rank, and boards that differ only in them count as
equal.

A board is a row of `layers` with all state that a move changes, so a successor reads one place in
memory. At first only its rank and a link to its parent are stored, as most successors are skipped.
A board is written only when it is taken. Ranks are small integers, so a counting sort orders the
successors without comparisons. The sort is stable, so searches are repeatable.

Members of `BeamArrays` next to the arrays of pattern databases, which may have no view:

`layers` (2, width, columns) int64
    the boards of the current layer and of the next layer, which swap. The columns are KEY, BLANK,
    EXTRA, the board (8 bits a cell, 8 cells a column, from the lowest bits up), h, the estimate of
    each view, and for each group of tiles its entry: the table value and, above VALUE_BITS, the
    packed cells, as in `kernels/patterns.py`.
`made` (4 * width, 1 + views) int64
    the successors: 4 * the parent's row + the direction of the blank, with h above LINK_BITS; and
    for each view the new entry of the moved tile's group.
`ranks`, `order` (4 * width,) int32
    the rank of each successor, and the successors by rank.
`tally` (RANKS,) int64
    the number of successors of each rank, then the next index in `order` for that rank.
`seen` (a power of two,) int64
    the keys of boards taken, 0 for none. If all slots near its own are in use, a key replaces an
    older key, whose board may then be taken again.
`links` (nodes,) int32
    for each board taken, layer by layer, 4 * the parent's row in its layer + the direction.
`ends` (levels,) int64
    the end of each layer in `links`. Layer 0 is the start alone.
`counts` (14,) int64
    the counters of the search, which persist between slices.
`neighbours` (cells, 4) int32
    the cells above, below, left and right of each cell, or -1.
`indices`, `others` (4 * BLOCK, views) int64
    scratch space for the table indices of the successors of a block of boards, and for the sums of
    the other groups of each view.

Members of `GoalArrays`:

`cells` (cells, 2) int64
    the row and the column of each cell.
`distances` (tiles, cells) int32
    the Manhattan distance of each tile in each cell, 0 for tiles outside the search.
`lines` (rows + cols, tiles) int64
    for each row, then for each column: 1 plus the position of a searched tile that belongs there,
    or 0 for other tiles.
`extras` (tiles, cells) int32
    the part of each tile in the rank, next to h.
`hashes` (tiles, cells) int64
    random numbers, 0 for tiles outside the search. A board's key is the exclusive or of its tiles'
    and its blank's numbers in their cells (A. L. Zobrist, 1970). Boards with equal keys count as
    equal. Among 10 million a collision happens once in 400,000 runs and only skips a board.
"""

from typing import NamedTuple

import numpy as np
from numba import int32, int64
from numpy.typing import NDArray

from slidewise.solver.kernels.estimate import line_value
from slidewise.solver.kernels.jit import Int32s, Int64s, entry_point, helper, tuple_type
from slidewise.solver.kernels.pattern_arrays import PatternArrays
from slidewise.solver.kernels.patterns import PATTERNS, index_of

Layers = NDArray[np.int64]


class GoalArrays(NamedTuple):
    """Goal arrays of the search."""

    cells: Int64s
    distances: Int32s
    lines: Int64s
    extras: Int32s
    hashes: Int64s


class BeamArrays(NamedTuple):
    """The layers, the links back to the start, and the tables that rank a board."""

    layers: Layers
    made: Int64s
    ranks: Int32s
    order: Int32s
    tally: Int64s
    seen: Int64s
    links: Int32s
    ends: Int64s
    counts: Int64s
    neighbours: Int32s
    indices: Int64s
    others: Int64s
    goal: GoalArrays
    patterns: PatternArrays


ARRAYS = tuple_type(
    BeamArrays,
    layers=int64[:, :, ::1],
    made=int64[:, ::1],
    ranks=int32[::1],
    order=int32[::1],
    tally=int64[::1],
    seen=int64[::1],
    links=int32[::1],
    ends=int64[::1],
    counts=int64[::1],
    neighbours=int32[:, ::1],
    indices=int64[:, ::1],
    others=int64[:, ::1],
    goal=tuple_type(
        GoalArrays,
        cells=int64[:, ::1],
        distances=int32[:, ::1],
        lines=int64[:, ::1],
        extras=int32[:, ::1],
        hashes=int64[:, ::1],
    ),
    patterns=PATTERNS,
)

# The first columns of `layers`. BLANK: its cell, and above CAME_BITS 1 plus the cell that it came
# from, or 0. The board begins at BOARD.
KEY, BLANK, EXTRA, BOARD = range(4)

CAME_BITS, VALUE_BITS, LINK_BITS = 8, 8, 32

# The places in `counts`. LAYER: g of the current layer. SIZE: its boards. PLACE: the expanded
# boards, or the examined successors, by PHASE. NEXT: the boards of the next layer. TAKEN: the links
# in use. LOWEST: the lowest rank of a taken board, and the layer and row of the first such board.
PHASE, LAYER, SIZE, PLACE, MADE, NEXT, TAKEN = range(7)
EXPANDED, GENERATED, PEAK_FRONTIER = range(7, 10)
PEAK_STORED, LOWEST, LOWEST_LAYER, LOWEST_ROW = range(10, 14)
COUNTS = 14

# The values of PHASE.
EXPANDING, TAKING = range(2)

# Result codes of a slice. NONE_LEFT: the next layer is empty. STUCK: the rank has not fallen
# within the patience.
GOAL, BUDGET_USED, NODES_FULL, NONE_LEFT, STUCK = range(5)

RANKS = 32768
"""Number of ranks, above the rank of any board. On 10x10 the squares of the distances sum to at
most 13,200, the distances to 1,000, and the linear conflicts to 360."""

PROBES = 8
"""Slots of `seen` that are tried for a key."""

BLOCK = 64
"""Boards expanded together, so that the CPU overlaps the memory accesses of their look-ups."""

_VALUE = 2**VALUE_BITS - 1
_CELL = 2**CAME_BITS - 1


@helper
def _tile(row: Int64s, cell: int) -> int:
    """Return the tile in `cell` of the board in a row of `layers`."""
    return (row[BOARD + (cell >> 3)] >> ((cell & 7) << 3)) & 255


@helper
def _conflicts(row: Int64s, tile: int, old: int, new: int, cells: Int64s, lines: Int64s) -> int:
    """Return by how much linear conflicts change when `tile` goes from cell `old` to `new`.

    Only a line across the move can matter, at most the line in which the tile belongs. Its index
    has 4 bits a cell, as in `kernels/estimate.py`.
    """
    rows, cols = cells[-1, 0] + 1, cells[-1, 1] + 1
    old_row, old_col, new_row, new_col = cells[old, 0], cells[old, 1], cells[new, 0], cells[new, 1]
    index = 0
    if old_col == new_col:
        if lines[old_row, tile]:
            line = old_row
        elif lines[new_row, tile]:
            line = new_row
        else:
            return 0
        for place in range(cols):
            index |= lines[line, _tile(row, line * cols + place)] << (place << 2)
        step = lines[line, tile] << (old_col << 2)
    else:
        if lines[rows + old_col, tile]:
            line = old_col
        elif lines[rows + new_col, tile]:
            line = new_col
        else:
            return 0
        for place in range(rows):
            index |= lines[rows + line, _tile(row, place * cols + line)] << (place << 2)
        step = lines[rows + line, tile] << (old_row << 2)
    return line_value(index ^ step) - line_value(index)


@helper
def _sort(made: int, ranks: Int32s, order: Int32s, tally: Int64s) -> None:
    """Put the successors in the order of their ranks, and clear `tally`."""
    lowest, highest = RANKS, -1
    for successor in range(made):
        lowest = min(lowest, int64(ranks[successor]))
        highest = max(highest, int64(ranks[successor]))
    first = 0
    for rank in range(lowest, highest + 1):
        # The counts become the first place of each rank, as in a counting sort.
        first, tally[rank] = first + tally[rank], first
    for successor in range(made):
        order[tally[ranks[successor]]] = successor
        tally[ranks[successor]] += 1
    for rank in range(lowest, highest + 1):
        tally[rank] = 0


@helper
def _enter(seen: Int64s, key: int) -> bool:
    """Add `key` to `seen`; return whether it is new."""
    mask = seen.shape[0] - 1
    for probe in range(PROBES):
        slot = (key + probe) & mask
        if seen[slot] == key:
            return False
        if seen[slot] == 0:
            seen[slot] = key
            return True
    # All slots are taken: high bits of the key choose the slot to overwrite.
    seen[(key + (key >> 60 & (PROBES - 1))) & mask] = key
    return True


@entry_point(int64(ARRAYS, int64, int64, int64, int64))
def search_slice(arrays: BeamArrays, weight: int, limit: int, patience: int, budget: int) -> int:
    """Expand up to `budget` boards and examine equally many successors; return the result code.

    The rank counts h `weight` times. Successors are dropped if the highest estimate exceeds the
    `limit` on moves. `patience` is the maximum number of layers without a new lowest rank. At GOAL
    the last link leads to the goal.
    """
    layers, made, ranks = arrays.layers, arrays.made, arrays.ranks
    links, counts = arrays.links, arrays.counts
    neighbours, indices, others = arrays.neighbours, arrays.indices, arrays.others
    cells, distances, lines, extras, hashes = arrays.goal
    cell_maps, groups, weights, sizes, dense, offsets, values = arrays.patterns
    views = cell_maps.shape[0]
    estimate = BOARD + ((cells.shape[0] + 7) >> 3)  # the column of h
    spot = estimate + 1 + views  # the column of the first group
    to_look_at = budget
    while True:
        now = counts[LAYER] & 1
        while counts[PHASE] == EXPANDING:
            if counts[PLACE] == counts[SIZE]:
                _sort(counts[MADE], ranks, arrays.order, arrays.tally)
                counts[PEAK_FRONTIER] = max(counts[PEAK_FRONTIER], counts[MADE])
                counts[PEAK_STORED] = max(counts[PEAK_STORED], 1 + counts[TAKEN] + counts[MADE])
                counts[PHASE] = TAKING
                counts[PLACE] = 0
                break
            if budget == 0:
                return BUDGET_USED
            end = min(counts[SIZE], counts[PLACE] + min(BLOCK, budget))
            budget -= end - counts[PLACE]
            begun = counts[MADE]
            new = begun
            for parent in range(counts[PLACE], end):
                row = layers[now, parent]
                blank = row[BLANK] & _CELL
                came = (row[BLANK] >> CAME_BITS) - 1
                counts[EXPANDED] += 1
                for direction in range(4):
                    cell = int64(neighbours[blank, direction])
                    if cell < 0:
                        continue
                    counts[GENERATED] += 1
                    if cell == came:
                        continue
                    tile = _tile(row, cell)
                    h = row[estimate] + distances[tile, blank] - distances[tile, cell]
                    h += _conflicts(row, tile, cell, blank, cells, lines)
                    if h == 0:
                        if counts[TAKEN] == links.shape[0]:
                            return NODES_FULL
                        links[counts[TAKEN]] = 4 * parent + direction
                        counts[LAYER] += 1
                        return GOAL
                    # Only the link and the estimate are stored yet, as most successors are skipped.
                    made[new, 0] = h << LINK_BITS | 4 * parent + direction
                    extra = row[EXTRA] + extras[tile, blank] - extras[tile, cell]
                    ranks[new] = weight * h + extra
                    for view in range(views):
                        group = groups[view, tile]
                        change = cell_maps[view, blank] - cell_maps[view, cell]
                        before = row[spot + int64(group)]
                        packed = (before >> VALUE_BITS) + change * weights[view, tile]
                        made[new, 1 + view] = packed << VALUE_BITS
                        index = index_of(packed, sizes[group], dense[group], cells.shape[0])
                        indices[new - begun, view] = offsets[group] + index
                        others[new - begun, view] = row[estimate + 1 + view] - (before & _VALUE)
                    new += 1
            counts[PLACE] = end

            # Table look-ups, then the selection of successors.
            kept = begun
            for successor in range(begun, new):
                made[kept, 0] = made[successor, 0]
                rank = ranks[successor]
                highest = made[successor, 0] >> LINK_BITS
                for view in range(views):
                    value = int64(values[indices[successor - begun, view]])
                    h = others[successor - begun, view] + value
                    made[kept, 1 + view] = made[successor, 1 + view] | value
                    rank += h
                    highest = max(highest, h)
                # The sum of the views ranks, but only the highest of them is admissible.
                if counts[LAYER] + 1 + highest <= limit:
                    ranks[kept] = rank
                    arrays.tally[rank] += 1
                    kept += 1
            counts[MADE] = kept

        while counts[PLACE] < counts[MADE] and counts[NEXT] < layers.shape[1]:
            if to_look_at == 0:
                return BUDGET_USED
            if counts[TAKEN] == links.shape[0]:
                return NODES_FULL
            to_look_at -= 1
            successor = arrays.order[counts[PLACE]]
            counts[PLACE] += 1
            link = made[successor, 0] & (2**LINK_BITS - 1)
            row = layers[now, link >> 2]
            blank = row[BLANK] & _CELL
            cell = int64(neighbours[blank, link & 3])
            tile = _tile(row, cell)
            key = row[KEY] ^ hashes[tile, cell] ^ hashes[tile, blank]
            key ^= hashes[0, blank] ^ hashes[0, cell]
            if not _enter(arrays.seen, key):
                continue
            after = layers[1 - now, counts[NEXT]]
            for column in range(layers.shape[2]):
                after[column] = row[column]
            after[KEY] = key
            after[BLANK] = cell | (blank + 1) << CAME_BITS
            # The blank is 0, so two XORs move the tile.
            after[BOARD + (cell >> 3)] ^= tile << ((cell & 7) << 3)
            after[BOARD + (blank >> 3)] ^= tile << ((blank & 7) << 3)
            after[EXTRA] += extras[tile, blank] - extras[tile, cell]
            after[estimate] = made[successor, 0] >> LINK_BITS
            for view in range(views):
                column = spot + int64(groups[view, tile])
                after[column] = made[successor, 1 + view]
                after[estimate + 1 + view] += (after[column] & _VALUE) - (row[column] & _VALUE)
            if ranks[successor] < counts[LOWEST]:
                counts[LOWEST] = ranks[successor]
                counts[LOWEST_LAYER] = counts[LAYER] + 1
                counts[LOWEST_ROW] = counts[NEXT]
            links[counts[TAKEN]] = link
            counts[TAKEN] += 1
            counts[NEXT] += 1

        if counts[NEXT] == 0:
            return NONE_LEFT
        if counts[LAYER] - counts[LOWEST_LAYER] >= patience:
            return STUCK
        counts[LAYER] += 1
        arrays.ends[counts[LAYER]] = counts[TAKEN]
        counts[SIZE] = counts[NEXT]
        counts[PHASE] = EXPANDING
        counts[PLACE] = 0
        counts[MADE] = 0
        counts[NEXT] = 0


READY = True  # all of the above is compiled
