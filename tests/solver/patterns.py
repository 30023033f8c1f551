"""Pattern databases for the tests, built without the store and computed by a plain search."""

import math
from collections import deque
from itertools import permutations, product

import numpy as np

from slidewise.solver import compiling
from slidewise.solver.tables.patterns.database import PatternDatabase, ready
from slidewise.solver.tables.patterns.partition import Frame, Partition


def tables_of(partition):
    """Return the newly built tables of a partition."""
    compiling.load("patterns_build")
    from slidewise.solver.tables.patterns.build import build

    tables = []
    for _ in build(partition, tables.append):
        pass
    return np.concatenate(tables)


def database_of(goal, picture):
    """Return the pattern database of a partition that need not be listed."""
    partition = Partition(picture, 0)
    frame = Frame.of(goal)
    assert (partition.size, partition.blank) == ((frame.rows, frame.cols), frame.blank)
    return PatternDatabase(goal, frame, partition, ready(partition, tables_of(partition)))


def fewest_moves(rows, cols, group, blank):
    """Return the fewest moves of the tiles of `group` for all their arrangements.

    The search is over the cells of these tiles and of the blank. Other tiles move at no cost.
    """
    start = tuple(group), blank
    moves = {start: 0}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        tiles, cell = state
        for other in neighbours(rows, cols, cell):
            cost = other in tiles
            after = tuple(cell if tile == other else tile for tile in tiles), other
            if moves[state] + cost < moves.get(after, math.inf):
                moves[after] = moves[state] + cost
                (queue.append if cost else queue.appendleft)(after)
    fewest = {}
    for (tiles, _), count in moves.items():
        fewest[tiles] = min(count, fewest.get(tiles, count))
    return fewest


def neighbours(rows, cols, cell):
    row, col = divmod(cell, cols)
    steps = ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1))
    return [r * cols + c for r, c in steps if 0 <= r < rows and 0 <= c < cols]


def in_table_order(cells, size):
    """Yield the arrangements of `size` tiles in table order, each as the tiles' cells by slot.

    A table of up to 6 tiles has entries for two tiles in one cell.
    """
    if size <= 6:
        return product(range(cells), repeat=size)
    return permutations(range(cells), size)


def estimates(goal, partition, boards):
    """Return h of `boards`, looked up in the tables by their layout."""
    frame = Frame.of(goal)
    values = iter(tables_of(partition).tolist())
    tables = [
        dict(zip(in_table_order(len(goal.cells), len(group)), values, strict=False))
        for group in partition.groups
    ]
    return [
        max(
            sum(
                table[
                    tuple(
                        cell_map[board.cells.index(goal.cells[cell_map.index(home)])]
                        for home in group
                    )
                ]
                for group, table in zip(partition.groups, tables, strict=True)
            )
            for cell_map in frame.views
        )
        for board in boards
    ]
