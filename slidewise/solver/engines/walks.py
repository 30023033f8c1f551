"""Redundant walks of the blank, which lead to the same board as another walk.

A depth-first search reaches many boards repeatedly. For example, three turns about a 2x2 block have
the same effect in both directions. Short repetitions are found beforehand for each start cell of
the blank. An automaton (A. V. Aho and M. J. Corasick, 1975) forbids them. Each of its rows stands
for the relevant last moves and lists the allowed next moves.

A walk is forbidden if a better walk from the same cell leads to the same board. Better means fewer
moves, or equally many and earlier in the order up, down, left, right. The earliest shortest
solution in that order has no forbidden part, as the better walk could replace it. So a shortest
solution always remains, and the search stays exact.

Source of the idea: L. A. Taylor and R. E. Korf, Pruning duplicate nodes in depth-first search,
1993. The package ships the automata of the usual sizes, as the automaton of 5x5 takes five seconds
to compute. `python -m benchmarks.ship_walks` writes them.

Importing this module loads numpy.
"""

from __future__ import annotations

import functools
import logging
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from slidewise.puzzle.board import sources

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slidewise.solver.kernels.jit import Uint32s

log = logging.getLogger(__name__)

LONGEST_WALK_MOVES = 12
"""Length of the longest forbidden walks; two such walks make a cycle of 24 moves."""

CELL_BITS = 5
"""Bits of an entry for the next cell of the blank."""

CELL = 2**CELL_BITS - 1

WAY_BITS = CELL_BITS + 2
"""Bits of an entry for the next cell and, above it, the direction. The next row is above them."""

NOWHERE = 2**32 - 1
"""Filler after the last entry of a row."""

MAX_CELLS = 2**CELL_BITS

SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))

_DIGITS = 12
"""Numbers of `CELL_BITS` bits per 64-bit word."""

Walk = tuple[int, tuple[int, ...]]
"""The blank's start cell and its directions: 0 up, 1 down, 2 left, 3 right."""


@functools.lru_cache(maxsize=8)
def walk_rows(rows: int, cols: int) -> Uint32s:
    """Return `work_out` for walks of up to `LONGEST_WALK_MOVES`, from the package if shipped.

    >>> walk_rows(4, 4).shape
    (13486, 4)
    """
    file = path(rows, cols)
    if not file.exists():
        return work_out(rows, cols)
    shipped = read(file)
    # The highest cell shows that the file is of this size.
    if shipped is None or (shipped[shipped != NOWHERE] & CELL).max() != rows * cols - 1:
        log.warning("A file of the package is damaged, so its content is computed: %s", file)
        return work_out(rows, cols)
    return shipped


def path(rows: int, cols: int) -> Path:
    """Return the path of the shipped file of a size, which may not exist."""
    return Path(__file__).parent / "shipped" / f"{rows}x{cols}-walks-{LONGEST_WALK_MOVES}.xz"


def read(file: Path) -> Uint32s | None:
    """Parse an automaton file, or return None if it is missing or fails its checksum."""
    try:
        ways = lzma.decompress(file.read_bytes())
    except (OSError, lzma.LZMAError, EOFError):
        return None
    if not ways or len(ways) % (4 * len(SIDES)):
        return None
    return np.frombuffer(ways, dtype="<u4").reshape(-1, len(SIDES)).astype(np.uint32)


def pack(ways: Uint32s) -> bytes:
    """Serialise an automaton: 44 kB for 4x4."""
    return lzma.compress(
        ways.astype("<u4").tobytes(),
        check=lzma.CHECK_SHA256,
        preset=9 | lzma.PRESET_EXTREME,
    )


def work_out(rows: int, cols: int, longest: int = LONGEST_WALK_MOVES) -> Uint32s:
    """Compute the automaton of allowed walks for boards of up to 25 cells.

    The array is (rows of the automaton, 4). Each row has up to four entries in the order up, down,
    left, right, then `NOWHERE`. An entry is the next cell, above `CELL_BITS` the direction, and
    above `WAY_BITS` the next row. The first `rows * cols` rows are the start rows of each cell.
    """
    grid = _Grid(rows, cols)
    words = _forbidden(grid, longest)
    walks: list[Walk] = [(cell, ()) for cell in range(rows * cols)]
    walks += sorted(
        {(cell, word[:end]) for cell, word in words for end in range(1, len(word))},
        key=lambda walk: (len(walk[1]), walk),
    )
    return _automaton(grid, words, walks)


class _Grid:
    """Grid of cells with the blank's next cell `onward[cell][side]`, or -1 over the border."""

    def __init__(self, rows: int, cols: int) -> None:
        self.onward = [
            [cells.get(direction, -1) for direction in "DURL"]  # of the tile, so opposite
            for cells in sources(rows, cols)
        ]

    def shorter(self, walk: Walk) -> Walk:
        """Return the walk without its first move."""
        cell, sides = walk
        return self.onward[cell][sides[0]], sides[1:]

    def end(self, walk: Walk) -> int:
        """Return the cell where the walk ends."""
        cell, sides = walk
        for side in sides:
            cell = self.onward[cell][side]
        return cell


def _forbidden(grid: _Grid, longest: int) -> set[Walk]:
    """Return the minimal forbidden walks, which contain no shorter forbidden walk.

    Walks from all cells are extended together, by length and then in the order of their sides. A
    walk ends if another walk from its cell has reached its board before.
    """
    onward = np.array(grid.onward)
    starts = np.arange(len(onward))
    boards = _boards(len(onward))
    cells, codes = starts[:, None], np.zeros(len(starts), dtype=np.int64)
    reached = _keys(boards, starts)
    found: list[NDArray[np.int64]] = []
    words: set[Walk] = set()
    for length in range(1, longest + 1):
        parents, sides = np.nonzero(onward[cells[:, -1]] >= 0)
        old, new = cells[parents, -1], onward[cells[parents, -1], sides]
        boards = _moved(boards[parents], old, new)
        cells, codes = np.column_stack([cells[parents], new]), 4 * codes[parents] + sides
        keys = _keys(boards, cells[:, 0])
        is_new = _new(reached, keys)
        is_word = ~is_new
        # A walk with a forbidden ending is never tried, so it needs no entry.
        for shorter in range(1, length):
            endings = _walk_numbers(cells[:, length - shorter], codes % 4**shorter)
            is_word &= ~np.isin(endings, found[shorter - 1])
        found.append(_walk_numbers(cells[is_word, 0], codes[is_word]))
        words.update(_walks(cells[is_word, 0], codes[is_word], length))
        boards, cells, codes = boards[is_new], cells[is_new], codes[is_new]
        reached = np.concatenate([reached, keys[is_new]])
    return words


def _boards(cells: int) -> NDArray[np.uint8]:
    """Return a board for each cell with the blank, 0, there and all tiles different."""
    boards = np.tile(np.arange(1, cells + 1, dtype=np.uint8), (cells, 1))
    np.fill_diagonal(boards, 0)
    return boards


def _moved(
    boards: NDArray[np.uint8], old: NDArray[np.int64], new: NDArray[np.int64]
) -> NDArray[np.uint8]:
    """Return the boards after the blank moved from the cells `old` to `new`."""
    along = np.arange(len(boards))
    boards[along, old] = boards[along, new]
    boards[along, new] = 0
    return boards


def _keys(boards: NDArray[np.uint8], starts: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return a key of a few words for each board with its start."""
    digits = np.column_stack([starts, boards]).astype(np.uint64)
    words = [
        digits[:, first : first + _DIGITS] @ (np.uint64(1) << bits[: digits.shape[1] - first])
        for first in range(0, digits.shape[1], _DIGITS)
        for bits in [CELL_BITS * np.arange(_DIGITS, dtype=np.uint64)]
    ]
    return np.column_stack(words)


def _new(reached: NDArray[np.uint64], keys: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return a mask of the `keys` that are not in `reached` and not earlier in `keys`."""
    both = np.concatenate([reached, keys])
    order = np.lexsort(both.T)  # stable order for equal keys
    again = np.zeros(len(both), dtype=bool)
    again[order[1:]] = (both[order[1:]] == both[order[:-1]]).all(axis=1)
    return ~again[len(reached) :]


def _walk_numbers(starts: NDArray[np.int64], codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a number for each walk, all of the same length, from its sides (2 bits) and start."""
    return starts << 2 * LONGEST_WALK_MOVES | codes


def _walks(starts: NDArray[np.int64], codes: NDArray[np.int64], length: int) -> Iterator[Walk]:
    sides = codes[:, None] >> 2 * np.arange(length)[::-1] & 3
    return (
        (start, tuple(walk)) for start, walk in zip(starts.tolist(), sides.tolist(), strict=True)
    )


def _automaton(grid: _Grid, words: set[Walk], walks: list[Walk]) -> Uint32s:
    """Return the automaton's rows for `walks`, the prefixes of `words` in order of length."""
    numbers = {walk: number for number, walk in enumerate(walks)}
    table = np.full((len(walks), len(SIDES)), NOWHERE, dtype=np.uint32)
    after = [[-1] * len(SIDES) for _ in walks]
    for number, (cell, sides) in enumerate(walks):
        onward = grid.onward[grid.end((cell, sides))]
        rest = _longest_known(grid, numbers, (cell, sides)) if sides else None
        for side, next_cell in enumerate(onward):
            longer = cell, (*sides, side)
            if next_cell < 0 or longer in words:
                continue
            if longer in numbers:
                after[number][side] = numbers[longer]
            else:
                # Rows are in order of length, so the row of the shorter walk is complete.
                after[number][side] = next_cell if rest is None else after[rest][side]
        ways = [
            row << WAY_BITS | side << CELL_BITS | next_cell
            for side, (row, next_cell) in enumerate(zip(after[number], onward, strict=True))
            if row >= 0
        ]
        table[number, : len(ways)] = ways
    return table


def _longest_known(grid: _Grid, numbers: dict[Walk, int], walk: Walk) -> int:
    """Return the number of the longest proper suffix of `walk` in `numbers`."""
    walk = grid.shorter(walk)
    while walk not in numbers:
        walk = grid.shorter(walk)
    return numbers[walk]
