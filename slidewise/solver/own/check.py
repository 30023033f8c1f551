"""Admissibility and consistency of a heuristic, checked on all boards that can reach a goal.

Importing this module loads numpy.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from slidewise.solver.own.evaluate import blocks, tabulate
from slidewise.solver.own.heuristic_check import Count, Excess, HeuristicCheck, Jump
from slidewise.solver.tables.all_boards import sequences
from slidewise.solver.tables.exact import exact_table
from slidewise.solver.tables.order import UNREACHABLE, rank_of_arrangement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise.puzzle import Board
    from slidewise.solver.own.evaluate import Uint8s, Whole
    from slidewise.solver.own.parse import Node


CHECKS_REMEMBERED = 32
"""Cached checks per process, about 10 KB each. Each saves a second or more."""


@functools.lru_cache(maxsize=CHECKS_REMEMBERED)
def check_expression(tree: Node, goal: Board) -> HeuristicCheck:
    """Check an expression on all boards that can reach `goal`.

    3x3 takes some tenths of a second, 10 cells some seconds. Raises as `tabulate` does.
    """
    values, distances = tabulate(tree, goal), exact_table(goal).values
    reached = distances != UNREACHABLE
    above = np.flatnonzero(reached & (values > distances))
    distance_above = distances[above].astype(np.int64)
    jumps = _JumpSearch(goal, values)
    jumps.run()
    return HeuristicCheck(
        boards=int(np.count_nonzero(reached)),
        above=len(above),
        first=_excess(goal, values, above, distance_above),
        worst=_excess(goal, values, above, distance_above - values[above]),
        jumps=jumps.found,
        first_jump=jumps.jump(jumps.first),
        worst_jump=jumps.jump(jumps.worst),
        at_goal=int(values[exact_table(goal).number(goal)]),
        counts=tuple(_counts(distances[reached].astype(np.int64), values[reached])),
    )


def _counts(distances: Whole, values: Uint8s) -> Iterator[tuple[Count, ...]]:
    """Yield the estimates of the boards at each distance."""
    width = int(values.max()) + 1
    joint = np.bincount(distances * width + values, minlength=(int(distances.max()) + 1) * width)
    for row in joint.reshape(-1, width):
        yield tuple(Count(int(h), int(row[h])) for h in np.flatnonzero(row))


def _excess(goal: Board, values: Uint8s, above: Whole, order: Whole) -> Excess | None:
    """Return the first board in the order among the numbers `above`."""
    if not len(above):
        return None
    number = int(above[order.argmin()])
    table = exact_table(goal)
    return Excess(table.board(number), int(values[number]), int(table.values[number]))


class _RankedPair(NamedTuple):
    """Numbers of two neighbours, and the rank that selects the reported pair, lowest first."""

    rank: int
    here: int
    there: int


class _JumpSearch:
    """Search of all neighbour pairs for a difference of more than 1.

    Of the `found` pairs `first` is nearest to the goal, and `worst` has the greatest difference.
    """

    def __init__(self, goal: Board, values: Uint8s) -> None:
        self._goal, self._values = goal, values
        self.found = 0
        self.first: _RankedPair | None = None
        self.worst: _RankedPair | None = None

    def run(self) -> None:
        """Check the pairs in which the blank moves right or down, which covers each pair once."""
        rows, cols = self._goal.size
        size = sequences(rows * cols - 1).shape[1]
        for block in blocks(self._goal):
            if block.blank % cols < cols - 1:  # the order of the tiles stays
                self._compare(block.numbers, block.numbers - size)
            if block.blank < (rows - 1) * cols:
                tile = block.blank + cols - 1  # the tile below the blank, in reading order
                order = list(range(rows * cols - 1))
                order.insert(block.blank, order.pop(tile))
                first = (rows * cols - 1 - block.blank - cols) * size
                moved = list(block.sequence[order].astype(np.int64))
                self._compare(block.numbers, first + rank_of_arrangement(moved, len(moved)))

    def jump(self, pair: _RankedPair | None) -> Jump | None:
        """Return a pair with its boards, the one with the greater h first."""
        if pair is None:
            return None
        table = exact_table(self._goal)
        high, low = sorted((pair.here, pair.there), key=lambda number: -int(self._values[number]))
        return Jump(
            table.board(high), int(self._values[high]), table.board(low), int(self._values[low])
        )

    def _compare(self, here: Whole, there: Whole) -> None:
        """Compare h of the boards numbered `here` with h of their neighbours `there`."""
        change = np.abs(self._values[here].astype(np.int64) - self._values[there])
        wrong = np.flatnonzero(change > 1)
        if not len(wrong):
            return
        self.found += len(wrong)
        here, there = here[wrong], there[wrong]
        distances = exact_table(self._goal).values
        nearest = np.minimum(distances[here], distances[there]).astype(np.int64)
        self.first = _lowest(self.first, nearest, here, there)
        self.worst = _lowest(self.worst, -change[wrong], here, there)


def _lowest(known: _RankedPair | None, rank: Whole, here: Whole, there: Whole) -> _RankedPair:
    """Return the pair of lowest rank among the known one and these."""
    at = rank.argmin()
    found = _RankedPair(int(rank[at]), int(here[at]), int(there[at]))
    return found if known is None or found.rank < known.rank else known
