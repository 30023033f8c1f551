"""All boards on shortest solutions of a known length, up to 16 cells.

The forward pass keeps a board of layer g if h is at most the remaining length. The backward pass
keeps a board if a move leads to a kept board of the next layer. Every remaining board has g moves
before it and the rest of the length after it. No board of a shortest solution is lost, because h is
admissible.

A board is a number with 4 bits per cell, and a layer is a sorted array of such numbers. NumPy
handles a whole layer at once, so only the pattern look-ups are compiled.

Importing this module loads numpy and the compiled functions, so import it lazily.
"""

from collections.abc import Callable, Iterator

import numpy as np

from slidewise.puzzle import Board, Puzzle
from slidewise.puzzle.board import DIRECTIONS, sources
from slidewise.solver.kernels import slides as kernel
from slidewise.solver.kernels.jit import Int64s, Uint32s, Uint64s
from slidewise.solver.tables.all_boards import kind, state_of, walking

BITS = 4
"""Bits of a cell, enough for 16 tiles, so that a board fits into 64 bits."""

CHUNK = 100_000
"""Boards expanded per batch, which takes about 60 MB."""

_CELL = np.uint64(2**BITS - 1)


class StoppedError(Exception):
    """A limit was reached. The message names it."""


def layers(
    puzzle: Puzzle,
    length: int,
    estimates: Callable[[Uint32s], Int64s],
    stored: int,
    check: Callable[[], None],
) -> list[set[Board]]:
    """Return the boards on shortest solutions of `length` moves, layer by layer from the start.

    `estimates` returns h of boards, given as rows of cells. `check` is called often and may raise
    `StoppedError` to cancel. Raises `StoppedError` also if more than `stored` boards are needed.
    """
    space = _Space(puzzle.rows, puzzle.cols)
    forward = [space.packed(puzzle.start)]
    before = forward[0][:0]
    for left in range(length - 1, -1, -1):
        parts = []
        for chunk in _chunks(forward[-1]):
            check()
            # Moves are reversible, so a neighbour is in the layer before or new, by parity.
            new = np.setdiff1d(space.neighbours(chunk), before, assume_unique=True)
            parts.append(new[estimates(space.cells(new)) <= left])
        before = forward[-1]
        forward.append(_unique(parts))
        if sum(map(len, forward)) > stored:
            raise StoppedError(f"more than {stored:,} boards would have to be stored")
    stays = space.packed(puzzle.goal)
    found = [stays]
    for layer in reversed(forward[:-1]):
        check()
        # A neighbour of a kept board that is a layer nearer to the start is on a solution.
        stays = np.intersect1d(layer, space.neighbours(stays), assume_unique=True)
        found.append(stays)
    return [space.boards(layer) for layer in reversed(found)]


class _Space:
    """Conversion between the boards of a size and numbers."""

    def __init__(self, rows: int, cols: int) -> None:
        self._size = rows, cols
        self._shifts = np.arange(rows * cols, dtype=np.uint64) * np.uint64(BITS)
        nowhere = rows * cols
        self._sources = np.array(
            [[way.get(one, nowhere) for one in DIRECTIONS] for way in sources(rows, cols)]
        ).T

    def packed(self, board: Board) -> Uint64s:
        """Return the number of a board, as an array of length 1."""
        cells = np.array([board.cells], dtype=np.uint64)
        packed: Uint64s = np.bitwise_or.reduce(cells << self._shifts, axis=1)
        return packed

    def cells(self, numbers: Uint64s) -> Uint32s:
        """Return the cells of boards, a row for each."""
        return ((numbers[:, None] >> self._shifts) & _CELL).astype(np.uint32)

    def boards(self, numbers: Uint64s) -> set[Board]:
        """Return the boards with these numbers."""
        return {Board(*self._size, tuple(cells)) for cells in self.cells(numbers).tolist()}

    def neighbours(self, numbers: Uint64s) -> Uint64s:
        """Return the neighbours of all `numbers`, sorted and without duplicates."""
        blanks = self.cells(numbers).argmin(axis=1)
        parts = []
        for source in self._sources:
            cells = source[blanks]
            can = cells < len(self._shifts)
            at, old = self._shifts[cells[can]], self._shifts[blanks[can]]
            tiles = (numbers[can] >> at) & _CELL
            # The blank is 0, so two XORs move the tile.
            parts.append(numbers[can] ^ (tiles << at) ^ (tiles << old))
        return _unique(parts)


def _unique(parts: list[Uint64s]) -> Uint64s:
    return np.unique(np.concatenate(parts))


def _chunks(numbers: Uint64s) -> Iterator[Uint64s]:
    for first in range(0, len(numbers), CHUNK):
        yield numbers[first : first + CHUNK]


EXACT_WEIGHT = 10
"""Weight of h in tenths with which the found path has the fewest slides."""


class SlideDeepening:
    """Slide search for a solvable, unsolved puzzle.

    With `EXACT_WEIGHT`, `limit` is a lower bound and the first path found has the fewest slides. A
    greater `weight` finds a path sooner.
    """

    def __init__(self, puzzle: Puzzle, weight: int = EXACT_WEIGHT) -> None:
        self._weight = weight
        start, goal = puzzle.start, puzzle.goal
        self._size = rows, cols = start.size
        by_rows = walking(rows, cols, goal.blank // cols)
        by_cols = walking(cols, rows, goal.blank % cols)
        self._states = (
            by_rows.numbers[state_of(start, goal, columns=False)],
            by_cols.numbers[state_of(start, goal, columns=True)],
        )
        homes = np.array([goal.cells.index(tile) for tile in range(len(goal.cells))])
        self._start = start
        self._arrays = kernel.SlideArrays(
            home=homes,
            row_kind=np.array([kind(cell // cols, rows) for cell in homes.tolist()]),
            col_kind=np.array([kind(cell % cols, cols) for cell in homes.tolist()]),
            row_slides=by_rows.slides,
            row_after=by_rows.after,
            col_slides=by_cols.slides,
            col_after=by_cols.after,
            board=np.array(start.cells, dtype=np.int64),
            path=np.zeros((1, kernel.COLUMNS), dtype=np.int64),
            counts=np.zeros(2, dtype=np.int64),
        )
        up_down, across = (
            int(table.slides[state])
            for table, state in zip((by_rows, by_cols), self._states, strict=True)
        )
        # Two slides in the same direction merge, so rows and columns alternate in a solution.
        self._begin(max(up_down + across, 2 * max(up_down, across) - 1, 0))

    @property
    def expanded(self) -> int:
        """Number of examined boards."""
        return int(self._arrays.counts[kernel.EXPANDED])

    def advance(self, budget: int) -> list[int] | None:
        """Examine up to `budget` boards; return the blank's cells on a path, or None."""
        ended = kernel.search_slides(self._arrays, *self._size, self._weight, self.limit, budget)
        if ended == kernel.FOUND:
            level = int(self._arrays.counts[kernel.LEVEL])
            blanks: list[int] = self._arrays.path[: level + 1, kernel.BLANK].tolist()
            return blanks
        if ended == kernel.DONE:
            self._begin(self.limit + 1)
        return None

    def _begin(self, limit: int) -> None:
        """Restart with a limit of `limit` slides."""
        self.limit = limit
        path = np.zeros((limit + 1, kernel.COLUMNS), dtype=np.int64)
        path[0] = self._start.blank, 0, sum(self._size), *self._states
        self._arrays = self._arrays._replace(
            path=path, board=np.array(self._start.cells, dtype=np.int64)
        )
        self._arrays.counts[kernel.LEVEL] = 0
