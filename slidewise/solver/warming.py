"""Everything that searches compile or load the first time, to have it done beforehand.

Importing this module loads neither numpy nor the compiler.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidewise.puzzle import Puzzle, standard_goal
from slidewise.solver import compiling
from slidewise.solver.find import find_heuristic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise.solver.events import Preparing

TABLES = "tables"

PARTS = (*compiling.KERNELS[:2], TABLES, *compiling.KERNELS[2:])
"""The kernels, and the usual tables once there is what looks boards up in them."""

TABLE_SIZES = ((3, 4), (4, 4))
"""The sizes of boards whose tables come with the package."""


def words(part: str) -> str:
    """Return what is done for a part, and which of all it is.

    >>> words(PARTS[-1]) == f"compiling {PARTS[-1]}, {len(PARTS)} of {len(PARTS)}"
    True
    """
    what = "unpacking the tables" if part == TABLES else f"compiling {part}"
    return f"{what}, {PARTS.index(part) + 1} of {len(PARTS)}"


def prepare(part: str) -> Iterator[Preparing]:
    """Compile a kernel or unpack the usual tables, telling how far that is.

    Raises `CompilingError`.
    """
    if part != TABLES:
        yield from compiling.prepare(part)
        return
    for size in TABLE_SIZES:
        goal = standard_goal(*size)
        yield from find_heuristic("pdb").prepare(Puzzle(goal, goal))
