"""Pattern databases for the tests: made without the store, and worked out by a plain search."""

from __future__ import annotations

import math
from collections import deque
from itertools import combinations, permutations

import numpy as np

from webapp.search import kernels
from webapp.search.patterns.database import PatternDatabase
from webapp.search.patterns.frame import Frame
from webapp.search.patterns.partition import Partition


def tables_of(partition):
    """Return the tables of a partition, just built."""
    kernels.load("patterns_build")
    from webapp.search.patterns.build import build

    steps = build(partition)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value


def database_of(goal, picture):
    """Return the pattern database of a partition that need not be listed."""
    partition = Partition(picture, 0)
    frame = Frame.of(goal)
    assert (partition.size, partition.blank) == ((frame.rows, frame.cols), frame.blank)
    return PatternDatabase(goal, frame, partition, tables_of(partition))


def fewest_moves(rows, cols, group, blank):
    """Return for all places of the tiles that belong in `group` the fewest moves of theirs home.

    This is a search over the tiles' places and the blank's, in which other tiles move for nothing.
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
    """Yield the places of `size` tiles as a table lists them, each the tiles' cells by slot."""
    sets = sorted(combinations(range(cells), size), key=lambda places: places[::-1])
    for places in sets:
        for order in permutations(range(size)):
            yield tuple(place for _, place in sorted(zip(order, places, strict=True)))


def estimates(arrays, boards):
    """Return h of `boards` (boards, cells), looked up in the arrays as their docstring says."""
    views = []
    for cell_map, groups, slots in zip(arrays.cell_maps, arrays.groups, arrays.slots, strict=True):
        total = np.zeros(len(boards), dtype=int)
        where = np.argsort(boards, axis=1)  # the cell of each tile
        for group, size in enumerate(arrays.sizes):
            tiles = np.flatnonzero(groups == group)
            tiles = tiles[np.argsort(slots[tiles])]
            cells = cell_map[where[:, tiles]]
            total += arrays.values[arrays.offsets[group] + _places(cells, size)]
        views.append(total)
    return np.max(views, axis=0)


def _places(cells, size):
    """Return where in a table tiles in `cells` (boards, tiles by slot) are."""
    binomials = np.array([[math.comb(c, i + 1) for i in range(size)] for c in range(25)])
    ranks = binomials[np.sort(cells, axis=1), np.arange(size)].sum(axis=1)
    orders = np.array(list(permutations(range(size))))
    digits = size ** np.arange(size)[::-1]  # as a number the later permutation is the greater
    order = np.searchsorted(orders @ digits, np.argsort(cells, axis=1) @ digits)
    return ranks * math.factorial(size) + order
