"""IDA* with pattern databases, shared between cores: the search for boards of 11 to 16 cells.

An iteration whose forerunner was long is split into branches: the boards that some moves lead to,
in the order in which a single search would come to them. Each core takes the next branch that is
left. The goal that counts is the first in that order, whichever core is the first to find one, and
the counts are those of the branches up to it: so a run repeats exactly.

The walks of the blank that lead to a board by a detour are left out (`solver/engines/walks.py`),
and of two first moves that are each other's reflection the second one.

Importing this module loads numpy and the compiled functions: do it where a search runs.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from slidewise.puzzle import Puzzle
from slidewise.solver.engines.one_path import Branch
from slidewise.solver.engines.walks import first_way, pruned_ways
from slidewise.solver.events import Iteration, Progress
from slidewise.solver.kernels import steps
from slidewise.solver.pace import Outcome
from slidewise.solver.result import Cost

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise.puzzle import Board
    from slidewise.solver.events import Expanded
    from slidewise.solver.task import Task

LONG_ITERATION_EXPANSIONS = 1_000_000
"""What makes an iteration long, a tenth of a second: the next one is then split, and longer
detours are looked for, which takes some tenths of a second."""

SHORT_WALK_MOVES, LONG_WALK_MOVES = 10, 12
"""The longest detours that are left out: in short iterations, and in long ones."""

MIN_BRANCHES = 200
"""The fewest of a split iteration: many more than cores, as some take far longer."""


@dataclass(frozen=True)
class _Node:
    """A board, how the blank came there, and the cells of the blank from the start on."""

    board: Board
    way: int
    blanks: tuple[int, ...]

    @property
    def g(self) -> int:
        return len(self.blanks) - 1


class SharedDeepening:
    """Iterative deepening on f, each iteration in branches; `task` has the heuristic."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._goal = task.puzzle.goal
        self._estimate = task.estimate
        self.limit = self._estimate.value(task.puzzle.start)
        self._told: int | None = None
        self._before = Cost(0, 1, 1, 1, 0, 0.0)  # of all that is done
        self._last = 0  # expansions of the iteration before
        self._begin()

    @property
    def proved(self) -> int:
        """Return the moves that each path still to be found has."""
        return self.limit

    @property
    def expanded(self) -> int:
        """Return the number of nodes expanded."""
        return self._sum(self._branches).expanded

    @property
    def pruned(self) -> bool:
        """Return False: there is no depth limit."""
        return False

    def advance(self, budget: int) -> Outcome:
        """Expand up to about `budget` nodes, all of one iteration; say how that ended."""
        self._take_branches()
        if not self._active:  # none was within the limit
            return self._go_on()
        numbers = list(self._active)[:budget]
        active = [self._active[number] for number in numbers]
        share = budget // len(active)
        if len(active) == 1:
            outcomes = [active[0].advance(share)]
        else:
            with ThreadPoolExecutor(len(active)) as pool:
                outcomes = list(pool.map(lambda branch: branch.advance(share), active))
        for number, outcome in zip(numbers, outcomes, strict=True):
            if number in self._active:  # no branch before it has come to the goal just now
                self._note(number, outcome)
        if self._found in self._branches and min(self._active, default=self._found) == self._found:
            return Outcome.GOAL
        if Outcome.FULL in outcomes:
            return Outcome.FULL
        return Outcome.RUNNING if self._active or self._waiting else self._go_on()

    def path(self) -> list[int]:
        """Return the cells of the blank from the start to the goal, after `Outcome.GOAL`."""
        return [*self._nodes[self._found].blanks[:-1], *self._branches[self._found].path()]

    def cost(self, seconds: float) -> Cost:
        """Return what the search has cost in all, up to the path if there is one."""
        counted = {
            number: branch for number, branch in self._branches.items() if number <= self._found
        }
        return replace(self._sum(counted), seconds=seconds)

    def progress(self, lower_bound: int, seconds: float) -> Progress:
        """Return how far the search is."""
        cost = self._sum(self._branches)
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
        """Yield the limit that the search works under, if it has changed since the last call."""
        if self._told != self.limit:
            self._told = self.limit
            yield Iteration("f-limit", self.limit)

    def new_expansions(self) -> Iterator[Expanded]:
        """Yield nothing: this search is not traced."""
        return iter(())

    def _begin(self) -> None:
        """Begin an iteration: lay out its branches."""
        long = self._last > LONG_ITERATION_EXPANSIONS
        size = self._task.puzzle.rows, self._task.puzzle.cols
        self._ways = pruned_ways(*size, LONG_WALK_MOVES if long else SHORT_WALK_MOVES)
        self._following = steps.INFINITE
        start = self._task.puzzle.start
        self._nodes = self._without_reflections(
            [_Node(start, first_way(start.blank), (start.blank,))]
        )
        while long and 0 < len(self._nodes) < MIN_BRANCHES:
            self._nodes = [after for node in self._nodes for after in self._expand(node)]
        self._waiting = list(range(len(self._nodes)))[::-1]
        self._branches: dict[int, Branch] = {}
        self._active: dict[int, Branch] = {}
        self._found = len(self._nodes)

    def _without_reflections(self, nodes: list[_Node]) -> list[_Node]:
        """Return `nodes`, or, if the start is its own reflection, what follows up to reflection."""
        reflect = self._estimate.patterns.reflected if self._estimate.patterns else None
        if reflect is None or reflect(nodes[0].board) != nodes[0].board:
            return nodes
        kept: dict[Board, _Node] = {}
        for node in self._expand(nodes[0]):
            if reflect(node.board) not in kept:
                kept[node.board] = node
        return list(kept.values())

    def _expand(self, node: _Node) -> list[_Node]:
        """Return the successors within the limit; of the goal that itself."""
        if node.board == self._goal:
            return [node]
        kept = []
        row = self._ways[node.way >> steps.WAY_BITS].tolist()
        onward = row[steps.ONWARD : steps.ONWARD + row[steps.COUNT]]
        for way in onward:
            cell = way % 2**steps.WAY_BITS // steps.SIDES
            board = node.board.slide(node.board.cells[cell])
            f = node.g + 1 + self._estimate.value(board)
            if f <= self.limit:
                kept.append(_Node(board, way, (*node.blanks, cell)))
            else:
                self._following = min(self._following, f)
        self._before = replace(
            self._before,
            expanded=self._before.expanded + 1,
            generated=self._before.generated + len(onward) + (node.g > 0),
        )
        return kept

    def _take_branches(self) -> None:
        """Have as many branches under way as there are cores."""
        while self._waiting and len(self._active) < self._task.limits.cores:
            number = self._waiting.pop()
            node = self._nodes[number]
            puzzle = Puzzle(node.board, self._goal)
            branch = Branch(
                replace(self._task, puzzle=puzzle), self._ways, node.way, self.limit - node.g
            )
            self._branches[number] = self._active[number] = branch

    def _note(self, number: int, outcome: Outcome) -> None:
        """Note how the branch under way has ended, if it has."""
        if outcome is Outcome.RUNNING:
            return
        branch = self._active.pop(number)
        if outcome is Outcome.EMPTY:
            if branch.following < steps.INFINITE:
                f = branch.following + self._nodes[number].g
                self._following = min(self._following, f)
        elif outcome is Outcome.GOAL:
            self._found = min(self._found, number)
            self._waiting.clear()  # they are all behind it, as branches are begun in order
            for later in [other for other in self._active if other > number]:
                del self._active[later]

    def _go_on(self) -> Outcome:
        """Begin the next iteration, if there is any."""
        if self._following == steps.INFINITE:
            return Outcome.EMPTY
        done = self._sum(self._branches)
        self._last = done.expanded - self._before.expanded
        self._before = done
        self.limit = self._following
        self._begin()
        return Outcome.RUNNING

    def _sum(self, branches: dict[int, Branch]) -> Cost:
        """Return the cost of the iterations before and of `branches`."""
        total = self._before
        for number, branch in branches.items():
            cost = branch.cost(0)
            g = self._nodes[number].g
            total = total.together_with(
                replace(
                    cost,
                    generated=cost.generated - 1,  # its board was counted before
                    peak_stored=cost.peak_stored + g,
                    deepest=cost.deepest + g,
                )
            )
        return total
