"""Boards as the words of a kernel's states, and which cells are beside each other.

Importing this module loads numpy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slidewise.puzzle import Board
from slidewise.solver.limits import words

if TYPE_CHECKING:
    from slidewise.solver.kernels.arrays import Int32s, Uint64s


def neighbours(rows: int, cols: int) -> Int32s:
    """Return the cells above, below, left and right of each cell, -1 for none: (cells, 4)."""
    grid = np.full((rows + 2, cols + 2), -1, dtype=np.int32)
    grid[1:-1, 1:-1] = np.arange(rows * cols).reshape(rows, cols)
    sides = grid[:-2, 1:-1], grid[2:, 1:-1], grid[1:-1, :-2], grid[1:-1, 2:]
    return np.ascontiguousarray(np.stack([side.ravel() for side in sides], axis=1))


def pack(board: Board) -> Uint64s:
    """Return the words of `board`: 4 bits a cell up to 16 cells, else 8, lowest bits first."""
    bits = 4 if len(board.cells) <= 16 else 8
    value = sum(tile << bits * cell for cell, tile in enumerate(board.cells))
    data = value.to_bytes(8 * words(len(board.cells)), "little")
    return np.frombuffer(data, dtype="<u8").astype(np.uint64)


def unpack(state: Uint64s, rows: int, cols: int) -> Board:
    """Return the board of the words `state`, the inverse of `pack`.

    >>> from slidewise import standard_goal
    >>> str(unpack(pack(standard_goal(2, 3)), 2, 3))
    '1.2.3-4.5.0'
    """
    bits = 4 if rows * cols <= 16 else 8
    value = int.from_bytes(state.astype("<u8").tobytes(), "little")
    mask = (1 << bits) - 1
    return Board(rows, cols, tuple(value >> bits * cell & mask for cell in range(rows * cols)))
