"""The exact distance as a heuristic, which all others estimate."""

from slidewise.puzzle import Board
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.solver.estimate import Estimate
from slidewise.solver.registry import heuristic
from slidewise.text import message


def has_table(rows: int, cols: int) -> bool:
    """Return whether boards of this size have a table of all distances.

    >>> has_table(3, 3), has_table(3, 4)
    (True, False)
    """
    return rows * cols <= TABLE_CELLS


@heuristic(
    key="exact",
    title=message("Exact distance"),
    idea=message(
        "Looks the distance up in a table of all boards: a search that trusts it goes straight "
        "to the goal."
    ),
    admissible=True,
    consistent=True,
    source=message("J. C. Culberson and J. Schaeffer, 1998, for a pattern of all tiles"),
    fits=has_table,
    loads_tables=True,
)
def exact(goal: Board) -> Estimate:
    """Return the table as a pattern database with a single group of all tiles."""
    # deferred: loads numpy and the compiled kernels
    from slidewise.solver.tables.patterns.database import of_all_tiles

    return Estimate(len(goal.cells), (), of_all_tiles(goal))
