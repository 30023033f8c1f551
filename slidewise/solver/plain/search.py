"""The common part of the plain searches: boards, moves, estimates, counts, slices, watchers.

Boards are bytes. A move swaps two values of a board, the blank's and a tile's, wherever they are.
So a single `bytes.translate` creates a successor, without an index.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Sequence
from functools import lru_cache
from math import inf
from typing import NamedTuple, Protocol

from slidewise.puzzle import Puzzle
from slidewise.puzzle.board import MAX_SIDE, Board
from slidewise.solver.estimate import Estimate, Group
from slidewise.solver.events import Expanded, Fate, Iteration, Successor
from slidewise.solver.loop import Outcome

SWAP = [bytes.maketrans(bytes([0, tile]), bytes([tile, 0])) for tile in range(MAX_SIDE**2)]
"""Translation tables that swap a tile with the blank, by tile."""

STEPS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}
"""Directions of the blank as steps in rows and columns."""

MAX_VALUES = 100_000
"""Cached estimates of whole boards, 20 MB."""

Ways = list[list[int]]
"""Cells that the blank can go to, by its cell."""

HAfter = Callable[[int, bytes, bytes], int]
"""h of a successor, by h of the board, the board and the successor."""


class Move(NamedTuple):
    """A move of the blank to `cell`.

    It changes h by `delta[tile]` for the tile in that cell, unless `h_after` returns the new h.
    """

    cell: int
    delta: Sequence[int]
    h_after: HAfter | None


Moves = list[list[Move]]
"""Moves of the blank, by its cell."""


class PlainEstimate(Protocol):
    """A heuristic for a goal, on boards as bytes."""

    def value(self, cells: bytes) -> int:
        """Return h of a board."""

    def moves(self, ways: Ways) -> Moves:
        """Return the moves along `ways`, with their changes of h."""


class SumEstimate:
    """A sum over single tiles and lines, of which a move changes few."""

    def __init__(self, estimate: Estimate) -> None:
        cells = range(estimate.cells)
        self._tiles = [[0 for _ in cells] for _ in cells]
        self._lines = [_LineValues(group, group.line) for group in estimate.groups if group.line]
        for group in estimate.groups:
            if not group.line and group.values is not None:
                ((tile, indices),) = group.weights.items()
                row = self._tiles[tile]
                row[:] = [h + group.values[at] for h, at in zip(row, indices, strict=True)]

    def value(self, cells: bytes) -> int:
        h = sum(self._tiles[tile][cell] for cell, tile in enumerate(cells))
        return h + sum(line[cells[line.place]] for line in self._lines)

    def moves(self, ways: Ways) -> Moves:
        return [
            [
                Move(cell, delta := self._delta(blank, cell), self._h_after(blank, cell, delta))
                for cell in cells
            ]
            for blank, cells in enumerate(ways)
        ]

    def _delta(self, blank: int, cell: int) -> list[int]:
        return [row[blank] - row[cell] for row in self._tiles]

    def _h_after(self, blank: int, cell: int, delta: Sequence[int]) -> HAfter | None:
        changed = [(line, line.place) for line in self._lines if line.is_left(blank, cell)]
        if not changed:
            return None

        def h_after(h: int, before: bytes, after: bytes) -> int:
            h += delta[before[cell]]
            for values, place in changed:
                h += values[after[place]] - values[before[place]]
            return h

        return h_after


class _LineValues(dict[bytes, int]):
    """Contributions of a line, by the tiles in its `place` on a board."""

    def __init__(self, group: Group, line: range) -> None:
        super().__init__()
        self._group, self._line = group, line
        self.place = slice(line.start, line.stop, line.step)

    def is_left(self, blank: int, cell: int) -> bool:
        """Return whether a move of the blank between two cells takes a tile out or in."""
        # A move within the line keeps the order of its tiles, so its value stays.
        return (blank in self._line) != (cell in self._line)

    def __missing__(self, tiles: bytes) -> int:
        weights = self._group.weights
        found = zip(self._line, tiles, strict=True)
        index = sum(weights[tile][cell] for cell, tile in found if tile in weights)
        self[tiles] = value = self._group.value(index)
        return value


class WholeEstimate:
    """Any function of a board, with a cache."""

    def __init__(self, function: Callable[[bytes], int]) -> None:
        self.value = lru_cache(maxsize=MAX_VALUES)(function)

    def moves(self, ways: Ways) -> Moves:
        def h_after(h: int, before: bytes, after: bytes) -> int:
            return self.value(after)

        return [[Move(cell, (), h_after) for cell in cells] for cells in ways]


def plain_estimate(estimate: Estimate, goal: Board) -> PlainEstimate:
    """Return the plain form of an estimate.

    >>> from slidewise import find_heuristic, parse_board
    >>> goal = parse_board("1.2.3-4.5.6-7.8.0")
    >>> h = plain_estimate(find_heuristic("linear-conflict").build(goal), goal)
    >>> h.value(bytes([3, 2, 1, 4, 5, 6, 7, 8, 0]))
    8
    """
    if estimate.is_sum and all(group.line or len(group.weights) == 1 for group in estimate.groups):
        return SumEstimate(estimate)
    rows, cols = goal.size
    return WholeEstimate(lambda cells: estimate.value(Board(rows, cols, tuple(cells))))


def onward(moves: Moves) -> list[list[list[Move]]]:
    """Return the moves by the blank's cell and its cell before, without the move straight back.

    The last entry of each cell, at -1, has all moves.
    """
    cells: Iterable[int] = range(len(moves))
    return [
        [[move for move in of_cell if move.cell != before] for before in (*cells, -1)]
        for of_cell in moves
    ]


class Watcher:
    """Receiver of the steps of a search, called while its frontier shows the current state."""

    def begin(self, search: PlainSearch, iteration: Iteration) -> None:
        """A limit has changed."""

    def cut_off(self, search: PlainSearch, node: int) -> None:
        """A node of a ranked frontier is not expanded: it is at the depth limit, or passed over."""

    def expand(self, search: PlainSearch, expansion: Expanded) -> None:
        """A node was expanded."""


class PlainSearch(ABC):
    """A search in plain Python, advanced in slices.

    The counts are described in `slidewise.solver.events`. `proved` is a lower bound on undiscovered
    paths, valid if h is admissible. `pruned` is true if the depth limit prevented any expansion.
    `watcher` receives the expansions up to number `watched`. `visit`, set before the first slice,
    is called with the board, g, h and f of each expanded node.
    """

    def __init__(self, puzzle: Puzzle, watcher: Watcher | None) -> None:
        self.start = bytes(puzzle.start.cells)
        self.goal = bytes(puzzle.goal.cells)
        self.size = puzzle.start.size
        self.watcher = watcher
        self.watched: float = inf
        self.visit: Callable[[bytes, int, float, float], object] | None = None
        self.expanded = self.deepest = 0
        self.generated = self.frontier = self.peak_frontier = 1
        self.pruned = False
        self._target: float = 0
        self._running = self._expansions()

    def close(self) -> None:
        """End the search. Its generator refers back to it, so closing frees the nodes at once."""
        self._running.close()

    def advance(self, budget: float = inf) -> Outcome:
        """Expand up to `budget` nodes and return the outcome."""
        self._target = self.expanded + budget
        return next(self._running, Outcome.EMPTY)

    @property
    @abstractmethod
    def stored(self) -> int:
        """Number of stored nodes."""

    @property
    @abstractmethod
    def peak_stored(self) -> int:
        """Peak number of stored nodes."""

    @property
    @abstractmethod
    def proved(self) -> int:
        """Lower bound in moves for undiscovered paths."""

    @abstractmethod
    def path(self) -> list[bytes]:
        """Return the boards from the start to the goal, after `Outcome.GOAL`."""

    @abstractmethod
    def _expansions(self) -> Generator[Outcome]:
        """Yield RUNNING before an expansion above the target, and the outcome at the end."""

    def _board(self, cells: bytes) -> Board:
        return Board(*self.size, tuple(cells))

    def _successor(
        self, cells: bytes, node: int | None, g: int, h: int, f: int, fate: Fate
    ) -> Successor:
        return Successor(self._board(cells), node, g, h, f, fate)
