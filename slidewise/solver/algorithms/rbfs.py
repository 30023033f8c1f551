"""Recursive best-first search: the order of best-first search, in the memory of a path.

It descends to the successor with the lowest stored f, unless another node along the path has a
lower stored f. In that case the search backtracks. It drops the successors and stores the lowest of
their f in the parent. On a later visit it generates them again, none below the stored f.

- It never reverses its last move.
- Of equal stored f, the successor generated first is taken: blank up, down, left, right.
- The goal test happens when a node is taken, not when it is generated.
- A node at the depth limit is taken, but not expanded.
- `frontier` counts the siblings along the path, `stored` the nodes of the path too.
- There are no iterations. An event reports the stored f of a taken node when it reaches a new
  maximum. All nodes on the frontier have at least this f, so it is the lowest f at the start.
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
    key="rbfs",
    title=message("Recursive best-first search"),
    idea=message(
        "Follows the most promising path until another path looks better, then goes back and "
        "stores only how good the old path could be at best."
    ),
    complete=True,
    optimal=True,
    time=message("O(b^(d+1)) at worst; far less with a good heuristic"),
    space=message("O(b d)"),
    uses_heuristic=True,
    source=message("R. E. Korf, 1993"),
    kernel="rbfs",
    suits=16,
    frontier=Frontier(
        FrontierKind.RECURSION,
        Rank(1, 1),
        by_hand=message(
            "The move straight back is left out. The f-limit of a node is the lowest stored f of "
            "the alternatives, ∞ for the start; if all its successors are above the f-limit, the "
            "search goes back and stores the lowest f that it found."
        ),
    ),
)
def rbfs(task: Task) -> Iterator[Event]:
    """Descend to the lowest stored f, which is max(f of the parent, g + h) once backed up."""
    heuristic = task.heuristic
    if heuristic is None or heuristic.admissible:
        because = message(
            "recursive best-first search with an admissible heuristic takes the goal only when "
            "no other board can lead there in fewer moves"
        )
    else:
        because = message(
            "recursive best-first search proves nothing with a heuristic that may be above the "
            "true distance"
        )
    claim = PathClaim(because, shortest=task.trusts_h)
    return loop.run(PathSearch(task, work_of(task, _compiled), claim), task)


def _compiled(task: Task) -> Work:
    # deferred: loads numpy and the compiled kernel
    from slidewise.solver.engines.one_path import BestFirstRecursion

    return BestFirstRecursion(task)
