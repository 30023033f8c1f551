"""The tables that come with the package: those of the standard goals of 3x4 and 4x4.

Building them takes a second, but compiling what builds them takes four. A file holds for each
arrangement half of what its tiles need above their Manhattan distance, which is mostly 0, 1 or 2,
compressed and with a checksum by `lzma`: 0.75 MB for the 11.5 million arrangements of 4x4.
`python -m benchmarks.ship_tables` writes them.

Importing this module loads numpy.
"""

from __future__ import annotations

import lzma
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from slidewise.solver.tables.patterns.arrangements import arrangements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from slidewise.solver.kernels.arrays import Uint8s
    from slidewise.solver.tables.patterns.partition import Partition


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
