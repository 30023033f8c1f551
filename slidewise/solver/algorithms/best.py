"""Slidewise's own choice: what is best for the size of the board.

- Up to 10 cells the table of all boards knows the distance of each. The path goes down in it, of
  several moves the first in the order blank up, down, left, right. Nothing is expanded for that.
- From 11 to 16 cells IDA* with pattern databases on as many cores as `Limits.cores` allows: see
  `solver/engines/pattern_deepening.py`. When that lasts, a path is looked for by other means: so
  there is one, and a bound on how much it could be shortened, whenever the search is stopped; and
  the search need not go on once it has proved that no path is shorter.
- Above that, see `solver/engines/anytime.py`.

Under a depth limit it ends once no solution can be within it, and shows no longer path.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from slidewise.puzzle.board import TABLE_CELLS
from slidewise.solver import compiling
from slidewise.solver.events import Event, Finished
from slidewise.solver.find import find_heuristic
from slidewise.solver.loop import End, Pace, best_result
from slidewise.solver.registry import algorithm
from slidewise.solver.result import NO_SEARCH, Status
from slidewise.solver.tables.exact import exact_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise.puzzle import Puzzle
    from slidewise.solver.events import Preparing
    from slidewise.solver.result import Result
    from slidewise.solver.task import Task

PROVED_CELLS = 16
"""The cells of the largest boards whose shortest path is looked for."""


def prepare(puzzle: Puzzle) -> Iterator[Preparing]:
    """Compile and build what a board of this size needs, telling how far that is."""
    cells = len(puzzle.start.cells)
    if cells <= TABLE_CELLS:
        exact_table(puzzle.goal)  # kept, so that the search finds it made
        return
    if cells <= PROVED_CELLS:
        yield from compiling.prepare("patterns", "pattern_search")
        yield from find_heuristic("pdb").prepare(puzzle)
        _make_tables(puzzle)
    else:
        yield from compiling.prepare("patterns", "pattern_search", "deepening", "beam")
        from slidewise.solver.engines import beam

        yield from beam.prepare(puzzle)


@algorithm(
    key="best",
    title="Best for this board",
    idea="Up to 10 cells it uses the table of all boards, up to 16 cells IDA* with pattern "
    "databases. On larger boards it finds a good path at once and shortens it as long as there "
    "is time.",
    complete=True,
    optimal=False,
    optimal_to=PROVED_CELLS,
    time="up to 10 cells a look-up; up to 16 that of IDA*; above, all the time it is given",
    space="up to 10 cells one table; up to 16 some tables; above, all the memory it is given",
    uses_heuristic=False,
    source="this project; R. E. Korf and A. Felner, 2002, for 11 to 16 cells",
    kernel=None,
    suits=100,
    prepare=prepare,
)
def best(task: Task) -> Iterator[Event]:
    """Look it up, prove it, or get as near as time allows."""
    cells = len(task.puzzle.start.cells)
    if cells <= TABLE_CELLS:
        return iter([Finished(_looked_up(task))])
    # Here and not above, as these load numpy and compiled kernels.
    if cells <= PROVED_CELLS:
        from slidewise.solver.engines import bracket

        return bracket.run(task)
    from slidewise.solver.engines import beam

    return beam.anytime(task)


def _make_tables(puzzle: Puzzle) -> None:
    """Make what is kept from one search to the next, so that the search finds it made."""
    from slidewise.solver.engines.walks import walk_rows

    find_heuristic("pdb").build(puzzle.goal)
    walk_rows(puzzle.rows, puzzle.cols)


def _looked_up(task: Task) -> Result:
    pace = Pace(task.limits, task.cancelled)
    path = exact_table(task.puzzle.goal).path(task.puzzle.start)
    cost = replace(NO_SEARCH, seconds=pace.seconds)
    end = End(Status.SOLVED, "its length equals the distance in the table of all boards")
    return best_result(task, end, path, len(path) - 1, cost, shortest=True)
