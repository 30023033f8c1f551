"""Plain searches that store a single path: iterative deepening, recursive best-first search."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Iterator
from math import inf

from slidewise.puzzle import Puzzle
from slidewise.solver.events import DEPTH_LIMIT, F_LIMIT, LOWEST_F, Expanded, Fate, Iteration
from slidewise.solver.loop import Outcome
from slidewise.solver.plain.search import SWAP, PlainEstimate, PlainSearch, Watcher, Ways, onward


class OnePathNode:
    """A node on the path, or a sibling that waits.

    `blank` is the blank's cell, `before` its cell before the move, -1 at the start. `f` is g + h,
    or the stored f of recursive best-first search.
    """

    __slots__ = ("before", "blank", "cells", "f", "h", "number")

    def __init__(
        self, cells: bytes, blank: int, before: int, h: int, f: float, number: int
    ) -> None:
        self.cells = cells
        self.blank = blank
        self.before = before
        self.h = h
        self.f = f
        self.number = number


class OnePath(PlainSearch):
    """A path from the start, and the successors that wait.

    Nodes at `depth` are not expanded, and at most `room` nodes are stored. `made` is the number of
    nodes that waited so far, over all iterations.
    """

    kind = F_LIMIT
    stored = peak_stored = 1

    def __init__(
        self,
        puzzle: Puzzle,
        ways: Ways,
        estimate: PlainEstimate,
        *,
        depth: float = inf,
        room: float = inf,
        watcher: Watcher | None = None,
    ) -> None:
        super().__init__(puzzle, watcher)
        self._estimate, self._moves = estimate, onward(estimate.moves(ways))
        self._depth, self._room = depth, room
        self.limit: float = estimate.value(self.start)
        self.nodes: list[OnePathNode] = []
        self.made = 0

    @property
    def proved(self) -> int:
        """Lower bound in moves if h is admissible: the limit."""
        return int(self.limit)

    def path(self) -> list[bytes]:
        """Return the boards on the path."""
        return [node.cells for node in self.nodes]

    @abstractmethod
    def waiting(self) -> Iterator[tuple[int, OnePathNode]]:
        """Yield the nodes that wait, each with its depth."""

    def _root(self) -> OnePathNode:
        """Return the start with a new number."""
        self.made += 1
        h = self._estimate.value(self.start)
        return OnePathNode(self.start, self.start.index(0), -1, h, h, self.made - 1)

    def _begin(self, limit: float) -> None:
        self.limit = limit
        if self.watcher:
            self.watcher.begin(self, Iteration(self.kind, int(limit)))

    def _count(self, node: OnePathNode, g: int, successors: list[OnePathNode]) -> None:
        """Count an expansion."""
        self.expanded += 1
        if self.visit:
            self.visit(node.cells, g, node.h, node.f)
        self.generated += len(self._moves[node.blank][-1])
        self.made += len(successors)
        self.stored += len(successors)
        self.frontier = self.stored - g - 1
        if self.stored > self.peak_stored:
            self.peak_stored = self.stored
        if self.frontier > self.peak_frontier:
            self.peak_frontier = self.frontier
        if g > self.deepest:
            self.deepest = g

    def _expansion(self, g: int, successors: list[OnePathNode], least: float = 0) -> Expanded:
        """Return the event of the expansion of the last node on the path.

        `least` is the lowest f that a successor can have.
        """
        node, added = self.nodes[-1], {one.blank: one for one in successors}
        reported = []
        for cell, _, _ in self._moves[node.blank][-1]:
            if cell in added:
                one, fate = added[cell], Fate.KEPT
                successor = self._successor(one.cells, one.number, g + 1, one.h, int(one.f), fate)
            else:
                fate = Fate.WENT_BACK if cell == node.before else Fate.OVER_F
                cells = node.cells.translate(SWAP[node.cells[cell]])
                h = self._estimate.value(cells)
                f = int(max(least, g + 1 + h))
                successor = self._successor(cells, None, g + 1, h, f, fate)
            reported.append(successor)
        return Expanded(
            order=self.expanded,
            node=node.number,
            parent=self.nodes[-2].number if g else None,
            board=self._board(node.cells),
            g=g,
            h=node.h,
            f=int(node.f),
            successors=tuple(reported),
        )


class Deepening(OnePath):
    """Depth-first search within a rising limit, on f with `uses_h`, otherwise on g.

    The limit on f is h of the start, then the lowest f above it. The limit on g rises by 1. `last`
    is the number of the last expanded node.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        ways: Ways,
        estimate: PlainEstimate,
        *,
        uses_h: bool,
        depth: float = inf,
        room: float = inf,
        watcher: Watcher | None = None,
    ) -> None:
        super().__init__(puzzle, ways, estimate, depth=depth, room=room, watcher=watcher)
        self.kind = F_LIMIT if uses_h else DEPTH_LIMIT
        self._uses_h, self.last = uses_h, -1
        if not uses_h:
            self.limit = 0

    def waiting(self) -> Iterator[tuple[int, OnePathNode]]:
        return ((g, one) for g, level in enumerate(self._waiting) for one in reversed(level))

    def _expansions(self) -> Generator[Outcome]:
        self._above: float = self.limit
        while self._above < inf and (self._uses_h or self._above <= self._depth):
            self._begin(self._above)
            yield Outcome.RUNNING
            yield from self._within(self.limit)

    def _within(self, limit: float) -> Generator[Outcome]:
        """Search within a limit, and set the next limit."""
        depth = self._depth if self._uses_h else limit
        moves, goal = self._moves, self.goal
        path = self.nodes = []
        waiting = self._waiting = [[self._root()]]
        self.stored = self.frontier = 1
        self._above = inf
        while True:
            # Take the next node on the deepest level.
            while not waiting[-1]:
                waiting.pop()
                if not waiting:
                    return
                path.pop()
                self.stored -= 1
            node = waiting[-1].pop()
            g = len(path)
            path.append(node)
            board, h = node.cells, node.h
            self.frontier = self.stored - g
            if board == goal:
                self.deepest = max(self.deepest, g)
                yield Outcome.GOAL
            if g >= depth:
                self.pruned = True
                # The next limit on g is only needed if the limit cut a node off.
                if not self._uses_h:
                    self._above = limit + 1
                waiting.append([])
                continue
            if self.expanded >= self._target:
                yield Outcome.RUNNING

            # Expand it: successors above the limit are dropped.
            successors: list[OnePathNode] = []
            for cell, delta, h_after in moves[node.blank][node.before]:
                swap = SWAP[board[cell]]
                if h_after:
                    new_h = h_after(h, board, board.translate(swap))
                else:
                    new_h = h + delta[board[cell]]
                f = g + 1 + new_h
                if f <= limit:
                    number = self.made + len(successors)
                    new = board.translate(swap)
                    successors.append(OnePathNode(new, cell, node.blank, new_h, f, number))
                elif f < self._above:
                    self._above = f
            if self.stored + len(successors) > self._room:
                yield Outcome.FULL
            self._count(node, g, successors)
            if self.watcher and self.expanded <= self.watched:
                self.watcher.expand(self, self._expansion(g, successors))
            self.last = node.number
            # Popped from the end, so the first generated is taken first.
            successors.reverse()
            waiting.append(successors)


class Recursion(OnePath):
    """Recursive best-first search: descend to the lowest stored f, backtrack if another is lower.

    `limit` is the highest f of a taken node. `bounds` has for each node of the path the lowest
    stored f of all other nodes that wait.
    """

    kind = LOWEST_F
    first_bound = inf

    def waiting(self) -> Iterator[tuple[int, OnePathNode]]:
        for g, (level, taken) in enumerate(zip(self._levels, self.nodes[1:], strict=False), 1):
            yield from ((g, one) for one in level if one is not taken)

    def _expansions(self) -> Generator[Outcome]:
        goal = self.goal
        root = self._root()
        path, bounds = [root], [self.first_bound]
        self.nodes, self.bounds = path, bounds
        levels: list[list[OnePathNode]] = []
        self._levels = levels
        self._begin(self.limit)
        yield Outcome.RUNNING
        while path:
            # Test and expand the last node if it was just taken.
            node, g = path[-1], len(path) - 1
            if len(levels) == g:
                self.frontier = self.stored - g
                if node.f > self.limit:
                    self._begin(node.f)
                    yield Outcome.RUNNING
                if node.cells == goal:
                    self.deepest = max(self.deepest, g)
                    yield Outcome.GOAL
                if g >= self._depth:
                    self.pruned = True
                    levels.append([])
                else:
                    if self.expanded >= self._target:
                        yield Outcome.RUNNING
                    least = self._least(node, g)
                    successors = self._successors(node, g, least)
                    if self.stored + len(successors) > self._room:
                        yield Outcome.FULL
                    self._count(node, g, successors)
                    levels.append(successors)
                    if self.watcher and self.expanded <= self.watched:
                        self.watcher.expand(self, self._expansion(g, successors, least))

            # Descend to the lowest stored f, ties to the first, or backtrack.
            best, lowest, second = self._best_two(levels[-1])
            if best and self._goes_on(lowest, bounds[-1]):
                path.append(best)
                bounds.append(self._bound(bounds[-1], second))
            else:
                self.stored -= len(levels.pop())
                path.pop()
                bounds.pop()
                self._back_up(node, lowest)

    def _least(self, node: OnePathNode, g: int) -> float:
        """Return the lowest f that a successor can have."""
        return node.f if node.f > g + node.h else 0

    def _best_two(self, successors: list[OnePathNode]) -> tuple[OnePathNode | None, float, float]:
        """Return the first node with the lowest stored f below infinity, and the two lowest f."""
        lowest = second = inf
        best = None
        for one in successors:
            if one.f < lowest:
                lowest, second, best = one.f, lowest, one
            elif one.f < second:
                second = one.f
        return best, lowest, second

    def _goes_on(self, f: float, bound: float) -> bool:
        """Return whether the search goes on below a node with the lowest stored f."""
        return f <= bound

    def _bound(self, bound: float, second: float) -> float:
        """Return the bound below a node, from its parent's and the second lowest stored f."""
        return min(bound, second)

    def _back_up(self, node: OnePathNode, f: float) -> None:
        """Store the lowest f below a node."""
        node.f = f

    def _successors(self, node: OnePathNode, g: int, least: float) -> list[OnePathNode]:
        """Return the successors, without the move straight back."""
        board, found = node.cells, list[OnePathNode]()
        for cell, delta, h_after in self._moves[node.blank][node.before]:
            new = board.translate(SWAP[board[cell]])
            h = h_after(node.h, board, new) if h_after else node.h + delta[board[cell]]
            f = max(least, g + 1 + h)
            found.append(OnePathNode(new, cell, node.blank, h, f, self.made + len(found)))
        return found
