"""Pattern databases for a goal: tables and their index functions.

The tiles of a group are ordered by slot, the rank of a tile's home cell in the group. Cells are the
n cells of the tables' frame. The table of a group of up to 6 tiles is spread. Its index has the
tiles' cells in slot order as digits to the base n. The table of a larger group is dense. It has a
byte for each of the n! / (n - k)! arrangements of its k tiles. Both orders are lexicographic in the
cells. A byte of 255 marks an unreachable arrangement. In a spread table the bytes for two tiles in
the same cell are 0. The files hold the tables as they are in memory.

The estimate never exceeds the true distance, but a move can change it by 3 or more. A group's table
holds the minimum over all blank cells, including cells that this board's blank cannot reach.

Importing this module loads numpy.
"""

from __future__ import annotations

import logging
import lzma
import zlib
from collections.abc import Callable, Generator, Iterator
from itertools import accumulate
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from slidewise.puzzle import Board, InvalidBoardError, standard_goal
from slidewise.solver import compiling
from slidewise.solver.events import Preparing
from slidewise.solver.kernels import pattern_arrays
from slidewise.solver.kernels.pattern_arrays import DENSE_BITS, VALUE, PatternArrays
from slidewise.solver.tables.all_boards import arranged
from slidewise.solver.tables.exact import exact_table
from slidewise.solver.tables.patterns import files, plain_build
from slidewise.solver.tables.patterns.partition import (
    BLANK,
    Frame,
    GroupValue,
    Partition,
    find_partition,
    is_spread,
    partitions,
)
from slidewise.text import message

if TYPE_CHECKING:
    from slidewise.solver.kernels.jit import Int64s, Uint8s, Uint32s


def arrangements(cells: int, size: int) -> NDArray[np.bool_]:
    """Return a mask of the arrangements of `size` tiles in different cells: shape (cells,) * size.

    Its true entries, in order, are the arrangements in lexicographic order.

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
    """Return the path of the shipped file of a partition, which may not exist."""
    rows, cols = partition.size
    name = f"{rows}x{cols}-blank{partition.blank}-{partition.name}.xz"
    return Path(__file__).parent / "shipped" / name


def unpack(partition: Partition) -> Uint8s | None:
    """Return the shipped tables of a partition, or None if they are missing or damaged."""
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
        # Only the excess over Manhattan distance is shipped, halved, as it is always even.
        table[valid] = 2 * above[start:end] + distances
        start = end
    return tables if start == len(above) else None


def pack(partition: Partition, tables: Uint8s) -> bytes:
    """Serialise `tables`."""
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
    """Yield each group's spread table, the mask of its arrangements, and their Manhattan distances.

    The table has an axis for each slot. The distances are in the order of the mask.
    """
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
"""Interval of progress reports of a build, for a smooth progress bar."""


class PatternTables(NamedTuple):
    """Tables of a partition, concatenated in `values`.

    `dense` is true for groups with a dense table. `offsets` are the starts of the tables.
    `checksum` covers all bytes of a partition's tables.
    """

    values: Uint8s
    dense: list[bool]
    offsets: list[int]
    checksum: int = 0


class PatternDatabase:
    """A pattern database for a goal: `arrays` for the kernels, `value` of a board.

    `partition` is its name, for example `6-6-3`, and `checksum` covers its tables. `reflected`
    returns the reflection of a board, at the same distance. It is None if the goal has no
    reflection.
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
        """Upper bound of h."""
        return 255 * len(self._tiles) // len(self.arrays.cell_maps)

    def value(self, board: Board) -> int:
        """Return h of `board`, the maximum over the views of the sum over their groups."""
        return int(self.values(_cells(board))[0])

    def values(self, boards: Uint32s) -> Int64s:
        """Return h of each of `boards`, given as tiles by cell with shape (boards, cells)."""
        return self._look_up(boards)[0]

    def state(self, board: Board) -> Int64s:
        """Return the look-up state of `board` (see `kernels/patterns.py`)."""
        return self._look_up(_cells(board))[1]

    def groups_of(self, board: Board) -> tuple[tuple[GroupValue, ...], ...]:
        """Return the groups of `board` in each view with their moves."""
        values = [
            GroupValue(tiles, int(row[VALUE]))
            for tiles, row in zip(self._tiles, self.state(board), strict=True)
        ]
        views = len(self.arrays.cell_maps)
        in_view = len(values) // views
        return tuple(tuple(values[view * in_view : (view + 1) * in_view]) for view in range(views))

    def _look_up(self, boards: Uint32s) -> tuple[Int64s, Int64s]:
        """Return h of each of `boards` and the look-up state of the last."""
        if not compiling.is_available():
            return pattern_arrays.look_up(boards, self.arrays)
        from slidewise.solver.kernels import patterns as kernel  # deferred: loads the compiler

        estimates = np.empty(len(boards), dtype=np.int64)
        state = np.zeros((len(self.arrays.sizes), 2), dtype=np.int64)
        kernel.estimate_boards(boards, self.arrays, state, estimates)
        return estimates, state


def _cells(board: Board) -> Uint32s:
    return np.array([board.cells], dtype=np.uint32)


def load(goal: Board, partition: str | None = None) -> PatternDatabase:
    """Return the pattern database of a partition for `goal`.

    The default is the first partition, or a partition with a higher mean that was built on request.

    Missing tables are built here. `prepare` builds them with progress reports. All goals with the
    blank in the same kind of cell share them.

    Raises `UnknownPartitionError`.
    """
    for _ in prepare(*goal.size, goal, partition):
        pass
    frame, found = used(goal, partition)
    return PatternDatabase(goal, frame, found, _loaded[found])


def of_all_tiles(goal: Board) -> PatternDatabase:
    """Return a database with a single group of all tiles, the exact distances, up to 10 cells.

    Raises `TooManyCellsError`.
    """
    return of_values(goal, exact_table(goal).values)


def of_values(goal: Board, values: Uint8s) -> PatternDatabase:
    """Return a database with a single group of all tiles and the entries `values`.

    `values` is read-only and in the order of an `ExactTable`.
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
    """Build the tables that `load` needs and yield progress, or nothing if they exist.

    The goal defaults to the standard goal of rows x cols. Closing the iterator early discards the
    partial build. Tables that cannot be written stay in this process's memory.

    Raises `UnknownPartitionError`, and `InvalidBoardError` for a goal of another size.
    """
    goal = goal or standard_goal(rows, cols)
    if goal.size != (rows, cols):
        raise InvalidBoardError(f"expected a goal of {rows}x{cols}, got {goal.rows}x{goal.cols}")
    frame, found = used(goal, partition)
    if found in _loaded:
        return
    tables = _tables_in(files.read(found))
    if tables is None and files.path(found).exists():
        log.warning(
            "Tables are not used, as they are damaged, of another version or too large: %s",
            files.path(found),
        )
    if tables is None and partition is None:
        default = find_partition(frame.rows, frame.cols, frame.blank)
        if found != default:
            _unusable.add(found)
            yield from prepare(rows, cols, goal)
            return
    if tables is None:
        # Unpacking the shipped tables is far faster than building them.
        unpacked = unpack(found)
        if unpacked is None and path(found).exists():
            log.warning("Tables of the package are damaged and are built: %s", path(found))
        if unpacked is not None:
            files.write(found, unpacked.data)
            tables = _in_memory(unpacked)
    if tables is None and not compiling.is_available() and plain_build.is_small(found):
        tables = _in_memory(plain_build.build(found))
    if tables is None:
        yield from compiling.prepare("patterns_build")
        tables = yield from _build(found)
    _loaded[found] = ready(found, *tables)


log = logging.getLogger(__name__)

_loaded: dict[Partition, PatternTables] = {}

_unusable: set[Partition] = set()
"""Partitions built on request whose files are unreadable, so that `load` skips them."""


def used(goal: Board, name: str | None = None) -> tuple[Frame, Partition]:
    """Return the frame of a goal and the partition that `load` uses.

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
    """Return tables without a file, and their checksum."""
    return tables, zlib.crc32(tables.data)


def _build(partition: Partition) -> Generator[Preparing, None, tuple[Uint8s, int]]:
    """Build and store the tables, and return them mapped from the file if possible.

    Only a single table is in memory at a time, unless the tables cannot be stored.
    """
    from slidewise.solver.tables.patterns.build import build

    what = message("building the pattern database %(name)s", name=partition.name)
    yield Preparing(what, 0, 100)
    reported = monotonic()
    held: list[Uint8s] = []  # tables that could not be stored
    with files.NewFile(partition) as new:

        def keep(table: Uint8s) -> None:
            if held or not new.write(table.data):
                held.append(table)

        for share in build(partition, keep):
            if monotonic() - reported >= REPORT_SECONDS:
                reported = monotonic()
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
                    1 << DENSE_BITS * slot
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
    """Return the board reflection in the diagonal that preserves the goal, if any."""
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
    """Return the tables in the kernels' form, read-only."""
    stored = _read_only(stored)
    dense = [not is_spread(len(group)) for group in partition.groups]
    return PatternTables(stored, dense, [0, *accumulate(partition.lengths[:-1])], checksum)
