"""User-defined heuristics: an expression after `=`, evaluated for all boards of a size."""

import functools
from collections.abc import Iterator

from slidewise.puzzle import Board, Puzzle
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.solver.estimate import Estimate
from slidewise.solver.events import Preparing
from slidewise.solver.heuristics.exact import has_table
from slidewise.solver.own.parse import HIGHEST, Node, names_in, parse, registered
from slidewise.solver.registry import heuristics
from slidewise.solver.task import MARK, Heuristic
from slidewise.text import message


@functools.lru_cache(maxsize=256)
def own_heuristic(key: str) -> Heuristic:
    """Return the heuristic of `key`, an expression after `=`.

    It claims neither admissibility nor consistency. `Heuristic.for_goal` checks them on all boards.

    >>> own_heuristic("= max(manhattan,misplaced)").key
    '=max(manhattan, misplaced)'

    Raises `ExpressionError`.
    """
    tree = parse(key.removeprefix(MARK))
    written = f"{MARK}{tree}"
    return Heuristic(
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
        facts=functools.partial(_facts, tree),
        goal_value=functools.partial(_goal_value, tree),
        loads_tables=True,
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


def _facts(tree: Node, goal: Board) -> tuple[bool, bool]:
    from slidewise.solver.own.evaluate import check_expression

    checked = check_expression(tree, goal)
    return checked.admissible, checked.consistent


def _goal_value(tree: Node, goal: Board) -> int:
    from slidewise.solver.own.evaluate import value_on  # deferred: loads numpy

    return max(0, min(HIGHEST, value_on(tree, goal, goal)[0]))
