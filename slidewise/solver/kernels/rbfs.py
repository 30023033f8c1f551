"""The compiled loop of recursive best-first search, its recursion an explicit stack.

A node's stored f begins as its own g + h, and is raised to the lowest stored f of its successors
each time that the search comes back from them and forgets them. The search goes down to the
successor with the lowest stored f, as long as that is at most the lowest of all the others that
wait along the path: the bound. What the arrays hold:

`path` (levels, 20) int64
    a row for each node of the path, the start first.

The other arrays are described in `kernels/steps.py`, and those of pattern databases in
`kernels/patterns.py`.
"""

from __future__ import annotations

import numpy as np
from numba import int16, int32, int64, njit, uint32

from slidewise.solver.kernels import CACHE
from slidewise.solver.kernels.estimate import Int16s, Int32s, Int64s
from slidewise.solver.kernels.patterns import PATTERNS, PatternArrays, estimate_after, move
from slidewise.solver.kernels.steps import (
    COUNT,
    DEEPEST,
    ESTIMATE,
    EXPANDED,
    FATES,
    FIRST_KEPT,
    GENERATED,
    INFINITE,
    LEVEL,
    LIMIT,
    MADE,
    NUMBER,
    ONWARD,
    PEAK_FRONTIER,
    PEAK_STORED,
    PRUNED,
    SIDES,
    SINGLE,
    STORED,
    SUCCESSORS,
    TAKEN,
    WAY,
    WAY_BITS,
    Uint32s,
    blank_of,
    cell_of,
    is_goal,
    look_ahead,
    row_of,
    shift,
    side_of,
    write_trace,
)
from slidewise.solver.kernels.trace import KEPT

# The further columns of `path`. CHOSEN: which successor the search went down to. RANK: the stored
# f. BOUND: the lowest stored f of all nodes that wait along the path. From WAYS, ESTIMATES and
# RANKS on stand the ways, h and stored f of up to four successors.
CHOSEN, BOUND, WAYS, ESTIMATES, RANKS, PATH_COLUMNS = 6, 7, 8, 12, 16, 20
RANK = SINGLE

# What a slice ended with. LIMIT_ROSE: the f-limit is higher from now on. PATH_FULL: `path` needs
# more rows. DONE: all within the depth limit was searched.
GOAL, BUDGET_USED, NODES_FULL, LIMIT_ROSE, PATH_FULL, DONE = range(6)


@njit(
    int64(
        int64[:, ::1],  # path
        int64[::1],  # counts
        uint32[::1],  # board
        uint32[::1],  # goal
        uint32[:, ::1],  # ways
        int32[:, ::1],  # table
        int64,  # tables
        int64[:, ::1],  # moves
        int16[::1],  # values
        int64[::1],  # indices
        PATTERNS,
        int64[:, ::1],  # state
        int64,  # depth
        int64,  # room
        int64,  # budget
        int32[:, ::1],  # trace
    ),
    nogil=True,
    _nrt=False,
    cache=CACHE,
)
def search_slice(
    path: Int64s,
    counts: Int64s,
    board: Uint32s,
    goal: Uint32s,
    ways: Uint32s,
    table: Int32s,
    tables: int,
    moves: Int64s,
    values: Int16s,
    indices: Int64s,
    patterns: PatternArrays,
    state: Int64s,
    depth: int,
    room: int,
    budget: int,
    trace: Int32s,
) -> int:
    """Expand up to `budget` nodes; return how it ended.

    Nodes are expanded whose g is below `depth`; at most `room` nodes are stored at a time.
    """
    goal_blank = blank_of(goal)
    grouped = moves.shape[0] > 0
    patterned = patterns.cell_maps.shape[0] > 0
    cells = goal.shape[0]
    g = counts[LEVEL]
    taken = counts[TAKEN] != 0
    blank = cell_of(path[g, WAY])
    traced = 0
    result = BUDGET_USED
    while True:
        if taken:
            # All others that wait have a stored f of at least the bound, and so of at least
            # this node's: it is the lowest of all, which no solution can be below.
            if path[g, RANK] > counts[LIMIT]:
                counts[LIMIT] = path[g, RANK]
                result = LIMIT_ROSE
                break
            if blank == goal_blank and is_goal(board, goal):
                counts[DEEPEST] = max(counts[DEEPEST], g)
                result = GOAL
                break
            if g >= depth:
                counts[PRUNED] += 1
                path[g, SUCCESSORS] = 0
            else:
                if budget == 0:
                    break
                way = path[g, WAY]
                onward = np.int64(ways[way >> WAY_BITS, COUNT])
                if counts[STORED] + onward > room:
                    result = NODES_FULL
                    break
                if g + 1 == path.shape[0]:
                    result = PATH_FULL
                    break
                h = path[g, ESTIMATE]
                if traced < trace.shape[0]:
                    number = path[g, NUMBER]
                    write_trace(trace[traced], number, g, h, path[g, RANK], counts[MADE], way, ways)
                # The successors are made. Where the stored f is above g + h, the node was
                # expanded before, and no successor is better than it.
                least = path[g, RANK] if path[g, RANK] > g + h else 0
                for place in range(onward):
                    next_way = ways[way >> WAY_BITS, ONWARD + place]
                    cell = cell_of(next_way)
                    tile = board[cell]
                    next_h = h + table[tile, blank] - table[tile, cell]
                    if patterned:
                        next_h = estimate_after(
                            tile,
                            cell,
                            blank,
                            patterns,
                            state,
                        )
                    if grouped:
                        next_h += look_ahead(
                            row_of(tile, cell, next_way % SIDES, cells),
                            tables,
                            moves,
                            values,
                            indices,
                        )
                    path[g, WAYS + place] = next_way
                    path[g, ESTIMATES + place] = next_h
                    path[g, RANKS + place] = max(least, g + 1 + next_h)
                    if traced < trace.shape[0]:
                        trace[traced, FATES + side_of(next_way)] = KEPT
                traced += 1
                budget -= 1
                path[g, SUCCESSORS] = onward
                path[g, FIRST_KEPT] = counts[MADE]
                counts[EXPANDED] += 1
                counts[GENERATED] += onward + (g > 0)
                counts[MADE] += onward
                counts[STORED] += onward
                counts[PEAK_STORED] = max(counts[PEAK_STORED], counts[STORED])
                counts[PEAK_FRONTIER] = max(counts[PEAK_FRONTIER], counts[STORED] - g - 1)
                counts[DEEPEST] = max(counts[DEEPEST], g)
            taken = False

        # The successor with the lowest stored f, of equal ones the first, and the next lowest f.
        chosen = 0
        lowest = INFINITE
        second = INFINITE
        for place in range(path[g, SUCCESSORS]):
            rank = path[g, RANKS + place]
            if rank < lowest:
                second = lowest
                lowest = rank
                chosen = place
            elif rank < second:
                second = rank

        if lowest < INFINITE and lowest <= path[g, BOUND]:
            # Down to it.
            path[g, CHOSEN] = chosen
            g += 1
            path[g, WAY] = path[g - 1, WAYS + chosen]
            path[g, ESTIMATE] = path[g - 1, ESTIMATES + chosen]
            path[g, NUMBER] = path[g - 1, FIRST_KEPT] + chosen
            path[g, RANK] = lowest
            path[g, BOUND] = min(path[g - 1, BOUND], second)
            cell = cell_of(path[g, WAY])
            side = path[g, WAY] % SIDES
            taken = True
        else:
            # Back to the node before, which learns what was found out.
            counts[STORED] -= path[g, SUCCESSORS]
            if g == 0:
                result = DONE
                break
            side = (path[g, WAY] % SIDES) ^ 1
            g -= 1
            path[g, RANKS + path[g, CHOSEN]] = lowest
            cell = cell_of(path[g, WAY])
        tile = board[cell]
        board[blank] = tile
        board[cell] = 0
        if grouped:
            shift(row_of(tile, cell, side, cells), moves, indices)
        if patterned:
            move(
                tile,
                cell,
                blank,
                patterns,
                state,
            )
        blank = cell
    counts[LEVEL] = g
    counts[TAKEN] = taken
    return result


READY = True  # all of the above is compiled
