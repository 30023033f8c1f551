"""Where a goal finds its tables: turned and mirrored so that few goals need their own.

A tile is named by its home cell, so that all goals with the blank in one cell are one. Of the
cells that rotations and reflections take into each other the smallest stands for all.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise.puzzle import Board

CellMap = tuple[int, ...]


@dataclass(frozen=True)
class Frame:
    """The size and the blank cell of the tables, and the views that a board has of them.

    A view is the table cell of each board cell, under which the goal's blank is in `blank`.
    Square boards with the blank on the main diagonal have a second one, the reflection in it.

    >>> from slidewise import standard_goal
    >>> frame = Frame.of(standard_goal(2, 3))
    >>> frame.blank, frame.views
    (0, ((5, 4, 3, 2, 1, 0),))
    """

    rows: int
    cols: int
    blank: int
    views: tuple[CellMap, ...]

    @classmethod
    @functools.lru_cache(maxsize=64)
    def of(cls, goal: Board) -> Frame:
        """Return the frame of a goal. Tables never have more rows than columns."""
        rows, cols = sorted(goal.size)
        view = min(symmetries(*goal.size), key=lambda cells: cells[goal.blank])
        blank = view[goal.blank]
        views = [view]
        if rows == cols and blank % (cols + 1) == 0:
            views.append(tuple(cell % cols * cols + cell // cols for cell in view))
        return cls(rows, cols, blank, tuple(views))


def symmetries(rows: int, cols: int) -> Iterator[CellMap]:
    """Yield the ways to lay a board on the grid of its tables: the table cell of each board cell.

    They come in a fixed order, so that a goal has the same view at all times.
    """
    upright = {rows <= cols, rows < cols}  # a square lies both ways, the board itself first
    for is_upright, flipped, mirrored in product(
        sorted(upright, reverse=True), (False, True), (False, True)
    ):
        cells = []
        for row, col in product(range(rows), range(cols)):
            new_row = rows - 1 - row if flipped else row
            new_col = cols - 1 - col if mirrored else col
            cells.append(new_row * cols + new_col if is_upright else new_col * rows + new_row)
        yield tuple(cells)
