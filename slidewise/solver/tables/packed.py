"""The exact distances of all boards as bytes, to be looked up where NumPy is not to be loaded.

Boards have the numbers of `tables/exact.py`. Those numbered 2k and 2k+1 differ in that their last
two tiles are swapped, so that just one of them reaches the goal: byte k holds its distance.
"""

from __future__ import annotations

from functools import lru_cache
from math import factorial
from typing import TYPE_CHECKING

from slidewise.solver.tables.exact import BLANK_WAYS, exact_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slidewise.puzzle import Board, Puzzle


def packed_distances(goal: Board) -> bytes:
    """Return the distances of all boards to `goal`, or to another with its size and its blank.

    They take 181 kB on 3x3 and 1.8 MB for 10 cells. Raises `TooManyCellsError` above 10 cells.
    """
    pairs = exact_table(goal).values.reshape(-1, 2)
    packed: bytes = pairs.min(axis=1).tobytes()  # the other is `UNREACHABLE`, the largest value
    return packed


def packed_distance(puzzle: Puzzle, packed: bytes) -> int:
    """Return the moves of a shortest solution of `puzzle`, which must be solvable.

    >>> from slidewise import parse_puzzle
    >>> puzzle = parse_puzzle("7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8")
    >>> packed_distance(puzzle, packed_distances(puzzle.goal))
    26
    """
    return packed[_place(puzzle.start.cells, _slots(puzzle.goal))]


def packed_next_tile(puzzle: Puzzle, packed: bytes) -> int | None:
    """Return the tile that a shortest solution of `puzzle`, which must be solvable, moves first;
    None at the goal. Of several it is the first in the order blank up, down, left, right."""
    board, slots = puzzle.start, _slots(puzzle.goal)
    distance = packed[_place(board.cells, slots)]
    for way in BLANK_WAYS:
        cell = board.source(way)
        if cell is not None:
            after = list(board.cells)
            after[board.blank], after[cell] = after[cell], 0
            if packed[_place(after, slots)] < distance:
                return board.cells[cell]
    return None


def _place(cells: Sequence[int], slots: Mapping[int, int]) -> int:
    """Return the place of a board's distance, half of the board's number."""
    left = sorted(slots.values())
    tiles, rank = len(left), 0
    for tile in cells:
        if tile:
            lower = left.index(slots[tile])
            rank = rank * len(left) + lower
            del left[lower]
    return ((tiles - cells.index(0)) * factorial(tiles) + rank) // 2


@lru_cache(maxsize=64)
def _slots(goal: Board) -> Mapping[int, int]:
    """Return the place of each tile's home among those of all tiles."""
    return {tile: slot for slot, tile in enumerate(tile for tile in goal.cells if tile)}
