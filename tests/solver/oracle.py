"""An independent and slow reference: plain Python over tuples of cells.

It uses no code under test, not even the boards.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from dataclasses import dataclass, field
from functools import cache

DIRECTIONS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
"""The blank's step for each direction, as (rows, columns), in the documented order."""


OPPOSITE = {"U": "down", "D": "up", "L": "right", "R": "left"}
"""The blank's step when a tile moves in the direction of the letter."""


STANDARD = (1, 2, 3, 4, 5, 6, 7, 8, 0)
BLANK_FIRST = (0, 1, 2, 3, 4, 5, 6, 7, 8)


@cache
def ways(rows, cols):
    """Return, for the blank in each cell, its cell after each direction."""
    return [
        {
            name: (row + down) * cols + col + right
            for name, (down, right) in DIRECTIONS.items()
            if 0 <= row + down < rows and 0 <= col + right < cols
        }
        for row in range(rows)
        for col in range(cols)
    ]


def successors(cells, rows, cols):
    """Return the states one move away: the blank goes up, down, left, right."""
    here = cells.index(0)
    found = []
    for there in ways(rows, cols)[here].values():
        new = list(cells)
        new[here], new[there] = new[there], 0
        found.append(tuple(new))
    return found


def replay(cells, rows, cols, moves):
    """Return the tiles that the letters `moves` move in turn, and the last state."""
    new, here, tiles = list(cells), cells.index(0), []
    for letter in moves:
        there = ways(rows, cols)[here][OPPOSITE[letter]]
        tiles.append(new[there])
        new[here], new[there] = new[there], 0
        here = there
    return tuple(tiles), tuple(new)


@cache
def distances(goal, rows, cols):
    """Return the true number of moves to `goal` of each state that can reach it.

    All tests of a process share the table, so none may change it.
    """
    found = {goal: 0}
    queue = deque([goal])
    while queue:
        cells = queue.popleft()
        for new in successors(cells, rows, cols):
            if new not in found:
                found[new] = found[cells] + 1
                queue.append(new)
    return found


@cache
def ways_home(goal, cols):
    """Return, for each tile, the row and column distance home from each cell; 0 for the blank."""
    places = [divmod(cell, cols) for cell in range(len(goal))]
    return {
        tile: [bool(tile) * (abs(row - home_row) + abs(col - home_col)) for row, col in places]
        for tile, (home_row, home_col) in zip(goal, places, strict=True)
    }


def manhattan(cells, goal, cols):
    """Return the sum of the tiles' row and column distances."""
    ways = ways_home(goal, cols)
    return sum(ways[tile][cell] for cell, tile in enumerate(cells))


def misplaced(cells, goal, cols):
    """Return the number of misplaced tiles."""
    return sum(tile != home for tile, home in zip(cells, goal, strict=True) if tile)


def zero(cells, goal, cols):
    """Return 0, no estimate."""
    return 0


def lines(rows, cols):
    """Return the cells of each row and of each column."""
    of_rows = [[row * cols + col for col in range(cols)] for row in range(rows)]
    return of_rows + [list(line) for line in zip(*of_rows, strict=True)]


def fewest_removals(homes):
    """Return the fewest removals from `homes` that leave the rest in order: tries all subsets."""
    for gone in range(len(homes) + 1):
        for rest in itertools.combinations(homes, len(homes) - gone):
            if list(rest) == sorted(rest):
                return gone
    raise AssertionError("no tiles at all stand in order")


def linear_conflict(cells, goal, cols):
    """Return the Manhattan distance, plus 2 for each tile that must leave its goal line."""
    total = manhattan(cells, goal, cols)
    for line in lines(len(goal) // cols, cols):
        wanted = [goal[cell] for cell in line]
        homes = [
            wanted.index(cells[cell]) for cell in line if cells[cell] and cells[cell] in wanted
        ]
        total += 2 * fewest_removals(homes)
    return total


ESTIMATES = {
    "manhattan": manhattan,
    "misplaced": misplaced,
    "zero": zero,
    "linear-conflict": linear_conflict,
}

RANKS = {
    "bfs": lambda g, h: g,
    "ucs": lambda g, h: g,
    "greedy": lambda g, h: h,
    "astar": lambda g, h: g + h,
    "wastar": lambda g, h: 2 * g + 3 * h,  # w = 1.5
    "dfs": lambda g, h: -g,
}


@dataclass
class Node:
    number: int
    cells: tuple
    parent: Node | None
    g: int
    h: int
    f: int
    successors: list = field(default_factory=list)
    """A successor: its cells, its number (None if dropped) and its fate."""


@dataclass
class Run:
    """The outcome of a search. `order` holds the nodes in the order of their expansion."""

    generated: int = 1
    peak_frontier: int = 1
    peak_stored: int = 1
    deepest: int = 0
    order: list = field(default_factory=list)
    length: int | None = None

    @property
    def expanded(self):
        return len(self.order)

    @property
    def trace(self):
        return [
            (node.number, node.parent and node.parent.number, node.cells, node.g, node.h, node.f)
            for node in self.order
        ]


def best_first(start, goal, rows, cols, algorithm, estimate, most=None, depth=None):
    """Run the book's best-first search. `most` limits the expansions.

    The frontier is a heap with a counter, so ties go first in, first out. A shorter path to a state
    creates a new node and invalidates the old one. Depth-first search without a depth limit opens
    no state again. A node at the depth limit is taken and not expanded.
    """
    reopen = algorithm != "dfs" or depth is not None
    rank, h = RANKS[algorithm], ESTIMATES[estimate]
    run, counter = Run(), itertools.count(1)

    def node_of(number, cells, parent):
        g, estimated = parent.g + 1 if parent else 0, h(cells, goal, cols)
        return Node(number, cells, parent, g, estimated, rank(g, estimated))

    first = node_of(0, start, None)
    heap = [(first.f, 0, first)]
    reached, live = {start: first}, {0}
    while heap:
        _, _, node = heapq.heappop(heap)
        if node.number not in live:
            continue
        if node.cells == goal:
            run.deepest, run.length = max(run.deepest, node.g), node.g
            return run
        if len(run.order) == most:
            return run
        live.remove(node.number)
        if node.g == depth:
            continue
        run.order.append(node)
        run.deepest = max(run.deepest, node.g)
        for cells in successors(node.cells, rows, cols):
            run.generated += 1
            old = reached.get(cells)
            if old is not None and (old.g <= node.g + 1 or not reopen):
                back = node.parent is not None and cells == node.parent.cells
                node.successors.append((cells, None, "went back" if back else "reached"))
                continue
            if old is not None:
                live.discard(old.number)
            new = node_of(next(counter), cells, node)
            reached[cells] = new
            node.successors.append((cells, new.number, "shorter" if old else "kept"))
            live.add(new.number)
            run.peak_stored = new.number + 1
            run.peak_frontier = max(run.peak_frontier, len(live))
            heapq.heappush(heap, (new.f, new.number, new))
    return run
