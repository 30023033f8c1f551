"""The algorithm that a search shows by the order of its expansions."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from slidewise.course.judge.cases import layers_within
from slidewise.course.programs.boards import Cells, manhattan, neighbors
from slidewise.text import message

MOST: Final = 400
"""Expansions that are looked at."""

FEWEST: Final = 8
"""Expansions that can show an order."""

REACH: Final = 12
"""Moves from the start within which distances are known; boards beyond count as one more."""

DEPTHS: Final = 3
CHAIN: Final = 0.95
"""Share of expansions of a depth-first search that continue the path, or go back along it."""

BREADTH_FIRST: Final = message("breadth-first")
DEPTH_FIRST: Final = message("depth-first")
ITERATIVE: Final = message("iterative")
BEST_FIRST: Final = message("best-first")
A_STAR: Final = "A*"


def order_of(start: Cells, goal: Cells, boards: list[Cells]) -> str:
    """Return the algorithm that the expansions show, "" if they are too few.

    Breadth-first expands by distance from the start; an iterative search expands the start again;
    depth-first goes on from a successor of the path; A* stays within the shortest length by g and
    the Manhattan distance; everything else is best-first.
    """
    shown = boards[:MOST]
    if len(start) > 9 or len(shown) < FEWEST:
        return ""
    near = _distances(start)
    depths = [near.get(board, REACH + 1) for board in shown]
    if _by_layers(depths, near):
        return BREADTH_FIRST
    if shown.count(start) > 1:
        return ITERATIVE
    if goes_deep(shown):
        return DEPTH_FIRST
    shortest = near.get(goal)
    if shortest is not None and all(
        depth + manhattan(board, goal) <= shortest
        for depth, board in zip(depths, shown, strict=True)
    ):
        return A_STAR
    return BEST_FIRST


def begins_again(start: Cells, boards: Sequence[Cells]) -> bool:
    """Return whether a search expands the start for a first limit, and at once for the next.

    A limit that does not grow would show the start once more.
    """
    return list(boards[:2]) == [start, start] and boards[2:3] != [start]


def _by_layers(depths: list[int], near: dict[Cells, int]) -> bool:
    """Return whether all boards of a depth come before those of the next."""
    if depths != sorted(depths) or depths[-1] < DEPTHS:
        return False
    sizes = Counter(near.values())
    return all(depths.count(depth) >= sizes[depth] for depth in range(min(depths[-1], REACH + 1)))


def goes_deep(boards: list[Cells]) -> bool:
    """Return whether boards follow paths, and go on more often than back."""
    steps = sum(after in neighbors(board) for board, after in pairwise(boards))
    return follows_paths(boards) and 2 * steps >= len(boards)


def follows_paths(boards: list[Cells]) -> bool:
    """Return whether each board is one move from the one before it, or from one before that."""
    path: list[Cells] = []
    followed = 0
    for board in boards:
        while path and board not in neighbors(path[-1]):
            path.pop()
        followed += bool(path)
        path.append(board)
    return followed >= CHAIN * len(boards) - 1


@lru_cache(maxsize=64)
def _distances(start: Cells) -> dict[Cells, int]:
    near = enumerate(layers_within(start, REACH))
    return {board: depth for depth, boards in near for board in boards}
