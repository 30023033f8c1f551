"""Warm-up: compile and load everything that first searches need.

Importing this module loads neither numpy nor the compiler.
"""

from collections.abc import Iterator

from slidewise.puzzle import Puzzle, standard_goal
from slidewise.solver import compiling
from slidewise.solver.events import Preparing
from slidewise.solver.run import find_heuristic

TABLES = "tables"

PARTS = (*compiling.KERNELS[:2], TABLES, *compiling.KERNELS[2:])
"""The kernels and the default tables, which follow the kernels that read them."""

TABLE_SIZES = ((3, 4), (4, 4))
"""Sizes of boards whose tables are in the package."""


def words(part: str) -> str:
    """Describe the work for a part, and its number.

    >>> words(PARTS[-1]) == f"compiling {PARTS[-1]}, {len(PARTS)} of {len(PARTS)}"
    True
    """
    work = "unpacking the tables" if part == TABLES else f"compiling {part}"
    return f"{work}, {PARTS.index(part) + 1} of {len(PARTS)}"


def prepare(part: str) -> Iterator[Preparing]:
    """Compile a kernel or unpack the default tables, and yield the progress.

    Without numba there is nothing to compile. Raises `CompilingError`.
    """
    if part != TABLES:
        if compiling.is_available():
            yield from compiling.prepare(part)
        return
    for size in TABLE_SIZES:
        goal = standard_goal(*size)
        yield from find_heuristic("pdb").prepare(Puzzle(goal, goal))
