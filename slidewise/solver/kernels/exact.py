"""The compiled loop that works out the distances of all boards of one size to a goal.

`solver/tables/exact.py` says how boards are numbered. A block is the boards with the blank in one
cell: the first block has it in the last cell, and in each the boards stand in the order of their
sequences. A tile that moves sideways changes no sequence, so it leads to the same place of the
next block; one that moves up or down goes past the tiles between its two cells.

So for half of all moves no place is worked out: the board is a block further on or back. And as
boards are numbers without a gap, a byte for each and a queue of half of them is all the memory
that the search takes.
"""

from __future__ import annotations

import numpy as np
from numba import int32, int64, types, uint8, void

from slidewise.solver.kernels.arrays import Int32s, Int64s, Uint8s
from slidewise.solver.kernels.jit import entry_point, helper


@helper
def _read(place: int, sequence: Int64s) -> None:
    """Write into `sequence` the one at `place` in the order of all sequences."""
    length = sequence.shape[0]
    for first in range(length - 1, -1, -1):
        left = length - first
        sequence[first] = place % left
        place //= left
        for later in range(first + 1, length):
            sequence[later] += sequence[later] >= sequence[first]


@helper
def _place(sequence: Int64s) -> int:
    """Return the place of `sequence` in the order of all."""
    length = sequence.shape[0]
    place = 0
    for first in range(length):
        smaller = 0
        for later in range(first + 1, length):
            smaller += sequence[later] < sequence[first]
        place = place * (length - first) + smaller
    return place


@helper
def _move(sequence: Int64s, start: int, end: int, moved: Int64s) -> None:
    """Write into `moved` the sequence whose tile at `start` has gone to `end`."""
    step = 1 if end > start else -1
    # A loop: for `moved[:] = sequence` numba compiles an error message too, for three seconds.
    for place in range(sequence.shape[0]):
        moved[place] = sequence[place]
    for place in range(start, end, step):
        moved[place] = sequence[place + step]
    moved[end] = sequence[start]


@entry_point(int64(int64, int64, int64, uint8[::1], int32[::1]), makes_arrays=True)
def fill(rows: int, cols: int, start: int, values: Uint8s, queue: Int32s) -> int:
    """Set the distance of each board that board number `start` can reach; return how many.

    `values` holds a number above all distances for each board; `queue` has room for half of them.
    """
    tiles = rows * cols - 1
    block = values.shape[0] // (tiles + 1)
    sequence = np.zeros(tiles, dtype=np.int64)
    moved = np.zeros(tiles, dtype=np.int64)
    values[start] = 0
    queue[0] = start
    reached = 1
    done = 0
    while done < reached:
        board = queue[done]
        done += 1
        distance = values[board] + 1
        blank = tiles - board // block
        place = board % block
        row = blank // cols
        col = blank % cols
        _read(place, sequence)
        for side in range(4):
            if side == 0 and row > 0:  # the tile above comes down
                _move(sequence, blank - cols, blank - 1, moved)
                board = (tiles - blank + cols) * block + _place(moved)
            elif side == 1 and row < rows - 1:
                _move(sequence, blank + cols - 1, blank, moved)
                board = (tiles - blank - cols) * block + _place(moved)
            elif side == 2 and col > 0:
                board = (tiles - blank + 1) * block + place
            elif side == 3 and col < cols - 1:
                board = (tiles - blank - 1) * block + place
            else:
                continue
            if values[board] > distance:
                values[board] = distance
                queue[reached] = board
                reached += 1
    return reached


@entry_point(void(types.Array(uint8, 1, "C", readonly=True), uint8[::1], int64), makes_arrays=True)
def arrange(values: Uint8s, table: Uint8s, tiles: int) -> None:
    """Put the distances of all boards in the order of the cells of their tiles, by slot.

    That is the lexicographic order that the tables of `kernels/patterns.py` are in.
    """
    block = values.shape[0] // (tiles + 1)
    sequence = np.zeros(tiles, dtype=np.int64)
    cells = np.zeros(tiles, dtype=np.int64)
    for board in range(values.shape[0]):
        blank = tiles - board // block
        _read(board % block, sequence)
        for place in range(tiles):
            cells[sequence[place]] = place + (place >= blank)
        index = 0
        for slot in range(tiles):
            lower = 0
            for before in range(slot):
                lower += cells[before] < cells[slot]
            index = index * (tiles + 1 - slot) + cells[slot] - lower
        table[index] = values[board]


READY = True  # all of the above is compiled
