"""The number of misplaced tiles, also called the Hamming distance."""

from slidewise.puzzle import Board
from slidewise.solver.estimate import Estimate
from slidewise.solver.registry import heuristic
from slidewise.text import message


@heuristic(
    key="misplaced",
    title=message("Misplaced tiles"),
    idea=message("Counts the tiles that are not at home: each has to move at least once."),
    admissible=True,
    consistent=True,
    source=message("N. J. Nilsson, 1971"),
)
def misplaced(goal: Board) -> Estimate:
    """Return the number of misplaced tiles.

    >>> from slidewise import parse_board
    >>> goal = parse_board("0.1.2-3.4.5-6.7.8")
    >>> misplaced(goal).value(parse_board("7.2.4-5.0.6-8.3.1"))
    8
    """
    # A tile that is not at home needs a move of its own, so the count is admissible.
    return Estimate.of_tiles(goal, lambda home, cell: int(cell != home))
