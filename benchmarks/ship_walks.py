"""Writes the walks that come with the package: `python -m benchmarks.ship_walks`."""

from slidewise.solver.engines import walks

SHIPPED = ((3, 4), (4, 4), (5, 5))
"""Common sizes. Walks of other sizes are computed in some tenths of a second."""


def write(rows: int, cols: int) -> None:
    """Compute the walks of a size and write their file."""
    file = walks.path(rows, cols)
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(walks.pack(walks.work_out(rows, cols)))
    print(f"{file.name}: {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    for size in SHIPPED:
        write(*size)
