"""Foretelling a search that will take long, from the size of the board and the algorithm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidewise.solver.find import find_algorithm
from slidewise.solver.registry import algorithms

if TYPE_CHECKING:
    from slidewise.puzzle import Puzzle


def forecast(puzzle: Puzzle, algorithm: str) -> str | None:
    """Return a warning where a search is likely to meet its limits, None where it is not.

    It goes by the algorithm's `suits`, the most cells of a board drawn at random that it solves
    in about a minute and 400 MB; a board near its goal can be solved all the same.

    >>> from slidewise import scramble
    >>> print(forecast(scramble(4, 4, "1"), "bfs"))
    Breadth-first search on 4x4 will probably not finish: try Best for this board.

    Raises `UnknownNameError` for an algorithm that is not in the registry.
    """
    chosen = find_algorithm(algorithm)
    cells = puzzle.rows * puzzle.cols
    if cells <= chosen.suits:
        return None
    better = [other for other in algorithms().values() if other.suits >= cells]
    better.sort(key=lambda other: (other.optimal_to < cells, -other.suits))
    size = f"{puzzle.rows}x{puzzle.cols}"
    advice = f": try {better[0].title}" if better else "; the others may not either"
    return f"{chosen.title} on {size} will probably not finish{advice}."
