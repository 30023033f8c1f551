"""Which walks of the blank a search need not take, as another one leads to the same board.

On its way a depth-first search comes to many boards again and again: three turns of the blank
about a 2x2 block one way do what three turns the other way do. Those short repetitions are found
beforehand, for each cell that the blank can start from, and an automaton (A. V. Aho and
M. J. Corasick, 1975) forbids them: its rows are where the blank can go on to, as `ways` has it in
`kernels/steps.py`, and stand for the last moves made as far as they matter.

A walk is forbidden if another one from the same cell, with fewer moves, or with as many and
earlier in the order up, down, left, right, leads to the same board. Of all shortest solutions the
earliest in that order has no forbidden part, else that part could be exchanged: so one is always
left, and a search for the shortest stays exact.

Source of the idea: L. A. Taylor and R. E. Korf, Pruning duplicate nodes in depth-first search,
1993. Importing this module loads numpy.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from slidewise.solver.kernels import steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from slidewise.solver.kernels.arrays import Uint32s

LONGEST_WALK_MOVES = 12
"""The longest walks that are forbidden: two of them make a cycle of 24 moves."""

_SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))

Walk = tuple[int, tuple[int, ...]]
"""A cell that the blank starts from, and its directions: 0 up, 1 down, 2 left, 3 right."""


@functools.lru_cache(maxsize=8)
def pruned_ways(rows: int, cols: int, longest: int = LONGEST_WALK_MOVES) -> Uint32s:
    """Return where the blank can go on to without a forbidden walk, for boards of up to 16 cells.

    The array is (rows of the automaton, 8); its first `rows * cols` rows are for the blank in
    each cell, with no move made.
    """
    grid = _Grid(rows, cols)
    words = _forbidden(grid, longest)
    walks: list[Walk] = [(cell, ()) for cell in range(rows * cols)]
    walks += sorted(
        {(cell, word[:end]) for cell, word in words for end in range(1, len(word))},
        key=lambda walk: len(walk[1]),
    )
    return _automaton(grid, words, walks)


def first_way(cell: int) -> int:
    """Return the way of the blank in `cell` with no move made, for `pruned_ways`."""
    return cell << steps.WAY_BITS | steps.SIDES * cell + steps.NO_SIDE


class _Grid:
    """The cells, and where the blank can go from each: `onward[cell][side]`, -1 for nowhere."""

    def __init__(self, rows: int, cols: int) -> None:
        self.onward = [
            [
                cell + down * cols + right
                if 0 <= cell // cols + down < rows and 0 <= cell % cols + right < cols
                else -1
                for down, right in _SIDES
            ]
            for cell in range(rows * cols)
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
    """Return the forbidden walks that have no shorter one in them.

    Walks from all cells are made together, by their length and then in the order of their sides;
    one that reaches a board that another one from the same cell has reached goes no further.
    """
    onward = np.array(grid.onward)
    starts = np.arange(len(onward))
    boards = np.array([_board(grid, start) for start in starts.tolist()], dtype=np.uint64)
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
        is_new = np.zeros(len(keys), dtype=bool)
        is_new[np.unique(keys, return_index=True)[1]] = True
        is_new &= ~np.isin(keys, reached)
        is_word = ~is_new
        for shorter in range(1, length):
            endings = _walk_numbers(cells[:, length - shorter], codes % 4**shorter)
            is_word &= ~np.isin(endings, found[shorter - 1])
        found.append(_walk_numbers(cells[is_word, 0], codes[is_word]))
        words.update(_walks(cells[is_word, 0], codes[is_word], length))
        boards, cells, codes = boards[is_new], cells[is_new], codes[is_new]
        reached = np.concatenate([reached, keys[is_new]])
    return words


def _board(grid: _Grid, start: int) -> int:
    """Return a board with the blank in `start`, packed: 4 bits a cell, and no two tiles alike."""
    tiles = [cell or start for cell in range(len(grid.onward))]
    tiles[start] = 0
    return sum(tile << 4 * cell for cell, tile in enumerate(tiles))


def _keys(boards: NDArray[np.uint64], starts: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return a number for each board together with its start.

    The tile in the last of 16 cells is told by the others, which leaves 4 bits for the start.
    """
    return boards & np.uint64(2**60 - 1) | starts.astype(np.uint64) << np.uint64(60)


def _walk_numbers(starts: NDArray[np.int64], codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a number for each walk of one length: its sides, 2 bits each, and its start."""
    return starts << 2 * LONGEST_WALK_MOVES | codes


def _walks(starts: NDArray[np.int64], codes: NDArray[np.int64], length: int) -> Iterator[Walk]:
    sides = codes[:, None] >> 2 * np.arange(length)[::-1] & 3
    return (
        (start, tuple(walk)) for start, walk in zip(starts.tolist(), sides.tolist(), strict=True)
    )


def _moved(
    boards: NDArray[np.uint64], old: NDArray[np.int64], new: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Return the packed boards with the blank gone from the cells `old` to `new`."""
    at_old, at_new = 4 * old.astype(np.uint64), 4 * new.astype(np.uint64)
    tiles = boards >> at_new & np.uint64(15)
    moved: NDArray[np.uint64] = boards ^ (tiles << at_new) ^ (tiles << at_old)
    return moved


def _automaton(grid: _Grid, words: set[Walk], walks: list[Walk]) -> Uint32s:
    """Return a row for each of `walks`, the beginnings of `words`, the shorter ones first."""
    numbers = {walk: number for number, walk in enumerate(walks)}
    table = np.zeros((len(walks), steps.WAY_COLUMNS), dtype=np.uint32)
    after = [[-1] * len(_SIDES) for _ in walks]
    for number, (cell, sides) in enumerate(walks):
        ending = grid.end((cell, sides))
        rest = _longest_known(grid, numbers, (cell, sides)) if sides else None
        for side, next_cell in enumerate(grid.onward[ending]):
            longer = cell, (*sides, side)
            if next_cell < 0 or longer in words:
                continue
            if longer in numbers:
                after[number][side] = numbers[longer]
            else:
                after[number][side] = next_cell if rest is None else after[rest][side]
        _fill_row(table[number], grid.onward[ending], after[number], sides)
    return table


def _longest_known(grid: _Grid, numbers: dict[Walk, int], walk: Walk) -> int:
    """Return the longest end of `walk`, itself left out, that is one of `numbers`."""
    walk = grid.shorter(walk)
    while walk not in numbers:
        walk = grid.shorter(walk)
    return numbers[walk]


def _fill_row(row: Uint32s, onward: list[int], after: list[int], sides: tuple[int, ...]) -> None:
    for side, cell in enumerate(onward):
        if after[side] >= 0:
            row[steps.ONWARD + row[steps.COUNT]] = after[
                side
            ] << steps.WAY_BITS | steps.SIDES * cell + (side ^ 1)
            row[steps.COUNT] += 1
        elif cell >= 0 and not (sides and sides[-1] == side ^ 1):
            row[steps.DROPPED] |= 1 << side
