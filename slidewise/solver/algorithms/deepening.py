"""Iterative deepening: depth-first search again and again, within a limit that rises.

It stores the current path and the siblings along it, and so needs little memory. It has no record
of visited boards and searches them again.

- It never reverses its last move.
- Successors are generated in the order blank up, down, left, right, and taken in that order.
  Successors above the limit are dropped when generated.
- The goal test happens when a node is taken, not when it is generated.
- A node at the depth limit is taken, but not expanded.
- `frontier` counts the siblings along the path, `stored` the nodes of the path too.
  The counts run through all iterations; the start counts as generated once.
"""

from collections.abc import Iterator

from slidewise.solver import loop
from slidewise.solver.events import Event
from slidewise.solver.loop import PathClaim, PathSearch, Work
from slidewise.solver.plain.work import work_of
from slidewise.solver.registry import algorithm
from slidewise.solver.task import Frontier, FrontierKind, Rank, Task
from slidewise.text import message


@algorithm(
    key="iddfs",
    title=message("Iterative-deepening depth-first search"),
    idea=message(
        "Tries all paths of up to 0 moves, then of up to 1, 2, 3 and so on: the smallest depth "
        "that works is the length of a shortest path. It stores only one path."
    ),
    complete=True,
    optimal=True,
    time=message("O(b^d)"),
    space=message("O(b d)"),
    uses_heuristic=False,
    source=message("R. E. Korf, 1985"),
    kernel="deepening",
    suits=9,
    options={"depth"},
    frontier=Frontier(
        FrontierKind.PATH,
        Rank(1, 0),
        by_hand=message(
            "The move straight back is left out. A node at the depth limit is only compared with "
            "the goal, not expanded; with each new limit the search begins again from the start."
        ),
    ),
)
def iddfs(task: Task) -> Iterator[Event]:
    """Deepen the limit on g by 1 each time."""
    because = message(
        "iterative deepening tries all paths with fewer moves before it reaches this depth"
    )
    return _deepen(task, because, uses_h=False)


@algorithm(
    key="idastar",
    title=message("IDA*"),
    idea=message(
        "Iterative deepening for A*: gives up a path as soon as the moves made plus the estimated "
        "moves left exceed a limit, and raises that limit as little as possible. It stores only "
        "one path."
    ),
    complete=True,
    optimal=True,
    time=message("O(b^(d+1)) at worst; far less with a good heuristic"),
    space=message("O(b d)"),
    uses_heuristic=True,
    source=message("R. E. Korf, 1985"),
    kernel="deepening",
    suits=16,
    frontier=Frontier(
        FrontierKind.PATH,
        Rank(1, 1),
        by_hand=message(
            "The move straight back is left out, and so is a successor with f above the f-limit. "
            "The first f-limit is h of the start; with each new f-limit the search begins again."
        ),
    ),
)
def idastar(task: Task) -> Iterator[Event]:
    """Deepen the limit on f = g + h to the lowest f that was above it."""
    heuristic = task.heuristic
    if heuristic is None or heuristic.admissible:
        because = message(
            "IDA* with an admissible heuristic searches all paths that may have fewer moves "
            "before it reaches this limit"
        )
    else:
        because = message(
            "IDA* proves nothing with a heuristic that may be above the true distance"
        )
    return _deepen(task, because, uses_h=True)


def _deepen(task: Task, because: str, *, uses_h: bool) -> Iterator[Event]:
    claim = PathClaim(because, shortest=task.trusts_h)

    def compiled(task: Task) -> Work:
        # deferred: loads numpy and the compiled kernel
        from slidewise.solver.engines.one_path import CompiledDeepening

        return CompiledDeepening(task, uses_h=uses_h)

    return loop.run(PathSearch(task, work_of(task, compiled), claim), task)
