"""Node store of best-first search: arrays for the kernel.

Importing this module loads numpy and the compiled kernel, so import it lazily.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np

from slidewise.puzzle import Board
from slidewise.solver.kernels import best_first as kernel
from slidewise.solver.kernels import store
from slidewise.solver.kernels.jit import Int32s, Uint8s, Uint64s, neighbours
from slidewise.solver.kernels.store import NODE, Nodes
from slidewise.solver.loop import Counts, Outcome, Work
from slidewise.solver.task import InvalidLimitsError, Task, slots, words


def pack(board: Board) -> Uint64s:
    """Return the words of `board`: 4 bits a cell up to 16 cells, otherwise 8, lowest bits first."""
    bits = 4 if len(board.cells) <= 16 else 8
    value = sum(tile << bits * cell for cell, tile in enumerate(board.cells))
    data = value.to_bytes(8 * words(len(board.cells)), "little")
    return np.frombuffer(data, dtype="<u8").astype(np.uint64)


def unpack(state: Uint64s, rows: int, cols: int) -> Board:
    """Return the board of the words `state`, the inverse of `pack`.

    >>> from slidewise import standard_goal
    >>> str(unpack(pack(standard_goal(2, 3)), 2, 3))
    '1.2.3-4.5.0'
    """
    bits = 4 if rows * cols <= 16 else 8
    value = int.from_bytes(state.astype("<u8").tobytes(), "little")
    mask = (1 << bits) - 1
    return Board(rows, cols, tuple(value >> bits * cell & mask for cell in range(rows * cols)))


class NodeArrays(NamedTuple):
    """Arrays for the nodes of a search and their hash table, filled from the front."""

    states: Uint64s
    nodes: Nodes
    slots: Int32s
    tags: Uint8s

    @classmethod
    def new(cls, nodes: int, words: int) -> NodeArrays:
        """Allocate arrays for `nodes` nodes of `words` words.

        The arrays have their full size at once. The system commits memory page by page as they
        fill.
        """
        return cls(
            np.empty((nodes, words), dtype=np.uint64),
            np.empty(nodes, dtype=NODE),
            np.empty(slots(nodes), dtype=np.int32),
            np.empty(slots(nodes), dtype=np.uint8),
        )


class NodeArrayPool:
    """A thread-safe pool of a single set of node arrays, for reuse by the next search.

    Allocating memory takes longer than a short search.
    """

    def __init__(self) -> None:
        self._rooms: deque[NodeArrays] = deque(maxlen=1)  # deque methods are atomic

    @property
    def room(self) -> NodeArrays | None:
        """The pooled arrays, without removing them."""
        return self._rooms[0] if self._rooms else None

    def take(self, nodes: int, words: int) -> NodeArrays:
        """Return arrays for `nodes` nodes of `words` words, from the pool if they fit."""
        try:
            room = self._rooms.pop()
        except IndexError:
            return NodeArrays.new(nodes, words)
        if room.states.shape == (nodes, words):
            return room
        del room  # frees its memory first
        return NodeArrays.new(nodes, words)

    def leave(self, room: NodeArrays) -> None:
        """Put `room` into the pool in place of its content."""
        self._rooms.append(room)

    def clear(self) -> None:
        """Free the pooled arrays."""
        self._rooms.clear()


POOL = NodeArrayPool()
"""The pool of this process."""


FIRST_SLOTS = 2**13
FIRST_BUCKETS = 256

KEPT_BYTES = 2**24
"""Maximum filled bytes of arrays that go back to the pool, as they stay in memory."""

_OUTCOMES = {
    kernel.BUDGET_USED: Outcome.RUNNING,
    kernel.GOAL: Outcome.GOAL,
    kernel.HASH_FULL: Outcome.RUNNING,
    kernel.BUCKETS_FULL: Outcome.RUNNING,
    kernel.FRONTIER_EMPTY: Outcome.EMPTY,
    kernel.NODES_FULL: Outcome.FULL,
}


class NodeStore(Work):
    """The nodes of a search, whose frontier is ranked by g_weight * g + h_weight * h.

    g_weight may be negative if h_weight is 0. With `reopen` a shorter path to a state replaces the
    known path. The arrays are described in `kernels/store.py` and `kernels/best_first.py`.
    """

    def __init__(self, task: Task, g_weight: int, h_weight: int, *, reopen: bool = True) -> None:
        self._puzzle = task.puzzle
        self._limits = task.limits
        self._estimate = task.estimate
        self._groups = self._estimate.arrays
        self._ranking = kernel.Ranking(g_weight, h_weight, self._estimate.highest, reopen)
        if self._estimate.highest > store.HIGHEST_H:
            raise ValueError(f"h can be above {store.HIGHEST_H:,}: {self._estimate.highest:,}")
        self._neighbours = neighbours(task.puzzle.rows, task.puzzle.cols)
        self._goal = pack(task.puzzle.goal)
        self._indices = np.zeros(len(self._estimate.groups), dtype=np.int64)
        self._state = self._estimate.pattern_state(task.puzzle.start)
        self._board = np.zeros(self._estimate.cells, dtype=np.uint32)
        self._allocate()
        self._add_start()

    def advance(self, budget: int) -> Outcome:
        depth = self._limits.max_depth
        code = kernel.search_slice(self._arrays, self._ranking, depth, budget)
        if code == kernel.HASH_FULL:
            # Fourfold, because rehashing takes time.
            self._new_hash(min(4 * len(self._slots), slots(len(self._nodes))))
        if code == kernel.BUCKETS_FULL:
            self._add_buckets(2 * len(self._buckets))
        return _OUTCOMES[code]

    @property
    def _arrays(self) -> kernel.BestFirstArrays:
        return kernel.BestFirstArrays(
            self._store,
            self._buckets,
            self._neighbours,
            self._goal,
            self._groups,
            self._indices,
            self._estimate.pattern_arrays,
            self._state,
            self._board,
        )

    @property
    def _store(self) -> store.StoreArrays:
        return store.StoreArrays(self._states, self._nodes, self._slots, self._tags, self._counts)

    @property
    def expanded(self) -> int:
        return int(self._counts[store.EXPANDED])

    @property
    def pruned(self) -> bool:
        return bool(self._counts[store.PRUNED])

    @property
    def proved(self) -> int:
        """Return a lower bound on the moves of all paths not yet found, by the lowest rank.

        A shortest path leads through a node of the frontier whose g is exact. With an admissible h
        its rank a * g + b * h is at most max(a, b) times the length of the path.
        """
        most = max(self._ranking.g_weight, self._ranking.h_weight)
        return -(-self.lowest_rank // most) if most > 0 else 0

    @property
    def lowest_rank(self) -> int:
        """Return a number that no rank on the frontier is below."""
        return int(self._counts[store.LOWEST] - self._counts[store.OFFSET])

    def lowest_total(self) -> int | None:
        """Return the lowest g + h on the frontier, or None if it is empty. Scans all nodes."""
        stored = self._nodes[: self._counts[store.STORED]]
        waiting = stored[stored["status"] == store.OPEN]
        totals = waiting["g"] + waiting["h"]
        return int(totals.min()) if len(totals) else None

    def close(self) -> None:
        """Leave the arrays to the next search, unless this search has filled much of them."""
        stored = int(self._counts[store.STORED])
        row = self._states.strides[0] + self._nodes.strides[0]
        if stored * row + self._slots.nbytes + self._tags.nbytes <= KEPT_BYTES:
            POOL.leave(self._room)

    @property
    def nbytes(self) -> int:
        """Return the current bytes of the nodes and their hash."""
        arrays = self._states, self._nodes, self._slots, self._tags
        return sum(array.nbytes for array in arrays)

    @property
    def counts(self) -> Counts:
        counts = self._counts.tolist()
        return Counts(
            expanded=counts[store.EXPANDED],
            generated=counts[store.GENERATED],
            frontier=counts[store.LIVE],
            peak_frontier=counts[store.PEAK_LIVE],
            stored=counts[store.STORED],
            peak_stored=counts[store.STORED],
            deepest=counts[store.DEEPEST],
        )

    def path(self) -> list[int]:
        # The kernel stops at the goal before it leaves the bucket.
        node = self._buckets[self._counts[store.LOWEST], kernel.FIRST]
        blanks = []
        while node != store.EMPTY:
            blanks.append(int(self._nodes["blank"][node]))
            node = self._nodes["parent"][node]
        return blanks[::-1]

    def _allocate(self) -> None:
        """Allocate the arrays."""
        room, cells = self._limits.stored_nodes, len(self._neighbours)
        try:
            self._room = POOL.take(room, words(cells))
        except MemoryError:
            raise InvalidLimitsError(
                f"there is not enough memory for {room:,} stored nodes, which take "
                f"{self._limits.memory(cells) / 1e9:.1f} GB; give a lower stored_nodes"
            ) from None
        self._states, self._nodes = self._room.states, self._room.nodes
        self._buckets = np.full((FIRST_BUCKETS, 2), store.EMPTY, dtype=np.int32)
        self._counts = np.zeros(store.COUNTS, dtype=np.int64)
        self._new_hash(min(FIRST_SLOTS, slots(room)))

    def _add_start(self) -> None:
        start = self._puzzle.start
        h = self._estimate.value(start)
        rank = self._ranking.h_weight * h
        if rank >= FIRST_BUCKETS:
            self._add_buckets(2 * rank)
        self._states[0] = pack(start)
        parent = following = store.EMPTY
        self._nodes[0] = parent, following, 0, h, start.blank, store.OPEN
        self._buckets[rank] = 0
        self._counts[[store.STORED, store.LIVE, store.PEAK_LIVE, store.GENERATED]] = 1
        self._counts[store.LOWEST] = rank

    def _new_hash(self, size: int) -> None:
        """Allocate a hash table of `size` slots, which the kernel fills slice by slice."""
        self._slots = self._room.slots[:size]
        self._tags = self._room.tags[:size]
        # Spread over slices, clearing a large table does not delay a report or a stop.
        self._counts[[store.CLEARED, store.INDEXED]] = 0

    def _add_buckets(self, ranks: int) -> None:
        """Make room for `ranks` ranks, at the end, or at the front if g lowers the rank."""
        more = np.full((ranks - len(self._buckets), 2), store.EMPTY, dtype=np.int32)
        if self._ranking.g_weight >= 0:
            self._buckets = np.concatenate([self._buckets, more])
        else:
            self._buckets = np.concatenate([more, self._buckets])
            # The new buckets stand before the old, so all bucket numbers shift.
            self._counts[[store.LOWEST, store.OFFSET]] += len(more)
