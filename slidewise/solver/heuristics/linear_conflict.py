"""The linear conflict heuristic: Manhattan distance plus detours of blocked tiles."""

from __future__ import annotations

import functools
from array import array
from collections.abc import Iterator

from slidewise.puzzle import Board
from slidewise.solver.estimate import LINE_BITS, Estimate, Group, line_value
from slidewise.solver.heuristics.manhattan import distances
from slidewise.solver.registry import heuristic
from slidewise.text import message

LONGEST_TABLE = 5
"""Cells of the longest lines with a table, which builds in 5 ms and takes 16 kB. With 6 cells it
would take 60 ms and 235 kB, too large for a fast cache, so longer lines are computed."""


@heuristic(
    key="linear-conflict",
    title=message("Linear conflict"),
    idea=message(
        "Manhattan distance, and 2 more for each tile that has to step out of its goal row or "
        "goal column because another tile in the same line has to pass it."
    ),
    admissible=True,
    consistent=True,
    source=message("O. Hansson, A. Mayer and M. Yung, 1992"),
)
def linear_conflict(goal: Board) -> Estimate:
    """Return Manhattan distance plus 2 for each tile that must leave a row or column of the goal.

    The tiles of a line are in the line and have their home in it. The most tiles that can stay form
    a longest rising subsequence, and the others must leave. Each of these takes a move out of the
    line and a move back, which Manhattan distance does not count. These moves are across the line,
    so rows and columns add up.

    >>> from slidewise import parse_board
    >>> goal = parse_board("1.2.3-4.5.6-7.8.0")
    >>> linear_conflict(goal).value(parse_board("3.2.1-4.5.6-7.8.0"))  # 4 + 2 * 2
    8
    """
    lines = [_line(goal, line) for line in _lines(goal)]
    return Estimate(len(goal.cells), [*distances(goal), *lines])


def _lines(goal: Board) -> Iterator[range]:
    """Yield the cells of each row and each column."""
    cells = len(goal.cells)
    for row in range(0, cells, goal.cols):
        yield range(row, row + goal.cols)
    for col in range(goal.cols):
        yield range(col, cells, goal.cols)


def _line(goal: Board, line: range) -> Group:
    """Return the group of the tiles that belong in the cells `line`."""
    with_table = len(line) <= LONGEST_TABLE
    base = len(line) + 1 if with_table else 1 << LINE_BITS
    weights = {}
    for home, cell in enumerate(line, start=1):
        if goal.cells[cell]:
            weight = [0] * len(goal.cells)
            for place, there in enumerate(line):
                weight[there] = home * base**place
            weights[goal.cells[cell]] = weight
    return Group(weights, line_table(len(line)) if with_table else None, line)


@functools.cache
def line_table(length: int) -> array[int]:
    """Return the table of a line of `length` cells, shared by all lines of this length.

    Its index has a digit, to the base length + 1, for each cell: 1 plus the tile's goal place in
    the line, or 0 for other tiles. Impossible lines, with a tile twice, have 0.
    """
    base = length + 1
    table = array("h", bytes(2 * base**length))

    def fill(place: int, index: int, homes: tuple[int, ...]) -> None:
        if place == length:
            table[index] = line_value(homes)
            return
        # A tile of another line, or the blank.
        fill(place + 1, index, homes)
        for home in range(1, base):
            if home not in homes:
                fill(place + 1, index + home * base**place, (*homes, home))

    fill(0, 0, ())
    return table
