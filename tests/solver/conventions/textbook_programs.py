"""Plain searches from the definitions, as students write them, independent of Slidewise.

A board is a tuple of numbers, 0 the blank. A program returns the expanded boards in order, the path
as boards or None, and the number of generated boards with the start. `most` limits the
expansions.
"""

from typing import NamedTuple

from tests.solver import oracle
from tests.solver.conventions.textbook_queues import ByF


class Found(NamedTuple):
    """The outcome of a program."""

    expanded: list
    path: list | None
    made: int


class Node(NamedTuple):
    """A board, the path to it including the board, and its rank."""

    board: tuple
    path: list
    f: int
    h: int

    @property
    def g(self):
        """Return the number of moves."""
        return len(self.path) - 1


class Puzzle(NamedTuple):
    """The input of a program: boards, width, the blank's order, and the formula of f."""

    start: tuple
    goal: tuple
    cols: int
    order: str
    rank: object
    informed: bool

    def neighbours(self, board):
        """Return the boards one move away, in the order of the assignment."""
        here = board.index(0)
        ways = oracle.ways(len(board) // self.cols, self.cols)[here]
        cells = {way[0]: cell for way, cell in ways.items()}
        return [swapped(board, here, cells[way]) for way in self.order if way in cells]

    def node(self, board, path):
        """Return a node."""
        h = oracle.manhattan(board, self.goal, self.cols) if self.informed else 0
        return Node(board, [*path, board], self.rank(len(path), h), h)


def swapped(board, one, other):
    """Return the board with the numbers of two cells swapped."""
    cells = list(board)
    cells[one], cells[other] = cells[other], cells[one]
    return tuple(cells)


def programs():
    """Return the programs by their rules for duplicates."""
    return {
        "nothing": Nothing,
        "parent": ParentOnly,
        "path": PathOnly,
        "made": Made,
        "expanded": Expanded,
        "expanded-stale": ExpandedStale,
        "expanded-reopened": ExpandedReopened,
        "shorter": Shorter,
        "shorter-stale": ShorterStale,
        "decrease-key": DecreaseKey,
    }


class Nothing:
    """Tree search: reached boards are generated again."""

    def __init__(self, puzzle, frontier, *, early=False, depth=None):
        self.puzzle, self.frontier, self.early, self.depth = puzzle, frontier, early, depth

    def run(self, most):
        """Search."""
        start = self.puzzle.node(self.puzzle.start, [])
        self.frontier.add([start])
        self.note_made(start)
        expanded, made = [], 1
        while self.frontier.nodes:
            node = self.frontier.take()
            if self.is_skipped(node):
                continue
            if node.board == self.puzzle.goal:
                return Found(expanded, node.path, made)
            if len(expanded) == most:
                break
            if self.depth is not None and node.g >= self.depth:
                continue
            expanded.append(node.board)
            self.note_expanded(node)
            children = []
            for board in self.puzzle.neighbours(node.board):
                made += 1
                child = self.puzzle.node(board, node.path)
                if self.is_wanted(child):
                    self.note_made(child)
                    if self.early and board == self.puzzle.goal:
                        return Found(expanded, child.path, made)
                    children.append(child)
            self.frontier.add(children)
        return Found(expanded, None, made)

    def is_skipped(self, node):
        """Return whether to discard a taken node."""
        return False

    def is_wanted(self, child):
        """Return whether a child goes into the frontier."""
        return True

    def note_expanded(self, node):
        """Remember an expanded node."""

    def note_made(self, node):
        """Remember a node of the frontier."""


class ParentOnly(Nothing):
    """The board before the last move is not generated again."""

    def is_wanted(self, child):
        return child.g < 2 or child.path[-3] != child.board


class PathOnly(Nothing):
    """No board occurs twice on a path."""

    def is_wanted(self, child):
        return child.board not in child.path[:-1]


class Made(Nothing):
    """A set of all boards that were ever in the frontier."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.seen = set()

    def note_made(self, node):
        self.seen.add(node.board)

    def is_wanted(self, child):
        return child.board not in self.seen


class ExpandedStale(Nothing):
    """A set of the expanded boards, checked when a child is generated."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.closed = set()

    def note_expanded(self, node):
        self.closed.add(node.board)

    def is_wanted(self, child):
        return child.board not in self.closed


class Expanded(ExpandedStale):
    """A set of the expanded boards, also checked when a node is taken."""

    def is_skipped(self, node):
        return node.board in self.closed


class ExpandedReopened(Nothing):
    """A dictionary of the expanded boards with the best g, checked at both times."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.closed = {}

    def note_expanded(self, node):
        self.closed[node.board] = node.g

    def is_wanted(self, child):
        return child.board not in self.closed or child.g < self.closed[child.board]

    def is_skipped(self, node):
        return not self.is_wanted(node)


class ShorterStale(Nothing):
    """A dictionary of the best g of each generated board."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.best = {}

    def note_made(self, node):
        self.best[node.board] = node.g

    def is_wanted(self, child):
        return child.board not in self.best or child.g < self.best[child.board]


class Shorter(ShorterStale):
    """The best g of each board; a worse node is discarded when it is taken."""

    def is_skipped(self, node):
        return node.g > self.best[node.board]


class DecreaseKey(Nothing):
    """The frontier is searched for the board, and a worse node in it is replaced."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.closed, self.thrown_away = set(), []

    def note_expanded(self, node):
        self.closed.add(node.board)

    def is_skipped(self, node):
        return any(node is one for one in self.thrown_away)

    def is_wanted(self, child):
        if child.board in self.closed:
            return False
        for node in self.waiting():
            if node.board == child.board:
                if node.g <= child.g:
                    return False
                self.thrown_away.append(node)
        return True

    def waiting(self):
        """Return the valid nodes of the frontier."""
        nodes = [one if isinstance(one, Node | ByF) else one[-1] for one in self.frontier.nodes]
        nodes = [getattr(node, "node", node) for node in nodes]
        return [node for node in nodes if not self.is_skipped(node)]


def depth_first_recursion(puzzle, most):
    """Return the expansions of a recursion that marks a board when it visits it."""
    visited, expanded = set(), []

    def visit(board, path):
        if board == puzzle.goal:
            return path
        if len(expanded) == most:
            return None
        visited.add(board)
        expanded.append(board)
        for other in puzzle.neighbours(board):
            if other not in visited and len(expanded) < most:
                found = visit(other, [*path, other])
                if found:
                    return found
        return None

    return expanded, visit(puzzle.start, [puzzle.start])
