"""Deliberate common mistakes, whose results the learning pages quote.

Small and slow, over tuples of cells as in `oracle.py`, with its moves: blank up, down, left, right.
Nothing here is in the package.
"""

import heapq
import itertools
from collections import deque
from dataclasses import dataclass

from tests.solver.oracle import manhattan, successors


class TooManyExpansions(Exception):
    """A search that exceeds its limit."""


def adjacent_parity(cells):
    """Count only neighbours in the wrong order. An even number counts as solvable."""
    pairs = itertools.pairwise(cells)
    return sum(bool(a and b and a > b) for a, b in pairs) % 2 == 0


def standard_parity(cells):
    """Count inversions against 1, 2, 3 ... for any goal. An even number counts as solvable."""
    tiles = [tile for tile in cells if tile]
    return sum(a > b for a, b in itertools.combinations(tiles, 2)) % 2 == 0


def bfs_without_reached(start, goal, rows, cols):
    """Breadth-first search without a reached set. Return (expanded, length)."""
    queue, expanded = deque([(start, 0)]), 0
    while True:
        cells, g = queue.popleft()
        if cells == goal:
            return expanded, g
        expanded += 1
        queue.extend((new, g + 1) for new in successors(cells, rows, cols))


def bfs_early(start, goal, rows, cols):
    """Breadth-first search that tests for the goal at generation. Return expanded."""
    reached, queue, expanded = {start}, deque([start]), 0
    while queue:
        cells = queue.popleft()
        expanded += 1
        for new in successors(cells, rows, cols):
            if new == goal:
                return expanded
            if new not in reached:
                reached.add(new)
                queue.append(new)
    return None


def iddfs_visited_uncleared(start, goal, rows, cols, most=40):
    """Iterative deepening that does not clear its visited list between limits.

    As in the notebook, a state at the limit is not noted, and moves to noted ones are skipped.
    Return the limit at which it finds the goal.
    """
    visited = set()
    return next(
        (limit for limit in range(1, most + 1) if _noting(start, goal, rows, cols, limit, visited)),
        None,
    )


def dfs_visited(start, goal, rows, cols, limit):
    """Depth-first search within `limit` that never opens a state again.

    Return whether it found the goal.
    """
    return _noting(start, goal, rows, cols, limit, set())


def _noting(cells, goal, rows, cols, limit, visited):
    if cells == goal:
        return True
    if limit == 0:
        return False
    visited.add(cells)
    # all moves are chosen before the first of them is followed
    moves = [new for new in successors(cells, rows, cols) if new not in visited]
    return any(_noting(new, goal, rows, cols, limit - 1, visited) for new in moves)


def recursion_depth(start, goal, rows, cols, most):
    """Return the depth at which a recursive depth-first search finds the goal, or `most`.

    It runs with an explicit stack, because Python's would overflow.
    """
    reached = {start}
    stack = [iter(successors(start, rows, cols))]
    if start == goal:
        return 0
    while stack and len(stack) <= most:
        new = next(stack[-1], None)
        if new is None:
            stack.pop()
        elif new not in reached:
            if new == goal:
                return len(stack)
            reached.add(new)
            stack.append(iter(successors(new, rows, cols)))
    return len(stack)


@dataclass
class AStar:
    """The outcome of a search by f = g + h."""

    length: int | None
    expanded: int


def astar(start, goal, rows, cols, h, *, reopen=True):
    """A*. Without `reopen`, an expanded state never gets a shorter path."""
    counter, best, closed = itertools.count(), {start: 0}, set()
    heap, expanded = [(h(start), 0, 0, start)], 0
    while heap:
        _, _, g, cells = heapq.heappop(heap)
        if g > best[cells] or (not reopen and cells in closed):
            continue
        if cells == goal:
            return AStar(g, expanded)
        closed.add(cells)
        expanded += 1
        for new in successors(cells, rows, cols):
            if (not reopen and new in closed) or best.get(new, g + 2) <= g + 1:
                continue
            best[new] = g + 1
            heapq.heappush(heap, (g + 1 + h(new), next(counter) + 1, g + 1, new))
    return AStar(None, expanded)


def tile_cost_search(start, goal, rows, cols, *, early):
    """Uniform-cost search in which moving tile n costs n. Return the cost of its path.

    With `early` it tests for the goal at generation.
    """
    counter, best = itertools.count(), {start: 0}
    heap = [(0, 0, start)]
    while heap:
        g, _, cells = heapq.heappop(heap)
        if g > best[cells]:
            continue
        if cells == goal:
            return g
        for new in successors(cells, rows, cols):
            cost = g + new[cells.index(0)]
            if early and new == goal:
                return cost
            if best.get(new, cost + 1) > cost:
                best[new] = cost
                heapq.heappush(heap, (cost, next(counter), new))
    return None


def ida_star(start, goal, rows, cols, *, step=None, back=False):
    """IDA* with Manhattan distance. Return (iterations, expanded).

    `step` raises the limit by that amount each time, instead of to the lowest f above it. With
    `back` a move may be reversed at once.
    """
    limit, iterations, expanded = manhattan(start, goal, cols), 0, 0

    def search(cells, parent, g):
        nonlocal expanded
        if cells == goal:
            return None
        expanded += 1
        lowest = float("inf")
        for new in successors(cells, rows, cols):
            if new == parent and not back:
                continue
            f = g + 1 + manhattan(new, goal, cols)
            found = f if f > limit else search(new, cells, g + 1)
            if found is None:
                return None
            lowest = min(lowest, found)
        return lowest

    while True:
        iterations += 1
        above = search(start, None, 0)
        if above is None:
            return iterations, expanded
        limit = limit + step if step else above


def rbfs(start, goal, rows, cols, *, limit=float("inf"), stored=True, most=100_000):
    """Recursive best-first search with Manhattan distance. Return the length or None.

    Without `stored` the backed-up f is not stored with the successor, as in the notebook. Raise
    `TooManyExpansions` above `most` expansions.
    """
    expanded = 0

    def search(cells, parent, g, f, limit):
        nonlocal expanded
        if cells == goal:
            return g, f
        expanded += 1
        if expanded > most:
            raise TooManyExpansions
        made = [
            [max(f if stored else 0, g + 1 + manhattan(new, goal, cols)), place, new]
            for place, new in enumerate(successors(cells, rows, cols))
            if new != parent
        ]
        while True:
            made.sort()
            best = made[0]
            if best[0] > limit:
                return None, best[0]
            other = made[1][0] if len(made) > 1 else float("inf")
            found, backed_up = search(best[2], cells, g + 1, best[0], min(limit, other))
            if found is not None:
                return found, backed_up
            if stored:
                best[0] = backed_up

    return search(start, None, 0, manhattan(start, goal, cols), limit)[0]
