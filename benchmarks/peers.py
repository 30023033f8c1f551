"""Runs the other packages, in the environment that has them.

Reads JSON from stdin, `{"method": ..., "boards": [rows of cells, ...]}`, and writes a line for each
board as soon as it is solved: the length of the path and the CPU seconds.
"""

import functools
import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import slidingpuzzle
from simpleai.search import SearchProblem, astar

Grid = list[list[int]]

EASY = [[1, 2, 3], [4, 5, 6], [0, 7, 8]]


def main() -> None:
    """Solve an easy board to warm up, then those of the request."""
    request = json.load(sys.stdin)
    solve = METHODS[request["method"]]
    solve(EASY)
    for board in request["boards"]:
        started = time.process_time()
        length = solve(board)
        print(json.dumps([length, time.process_time() - started]), flush=True)


def with_slidingpuzzle(algorithm: str, board: Grid, **options: Any) -> int:
    """Return the length of the package's path to its goal, the standard one."""
    found = slidingpuzzle.search(np.array(board), algorithm, **options)
    return len(found.solution)


def with_simpleai(board: Grid) -> int:
    """Return the length of the path of its A*, over a problem stated as its guide shows."""
    found = astar(Puzzle(tuple(cell for row in board for cell in row)), graph_search=True)
    return len(found.path()) - 1


class Puzzle(SearchProblem):
    """The 8-puzzle: a state is a tuple of cells, an action the blank's next cell."""

    goal = (1, 2, 3, 4, 5, 6, 7, 8, 0)

    def actions(self, state: tuple[int, ...]) -> list[int]:
        """Return the cells beside the blank."""
        blank = state.index(0)
        row, col = divmod(blank, 3)
        near = (
            (blank - 3, row > 0),
            (blank + 3, row < 2),
            (blank - 1, col > 0),
            (blank + 1, col < 2),
        )
        return [cell for cell, inside in near if inside]

    def result(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        """Return the state after a move."""
        cells = list(state)
        blank = state.index(0)
        cells[blank], cells[action] = cells[action], 0
        return tuple(cells)

    def is_goal(self, state: tuple[int, ...]) -> bool:
        """Return whether all tiles are at home."""
        return state == self.goal

    def heuristic(self, state: tuple[int, ...]) -> int:
        """Return the Manhattan distance."""
        return sum(DISTANCE[tile][cell] for cell, tile in enumerate(state))


DISTANCE = [[0] * 9] + [
    [abs(cell // 3 - home // 3) + abs(cell % 3 - home % 3) for cell in range(9)]
    for home in range(8)
]
"""For each tile and cell the distance from home, 0 for the blank."""

METHODS: dict[str, Callable[[Grid], int]] = {
    "slidingpuzzle bfs": functools.partial(with_slidingpuzzle, "bfs"),
    "slidingpuzzle a*": functools.partial(
        with_slidingpuzzle, "a*", heuristic=slidingpuzzle.manhattan_distance
    ),
    "slidingpuzzle ida*": functools.partial(
        with_slidingpuzzle, "ida*", heuristic=slidingpuzzle.manhattan_distance
    ),
    "simpleai a*": with_simpleai,
}

if __name__ == "__main__":
    main()
