"""Pattern databases for a goal: the tables, and how a board finds its places in them.

The tiles of a group come by their slots: a tile's slot is the place of its home cell among those
of the group. Cells are those of the frame of the tables, n of them. The table of a group of up to
6 tiles is spread: their cells, in the order of the slots, are the digits of the index, to the base
n. That of a larger group is dense: it has a byte for each of the n! / (n - k)! arrangements of its
k tiles, in the lexicographic order of their cells. Either way the arrangements stand in that order.
A byte of 255 is for what cannot be reached; bytes of a spread table that are for two tiles in one
cell are 0. The files hold the tables as they are in memory.

The estimate never exceeds the true distance, but one move can change it by 3 or more: a group's
table holds the least over all places of the blank, which need not be those that the blank of
this board can reach.

Importing this module loads numpy.
"""

from __future__ import annotations

import lzma
import zlib
from itertools import accumulate
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from slidewise.puzzle import Board, InvalidBoardError, standard_goal
from slidewise.solver import compiling
from slidewise.solver.events import Preparing
from slidewise.solver.kernels import patterns as kernel
from slidewise.solver.kernels.patterns import PatternArrays
from slidewise.solver.tables.all_boards import arranged
from slidewise.solver.tables.exact import exact_table
from slidewise.solver.tables.patterns import files
from slidewise.solver.tables.patterns.partition import (
    BLANK,
    Frame,
    Partition,
    find_partition,
    is_spread,
    partitions,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from numpy.typing import NDArray

    from slidewise.solver.kernels.jit import Int64s, Uint8s, Uint32s


def arrangements(cells: int, size: int) -> NDArray[np.bool_]:
    """Return where `size` tiles are in different ones of `cells` cells: (cells,) * size.

    Read in order, what is true are the arrangements in their lexicographic order.

    >>> arrangements(2, 2).nonzero()
    (array([0, 1]), array([1, 0]))
    """
    cell = np.arange(cells)
    differ = cell[:, None] != cell
    valid = np.ones((), dtype=bool)
    for slot in range(size):
        valid = np.repeat(valid[..., None], cells, axis=-1)
        for before in range(slot):
            shape = [1] * (slot + 1)
            shape[before] = shape[slot] = cells
            valid &= differ.reshape(shape)
    return valid


def path(partition: Partition) -> Path:
    """Return where the file of a partition is, if it comes with the package."""
    rows, cols = partition.size
    name = f"{rows}x{cols}-blank{partition.blank}-{partition.name}.xz"
    return Path(__file__).parent / "shipped" / name


def unpack(partition: Partition) -> Uint8s | None:
    """Return the tables of a partition, None if they do not come with the package, or torn."""
    try:
        packed = lzma.decompress(path(partition).read_bytes())
    except (OSError, lzma.LZMAError, EOFError):
        return None
    above = np.frombuffer(packed, dtype=np.uint8)
    tables, start = np.zeros(partition.bytes, dtype=np.uint8), 0
    for table, valid, distances in _parts(partition, tables):
        end = start + len(distances)
        if end > len(above):
            return None
        table[valid] = 2 * above[start:end] + distances
        start = end
    return tables if start == len(above) else None


def pack(partition: Partition, tables: Uint8s) -> bytes:
    """Return the file of `tables`."""
    above = [
        (table[valid] - distances) // 2 for table, valid, distances in _parts(partition, tables)
    ]
    return lzma.compress(
        b"".join(part.tobytes() for part in above),
        check=lzma.CHECK_SHA256,
        preset=9 | lzma.PRESET_EXTREME,
    )


def _parts(
    partition: Partition, tables: Uint8s
) -> Iterator[tuple[Uint8s, NDArray[np.bool_], Uint8s]]:
    """Yield the spread table of each group with an axis for each slot, where it has arrangements,
    and the Manhattan distances of those in their order."""
    rows, cols = partition.size
    row, col = np.divmod(np.arange(rows * cols, dtype=np.int8), cols)
    start = 0
    for group, length in zip(partition.groups, partition.lengths, strict=True):
        distances = np.zeros((), dtype=np.uint8)
        for home in group:
            moves = np.abs(row - row[home]) + np.abs(col - col[home])
            distances = distances[..., None] + moves.astype(np.uint8)
        valid = arrangements(rows * cols, len(group))
        yield tables[start : start + length].reshape(valid.shape), valid, distances[valid]
        start += length


REPORT_SECONDS = 0.1
"""From one report of a build to the next: often enough for a bar that moves smoothly."""


class PatternTables(NamedTuple):
    """The tables of a partition, one after the other in `values`.

    `dense` says of each group whether its table is; `offsets` is where it begins; `checksum` is
    that of all bytes of a partition's tables.
    """

    values: Uint8s
    dense: list[bool]
    offsets: list[int]
    checksum: int = 0


class GroupValue(NamedTuple):
    """The tiles of a group, by the goal's numbers, and the moves they need by themselves."""

    tiles: tuple[int, ...]
    moves: int


class PatternDatabase:
    """A pattern database for one goal: `arrays` for the kernels, `value` of a board.

    `partition` is its name, such as `6-6-3`, and `checksum` that of its tables. `reflected` gives
    the reflection of a board, which needs as many moves, or is None where the goal has none.
    """

    def __init__(
        self, goal: Board, frame: Frame, partition: Partition, tables: PatternTables
    ) -> None:
        self.partition, self.checksum = partition.name, tables.checksum
        self.arrays = _arrays(goal, frame, partition, tables)
        self.reflected = _reflection(goal, frame)
        self._tiles = [
            tuple(
                tile
                for tile in range(1, len(goal.cells))
                if self.arrays.groups[view, tile] == group
            )
            for view in range(len(frame.views))
            for group in range(view * len(partition.groups), (view + 1) * len(partition.groups))
        ]

    @property
    def highest(self) -> int:
        """Return a number that h never exceeds."""
        return 255 * len(self._tiles) // len(self.arrays.cell_maps)

    def value(self, board: Board) -> int:
        """Return h of `board`: the most that a view says, each the sum over its groups."""
        return int(self.values(_cells(board))[0])

    def values(self, boards: Uint32s) -> Int64s:
        """Return h of each of `boards` (boards, cells), which have the tile in each cell."""
        return self._look_up(boards)[0]

    def state(self, board: Board) -> Int64s:
        """Return the state of the look-ups for `board`, as `kernels/patterns.py` has it."""
        return self._look_up(_cells(board))[1]

    def groups_of(self, board: Board) -> tuple[tuple[GroupValue, ...], ...]:
        """Return for each view what it sees of `board`: its groups."""
        values = [
            GroupValue(tiles, int(row[kernel.VALUE]))
            for tiles, row in zip(self._tiles, self.state(board), strict=True)
        ]
        views = len(self.arrays.cell_maps)
        in_view = len(values) // views
        return tuple(tuple(values[view * in_view : (view + 1) * in_view]) for view in range(views))

    def _look_up(self, boards: Uint32s) -> tuple[Int64s, Int64s]:
        """Return h of each of `boards`, and the state for the last of them."""
        estimates = np.empty(len(boards), dtype=np.int64)
        state = np.zeros((len(self.arrays.sizes), 2), dtype=np.int64)
        kernel.estimate_boards(boards, self.arrays, state, estimates)
        return estimates, state


def _cells(board: Board) -> Uint32s:
    return np.array([board.cells], dtype=np.uint32)


def load(goal: Board, partition: str | None = None) -> PatternDatabase:
    """Return the pattern database of a partition for `goal`.

    By default that is the first there is, or one with a higher mean that was built on request.

    Tables that are not stored yet are built; `prepare` does that with reports. They are shared
    by all goals that have the blank in the same kind of cell.

    Raises `UnknownPartitionError`.
    """
    for _ in prepare(*goal.size, goal, partition):
        pass
    frame, found = used(goal, partition)
    return PatternDatabase(goal, frame, found, _loaded[found])


def of_all_tiles(goal: Board) -> PatternDatabase:
    """Return a database with one group of all tiles: the exact distances, up to 10 cells.

    Raises `TooManyCellsError`.
    """
    return of_values(goal, exact_table(goal).values)


def of_values(goal: Board, values: Uint8s) -> PatternDatabase:
    """Return a database with one group of all tiles, which says `values` of all boards.

    They stand in the order of an `ExactTable`, and are read-only.
    """
    table = _read_only(arranged(values, len(goal.cells) - 1))
    as_it_is = Frame(*goal.size, goal.blank, (tuple(range(len(goal.cells))),))
    letters = "".join("a" if tile else BLANK for tile in goal.cells)
    rows = (letters[row : row + goal.cols] for row in range(0, len(letters), goal.cols))
    return PatternDatabase(
        goal, as_it_is, Partition(" ".join(rows), 0), PatternTables(table, [True], [0])
    )


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
    frame, found = used(goal, partition)
    if found in _loaded:
        return
    tables = _tables_in(files.read(found))
    if tables is None and partition is None:
        default = find_partition(frame.rows, frame.cols, frame.blank)
        if found != default:  # what is stored is torn, or more than this process may map
            _unusable.add(found)
            yield from prepare(rows, cols, goal)
            return
    if tables is None:
        unpacked = unpack(found)
        if unpacked is not None:
            files.write(found, unpacked.data)
            tables = _in_memory(unpacked)
    if tables is None:
        yield from compiling.prepare("patterns_build")
        tables = yield from _build(found)
    _loaded[found] = ready(found, *tables)


_loaded: dict[Partition, PatternTables] = {}

_unusable: set[Partition] = set()
"""Partitions built on request that could not be read: `load` does without them."""


def used(goal: Board, name: str | None = None) -> tuple[Frame, Partition]:
    """Return the frame of a goal and the partition that `load` takes for it.

    Raises `UnknownPartitionError`.
    """
    frame = Frame.of(goal)
    default = find_partition(frame.rows, frame.cols, frame.blank, name)
    if name is not None:
        return frame, default
    better = [
        found
        for found in partitions(frame.rows, frame.cols, frame.blank).values()
        if found.mean > default.mean
        and found not in _unusable
        and (found in _loaded or files.path(found).exists())
    ]
    return frame, max([default, *better], key=lambda found: found.mean)


def _tables_in(mapped: files.Mapped | None) -> tuple[Uint8s, int] | None:
    """Return the tables in a file and their checksum."""
    if mapped is None:
        return None
    return np.frombuffer(mapped.memory, np.uint8, offset=files.HEADER_BYTES), mapped.checksum


def _in_memory(tables: Uint8s) -> tuple[Uint8s, int]:
    """Return tables that are in no file, and their checksum."""
    return tables, zlib.crc32(tables.data)


def _build(partition: Partition) -> Generator[Preparing, None, tuple[Uint8s, int]]:
    """Build the tables and store them, and return them as they were stored if they could be.

    One of them at a time is in memory, all of them only where they cannot be stored.
    """
    from slidewise.solver.tables.patterns.build import build

    what = f"building the pattern database {partition.name}"
    yield Preparing(what, 0, 100)
    told = monotonic()
    held: list[Uint8s] = []  # what could not be stored
    with files.NewFile(partition) as new:

        def keep(table: Uint8s) -> None:
            if held or not new.write(table.data):
                held.append(table)

        for share in build(partition, keep):
            if monotonic() - told >= REPORT_SECONDS:
                told = monotonic()
                yield Preparing(what, int(100 * share), 100)
        tables = _tables_in(None if held else new.complete())
        if tables is None:
            values = np.empty(partition.bytes, dtype=np.uint8)
            stored = sum(partition.lengths) - sum(map(len, held))
            new.read_into(values[:stored].data)
            np.concatenate(held or [values[:0]], out=values[stored:])
            tables = _in_memory(values)
    yield Preparing(what, 100, 100)
    return tables


def _arrays(
    goal: Board, frame: Frame, partition: Partition, tables: PatternTables
) -> PatternArrays:
    views = len(frame.views)
    groups = np.zeros((views, len(goal.cells)), dtype=np.uint64)
    weights = np.zeros((views, len(goal.cells)), dtype=np.int64)
    for view, cell_map in enumerate(frame.views):
        tile_of = {cell_map[cell]: tile for cell, tile in enumerate(goal.cells)}
        for number, group in enumerate(partition.groups):
            for slot, home in enumerate(group):
                groups[view, tile_of[home]] = view * len(partition.groups) + number
                weights[view, tile_of[home]] = (
                    1 << kernel.DENSE_BITS * slot
                    if tables.dense[number]
                    else len(goal.cells) ** (len(group) - 1 - slot)
                )
    sizes = [len(group) for group in partition.groups]
    return PatternArrays(
        cell_maps=np.array(frame.views, dtype=np.int64),
        groups=groups,
        weights=weights,
        sizes=np.array(sizes * views),
        dense=np.array(tables.dense * views, dtype=np.int64),
        offsets=np.array(tables.offsets * views),
        values=tables.values,
    )


def _reflection(goal: Board, frame: Frame) -> Callable[[Board], Board] | None:
    """Return the reflection of boards in the diagonal that leaves the goal as it is, if any."""
    if len(frame.views) == 1:
        return None
    cell_map, reflected = frame.views
    cells = [cell_map.index(cell) for cell in reflected]
    names = {goal.cells[cell]: goal.cells[image] for cell, image in enumerate(cells)}

    def reflect(board: Board) -> Board:
        return Board(*board.size, tuple(names[board.cells[cell]] for cell in cells))

    return reflect


def _read_only(values: Uint8s) -> Uint8s:
    view = values.view()
    view.flags.writeable = False
    return view


def ready(partition: Partition, stored: Uint8s, checksum: int = 0) -> PatternTables:
    """Return the tables as the kernels take them, read-only."""
    stored = _read_only(stored)
    dense = [not is_spread(len(group)) for group in partition.groups]
    return PatternTables(stored, dense, [0, *accumulate(partition.lengths[:-1])], checksum)
