"""IDA* and recursive best-first search as plain loops, for heuristics that are Python functions.

They expand the same nodes in the same order as the compiled loops, and count and report as these.
"""

from collections.abc import Container, Generator, Iterator
from math import inf
from typing import NamedTuple

from slidewise.puzzle import Board
from slidewise.solver.events import F_LIMIT, LOWEST_F, Expanded, Fate, Iteration, Progress
from slidewise.solver.events import Successor as Reported
from slidewise.solver.loop import Outcome
from slidewise.solver.result import Cost
from slidewise.solver.task import Task

BLANK_UP_DOWN_LEFT_RIGHT = "DURL"
"""Directions of the tile, in the order of the successors."""


class OnePathNode(NamedTuple):
    """A node on the path or waiting beside it. `f` is stored, so it may be above g + h."""

    board: Board
    number: int | None
    g: int
    h: int
    f: float


class PlainOnePath:
    """One path from the start and its open successors, under a rising limit on f.

    `_expansions` is a generator of the whole search. It yields before each expansion, and when the
    limit has risen.
    """

    def __init__(self, task: Task, *, recursive: bool) -> None:
        self._task = task
        self._estimate = task.estimate
        self._room = task.limits.stored_nodes
        self._recursive = recursive
        self._path: list[OnePathNode] = []
        self._parents: list[OnePathNode] = []  # the path to the traced expansion
        self._traced: list[Expanded] = []
        self._before = 0, 0
        self._generated = self._stored = self._peak_stored = self._peak_frontier = 1
        self._made = self._deepest = 0
        self._waits = True  # the last node of the path is not expanded yet
        self._reported: int | None = None
        self.expanded = 0
        self.pruned = False
        h = self._estimate.value(task.puzzle.start)
        self.proved = h
        self._search = self._recursion(h) if recursive else self._deepening(h)

    def advance(self, budget: int) -> Outcome:
        """Expand up to `budget` nodes under one limit and return the outcome."""
        target, limit = self.expanded + budget, self.proved
        self._before = self._stored, len(self._path) - 1
        for outcome in self._search:
            rose = self.proved != limit
            if outcome is not Outcome.RUNNING or self.expanded >= target or rose:
                return outcome
        return Outcome.EMPTY

    def close(self) -> None:
        """Drop the path."""
        self._search.close()

    def _deepening(self, limit: float) -> Generator[Outcome]:
        """Search depth-first within a limit on f, then within the lowest f above it."""
        depth, goal = self._task.limits.max_depth, self._task.puzzle.goal
        while limit < inf:
            self.proved = int(limit)
            above, self._stored, self._path = inf, 1, []
            waiting = [iter([self._root(limit)])]
            if self.expanded:
                yield Outcome.RUNNING
            while waiting:
                node = next(waiting[-1], None)
                if node is None:
                    waiting.pop()
                    self._stored -= bool(self._path)
                    del self._path[-1:]
                    continue
                self._path.append(node)
                self._waits = True
                if node.board == goal:
                    yield self._end()
                kept: list[OnePathNode] = []
                if node.g >= depth:
                    self.pruned = True
                else:
                    yield Outcome.RUNNING
                    successors = self._successors(node)
                    kept = [one for one in successors if one.f <= limit]
                    above = min([above, *(one.f for one in successors if one.f > limit)])
                    if not self._has_room(len(kept)):
                        yield Outcome.FULL
                    self._expand(node, kept := self._numbered(kept))
                waiting.append(iter(kept))
                self._waits = False
            limit = above

    def _recursion(self, limit: float) -> Generator[Outcome]:
        """Go to the lowest stored f while no other board on the path waits with a lower one."""
        depth, goal = self._task.limits.max_depth, self._task.puzzle.goal
        self._path, bounds = [self._root(limit)], [inf]
        levels: list[list[OnePathNode]] = []
        places: list[int] = []
        while True:
            node = self._path[-1]
            if len(levels) < len(self._path):  # it was just taken
                self._waits = True
                if node.f > self.proved:
                    self.proved = int(node.f)
                    yield Outcome.RUNNING
                if node.board == goal:
                    yield self._end()
                kept: list[OnePathNode] = []
                if node.g >= depth:
                    self.pruned = True
                else:
                    yield Outcome.RUNNING
                    least = node.f if node.f > node.g + node.h else 0
                    kept = [one._replace(f=max(least, one.f)) for one in self._successors(node)]
                    if not self._has_room(len(kept)):
                        yield Outcome.FULL
                    self._expand(node, kept := self._numbered(kept))
                levels.append(kept)
                self._waits = False
            ranks = [one.f for one in levels[-1]]
            lowest = min(ranks, default=inf)
            if lowest < inf and lowest <= bounds[-1]:
                places.append(ranks.index(lowest))
                second = min([*ranks[: places[-1]], *ranks[places[-1] + 1 :]], default=inf)
                self._path.append(levels[-1][places[-1]])
                bounds.append(min(bounds[-1], second))
                continue
            self._stored -= len(levels.pop())
            self._path.pop()
            bounds.pop()
            if not places:
                return
            place = places.pop()
            levels[-1][place] = levels[-1][place]._replace(f=lowest)

    def _root(self, f: float) -> OnePathNode:
        """Return the start with a new number."""
        board = self._task.puzzle.start
        self._made += 1
        return OnePathNode(board, self._made - 1, 0, self._estimate.value(board), f)

    def _successors(self, node: OnePathNode) -> list[OnePathNode]:
        """Return the successors of the last node on the path, without the move straight back."""
        before = self._path[-2].board if node.g else None
        boards = [node.board.move(way) for way in BLANK_UP_DOWN_LEFT_RIGHT if way in _ways(node)]
        values = ((board, self._estimate.value(board)) for board in boards if board != before)
        return [OnePathNode(board, None, node.g + 1, h, node.g + 1 + h) for board, h in values]

    def _numbered(self, kept: list[OnePathNode]) -> list[OnePathNode]:
        return [one._replace(number=self._made + place) for place, one in enumerate(kept)]

    def _has_room(self, more: int) -> bool:
        return self._stored + more <= self._room

    def _expand(self, node: OnePathNode, kept: list[OnePathNode]) -> None:
        """Count an expansion and trace it."""
        self.expanded += 1
        self._generated += len(_ways(node))
        self._made += len(kept)
        self._stored += len(kept)
        self._peak_stored = max(self._peak_stored, self._stored)
        self._peak_frontier = max(self._peak_frontier, self._stored - node.g - 1)
        self._deepest = max(self._deepest, node.g)
        if 0 < self.expanded - (self._task.trace_after or 0) <= self._task.trace:
            self._parents = self._path[:]
            self._traced.append(self._event(node, kept))

    def _event(self, node: OnePathNode, kept: list[OnePathNode]) -> Expanded:
        before = self._path[-2] if node.g else None
        known = {one.board: one for one in kept}
        successors = []
        for way in BLANK_UP_DOWN_LEFT_RIGHT:
            if way in _ways(node):
                board = node.board.move(way)
                fate = Fate.KEPT
                if board not in known:
                    fate = Fate.WENT_BACK if before and board == before.board else Fate.OVER_F
                h = self._estimate.value(board)
                f = node.g + 1 + h
                if self._recursive and node.f > node.g + node.h:
                    f = max(int(node.f), f)
                number = known[board].number if board in known else None
                successors.append(Reported(board, number, node.g + 1, h, f, fate))
        parent = before.number if before else None
        assert node.number is not None
        return Expanded(
            *(self.expanded, node.number, parent, node.board, node.g, node.h, int(self._f(node))),
            successors=tuple(successors),
        )

    def _f(self, node: OnePathNode) -> float:
        return node.f if self._recursive else node.g + node.h

    def _end(self) -> Outcome:
        self._deepest = max(self._deepest, self._path[-1].g)
        return Outcome.GOAL

    def new_iterations(self) -> Iterator[Iteration]:
        """Yield the current limit if it changed since the last call."""
        if self._reported != self.proved:
            self._reported = self.proved
            yield Iteration(LOWEST_F if self._recursive else F_LIMIT, self.proved)

    def new_expansions(self) -> Iterator[Expanded]:
        """Yield the expansions traced since the last call, in their order."""
        traced, self._traced = self._traced, []
        return iter(traced)

    def path_to_last(self, traced: Container[int]) -> Iterator[Reported]:
        """Yield the node of the last of `new_expansions` and its ancestors.

        It ends at the root, or at the first number in `traced`.
        """
        for node in reversed(self._parents):
            facts = node.board, node.number, node.g, node.h, int(self._f(node))
            yield Reported(*facts, Fate.KEPT)
            if node.number in traced:
                return

    def sizes_after(self, event: Expanded) -> tuple[int | None, int | None]:
        """Return the frontier and stored counts after the last of `new_expansions`. Both are None
        if the search backtracked before it."""
        stored, level = self._before
        if level != event.g:
            return None, None
        stored += sum(one.fate.is_kept for one in event.successors)
        return stored - level - 1, stored

    def progress(self, lower_bound: int, seconds: float) -> Progress:
        """Return the progress of the search."""
        return Progress(
            expanded=self.expanded,
            generated=self._generated,
            frontier=self._stored - len(self._path) + self._waits,
            stored=self._stored,
            deepest=self._deepest,
            lower_bound=lower_bound,
            seconds=seconds,
        )

    def cost(self, seconds: float) -> Cost:
        """Return the cost of the whole search."""
        return Cost(
            expanded=self.expanded,
            generated=self._generated,
            peak_frontier=self._peak_frontier,
            peak_stored=self._peak_stored,
            deepest=self._deepest,
            seconds=seconds,
        )

    def path(self) -> list[int]:
        """Return the cells of the blank from the start to the goal, after `Outcome.GOAL`."""
        return [node.board.blank for node in self._path]


def _ways(node: OnePathNode) -> str:
    return node.board.legal_directions
