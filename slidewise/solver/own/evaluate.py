"""Evaluation and check of expressions, for a single board or for all boards of a size at once.

All boards come in blocks with the blank in the same cell. They are ordered by their numbers in an
`ExactTable`, for 10 cells 10 blocks of 181,440 boards. A property of a block is an array with an
integer for each board.

Importing this module loads numpy.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from slidewise.puzzle import Board, blank_first_goal, standard_goal
from slidewise.puzzle.board import cell_distance
from slidewise.solver.estimate import Estimate, Group
from slidewise.solver.own.heuristic_check import Count, Excess, HeuristicCheck, Jump
from slidewise.solver.own.parse import (
    BOUND,
    HIGHEST,
    Call,
    Name,
    Negated,
    Node,
    Number,
    names_in,
    registered,
)
from slidewise.solver.registry import heuristics
from slidewise.solver.tables.all_boards import sequences
from slidewise.solver.tables.exact import exact_table
from slidewise.solver.tables.order import UNREACHABLE, rank_of_arrangement
from slidewise.solver.tables.patterns.database import of_values

Uint8s = NDArray[np.uint8]
Whole = NDArray[np.int64]


def blocks(goal: Board) -> Iterator[Block]:
    """Yield the blocks of boards that can reach `goal`, the blank in the last cell first."""
    for blank in reversed(range(len(goal.cells))):
        yield Block(goal, blank)


class Block:
    """The boards that can reach `goal` and have the blank in cell `blank`.

    `numbers` are the boards' numbers in an `ExactTable`, and `distances` their distances to the
    goal. `sequence` has a row for each occupied cell in reading order, with the slots of its tiles.
    `cells` has a row for each slot, with the cells of its tile. A tile's slot is the rank of its
    home cell among all homes. With `only`, a board's number, the block holds just that board.
    """

    goal: Board
    blank: int

    def __init__(self, goal: Board, blank: int, only: int | None = None) -> None:
        self.goal, self.blank = goal, blank
        everything = sequences(len(goal.cells) - 1)
        # The table lists the boards by the blank's cell, the last cell first.
        first = (len(everything) - blank) * everything.shape[1]
        values = exact_table(goal).values[first : first + everything.shape[1]]
        places = np.flatnonzero(values != UNREACHABLE)
        if only is not None:
            places = np.array([only - first])
        self.numbers = places + first
        self.distances = values[places]
        self.sequence = everything[:, places]
        self.homes = np.array([cell for cell, tile in enumerate(goal.cells) if tile])
        self.cells = np.empty_like(self.sequence)
        along = np.arange(len(places))
        for place, slots in enumerate(self.sequence):
            self.cells[slots, along] = place + (place >= blank)

    def sum_of_tiles(self, estimate: Callable[[int, int], float]) -> NDArray[np.float64]:
        """Return the sum of `estimate(home, cell)` over the tiles."""
        total = np.zeros(len(self.numbers))
        for of_tile in self.of_tiles(estimate):
            total += of_tile
        return total

    def of_tiles(self, estimate: Callable[[int, int], float]) -> Iterator[NDArray[np.float64]]:
        """Yield `estimate(home, cell)` of each tile."""
        cells = range(len(self.goal.cells))
        for home, where in zip(self.homes.tolist(), self.cells, strict=True):
            yield np.array([float(estimate(home, cell)) for cell in cells])[where]

    @functools.cached_property
    def content(self) -> Uint8s:
        """Return a row for each cell with the home of its tile or blank."""
        content = np.insert(self.homes[self.sequence], self.blank, self.goal.blank, axis=0)
        return content.astype(np.uint8)


OUTSIDE = 255
"""Marker of a cell off the board, above all cells."""


def value_of_name(block: Block, name: str) -> Whole:
    """Return the value of a name on each board."""
    key = registered(name)
    found = _of_registry(block, key) if key else FEATURES[name](block)
    return found.astype(np.int64)


def _of_registry(block: Block, key: str) -> NDArray[np.generic]:
    if key == "exact":
        return block.distances
    entry = heuristics()[key]
    estimate = entry.build(block.goal)
    if not entry.compiled:
        tiles = np.array(block.goal.cells)[block.content.T]
        boards = (Board(*block.goal.size, tuple(cells)) for cells in tiles.tolist())
        return np.array([estimate.value(board) for board in boards], dtype=np.int64)
    if estimate.patterns:
        tiles = np.array(block.goal.cells, dtype=np.uint32)
        return estimate.patterns.values(tiles[block.content.T])
    total = np.zeros(len(block.numbers), dtype=np.int64)
    for group in estimate.groups:
        total += _of_group(block, group)
    return total


def _of_group(block: Block, group: Group) -> Whole:
    index = np.zeros(len(block.numbers), dtype=np.int64)
    for tile, weights in group.weights.items():
        index += np.array(weights, dtype=np.int64)[block.cells[_slot(block, tile)]]
    # Only longer lines than on a board of 10 cells have no table.
    assert group.values is not None
    return np.array(group.values, dtype=np.int64)[index]


def _slot(block: Block, tile: int) -> int:
    return int(np.flatnonzero(block.homes == block.goal.cells.index(tile))[0])


def _way(goal: Board) -> Callable[[int, int], int]:
    return lambda home, cell: cell_distance(home, cell, goal.cols)


def _manhattan_with_blank(block: Block) -> NDArray[np.generic]:
    way = _way(block.goal)
    return block.sum_of_tiles(way) + way(block.goal.blank, block.blank)


def _manhattan_without_last(block: Block) -> NDArray[np.generic]:
    way, last = _way(block.goal), block.goal.cells.index(len(block.goal.cells) - 1)
    return block.sum_of_tiles(lambda home, cell: way(home, cell) if home != last else 0)


def _manhattan_wrong_goal(block: Block) -> NDArray[np.generic]:
    wrong, way = standard_goal(*block.goal.size), _way(block.goal)
    if wrong == block.goal:
        wrong = blank_first_goal(*block.goal.size)
    return block.sum_of_tiles(
        lambda home, cell: way(wrong.cells.index(block.goal.cells[home]), cell)
    )


def _misplaced_with_blank(block: Block) -> NDArray[np.generic]:
    missing = block.sum_of_tiles(lambda home, cell: home != cell)
    return missing + (block.blank != block.goal.blank)


def _conflict_pairs(block: Block) -> NDArray[np.generic]:
    """Return 2 for each pair of tiles in reversed order in the goal line of both."""
    pairs = np.zeros(len(block.numbers), dtype=np.int64)
    lines = zip(
        np.divmod(block.cells, block.goal.cols),
        np.divmod(block.homes, block.goal.cols),
        strict=True,
    )
    for here, homes in lines:  # the rows, then the columns
        for first, second in combinations(range(len(homes)), 2):
            if homes[first] == homes[second]:
                both = (here[first] == homes[first]) & (here[second] == homes[first])
                pairs += both & (block.cells[first] > block.cells[second])
    return 2 * pairs


def _inversions(block: Block) -> NDArray[np.generic]:
    reversed_pairs = (first > second for first, second in combinations(block.sequence, 2))
    return sum(reversed_pairs, np.zeros(len(block.numbers), dtype=np.int64))


def _gaschnig(block: Block) -> NDArray[np.generic]:
    """Return the swaps of the blank with a tile, by the cycles of the permutation.

    A cycle without the blank needs 1 swap more than its tiles, the blank's cycle 1 per tile.
    Source: J. Gaschnig, 1979.
    """
    cells = np.arange(len(block.goal.cells), dtype=np.uint8)[:, None]
    moved = block.content != cells
    here = np.broadcast_to(cells, block.content.shape)
    lowest = here
    # Following the cycle of each cell, its lowest cell stands for the cycle.
    for _ in range(len(cells) - 1):
        here = np.take_along_axis(block.content, here.astype(np.intp), axis=0)
        lowest = np.minimum(lowest, here)
    cycles = ((lowest == cells) & moved).sum(axis=0)
    swaps: Whole = moved.sum(axis=0) + cycles - 2 * (block.blank != block.goal.blank)
    return swaps


def _sequence_score(block: Block) -> NDArray[np.generic]:
    ring = _ring(*block.goal.size)
    after = dict(zip(ring, ring[1:] + ring[:1], strict=True))
    follower = np.array([after.get(cell, OUTSIDE) for cell in range(len(block.goal.cells))])
    score = np.zeros(len(block.numbers), dtype=np.int64)
    for cell in range(len(block.goal.cells)):
        if cell == block.blank:
            continue
        if cell in after:
            score += 2 * (block.content[after[cell]] != follower[block.content[cell]])
        else:
            score += block.content[cell] != cell
    return score


def _ring(rows: int, cols: int) -> list[int]:
    """Return the cells of the edge of a board, clockwise.

    >>> _ring(3, 3)
    [0, 1, 2, 5, 8, 7, 6, 3]
    """
    top = [(0, col) for col in range(cols)]
    right = [(row, cols - 1) for row in range(1, rows)]
    bottom = [(rows - 1, col) for col in reversed(range(cols - 1))]
    left = [(row, 0) for row in reversed(range(1, rows - 1))]
    return [row * cols + col for row, col in top + right + bottom + left]


FEATURES: dict[str, Callable[[Block], NDArray[np.generic]]] = {
    "manhattan_with_blank": _manhattan_with_blank,
    "manhattan_without_last": _manhattan_without_last,
    "manhattan_wrong_goal": _manhattan_wrong_goal,
    "misplaced_with_blank": _misplaced_with_blank,
    "conflict_pairs": _conflict_pairs,
    "out_of_row": lambda block: block.sum_of_tiles(
        lambda home, cell: home // block.goal.cols != cell // block.goal.cols
    ),
    "out_of_column": lambda block: block.sum_of_tiles(
        lambda home, cell: home % block.goal.cols != cell % block.goal.cols
    ),
    "max_distance": lambda block: functools.reduce(np.maximum, block.of_tiles(_way(block.goal))),
    "inversions": _inversions,
    "gaschnig": _gaschnig,
    "sequence_score": _sequence_score,
}
"""Functions that compute the features named in `own/parse.py`."""


@functools.lru_cache(maxsize=4)
def tabulate(tree: Node, goal: Board) -> Uint8s:
    """Return the value of an expression for each board at its number in an `ExactTable`.

    Values are clamped to 0..255. Boards that cannot reach the goal have 255. 10 cells take some
    seconds and 60 MB.

    >>> from slidewise import parse_board
    >>> from slidewise.solver.own.parse import parse
    >>> goal = parse_board("1.2.3-4.5.0")
    >>> int(
    ...     tabulate(parse("misplaced"), goal)[exact_table(goal).number(parse_board("1.2.3-4.0.5"))]
    ... )
    1

    Raises `TooManyCellsError` above 10 cells.
    """
    return _table(goal, lambda block: _Values(block).of(tree))


def estimate_of(goal: Board, value: Callable[[Block], NDArray[np.generic]]) -> Estimate:
    """Return an estimate from its values on each block of boards, rounded down.

    Raises `TooManyCellsError` above 10 cells.
    """
    return Estimate(len(goal.cells), (), of_values(goal, _table(goal, value)))


def _table(goal: Board, value: Callable[[Block], NDArray[np.generic]]) -> Uint8s:
    values = np.full_like(exact_table(goal).values, UNREACHABLE)
    for block in blocks(goal):
        values[block.numbers] = np.clip(value(block), 0, HIGHEST)
    values.flags.writeable = False
    return values


def value_on(tree: Node, board: Board, goal: Board) -> tuple[int, dict[str, int]]:
    """Return the unclamped value of an expression on a board, and the value of each of its names.

    >>> from slidewise import parse_board
    >>> from slidewise.solver.own.parse import parse
    >>> board, goal = parse_board("1.2.3-0.4.5"), parse_board("1.2.3-4.5.0")
    >>> value_on(parse("manhattan + 2 * misplaced"), board, goal)
    (6, {'manhattan': 2, 'misplaced': 2})

    Raises as `tabulate` does.
    """
    values = _Values(Block(goal, board.blank, exact_table(goal).number(board)))
    parts = {name: int(values.named(name)[0]) for name in names_in(tree)}
    return int(values.of(tree)[0]), parts


class _Values:
    """Values of expressions on the boards of a block, with each name evaluated once."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self._known: dict[str, Whole] = {}

    def of(self, tree: Node) -> Whole:
        """Return the value of an expression on each board, clamped to `BOUND`."""
        return np.clip(self._value(tree), -BOUND, BOUND)

    def _value(self, tree: Node) -> Whole:
        if isinstance(tree, Number):
            return np.full(len(self._block.numbers), tree.value, dtype=np.int64)
        if isinstance(tree, Name):
            return self.named(tree.name)
        if isinstance(tree, Negated):
            return -self.of(tree.part)
        if isinstance(tree, Call):
            parts = [self.of(part) for part in tree.parts]
            if tree.function == "abs":
                return np.abs(parts[0])
            return functools.reduce(np.maximum if tree.function == "max" else np.minimum, parts)
        left, right = self.of(tree.left), self.of(tree.right)
        found: Whole = _OPERATIONS[tree.sign](left, right).astype(np.int64)
        return found

    def named(self, name: str) -> Whole:
        """Return the value of a name on each board."""
        if name not in self._known:
            self._known[name] = value_of_name(self._block, name)
        return self._known[name]


_OPERATIONS: dict[str, Callable[[Whole, Whole], NDArray[np.generic]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


CHECKS_REMEMBERED = 32
"""Cached checks per process, about 10 kB each. Each saves a second or more."""


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
    # A histogram of two variables at once, as a single index.
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
        """Return a pair with its boards, the board with the greater h first."""
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
    """Return the pair of lowest rank among the known pair and the new pairs."""
    at = rank.argmin()
    found = _RankedPair(int(rank[at]), int(here[at]), int(there[at]))
    return found if known is None or found.rank < known.rank else known
