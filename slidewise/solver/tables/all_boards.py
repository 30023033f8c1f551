"""Breadth-first search for the distances of all boards of a size to a goal, in NumPy.

`solver/tables/exact.py` describes the numbering. A block holds the boards with the blank in the
same cell, in the order of their sequences. The first block has the blank in the last cell. A
sideways move changes no sequence, so it leads to the same index in the next block. A vertical move
passes the tiles between its two cells, the same permutation of indices for all boards of a block.

So a single look-up moves all equally distant boards of a block. That is faster than a compiled loop
over boards, and needs no compilation.

Importing this module loads numpy.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from itertools import count
from math import factorial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from slidewise.solver.tables.order import UNREACHABLE, rank_of_arrangement

if TYPE_CHECKING:
    from slidewise.puzzle import Board
    from slidewise.solver.kernels.jit import Int64s


Uint8s = NDArray[np.uint8]
Int32s = NDArray[np.int32]

WAYS = ("up", "down", "left", "right")
"""Moves of the blank from a cell."""


def distances(rows: int, cols: int, blank: int, *, slides: bool = False) -> Uint8s:
    """Return the moves or slides of each board to the goal with the blank in cell `blank`."""
    tiles = rows * cols - 1
    values = np.full(factorial(tiles + 1), UNREACHABLE, dtype=np.uint8)
    blocks = values.reshape(tiles + 1, -1)[::-1]  # indexed by the blank's cell
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
                # Within a direction all boards are different, so no board is entered twice.
                new = after[blocks[cell, after] == UNREACHABLE]
                blocks[cell, new] = distance
                found.setdefault(cell, []).append(new)
        joined = {cell: np.concatenate(parts) for cell, parts in found.items()}
        frontier = {cell: places for cell, places in joined.items() if len(places)}
    return values


def arranged(values: Uint8s, tiles: int) -> Uint8s:
    """Return the distances of all boards, ordered by the cells of their tiles in slot order.

    This is the lexicographic order of the tables in `kernels/patterns.py`.
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
    """Return all sequences of 0..length-1 in lexicographic order, as columns.

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
    """Return the blank's next cells by direction for each cell, with the permutation of indices."""
    downward = list(_changes(rows * cols - 1, cols))
    # The way back is the inverse permutation.
    upward = [np.argsort(change).astype(np.int32) for change in downward]
    moves: list[dict[str, tuple[int, Int32s | None]]] = []
    for cell in range(rows * cols):
        row, col = divmod(cell, cols)
        ways: dict[str, tuple[int, Int32s | None]] = {}
        if row > 0:  # the tile above moves down
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
    """Yield, for each first cell, the new index of each sequence after its tile moves down."""
    everything = sequences(tiles)
    order = list(range(tiles))
    for start in range(tiles - cols + 1):
        end = start + cols
        moved = [*order[:start], *order[start + 1 : end], start, *order[end:]]
        yield _ranks(everything[moved], tiles)


def _ranks(arrangements: Uint8s, count: int) -> Int32s:
    """Return the lexicographic rank of each column, an arrangement of some of 0..count-1."""
    ranks: Int32s = rank_of_arrangement(list(arrangements.astype(np.int32)), count)
    return ranks


NOWHERE = -1
"""Marker of a missing state."""

KINDS = {5: 3, 6: 3, 7: 3, 8: 2}
"""Kinds of goal lines by the number of lines, up to 4 of which each have their own kind. Fewer
kinds limit the states to about 30,000 and the time to 1 s."""

State = tuple[tuple[int, ...], ...]
"""Number of tiles of each kind of goal line in each line."""


class Walking(NamedTuple):
    """State graph of an axis.

    `numbers` maps states to numbers. `slides` (states,) are the slides from each state to the goal.
    `after` (states, 2, kinds) is the next state if a tile of a kind enters the blank's line from
    the line before (0) or behind (1).
    """

    numbers: dict[State, int]
    slides: Int64s
    after: Int64s


@functools.lru_cache(maxsize=8)
def walking(lines: int, length: int, blank: int) -> Walking:
    """Return the states of an axis with the goal's blank in line `blank`."""
    kinds = [kind(line, lines) for line in range(lines)]
    goal = tuple(
        tuple((length - (line == blank)) * (kinds[line] == of) for of in range(kinds[-1] + 1))
        for line in range(lines)
    )
    numbers, order = {goal: 0}, [goal]
    rows = []
    for state in order:  # the list grows during the loop
        row = [[NOWHERE] * (kinds[-1] + 1) for _ in range(2)]
        for side, of, after in _state_moves(state, length):
            if after not in numbers:
                numbers[after] = len(order)
                order.append(after)
            row[side][of] = numbers[after]
        rows.append(row)
    after_all = np.array(rows, dtype=np.int64)
    return Walking(numbers, _slides(after_all, lines - 1), after_all)


def state_of(board: Board, goal: Board, *, columns: bool) -> State:
    """Return the row or column state of `board`."""
    lines = board.cols if columns else board.rows
    line = [cell % board.cols if columns else cell // board.cols for cell in range(len(goal.cells))]
    found = [[0] * (kind(lines - 1, lines) + 1) for _ in range(lines)]
    for tile in range(1, len(goal.cells)):
        found[line[board.cells.index(tile)]][kind(line[goal.cells.index(tile)], lines)] += 1
    return tuple(map(tuple, found))


def kind(line: int, lines: int) -> int:
    """Return the kind of a goal line.

    >>> [kind(line, 4) for line in range(4)], [kind(line, 5) for line in range(5)]
    ([0, 1, 2, 3], [0, 0, 1, 1, 2])
    """
    return line * KINDS.get(lines, lines) // lines


def _state_moves(state: State, length: int) -> Iterator[tuple[int, int, State]]:
    blank = next(line for line, tiles in enumerate(state) if sum(tiles) < length)
    for side, other in enumerate((blank - 1, blank + 1)):
        if not 0 <= other < len(state):
            continue
        for of, tiles in enumerate(state[other]):
            if tiles:
                lines = [list(line) for line in state]
                lines[other][of] -= 1
                lines[blank][of] += 1
                yield side, of, tuple(map(tuple, lines))


def _slides(after: Int64s, longest: int) -> Int64s:
    """Return the slides from each state to the first, which equal the slides in reverse.

    A slide is several moves in the same direction.
    """
    slides = np.full(len(after), NOWHERE, dtype=np.int64)
    layer = np.zeros(1, dtype=np.int64)
    slides[0] = 0
    for distance in count(1):
        found = []
        for side in range(2):
            on = layer
            for _ in range(longest):
                on = np.unique(after[on, side])
                on = on[on != NOWHERE]
                found.append(on[slides[on] == NOWHERE])
        layer = np.unique(np.concatenate(found))
        if not len(layer):
            return slides
        slides[layer] = distance
    raise AssertionError("a layer is empty at last")
