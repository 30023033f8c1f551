"""Iterative deepening, by depth or by f: arrays for its kernel.

Importing this module loads numpy and the compiled functions: do it where a search runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidewise.solver import compiling
from slidewise.solver.engines.one_path import OUTCOMES, OnePathSearch
from slidewise.solver.events import DEPTH_LIMIT, F_LIMIT
from slidewise.solver.kernels import patterns, steps
from slidewise.solver.pace import Outcome

if TYPE_CHECKING:
    from slidewise.solver.task import Task


class Deepening(OnePathSearch):
    """Depth-first search again and again, within a limit that rises.

    With `uses_h` the limit is on f = g + h: at first h of the start, then the lowest f that was
    above the one before. Else it is on g: 0, 1, 2 and so on.
    """

    def __init__(self, task: Task, *, uses_h: bool) -> None:
        super().__init__(task, compiling.load("deepening"))
        self._uses_h = uses_h
        self._kind = F_LIMIT if uses_h else DEPTH_LIMIT
        self._limit = self._h if uses_h else 0
        self._begin()

    @property
    def _columns(self) -> int:
        patterned = len(self._patterns.cell_maps) > 0
        return int(self._kernel.PATTERN_COLUMNS if patterned else self._kernel.PATH_COLUMNS)

    @property
    def limit(self) -> int:
        """Return the limit of the iteration under way."""
        return self._limit

    def advance(self, budget: int) -> Outcome:
        """Expand up to `budget` nodes, all of one iteration; say how that ended."""
        code = self._run(budget, self._limit, self._depth if self._uses_h else self._limit)
        if code != self._kernel.DONE:
            return OUTCOMES[code]
        following = int(self._counts[steps.LIMIT]) if self._uses_h else self._limit + 1
        if following == steps.INFINITE:
            return Outcome.EMPTY
        self._limit = following
        self._begin()
        return Outcome.RUNNING

    def _number(self, level: int) -> int:
        if level == 0:
            return int(self._path[0, steps.NUMBER])
        above = self._path[level - 1]
        return int(above[steps.FIRST_KEPT] + above[self._kernel.NEXT]) - 1

    def _f(self, level: int) -> int:
        return level + int(self._path[level, steps.ESTIMATE])

    def _begin(self) -> None:
        if len(self._path) <= self._limit + 1:  # as g is never above the limit
            self._add_levels(2 * self._limit)
        self._counts[steps.LIMIT] = steps.INFINITE
        self._put_start()
        self._path[0, steps.SINGLE] = self._single
        views = len(self._patterns.cell_maps)
        if views:
            sums = self._state[:, patterns.VALUE].reshape(views, -1).sum(axis=1)
            self._path[0, self._kernel.VIEWS : self._kernel.VIEWS + views] = sums
