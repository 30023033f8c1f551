"""The compiled loop of breadth-first search from both ends, over a shared store of nodes.

Both ends share the store and hash of `kernels/store.py`, so a single look-up finds a state and its
end. The field `next` of `nodes`, unused by layers, holds that end, and `g` counts from it. A layer
is expanded completely before another layer. So its nodes are contiguous, and it is stored as a
range without a queue. The smaller of the two layers is expanded next, as it has fewer successors.

Members of `TwoEndsArrays` next to the store and the `neighbours` of `kernels/best_first.py`:

`layers` (2, 3) int64
    a row for each end, the start's first: the columns are named below.
`turn` (4,) int64
    the current layer and the meeting point. The indices are named below.

The first meeting is a shortest path. Let the start's layers be complete up to depth s and the
goal's up to depth t, with no common state. Then every path has more than s + t moves. Otherwise the
state after s moves would be common. A state of layer s + 1 reached by the goal has depth at most t
there. So its path has at most s + 1 + t moves, and none is shorter. The same holds for the other
end.
"""

from typing import NamedTuple

from numba import int32, int64

from slidewise.solver.kernels.jit import Int32s, Int64s, entry_point, inlined, tuple_type
from slidewise.solver.kernels.store import (
    DEEPEST,
    EMPTY,
    EXPANDED,
    GENERATED,
    INDEXED,
    LIVE,
    OPEN,
    PEAK_LIVE,
    STORE,
    STORED,
    StoreArrays,
    fill_hash,
    make_successor,
)


class TwoEndsArrays(NamedTuple):
    """The nodes reached from both ends, and the layers that they stand in."""

    store: StoreArrays
    layers: Int64s
    turn: Int64s
    neighbours: Int32s


ARRAYS = tuple_type(
    TwoEndsArrays, store=STORE, layers=int64[:, ::1], turn=int64[::1], neighbours=int32[:, ::1]
)

# The columns of `layers`: the next node to expand, the node after the layer's last, and the depth.
NEXT_NODE, LAYER_END, DEPTH = range(3)

# Indices of `turn`: the end of the current layer, or EMPTY; the first node of the next layer; the
# expanded node at the meeting and the other end's node.
WHOSE, NEXT_LAYER, MET_FROM, MET_AT = range(4)

# Result codes of a slice. LAYER_DONE: a layer was completed, and the ends have not met.
# NO_NODES_LEFT: an end is exhausted.
MEETING, BUDGET_USED, NODES_FULL, HASH_FULL, LAYER_DONE, NO_NODES_LEFT = range(6)


@inlined
def _begin_layer(counts: Int64s, layers: Int64s, turn: Int64s) -> None:
    """Choose the end with the smaller layer, the start if they are equal."""
    of_start = layers[0, LAYER_END] - layers[0, NEXT_NODE]
    of_goal = layers[1, LAYER_END] - layers[1, NEXT_NODE]
    turn[WHOSE] = 1 if of_goal < of_start else 0
    turn[NEXT_LAYER] = counts[STORED]


@inlined
def _end_layer(counts: Int64s, layers: Int64s, turn: Int64s) -> int:
    """Replace the finished layer by the new layer; return the result code."""
    end = turn[WHOSE]
    layers[end, NEXT_NODE] = turn[NEXT_LAYER]
    layers[end, LAYER_END] = counts[STORED]
    layers[end, DEPTH] += 1
    turn[WHOSE] = EMPTY
    return NO_NODES_LEFT if counts[STORED] == turn[NEXT_LAYER] else LAYER_DONE


@inlined
def _expand(arrays: TwoEndsArrays, node: int) -> None:
    """Generate the successors of `node`, the blank up, down, left, right, until the ends meet."""
    store, turn, neighbours = arrays.store, arrays.turn, arrays.neighbours
    nodes, counts = store.nodes, store.counts
    cells = neighbours.shape[0]
    blank = int(nodes[node].blank)
    parent = nodes[node].parent
    came_from = EMPTY if parent == EMPTY else int(nodes[parent].blank)
    for direction in range(4):
        cell = neighbours[blank, direction]
        if cell == EMPTY:
            continue
        counts[GENERATED] += 1
        if cell == came_from:
            continue

        # The state is written to its final place if it is new.
        new = counts[STORED]
        _, slot, known = make_successor(store, node, new, blank, cell, cells)
        if known != EMPTY:
            if nodes[known].next != nodes[node].next:
                turn[MET_FROM] = node
                turn[MET_AT] = known
                return
            continue
        store.slots[slot] = new
        nodes[new].parent = node
        nodes[new].next = nodes[node].next
        nodes[new].g = nodes[node].g + 1
        nodes[new].h = 0
        nodes[new].blank = cell
        nodes[new].status = OPEN
        counts[STORED] += 1
        counts[LIVE] += 1


@entry_point(int64(ARRAYS, int64))
def search_slice(arrays: TwoEndsArrays, budget: int) -> int:
    """Expand up to `budget` nodes of the current layer; return the result code."""
    store, layers, turn = arrays.store, arrays.layers, arrays.turn
    nodes, counts = store.nodes, store.counts
    if not fill_hash(store):
        return BUDGET_USED
    if turn[WHOSE] == EMPTY:
        _begin_layer(counts, layers, turn)
    end = turn[WHOSE]
    result = BUDGET_USED
    while True:
        node = layers[end, NEXT_NODE]
        if node == layers[end, LAYER_END]:
            result = _end_layer(counts, layers, turn)
            break
        if budget == 0:
            break

        # Space for four successors is checked before the node changes.
        if counts[STORED] + 4 > store.states.shape[0]:
            result = NODES_FULL
            break
        if 4 * (counts[STORED] + 4) > 3 * store.slots.shape[0]:
            result = HASH_FULL
            break
        budget -= 1
        layers[end, NEXT_NODE] += 1
        counts[LIVE] -= 1
        _expand(arrays, node)
        counts[EXPANDED] += 1
        counts[DEEPEST] = max(counts[DEEPEST], nodes[node].g)
        counts[PEAK_LIVE] = max(counts[PEAK_LIVE], counts[LIVE])
        if turn[MET_AT] != EMPTY:
            # The goal's depth is the length of the whole path, through both ends.
            counts[DEEPEST] = nodes[node].g + 1 + nodes[turn[MET_AT]].g
            result = MEETING
            break
    counts[INDEXED] = counts[STORED]
    return result


READY = True  # all of the above is compiled
