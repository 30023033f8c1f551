"""The Manhattan distance, also called the city-block or taxicab distance."""

from slidewise.puzzle import Board
from slidewise.puzzle.board import cell_distance
from slidewise.solver.estimate import Estimate, Group, of_tiles
from slidewise.solver.registry import heuristic
from slidewise.text import message


@heuristic(
    key="manhattan",
    title=message("Manhattan distance"),
    idea=message(
        "Adds up how many rows and columns each tile is from home: "
        "a move brings one tile at most one step nearer."
    ),
    admissible=True,
    consistent=True,
    source=message("J. E. Doran and D. Michie, 1966"),
)
def manhattan(goal: Board) -> Estimate:
    """Return the sum of the tiles' row and column distances from home.

    >>> from slidewise import parse_board
    >>> goal = parse_board("0.1.2-3.4.5-6.7.8")
    >>> manhattan(goal).value(parse_board("7.2.4-5.0.6-8.3.1"))
    18
    """
    return Estimate(len(goal.cells), distances(goal))


def distances(goal: Board) -> list[Group]:
    """Return a group for each tile: its distance from home."""
    return of_tiles(goal, lambda home, cell: cell_distance(home, cell, goal.cols))
