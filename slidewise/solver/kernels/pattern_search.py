"""The compiled loop of IDA* with pattern databases: a depth-first search within a limit on f.

It is `kernels/deepening.py` for a single kind of estimate: the highest sum of one or two views of
pattern databases with all tiles in groups. A board with sum 0 in its first view is then the goal,
found on generation. An automaton restricts the moves of the blank (`solver/engines/walks.py`).
Successors are in the order of the automaton's rows, so searches are repeatable.

Each node's row holds its groups' entries, so backtracking restores only the board. A group's entry
is its packed cells, as in `kernels/patterns.py`, with the table value in the lowest byte. The
packed cells of a spread table include the group's offset, so they index `values`.

Members of `SearchArrays`:

`values` (...) uint8
    the tables.
`tiles` (tiles, 16) uint64
    the effect of a tile's move, by the columns below. The row of the blank, tile 0, is zero.
`walks` (rows, 4) uint32
    the automaton.
`path` (levels, ...) uint64
    a row for each node of the path, the first for the root.
`board` (cells,) uint64
    the tile in each cell at the end of the path, 0 for the blank.
`counts` (9,) int64
    the counters of the search, which persist between slices.

The last three are the complete state of a search, so copies of them can resume it. A single view
serves as the first and the second.
"""

from typing import NamedTuple

import numpy as np
from numba import int64, types, uint8, uint32, uint64

from slidewise.solver.kernels.jit import (
    Int64s,
    Uint8s,
    Uint32s,
    Uint64s,
    entry_point,
    inlined,
    tuple_type,
)
from slidewise.solver.kernels.patterns import index_of


class SearchArrays(NamedTuple):
    """The tables, the automaton, and the path with the board at its end."""

    values: Uint8s
    tiles: Uint64s
    walks: Uint32s
    path: Uint64s
    board: Uint64s
    counts: Int64s


ARRAYS = tuple_type(
    SearchArrays,
    values=types.Array(uint8, 1, "C", readonly=True),
    tiles=uint64[:, ::1],
    walks=uint32[:, ::1],
    path=uint64[:, ::1],
    board=uint64[::1],
    counts=int64[::1],
)

# The columns of `tiles`, each for the first view and then for the second. CHANGES: the change of
# the group's entry for each of the four sides that the blank goes to. GROUP: the entry's column in
# `path`. SIZE: the tiles of a group with a dense table, or 0. OFFSET: the start of a dense table.
CHANGES, SECOND_CHANGES, GROUP, SECOND_GROUP = 0, 4, 8, 9
SIZE, SECOND_SIZE, OFFSET, SECOND_OFFSET = 10, 11, 12, 13
TILE_COLUMNS = 16

# The columns of `path`. BLANK: its cell. ROW: the automaton's row. KEPT: the column after the last
# stored successor. NEXT: the column of the next successor. FIRST, SECOND: the sums of the views.
# SUCCESSORS: the first stored successor: its way in the automaton and, from the bits below on, the
# views' sums and the moved tile's values. ENTRIES: the first of the groups' entries, in whole
# blocks.
BLANK, ROW, KEPT, NEXT, FIRST, SECOND, SUCCESSORS = range(7)
ENTRIES = 10
ENTRIES_BLOCK = 8
VALUE_BITS = 8
_FIRST_BIT, _SECOND_BIT, _VALUE_BIT, _SECOND_VALUE_BIT = 32, 40, 48, 56

# The places in `counts`. LEVEL: the last row of the path. TAKEN: whether its node is still to be
# expanded. FOLLOWING: the lowest f above the limit that was met.
LEVEL, TAKEN, EXPANDED, GENERATED, FOLLOWING = range(5)
STORED, PEAK_STORED, PEAK_FRONTIER, DEEPEST = range(5, 9)
COUNTS = 9

INFINITE = 2**40
"""An f above any f of a board."""

# Result codes of a slice. AT_LEVEL: a node at the level to stop was taken but not expanded; the
# next slice goes on after it.
GOAL, BUDGET_USED, NODES_FULL, DONE, AT_LEVEL = range(5)

_BYTE = 2**VALUE_BITS - 1
_CELL, _SIDE_BIT, _SIDE, _ROW_BIT = 31, 5, 3, 7  # as in `solver/engines/walks.py`
_NOWHERE = 2**32 - 1


@inlined
def _place(entry: np.uint64, tile: np.uint64, view: int, tiles: Uint64s, cells: int) -> np.uint64:
    """Return the index in `values` of the group of `tile`, for the entry after its move."""
    packed = entry >> np.uint64(VALUE_BITS)
    size = tiles[tile, np.uint64(SIZE + view)]
    if size == 0:
        return packed
    return tiles[tile, np.uint64(OFFSET + view)] + np.uint64(
        index_of(int64(packed), int64(size), 1, cells)
    )


@entry_point(int64(ARRAYS, int64, int64, int64, int64))
def search_slice(arrays: SearchArrays, limit: int, level: int, room: int, budget: int) -> int:
    """Expand up to `budget` nodes whose f is at most `limit`; return the result code.

    Nodes at `level` are not expanded; at most `room` nodes are stored at a time. At GOAL the path
    ends with the goal's parent, whose last stored successor is the goal.
    """
    values, tiles, walks, path, board, counts = arrays
    one, byte = np.uint64(1), np.uint64(_BYTE)
    changes, second_changes = np.uint64(CHANGES), np.uint64(SECOND_CHANGES)
    successors = np.uint64(SUCCESSORS)
    cells = board.shape[0]
    g = np.uint64(counts[LEVEL])
    stop_at = np.uint64(level)
    highest = np.uint64(limit)
    taken = counts[TAKEN] != 0
    following = np.uint64(counts[FOLLOWING])
    stored = counts[STORED]
    peak_stored, peak_frontier = counts[PEAK_STORED], counts[PEAK_FRONTIER]
    deepest = np.uint64(counts[DEEPEST])
    chosen, kept = path[g, NEXT], path[g, KEPT]
    expanded, generated = 0, 0
    result = DONE
    if stored + 4 > room:
        budget = 0
    while True:
        if taken:
            if g == stop_at:
                path[g, KEPT] = path[g, NEXT] = 0
                taken = False
                result = AT_LEVEL
                break
            if expanded >= budget:
                result = NODES_FULL if stored + 4 > room else BUDGET_USED
                break
            expanded += 1
            deepest = max(deepest, g)
            row, h, second_h = path[g, ROW], path[g, FIRST], path[g, SECOND]
            kept = successors
            is_goal = False
            for place in range(4):
                way = np.uint64(walks[row, np.uint64(place)])
                if way == _NOWHERE:
                    break
                generated += 1
                tile = board[way & np.uint64(_CELL)]
                side = way >> np.uint64(_SIDE_BIT) & np.uint64(_SIDE)
                entry = path[g, tiles[tile, GROUP]]
                after = entry + tiles[tile, changes + side]
                value = np.uint64(values[_place(after, tile, 0, tiles, cells)])
                next_h = h - (entry & byte) + value
                f = g + one + next_h
                if f > highest:
                    following = min(following, f)
                    continue
                # The second view is looked up only if the first allows it, as memory is slow.
                entry = path[g, tiles[tile, SECOND_GROUP]]
                after = entry + tiles[tile, second_changes + side]
                second_value = np.uint64(values[_place(after, tile, 1, tiles, cells)])
                next_second = second_h - (entry & byte) + second_value
                f = g + one + next_second
                if f > highest:
                    following = min(following, f)
                    continue
                path[g, kept] = (
                    way
                    | next_h << np.uint64(_FIRST_BIT)
                    | next_second << np.uint64(_SECOND_BIT)
                    | value << np.uint64(_VALUE_BIT)
                    | second_value << np.uint64(_SECOND_VALUE_BIT)
                )
                kept += one
                if next_h == 0:
                    is_goal = True
                    break
            path[g, KEPT] = kept
            chosen = successors
            stored += int64(kept - successors)
            if stored > peak_stored:
                peak_stored = stored
                if stored + 4 > room:
                    budget = 0  # a single test per node then covers both limits
            peak_frontier = max(peak_frontier, stored - int64(g) - 1)
            if is_goal:
                deepest = max(deepest, g + one)
                taken = False
                result = GOAL
                break

        # Backtrack to the last node that has a successor left.
        while chosen >= kept and g > 0:
            stored -= 1
            cell = path[g, BLANK]
            g -= one
            blank = path[g, BLANK]
            board[cell] = board[blank]
            board[blank] = 0
            chosen, kept = path[g, NEXT], path[g, KEPT]
        if chosen >= kept:
            taken = False
            result = DONE
            break

        # Descend to this successor.
        path[g, NEXT] = chosen + one
        successor = path[g, chosen]
        way = successor & np.uint64(_NOWHERE)
        cell, blank = way & np.uint64(_CELL), path[g, BLANK]
        side = way >> np.uint64(_SIDE_BIT) & np.uint64(_SIDE)
        tile = board[cell]
        path[g + one, BLANK] = cell
        path[g + one, ROW] = way >> np.uint64(_ROW_BIT)
        path[g + one, FIRST] = successor >> np.uint64(_FIRST_BIT) & byte
        path[g + one, SECOND] = successor >> np.uint64(_SECOND_BIT) & byte
        for block in range(ENTRIES, path.shape[1], ENTRIES_BLOCK):
            for place in range(ENTRIES_BLOCK):
                # Blocks of a fixed length are copied by vector instructions.
                column = np.uint64(block + place)
                path[g + one, column] = path[g, column]
        group = tiles[tile, GROUP]
        path[g + one, group] = (path[g, group] + tiles[tile, changes + side]) & ~byte | (
            successor >> np.uint64(_VALUE_BIT) & byte
        )
        group = tiles[tile, SECOND_GROUP]
        path[g + one, group] = (path[g, group] + tiles[tile, second_changes + side]) & ~byte | (
            successor >> np.uint64(_SECOND_VALUE_BIT)
        )
        board[blank] = tile
        board[cell] = 0
        g += one
        taken = True
    counts[LEVEL] = int64(g)
    counts[TAKEN] = taken
    counts[EXPANDED] += expanded
    counts[GENERATED] += generated
    counts[FOLLOWING] = int64(following)
    counts[STORED] = stored
    counts[PEAK_STORED] = peak_stored
    counts[PEAK_FRONTIER] = peak_frontier
    counts[DEEPEST] = int64(deepest)
    return result


READY = True  # all of the above is compiled
