"""Admissibility and consistency of heuristics, checked on all boards up to 10 cells.

Importing this module loads neither numpy nor numba; the first check does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidewise.solver.find import find_fitting_heuristic
from slidewise.solver.own.parse import MARK, is_own, parse

if TYPE_CHECKING:
    from slidewise.puzzle import Board
    from slidewise.solver.own.heuristic_check import HeuristicCheck
    from slidewise.solver.own.parse import Node
    from slidewise.solver.tables.blocks import Uint8s


def check(key: str, goal: Board) -> HeuristicCheck:
    """Check a heuristic on all boards that can reach `goal`.

    `key` is one of the registry or, after `=`, an expression. 3x3 takes some tenths of a second,
    10 cells some seconds.

    >>> from slidewise import standard_goal
    >>> found = check("=manhattan_with_blank", standard_goal(2, 3))
    >>> found.admissible, found.consistent, found.boards, found.above
    (False, False, 360, 60)
    >>> str(found.first.board), found.first.h, found.first.distance
    ('1.2.3-4.0.5', 2, 1)

    Raises `UnknownNameError` and `ExpressionError`, and above 10 cells `UnfitHeuristicError` or
    `TooManyCellsError`.
    """
    from slidewise.solver.own.check import check_expression

    return check_expression(_expression(key, goal), goal)


def values_of(key: str, goal: Board) -> Uint8s:
    """Return h of each board at its number in an `ExactTable`, 255 if it cannot reach the goal.

    Raises as `check` does.
    """
    from slidewise.solver.own.evaluate import tabulate

    return tabulate(_expression(key, goal), goal)


def _expression(key: str, goal: Board) -> Node:
    """Return the expression of a heuristic; registry keys are names in expressions."""
    entry = find_fitting_heuristic(key, *goal.size)
    return parse(entry.key.removeprefix(MARK) if is_own(key) else key.replace("-", "_"))
