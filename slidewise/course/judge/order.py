"""Recognition of a search algorithm by the order of its expansions."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from slidewise.course.judge.cases import layers_within
from slidewise.course.programs.boards import Cells, manhattan, neighbors
from slidewise.text import message

MOST: Final = 400
"""Maximum expansions compared, from the first."""

FEWEST: Final = 8
"""Minimum expansions that can show an order."""

REACH: Final = 12
"""Maximum known distance from the start, in moves; farther boards count as `REACH` + 1."""

DEPTHS: Final = 3
"""Minimum depth of a search by layers."""

CHAIN: Final = 0.95
"""Minimum share of expansions in depth-first search that continue the path or backtrack."""

BREADTH_FIRST: Final = message("breadth-first")
DEPTH_FIRST: Final = message("depth-first")
ITERATIVE: Final = message("iterative")
BEST_FIRST: Final = message("best-first")
A_STAR: Final = "A*"


def order_of(start: Cells, goal: Cells, boards: list[Cells]) -> str:
    """Return the algorithm that the expansions show, "" if there are too few.

    Breadth-first search expands by distance from the start, and an iterative search expands the
    start again. Depth-first search continues from a successor of the path. In A*, g plus the
    Manhattan distance is never above the shortest length. Everything else is best-first.
    """
    shown = boards[:MOST]
    if len(start) > 9 or len(shown) < FEWEST:
        return ""
    near = distances_from(start)
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
    """Return whether a search expands the start for a first limit, and again for the next limit.

    With a limit that does not grow, the start would follow a third time.
    """
    return list(boards[:2]) == [start, start] and boards[2:3] != [start]


def _by_layers(depths: list[int], near: dict[Cells, int]) -> bool:
    """Return whether all boards of each depth come before the boards of the next depth."""
    if depths != sorted(depths) or depths[-1] < DEPTHS:
        return False
    sizes = Counter(near.values())
    # Complete layers; only the deepest layer may be interrupted.
    return all(depths.count(depth) >= sizes[depth] for depth in range(min(depths[-1], REACH + 1)))


def late_boards(
    boards: Sequence[Cells], cost: Callable[[Cells, Cells], int]
) -> list[tuple[Cells, int | None, int]]:
    """Return the boards that a search by cost would have expanded earlier.

    Each comes with the cost of its path and the highest cost before it; the cost is None for a
    board that no expanded board leads to. Boards that are expanded again count only once.

    >>> one, two, three = (0, 1, 2, 3), (1, 0, 2, 3), (1, 3, 2, 0)
    >>> late_boards([one, two, three], lambda board, after: 1)
    []
    >>> late_boards([one, two, three, (2, 1, 0, 3)], lambda board, after: 1)
    [((2, 1, 0, 3), 1, 2)]
    """
    known, expanded = {boards[0]: 0}, set[Cells]()
    highest = 0
    late: list[tuple[Cells, int | None, int]] = []
    for board in boards:
        if board in expanded:
            continue
        expanded.add(board)
        g = known.get(board)
        if g is None or g < highest:
            late.append((board, g, highest))
        if g is None:
            continue
        highest = max(highest, g)
        for after in neighbors(board):
            new = g + cost(board, after)
            known[after] = min(known.get(after, new), new)
    return late


def rounds_of(boards: Sequence[Cells]) -> list[Sequence[Cells]]:
    """Split the expansions of a search before each expansion of its first board."""
    starts = [i for i, board in enumerate(boards) if board == boards[0]]
    return [boards[i:j] for i, j in pairwise([*starts, len(boards)])]


def enters_again(boards: Sequence[Cells]) -> bool:
    """Return whether a search often enters a board again from the same board of its path.

    A search that returns to a board of its path does so too, and is not meant.
    """
    path: list[tuple[Cells, set[Cells]]] = []
    again = 0
    for board in boards:
        while path and board not in neighbors(path[-1][0]):
            path.pop()
        if board in [one for one, _ in path]:
            return False
        if path:
            again += board in path[-1][1]
            path[-1][1].add(board)
        path.append((board, set()))
    return again > (1 - CHAIN) * len(boards)


def goes_deep(boards: list[Cells]) -> bool:
    """Return whether boards follow paths, and continue more often than they go back."""
    steps = sum(after in neighbors(board) for board, after in pairwise(boards))
    return follows_paths(boards) and 2 * steps >= len(boards)


def follows_paths(boards: Sequence[Cells]) -> bool:
    """Return whether nearly each board is a move from the previous board, or from its ancestors."""
    return first_jump(boards) is None


def first_jump(boards: Sequence[Cells]) -> Cells | None:
    """Return the first board that continues no path, None if nearly all of them do.

    The first board may begin a path again, as a search by limits does.
    """
    path: list[Cells] = []
    jumps = []
    for board in boards:
        while path and board not in neighbors(path[-1]):
            path.pop()
        if not path and board != boards[0]:
            jumps.append(board)
        path.append(board)
    return jumps[0] if len(jumps) > (1 - CHAIN) * len(boards) else None


@lru_cache(maxsize=64)
def distances_from(start: Cells) -> dict[Cells, int]:
    """Return the distances from the start of all boards within `REACH` moves."""
    near = enumerate(layers_within(start, REACH))
    return {board: depth for depth, boards in near for board in boards}
