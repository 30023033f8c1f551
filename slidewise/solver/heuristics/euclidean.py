"""The Euclidean distance: how far each tile is from home in a straight line."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from slidewise.puzzle import Board
from slidewise.solver.estimate import Estimate
from slidewise.solver.heuristics.exact import has_table
from slidewise.solver.registry import heuristic
from slidewise.text import message

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidewise.solver.own.evaluate import Block

ROUNDING_ERROR = 1e-6
"""Greatest floating-point error of a sum, which is not rounded up."""


@heuristic(
    key="euclidean",
    title=message("Euclidean distance"),
    idea=message(
        "Adds up how far each tile is from home in a straight line: never more than its rows and "
        "columns. The sum is rounded up, as moves are whole numbers."
    ),
    admissible=True,
    consistent=True,
    source=message("P. E. Hart, N. J. Nilsson and B. Raphael, 1968, for roads between cities"),
    fits=has_table,
    loads_tables=True,
)
def euclidean(goal: Board) -> Estimate:
    """Return a table with the sum of the tiles' straight distances, rounded up.

    A sum is rounded, not each tile's distance, so that a move changes it by at most 1.

    >>> from slidewise import parse_board
    >>> goal = parse_board("1.2.3-4.5.6-7.8.0")
    >>> euclidean(goal).value(parse_board("5.2.3-4.8.6-7.1.0"))  # sqrt(5) + sqrt(2) + 1
    5
    """
    # deferred: load numpy and the compiled kernels
    import numpy as np

    from slidewise.solver.own.evaluate import estimate_of

    def distance(home: int, cell: int) -> float:
        return hypot(home // goal.cols - cell // goal.cols, home % goal.cols - cell % goal.cols)

    def value(block: Block) -> NDArray[np.float64]:
        return np.ceil(block.sum_of_tiles(distance) - ROUNDING_ERROR)

    return estimate_of(goal, value)
