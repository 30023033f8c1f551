"""The compiled loop of best-first search over a store of nodes in flat arrays.

A node never changes once it is made, but for its status. What the arrays hold:

`states` (capacity, words) uint64
    each node's board, packed a cell after a cell from the lowest bits up: 4 bits a cell up to
    16 cells, 8 bits above.
`nodes` (capacity,) NODE
    what else is known of each node. A node's number is its place, in order of making.
`slots` (a power of two,) int32
    the hash of the states reached, with open addressing and linear probing: the number of the
    node that holds a state.
`tags` (as many,) uint8
    for each slot some bits of its state's hash, or FREE. A state not reached before is most often
    told from these alone, which take a fifth of the memory and so are sooner at hand.
`buckets` (ranks, 2) int32
    the frontier: for each rank the first and the last node of a linked queue, or EMPTY.
`counts` (11,) int64
    the counters of the search, which live here from one slice to the next.
`trace` (capacity, 6) int32
    a row for each of the first expansions: the node, the number that its first new node gets,
    and what became of its successors, as `kernels/trace.py` has it.

The estimate's arrays are those of `kernels/estimate.py`, or else of `kernels/patterns.py`.

The functions make no arrays, and `_nrt=False` tells numba so: else it would count references to
those they are given, by atomic additions at each call, and a search would take twice the time.
What is marked `forceinline` runs for each expansion or successor: without that some of it is left
as calls with dozens of arguments, and a search takes a quarter more time.
"""

from __future__ import annotations

import numpy as np
from numba import boolean, from_dtype, int16, int32, int64, njit, uint8, uint32, uint64
from numpy.typing import NDArray

from webapp.search.kernels import CACHE
from webapp.search.kernels.estimate import Int16s, change_of_move, set_indices
from webapp.search.kernels.patterns import (
    PATTERNS,
    PatternArrays,
    Uint8s,
    Uint32s,
    estimate_after,
    set_state,
)
from webapp.search.kernels.trace import KEPT, NO_MOVE, REACHED, SHORTER, WENT_BACK

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Uint64s = NDArray[np.uint64]
Nodes = NDArray[np.void]

NODE = np.dtype(
    [
        ("parent", np.int32),
        ("next", np.int32),  # of the same bucket
        ("g", np.int32),
        ("h", np.int16),
        ("blank", np.uint8),  # its cell
        ("status", np.uint8),
    ]
)

HIGHEST_H = 2**15 - 1

# The values of `status`. Closed: taken from the frontier. Superseded: a later node reaches the
# same state by a shorter path, so that this one is passed over when its turn comes.
OPEN, CLOSED, SUPERSEDED = range(3)

# The columns of `buckets`.
FIRST, LAST = range(2)

# The places in `counts`. CLEARED: slots of a new hash made empty. INDEXED: nodes entered in it.
# LOWEST: no bucket below it holds a node. PRUNED: nodes taken at the depth limit, whose
# successors are not looked at. OFFSET: the bucket of rank 0.
STORED, CLEARED, INDEXED, LIVE, PEAK_LIVE = range(5)
EXPANDED, GENERATED, DEEPEST, LOWEST, PRUNED, OFFSET = range(5, 11)
COUNTS = 11

# The columns of `trace`. The last four are the fates of the blank going up, down, left, right.
TRACED, FIRST_NEW, FATES = range(3)
TRACE_COLUMNS = 6

# What a slice ended with. At GOAL and BUDGET_USED the next node is the first of LOWEST.
GOAL, BUDGET_USED, NODES_FULL, HASH_FULL, BUCKETS_FULL, FRONTIER_EMPTY = range(6)

EMPTY = -1
"""No node, or no cell."""

CLEAR_SLICE, INDEX_SLICE = 250_000, 50_000
"""Most slots of a new hash that one call clears, and most nodes that it enters: some 5 ms.
Clearing is slow where the system has to find the memory first."""

FREE = 0
"""The tag of a slot that holds no node."""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio: Fibonacci hashing
_HALF = np.uint64(32)


@njit(forceinline=True, _nrt=False)
def _word(cell: int, cells: int) -> int:
    """Return which word of a state holds `cell`."""
    return cell >> 4 if cells <= 16 else cell >> 3


@njit(forceinline=True, _nrt=False)
def _shift(cell: int, cells: int) -> np.uint64:
    """Return the lowest bit of `cell` in its word."""
    return np.uint64((cell & 15) << 2 if cells <= 16 else (cell & 7) << 3)


@njit(forceinline=True, _nrt=False)
def _mix(word: np.uint64) -> np.uint64:
    """Return a number for `word` whose low bits are well mixed."""
    hashed = word * _GOLDEN
    return hashed ^ (hashed >> _HALF)


@njit(forceinline=True, _nrt=False)
def _hash(states: Uint64s, row: int) -> np.uint64:
    """Return the hash of the state in `row`."""
    hashed = np.uint64(0)
    for word in range(states.shape[1]):
        hashed = _mix(hashed ^ states[row, word])
    return hashed


@njit(forceinline=True, _nrt=False)
def _same(states: Uint64s, first: int, second: int) -> bool:
    """Return whether two rows hold the same state."""
    for word in range(states.shape[1]):
        if states[first, word] != states[second, word]:
            return False
    return True


@njit(forceinline=True, _nrt=False)
def _tag(hashed: np.uint64) -> np.uint8:
    """Return the tag of a slot that holds a state with this hash: its highest bits, and 1."""
    return np.uint8((hashed >> np.uint64(56)) | np.uint64(1))


@njit(forceinline=True, _nrt=False)
def _find(states: Uint64s, slots: Int32s, tags: Uint8s, row: int) -> tuple[np.uint64, int]:
    """Return the slot for the state in `row`, and the node in it that holds the state or EMPTY.

    A slot that was free then has its tag, and waits for its node.
    """
    hashed = _hash(states, row)
    tag = _tag(hashed)
    mask = np.uint64(slots.shape[0] - 1)
    slot = hashed & mask
    while tags[slot] != FREE:
        if tags[slot] == tag:
            known = int(slots[slot])
            if _same(states, known, row):
                return slot, known
        slot = (slot + np.uint64(1)) & mask
    tags[slot] = tag
    return slot, EMPTY


@njit(forceinline=True, _nrt=False)
def _fill_hash(states: Uint64s, nodes: Nodes, slots: Int32s, tags: Uint8s, counts: Int64s) -> bool:
    """Go on with making a new hash; return whether it is done, and holds all nodes."""
    end = min(slots.shape[0], counts[CLEARED] + CLEAR_SLICE)
    tags[counts[CLEARED] : end] = FREE
    counts[CLEARED] = end
    if end < slots.shape[0]:
        return False
    mask = np.uint64(slots.shape[0] - 1)
    end = min(counts[STORED], counts[INDEXED] + INDEX_SLICE)
    for node in range(counts[INDEXED], end):
        if nodes[node].status == SUPERSEDED:
            continue
        hashed = _hash(states, node)
        slot = hashed & mask
        while tags[slot] != FREE:  # never the same state: no need to compare
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = node
        tags[slot] = _tag(hashed)
    counts[INDEXED] = end
    return end == counts[STORED]


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
def _is_goal(states: Uint64s, node: int, goal: Uint64s) -> bool:
    """Return whether `node` holds the goal."""
    for word in range(goal.shape[0]):
        if states[node, word] != goal[word]:
            return False
    return True


@njit(forceinline=True, _nrt=False)
def _supersede(nodes: Nodes, counts: Int64s, node: int) -> None:
    """Note that a shorter path to the state of `node` was found."""
    if nodes[node].status == OPEN:
        counts[LIVE] -= 1
    nodes[node].status = SUPERSEDED


@njit(forceinline=True, _nrt=False)
def _tile(states: Uint64s, node: int, cell: int, cells: int) -> int:
    """Return the tile in `cell` of the state of `node`."""
    mask = np.uint64(15 if cells <= 16 else 255)
    return int((states[node, _word(cell, cells)] >> _shift(cell, cells)) & mask)


@njit(forceinline=True, _nrt=False)
def _make_state(states: Uint64s, node: int, new: int, blank: int, cell: int, cells: int) -> int:
    """Write into row `new` the state of `node` with the blank gone to `cell`; return the tile."""
    for word in range(states.shape[1]):
        states[new, word] = states[node, word]
    tile = _tile(states, node, cell, cells)
    states[new, _word(cell, cells)] ^= np.uint64(tile) << _shift(cell, cells)
    states[new, _word(blank, cells)] ^= np.uint64(tile) << _shift(blank, cells)
    return tile


@njit(forceinline=True, _nrt=False)
def _place(
    states: Uint64s,
    slots: Int32s,
    tags: Uint8s,
    node: int,
    new: int,
    blank: int,
    cell: int,
    cells: int,
) -> tuple[int, np.uint64, int]:
    """Write into row `new` the state of `node` with the blank gone to `cell`.

    Return the tile moved, and what `_find` returns of the state. One of a single word does not
    go through memory on its way, which saves a tenth of a search.
    """
    if states.shape[1] > 1:
        tile = _make_state(states, node, new, blank, cell, cells)
        slot, known = _find(states, slots, tags, new)
        return tile, slot, known
    old, here, there = states[node, 0], np.uint64(cell << 2), np.uint64(blank << 2)
    tile = (old >> here) & np.uint64(15)
    state = old ^ (tile << here) ^ (tile << there)
    mask = np.uint64(slots.shape[0] - 1)
    hashed = _mix(state)
    slot = hashed & mask
    tag = _tag(hashed)
    states[new, 0] = state
    while tags[slot] != FREE:
        if tags[slot] == tag:
            known = int(slots[slot])
            if states[known, 0] == state:
                return int(tile), slot, known
        slot = (slot + np.uint64(1)) & mask
    tags[slot] = tag
    return int(tile), slot, EMPTY


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
    without `reopen`. Return what became of each, 4 bits a direction from the lowest up: its
    code and 1 more.
    """
    fates = 0
    cells = neighbours.shape[0]
    blank = int(nodes[node].blank)
    g = nodes[node].g + 1
    parent = nodes[node].parent
    came_from = EMPTY if parent == EMPTY else int(nodes[parent].blank)
    if groups.shape[0] > offsets.shape[0] or patterns.sizes.shape[0] > 0:
        for cell in range(cells):
            board[cell] = _tile(states, node, cell, cells)
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
        tile, slot, known = _place(states, slots, tags, node, new, blank, cell, cells)
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


@njit(forceinline=True, _nrt=False)
def _write_down(trace: Int32s, row: int, node: int, first_new: int, fates: int) -> None:
    """Note an expansion; the `fates` are those that `_expand` returns."""
    trace[row, TRACED] = node
    trace[row, FIRST_NEW] = first_new
    for direction in range(4):
        code = fates >> 4 * direction & 15
        trace[row, FATES + direction] = code - 1 if code else NO_MOVE


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
    if not _fill_hash(states, nodes, slots, tags, counts):
        return BUDGET_USED
    result = BUDGET_USED
    while True:
        node = _next(nodes, buckets, counts)
        if node == EMPTY:
            result = FRONTIER_EMPTY
            break
        if _is_goal(states, node, goal):
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
            _write_down(trace, counts[EXPANDED], node, first_new, fates)
        counts[EXPANDED] += 1
        counts[DEEPEST] = max(counts[DEEPEST], nodes[node].g)
    counts[INDEXED] = counts[STORED]
    return result


READY = True  # all of the above is compiled
