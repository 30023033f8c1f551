"""The compiled loop of IDA* with pattern databases: a depth-first search within a limit on f.

It does what `kernels/deepening.py` does, for one kind of estimate only: the greatest sum of one or
two views of pattern databases, whose groups hold all tiles. A board whose first view says 0 is
then the goal, and is known when it is made. The blank goes on as an automaton lets it
(`solver/engines/walks.py`). Successors are taken in the order of the rows of the automaton, so that
a search repeats exactly.

What `SearchArrays` holds beside the arrays of pattern databases:

`walks` (rows, 4) uint32
    the automaton.
`path` (levels, 16) uint64
    a row for each node of the path, the first for the board where the search begins.
`board` (cells,) uint64
    the tile in each cell at the end of the path, 0 for the blank.
`state` (groups, 2) int64
    the state of the look-ups there, as `kernels/patterns.py` has it.
`counts` (9,) int64
    the counters of the search, which live here from one slice to the next.

These last four are all that a search has to remember: who keeps copies of them can go on from
there. All numbers of a row of the path are in two lines of the processor's cache.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import int64, uint32, uint64

from slidewise.solver.kernels.arrays import Int64s, Uint32s, Uint64s
from slidewise.solver.kernels.jit import entry_point, tuple_type
from slidewise.solver.kernels.patterns import (
    CELLS,
    PATTERNS,
    VALUE,
    PatternArrays,
    index_of,
)


class SearchArrays(NamedTuple):
    """The tables, the automaton, and the path with the board at its end."""

    patterns: PatternArrays
    walks: Uint32s
    path: Uint64s
    board: Uint64s
    state: Int64s
    counts: Int64s


ARRAYS = tuple_type(
    SearchArrays,
    patterns=PATTERNS,
    walks=uint32[:, ::1],
    path=uint64[:, ::1],
    board=uint64[::1],
    state=int64[:, ::1],
    counts=int64[::1],
)

# The columns of `path`. BLANK: its cell. ROW: that of the automaton. KEPT: how many successors are
# within the limit. NEXT: which of them is taken next. FIRST, SECOND: what the views say. BEFORE,
# BEFORE_SECOND: what the groups of the tile moved said before. SUCCESSORS: from there on each
# successor kept: its way in the automaton, and from the bits below on what the views say of it
# and what the groups of the tile moved say.
BLANK, ROW, KEPT, NEXT, FIRST, SECOND, BEFORE, BEFORE_SECOND, SUCCESSORS = range(9)
PATH_COLUMNS = 16
_FIRST_BIT, _SECOND_BIT, _VALUE_BIT, _SECOND_VALUE_BIT = 32, 40, 48, 56

# The places in `counts`. LEVEL: the last row of the path. TAKEN: whether its node is still to be
# expanded. FOLLOWING: the lowest f above the limit that was met.
LEVEL, TAKEN, EXPANDED, GENERATED, FOLLOWING = range(5)
STORED, PEAK_STORED, PEAK_FRONTIER, DEEPEST = range(5, 9)
COUNTS = 9

INFINITE = 2**40
"""An f above all others."""

# What a slice ended with. AT_LEVEL: a node was taken at the level where the search is to stop,
# and is not expanded; the next slice goes on behind it.
GOAL, BUDGET_USED, NODES_FULL, DONE, AT_LEVEL = range(5)

_BYTE = 255
_CELL_BITS, _CELL = 5, 31  # as `solver/engines/walks.py` has them
_NOWHERE = 2**32 - 1


@entry_point(int64(ARRAYS, int64, int64, int64, int64))
def search_slice(arrays: SearchArrays, limit: int, level: int, room: int, budget: int) -> int:
    """Expand up to `budget` nodes whose f is at most `limit`; return how it ended.

    Nodes at `level` are not expanded; at most `room` nodes are stored at a time. At GOAL the path
    ends with the node before the goal, whose successor kept last is the goal.
    """
    patterns, walks, path, board, state, counts = arrays
    one = np.uint64(1)
    first, second = np.uint64(0), np.uint64(1)
    two_views = patterns.cell_maps.shape[0] > 1
    cells = patterns.cell_maps.shape[1]
    g = np.uint64(counts[LEVEL])
    stop_at = np.uint64(level)
    highest = np.uint64(limit)
    taken = counts[TAKEN] != 0
    following = np.uint64(counts[FOLLOWING])
    stored = counts[STORED]
    peak_stored, peak_frontier = counts[PEAK_STORED], counts[PEAK_FRONTIER]
    deepest = np.uint64(counts[DEEPEST])
    expanded, generated = 0, 0
    result = DONE
    while True:
        if taken:
            if g == stop_at:
                path[g, KEPT] = 0
                path[g, NEXT] = 0
                taken = False
                result = AT_LEVEL
                break
            if expanded >= budget:
                result = BUDGET_USED
                break
            if stored + 4 > room:
                result = NODES_FULL
                break
            expanded += 1
            deepest = max(deepest, g)
            blank, row = path[g, BLANK], path[g, ROW]
            h, second_h = path[g, FIRST], path[g, SECOND]
            kept = np.uint64(0)
            is_goal = False
            for place in range(4):
                way = np.uint64(walks[row, np.uint64(place)])
                if way == _NOWHERE:
                    break
                generated += 1
                cell = way & np.uint64(_CELL)
                tile = board[cell]
                group = patterns.groups[first, tile]
                packed = (
                    state[group, CELLS]
                    + (patterns.cell_maps[first, blank] - patterns.cell_maps[first, cell])
                    * patterns.weights[first, tile]
                )
                index = index_of(packed, patterns.sizes[group], patterns.dense[group], cells)
                value = np.uint64(patterns.values[np.uint64(patterns.offsets[group] + index)])
                next_h = h - np.uint64(state[group, VALUE]) + value
                f = g + one + next_h
                if f > highest:
                    following = min(following, f)
                    continue
                second_value, next_second = np.uint64(0), np.uint64(0)
                if two_views:
                    group = patterns.groups[second, tile]
                    packed = (
                        state[group, CELLS]
                        + (patterns.cell_maps[second, blank] - patterns.cell_maps[second, cell])
                        * patterns.weights[second, tile]
                    )
                    index = index_of(packed, patterns.sizes[group], patterns.dense[group], cells)
                    second_value = np.uint64(
                        patterns.values[np.uint64(patterns.offsets[group] + index)]
                    )
                    next_second = second_h - np.uint64(state[group, VALUE]) + second_value
                    f = g + one + next_second
                    if f > highest:
                        following = min(following, f)
                        continue
                path[g, np.uint64(SUCCESSORS) + kept] = (
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
            path[g, NEXT] = 0
            taken = False
            stored += int64(kept)
            peak_stored = max(peak_stored, stored)
            peak_frontier = max(peak_frontier, stored - int64(g) - 1)
            if is_goal:
                deepest = max(deepest, g + one)
                result = GOAL
                break

        chosen = path[g, NEXT]
        if chosen < path[g, KEPT]:
            # Down to the next successor.
            path[g, NEXT] = chosen + one
            successor = path[g, np.uint64(SUCCESSORS) + chosen]
            cell = successor & np.uint64(_CELL)
            blank = path[g, BLANK]
            tile = board[cell]
            g += one
            path[g, BLANK] = cell
            path[g, ROW] = (successor & np.uint64(_NOWHERE)) >> np.uint64(_CELL_BITS)
            path[g, FIRST] = successor >> np.uint64(_FIRST_BIT) & np.uint64(_BYTE)
            path[g, SECOND] = successor >> np.uint64(_SECOND_BIT) & np.uint64(_BYTE)
            group = patterns.groups[first, tile]
            path[g, BEFORE] = np.uint64(state[group, VALUE])
            state[group, VALUE] = int64(successor >> np.uint64(_VALUE_BIT) & np.uint64(_BYTE))
            state[group, CELLS] += (
                patterns.cell_maps[first, blank] - patterns.cell_maps[first, cell]
            ) * patterns.weights[first, tile]
            if two_views:
                group = patterns.groups[second, tile]
                path[g, BEFORE_SECOND] = np.uint64(state[group, VALUE])
                state[group, VALUE] = int64(successor >> np.uint64(_SECOND_VALUE_BIT))
                state[group, CELLS] += (
                    patterns.cell_maps[second, blank] - patterns.cell_maps[second, cell]
                ) * patterns.weights[second, tile]
            board[blank] = tile
            board[cell] = 0
            taken = True
        else:
            # Back to the node before.
            if g == 0:
                result = DONE
                break
            stored -= 1
            cell = path[g, BLANK]
            before, before_second = path[g, BEFORE], path[g, BEFORE_SECOND]
            g -= one
            blank = path[g, BLANK]
            tile = board[blank]
            group = patterns.groups[first, tile]
            state[group, VALUE] = int64(before)
            state[group, CELLS] -= (
                patterns.cell_maps[first, blank] - patterns.cell_maps[first, cell]
            ) * patterns.weights[first, tile]
            if two_views:
                group = patterns.groups[second, tile]
                state[group, VALUE] = int64(before_second)
                state[group, CELLS] -= (
                    patterns.cell_maps[second, blank] - patterns.cell_maps[second, cell]
                ) * patterns.weights[second, tile]
            board[cell] = tile
            board[blank] = 0
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
