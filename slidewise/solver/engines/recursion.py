"""Recursive best-first search: arrays for its kernel.

Importing this module loads numpy and the compiled functions: do it where a search runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidewise.solver import compiling
from slidewise.solver.engines.one_path import OUTCOMES, OnePathSearch
from slidewise.solver.events import LOWEST_F
from slidewise.solver.kernels import steps
from slidewise.solver.pace import Outcome

if TYPE_CHECKING:
    from slidewise.solver.task import Task


class BestFirstRecursion(OnePathSearch):
    """Recursive best-first search, whose `limit` is the greatest f of a node that it took."""

    _kind = LOWEST_F

    def __init__(self, task: Task) -> None:
        super().__init__(task, compiling.load("rbfs"))
        self._counts[steps.LIMIT] = self._h
        self._put_start()
        self._path[0, [self._kernel.RANK, self._kernel.BOUND]] = self._h, steps.INFINITE

    @property
    def limit(self) -> int:
        """Return the greatest stored f of a node taken."""
        return int(self._counts[steps.LIMIT])

    def advance(self, budget: int) -> Outcome:
        """Expand up to `budget` nodes, under one limit; say how that ended."""
        code = self._run(budget, self._depth)
        if code == self._kernel.PATH_FULL:
            self._add_levels(2 * len(self._path))
        return Outcome.EMPTY if code == self._kernel.DONE else OUTCOMES[code]

    def _number(self, level: int) -> int:
        return int(self._path[level, steps.NUMBER])

    def _f(self, level: int) -> int:
        return int(self._path[level, self._kernel.RANK])

    def _successor_f(self, own: int, stored: int, total: int) -> int:
        return max(stored, total) if stored > own else total
