"""The search that finds the distances of all boards of one size to a goal, in NumPy.

`solver/tables/exact.py` says how boards are numbered. A block is the boards with the blank in one
cell: the first block has it in the last cell, and in each the boards stand in the order of their
sequences. A tile that moves sideways changes no sequence, so it leads to the same place of the
next block; one that moves up or down goes past the tiles between its two cells, which is the same
change of places for all boards of a block.

So a move of all boards of a block that are equally far is one look-up. That takes less time than
a compiled loop that moves board by board, and nothing has to be compiled before the first answer.

Importing this module loads numpy.
"""

from __future__ import annotations

import functools
from math import factorial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from slidewise.solver.tables.order import UNREACHABLE, rank_of_arrangement

if TYPE_CHECKING:
    from collections.abc import Iterator

Uint8s = NDArray[np.uint8]
Int32s = NDArray[np.int32]

WAYS = ("up", "down", "left", "right")
"""Where the blank can go from a cell."""


def distances(rows: int, cols: int, blank: int, *, slides: bool = False) -> Uint8s:
    """Return the distance of each board to the goal with the blank in cell `blank`: in moves, or
    in slides of whole lines."""
    tiles = rows * cols - 1
    values = np.full(factorial(tiles + 1), UNREACHABLE, dtype=np.uint8)
    blocks = values.reshape(tiles + 1, -1)[::-1]  # by the cell of the blank
    blocks[blank, 0] = 0
    moves = _moves(rows, cols)
    longest = max(rows, cols) - 1 if slides else 1
    frontier = {blank: np.zeros(1, dtype=np.int32)}
    distance = 0
    while frontier:
        distance += 1
        found: dict[int, list[Int32s]] = {}
        for start, way in ((start, way) for start in frontier for way in WAYS):
            cell, after = start, frontier[start]
            for _ in range(longest):
                if way not in moves[cell]:
                    break
                cell, change = moves[cell][way]
                after = after if change is None else change[after]
                new = after[blocks[cell, after] == UNREACHABLE]
                blocks[cell, new] = distance
                found.setdefault(cell, []).append(new)
        joined = {cell: np.concatenate(parts) for cell, parts in found.items()}
        frontier = {cell: places for cell, places in joined.items() if len(places)}
    return values


def arranged(values: Uint8s, tiles: int) -> Uint8s:
    """Return the distances of all boards in the order of the cells of their tiles, by slot.

    That is the lexicographic order that the tables of `kernels/patterns.py` are in.
    """
    table = np.empty_like(values)
    everything = sequences(tiles)
    cells = np.empty_like(everything)
    along = np.arange(everything.shape[1])
    for blank, block in enumerate(values.reshape(tiles + 1, -1)[::-1]):
        for place, slots in enumerate(everything):
            cells[slots, along] = place + (place >= blank)
        table[_ranks(cells, tiles + 1)] = block
    return table


@functools.lru_cache(maxsize=2)
def sequences(length: int) -> Uint8s:
    """Return all sequences of 0..length-1 in lexicographic order, one in each column.

    >>> sequences(2).tolist()
    [[0, 1], [1, 0]]
    """
    if not length:
        return np.zeros((0, 1), dtype=np.uint8)
    rest = sequences(length - 1)
    parts = [
        np.vstack([np.full(rest.shape[1], first, dtype=np.uint8), rest + (rest >= first)])
        for first in range(length)
    ]
    return np.ascontiguousarray(np.hstack(parts))


def _moves(rows: int, cols: int) -> list[dict[str, tuple[int, Int32s | None]]]:
    """Return for each cell where the blank can go from it, by the way that it goes, and how
    places change by that."""
    downward = list(_changes(rows * cols - 1, cols))
    upward = [np.argsort(change).astype(np.int32) for change in downward]
    moves: list[dict[str, tuple[int, Int32s | None]]] = []
    for cell in range(rows * cols):
        row, col = divmod(cell, cols)
        ways: dict[str, tuple[int, Int32s | None]] = {}
        if row > 0:  # the tile above comes down
            ways["up"] = cell - cols, downward[cell - cols]
        if row < rows - 1:
            ways["down"] = cell + cols, upward[cell]
        if col > 0:
            ways["left"] = cell - 1, None
        if col < cols - 1:
            ways["right"] = cell + 1, None
        moves.append(ways)
    return moves


def _changes(tiles: int, cols: int) -> Iterator[Int32s]:
    """Yield for each first cell where each sequence goes when the tile there comes down."""
    everything = sequences(tiles)
    order = list(range(tiles))
    for start in range(tiles - cols + 1):
        end = start + cols
        moved = [*order[:start], *order[start + 1 : end], start, *order[end:]]
        yield _ranks(everything[moved], tiles)


def _ranks(arrangements: Uint8s, count: int) -> Int32s:
    """Return the rank of each column, some of 0..count-1, in the lexicographic order of all."""
    ranks: Int32s = rank_of_arrangement(list(arrangements.astype(np.int32)), count)
    return ranks
