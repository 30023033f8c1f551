"""The plain search of a task, and its work in the search loop.

It runs alone, or as the first stage of a compiled search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from math import inf
from typing import cast

from slidewise.puzzle.board import neighbour_cells
from slidewise.solver import compiling
from slidewise.solver.events import Event, Expanded, Iteration, Preparing
from slidewise.solver.loop import Counts, Outcome, RankedWork, Work
from slidewise.solver.plain.best_first import BestFirst, reopening, rules_of
from slidewise.solver.plain.one_path import Deepening, Recursion
from slidewise.solver.plain.search import PlainSearch, Watcher, plain_estimate
from slidewise.solver.plain.two_ends import TwoEnds
from slidewise.solver.task import FrontierKind, Task

NODE_BYTES = 400
"""Bytes per node, with its board and its entries in lists and maps."""


def room_within_memory(task: Task) -> int:
    """Return the nodes that fit into the memory of a compiled search with the task's limits."""
    return max(4, task.limits.memory(len(task.puzzle.goal.cells)) // NODE_BYTES)


def plain_search(
    task: Task,
    watcher: Watcher | None = None,
    *,
    room: int | None = None,
    sound: bool = True,
) -> PlainSearch:
    """Return the search of a task before its first expansion.

    `room` is the maximum number of stored nodes, by default the task's. `sound`: the lowest f of a
    ranked frontier is a lower bound on undiscovered paths.
    """
    frontier, puzzle, goal = task.algorithm.frontier, task.puzzle, task.puzzle.goal
    assert frontier
    ways = neighbour_cells(puzzle.rows, puzzle.cols, task.convention.order)
    depth = inf if task.limits.depth is None else task.limits.depth
    room = room or task.limits.stored_nodes
    if frontier.kind is FrontierKind.TWO_ENDS:
        return TwoEnds(puzzle, ways, room=room, watcher=watcher)
    estimate = plain_estimate(task.estimate, goal)
    if frontier.kind is FrontierKind.PATH:
        uses_h = task.heuristic is not None
        return Deepening(
            puzzle, ways, estimate, uses_h=uses_h, depth=depth, room=room, watcher=watcher
        )
    if frontier.kind is FrontierKind.RECURSION:
        return Recursion(puzzle, ways, estimate, depth=depth, room=room, watcher=watcher)
    rules = rules_of(reopening(task).convention, task.algorithm.key, reopen=reopens(task))
    return BestFirst(
        puzzle, ways, estimate, task.rank,
        rules=rules, sound=sound, depth=depth, room=room, watcher=watcher,
    )  # fmt: skip


def reopens(task: Task) -> bool:
    """Return whether a shorter path to a reached board adds it to the frontier again.

    Breadth-first and uniform-cost search take the first path to a board, which is the shortest. So
    does depth-first search, unless the goal may be within its depth limit by a shorter path only.
    """
    key = task.algorithm.key
    return key not in ("bfs", "ucs") and (key != "dfs" or task.limits.depth is not None)


class _Reports(Watcher):
    """Reported iterations and expansions of a search."""

    def __init__(self) -> None:
        self.iterations: list[Iteration] = []
        self.expansions: list[Expanded] = []

    def begin(self, search: PlainSearch, iteration: Iteration) -> None:
        self.iterations.append(iteration)

    def expand(self, search: PlainSearch, expansion: Expanded) -> None:
        """Store an expansion."""
        self.expansions.append(expansion)


class PlainWork(Work):
    """A plain search as the work of the search loop."""

    def __init__(self, task: Task, *, room: int | None = None, sound: bool = True) -> None:
        self._reports = _Reports()
        self.search = plain_search(task, self._reports, room=room, sound=sound)
        self.search.watched = task.trace
        self._counts_goal = task.convention.counts_goal
        self._ended_at_goal = False

    @property
    def expanded(self) -> int:
        return self.search.expanded

    @property
    def proved(self) -> int:
        return self.search.proved

    @property
    def pruned(self) -> bool:
        return self.search.pruned

    def advance(self, budget: int) -> Outcome:
        """Expand up to `budget` nodes under the current limit and return the outcome."""
        outcome = self.search.advance(budget)
        self._ended_at_goal = outcome is Outcome.GOAL
        return outcome

    def close(self) -> None:
        self.search.close()

    def lowest_total(self) -> int | None:
        assert isinstance(self.search, BestFirst)
        return self.search.lowest_total()

    def new_iterations(self) -> Iterator[Iteration]:
        found, self._reports.iterations = self._reports.iterations, []
        return iter(found)

    def new_events(self) -> Iterator[Event]:
        """Yield the expansions traced since the last call, in their order."""
        found, self._reports.expansions = self._reports.expansions, []
        return iter(found)

    @property
    def counts(self) -> Counts:
        """Counts of the search, at its end by the counting rules of the convention."""
        search = self.search
        return Counts(
            expanded=search.expanded + (self._ended_at_goal and self._counts_goal),
            generated=search.generated,
            frontier=search.frontier,
            peak_frontier=search.peak_frontier,
            stored=search.stored,
            peak_stored=search.peak_stored,
            deepest=search.deepest,
        )

    def path(self) -> list[int]:
        return [board.index(0) for board in self.search.path()]


REACH, LARGE_REACH = 200_000, 30_000
"""Expansions of the plain stage up to `REACH_CELLS` cells and above: 0.5 s and 0.1 s."""

REACH_CELLS = 9
"""Cells of 3x3, whose best-first searches all end within the reach."""


def plain_reach(task: Task) -> int:
    """Return the expansions of the plain stage: 0 if the search begins with its compiled form.

    The compiled form begins if its kernel is loaded, or if the heuristic's tables load the compiler
    anyway. Only the plain form traces expansions.
    """
    kernel = task.algorithm.kernel
    assert kernel
    loads = task.heuristic is not None and task.heuristic.loads_tables
    if not task.trace and (not task.plain_first or loads or compiling.ready(kernel)):
        return 0
    is_small = len(task.puzzle.start.cells) <= REACH_CELLS
    return max(task.trace, REACH if is_small else LARGE_REACH)


def begins_compiled(task: Task) -> bool:
    """Return whether a search begins with its compiled form."""
    return not (task.is_plain or plain_reach(task)) and compiling.is_available()


def work_of(task: Task, compiled: Callable[[Task], Work], *, sound: bool = True) -> Work:
    """Return the work of a task: plain, compiled, or plain first. `sound` is for `plain_search`."""
    if task.is_plain or not compiling.is_available():
        return PlainWork(task, room=room_within_memory(task), sound=sound)
    reach = plain_reach(task)
    return PlainFirst(task, compiled, reach) if reach else compiled(task)


class PlainFirst(Work):
    """A plain search that hands over to the compiled search after `reach` expansions.

    The compiled search begins from the start and expands the same nodes in the same order. Until it
    is ahead, the counts come from the plain search.
    """

    def __init__(self, task: Task, compiled: Callable[[Task], Work], reach: int) -> None:
        self._task, self._make_compiled, self._reach = task, compiled, reach
        self._room = room_within_memory(task) if reach > REACH else task.limits.stored_nodes
        self._ahead: Work = PlainWork(task, room=self._room)
        self._searching: Work = self._ahead
        self._loading: Iterator[Preparing] | None = None
        self._preparing: list[Preparing] = []
        self._iterations = 0  # reported, and repeated by the compiled search

    @property
    def expanded(self) -> int:
        return self._searching.expanded

    @property
    def proved(self) -> int:
        return self._ahead.proved

    @property
    def pruned(self) -> bool:
        return self._ahead.pruned

    def advance(self, budget: int) -> Outcome:
        if self._loading:
            return self._load(self._loading)
        if self._is_plain:
            return self._advance_plainly(budget)
        outcome = self._searching.advance(budget)
        if self._ahead is not self._searching and self.expanded >= self._ahead.expanded:
            # The plain nodes are needed until here, for the counts and the bound.
            self._ahead.close()
            self._ahead = self._searching
        return outcome

    @property
    def _is_plain(self) -> bool:
        return isinstance(self._searching, PlainWork)

    def _advance_plainly(self, budget: int) -> Outcome:
        left = self._reach - self.expanded
        outcome = self._searching.advance(min(budget, left)) if left else Outcome.RUNNING
        # A plain node takes more memory, so the compiled search may still have room.
        has_room = outcome is not Outcome.FULL or self._room == self._task.limits.stored_nodes
        if left and has_room:
            return outcome
        assert self._task.algorithm.kernel
        self._loading = compiling.prepare(self._task.algorithm.kernel)
        return Outcome.LOADING

    def _load(self, loading: Iterator[Preparing]) -> Outcome:
        """Load the kernel step by step, and then begin the compiled search."""
        event = next(loading, None)
        if event:
            self._preparing.append(event)
        else:
            self._loading = None
            self._searching = self._make_compiled(replace(self._task, trace=0))
        return Outcome.LOADING

    def close(self) -> None:
        self._ahead.close()
        self._searching.close()

    def lowest_total(self) -> int | None:
        return cast("RankedWork", self._ahead).lowest_total()

    def new_iterations(self) -> Iterator[Iteration]:
        """Yield the iterations started since the last call, once for both stages."""
        for event in self._searching.new_iterations():
            if self._is_plain:
                self._iterations += 1
            elif self._iterations:
                self._iterations -= 1
                continue
            yield event

    def new_events(self) -> Iterator[Event]:
        """Yield the expansions traced since the last call, and the progress of the compiler."""
        found, self._preparing = self._preparing, []
        return chain(self._searching.new_events(), found)

    @property
    def counts(self) -> Counts:
        return self._ahead.counts

    def path(self) -> list[int]:
        return self._searching.path()
