"""Partitions of the tiles into groups of a pattern database, by size and blank cell."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from slidewise.puzzle import Board, PuzzleError
from slidewise.puzzle.board import quoted

BLANK = "."

SPREAD_TILES = 6
"""Maximum tiles of a group with a spread table: 17 MB on 4x4, a third used, and 244 MB on 5x5, half
used."""


def is_spread(tiles: int) -> bool:
    """Whether a group of this size has a spread table, with the cells as digits of the index.

    Otherwise its table is dense, with entries only for arrangements of different cells.
    """
    return tiles <= SPREAD_TILES


class UnknownPartitionError(PuzzleError):
    """No pattern database with this name or for boards of this size."""


@dataclass(frozen=True)
class Partition:
    """The groups of a pattern database, drawn as the goal with a letter for each group.

    The letters are in the tiles' home cells and `.` in the blank's. Spaces separate the rows. A
    group has up to 8 tiles, as their permutations are numbered in 16 bits. `mean` is the mean of h
    over 10,000 boards drawn at random, with all views.

    >>> partition = Partition(".ab aab", 0)
    >>> partition.name, partition.size, partition.blank, partition.groups
    ('3-2', (2, 3), 0, ((1, 3, 4), (2, 5)))
    """

    picture: str
    mean: float

    @functools.cached_property
    def size(self) -> tuple[int, int]:
        """Return (rows, columns)."""
        rows = self.picture.split()
        return len(rows), len(rows[0])

    @functools.cached_property
    def blank(self) -> int:
        """Return the home cell of the blank."""
        return self._cells.index(BLANK)

    @functools.cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Return the home cells of each group, ascending."""
        letters = sorted(set(self._cells) - {BLANK})
        return tuple(
            tuple(cell for cell, found in enumerate(self._cells) if found == letter)
            for letter in letters
        )

    @functools.cached_property
    def name(self) -> str:
        """Sizes of the groups in tiles, for example `6-6-3`."""
        return "-".join(str(len(group)) for group in self.groups)

    @functools.cached_property
    def lengths(self) -> tuple[int, ...]:
        """Return the bytes of each group's table, which is spread or dense."""
        cells = len(self._cells)
        return tuple(
            cells**size if is_spread(size) else math.perm(cells, size)
            for size in map(len, self.groups)
        )

    @property
    def bytes(self) -> int:
        """Return the bytes of all tables."""
        return sum(self.lengths)

    @property
    def _cells(self) -> str:
        return self.picture.replace(" ", "")


PARTITIONS = (
    Partition(".b aa", 2.99),
    Partition(".ab aab", 11.41),
    Partition("a.b aab", 11.08),
    Partition(".baa bbaa", 20.05),
    Partition("b.aa bbaa", 19.65),
    Partition(".ab aab abb", 19.19),
    Partition("a.b aab abb", 18.15),
    Partition("abb a.b aab", 18.86),
    Partition(".aabb aaabb", 31.29),
    Partition("a.abb aaabb", 30.85),
    Partition("aa.bb aaabb", 30.72),
    Partition(".bbaaa bbbaaa", 44.82),
    Partition("b.baaa bbbaaa", 44.38),
    Partition("bb.aaa bbbaaa", 44.23),
    Partition(".baa bbaa bbaa", 30.29),
    Partition("b.aa bbaa bbaa", 29.81),
    Partition("bbaa .baa bbaa", 30.16),
    Partition("bbaa b.aa bbaa", 29.91),
    Partition(".aaabbb aaacbbb", 57.21),
    Partition("a.aabbb aaacbbb", 56.81),
    Partition("aa.cbbb aaaabbb", 56.42),
    Partition("aaa.bbb aaacbbb", 57.10),
    Partition(".aacc aabbb aabbb", 41.79),
    Partition("a.abb aaabb ccabb", 41.42),
    Partition("aa.cc aabbb aabbb", 41.44),
    Partition("aaacc .abbb aabbb", 41.43),
    Partition("aaabb a.abb ccabb", 41.27),
    Partition("aaabb aa.bb accbb", 41.45),
    Partition(".aaccbbb aaaacbbb", 70.57),
    Partition("a.aacbbb aaaccbbb", 70.14),
    Partition("aa.ccbbb aaaacbbb", 69.83),
    Partition("aaa.cbbb aaaccbbb", 70.44),
    Partition(".abb aabb aabb accc", 43.13),
    Partition(".aaa aaaa bbbb bbbb", 45.69),
    Partition("a.aa aaac bbbc bbbc", 42.07),
    Partition("a.aa aaaa bbbb bbbb", 44.75),
    Partition("accc a.bb aabb aabb", 42.84),
    Partition("aaaa a.aa bbbb bbbb", 45.27),
    Partition(".aabb aaeeb aceeb ccddb ccddd", 81.15),
    Partition(".aabb aaabb ccabb ccddd ccddd", 81.68),
    Partition("a.aee aaaee bbbbb cccdd ccddd", 80.11),
    Partition("aa.ee aaaee bbbbb cccdd ccddd", 79.66),
    Partition("aabcc a.bcc aabcd eebdd eebdd", 80.54),
    Partition("eeaaa ee.aa bbbbb cccdd ccddd", 80.24),
    Partition("aeeee aabbb aa.bb ccddd cccdd", 80.97),
)
"""Partitions by size and blank cell, the default first: those with the highest mean of all into the
fewest connected groups of up to 6 tiles, 5 on 5x5 (`benchmarks/partitions.py`). On request: 7-8
(577 MB, the best of nine) and 6-6-6-6 (977 MB)."""


@functools.cache
def partitions(rows: int, cols: int, blank: int) -> dict[str, Partition]:
    """Return the partitions of a canonical frame by name, the default first."""
    frame = (rows, cols), blank
    return {found.name: found for found in PARTITIONS if (found.size, found.blank) == frame}


def find_partition(rows: int, cols: int, blank: int, name: str | None = None) -> Partition:
    """Return the partition `name`, by default the first, for a canonical frame.

    Raises `UnknownPartitionError`, which lists the available names.
    """
    known = partitions(rows, cols, blank)
    if not known:
        raise UnknownPartitionError(
            "there are pattern databases for boards of up to 16 cells and for 5x5, "
            f"not for {rows}x{cols}"
        )
    if name is None:
        return next(iter(known.values()))
    if name not in known:
        raise UnknownPartitionError(
            f"there is no pattern database {quoted(name)} for this goal; choose from "
            f"{', '.join(known)}"
        )
    return known[name]


CellMap = tuple[int, ...]


@dataclass(frozen=True)
class Frame:
    """Size and blank cell of the tables, and the views of a board.

    A view maps each board cell to a table cell, the goal's blank to `blank`. Square boards with the
    blank on the main diagonal have a second view, the reflection in the diagonal.

    >>> from slidewise import standard_goal
    >>> frame = Frame.of(standard_goal(2, 3))
    >>> frame.blank, frame.views
    (0, ((5, 4, 3, 2, 1, 0),))
    """

    rows: int
    cols: int
    blank: int
    views: tuple[CellMap, ...]

    @classmethod
    @functools.lru_cache(maxsize=64)
    def of(cls, goal: Board) -> Frame:
        """Return the frame of a goal. Tables never have more rows than columns."""
        rows, cols = sorted(goal.size)
        # Equivalent goals share the tables of the symmetry with the blank in the lowest cell.
        view = min(symmetries(*goal.size), key=lambda cells: cells[goal.blank])
        blank = view[goal.blank]
        views = [view]
        if rows == cols and blank % (cols + 1) == 0:
            views.append(tuple(cell % cols * cols + cell // cols for cell in view))
        return cls(rows, cols, blank, tuple(views))


def symmetries(rows: int, cols: int) -> Iterator[CellMap]:
    """Yield the mappings of a board onto the grid of its tables: the table cell of each board cell.

    Their order is fixed, so that a goal always has the same view.
    """
    upright = {rows <= cols, rows < cols}  # a square fits both ways, the identity first
    for is_upright, flipped, mirrored in product(
        sorted(upright, reverse=True), (False, True), (False, True)
    ):
        cells = []
        for row, col in product(range(rows), range(cols)):
            new_row = rows - 1 - row if flipped else row
            new_col = cols - 1 - col if mirrored else col
            cells.append(new_row * cols + new_col if is_upright else new_col * rows + new_row)
        yield tuple(cells)


class GroupValue(NamedTuple):
    """A group's tiles, by the goal's numbers, and the moves that they alone need."""

    tiles: tuple[int, ...]
    moves: int
