"""Writes the tables that come with the package: `python -m benchmarks.ship_tables`."""

import numpy as np

from slidewise.solver.kernels.jit import Uint8s
from slidewise.solver.tables.patterns import database
from slidewise.solver.tables.patterns.build import build
from slidewise.solver.tables.patterns.partition import Partition, find_partition

SHIPPED = ((3, 4, 0), (4, 4, 0))
"""Rows, columns and blank cell of the frames whose default partition comes with the package."""


def write(partition: Partition) -> None:
    """Build the tables of a partition and write their file."""
    tables: list[Uint8s] = []
    for _ in build(partition, tables.append):
        pass
    file = database.path(partition)
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(database.pack(partition, np.concatenate(tables)))
    print(f"{file.name}: {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    for frame in SHIPPED:
        write(find_partition(*frame))
