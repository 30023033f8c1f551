"""The compiled loop of iterative deepening: a depth-first search within a limit.

The search follows a single path. A successor is stored only if its f is within the threshold. The
search descends to the first successor and backtracks for the next. Successors are in the order of
the blank up, down, left, right, so searches are repeatable.

The arrays are described in `kernels/steps.py`, for pattern databases in `kernels/patterns.py`, and
here:

`path` (levels, 32) int64
    a row for each node of the path, the start first. Without patterns 16 columns suffice.

All successors of a node are estimated at once, and the results of the stored successors stay in its
row. Nearly all are above the threshold and never change the board. A single array holds all data of
a node, as a row is 2 or 4 cache lines. A path of some 50 nodes stays in the CPU cache. The counters
are copied to local variables and back. Otherwise the compiler would write each change to memory, as
the arrays might overlap.
"""

import numpy as np
from numba import int64

from slidewise.solver.kernels.jit import entry_point
from slidewise.solver.kernels.pattern_arrays import VALUE
from slidewise.solver.kernels.patterns import enter, look_up
from slidewise.solver.kernels.steps import (
    ARRAYS,
    COUNT,
    DEEPEST,
    ESTIMATE,
    EXPANDED,
    GENERATED,
    LEVEL,
    LIMIT,
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
    PathArrays,
    blank_of,
    cell_of,
    is_goal,
    look_ahead,
    row_of,
    shift,
)

# The further columns of `path`. NEXT: the index of the next stored successor. WAYS and ESTIMATES:
# the ways and h of up to four of them. With patterns, VIEWS: the sums of the node's views. BEFORE:
# the values before the last move. FOUND: for each stored successor and view, up to two, the look-up
# and, above it, the view's sum.
NEXT, WAYS, ESTIMATES, PATH_COLUMNS = 4, 8, 12, 16
VIEWS, BEFORE, FOUND, PATTERN_COLUMNS = 16, 18, 20, 32

MAX_VIEWS = 2

_VALUE_BITS = 8
_VALUE = 2**_VALUE_BITS - 1

# Result codes of a slice. DONE: all nodes within the limits were searched.
GOAL, BUDGET_USED, NODES_FULL, DONE = range(4)


@entry_point(int64(ARRAYS, int64, int64, int64, int64))
def search_slice(arrays: PathArrays, threshold: int, depth: int, room: int, budget: int) -> int:
    """Expand up to `budget` nodes; return the result code.

    Nodes are stored if g + h is at most `threshold`, and expanded if g is below `depth`. At most
    `room` nodes are stored at a time.
    """
    path, counts, board, goal, ways, table, groups, patterns, state = arrays
    goal_blank = blank_of(goal)
    grouped = groups.moves.shape[0] > 0
    views = patterns.cell_maps.shape[0]
    cells = goal.shape[0]
    g = counts[LEVEL]
    taken = counts[TAKEN] != 0
    stored = counts[STORED]
    peak_stored = counts[PEAK_STORED]
    peak_frontier = counts[PEAK_FRONTIER]
    expanded = counts[EXPANDED]
    generated = counts[GENERATED]
    deepest = counts[DEEPEST]
    following = counts[LIMIT]
    blank = cell_of(path[g, WAY])
    result = BUDGET_USED
    while True:
        if taken:
            if blank == goal_blank and is_goal(board, goal):
                deepest = max(deepest, g)
                result = GOAL
                break
            if g >= depth:
                counts[PRUNED] += 1
                path[g, NEXT] = 0
                path[g, SUCCESSORS] = 0
            else:
                if budget == 0:
                    break
                # Generate the successors, and store those within the threshold.
                way = path[g, WAY]
                h = path[g, ESTIMATE]
                onward = ways[way, COUNT]
                kept = 0
                for place in range(ONWARD, ONWARD + onward):
                    next_way = ways[way, place]
                    cell = cell_of(next_way)
                    tile = board[cell]
                    if views:
                        next_h = 0
                        for view in range(views):
                            value = look_up(view, tile, cell, blank, patterns, state)
                            before = state[patterns.groups[np.uint64(view), tile], VALUE]
                            total = path[g, VIEWS + view] - before + value
                            path[g, FOUND + MAX_VIEWS * kept + view] = value | total << _VALUE_BITS
                            next_h = max(next_h, total)
                            # The first view may show already that f is too high.
                            f = g + 1 + next_h
                            if f > threshold and f >= following:
                                break
                    else:
                        change = table[tile, blank] - table[tile, cell]
                        next_h = h + change
                    if grouped:
                        # The groups add 0 at least, so that f may be known to be too high.
                        f = g + 1 + path[g, SINGLE] + change
                        if f > threshold and f >= following:
                            continue
                        next_h += look_ahead(row_of(tile, cell, next_way % SIDES, cells), groups)
                    f = g + 1 + next_h
                    if f > threshold:
                        following = min(following, f)
                    else:
                        path[g, WAYS + kept] = next_way
                        path[g, ESTIMATES + kept] = next_h
                        kept += 1
                if stored + kept > room:
                    result = NODES_FULL
                    break
                budget -= 1
                path[g, NEXT] = 0
                path[g, SUCCESSORS] = kept
                expanded += 1
                # The move straight back counts as generated, although it is not computed.
                generated += onward + (g > 0)
                stored += kept
                peak_stored = max(peak_stored, stored)
                peak_frontier = max(peak_frontier, stored - g - 1)
                deepest = max(deepest, g)
            taken = False

        chosen = path[g, NEXT]
        if chosen < path[g, SUCCESSORS]:
            # Descend to the next successor.
            path[g, NEXT] = chosen + 1
            next_way = path[g, WAYS + chosen]
            cell = cell_of(next_way)
            tile = board[cell]
            g += 1
            path[g, WAY] = next_way
            path[g, ESTIMATE] = path[g - 1, ESTIMATES + chosen]
            board[blank] = tile
            board[cell] = 0
            if grouped:
                path[g, SINGLE] = path[g - 1, SINGLE] + table[tile, blank] - table[tile, cell]
                shift(row_of(tile, cell, next_way % SIDES, cells), groups)
            for view in range(views):
                found = path[g - 1, FOUND + MAX_VIEWS * chosen + view]
                path[g, VIEWS + view] = found >> _VALUE_BITS
                value = found & _VALUE
                path[g, BEFORE + view] = enter(view, tile, cell, blank, value, patterns, state)
            blank = cell
            taken = True
        else:
            # Backtrack to the parent.
            stored -= 1
            if g == 0:
                result = DONE
                break
            # Opposite sides differ in the lowest bit.
            back = (path[g, WAY] % SIDES) ^ 1
            g -= 1
            cell = cell_of(path[g, WAY])
            tile = board[cell]
            board[blank] = tile
            board[cell] = 0
            if grouped:
                shift(row_of(tile, cell, back, cells), groups)
            for view in range(views):
                value = path[g + 1, BEFORE + view]
                enter(view, tile, cell, blank, value, patterns, state)
            blank = cell
    counts[LEVEL] = g
    counts[TAKEN] = taken
    counts[STORED] = stored
    counts[PEAK_STORED] = peak_stored
    counts[PEAK_FRONTIER] = peak_frontier
    counts[EXPANDED] = expanded
    counts[GENERATED] = generated
    counts[DEEPEST] = deepest
    counts[LIMIT] = following
    return result


READY = True  # all of the above is compiled
