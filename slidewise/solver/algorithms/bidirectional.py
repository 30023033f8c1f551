"""Breadth-first search from both ends at once, until they meet.

A layer is the set of boards at the same distance from an end. The smaller layer, or the start's if
they are equal, is expanded completely before the next layer.

- The test for the meeting happens when a node is generated. The search ends with the first
  successor that the other end has reached. `kernels/bidirectional.py` proves that the path is
  shortest.
- Successors are generated in the order blank up, down, left, right. A state already reached from
  the same end is dropped.
- The counts add up both ends, with the goal generated like the start. g and
  `deepest` count from the end that reached the node, until there is a path.
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
    key="bidirectional",
    title=message("Bidirectional breadth-first search"),
    idea=message(
        "Searches from the start and from the goal at the same time, until the two meet half way: "
        "two small circles instead of a large one."
    ),
    complete=True,
    optimal=True,
    time=message("O(b^(d/2))"),
    space=message("O(b^(d/2))"),
    uses_heuristic=False,
    source=message("I. Pohl, 1971"),
    kernel="bidirectional",
    suits=12,
    frontier=Frontier(
        FrontierKind.TWO_ENDS,
        Rank(1, 0),
        by_hand=message(
            "The smaller of the two outermost layers is expanded completely; if they are equal, "
            "the start’s layer. g counts from the side that reached the board."
        ),
    ),
)
def bidirectional(task: Task) -> Iterator[Event]:
    """Expand the smaller of the two outermost layers."""
    because = message(
        "the searches from both ends go layer by layer, so that no path has fewer moves than "
        "the one through their first meeting"
    )
    search = PathSearch(task, work_of(task, _compiled), PathClaim(because, shortest=True))
    return loop.run(search, task)


def _compiled(task: Task) -> Work:
    # deferred: loads numpy and the compiled kernel
    from slidewise.solver.engines.two_ends import CompiledTwoEnds

    return CompiledTwoEnds(task)
