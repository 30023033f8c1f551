"""Breadth-first search over NumPy arrays, as in course notebooks."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Cells = NDArray[np.int64]

DIRECTIONS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def breadth_first(start: Cells, goal: Cells) -> list[str]:
    """Return the blank's moves on a shortest path."""
    frontier: deque[tuple[Cells, list[str]]] = deque([(start, [])])
    reached = {tuple(start.flatten())}
    while frontier:
        board, path = frontier.popleft()
        if np.array_equal(board, goal):
            return path
        for name, after in successors(board):
            key = tuple(after.flatten())
            if key not in reached:
                reached.add(key)
                frontier.append((after, [*path, name]))
    raise ValueError("the goal cannot be reached")


def successors(board: Cells) -> list[tuple[str, Cells]]:
    """Return the boards one move away, each with the blank's direction."""
    row, col = np.argwhere(board == 0)[0]
    found = []
    for name, (down, right) in DIRECTIONS.items():
        there = row + down, col + right
        if 0 <= there[0] < board.shape[0] and 0 <= there[1] < board.shape[1]:
            after = np.copy(board)
            after[row, col], after[there] = after[there], after[row, col]
            found.append((name, after))
    return found
