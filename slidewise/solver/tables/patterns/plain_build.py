"""Construction of small tables in plain Python, if there is no compiler."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from slidewise.puzzle.board import neighbour_cells
from slidewise.solver.tables.patterns.partition import Partition, is_spread

if TYPE_CHECKING:
    from slidewise.solver.kernels.jit import Uint8s

MAX_STATES = 200_000
"""Maximum arrangements of a group with the blank, 0.5 s, enough for 10 cells."""


def is_small(partition: Partition) -> bool:
    """Return whether the tables of a partition are built in about a second."""
    rows, cols = partition.size
    return all(
        is_spread(len(group)) and math.perm(rows * cols, len(group) + 1) <= MAX_STATES
        for group in partition.groups
    )


def build(partition: Partition) -> Uint8s:
    """Return the tables of a small partition, spread."""
    rows, cols = partition.size
    cells = rows * cols
    tables = []
    for group in partition.groups:
        table = np.zeros((cells,) * len(group), dtype=np.uint8)
        for places, moves in _fewest_moves(rows, cols, group, partition.blank).items():
            table[places] = moves
        tables.append(table.ravel())
    return np.concatenate(tables)


def _fewest_moves(
    rows: int, cols: int, group: Sequence[int], blank: int
) -> dict[tuple[int, ...], int]:
    """Return the moves of a group's tiles from each of their arrangements.

    Breadth-first search backwards over their cells and the blank's. Other tiles move for free.
    """
    ways = neighbour_cells(rows, cols)
    goal = tuple(group), blank
    moves = {goal: 0}
    waiting = deque([goal])
    while waiting:
        state = waiting.popleft()
        tiles, cell = state
        for other in ways[cell]:
            is_free = other not in tiles
            after = tuple(cell if tile == other else tile for tile in tiles), other
            total = moves[state] + (not is_free)
            if total < moves.get(after, total + 1):
                moves[after] = total
                # A move of cost 0 goes to the front, so that the queue stays in order of cost.
                (waiting.appendleft if is_free else waiting.append)(after)
    fewest: dict[tuple[int, ...], int] = {}
    for (tiles, _), total in moves.items():
        fewest[tiles] = min(total, fewest.get(tiles, total))
    return fewest
