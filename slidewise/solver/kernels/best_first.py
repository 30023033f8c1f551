"""The compiled loop of best-first search over a store of nodes, that of `kernels/store.py`.

What the further arrays hold:

`buckets` (ranks, 2) int32
    the frontier: for each rank the first and the last node of a linked queue, or EMPTY.

The estimate's arrays are those of `kernels/estimate.py`, or else of `kernels/patterns.py`.
"""

from __future__ import annotations

from numba import boolean, from_dtype, int16, int32, int64, njit, uint8, uint32, uint64

from slidewise.solver.kernels import CACHE
from slidewise.solver.kernels.estimate import Int16s, Int32s, Int64s, change_of_move, set_indices
from slidewise.solver.kernels.patterns import (
    PATTERNS,
    PatternArrays,
    Uint8s,
    Uint32s,
    estimate_after,
    set_state,
)
from slidewise.solver.kernels.store import (
    CLOSED,
    DEEPEST,
    EMPTY,
    EXPANDED,
    GENERATED,
    INDEXED,
    LIVE,
    LOWEST,
    NODE,
    OFFSET,
    OPEN,
    PEAK_LIVE,
    PRUNED,
    STORED,
    SUPERSEDED,
    Nodes,
    Uint64s,
    fill_hash,
    is_goal,
    make_successor,
    tile_in,
    write_down,
)
from slidewise.solver.kernels.trace import KEPT, REACHED, SHORTER, WENT_BACK

# The columns of `buckets`.
FIRST, LAST = range(2)

# What a slice ended with. At GOAL and BUDGET_USED the next node is the first of LOWEST.
GOAL, BUDGET_USED, NODES_FULL, HASH_FULL, BUCKETS_FULL, FRONTIER_EMPTY = range(6)


@njit(forceinline=True, _nrt=False)
def _next(nodes: Nodes, buckets: Int32s, counts: Int64s) -> int:
    """Return the first node of the lowest bucket, superseded ones thrown away, or EMPTY."""
    lowest = counts[LOWEST]
    while lowest < buckets.shape[0]:
        node = buckets[lowest, FIRST]
        while node != EMPTY and nodes[node].status == SUPERSEDED:
            node = nodes[node].next
        buckets[lowest, FIRST] = node
        if node != EMPTY:
            break
        lowest += 1
    else:
        node = EMPTY
    counts[LOWEST] = lowest
    return node


@njit(forceinline=True, _nrt=False)
def _close(nodes: Nodes, counts: Int64s, node: int) -> None:
    """Note that `node` is taken from the frontier."""
    nodes[node].status = CLOSED
    counts[LIVE] -= 1


@njit(forceinline=True, _nrt=False)
def _append(nodes: Nodes, buckets: Int32s, counts: Int64s, node: int, bucket: int) -> None:
    """Put `node` at the end of its bucket, so that ties are broken first in, first out."""
    if buckets[bucket, FIRST] == EMPTY:
        buckets[bucket, FIRST] = node
    else:
        nodes[buckets[bucket, LAST]].next = node
    buckets[bucket, LAST] = node
    nodes[node].next = EMPTY
    nodes[node].status = OPEN
    counts[LOWEST] = min(counts[LOWEST], bucket)


@njit(forceinline=True, _nrt=False)
def _supersede(nodes: Nodes, counts: Int64s, node: int) -> None:
    """Note that a shorter path to the state of `node` was found."""
    if nodes[node].status == OPEN:
        counts[LIVE] -= 1
    nodes[node].status = SUPERSEDED


@njit(forceinline=True, _nrt=False)
def _expand(
    states: Uint64s,
    nodes: Nodes,
    slots: Int32s,
    tags: Uint8s,
    buckets: Int32s,
    counts: Int64s,
    neighbours: Int32s,
    first: Int32s,
    groups: Int32s,
    weights: Int64s,
    offsets: Int64s,
    values: Int16s,
    indices: Int64s,
    board: Uint32s,
    patterns: PatternArrays,
    state: Int64s,
    g_weight: int,
    h_weight: int,
    reopen: bool,
    node: int,
) -> int:
    """Make the successors of `node`: the blank goes up, down, left, right.

    One whose state was reached before is kept only if its path is shorter, and not even then
    without `reopen`. Return what became of each, as `write_down` takes it.
    """
    fates = 0
    cells = neighbours.shape[0]
    blank = int(nodes[node].blank)
    g = nodes[node].g + 1
    parent = nodes[node].parent
    came_from = EMPTY if parent == EMPTY else int(nodes[parent].blank)
    if groups.shape[0] > offsets.shape[0] or patterns.sizes.shape[0] > 0:
        for cell in range(cells):
            board[cell] = tile_in(states, node, cell, cells)
        set_indices(board, first, groups, weights, indices)
    if patterns.sizes.shape[0] > 0:
        set_state(
            board,
            patterns,
            state,
        )
    new = counts[STORED]
    generated = 0
    for direction in range(4):
        cell = neighbours[blank, direction]
        if cell == EMPTY:
            continue
        generated += 1
        if cell == came_from:
            fates |= (WENT_BACK + 1) << 4 * direction  # reached before, by a shorter path
            continue

        # The state is written where it will stay if it is new.
        tile, slot, known = make_successor(states, slots, tags, node, new, blank, cell, cells)
        fate = KEPT
        if known != EMPTY:
            if not reopen or nodes[known].g <= g:
                fates |= (REACHED + 1) << 4 * direction
                continue
            fate = SHORTER
            _supersede(nodes, counts, known)
        slots[slot] = new
        h = int(nodes[node].h)
        if offsets.shape[0] > 0:
            h += change_of_move(tile, cell, blank, first, groups, weights, offsets, values, indices)
        if patterns.sizes.shape[0] > 0:
            h = estimate_after(
                tile,
                cell,
                blank,
                patterns,
                state,
            )
        nodes[new].parent = node
        nodes[new].g = g
        nodes[new].h = h
        nodes[new].blank = cell
        bucket = counts[OFFSET] + g_weight * g + h_weight * h
        _append(nodes, buckets, counts, new, bucket)
        new += 1
        fates |= (fate + 1) << 4 * direction
    counts[LIVE] += new - counts[STORED]
    counts[PEAK_LIVE] = max(counts[PEAK_LIVE], counts[LIVE])
    counts[STORED] = new
    counts[GENERATED] += generated
    return fates


@njit(
    int64(
        uint64[:, ::1],  # states
        from_dtype(NODE)[::1],  # nodes
        int32[::1],  # slots
        uint8[::1],  # tags
        int32[:, ::1],  # buckets
        int64[::1],  # counts
        int32[:, ::1],  # neighbours
        int32[::1],  # first
        int32[::1],  # groups
        int64[:, ::1],  # weights
        int64[::1],  # offsets
        int16[::1],  # values
        int64[::1],  # indices
        uint32[::1],  # board
        PATTERNS,
        int64[:, ::1],  # state
        uint64[::1],  # goal
        int64,  # g_weight
        int64,  # h_weight
        boolean,  # reopen
        int64,  # highest_h
        int64,  # depth
        int64,  # budget
        int32[:, ::1],  # trace
    ),
    nogil=True,
    _nrt=False,
    cache=CACHE,
)
def search_slice(
    states: Uint64s,
    nodes: Nodes,
    slots: Int32s,
    tags: Uint8s,
    buckets: Int32s,
    counts: Int64s,
    neighbours: Int32s,
    first: Int32s,
    groups: Int32s,
    weights: Int64s,
    offsets: Int64s,
    values: Int16s,
    indices: Int64s,
    board: Uint32s,
    patterns: PatternArrays,
    state: Int64s,
    goal: Uint64s,
    g_weight: int,
    h_weight: int,
    reopen: bool,
    highest_h: int,
    depth: int,
    budget: int,
    trace: Int32s,
) -> int:
    """Take up to `budget` nodes from the frontier and expand them; return how it ended.

    `neighbours` (cells, 4) holds the cells above, below, left and right of each cell, or EMPTY.
    The frontier is ranked by g_weight * g + h_weight * h; `highest_h` is the most that a board
    can have. With `reopen` a shorter path to a state replaces the one known; `depth` is the
    depth limit.
    """
    if not fill_hash(states, nodes, slots, tags, counts):
        return BUDGET_USED
    result = BUDGET_USED
    while True:
        node = _next(nodes, buckets, counts)
        if node == EMPTY:
            result = FRONTIER_EMPTY
            break
        if is_goal(states, node, goal):
            counts[DEEPEST] = max(counts[DEEPEST], nodes[node].g)
            result = GOAL
            break
        if budget == 0:
            break
        budget -= 1
        if nodes[node].g >= depth:
            _close(nodes, counts, node)
            buckets[counts[LOWEST], FIRST] = nodes[node].next
            counts[PRUNED] += 1
            continue

        # Room for four successors is made sure of before the node is touched.
        if counts[STORED] + 4 > states.shape[0]:
            result = NODES_FULL
            break
        if 4 * (counts[STORED] + 4) > 3 * slots.shape[0]:
            result = HASH_FULL
            break
        bucket = counts[OFFSET] + g_weight * (nodes[node].g + 1)
        if bucket < 0 or bucket + h_weight * highest_h >= buckets.shape[0]:
            result = BUCKETS_FULL
            break
        rank = counts[LOWEST]
        _close(nodes, counts, node)
        first_new = counts[STORED]
        fates = _expand(
            states,
            nodes,
            slots,
            tags,
            buckets,
            counts,
            neighbours,
            first,
            groups,
            weights,
            offsets,
            values,
            indices,
            board,
            patterns,
            state,
            g_weight,
            h_weight,
            reopen,
            node,
        )
        buckets[rank, FIRST] = nodes[node].next  # late, as the next turn waits for it
        if counts[EXPANDED] < trace.shape[0]:
            write_down(trace, counts[EXPANDED], node, first_new, fates)
        counts[EXPANDED] += 1
        counts[DEEPEST] = max(counts[DEEPEST], nodes[node].g)
    counts[INDEXED] = counts[STORED]
    return result


READY = True  # all of the above is compiled
