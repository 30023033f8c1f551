"""Estimates as mistaken programs work them out, from the cells of a board and of the goal."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def places(goal: bytes, cols: int) -> dict[int, tuple[int, int]]:
    """Return the row and column of each tile in the goal."""
    return {tile: divmod(cell, cols) for cell, tile in enumerate(goal)}


def distances(cells: bytes, goal: bytes, cols: int) -> list[tuple[int, int, int]]:
    """Return (tile, rows, columns from home) of each cell, the blank's too."""
    homes = places(goal, cols)
    found = []
    for cell, tile in enumerate(cells):
        row, col = divmod(cell, cols)
        found.append((tile, abs(row - homes[tile][0]), abs(col - homes[tile][1])))
    return found


def with_blank(cells: bytes, goal: bytes, cols: int) -> int:
    """Count the blank too."""
    return sum(down + right for _, down, right in distances(cells, goal, cols))


def blank_by_formula(*, truncates: bool) -> Callable[[bytes, bytes, int], int]:
    """Take the quotient and remainder of tile - 1 for homes, the blank's too.

    Java and C truncate -1 / n to 0, with the remainder -1; Python gives -1 and n - 1.
    """

    def h(cells: bytes, goal: bytes, cols: int) -> int:
        total = 0
        for cell, tile in enumerate(cells):
            row, col = (0, -1) if truncates and tile == 0 else divmod(tile - 1, cols)
            total += abs(cell // cols - row) + abs(cell % cols - col)
        return total

    return h


def without_last(cells: bytes, goal: bytes, cols: int) -> int:
    """Forget the last tile."""
    last = len(cells) - 1
    return sum(d + r for tile, d, r in distances(cells, goal, cols) if 0 < tile < last)


def without_first(cells: bytes, goal: bytes, cols: int) -> int:
    """Forget tile 1."""
    return sum(d + r for tile, d, r in distances(cells, goal, cols) if tile > 1)


def mixed(cells: bytes, goal: bytes, cols: int) -> int:
    """Hold rows against columns."""
    homes = places(goal, cols)
    total = 0
    for cell, tile in enumerate(cells):
        if tile:
            row, col = divmod(cell, cols)
            total += abs(row - homes[tile][1]) + abs(col - homes[tile][0])
    return total


def rows_only(cells: bytes, goal: bytes, cols: int) -> int:
    """Count rows alone."""
    return sum(down for tile, down, _ in distances(cells, goal, cols) if tile)


def columns_only(cells: bytes, goal: bytes, cols: int) -> int:
    """Count columns alone."""
    return sum(right for tile, _, right in distances(cells, goal, cols) if tile)


def chebyshev(cells: bytes, goal: bytes, cols: int) -> int:
    """Take the greater of rows and columns."""
    return sum(max(d, r) for tile, d, r in distances(cells, goal, cols) if tile)


def euclidean(cells: bytes, goal: bytes, cols: int) -> float:
    """Take the way as the crow flies."""
    return sum(math.hypot(d, r) for tile, d, r in distances(cells, goal, cols) if tile)


def squared(cells: bytes, goal: bytes, cols: int) -> int:
    """Add squares."""
    return sum(d * d + r * r for tile, d, r in distances(cells, goal, cols) if tile)


def signed(cells: bytes, goal: bytes, cols: int) -> int:
    """Take the absolute value too late."""
    homes = places(goal, cols)
    total = 0
    for cell, tile in enumerate(cells):
        if tile:
            total += abs(cell // cols - homes[tile][0] + cell % cols - homes[tile][1])
    return total


def by_index(cells: bytes, goal: bytes, cols: int) -> int:
    """Take differences of cell numbers."""
    return sum(abs(cell - goal.index(tile)) for cell, tile in enumerate(cells) if tile)


def misplaced(cells: bytes, goal: bytes, cols: int) -> int:
    """Count the misplaced tiles."""
    return sum(tile != home for tile, home in zip(cells, goal, strict=True) if tile)


def misplaced_with_blank(cells: bytes, goal: bytes, cols: int) -> int:
    """Count the blank where it is out of place."""
    return sum(tile != home for tile, home in zip(cells, goal, strict=True))


def at_home(cells: bytes, goal: bytes, cols: int) -> int:
    """Count the cells that are as in the goal."""
    return sum(tile == home for tile, home in zip(cells, goal, strict=True))


def tiles_at_home(cells: bytes, goal: bytes, cols: int) -> int:
    """Count the tiles that are at home."""
    return sum(tile == home for tile, home in zip(cells, goal, strict=True) if tile)


def manhattan_of(goal_like: str) -> Any:
    """Return the estimate for the goal with the blank `first` or `last`."""

    def value(cells: bytes, goal: bytes, cols: int) -> int:
        tiles = list(range(len(cells)))
        other = bytes(tiles if goal_like == "first" else [*tiles[1:], 0])
        return sum(d + r for tile, d, r in distances(cells, other, cols) if tile)

    return value


def misplaced_of(goal_like: str) -> Any:
    """Return the estimate for the goal with the blank `first` or `last`."""

    def value(cells: bytes, goal: bytes, cols: int) -> int:
        tiles = list(range(len(cells)))
        return misplaced(cells, bytes(tiles if goal_like == "first" else [*tiles[1:], 0]), cols)

    return value


def inversions(cells: bytes, goal: bytes, cols: int) -> int:
    """Count the inversions."""
    order = [goal.index(tile) for tile in cells if tile]
    return sum(b < a for n, a in enumerate(order) for b in order[n + 1 :])


def manhattan(cells: bytes, goal: bytes, cols: int) -> int:
    """Add rows and columns."""
    return sum(d + r for tile, d, r in distances(cells, goal, cols) if tile)


def nothing(cells: bytes, goal: bytes, cols: int) -> int:
    """Return 0."""
    return 0
