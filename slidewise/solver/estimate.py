"""The common form of the heuristics: a sum over groups of tiles, each with its own table."""

from __future__ import annotations

import functools
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slidewise.puzzle import Board
    from slidewise.solver.kernels.estimate import EstimateArrays
    from slidewise.solver.kernels.jit import Int64s
    from slidewise.solver.kernels.pattern_arrays import PatternArrays
    from slidewise.solver.tables.patterns.database import PatternDatabase

LINE_BITS = 4
"""Bits that each cell of a line takes in the index of a group without a table."""

MAX_LINES = 4096
"""Cached lines of large boards, 100 bytes each. A move changes two of a board's lines."""


@dataclass(frozen=True, eq=False)
class Group:
    """A group of tiles and its joint contribution to h.

    `weights[tile][cell]` is the contribution of a tile in a cell to the group's index. `values`
    maps each index to the contribution to h, a 16-bit number from 0 on. Groups may share a table. A
    group without `values` is a line, a row or column of the goal, whose value is computed. Its
    index holds 4 bits for each cell of the line: 1 plus the tile's goal place in the line, or 0 for
    other tiles. `line` has the line's cells, if the group depends only on the order of the tiles
    there.
    """

    weights: Mapping[int, Sequence[int]]
    values: array[int] | None = field(repr=False)
    line: range | None = None

    @property
    def highest(self) -> int:
        """Return an upper bound on the group's contribution."""
        if self.values is None:
            # All tiles but the last may have to leave the line, with 2 moves each.
            return 2 * max(0, len(self.weights) - 1)
        return max(self.values)

    def value(self, index: int) -> int:
        """Return the contribution to h at `index`."""
        return _line_value_at(index) if self.values is None else self.values[index]


class Estimate:
    """A heuristic for a goal, on boards of `cells` cells: the sum over `groups`.

    A pattern database, `patterns`, replaces the groups. `is_sum`: h is the sum over the groups.

    A move changes only the groups of the moved tile. The blank, tile 0, is in no group. It does
    not have to be moved, and counting it would make h inadmissible.

    >>> Estimate(4, ()).highest
    0
    """

    def __init__(
        self, cells: int, groups: Iterable[Group], patterns: PatternDatabase | None = None
    ) -> None:
        self.cells = cells
        self.patterns = patterns
        self.is_sum = patterns is None
        self.groups = tuple(group for group in groups if group.weights)
        self._members: tuple[list[tuple[int, Sequence[int]]], ...] = tuple([] for _ in range(cells))
        for number, group in enumerate(self.groups):
            for tile, weights in group.weights.items():
                self._members[tile].append((number, weights))

    @classmethod
    def of_tiles(cls, goal: Board, estimate: Callable[[int, int], int]) -> Estimate:
        """Return the estimate in which each tile, taken alone, adds `estimate(home, cell)`.

        `home` is the tile's cell in `goal`, `cell` its current cell.

        >>> from slidewise import parse_board
        >>> goal = parse_board("1.2-3.0")
        >>> Estimate.of_tiles(goal, lambda home, cell: abs(home - cell)).value(goal)
        0
        """
        return cls(len(goal.cells), of_tiles(goal, estimate))

    @functools.cached_property
    def highest(self) -> int:
        """Return an upper bound on h."""
        if self.patterns:
            return self.patterns.highest
        return sum(group.highest for group in self.groups)

    def value(self, board: Board) -> int:
        """Return h of `board`."""
        if self.patterns:
            return self.patterns.value(board)
        indices = [0] * len(self.groups)
        for cell, tile in enumerate(board.cells):
            for number, weights in self._members[tile]:
                indices[number] += weights[cell]
        return sum(group.value(index) for group, index in zip(self.groups, indices, strict=True))

    @functools.cached_property
    def arrays(self) -> EstimateArrays:
        """Return the groups as arrays for the kernels. Loads numpy and the compiler."""
        import numpy as np

        from slidewise.solver.kernels.estimate import LINE, EstimateArrays

        members = [member for of_tile in self._members for member in of_tile]
        counts = [len(of_tile) for of_tile in self._members]
        # Groups that share a table share its copy in the arrays.
        tables = {id(group.values): group.values for group in self.groups if group.values}
        offsets, values = {id(None): LINE}, array("h")
        for table in tables.values():
            offsets[id(table)] = len(values)
            values.extend(table)
        return EstimateArrays(
            first=np.cumsum([0, *counts], dtype=np.int32),
            groups=np.array([number for number, _ in members], dtype=np.int32),
            weights=np.array([weights for _, weights in members], dtype=np.int64).reshape(
                len(members), self.cells
            ),
            offsets=np.array([offsets[id(group.values)] for group in self.groups], dtype=np.int64),
            values=np.array(values, dtype=np.int16),
        )

    @functools.cached_property
    def pattern_arrays(self) -> PatternArrays:
        """Return the arrays of the pattern database, empty arrays if there is none."""
        if self.patterns:
            return self.patterns.arrays
        import numpy as np

        from slidewise.solver.kernels.pattern_arrays import PatternArrays

        no_view = np.zeros((0, self.cells), dtype=np.int64)
        no_group = np.zeros(0, dtype=np.int64)
        no_table = np.zeros(0, dtype=np.uint8)
        no_table.flags.writeable = False
        return PatternArrays(
            no_view, no_view.astype(np.uint64), no_view, no_group, no_group, no_group, no_table
        )

    def pattern_state(self, board: Board) -> Int64s:
        """Return the state of the look-ups in `pattern_arrays` for `board`, a row a group."""
        if self.patterns:
            return self.patterns.state(board)
        import numpy as np

        return np.zeros((0, 2), dtype=np.int64)


def of_tiles(goal: Board, estimate: Callable[[int, int], int]) -> list[Group]:
    """Return a group for each tile, which adds `estimate(home, cell)` in each cell."""
    cells = range(len(goal.cells))
    return [
        Group({tile: cells}, array("h", (estimate(home, cell) for cell in cells)))
        for home, tile in enumerate(goal.cells)
        if tile
    ]


def line_value(homes: Sequence[int]) -> int:
    """Return twice the fewest tiles that must leave a line so that the rest stand in order.

    `homes` are the goal places, within the line, of the tiles that belong there, in their current
    order.

    >>> line_value([2, 3, 1]), line_value([3, 2, 1])
    (2, 4)
    """
    return 2 * (len(homes) - len(longest_rising(homes)))


@functools.lru_cache(maxsize=MAX_LINES)
def _line_value_at(index: int) -> int:
    return line_value(_homes(index))


def longest_rising(places: Iterable[int]) -> tuple[int, ...]:
    """Return a longest rising subsequence of different numbers, with the lowest last number.

    >>> longest_rising([3, 1, 4, 2])
    (1, 2)
    """
    lasts: list[int] = []  # lowest last number of a rising subsequence of 1, 2, ... numbers
    chains: list[tuple[int, ...]] = [()]  # these subsequences
    for place in places:
        # Patience sorting: `place` continues the longest subsequence with a lower last number.
        length = bisect_left(lasts, place)
        lasts[length : length + 1] = [place]
        chains[length + 1 : length + 2] = [(*chains[length], place)]
    return chains[-1]


def _homes(index: int) -> list[int]:
    """Unpack the goal places of a line's tiles, in their current order, from its index."""
    digits = range(0, index.bit_length(), LINE_BITS)
    return [home for bit in digits if (home := index >> bit & 15)]
