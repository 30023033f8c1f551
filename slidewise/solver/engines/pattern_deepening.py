"""Parallel IDA* with pattern databases for boards of 11 to 25 cells.

After a long iteration the next is split into branches. These are the boards at some level, in the
order of a single-core search. Each core takes the next free branch. The result is the first goal in
that order, and the counts include the branches up to it. So a run repeats exactly on any number of
cores.

- The nodes above the branches are expanded and counted once, when the iteration is split.
- `stored` counts the branches and the largest path of any branch with its open successors.
  `frontier` is the open part of these.

Redundant walks of the blank are pruned (`solver/engines/walks.py`). Of two first moves that mirror
each other, the second is pruned.

Importing this module loads numpy and the compiled functions, so import it lazily.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from slidewise.puzzle import Board
from slidewise.solver.engines.walks import CELL, NOWHERE, SIDES, walk_rows
from slidewise.solver.events import F_LIMIT, Iteration, Progress
from slidewise.solver.kernels import pattern_search as kernel
from slidewise.solver.kernels.jit import Int64s, Uint8s, Uint32s, Uint64s
from slidewise.solver.kernels.pattern_arrays import CELLS, VALUE, PatternArrays
from slidewise.solver.loop import Outcome
from slidewise.solver.result import Cost, Subtrees
from slidewise.solver.task import Task

if TYPE_CHECKING:
    from slidewise.solver.tables.patterns.database import PatternDatabase


VIEWS = 2
"""Views of the kernel. A single view is used twice."""


@functools.lru_cache(maxsize=4)
def tile_rows(database: PatternDatabase, cols: int) -> Uint64s:
    """Return `SearchArrays.tiles`, for boards that have `cols` columns."""
    patterns = database.arrays
    rows = np.zeros((patterns.groups.shape[1], kernel.TILE_COLUMNS), dtype=np.int64)
    cells = np.arange(patterns.cell_maps.shape[1]).reshape(-1, cols)
    for number, view in enumerate(_views(patterns)):
        groups = patterns.groups[view].astype(np.int64)
        for side, (down, right) in enumerate(SIDES):
            blank, cell = _edge(patterns.cell_maps[view][cells], down, right)
            rows[:, len(SIDES) * number + side] = (blank - cell) * patterns.weights[
                view
            ] << kernel.VALUE_BITS
        rows[:, kernel.GROUP + number] = kernel.ENTRIES + groups
        rows[:, kernel.SIZE + number] = patterns.sizes[groups] * patterns.dense[groups]
        rows[:, kernel.OFFSET + number] = patterns.offsets[groups]
    rows[0] = 0
    return rows.view(np.uint64)


def first_row(database: PatternDatabase, board: Board, row: int) -> Uint64s:
    """Return the path row of `board` with the automaton in `row`."""
    patterns, state = database.arrays, database.state(board)
    blocks = -(-len(state) // kernel.ENTRIES_BLOCK)
    first = np.zeros(kernel.ENTRIES + blocks * kernel.ENTRIES_BLOCK, dtype=np.uint64)
    first[kernel.BLANK], first[kernel.ROW] = board.blank, row
    values = state[:, VALUE].reshape(len(patterns.cell_maps), -1).sum(axis=1)
    first[[kernel.FIRST, kernel.SECOND]] = values[_views(patterns)]
    places = state[:, CELLS] + np.where(patterns.dense, 0, patterns.offsets)
    first[kernel.ENTRIES : kernel.ENTRIES + len(state)] = (
        places << kernel.VALUE_BITS | state[:, VALUE]
    )
    return first


def _views(patterns: PatternArrays) -> list[int]:
    """Return the indices of the kernel's first and second view."""
    return [0, len(patterns.cell_maps) - 1]


def _edge(cells: np.ndarray, down: int, right: int) -> tuple[int, int]:
    """Return the table cells of two neighbours, the second at the offset (`down`, `right`).

    Table cells are the rotated or reflected board cells, so all these neighbours differ by the same
    amount. Both are 0 if no cell has a neighbour on that side.
    """
    last, right_most = cells.shape[0] - 1, cells.shape[1] - 1
    row, col = (last if down < 0 else 0), (right_most if right < 0 else 0)
    if not (0 <= row + down <= last and 0 <= col + right <= right_most):
        return 0, 0
    return int(cells[row, col]), int(cells[row + down, col + right])


LONG_ITERATION_EXPANSIONS = 200_000
"""Expansions of a long iteration, some 0.05 s, after which the next iteration is split."""

EXPANSIONS_A_BRANCH, MAX_BRANCHES = 10_000, 4_000
"""Expansions of the iteration before per branch, some milliseconds, and the maximum of branches.
Far more branches than cores balance their unequal sizes."""

PORTIONS = 32
"""Parts of a slice's budget, which the threads take in turn. With equal shares a thread that wakes
up late would keep the others waiting."""

NO_LEVEL = 2**31
"""A level beyond every path."""

_BEGINNING = np.zeros((1, kernel.COUNTS), dtype=np.int64)
_BEGINNING[0, [kernel.TAKEN, kernel.STORED, kernel.PEAK_STORED, kernel.PEAK_FRONTIER]] = 1
_BEGINNING[0, kernel.FOLLOWING] = kernel.INFINITE


class Root(NamedTuple):
    """Root of a subtree search, the kernel's initial state.

    `blanks` are the blank's cells from the start of the search to `board`. `row` is the first row
    of the path.
    """

    blanks: tuple[int, ...]
    row: Uint64s
    board: Uint64s

    @property
    def g(self) -> int:
        """Moves from the start of the search to the board."""
        return len(self.blanks) - 1


class SearchTables(NamedTuple):
    """Data shared by all branches: pattern tables, tile moves and the automaton."""

    values: Uint8s
    tiles: Uint64s
    walks: Uint32s


class Branch:
    """Depth-first search below a board under a limit on f. It updates `counts` in place."""

    def __init__(self, root: Root, rules: SearchTables, limit: int, counts: Int64s) -> None:
        self.root, self.counts = root, counts
        self._limit = limit - root.g  # limit on f relative to the board
        path = np.zeros((self._limit + 2, len(root.row)), dtype=np.uint64)
        path[0] = root.row
        self.arrays = kernel.SearchArrays(*rules, path, root.board.copy(), counts)

    def advance(self, budget: int, room: int, level: int = NO_LEVEL) -> int:
        """Expand up to `budget` nodes; return the kernel's code."""
        return int(kernel.search_slice(self.arrays, self._limit, level, room, budget))

    def blanks(self) -> tuple[int, ...]:
        """Return the cells of the blank from the start of the search to the end of the path."""
        level = int(self.counts[kernel.LEVEL])
        below = self.arrays.path[1 : level + 1, kernel.BLANK].tolist()
        return (*self.root.blanks, *below)

    def to_goal(self) -> list[int]:
        """Return the cells of the blank from the start of the search to the found goal."""
        row = self.arrays.path[int(self.counts[kernel.LEVEL])]
        goal = int(row[int(row[kernel.KEPT]) - 1]) & CELL
        return [*self.blanks(), goal]

    def at_end(self) -> Root:
        """Return the board at the end of the path as the root of another branch."""
        arrays, level = self.arrays, int(self.counts[kernel.LEVEL])
        return Root(self.blanks(), arrays.path[level].copy(), arrays.board.copy())


def search_tables(start: Board, database: PatternDatabase) -> tuple[SearchTables, int]:
    """Return the tables of searches from `start`, and the initial row of the automaton."""
    walks = walk_rows(start.rows, start.cols)
    walks, row = _without_reflections(walks, start, database.reflected)
    return SearchTables(database.arrays.values, tile_rows(database, start.cols), walks), row


def successors(node: Root, rules: SearchTables, limit: int) -> Iterator[Root]:
    """Yield the successors of a node within a limit on f, in the order of the search."""
    above = Branch(node, rules, limit, new_counts(1)[0])
    while above.advance(1, kernel.INFINITE, level=1) == kernel.AT_LEVEL:
        yield above.at_end()


class PatternDeepening:
    """Iterative deepening on f with the heuristic of `task`, long iterations in branches.

    `Limits.cores` threads share it.
    """

    def __init__(self, task: Task) -> None:
        start, database = task.puzzle.start, task.estimate.patterns
        if database is None:
            raise TypeError(f"{task.heuristic} has no pattern database")
        self._cores, self._room = task.limits.cores, task.limits.stored_nodes
        self._partition = database.partition
        self._rules, row = search_tables(start, database)
        board = np.array(start.cells, dtype=np.uint64)
        self.root = Root((start.blank,), first_row(database, start, row), board)
        self.limit = int(self.root.row[[kernel.FIRST, kernel.SECOND]].max())
        self._reported: int | None = None
        self.before = Cost(0, 1, 1, 1, 0, 0.0)
        self.last = self.expanded = 0
        self.subtrees = None
        self._level = 1
        self._lock = threading.Lock()
        self._budget = 0  # left of the slice
        self._pool: ThreadPoolExecutor | None = None
        self._begin()
        if start == task.puzzle.goal:
            self._roots.clear()
            self._path.append(start.blank)

    root: Root
    """Root of the search."""

    before: Cost
    """Cost of the completed iterations."""

    last: int
    """Expansions of the previous iteration."""

    subtrees: Subtrees | None
    """Subtrees of the last completed iteration, None before its end."""

    @property
    def proved(self) -> int:
        return self.limit

    expanded: int
    """Expanded nodes, including nodes that other cores expanded past the goal."""

    def close(self) -> None:
        if self._pool:
            self._pool.shutdown()

    @property
    def searched(self) -> bool:
        """Whether the current iteration is complete."""
        return self._above is None and not self._paused and self._next >= len(self._roots)

    def successors(self, node: Root) -> Iterator[Root]:
        """Yield the successors of a node within the limit, without counting them."""
        return successors(node, self._rules, self.limit)

    def advance(self, budget: int, *, spared: int = 0, hold: bool = False) -> Outcome:
        """Expand up to `budget` nodes of the current iteration; return the outcome.

        `spared` cores stay free for other work. With `hold` the search stops at the end of the
        iteration and returns RUNNING.
        """
        if self._above:
            return self._split(self._above, budget)
        left = len(self._roots) - self._next + len(self._paused)
        workers = min(self._cores - spared, left, budget)
        self._budget = budget
        if workers > 1:
            self._pool = self._pool or ThreadPoolExecutor(self._cores)
            # This thread works too, so the pool gets a job less.
            portion = -(-budget // PORTIONS)
            others = [self._pool.submit(self._work, portion) for _ in range(workers - 1)]
            codes = [self._work(portion), *(other.result() for other in others)]
        else:
            codes = [self._work(budget)]
        if kernel.NODES_FULL in codes:
            return Outcome.FULL
        if hold or not self.searched:
            return Outcome.RUNNING
        return Outcome.GOAL if self._path else self._go_on()

    def path(self) -> list[int]:
        return self._path

    def cost(self, seconds: float) -> Cost:
        """Return the cost of the search, up to the path, if any."""
        counted = self._counts[: self._found + 2] if self._path else self._counts
        total, most = counted.sum(axis=0).tolist(), counted.max(axis=0).tolist()
        before, waiting = self.before, len(self._roots) if self._g else 0
        return Cost(
            expanded=before.expanded + total[kernel.EXPANDED],
            generated=before.generated + total[kernel.GENERATED],
            peak_frontier=max(before.peak_frontier, waiting + most[kernel.PEAK_FRONTIER]),
            peak_stored=max(before.peak_stored, waiting + most[kernel.PEAK_STORED]),
            deepest=max(before.deepest, self._g + most[kernel.DEEPEST]),
            seconds=seconds,
        )

    def progress(self, lower_bound: int, seconds: float) -> Progress:
        cost = self.cost(seconds)
        return Progress(
            expanded=cost.expanded,
            generated=cost.generated,
            frontier=cost.peak_frontier,
            stored=cost.peak_stored,
            deepest=cost.deepest,
            lower_bound=lower_bound,
            seconds=seconds,
        )

    def new_iterations(self) -> Iterator[Iteration]:
        """Yield the current limit if it changed since the last call."""
        if self._reported != self.limit:
            self._reported = self.limit
            yield Iteration(F_LIMIT, self.limit)

    def _begin(self) -> None:
        """Start an iteration and create its branches."""
        self._path: list[int] = []
        self._next, self._found = 0, 0
        self._paused: list[tuple[int, Branch]] = []
        self._roots: list[Root] = []
        self._above: Branch | None = None
        self._g = 0  # of the roots
        is_long = self.last > LONG_ITERATION_EXPANSIONS
        # Row 0 is for the nodes above the branches, then each branch has a row. A short iteration
        # has a single branch.
        self._counts = new_counts(1 if is_long else 2)
        if is_long:
            self._above = self._branch_of(self.root, 0)
        else:
            self._roots.append(self.root)

    def _lay_out(self, roots: list[Root]) -> None:
        """Create a branch for each of `roots`."""
        self._above, self._roots = None, roots
        if roots:
            self._g = roots[0].g
            self._counts[0, [kernel.FOLLOWING, kernel.DEEPEST]] -= self._g  # relative to the roots
        self._counts = np.concatenate([self._counts, new_counts(len(roots))])

    def _split(self, above: Branch, budget: int) -> Outcome:
        """Collect the boards at the first level with enough of them."""
        wanted = min(self.last // EXPANSIONS_A_BRANCH, MAX_BRANCHES)
        while budget > 0:
            before = int(above.counts[kernel.EXPANDED])
            code = above.advance(budget, self._room, self._level)
            expanded = int(above.counts[kernel.EXPANDED]) - before
            budget -= expanded
            self.expanded += expanded
            if code == kernel.AT_LEVEL:
                self._roots.append(above.at_end())
            elif code == kernel.NODES_FULL:
                return Outcome.FULL
            elif code == kernel.DONE:
                # Deeper levels have more boards; split again below until there are enough.
                if len(self._roots) >= wanted or self._level >= self.limit - 1:
                    self._lay_out(self._roots)
                    break
                self._level += 1
                self._roots = []
                # Each level is split from the root, which costs little next to the last level.
                above.counts[[kernel.LEVEL, kernel.TAKEN, kernel.STORED]] = 0, 1, 1
                above = self._above = self._branch_of(self.root, 0)
        return Outcome.RUNNING

    def _work(self, portion: int) -> int:
        """Search branches until the budget or the branches run out; return the kernel's code.

        The threads of a slice share its budget, and each takes at most `portion` of it at a time.
        """
        current: tuple[int, Branch] | None = None
        while True:
            with self._lock:
                current = current or self._next_branch()
                if current is None:
                    return kernel.DONE
                budget = min(portion, self._budget)
                self._budget -= budget
            number, branch = current
            before = int(branch.counts[kernel.EXPANDED])
            code = branch.advance(budget, self._room)
            expanded = int(branch.counts[kernel.EXPANDED]) - before
            with self._lock:
                self.expanded += expanded
                # The unused rest of the portion goes back to the slice.
                self._budget += budget - expanded
                is_late = bool(self._path) and number > self._found
                if code == kernel.GOAL and not is_late:
                    self._path, self._found = branch.to_goal(), number
                    self._next = len(self._roots)  # drops later branches
                    self._paused = [paused for paused in self._paused if paused[0] < number]
                if is_late or code in (kernel.GOAL, kernel.DONE):
                    current = None
                elif code == kernel.NODES_FULL or self._budget == 0:
                    self._paused.append(current)
                    self._paused.sort(key=lambda paused: paused[0])
                    return code

    def _next_branch(self) -> tuple[int, Branch] | None:
        """Return the first paused branch or the next new branch, with its number."""
        if self._paused:
            return self._paused.pop(0)
        if self._next < len(self._roots):
            number = self._next
            self._next += 1
            return number, self._branch_of(self._roots[number], 1 + number)
        return None

    def _branch_of(self, root: Root, row: int) -> Branch:
        return Branch(root, self._rules, self.limit, self._counts[row])

    def _go_on(self) -> Outcome:
        """Start the next iteration, if any."""
        # Branches count f from their own roots, at g.
        following = self._g + int(self._counts[:, kernel.FOLLOWING].min())
        if following >= kernel.INFINITE - self._g:
            return Outcome.EMPTY
        counts = self._counts[1:, [kernel.EXPANDED, kernel.GENERATED]].tolist()
        self.subtrees = Subtrees(
            self._partition,
            following,
            self._g if self._roots else self._level,
            [root.blanks for root in self._roots],
            [(expanded, generated) for expanded, generated in counts],
        )
        done = self.cost(0)
        self.last = done.expanded - self.before.expanded
        self.before = done
        self.limit = following
        self._begin()
        return Outcome.RUNNING


def new_counts(branches: int) -> Int64s:
    """Return the initial counts of new branches."""
    return np.repeat(_BEGINNING, branches, axis=0)


def _without_reflections(
    walks: Uint32s, start: Board, reflected: Callable[[Board], Board] | None
) -> tuple[Uint32s, int]:
    """Return the automaton for searches from `start` and its initial row.

    If the start is its own reflection, the row allows only the first of two mirrored moves.
    """
    row = start.blank
    if reflected is None or reflected(start) != start:
        return walks, row
    ways, seen = [], set()
    for way in walks[row].tolist():
        if way != NOWHERE:
            board = start.slide(start.cells[way & CELL])
            if reflected(board) not in seen:
                seen.add(board)
                ways.append(way)
    ways += [NOWHERE] * (walks.shape[1] - len(ways))
    return np.concatenate([walks, np.array([ways], dtype=np.uint32)]), len(walks)
