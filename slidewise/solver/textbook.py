"""Each compiled algorithm in its plain form, as in textbooks.

`neighbors` returns the boards a move away, `is_goal` tests a board, and `h` estimates its distance.
Each function returns a path, the boards from the start to the goal, or None if there is none. The
compiled searches expand the same boards in the same order, which tests compare.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import NamedTuple

from slidewise.puzzle import Board

Path = list[Board]
IsGoal = Callable[[Board], bool]
Neighbors = Callable[[Board], list[Board]]
H = Callable[[Board], int]


class PathNode(NamedTuple):
    """A board and the node that it was reached from, None for the start."""

    board: Board
    parent: PathNode | None

    def path(self) -> Path:
        """Return the boards from the start to this board."""
        boards, node = [self.board], self.parent
        while node:
            boards.append(node.board)
            node = node.parent
        return boards[::-1]


def neighbors(board: Board) -> list[Board]:
    """Return the boards a move away: the blank goes up, down, left, right."""
    return [board.move(tile) for tile in "DURL" if tile in board.legal_directions]


def best_first(
    start: Board,
    is_goal: IsGoal,
    neighbors: Neighbors,
    f: Callable[[int, Board], int],
    reopen: bool = True,
) -> Path | None:
    """Take the node with the lowest f(g, board), and among ties the first generated.

    f is g for breadth-first and uniform-cost search, -g for depth-first search, h for greedy search
    and g + h for A*. With `reopen`, a shorter path adds a reached board again.
    """
    number = count()
    frontier: list[tuple[int, int, int, Board, PathNode | None]] = []
    heappush(frontier, (f(0, start), next(number), 0, start, None))
    reached = {start: 0}
    while frontier:
        *_, g, board, parent = heappop(frontier)
        if g > reached[board]:
            continue  # a shorter path was found meanwhile
        node = PathNode(board, parent)
        if is_goal(board):
            return node.path()
        g += 1
        for successor in neighbors(board):
            if successor not in reached or (reopen and g < reached[successor]):
                reached[successor] = g
                heappush(frontier, (f(g, successor), next(number), g, successor, node))
    return None


def bidirectional(start: Board, goal: Board, neighbors: Neighbors) -> Path | None:
    """Expand the smaller of the two outermost layers until the sides meet."""
    if start == goal:
        return [start]
    sides = {start: [start]}, {goal: [goal]}  # the path to each reached board
    layers = [[start], [goal]]
    while all(layers):
        turn = 0 if len(layers[0]) <= len(layers[1]) else 1
        here, there = sides[turn], sides[1 - turn]
        layer, layers[turn] = layers[turn], []
        for board in layer:
            for successor in neighbors(board):
                if successor in there:
                    from_start, from_goal = (here, there) if turn == 0 else (there, here)
                    first, second = (board, successor) if turn == 0 else (successor, board)
                    return from_start[first] + from_goal[second][::-1]
                if successor not in here:
                    here[successor] = [*here[board], successor]
                    layers[turn].append(successor)
    return None


def iddfs(start: Board, is_goal: IsGoal, neighbors: Neighbors) -> Path | None:
    """Search depth-first within 0 moves, then 1, 2, 3 and so on; never move straight back."""

    def search(path: Path, limit: int) -> Path | None:
        if is_goal(path[-1]):
            return path
        if limit == 0:
            return None
        for successor in neighbors(path[-1]):
            if successor not in path[-2:]:
                found = search([*path, successor], limit - 1)
                if found:
                    return found
        return None

    for limit in count():
        found = search([start], limit)
        if found:
            return found
    return None


def idastar(start: Board, is_goal: IsGoal, neighbors: Neighbors, h: H) -> Path | None:
    """Search depth-first within a limit on f = g + h, then within the lowest f above it."""

    def search(path: Path, limit: float) -> tuple[Path | None, float]:
        if is_goal(path[-1]):
            return path, limit
        above = inf
        for successor in neighbors(path[-1]):
            f = len(path) + h(successor)
            if successor in path[-2:]:
                continue
            if f > limit:
                above = min(above, f)
                continue
            found, lowest = search([*path, successor], limit)
            if found:
                return found, limit
            above = min(above, lowest)
        return None, above

    limit: float = h(start)
    while limit < inf:
        found, limit = search([start], limit)
        if found:
            return found
    return None


def rbfs(start: Board, is_goal: IsGoal, neighbors: Neighbors, h: H) -> Path | None:
    """Follow the lowest stored f until an alternative on the path is lower."""

    def search(path: Path, stored: float, limit: float) -> tuple[Path | None, float]:
        board, g = path[-1], len(path) - 1
        if is_goal(board):
            return path, stored
        least = stored if stored > g + h(board) else 0  # it was expanded before
        successors = [board for board in neighbors(board) if board not in path[-2:]]
        values = [max(least, g + 1 + h(board)) for board in successors]
        while values:
            lowest, *others = sorted(values)
            if lowest == inf or lowest > limit:
                return None, lowest
            best = values.index(lowest)
            below = min([limit, *others])
            found, values[best] = search([*path, successors[best]], lowest, below)
            if found:
                return found, lowest
        return None, inf

    return search([start], h(start), inf)[0]
