"""The common part of the plain searches: counts, slices, and the interface of their watchers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from math import inf

from slidewise.puzzle import Puzzle
from slidewise.puzzle.board import Board
from slidewise.solver.events import Expanded, Fate, Iteration, Successor
from slidewise.solver.loop import Outcome


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
