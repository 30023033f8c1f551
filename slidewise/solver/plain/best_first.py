"""Best-first search in plain Python, under Slidewise's rules or a convention's.

The search comes first, then the rules of conventions and the priority queues of programs.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Container, Generator, Iterator
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from math import inf
from typing import Any, NamedTuple, Protocol

from slidewise.puzzle import Puzzle
from slidewise.solver.convention import (
    SLIDEWISE,
    Against,
    Convention,
    CountRule,
    Duplicates,
    GoalTest,
    Queue,
    Ties,
)
from slidewise.solver.events import Expanded, Fate
from slidewise.solver.loop import Outcome
from slidewise.solver.plain.search import SWAP, PlainEstimate, PlainSearch, Watcher, Ways
from slidewise.solver.task import Rank, Task

NO_NODE = -1
"""The parent of the start, and the number of a dropped successor."""

NodeKey = Callable[["BestFirst", int], Any]
"""Key of a node in the queue."""


class NodeQueue(Protocol):
    """A priority queue of nodes, the lowest key first."""

    def __len__(self) -> int:
        """Return the number of entries."""

    def push(self, key: Any, node: int) -> None:
        """Add a node."""

    def pop(self) -> int:
        """Remove and return a node with the lowest key."""


class Buckets:
    """A queue with a bucket for each key, first in, first out."""

    def __init__(self) -> None:
        self._buckets: dict[int, deque[int]] = {}
        self._keys: list[int] = []  # a heap of the keys of the buckets
        self._size = 0

    def __len__(self) -> int:
        """Return the number of entries."""
        return self._size

    def push(self, key: int, node: int) -> None:
        """Add a node to the end of its bucket."""
        self._size += 1
        if key in self._buckets:
            self._buckets[key].append(node)
        else:
            self._buckets[key] = deque((node,))
            heappush(self._keys, key)

    def pop(self) -> int:
        """Remove and return the first node of the lowest bucket."""
        self._size -= 1
        # Empty buckets are removed only here, because a key may soon be pushed again.
        while not (bucket := self._buckets[self._keys[0]]):
            del self._buckets[heappop(self._keys)]
        return bucket.popleft()


@dataclass(frozen=True)
class FrontierRules:
    """Rules of a best-first search, by default Slidewise's.

    `Duplicates` describes `against`, `decreases_key`, `reopens` and `passes_over`. `not_again` is
    the fate of a shorter path that is dropped. With `tests_made` the goal test happens at
    generation, and with `depth_of_made` generated nodes count for the greatest depth. The `queue`
    orders the nodes by `key`, by default f.
    """

    against: Against = Against.MADE
    decreases_key: bool = True
    reopens: bool = True
    passes_over: bool = True
    not_again: Fate = Fate.NOT_AGAIN
    tests_made: bool = False
    depth_of_made: bool = False
    queue: Callable[[], NodeQueue] = Buckets
    key: NodeKey | None = None


OWN = FrontierRules()
FIRST_PATH_ONLY = FrontierRules(decreases_key=False, reopens=False, not_again=Fate.REACHED)
"""Rules of Slidewise for a search that drops every later path to a board."""


class Generated(NamedTuple):
    """A successor: its board, g, h, fate, and its node unless it was dropped."""

    cells: bytes
    g: int
    h: int
    fate: Fate
    node: int = NO_NODE


class BestFirst(PlainSearch):
    """A search with the frontier ranked by f = g_weight * g + h_weight * h.

    Nodes are numbers: node n has the board `cells[n]`, its `parent[n]`, `g[n]` and `h[n]`. Nodes at
    `depth` are not expanded, and at most `room` nodes are stored. `next` is the first node of the
    frontier, at the end the goal. `sound` is true if its f is a lower bound on undiscovered paths.
    `closed`, `cut_off` and `superseded` are the nodes expanded, taken at the depth limit, and
    replaced by a shorter path.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        ways: Ways,
        estimate: PlainEstimate,
        rank: Rank,
        *,
        rules: FrontierRules = OWN,
        sound: bool = True,
        depth: float = inf,
        room: float = inf,
        watcher: Watcher | None = None,
    ) -> None:
        super().__init__(puzzle, watcher)
        self.rank, self.rules = rank, rules
        self._estimate, self._moves = estimate, estimate.moves(ways)
        self._sound, self._depth, self._room = sound, depth, room
        self.cells, self.parent, self.g = [self.start], [NO_NODE], [0]
        self.h = [estimate.value(self.start)]
        self.reached: dict[bytes, int] = {}
        self.closed: Container[int] = ()
        self.cut_off: set[int] = set()
        self.superseded: set[int] = set()
        self.queue = rules.queue()
        self.next = 0
        self._trail = _Trail(self.cells, self.parent)
        self._push(0)

    def f(self, node: int) -> int:
        """Return the rank of a node."""
        return self.rank.g_weight * self.g[node] + self.rank.h_weight * self.h[node]

    @property
    def proved(self) -> int:
        """Lower bound in moves for every undiscovered path, by the lowest f.

        A shortest path leads through a node of the frontier whose g is exact. With an admissible h
        its rank is at most the higher weight times the length of the path.
        """
        most = max(self.rank)
        return -(-self.f(self.next) // most) if self._sound and most > 0 else 0

    @property
    def peak_stored(self) -> int:
        """Peak number of stored nodes, as no node is ever dropped."""
        return len(self.cells)

    @property
    def stored(self) -> int:
        """Number of stored nodes."""
        return len(self.cells)

    def lowest_total(self) -> int | None:
        """Return the lowest g + h on the frontier, or None if it is empty."""
        return min((self.g[node] + self.h[node] for node in self.waiting()), default=None)

    def waiting(self) -> Iterator[int]:
        """Return the nodes that were not taken, without nodes replaced by a shorter path."""
        left = (self.closed, self.cut_off, self.superseded)
        return (node for node in range(len(self.cells)) if not any(node in nodes for nodes in left))

    def path(self) -> list[bytes]:
        """Return the boards from the start to the goal, after `Outcome.GOAL`."""
        return self.path_to(self.next)

    def path_to(self, node: int) -> list[bytes]:
        """Return the boards from the start to a node."""
        boards = []
        while node != NO_NODE:
            boards.append(self.cells[node])
            node = self.parent[node]
        return boards[::-1]

    def _push(self, node: int) -> None:
        """Add a node to the frontier."""
        if self.rules.against is Against.MADE:
            self.reached[self.cells[node]] = node
        key = self.rules.key
        self.queue.push(key(self, node) if key else self.f(node), node)

    def _expansions(self) -> Generator[Outcome]:
        rules, is_watched = self.rules, self.watcher and self.expanded < self.watched
        is_own = rules.against is Against.MADE and rules.key is None and not rules.tests_made
        by_depth = self.rank == (1, 0) and self._depth == inf
        is_breadth_first = is_own and by_depth and not (is_watched or self.visit)
        yield from self._breadth_first() if is_breadth_first else self._ranked()

    def _breadth_first(self) -> Generator[Outcome]:
        """Search by depth, in less than half the time of `_ranked`.

        Nodes leave the frontier in the order of their numbers, so they are their own queue. No
        later path to a board is shorter.
        """
        cells, parent, gs, reached = self.cells, self.parent, self.g, self.reached
        # By blank and the cell it came from: the cells it moves to, each with its own entry.
        turns: dict[tuple[int, int], list[tuple[int, Any]]] = {}
        for blank, moves in enumerate(self._moves):
            for last in (NO_NODE, *(move.cell for move in moves)):
                turns[blank, last] = []
        for (blank, last), turn in turns.items():
            nexts = (move.cell for move in self._moves[blank] if move.cell != last)
            turn += [(cell, turns[cell, blank]) for cell in nexts]
        turn_of = [turns[self.start.index(0), NO_NODE]]
        while self.expanded < len(cells):
            node = self.next = self.expanded
            if cells[node] == self.goal:
                self.deepest = gs[node]
                yield Outcome.GOAL
            if self.expanded >= self._target:
                yield Outcome.RUNNING
            if len(cells) + 4 > self._room:
                yield Outcome.FULL

            # Expand nodes of one depth that need none of these tests, at least the first.
            g, number = gs[node], len(cells)
            end = min(bisect_right(gs, g), self._target, node + (self._room - number) // 4)
            if node < reached.get(self.goal, NO_NODE) < end:
                end = reached[self.goal]
            batch = range(node, max(node + 1, int(end)))
            made, peak = len(batch) - (node == 0), self.peak_frontier + 1
            boards = zip(batch, cells[node : batch.stop], turn_of[node : batch.stop], strict=True)
            for node, board, turn in boards:
                made += len(turn)
                for cell, after in turn:
                    new = board.translate(SWAP[board[cell]])
                    if new not in reached:
                        reached[new] = number
                        number += 1
                        cells.append(new)
                        parent.append(node)
                        turn_of.append(after)
                if number - node > peak:
                    peak = number - node
            gs += [g + 1] * (number - len(gs))
            self.h += [0] * (number - len(self.h))
            self.generated += made
            self.peak_frontier = peak - 1
            self.next, self.deepest, self.expanded = node, g, batch.stop
            self.closed = range(self.expanded)
            self.frontier = number - self.expanded

    def _ranked(self) -> Generator[Outcome]:
        """Search by f, under any rules."""
        cells, parent, gs, hs = self.cells, self.parent, self.g, self.h
        reached, superseded = self.reached, self.superseded
        closed = self.closed = set[int]()
        cut_off, visit = self.cut_off, self.visit
        g_weight, h_weight = self.rank
        moves, goal, rules, queue = self._moves, self.goal, self.rules, self.queue
        own = rules.against is Against.MADE and rules.key is None
        kept, shorter, was_reached, went_back = (
            Fate.KEPT, Fate.SHORTER, Fate.REACHED, Fate.WENT_BACK,
        )  # fmt: skip
        while queue:
            # Take the first node.
            node = self.next = queue.pop()
            # A queue cannot remove an entry in its middle, so obsolete nodes are skipped here.
            if node in superseded:
                continue
            if not own and self.is_passed_over(node):
                self.frontier -= 1
                if self.watcher:
                    self.watcher.cut_off(self, node)
                continue
            board, g = cells[node], gs[node]
            if board == goal:
                self.deepest = max(self.deepest, g)
                yield Outcome.GOAL
            if self.expanded >= self._target:
                yield Outcome.RUNNING
            watcher = self.watcher if self.expanded < self.watched else None
            if g >= self._depth:
                self.pruned = True
                self._target -= 1  # so that slices stay short
                self.frontier -= 1
                cut_off.add(node)
                if watcher:
                    watcher.cut_off(self, node)
                continue
            if len(cells) + 4 > self._room:
                # Checked before the expansion, so that the search can continue in another form.
                yield Outcome.FULL

            # Expand it.
            self.frontier -= 1
            closed.add(node)
            self.expanded += 1
            if visit:
                visit(board, g, hs[node], self.f(node))
            if g > self.deepest:
                self.deepest = g
            if not own:
                self._note_expansion(node)
            h, before = hs[node], cells[parent[node]] if node else None
            generated: list[Generated] = []
            first = len(cells)
            g += 1
            for cell, delta, h_after in moves[board.index(0)]:
                self.generated += 1
                new = board.translate(SWAP[board[cell]])

                # Compare the successor with the boards reached before.
                if not own:
                    new, g, fate = self._compare(node, new)
                elif new == before:
                    fate = went_back
                elif new not in reached:
                    fate = kept
                elif g >= gs[reached[new]]:
                    fate = was_reached
                elif rules.reopens if reached[new] in closed else rules.decreases_key:
                    fate = shorter
                else:
                    fate = rules.not_again
                if fate is not kept and fate is not shorter:
                    if watcher:
                        generated.append(Generated(new, g, self._estimate.value(new), fate))
                    continue
                if fate is shorter and rules.passes_over:
                    # The older node only leaves the frontier if it was still on it.
                    self.frontier -= reached[new] not in closed and reached[new] not in cut_off
                    superseded.add(reached[new])

                # Add it to the frontier.
                number = len(cells)
                cells.append(new)
                parent.append(node)
                gs.append(g)
                new_h = h_after(h, board, new) if h_after else h + delta[board[cell]]
                hs.append(new_h)
                self.frontier += 1
                if own:
                    reached[new] = number
                    queue.push(g_weight * g + h_weight * new_h, number)
                else:
                    self._push(number)
                if watcher:
                    generated.append(Generated(new, g, new_h, fate, number))
                if rules.tests_made and new == goal:
                    self.next = number
                    break
            if self.frontier > self.peak_frontier:
                self.peak_frontier = self.frontier
            if rules.depth_of_made and len(cells) > first:
                self.deepest = max(self.deepest, g)
            if watcher:
                watcher.expand(self, self._expansion(node, generated))
            if self.next != node:
                self.deepest = max(self.deepest, g)
                yield Outcome.GOAL

    def _expansion(self, node: int, generated: list[Generated]) -> Expanded:
        """Return the event of an expansion."""
        successors = tuple(
            self._successor(
                one.cells,
                one.node if one.fate.is_kept else None,
                one.g,
                one.h,
                self.rank.g_weight * one.g + self.rank.h_weight * one.h,
                one.fate,
            )
            for one in generated
        )
        return Expanded(
            order=self.expanded,
            node=node,
            parent=self.parent[node] if node else None,
            board=self._board(self.cells[node]),
            g=self.g[node],
            h=self.h[node],
            f=self.f(node),
            successors=successors,
        )

    # Conventions

    def is_passed_over(self, node: int) -> bool:
        """Return whether a node's board was expanded since the node was added."""
        rules = self.rules
        if not rules.passes_over or rules.against is not Against.EXPANDED:
            return False
        known = self.reached.get(self.cells[node])
        return known is not None and not (rules.reopens and self.g[node] < self.g[known])

    def _note_expansion(self, node: int) -> None:
        """Prepare the tests of a node's successors."""
        if self.rules.against is Against.EXPANDED:
            self.reached[self.cells[node]] = node
        elif self.rules.against is Against.PATH:
            self._trail.follow(node)

    def _compare(self, node: int, new: bytes) -> tuple[bytes, int, Fate]:
        """Return a successor's board, g and fate."""
        g = self.g[node] + 1
        return new, g, self._fate(node, new, g)

    def _fate(self, node: int, new: bytes, g: int) -> Fate:
        """Return the fate of a successor."""
        rules, above = self.rules, self.parent[node]
        if rules.against is Against.NOTHING:
            return Fate.KEPT
        if above != NO_NODE and self.cells[above] == new:
            return Fate.WENT_BACK
        if rules.against is Against.PATH:
            return Fate.ON_PATH if new in self._trail.boards else Fate.KEPT
        known = self.reached.get(new)
        if known is None:
            return Fate.KEPT
        if g >= self.g[known]:
            return Fate.REACHED
        if rules.reopens if known in self.closed else rules.decreases_key:
            return Fate.SHORTER
        return rules.not_again


class _Trail:
    """Boards on the path to a node, updated from node to node.

    Depth-first search has paths of tens of thousands of boards, and mostly adds a single board.
    """

    def __init__(self, cells: list[bytes], parent: list[int]) -> None:
        self.boards: set[bytes] = set()
        self._cells, self._parent = cells, parent
        self._places: dict[int, int] = {}
        self._nodes: list[int] = []

    def follow(self, node: int) -> None:
        """Go to another node."""
        cells, parent, added = self._cells, self._parent, []
        while node != NO_NODE and node not in self._places:
            added.append(node)
            node = parent[node]
        # `node` is the last node that both paths share.
        common = self._places[node] + 1 if node != NO_NODE else 0
        for left in self._nodes[common:]:
            self.boards.discard(cells[left])
            del self._places[left]
        del self._nodes[common:]
        for one in reversed(added):
            self._places[one] = len(self._nodes)
            self._nodes.append(one)
            self.boards.add(cells[one])


# The rules of conventions


def rules_of(convention: Convention, algorithm: str, *, reopen: bool = True) -> FrontierRules:
    """Return the rules of a convention for an algorithm.

    Slidewise's own rules are the rules of the compiled search, with or without `reopen`.
    """
    if convention.is_own:
        return OWN if reopen else FIRST_PATH_ONLY
    return written_rules(convention, algorithm)


def written_rules(convention: Convention, algorithm: str) -> FrontierRules:
    """Return the rules of a convention, also of Slidewise's own, with a queue and keys."""
    duplicates = convention.duplicates
    return FrontierRules(
        against=duplicates.against,
        decreases_key=duplicates.decreases_key,
        reopens=duplicates.reopens,
        passes_over=duplicates.passes_over,
        tests_made=convention.goal_test is GoalTest.MADE,
        depth_of_made=convention.deepest is CountRule.MADE,
        queue=_queue(algorithm, convention),
        key=_key(algorithm, convention),
    )


def reopening(task: Task) -> Task:
    """Return a task of depth-first search with the rule for duplicates that its depth limit needs.

    Slidewise's convention drops every later path to a board. Under a depth limit the goal may be
    within reach by the shorter path only.
    """
    convention = task.convention
    if task.limits.depth is None or task.algorithm.key != "dfs":
        return task
    if convention.named_after != SLIDEWISE.key or convention.duplicates is not Duplicates.MADE:
        return task
    return replace(task, convention=replace(convention, duplicates=Duplicates.SHORTER))


def _queue(algorithm: str, convention: Convention) -> Callable[[], NodeQueue]:
    is_priority_queue = algorithm not in ("bfs", "dfs")
    return BinaryHeap if is_priority_queue and convention.queue is Queue.BINARY_HEAP else Heapq


def _key(algorithm: str, convention: Convention) -> NodeKey:
    """Return the key of the nodes in the queue.

    Breadth-first search uses a FIFO queue. Depth-first search uses a stack that returns the first
    or the last sibling first.
    """
    if algorithm == "bfs":
        return lambda search, node: node
    if algorithm == "dfs":
        sign = 1 if convention.siblings is Ties.FIRST_IN else -1
        return lambda search, node: (search.f(node), sign * node)
    tie = _TIES.get(convention.ties, _no_tie)
    if convention.queue is Queue.BOARDS:
        # Python compares tuples to the end, so equal boards need the node's number.
        return lambda search, node: (search.f(node), tie(search, node), search.cells[node], node)
    if convention.queue in (Queue.COUNTER, Queue.LIST):
        sign = -1 if convention.ties is Ties.LAST_IN else 1
        return lambda search, node: (search.f(node), tie(search, node), sign * node)
    return lambda search, node: (search.f(node), tie(search, node))


def _no_tie(search: BestFirst, node: int) -> int:
    return 0


_TIES: dict[Ties, NodeKey] = {
    Ties.HIGHER_G: lambda search, node: -search.g[node],
    Ties.LOWER_G: lambda search, node: search.g[node],
    Ties.LOWER_H: lambda search, node: search.h[node],
}
"""Tie-breakers of equal f."""


# Priority queues of programs: the lowest key first, each with its own order of equal keys


class _Entry:
    """A heap entry that compares by its key only."""

    __slots__ = ("key", "node")

    def __init__(self, key: Any, node: int) -> None:
        self.key = key
        self.node = node

    def __lt__(self, other: _Entry) -> bool:
        return bool(self.key < other.key)


class Heapq:
    """Python's heapq, which moves the root's hole down to a leaf before filling it."""

    def __init__(self) -> None:
        self._entries: list[_Entry] = []

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._entries)

    def push(self, key: Any, node: int) -> None:
        """Add a node."""
        heappush(self._entries, _Entry(key, node))

    def pop(self) -> int:
        """Remove and return the root node."""
        return heappop(self._entries).node


class BinaryHeap:
    """The textbook binary heap, as in Sedgewick's MinPQ and Java's PriorityQueue.

    The last entry replaces the root and sinks. Between equal children it swaps with the left child.

    Source: R. Sedgewick and K. Wayne, Algorithms, 4th edition, 2011, section 2.4.
    """

    def __init__(self) -> None:
        self._entries: list[tuple[Any, int]] = []

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._entries)

    def push(self, key: Any, node: int) -> None:
        """Append a node and let it swim up."""
        entries, at = self._entries, len(self._entries)
        entries.append((key, node))
        while at and entries[(at - 1) // 2][0] > key:
            entries[at] = entries[(at - 1) // 2]
            at = (at - 1) // 2
        entries[at] = key, node

    def pop(self) -> int:
        """Remove and return the root node, and let the last entry sink from there."""
        entries = self._entries
        taken, last = entries[0], entries.pop()
        if entries:
            self._sink(last)
        return taken[1]

    def _sink(self, entry: tuple[Any, int]) -> None:
        entries, at = self._entries, 0
        while (child := 2 * at + 1) < len(entries):
            if child + 1 < len(entries) and entries[child][0] > entries[child + 1][0]:
                child += 1
            if not entry[0] > entries[child][0]:
                break
            entries[at] = entries[child]
            at = child
        entries[at] = entry
