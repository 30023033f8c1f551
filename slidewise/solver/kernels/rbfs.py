"""The compiled loop of recursive best-first search, its recursion an explicit stack.

A node's stored f starts as its own g + h. Backtracking from its successors raises it to their
lowest stored f. The search descends to the successor with the lowest stored f while that is within
the bound. The bound is the lowest stored f of all other open nodes along the path. Ties go to the
first in the order of the blank up, down, left, right, so searches are repeatable.

The arrays are described in `kernels/steps.py`, for pattern databases in `kernels/patterns.py`, and
here:

`path` (levels, 20) int64
    a row for each node of the path, the start first, with all its successors. The search chooses
    among them again after each backtrack.
"""

import numpy as np
from numba import int64

from slidewise.solver.kernels.jit import entry_point
from slidewise.solver.kernels.patterns import estimate_after, move
from slidewise.solver.kernels.steps import (
    ARRAYS,
    COUNT,
    DEEPEST,
    ESTIMATE,
    EXPANDED,
    GENERATED,
    INFINITE,
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

# The further columns of `path`. CHOSEN: the current successor. RANK: the stored f. BOUND: the
# lowest stored f of all open nodes along the path. WAYS, ESTIMATES and RANKS: the first of the
# ways, h and stored f of up to four successors.
CHOSEN, BOUND, WAYS, ESTIMATES, RANKS, PATH_COLUMNS = 4, 5, 8, 12, 16, 20
RANK = SINGLE

# Result codes of a slice. LIMIT_ROSE: the f-limit rose. PATH_FULL: `path` needs more rows. DONE:
# all nodes within the depth limit were searched.
GOAL, BUDGET_USED, NODES_FULL, LIMIT_ROSE, PATH_FULL, DONE = range(6)


@entry_point(int64(ARRAYS, int64, int64, int64))
def search_slice(arrays: PathArrays, depth: int, room: int, budget: int) -> int:
    """Expand up to `budget` nodes; return the result code.

    Nodes are expanded if g is below `depth`. At most `room` nodes are stored at a time.
    """
    path, counts, board, goal, ways, table, groups, patterns, state = arrays
    goal_blank = blank_of(goal)
    grouped = groups.moves.shape[0] > 0
    patterned = patterns.cell_maps.shape[0] > 0
    cells = goal.shape[0]
    g = counts[LEVEL]
    taken = counts[TAKEN] != 0
    blank = cell_of(path[g, WAY])
    result = BUDGET_USED
    while True:
        if taken:
            # All other open nodes have a stored f of at least the bound, and so of at least this
            # node's: the lowest f of all is a lower bound on every solution.
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
                onward = np.int64(ways[way, COUNT])
                if counts[STORED] + onward > room:
                    result = NODES_FULL
                    break
                if g + 1 == path.shape[0]:
                    result = PATH_FULL
                    break
                h = path[g, ESTIMATE]
                # Generate the successors. A stored f above g + h means that the node was expanded
                # before, and no successor has a lower f.
                least = path[g, RANK] if path[g, RANK] > g + h else 0
                for place in range(onward):
                    next_way = ways[way, ONWARD + place]
                    cell = cell_of(next_way)
                    tile = board[cell]
                    next_h = h + table[tile, blank] - table[tile, cell]
                    if patterned:
                        next_h = estimate_after(tile, cell, blank, patterns, state)
                    if grouped:
                        next_h += look_ahead(row_of(tile, cell, next_way % SIDES, cells), groups)
                    path[g, WAYS + place] = next_way
                    path[g, ESTIMATES + place] = next_h
                    path[g, RANKS + place] = max(least, g + 1 + next_h)
                budget -= 1
                path[g, SUCCESSORS] = onward
                counts[EXPANDED] += 1
                counts[GENERATED] += onward + (g > 0)
                counts[STORED] += onward
                counts[PEAK_STORED] = max(counts[PEAK_STORED], counts[STORED])
                counts[PEAK_FRONTIER] = max(counts[PEAK_FRONTIER], counts[STORED] - g - 1)
                counts[DEEPEST] = max(counts[DEEPEST], g)
            taken = False

        # Find the lowest stored f, ties to the first successor, and the second lowest.
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
            # Descend to it.
            path[g, CHOSEN] = chosen
            g += 1
            path[g, WAY] = path[g - 1, WAYS + chosen]
            path[g, ESTIMATE] = path[g - 1, ESTIMATES + chosen]
            path[g, RANK] = lowest
            path[g, BOUND] = min(path[g - 1, BOUND], second)
            cell = cell_of(path[g, WAY])
            side = path[g, WAY] % SIDES
            taken = True
        else:
            # Backtrack, and store the new f in the parent.
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
            shift(row_of(tile, cell, side, cells), groups)
        if patterned:
            move(tile, cell, blank, patterns, state)
        blank = cell
    counts[LEVEL] = g
    counts[TAKEN] = taken
    return result


READY = True  # all of the above is compiled
