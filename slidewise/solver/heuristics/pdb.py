"""The additive pattern databases as a heuristic."""

from collections.abc import Iterator

from slidewise.puzzle import Board, Puzzle
from slidewise.solver import compiling
from slidewise.solver.estimate import Estimate
from slidewise.solver.events import Preparing
from slidewise.solver.registry import heuristic
from slidewise.text import message

PDB_CELLS = 16


def has_tables(rows: int, cols: int) -> bool:
    """Return whether there are pattern databases for boards of this size.

    >>> has_tables(4, 4), has_tables(5, 5), has_tables(4, 5)
    (True, True, False)
    """
    return rows * cols <= PDB_CELLS or (rows, cols) == (5, 5)


def prepare(puzzle: Puzzle) -> Iterator[Preparing]:
    """Load or build the tables, and yield the progress."""
    if compiling.is_available():
        yield from compiling.prepare("patterns")
    from slidewise.solver.tables.patterns import database

    yield from database.prepare(puzzle.rows, puzzle.cols, puzzle.goal)


@heuristic(
    key="pdb",
    title=message("Pattern databases"),
    idea=message(
        "Splits the tiles into groups, and looks up for each group how many moves its own tiles "
        "need when all others look alike and move for free. As each move counts for one group "
        "only, the groups add up."
    ),
    admissible=True,
    consistent=False,
    source=message("R. E. Korf and A. Felner, 2002"),
    fits=has_tables,
    prepare=prepare,
    loads_tables=True,
)
def pdb(goal: Board) -> Estimate:
    """Return the estimate of the default partition of the tiles.

    If the board can be reflected in its diagonal, it is the maximum of two views. A group's table
    holds the minimum over all places of the blank, so a move can change the estimate by more
    than 1.
    """
    # deferred: loads numpy and the compiled kernels
    from slidewise.solver.tables.patterns.database import load

    return Estimate(len(goal.cells), (), load(goal))
