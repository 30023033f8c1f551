"""The form of heuristics that add up what each tile, taken alone, contributes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from webapp.puzzle import Board


@dataclass(frozen=True, slots=True)
class TileTable:
    """Look-up tables of one tile each: `rows[tile][cell]` is what `tile` adds to h in `cell`.

    A move changes the entry of one tile only. The blank adds nothing, wherever it is: it is no
    tile that has to be moved, and counting it would make h greater than the true distance.
    """

    rows: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, goal: Board, estimate: Callable[[int, int], int]) -> TileTable:
        """Return the table with `estimate(home, cell)` for each tile, `home` its cell in `goal`."""
        cells = range(len(goal.cells))
        home = {tile: cell for cell, tile in enumerate(goal.cells)}
        blank = (0,) * len(cells)
        tiles = (tuple(estimate(home[tile], cell) for cell in cells) for tile in cells[1:])
        return cls((blank, *tiles))

    @property
    def highest(self) -> int:
        """Return a value that h never exceeds."""
        return sum(max(row) for row in self.rows)

    def value(self, board: Board) -> int:
        """Return h of `board`."""
        return sum(self.rows[tile][cell] for cell, tile in enumerate(board.cells))
