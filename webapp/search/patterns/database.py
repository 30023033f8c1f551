"""Pattern databases for a goal: the tables, and how a board finds its places in them.

The table of a group of k tiles on n cells has C(n, k) * k! bytes. A board's place in it is
rank * k! + r. The rank is that of the set of cells in which the tiles stand, among all sets of k
cells, by the sum of C(c_i, i + 1) over the cells c_0 < c_1 < ...; r is the place, among the
permutations of 0..k-1 in lexicographic order, of the slots of the tiles as they stand in those
cells. A tile's slot is the place of its home cell among those of the group. Cells are those of
the frame of the tables.

Importing this module loads numpy.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webapp.search import kernels
from webapp.search.events import Preparing
from webapp.search.patterns.frame import Frame
from webapp.search.patterns.partition import Partition, find_partition

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webapp.puzzle import Board
    from webapp.search.kernels.patterns_build import Int32s, Int64s, Uint8s, Uint16s

LARGEST_GROUP = 8


class PatternArrays(NamedTuple):
    """A pattern database as the kernels take it.

    `cell_maps` (views, cells): the table cell of each board cell. `groups` (views, cells): the
    group of each tile, -1 for the blank. `slots` (views, cells): the tile's slot in its group.
    `sizes` (groups,): the tiles of each group. `offsets` (groups,): where its table begins in
    `values`. `low_ranks` (2**min(cells, 16),): what the low 16 bits of the mask of a set of cells
    add to its rank. `high_ranks` (17, 2**max(0, cells - 16)): what the other bits add, by the
    number of low bits set. `maps`, `map_offsets` (9,): at map_offsets[k] + (i * k + j) * k! + r
    the rank of permutation r after the tile in the i-th of the occupied cells has become the
    j-th; -1 for a k that no group has.
    """

    cell_maps: Int64s
    groups: Int64s
    slots: Int64s
    sizes: Int64s
    offsets: Int64s
    values: Uint8s
    low_ranks: Int32s
    high_ranks: Int32s
    maps: Uint16s
    map_offsets: Int64s


class GroupValue(NamedTuple):
    """The tiles of a group, by the goal's numbers, and how many moves they need by themselves."""

    tiles: tuple[int, ...]
    value: int


class PatternDatabase:
    """A pattern database for one goal: `arrays` for the kernels, `value` for a board."""

    def __init__(self, goal: Board, frame: Frame, partition: Partition, values: Uint8s) -> None:
        self.goal = goal
        self.partition = partition.name
        self.arrays = _arrays(goal, frame, partition, values)

    def value(self, board: Board) -> int:
        """Return h of `board`: the most that a view says, the sum of what its groups say."""
        return max(sum(group.value for group in view) for view in self.groups_of(board))

    def groups_of(self, board: Board) -> tuple[tuple[GroupValue, ...], ...]:
        """Return for each view of `board` its groups."""
        views = range(len(self.arrays.cell_maps))
        groups = range(len(self.arrays.sizes))
        return tuple(tuple(self._group(board, view, group) for group in groups) for view in views)

    def _group(self, board: Board, view: int, group: int) -> GroupValue:
        arrays = self.arrays
        tiles = np.flatnonzero(arrays.groups[view] == group)
        cell_of = {int(arrays.cell_maps[view, c]): tile for c, tile in enumerate(board.cells)}
        cells = sorted(cell for cell, tile in cell_of.items() if tile in tiles)
        slots = [int(arrays.slots[view, cell_of[cell]]) for cell in cells]
        place = set_rank(cells) * math.factorial(len(cells)) + permutation_rank(slots)
        value = int(arrays.values[arrays.offsets[group] + place])
        return GroupValue(tuple(int(tile) for tile in tiles), value)


def load(goal: Board, partition: str | None = None) -> PatternDatabase:
    """Return the pattern database for `goal`, by default of the first partition there is.

    It is built if it is not stored yet, which `prepare` does with reports.

    Raises `UnknownPartitionError`.
    """
    for _ in prepare(*goal.size, goal, partition):
        pass
    frame = Frame.of(goal)
    found = find_partition(frame.rows, frame.cols, frame.blank, partition)
    return PatternDatabase(goal, frame, found, _loaded[found])


def prepare(
    rows: int, cols: int, goal: Board | None = None, partition: str | None = None
) -> Iterator[Preparing]:
    """Make sure that `load` finds the tables, telling how far it is; yield nothing if it does."""
    from webapp.puzzle import standard_goal

    frame = Frame.of(goal or standard_goal(rows, cols))
    found = find_partition(frame.rows, frame.cols, frame.blank, partition)
    if found in _loaded:
        return
    yield from kernels.prepare("patterns_build")
    from webapp.search.patterns.build import build

    what = f"building the pattern database {found.name}"
    steps = build(found)
    try:
        while True:
            yield Preparing(what, int(100 * next(steps)), 100)
    except StopIteration as done:
        _loaded[found] = done.value
    yield Preparing(what, 100, 100)


_loaded: dict[Partition, Uint8s] = {}


def _arrays(goal: Board, frame: Frame, partition: Partition, values: Uint8s) -> PatternArrays:
    from webapp.search.patterns.build import move_maps, rank_tables, table_bytes

    cells = len(goal.cells)
    sizes = [len(group) for group in partition.groups]
    ends = np.cumsum([table_bytes(cells, size) for size in sizes])
    groups = np.full((len(frame.views), cells), -1, dtype=np.int64)
    slots = np.zeros((len(frame.views), cells), dtype=np.int64)
    for view, cell_map in enumerate(frame.views):
        tile_of = {cell_map[cell]: tile for cell, tile in enumerate(goal.cells)}
        for number, group in enumerate(partition.groups):
            for slot, home in enumerate(group):
                groups[view, tile_of[home]] = number
                slots[view, tile_of[home]] = slot
    maps, map_offsets = [], np.full(LARGEST_GROUP + 1, -1, dtype=np.int64)
    end = 0
    for size in sorted(set(sizes)):
        map_offsets[size] = end
        maps.append(move_maps(size).ravel())
        end += len(maps[-1])
    low_ranks, high_ranks = rank_tables(cells)
    return PatternArrays(
        cell_maps=np.array(frame.views, dtype=np.int64),
        groups=groups,
        slots=slots,
        sizes=np.array(sizes, dtype=np.int64),
        offsets=np.array([0, *ends[:-1]], dtype=np.int64),
        values=values,
        low_ranks=low_ranks,
        high_ranks=high_ranks,
        maps=np.concatenate(maps),
        map_offsets=map_offsets,
    )


def set_rank(cells: list[int]) -> int:
    """Return the place of ascending `cells` among all sets of as many cells.

    >>> [set_rank(cells) for cells in ([0, 1], [0, 2], [1, 2], [0, 3])]
    [0, 1, 2, 3]
    """
    return sum(math.comb(cell, place) for place, cell in enumerate(cells, start=1))


def permutation_rank(slots: list[int]) -> int:
    """Return the place of `slots` among the permutations of as many in lexicographic order.

    >>> [permutation_rank(slots) for slots in ([0, 1, 2], [0, 2, 1], [2, 1, 0])]
    [0, 1, 5]
    """
    rank = 0
    for place, slot in enumerate(slots):
        rank = rank * (len(slots) - place) + sum(later < slot for later in slots[place:])
    return rank
