"""User-defined heuristics: an expression after `=`, evaluated for all boards of a size."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from slidewise.puzzle import Board, Puzzle
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.solver.estimate import Estimate
from slidewise.solver.events import Preparing
from slidewise.solver.heuristics.exact import has_table
from slidewise.solver.own.parse import HIGHEST, Node, names_in, parse, registered
from slidewise.solver.registry import heuristics
from slidewise.solver.task import MARK, Heuristic
from slidewise.text import message


@dataclass(frozen=True)
class ExpressionHeuristic(Heuristic):
    """A user-defined heuristic. It claims nothing before a check on all boards."""

    tree: Node = field(kw_only=True, repr=False)

    def for_goal(self, goal: Board) -> ExpressionHeuristic:
        """Return the heuristic with its facts for `goal`, from a check on all boards."""
        from slidewise.solver.own.evaluate import check_expression  # deferred: loads numpy

        found = check_expression(self.tree, goal)
        return replace(self, admissible=found.admissible, consistent=found.consistent)

    def goal_value(self, goal: Board) -> int:
        """Return the estimate at the goal, which may differ from 0."""
        from slidewise.solver.own.evaluate import value_on  # deferred: loads numpy

        return max(0, min(HIGHEST, value_on(self.tree, goal, goal)[0]))


@functools.lru_cache(maxsize=256)
def own_heuristic(key: str) -> Heuristic:
    """Return the heuristic of `key`, an expression after `=`.

    >>> own_heuristic("= max(manhattan,misplaced)").key
    '=max(manhattan, misplaced)'

    Raises `ExpressionError`.
    """
    tree = parse(key.removeprefix(MARK))
    written = f"{MARK}{tree}"
    return ExpressionHeuristic(
        key=written,
        title=written,
        idea=message(
            "Your own expression, worked out for all boards of this size before the search."
        ),
        admissible=False,
        consistent=False,
        source="typed in",
        build=functools.partial(_build, tree),
        fits=has_table,
        prepare=functools.partial(_prepare, tree),
        unfit=message(
            "can be worked out only for boards of up to %(cells)s cells, not", cells=TABLE_CELLS
        ),
        loads_tables=True,
        tree=tree,
    )


def _prepare(tree: Node, puzzle: Puzzle) -> Iterator[Preparing]:
    """Build the tables of the named heuristics and of the expression."""
    for name in names_in(tree):
        key = registered(name)
        if key:
            yield from heuristics()[key].prepare(puzzle)
    what = message("working the heuristic out for all boards")
    yield Preparing(what, 0, 1)
    _build(tree, puzzle.goal)
    yield Preparing(what, 1, 1)


@functools.lru_cache(maxsize=8)
def _build(tree: Node, goal: Board) -> Estimate:
    """Return the estimate of an expression, a pattern database of all tiles with its values."""
    # deferred: load numpy and the compiled kernels
    from slidewise.solver.own.evaluate import tabulate
    from slidewise.solver.tables.patterns.database import of_values

    return Estimate(len(goal.cells), (), of_values(goal, tabulate(tree, goal)))
