"""The zero heuristic, for searches without an estimate."""

from slidewise.puzzle import Board
from slidewise.solver.estimate import Estimate
from slidewise.solver.registry import heuristic
from slidewise.text import message


@heuristic(
    key="zero",
    title=message("Zero"),
    idea=message("Estimates nothing: every board seems to be at the goal."),
    admissible=True,
    consistent=True,
    source=message("E. W. Dijkstra, 1959: what A* becomes with it"),
)
def zero(goal: Board) -> Estimate:
    """Return an estimate without groups.

    >>> from slidewise import parse_board
    >>> goal = parse_board("0.1.2-3.4.5-6.7.8")
    >>> zero(goal).value(parse_board("7.2.4-5.0.6-8.3.1"))
    0
    """
    return Estimate(len(goal.cells), ())
