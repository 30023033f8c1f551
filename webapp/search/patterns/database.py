"""Pattern databases for a goal: the tables, and how a board finds its places in them.

The table of a group of k tiles on n cells has C(n, k) * k! bytes. A board's place in it is
rank * k! + r. The rank is that of the set of cells in which the tiles stand, among all sets of k
cells: the sum of C(c_i, i + 1) over the cells c_0 < c_1 < ...; r is the place, among the
permutations of 0..k-1 in lexicographic order, of the slots of the tiles as they stand in those
cells. A tile's slot is the place of its home cell among those of the group. Cells are those of
the frame of the tables. A byte of 255 is for what cannot be reached.

The estimate never exceeds the true distance, but one move can change it by 3 or more: a group's
table holds the least over all places of the blank, which need not be those that the blank of
this board can reach.

Importing this module loads numpy.
"""

from __future__ import annotations

import math
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webapp.puzzle import InvalidBoardError, standard_goal
from webapp.search import kernels
from webapp.search.events import Preparing
from webapp.search.patterns import store
from webapp.search.patterns.frame import Frame
from webapp.search.patterns.partition import MOST_TILES, Partition, find_partition

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from webapp.puzzle import Board
    from webapp.search.kernels.patterns_build import Int32s, Int64s, Uint8s, Uint16s

PAUSE = 0.1
"""Seconds from one report of a build to the next."""


class PatternArrays(NamedTuple):
    """A pattern database as the kernels take it.

    `cell_maps` (views, cells): the table cell of each board cell. `groups` (views, cells): the
    group of each tile, -1 for the blank. `slots` (views, cells): the tile's slot in its group.
    `sizes` (groups,): the tiles of each group. `offsets` (groups,): where its table begins in
    `values`. `low_ranks` (2**min(cells, 16),): what the low 16 bits of the mask of a set of cells
    add to its rank. `high_ranks` (17, 2**max(0, cells - 16)): what the other bits add, by the
    number of low bits set. `maps`, `map_offsets` (9,): at map_offsets[k] + (i * k + j) * k! + r
    the rank of permutation r after the tile in the i-th of the occupied cells has become the
    j-th; map_offsets is -1 for a k that no group has.
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
    """The tiles of a group, by the goal's numbers, and the moves they need by themselves."""

    tiles: tuple[int, ...]
    moves: int


class PatternDatabase:
    """A pattern database for one goal: `arrays` for the kernels, `value` of a board.

    `partition` is its name, such as `6-6-3`.
    """

    def __init__(self, goal: Board, frame: Frame, partition: Partition, tables: Uint8s) -> None:
        self.partition = partition.name
        self.arrays = _arrays(goal, frame, partition, tables)
        self._views = [
            (cell_map, groups.tolist(), slots.tolist())
            for cell_map, groups, slots in zip(
                frame.views, self.arrays.groups, self.arrays.slots, strict=True
            )
        ]

    def value(self, board: Board) -> int:
        """Return h of `board`: the most that a view says, each the sum over its groups."""
        return max(sum(group.moves for group in view) for view in self.groups_of(board))

    def groups_of(self, board: Board) -> tuple[tuple[GroupValue, ...], ...]:
        """Return for each view what it sees of `board`: its groups."""
        return tuple(tuple(self._view(board, *view)) for view in self._views)

    def _view(
        self, board: Board, cell_map: Sequence[int], groups: Sequence[int], slots: Sequence[int]
    ) -> Iterator[GroupValue]:
        places = sorted((cell_map[cell], tile) for cell, tile in enumerate(board.cells))
        for group, offset in enumerate(self.arrays.offsets):
            cells = [cell for cell, tile in places if groups[tile] == group]
            tiles = [tile for _, tile in places if groups[tile] == group]
            order = permutation_rank([slots[tile] for tile in tiles])
            place = set_rank(cells) * math.factorial(len(cells)) + order
            yield GroupValue(tuple(sorted(tiles)), int(self.arrays.values[offset + place]))


def load(goal: Board, partition: str | None = None) -> PatternDatabase:
    """Return the pattern database of a partition, by default the first there is, for `goal`.

    Tables that are not stored yet are built; `prepare` does that with reports. They are shared
    by all goals that have the blank in the same kind of cell.

    Raises `UnknownPartitionError`.
    """
    for _ in prepare(*goal.size, goal, partition):
        pass
    frame, found = _find(goal, partition)
    return PatternDatabase(goal, frame, found, _loaded[found])


def prepare(
    rows: int, cols: int, goal: Board | None = None, partition: str | None = None
) -> Iterator[Preparing]:
    """Build the tables that `load` needs, telling how far it is; yield nothing if it has them.

    The goal is the standard one of rows x cols if it is not given. The iterator can be closed
    before its end, and nothing is left of what was built. Where the file of the tables cannot be
    written they stay in memory for this process.

    Raises `UnknownPartitionError`, and `InvalidBoardError` for a goal of another size.
    """
    goal = goal or standard_goal(rows, cols)
    if goal.size != (rows, cols):
        raise InvalidBoardError(f"expected a goal of {rows}x{cols}, got {goal.rows}x{goal.cols}")
    _, found = _find(goal, partition)
    if found in _loaded:
        return
    yield from kernels.prepare("patterns_build")
    tables = _read(found)
    if tables is None:
        tables = yield from _build(found)
    _loaded[found] = tables


_loaded: dict[Partition, Uint8s] = {}


def _find(goal: Board, name: str | None) -> tuple[Frame, Partition]:
    frame = Frame.of(goal)
    return frame, find_partition(frame.rows, frame.cols, frame.blank, name)


def _read(partition: Partition) -> Uint8s | None:
    mapped = store.read(partition)
    return None if mapped is None else np.frombuffer(mapped, np.uint8, offset=store.HEADER)


def _build(partition: Partition) -> Generator[Preparing, None, Uint8s]:
    """Build the tables and store them, and return them as they were stored if they could be."""
    from webapp.search.patterns.build import build

    what = f"building the pattern database {partition.name}"
    yield Preparing(what, 0, 100)
    told = monotonic()
    steps = build(partition)
    while True:
        try:
            share = next(steps)
        except StopIteration as done:
            tables: Uint8s = done.value
            break
        if monotonic() - told >= PAUSE:
            told = monotonic()
            yield Preparing(what, int(100 * share), 100)
    if store.write(partition, tables.data):
        kept = _read(partition)
        tables = tables if kept is None else kept
    yield Preparing(what, 100, 100)
    return tables


def _arrays(goal: Board, frame: Frame, partition: Partition, tables: Uint8s) -> PatternArrays:
    from webapp.search.patterns.build import rank_tables

    groups = np.full((len(frame.views), len(goal.cells)), -1, dtype=np.int64)
    slots = np.zeros_like(groups)
    for view, cell_map in enumerate(frame.views):
        tile_of = {cell_map[cell]: tile for cell, tile in enumerate(goal.cells)}
        for number, group in enumerate(partition.groups):
            for slot, home in enumerate(group):
                groups[view, tile_of[home]] = number
                slots[view, tile_of[home]] = slot
    low_ranks, high_ranks = rank_tables(len(goal.cells))
    maps, map_offsets = _maps({len(group) for group in partition.groups})
    return PatternArrays(
        cell_maps=np.array(frame.views, dtype=np.int64),
        groups=groups,
        slots=slots,
        sizes=np.array([len(group) for group in partition.groups], dtype=np.int64),
        offsets=np.cumsum([0, *partition.lengths[:-1]], dtype=np.int64),
        values=tables,
        low_ranks=low_ranks,
        high_ranks=high_ranks,
        maps=maps,
        map_offsets=map_offsets,
    )


def _maps(sizes: set[int]) -> tuple[Uint16s, Int64s]:
    """Return the maps of groups of `sizes` tiles in one array, and where each begins."""
    from webapp.search.patterns.build import move_maps

    maps, offsets = [], np.full(MOST_TILES + 1, -1, dtype=np.int64)
    end = 0
    for size in sorted(sizes):
        offsets[size] = end
        maps.append(move_maps(size).ravel())
        end += len(maps[-1])
    return np.concatenate(maps), offsets


def set_rank(cells: Sequence[int]) -> int:
    """Return the place of ascending `cells` among all sets of as many cells.

    >>> [set_rank(cells) for cells in ([0, 1], [0, 2], [1, 2], [0, 3])]
    [0, 1, 2, 3]
    """
    return sum(math.comb(cell, place) for place, cell in enumerate(cells, start=1))


def permutation_rank(slots: Sequence[int]) -> int:
    """Return the place of `slots` among the permutations of as many in lexicographic order.

    >>> [permutation_rank(slots) for slots in ([0, 1, 2], [0, 2, 1], [2, 1, 0])]
    [0, 1, 5]
    """
    rank = 0
    for place, slot in enumerate(slots):
        rank = rank * (len(slots) - place) + sum(later < slot for later in slots[place:])
    return rank
