"""IDA* by slides, for boards of 11 to 16 cells: the limit on slides grows until a path is found.

Importing this module loads numpy and the compiled functions: do it where a search runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slidewise.solver.kernels import slides as kernel
from slidewise.solver.tables.walking import kind, state_of, walking

if TYPE_CHECKING:
    from slidewise.puzzle import Puzzle


EXACT_WEIGHT = 10
"""The weight of h, in tenths, with which a path that is found has the fewest slides."""


class SlideDeepening:
    """The search for one puzzle, which must be solvable and not solved.

    With `EXACT_WEIGHT` no solution has fewer slides than `limit`, and the first path that is found
    is one of fewest. With a greater `weight` one is found sooner.
    """

    def __init__(self, puzzle: Puzzle, weight: int = EXACT_WEIGHT) -> None:
        self._weight = weight
        start, goal = puzzle.start, puzzle.goal
        self._size = rows, cols = start.size
        by_rows = walking(rows, cols, goal.blank // cols)
        by_cols = walking(cols, rows, goal.blank % cols)
        self._states = (
            by_rows.numbers[state_of(start, goal, columns=False)],
            by_cols.numbers[state_of(start, goal, columns=True)],
        )
        homes = np.array([goal.cells.index(tile) for tile in range(len(goal.cells))])
        self._start = start
        self._arrays = kernel.SlideArrays(
            home=homes,
            row_kind=np.array([kind(cell // cols, rows) for cell in homes.tolist()]),
            col_kind=np.array([kind(cell % cols, cols) for cell in homes.tolist()]),
            row_slides=by_rows.slides,
            row_after=by_rows.after,
            col_slides=by_cols.slides,
            col_after=by_cols.after,
            board=np.array(start.cells, dtype=np.int64),
            path=np.zeros((1, kernel.COLUMNS), dtype=np.int64),
            counts=np.zeros(2, dtype=np.int64),
        )
        up_down, across = (
            int(table.slides[state])
            for table, state in zip((by_rows, by_cols), self._states, strict=True)
        )
        self._begin(max(up_down + across, 2 * max(up_down, across) - 1, 0))

    @property
    def expanded(self) -> int:
        """Return the number of boards looked at."""
        return int(self._arrays.counts[kernel.EXPANDED])

    def advance(self, budget: int) -> list[int] | None:
        """Look at up to `budget` boards; return the cells of the blank on a path, once there is
        one."""
        ended = kernel.search_slides(self._arrays, *self._size, self._weight, self.limit, budget)
        if ended == kernel.FOUND:
            level = int(self._arrays.counts[kernel.LEVEL])
            blanks: list[int] = self._arrays.path[: level + 1, kernel.BLANK].tolist()
            return blanks
        if ended == kernel.DONE:
            self._begin(self.limit + 1)
        return None

    def _begin(self, limit: int) -> None:
        """Begin anew from the start, with a path of up to `limit` slides."""
        self.limit = limit
        path = np.zeros((limit + 1, kernel.COLUMNS), dtype=np.int64)
        path[0] = self._start.blank, 0, sum(self._size), *self._states
        self._arrays = self._arrays._replace(
            path=path, board=np.array(self._start.cells, dtype=np.int64)
        )
        self._arrays.counts[kernel.LEVEL] = 0
