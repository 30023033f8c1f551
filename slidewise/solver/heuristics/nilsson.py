"""Nilsson's sequence score, with Manhattan distance: quick, and no lower bound."""

from slidewise.puzzle import Board
from slidewise.solver.estimate import Estimate
from slidewise.solver.heuristics.exact import has_table
from slidewise.solver.registry import heuristic
from slidewise.text import message


@heuristic(
    key="nilsson",
    title=message("Nilsson’s sequence score"),
    idea=message(
        "Manhattan distance, and 3 times a score for the order of the tiles: going around the "
        "edge, 2 for each tile whose next tile differs from the goal, and 1 for each wrong tile "
        "inside."
    ),
    admissible=False,
    consistent=False,
    source=message("N. J. Nilsson, Principles of Artificial Intelligence, 1980"),
    fits=has_table,
    loads_tables=True,
)
def nilsson(goal: Board) -> Estimate:
    """Return a table of `manhattan + 3 * sequence_score`.

    Nilsson has goals with the blank in the middle: a tile there adds 1.

    >>> from slidewise import parse_board
    >>> goal = parse_board("1.2.3-8.0.4-7.6.5")
    >>> nilsson(goal).value(parse_board("2.8.3-1.6.4-7.0.5"))  # 5 + 3 * 9
    32
    """
    # deferred: loads numpy and the compiled kernels
    from slidewise.solver.own.heuristic import own_heuristic

    return own_heuristic("=manhattan + 3 * sequence_score").build(goal)
