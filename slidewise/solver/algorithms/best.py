"""Slidewise's own choice: the best method for the size of the board.

- Up to 10 cells a table of all boards has the distance of each. The path descends in it. Of
  several moves it takes the first in the order blank up, down, left, right. Nothing is expanded.
- From 11 to 16 cells IDA* runs with pattern databases on up to `Limits.cores` cores: see
  `solver/engines/pattern_deepening.py`. In long searches, other methods also look for a path. So a
  stopped search has a path and a bound on its excess. The search ends when it has proved that no
  path is shorter.
- Larger boards: see `solver/engines/beam.py`.
- Without numba, above 10 cells IDA* with linear conflict runs in its plain form. If a limit stops
  it, the result is a constructed path with the proved bound.

Under a depth limit it ends when no solution can be within the limit. It returns no longer path.
"""

from collections.abc import Iterator
from dataclasses import replace

from slidewise.puzzle import Puzzle
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.solver import compiling, loop
from slidewise.solver.engines.constructive import constructive_path
from slidewise.solver.events import Event, Finished, Preparing
from slidewise.solver.loop import End, Pace, PathClaim, PathSearch, best_result
from slidewise.solver.plain.work import PlainWork
from slidewise.solver.registry import algorithm
from slidewise.solver.result import NO_SEARCH, Result, Status
from slidewise.solver.run import find_algorithm, find_heuristic
from slidewise.solver.tables.exact import exact_table
from slidewise.solver.task import Task
from slidewise.text import message

PROVED_CELLS = 16
"""Cells of the largest boards whose path is proved shortest."""


def prepare(puzzle: Puzzle) -> Iterator[Preparing]:
    """Load the kernels and tables for a board of this size, and yield the progress."""
    cells = len(puzzle.start.cells)
    if cells <= TABLE_CELLS:
        exact_table(puzzle.goal)  # cached for the search
        return
    if not compiling.is_available():
        return
    if cells <= PROVED_CELLS:
        yield from compiling.prepare("patterns", "pattern_search")
        yield from find_heuristic("pdb").prepare(puzzle)
        # Before the clock of the search starts, as the tables take tenths of a second.
        _build_tables(puzzle)
    else:
        yield from compiling.prepare("patterns", "pattern_search", "deepening", "beam")
        from slidewise.solver.engines import beam

        yield from beam.prepare(puzzle)


@algorithm(
    key="best",
    title=message("Best for this board"),
    idea=message(
        "Up to 10 cells it uses the table of all boards, up to 16 cells IDA* with pattern "
        "databases. On larger boards it finds a good path at once and shortens it until the time "
        "limit."
    ),
    complete=True,
    optimal=False,
    optimal_to=PROVED_CELLS,
    time=message("up to 10 cells a look-up; up to 16 as IDA*; above, until the time limit"),
    space=message("up to 10 cells one table; up to 16 some tables; above, up to the memory limit"),
    uses_heuristic=False,
    source=message("this project; R. E. Korf and A. Felner, 2002, for 11 to 16 cells"),
    kernel=None,
    suits=100,
    prepare=prepare,
)
def best(task: Task) -> Iterator[Event]:
    """Look up, prove, or approximate the shortest path, by the size of the board."""
    cells = len(task.puzzle.start.cells)
    if cells <= TABLE_CELLS:
        return iter([Finished(_table_result(task))])
    if not compiling.is_available():
        return loop.run(PlainBest(task), task)
    # deferred: loads numpy and the compiled kernels
    if cells <= PROVED_CELLS:
        from slidewise.solver.engines import bracket

        return bracket.run(task)
    from slidewise.solver.engines import beam

    return beam.anytime(task)


def _build_tables(puzzle: Puzzle) -> None:
    """Build the tables cached between searches."""
    from slidewise.solver.engines.walks import walk_rows

    find_heuristic("pdb").build(puzzle.goal)
    walk_rows(puzzle.rows, puzzle.cols)


def _table_result(task: Task) -> Result:
    table = exact_table(task.puzzle.goal)
    pace = Pace(task.limits, task.cancelled)
    path = table.path(task.puzzle.start)
    cost = replace(NO_SEARCH, seconds=pace.seconds)
    end = End(Status.SOLVED, message("its length equals the distance in the table of all boards"))
    return best_result(task, end, path, len(path) - 1, cost, shortest=True)


class PlainBest(PathSearch):
    """IDA* in its plain form, which ends with a constructed path if a limit stops it."""

    def __init__(self, task: Task) -> None:
        deepening = replace(
            task,
            algorithm=find_algorithm("idastar"),
            heuristic=find_heuristic("linear-conflict"),
            limits=replace(task.limits, depth=None),
        )
        claim = PathClaim(message("IDA* has searched all paths that may have fewer moves"), True)
        super().__init__(task, PlainWork(deepening), claim)

    def result(self, end: End, seconds: float) -> Result:
        """Return the best known path with its proved bound."""
        solved = end.status is Status.SOLVED
        path = self.work.path() if solved else constructive_path(self.task.puzzle)
        bound = len(path) - 1 if solved else self.bound.moves
        cost = self.work.cost(seconds)
        return best_result(self.task, end, path, bound, cost, shortest=solved)
