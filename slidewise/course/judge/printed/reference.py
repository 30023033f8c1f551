"""Reference searches for the comparison with a program's results, with any rules or mistake."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import NamedTuple

from slidewise.course.judge.printed.mistakes import PLAIN, Change, written_as
from slidewise.course.judge.printed.submission import WorkRow
from slidewise.course.judge.printed.switched import (
    MistakenBestFirst,
    MistakenDeepening,
    MistakenRecursion,
    MistakenTwoEnds,
    ParentsEstimate,
)
from slidewise.puzzle import Puzzle, PuzzleError
from slidewise.puzzle.board import neighbour_cells
from slidewise.solver.convention import Convention
from slidewise.solver.loop import Outcome
from slidewise.solver.plain.best_first import BestFirst, rules_of
from slidewise.solver.plain.one_path import Deepening, Recursion
from slidewise.solver.plain.search import PlainEstimate, PlainSearch, WholeEstimate, plain_estimate
from slidewise.solver.plain.two_ends import TwoEnds
from slidewise.solver.result import ContradictionError
from slidewise.solver.run import find_algorithm, find_fitting_heuristic
from slidewise.solver.task import EXACT_DEFAULT, FrontierKind, Limits, Rank, Task, follow

REFERENCE_LIMITS = Limits(expansions=5_000_000)
"""Maximum expansions of the reference search: some seconds when compiled."""


@dataclass(frozen=True)
class ReferenceSearch:
    """The task of the checked program, and the limits of the reference search.

    All candidates share the caches of the estimates.
    """

    puzzle: Puzzle
    algorithm: str
    heuristic: str | None
    limits: Limits = REFERENCE_LIMITS
    weight: Fraction = EXACT_DEFAULT
    _estimates: dict[Hashable, PlainEstimate] = field(default_factory=dict, compare=False)

    def task(self, convention: Convention, change: Change = PLAIN) -> Task:
        """Return the task under a convention, with the algorithm and goal of a mistake."""
        chosen = find_algorithm(change.algorithm or self.algorithm)
        heuristic = None
        if self.heuristic and chosen.uses_heuristic:
            heuristic = find_fitting_heuristic(self.heuristic, *self.puzzle.start.size)
        puzzle = self.puzzle
        if change.goal is not None:
            puzzle = replace(puzzle, goal=change.goal(*puzzle.goal.size))
        return Task(puzzle, chosen, heuristic, Limits(), self.weight, convention=convention)

    def traced(self, convention: Convention, change: Change = PLAIN) -> TracedSearch:
        """Return the search before its first expansion."""
        task = self.task(convention, change)
        frontier = task.algorithm.frontier
        if frontier and frontier.kind is not FrontierKind.RANKED:
            change = replace(change, switches={**written_as(convention), **change.switches})
        return TracedSearch(task, change, self.search(task, change))

    def search(self, task: Task, change: Change = PLAIN) -> PlainSearch:
        """Return the plain search of a task, which does not store its expansions."""
        frontier, key = task.algorithm.frontier, task.algorithm.key
        puzzle, rules = task.puzzle, task.convention
        if frontier is None or frontier.rank_of:
            raise PuzzleError(
                f"{task.algorithm.title} reports no expansions, so only a path can be checked"
            )
        ways, changes_loop = neighbour_cells(*puzzle.start.size, rules.order), change.changes_loop
        if change.ways is not None:
            ways = change.ways(*puzzle.start.size, ways, rules.order)
        if frontier.kind is FrontierKind.TWO_ENDS:
            if changes_loop or puzzle.start == puzzle.goal:
                return MistakenTwoEnds(puzzle, ways, change=change)
            return TwoEnds(puzzle, ways)
        estimate, uses_h = self.estimate(task, change), task.heuristic is not None
        if frontier.kind is FrontierKind.RANKED:
            weights = change.rank(self.weight) if callable(change.rank) else change.rank
            rank = task.rank if weights is None else Rank(*weights)
            if changes_loop:
                return MistakenBestFirst(puzzle, ways, estimate, rank, rules, key, change)
            own_rules = rules_of(rules, key, reopen=rules.duplicates.reopens)
            return BestFirst(puzzle, ways, estimate, rank, rules=own_rules)
        if frontier.kind is FrontierKind.RECURSION:
            if changes_loop:
                return MistakenRecursion(puzzle, ways, estimate, change=change)
            return Recursion(puzzle, ways, estimate)
        if changes_loop:
            return MistakenDeepening(puzzle, ways, estimate, uses_h=uses_h, change=change)
        return Deepening(puzzle, ways, estimate, uses_h=uses_h)

    def estimate(self, task: Task, change: Change = PLAIN) -> PlainEstimate:
        """Return the estimate of a task, with a cache."""
        # The key has everything that changes an estimate; all other candidates share its cache.
        jumps = change.ways is not None or bool(change.switches) or change.parents_estimate
        key = task.puzzle.goal, task.heuristic, change.h, jumps, change.parents_estimate
        if key not in self._estimates:
            self._estimates[key] = self._build(task, change, jumps=jumps)
        return self._estimates[key]

    def _build(self, task: Task, change: Change, *, jumps: bool) -> PlainEstimate:
        """Build an estimate. With `jumps` some moves do not lead to neighbour cells."""
        goal = task.puzzle.goal
        if change.h is not None:
            h, cells, cols = change.h, bytes(goal.cells), goal.cols
            return WholeEstimate(lambda board: h(board, cells, cols))
        plain = plain_estimate(task.estimate, goal)
        # An incremental estimate assumes legal moves, so mistaken moves need the whole value.
        if not jumps:
            return plain
        return (ParentsEstimate if change.parents_estimate else WholeEstimate)(plain.value)


class ProgramNode(NamedTuple):
    """An expanded node; f is the value stored in the frontier."""

    cells: bytes
    g: int
    h: float
    f: float


class TracedSearch:
    """A search that stores its expansions in order in `nodes`.

    `ended` is its final outcome. `endless` is true if it may not terminate, and may therefore be
    stopped anywhere. A node's f is `f_scale` times the program's, so that it is an integer.
    `uncounted` are the fields of a result that it does not count.
    """

    def __init__(self, task: Task, change: Change, search: PlainSearch) -> None:
        self.nodes: list[ProgramNode] = []
        self.ended: Outcome | None = None
        self.endless = (
            change.switches.get("visited") in ("kept", "made") or "returned" in change.switches
        )
        self.f_scale = task.weight.denominator if task.algorithm.key == "wastar" else 1
        # A program with a weight on g may print f divided by this weight.
        if isinstance(change.rank, tuple):
            self.f_scale = max(1, change.rank[0])
        is_best_first = isinstance(search, BestFirst)
        self.uncounted = frozenset(() if is_best_first else ("peak_stored", "peak_frontier"))
        self._counts_goal = is_best_first and task.convention.counts_goal
        self.goal_cells = search.goal
        self._start, self._search = task.puzzle.start, search
        search.visit = self._store

    def _store(self, cells: bytes, g: int, h: float, f: float) -> None:
        self.nodes.append(ProgramNode(cells, g, h, f))

    def step(self) -> bool:
        """Advance by a single expansion; return False at the end."""
        before = len(self.nodes)
        self.run(before + 1)
        return len(self.nodes) > before

    def run(self, most: int) -> bool:
        """Run to the end; return False if it takes more than `most` expansions in total."""
        while self.ended is None and len(self.nodes) < most:
            outcome = self._search.advance(most - len(self.nodes))
            self.ended = None if outcome is Outcome.RUNNING else outcome
        return self.ended is not None

    def close(self) -> None:
        """Free the nodes of the search."""
        self._search.close()

    def path(self) -> list[int]:
        """Return the cells of the blank from the start to the goal, none without a path."""
        boards = self._search.path() if self.ended is Outcome.GOAL else []
        return [cells.index(0) for cells in boards]

    def moves(self) -> str:
        """Return the moves of the path, "" without a path."""
        try:
            return follow(self._start, blanks)[0] if (blanks := self.path()) else ""
        except ContradictionError:  # the path has a step that is not a move
            return ""

    def counts(self) -> dict[str, int]:
        """Return the final counts, by the names of the fields of a result."""
        search, is_found = self._search, self.ended is Outcome.GOAL
        found = {
            "expanded": search.expanded + (is_found and self._counts_goal),
            "generated": search.generated,
            "deepest": search.deepest,
            "peak_frontier": search.peak_frontier,
            "peak_stored": search.peak_stored,
        }
        counts = {name: value for name, value in found.items() if name not in self.uncounted}
        return {**counts, "length": len(self.path()) - 1} if is_found else counts


def agreed(search: TracedSearch, rows: Sequence[WorkRow], most: int | None = None) -> int:
    """Return the number of leading rows that match the search, up to `most`.

    The goal matches as the last row if the search takes it next.
    """
    rows = rows[:most]
    for number, row in enumerate(rows):
        if number >= len(search.nodes) and not search.step():
            last = number == len(rows) - 1 and search.ended is Outcome.GOAL
            return number + (last and row.cells == search.goal_cells)
        node = search.nodes[number]
        if row.cells != node.cells or wrong_value(row, node, search.f_scale):
            return number
    return len(rows)


TOLERANCE = 0.01
"""Tolerance of a value printed with few decimals."""


def wrong_value(row: WorkRow, node: ProgramNode, f_scale: int) -> str:
    """Return the name of the first value of a row that differs from the node's, otherwise "".

    The node's f is `f_scale` times the program's, which may print either.
    """
    expected = {"g": (node.g,), "h": (node.h,), "f": (node.f, node.f / f_scale)}
    for name, value in row.values.items():
        if min(abs(value - one) for one in expected[name]) > TOLERANCE:
            return name
    return ""
