"""The compiled loop of best-first search over the store of nodes of `kernels/store.py`.

Members of `BestFirstArrays` next to the store, the goal's state, and the estimate's arrays
(`kernels/estimate.py` or `kernels/patterns.py`):

`buckets` (ranks, 2) int32
    the frontier: for each rank the first and the last node of a linked queue, or EMPTY.
`neighbours` (cells, 4) int32
    the cells above, below, left and right of each cell, or EMPTY.
`indices`, `board`, `state`
    scratch space for the groups' indices, the board and the look-ups of the expanded node.

Ranks are small integers, so a queue per rank replaces a heap. Push and pop take constant time.
Equal ranks are first in, first out, so searches are repeatable. A superseded node stays in its
queue until it is popped, as removal would need a back link.

The indices and look-ups are computed again for each expanded node. Storing them would make a node
several times as large. The change of each of up to four moves is then read from them.
"""

from typing import NamedTuple

from numba import boolean, int32, int64, uint32, uint64

from slidewise.solver.kernels.estimate import ESTIMATE, EstimateArrays, change_of_move, set_indices
from slidewise.solver.kernels.jit import (
    Int32s,
    Int64s,
    Uint32s,
    Uint64s,
    entry_point,
    inlined,
    tuple_type,
)
from slidewise.solver.kernels.pattern_arrays import PatternArrays
from slidewise.solver.kernels.patterns import PATTERNS, estimate_after, set_state
from slidewise.solver.kernels.store import (
    CLOSED,
    DEEPEST,
    EMPTY,
    EXPANDED,
    GENERATED,
    INDEXED,
    LIVE,
    LOWEST,
    OFFSET,
    OPEN,
    PEAK_LIVE,
    PRUNED,
    STORE,
    STORED,
    SUPERSEDED,
    Nodes,
    StoreArrays,
    fill_hash,
    is_goal,
    make_successor,
    tile_in,
)


class BestFirstArrays(NamedTuple):
    """All that a search has stored, and the tables that estimate a board."""

    store: StoreArrays
    buckets: Int32s
    neighbours: Int32s
    goal: Uint64s
    estimate: EstimateArrays
    indices: Int64s
    patterns: PatternArrays
    state: Int64s
    board: Uint32s


ARRAYS = tuple_type(
    BestFirstArrays,
    store=STORE,
    buckets=int32[:, ::1],
    neighbours=int32[:, ::1],
    goal=uint64[::1],
    estimate=ESTIMATE,
    indices=int64[::1],
    patterns=PATTERNS,
    state=int64[:, ::1],
    board=uint32[::1],
)


class Ranking(NamedTuple):
    """The frontier is ranked by g_weight * g + h_weight * h.

    `highest_h` is an upper bound on h. With `reopen` a shorter path to a state replaces the known
    path.
    """

    g_weight: int
    h_weight: int
    highest_h: int
    reopen: bool


RANKING = tuple_type(Ranking, g_weight=int64, h_weight=int64, highest_h=int64, reopen=boolean)

# The columns of `buckets`.
FIRST, LAST = range(2)

# Result codes of a slice. At GOAL and BUDGET_USED the next node is the first of LOWEST.
GOAL, BUDGET_USED, NODES_FULL, HASH_FULL, BUCKETS_FULL, FRONTIER_EMPTY = range(6)


@inlined
def _next(nodes: Nodes, buckets: Int32s, counts: Int64s) -> int:
    """Return the first node of the lowest bucket after dropping superseded nodes, or EMPTY."""
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


@inlined
def _close(nodes: Nodes, counts: Int64s, node: int) -> None:
    """Mark `node` as taken from the frontier."""
    nodes[node].status = CLOSED
    counts[LIVE] -= 1


@inlined
def _append(nodes: Nodes, buckets: Int32s, counts: Int64s, node: int, bucket: int) -> None:
    """Put `node` at the end of its bucket, so that ties are broken first in, first out."""
    if buckets[bucket, FIRST] == EMPTY:
        buckets[bucket, FIRST] = node
    else:
        nodes[buckets[bucket, LAST]].next = node
    buckets[bucket, LAST] = node
    nodes[node].next = EMPTY
    nodes[node].status = OPEN
    # A successor may rank below its parent, for example in depth-first search.
    counts[LOWEST] = min(counts[LOWEST], bucket)


@inlined
def _supersede(nodes: Nodes, counts: Int64s, node: int) -> None:
    """Mark `node` as obsolete, because a shorter path to its state was found."""
    if nodes[node].status == OPEN:
        counts[LIVE] -= 1
    nodes[node].status = SUPERSEDED


@inlined
def _expand(arrays: BestFirstArrays, ranking: Ranking, node: int) -> None:
    """Generate the successors of `node`, the blank up, down, left, right.

    A known state is stored again only with `reopen` and a shorter path.
    """
    store, buckets, neighbours, _, estimate, indices, patterns, state, board = arrays
    states, nodes, slots, counts = store.states, store.nodes, store.slots, store.counts
    cells = neighbours.shape[0]
    blank = int(nodes[node].blank)
    g = nodes[node].g + 1
    parent = nodes[node].parent
    came_from = EMPTY if parent == EMPTY else int(nodes[parent].blank)
    if estimate.groups.shape[0] > estimate.offsets.shape[0] or patterns.sizes.shape[0] > 0:
        for cell in range(cells):
            board[cell] = tile_in(states, node, cell, cells)
        set_indices(board, estimate, indices)
    if patterns.sizes.shape[0] > 0:
        set_state(board, patterns, state)
    new = counts[STORED]
    generated = 0
    for direction in range(4):
        cell = int(neighbours[blank, direction])
        if cell == EMPTY:
            continue
        generated += 1
        if cell == came_from:  # reached before, by a shorter path
            continue

        # The state is written to its final place if it is new.
        tile, slot, known = make_successor(store, node, new, blank, cell, cells)
        if known != EMPTY:
            if not ranking.reopen or nodes[known].g <= g:
                continue
            _supersede(nodes, counts, known)
        slots[slot] = new
        h = int(nodes[node].h)
        if estimate.offsets.shape[0] > 0:
            h += change_of_move(tile, cell, blank, estimate, indices)
        if patterns.sizes.shape[0] > 0:
            h = estimate_after(tile, cell, blank, patterns, state)
        nodes[new].parent = node
        nodes[new].g = g
        nodes[new].h = h
        nodes[new].blank = cell
        bucket = counts[OFFSET] + ranking.g_weight * g + ranking.h_weight * h
        _append(nodes, buckets, counts, new, bucket)
        new += 1
    counts[LIVE] += new - counts[STORED]
    counts[PEAK_LIVE] = max(counts[PEAK_LIVE], counts[LIVE])
    counts[STORED] = new
    counts[GENERATED] += generated


@entry_point(int64(ARRAYS, RANKING, int64, int64))
def search_slice(arrays: BestFirstArrays, ranking: Ranking, depth: int, budget: int) -> int:
    """Take up to `budget` nodes from the frontier and expand them; return the result code.

    `depth` is the depth limit.
    """
    store, buckets, goal = arrays.store, arrays.buckets, arrays.goal
    states, nodes, slots, counts = store.states, store.nodes, store.slots, store.counts
    if not fill_hash(store):
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

        # Space for four successors is checked before the node changes.
        if counts[STORED] + 4 > states.shape[0]:
            result = NODES_FULL
            break
        if 4 * (counts[STORED] + 4) > 3 * slots.shape[0]:
            result = HASH_FULL
            break
        bucket = counts[OFFSET] + ranking.g_weight * (nodes[node].g + 1)
        if bucket < 0 or bucket + ranking.h_weight * ranking.highest_h >= buckets.shape[0]:
            result = BUCKETS_FULL
            break
        rank = counts[LOWEST]
        _close(nodes, counts, node)
        _expand(arrays, ranking, node)
        buckets[rank, FIRST] = nodes[node].next  # after `_expand`, which may append to it
        counts[EXPANDED] += 1
        counts[DEEPEST] = max(counts[DEEPEST], nodes[node].g)
    counts[INDEXED] = counts[STORED]
    return result


READY = True  # all of the above is compiled
