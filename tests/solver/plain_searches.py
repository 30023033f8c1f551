"""Plain Python searches that store a single path or search from both ends, as an oracle.

Like the oracle of best-first search, this module uses no code under test.

The recursion is that of R. E. Korf, 1985 (iterative deepening) and 1993 (recursive best-first
search). This project adds two rules: the last move is never reversed, and a node is tested for the
goal when it is taken.
"""

import contextlib
import math
from dataclasses import dataclass, field

from tests.solver import oracle
from tests.solver.oracle import successors


class FoundError(Exception):
    """Ends the recursion at the goal."""


class StoppedError(Exception):
    """Ends the recursion at the limit of expansions."""


@dataclass
class Node:
    number: int
    parent: int | None
    cells: tuple
    g: int
    h: int
    f: int
    kept: list = field(default_factory=list)


@dataclass
class Tree:
    """The outcome of a search. `order` holds the nodes in the order of their expansion."""

    start: tuple
    goal: tuple
    rows: int
    cols: int
    estimate: object
    most: float = math.inf
    made: int = 0
    generated: int = 1
    stored: int = 0
    peak_frontier: int = 1
    peak_stored: int = 1
    deepest: int = 0
    length: int | None = None
    order: list[Node] = field(default_factory=list)
    limits: list[tuple[int, int]] = field(default_factory=list)
    """Each limit, with the number of nodes expanded before."""
    bounds: list[float] = field(default_factory=list)
    """The limit of each expansion."""

    @property
    def trace(self):
        return [
            (node.number, node.parent, node.cells, node.g, node.h, node.f) for node in self.order
        ]

    @property
    def expanded(self):
        return len(self.order)

    def h(self, cells):
        return self.estimate(cells, self.goal, self.cols)

    def node(self, parent, cells, g):
        """Create and store a node."""
        self.made += 1
        h = self.h(cells)
        return Node(self.made - 1, None if parent is None else parent.number, cells, g, h, g + h)

    def take(self, node):
        if node.cells == self.goal:
            self.deepest, self.length = max(self.deepest, node.g), node.g
            raise FoundError

    def expand(self, node, came_from, bound, keeps):
        """Return the successors for which `keeps(f)` is true."""
        if len(self.order) == self.most:
            raise StoppedError
        self.order.append(node)
        self.bounds.append(bound)
        self.deepest = max(self.deepest, node.g)
        found = successors(node.cells, self.rows, self.cols)
        self.generated += len(found)
        kept = [
            self.node(node, cells, node.g + 1)
            for cells in found
            if cells != came_from and keeps(node.g + 1 + self.h(cells))
        ]
        node.kept = [child.number for child in kept]
        self.stored += len(kept)
        self.peak_stored = max(self.peak_stored, self.stored)
        self.peak_frontier = max(self.peak_frontier, self.stored - node.g - 1)
        return kept

    def run(self, search):
        with contextlib.suppress(FoundError, StoppedError):
            search()
        return self


def deepening(start, goal, rows, cols, estimate, *, uses_h, most=math.inf):
    """Run IDA*, or without `uses_h` iterative-deepening depth-first search."""
    tree = Tree(start, goal, rows, cols, estimate, most)

    def visit(node, came_from, limit):
        """Return the lowest f above the limit below `node`."""
        tree.take(node)
        lowest = math.inf
        if uses_h or node.g < limit:
            beyond = []

            def keeps(f):
                beyond.append(f if f > limit else math.inf)
                return f <= limit

            kept = tree.expand(node, came_from, limit, keeps)
            lowest = min(beyond, default=math.inf)
            for child in kept:
                lowest = min(lowest, visit(child, node.cells, limit))
        tree.stored -= 1
        return lowest

    def search():
        limit = tree.h(start) if uses_h else 0
        while True:
            tree.limits.append((limit, len(tree.order)))
            tree.stored = 1
            lowest = visit(tree.node(None, start, 0), None, limit)
            limit = lowest if uses_h else limit + 1

    return tree.run(search)


def rbfs(start, goal, rows, cols, estimate, most=math.inf):
    """Run recursive best-first search."""
    tree = Tree(start, goal, rows, cols, estimate, most)

    def visit(node, came_from, bound):
        if not tree.limits or node.f > tree.limits[-1][0]:
            tree.limits.append((node.f, len(tree.order)))
        tree.take(node)
        children = tree.expand(node, came_from, bound, lambda f: True)
        if node.g + node.h < node.f:  # the node was expanded before
            for child in children:
                child.f = max(node.f, child.f)
        while True:
            children.sort(key=lambda child: (child.f, child.number))
            best = children[0]
            if best.f > bound or best.f == math.inf:
                tree.stored -= len(children)
                return best.f
            other = children[1].f if len(children) > 1 else math.inf
            visited = Node(best.number, node.number, best.cells, best.g, best.h, best.f)
            best.f = visit(visited, node.cells, min(bound, other))

    def search():
        tree.stored = 1
        visit(tree.node(None, start, 0), None, math.inf)

    return tree.run(search)


@dataclass
class Sides:
    """The outcome of a search from both ends. `order` holds (number, parent, cells, g)."""

    generated: int = 2
    peak_frontier: int = 2
    deepest: int = 0
    length: int | None = None
    proved: list = field(default_factory=list)
    """The least length of a path, before each expansion."""
    numbers: dict = field(default_factory=dict)
    order: list = field(default_factory=list)

    @property
    def trace(self):
        return [(*node, 0, node[-1]) for node in self.order]

    @property
    def expanded(self):
        return len(self.order)

    @property
    def peak_stored(self):
        return len(self.numbers)


def both_ends(start, goal, rows, cols, most=math.inf):
    """Run breadth-first search from both ends with sets and lists."""
    sides = Sides(numbers={start: 0, goal: 1})
    depths = {start: 0}, {goal: 0}
    parents = {start: None, goal: None}
    layers = [start], [goal]
    while True:
        end = 1 if len(layers[1]) < len(layers[0]) else 0
        made = []
        for place, cells in enumerate(layers[end]):
            if len(sides.order) == most:
                return sides
            g, parent = depths[end][cells], parents[cells]
            sides.order.append((sides.numbers[cells], sides.numbers.get(parent), cells, g))
            sides.proved.append(1 + sum(depths[side][layers[side][0]] for side in (0, 1)))
            sides.deepest = max(sides.deepest, g)
            for new in successors(cells, rows, cols):
                sides.generated += 1
                if new in depths[1 - end]:
                    sides.length = sides.deepest = g + 1 + depths[1 - end][new]
                    break
                if new not in depths[end]:
                    depths[end][new], parents[new] = g + 1, cells
                    sides.numbers[new] = len(sides.numbers)
                    made.append(new)
            waiting = len(layers[end]) - place - 1 + len(made) + len(layers[1 - end])
            sides.peak_frontier = max(sides.peak_frontier, waiting)
            if sides.length is not None:
                return sides
        layers[end][:] = made


def plain_search(puzzle, algorithm, heuristic, most=math.inf, depth=None):
    """Return the outcome of a plain program, up to `most` expansions."""
    estimate = oracle.ESTIMATES[heuristic or "zero"]
    board = puzzle.start.cells, puzzle.goal.cells, puzzle.rows, puzzle.cols
    if algorithm in ("iddfs", "idastar"):
        return deepening(*board, estimate, uses_h=algorithm == "idastar", most=most)
    if algorithm == "rbfs":
        return rbfs(*board, estimate, most)
    if algorithm == "bidirectional":
        return both_ends(*board, most)
    return oracle.best_first(*board, algorithm, heuristic or "zero", most, depth)
