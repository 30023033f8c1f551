"""Look-up of algorithms and heuristics by key, and of heuristic expressions after `=`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from slidewise.puzzle.board import quoted
from slidewise.solver.own.heuristic import own_heuristic
from slidewise.solver.own.parse import is_own
from slidewise.solver.registry import algorithms, heuristics
from slidewise.solver.task import Algorithm, Heuristic, UnfitHeuristicError, UnknownNameError

Entry = TypeVar("Entry", Algorithm, Heuristic)


def find_algorithm(key: str) -> Algorithm:
    """Return the algorithm `key`. Raises `UnknownNameError`, which lists the keys."""
    return _find("algorithm", key, algorithms())


def find_heuristic(key: str) -> Heuristic:
    """Return the heuristic `key`, or compile an expression that follows `=`.

    Raises `UnknownNameError`, which lists the keys, and `ExpressionError`.

    >>> find_heuristic("=max(manhattan, 2 * misplaced)").admissible
    False
    """
    if is_own(str(key)):
        return own_heuristic(key)
    return _find("heuristic", key, heuristics())


def find_fitting_heuristic(key: str, rows: int, cols: int) -> Heuristic:
    """Return the heuristic `key` if it supports boards of rows x cols.

    Raises `UnknownNameError` and `UnfitHeuristicError`, which list the alternatives.
    """
    heuristic = find_heuristic(key)
    if not heuristic.fits(rows, cols):
        fitting = (other.key for other in heuristics().values() if other.fits(rows, cols))
        raise UnfitHeuristicError(
            f"the heuristic {heuristic.key} {heuristic.unfit} for {rows}x{cols}; choose from "
            f"{', '.join(fitting)}"
        )
    return heuristic


def _find(kind: str, key: str, known: Mapping[str, Entry]) -> Entry:
    if key not in known:
        raise UnknownNameError(
            f"there is no {kind} {quoted(str(key))}; the {kind}s are {', '.join(known)}"
        )
    return known[key]
