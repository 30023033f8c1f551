"""All boards that can reach a goal, in blocks with the blank in one cell.

Boards are ordered by their numbers in an `ExactTable`, for 10 cells 10 blocks of 181,440 boards. A
property of a block is an array with an integer for each board.

Importing this module loads numpy.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from slidewise.solver.tables.all_boards import sequences
from slidewise.solver.tables.exact import exact_table
from slidewise.solver.tables.order import UNREACHABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from slidewise.puzzle import Board

Uint8s = NDArray[np.uint8]
Whole = NDArray[np.int64]


def blocks(goal: Board) -> Iterator[Block]:
    """Yield the blocks of boards that can reach `goal`, the blank in the last cell first."""
    for blank in reversed(range(len(goal.cells))):
        yield Block(goal, blank)


class Block:
    """The boards that can reach `goal` and have the blank in cell `blank`.

    `numbers` are the boards' numbers in an `ExactTable`, and `distances` those to the goal.
    `sequence` has a row for each occupied cell in reading order, with the slots of its tiles.
    `cells` has a row for each slot, with the cells of its tile. A tile's slot is the rank of its
    home cell among all homes. With `only`, a board's number, the block holds just that board.
    """

    goal: Board
    blank: int

    def __init__(self, goal: Board, blank: int, only: int | None = None) -> None:
        self.goal, self.blank = goal, blank
        everything = sequences(len(goal.cells) - 1)
        first = (len(everything) - blank) * everything.shape[1]
        values = exact_table(goal).values[first : first + everything.shape[1]]
        places = np.flatnonzero(values != UNREACHABLE)
        if only is not None:
            places = np.array([only - first])
        self.numbers = places + first
        self.distances = values[places]
        self.sequence = everything[:, places]
        self.homes = np.array([cell for cell, tile in enumerate(goal.cells) if tile])
        self.cells = np.empty_like(self.sequence)
        along = np.arange(len(places))
        for place, slots in enumerate(self.sequence):
            self.cells[slots, along] = place + (place >= blank)

    def sum_of_tiles(self, estimate: Callable[[int, int], float]) -> NDArray[np.float64]:
        """Return the sum of `estimate(home, cell)` over the tiles."""
        total = np.zeros(len(self.numbers))
        for of_tile in self.of_tiles(estimate):
            total += of_tile
        return total

    def of_tiles(self, estimate: Callable[[int, int], float]) -> Iterator[NDArray[np.float64]]:
        """Yield `estimate(home, cell)` of each tile."""
        cells = range(len(self.goal.cells))
        for home, where in zip(self.homes.tolist(), self.cells, strict=True):
            yield np.array([float(estimate(home, cell)) for cell in cells])[where]

    @functools.cached_property
    def content(self) -> Uint8s:
        """Return a row for each cell with the home of its tile or blank."""
        content = np.insert(self.homes[self.sequence], self.blank, self.goal.blank, axis=0)
        return content.astype(np.uint8)
