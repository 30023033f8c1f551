"""Node store of a search in flat arrays, with a hash table of the states.

A node never changes except for its status. Members of `StoreArrays`:

`states` (capacity, words) uint64
    each node's board, packed a cell after a cell from the lowest bits up: 4 bits a cell up to
    16 cells, 8 bits above.
`nodes` (capacity,) NODE
    the other fields of each node. A node's number is its index, in order of creation.
`slots` (a power of two,) int32
    the hash of the states reached, with open addressing and linear probing: the number of the
    node that holds a state.
`tags` (as many,) uint8
    for each slot some bits of its state's hash, or FREE. These alone identify most new states. They
    take a fifth of the memory and so are faster to access.
`counts` (11,) int64
    the counters of the search, which persist between slices.

A state is stored apart from the rest of its node, as comparing states needs nothing else. A look-up
then reads 8 bytes instead of 24. The rest of a node is 16 bytes, which never cross a cache line.
"""

from typing import NamedTuple

import numpy as np
from numba import from_dtype, int32, int64, uint8, uint64
from numpy.typing import NDArray

from slidewise.solver.kernels.jit import Int32s, Int64s, Uint8s, Uint64s, inlined, tuple_type

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


class StoreArrays(NamedTuple):
    """The nodes of a search and the hash of their states."""

    states: Uint64s
    nodes: Nodes
    slots: Int32s
    tags: Uint8s
    counts: Int64s


STORE = tuple_type(
    StoreArrays,
    states=uint64[:, ::1],
    nodes=from_dtype(NODE)[::1],
    slots=int32[::1],
    tags=uint8[::1],
    counts=int64[::1],
)

HIGHEST_H = 2**15 - 1
"""The greatest h that a node can store, in 16 bits."""

# The values of `status`. Closed: taken from the frontier. Superseded: a later node reaches the same
# state by a shorter path, so this node is skipped when it is taken.
OPEN, CLOSED, SUPERSEDED = range(3)

# The places in `counts`. CLEARED: cleared slots of a new hash. INDEXED: nodes added to it. LOWEST:
# no bucket below it holds a node. PRUNED: nodes at the depth limit, which are not expanded. OFFSET:
# the bucket of rank 0.
STORED, CLEARED, INDEXED, LIVE, PEAK_LIVE = range(5)
EXPANDED, GENERATED, DEEPEST, LOWEST, PRUNED, OFFSET = range(5, 11)
COUNTS = 11

EMPTY = -1
"""No node, or no cell."""

CLEAR_SLICE, INDEX_SLICE = 250_000, 50_000
"""Cleared slots and added nodes of a new hash per call, at most about 5 ms. Clearing is slow if the
system has to commit the memory first."""

FREE = 0
"""The tag of a slot that holds no node."""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio: Fibonacci hashing
_HALF = np.uint64(32)


@inlined
def _word(cell: int, cells: int) -> int:
    """Return the word of a state that holds `cell`."""
    return cell >> 4 if cells <= 16 else cell >> 3


@inlined
def _shift(cell: int, cells: int) -> np.uint64:
    """Return the lowest bit of `cell` in its word."""
    return np.uint64((cell & 15) << 2 if cells <= 16 else (cell & 7) << 3)


@inlined
def _mix(word: np.uint64) -> np.uint64:
    """Return a number for `word` whose low bits are well mixed."""
    hashed = word * _GOLDEN
    return hashed ^ (hashed >> _HALF)


@inlined
def _hash(states: Uint64s, row: int) -> np.uint64:
    """Return the hash of the state in `row`."""
    hashed = np.uint64(0)
    for word in range(states.shape[1]):
        hashed = _mix(hashed ^ states[row, word])
    return hashed


@inlined
def _same(states: Uint64s, first: int, second: int) -> bool:
    """Return whether two rows hold the same state."""
    for word in range(states.shape[1]):
        if states[first, word] != states[second, word]:
            return False
    return True


@inlined
def _tag(hashed: np.uint64) -> np.uint8:
    """Return the tag of a slot that holds a state with this hash: its highest bits, and 1."""
    return np.uint8((hashed >> np.uint64(56)) | np.uint64(1))


@inlined
def _find(store: StoreArrays, row: int) -> tuple[np.uint64, int]:
    """Return the slot for the state in `row`, and the node in it that holds the state or EMPTY.

    A free slot gets the state's tag, and the caller adds the node.
    """
    states, slots, tags = store.states, store.slots, store.tags
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


@inlined
def fill_hash(store: StoreArrays) -> bool:
    """Fill a part of a new hash; return whether it holds all nodes."""
    states, nodes, slots, tags, counts = store
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
        while tags[slot] != FREE:  # all states differ: no need to compare
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = node
        tags[slot] = _tag(hashed)
    counts[INDEXED] = end
    return end == counts[STORED]


@inlined
def is_goal(states: Uint64s, node: int, goal: Uint64s) -> bool:
    """Return whether `node` holds the goal."""
    for word in range(goal.shape[0]):
        if states[node, word] != goal[word]:
            return False
    return True


@inlined
def tile_in(states: Uint64s, node: int, cell: int, cells: int) -> int:
    """Return the tile in `cell` of the state of `node`."""
    mask = np.uint64(15 if cells <= 16 else 255)
    return int((states[node, _word(cell, cells)] >> _shift(cell, cells)) & mask)


@inlined
def _make_state(states: Uint64s, node: int, new: int, blank: int, cell: int, cells: int) -> int:
    """Write the state of `node` with the blank moved to `cell` into row `new`; return the tile."""
    for word in range(states.shape[1]):
        states[new, word] = states[node, word]
    tile = tile_in(states, node, cell, cells)
    # The blank is 0, so two XORs move the tile.
    states[new, _word(cell, cells)] ^= np.uint64(tile) << _shift(cell, cells)
    states[new, _word(blank, cells)] ^= np.uint64(tile) << _shift(blank, cells)
    return tile


@inlined
def make_successor(
    store: StoreArrays, node: int, new: int, blank: int, cell: int, cells: int
) -> tuple[int, np.uint64, int]:
    """Write into row `new` the state of `node` with the blank gone to `cell`.

    Return the moved tile, and the result of `_find` for the state. A state of a single word stays
    in a register, which saves a tenth of a search.
    """
    states, slots, tags = store.states, store.slots, store.tags
    if states.shape[1] > 1:
        tile = _make_state(states, node, new, blank, cell, cells)
        slot, known = _find(store, new)
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
