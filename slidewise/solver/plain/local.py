"""Local search in plain Python: a single board at a time, without a frontier.

A search moves from a board to a neighbour, until it is at the goal or stuck. `expanded` counts the
boards that it left, `generated` the start and the neighbours that it looked at. Its path leads to
its current board, without loops.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from math import exp, inf
from typing import ClassVar

from slidewise.puzzle.board import neighbour_cells
from slidewise.puzzle.scramble import below, numbers
from slidewise.solver.loop import Counts, Outcome, Work
from slidewise.solver.plain.search import SWAP, plain_estimate
from slidewise.solver.task import Task
from slidewise.text import message

FIRST_TEMPERATURE, LAST_TEMPERATURE = 2.0, 0.01
"""Temperatures of annealing, in units of h: a rise of h by 1 has a chance of 0.6 at the first and
of 10⁻⁴³ at the last."""

WALKED_PER_CELL = 10
"""Moves per cell of the random walk before a new climb; shorter walks solve fewer 3x3 boards."""


class LocalSearch(Work, ABC):
    """A walk from board to board, steered by h and by random numbers from the seed of the task.

    `reason` says why it is stuck.
    """

    proved = 0
    pruned = False

    def __init__(self, task: Task) -> None:
        puzzle, limits = task.puzzle, task.limits
        self.reason = ""
        self._start, self._goal = bytes(puzzle.start.cells), bytes(puzzle.goal.cells)
        self._estimate = plain_estimate(task.estimate, puzzle.goal)
        self._moves = self._estimate.moves(neighbour_cells(puzzle.rows, puzzle.cols))
        self._most = min(limits.depth or inf, limits.stored_nodes - 1)
        self._draws = numbers(f"slidewise local search 1|{task.seed}")
        self._expanded, self._generated, self._longest = 0, 1, 0
        self._target = 0
        self._restart()
        self._running = self._outcomes()

    @property
    def expanded(self) -> int:
        """Number of boards left."""
        return self._expanded

    @property
    def counts(self) -> Counts:
        """Counts so far: only the boards of the path are stored."""
        longest = self._longest
        stored = len(self._boards)
        return Counts(self._expanded, self._generated, 1, 1, stored, longest + 1, longest)

    def advance(self, budget: int) -> Outcome:
        """Leave up to `budget` boards and return the outcome: EMPTY if the search is stuck."""
        self._target = self._expanded + budget
        return next(self._running, Outcome.EMPTY)

    def path(self) -> list[int]:
        """Return the cells of the blank from the start to the board of the search."""
        return [board.index(0) for board in self._boards]

    def _outcomes(self) -> Generator[Outcome]:
        if self._most < 1:
            yield Outcome.FULL
        for _ in self._steps():
            if self._boards[-1] == self._goal:
                yield Outcome.GOAL
            if self._expanded >= self._target:
                yield Outcome.RUNNING
            self._expanded += 1
        if self._boards[-1] == self._goal:
            yield Outcome.GOAL

    @abstractmethod
    def _steps(self) -> Iterator[None]:
        """Yield before each board is left, and set `reason` at the end."""

    def _neighbours(self) -> list[tuple[int, bytes]]:
        """Return the neighbours with their h, blank up, down, left, right.

        Neighbours that would make the path too long are left out.
        """
        board, found = self._boards[-1], []
        for cell, delta, h_after in self._moves[board.index(0)]:
            new = board.translate(SWAP[board[cell]])
            h = h_after(self._h, board, new) if h_after else self._h + delta[board[cell]]
            if len(self._boards) <= self._most or new in self._places:
                found.append((h, new))
        return found

    def _go(self, h: int, board: bytes) -> None:
        """Go to a neighbour. If it is on the path already, the loop is cut off."""
        self._h, place = h, self._places.get(board)
        if place is None:
            self._places[board] = len(self._boards)
            self._boards.append(board)
            self._longest = max(self._longest, len(self._boards) - 1)
            return
        for left in self._boards[place + 1 :]:
            del self._places[left]
        del self._boards[place + 1 :]

    def _restart(self) -> None:
        """Go back to the start."""
        self._boards, self._places = [self._start], {self._start: 0}
        self._h = self._estimate.value(self._start)

    def _no_lower_neighbour(self) -> str:
        return message("no neighbour has a lower h than %(h)s", h=self._h)


class SteepestAscent(LocalSearch):
    """The neighbour with the lowest h, ties to the first, as long as it is lower.

    With `restarts` a search that is stuck begins again with a random walk from the start.
    """

    restarts: ClassVar[bool] = False

    def _steps(self) -> Iterator[None]:
        while True:
            yield
            neighbours = self._neighbours()
            self._generated += len(neighbours)
            best = min(neighbours, key=lambda one: one[0])
            if best[0] < self._h:
                self._go(*best)
            elif self.restarts:
                self._restart()
                yield from self._walk()
            else:
                self.reason = self._no_lower_neighbour()
                return

    def _walk(self) -> Iterator[None]:
        for _ in range(WALKED_PER_CELL * len(self._start)):
            yield
            neighbours = self._neighbours()
            self._generated += 1
            self._go(*neighbours[below(len(neighbours), self._draws)])


class RandomRestart(SteepestAscent):
    """Steepest ascent that begins again when it is stuck."""

    restarts = True


class FirstChoice(LocalSearch):
    """The first neighbour with a lower h, in random order."""

    def _steps(self) -> Iterator[None]:
        is_stuck = False
        while not is_stuck:
            yield
            # Drawn without replacement, so that each neighbour is tried before the search is stuck.
            neighbours, is_stuck = self._neighbours(), True
            while neighbours and is_stuck:
                h, board = neighbours.pop(below(len(neighbours), self._draws))
                self._generated += 1
                if h < self._h:
                    self._go(h, board)
                    is_stuck = False
        self.reason = self._no_lower_neighbour()


class Annealing(LocalSearch):
    """A random neighbour, taken with probability exp(-rise / temperature) if its h is higher.

    The temperature falls by the factor `cooling` at each step.
    """

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self._cooling = task.cooling

    def _steps(self) -> Iterator[None]:
        temperature = FIRST_TEMPERATURE
        while temperature > LAST_TEMPERATURE:
            yield
            neighbours = self._neighbours()
            self._generated += 1
            h, board = neighbours[below(len(neighbours), self._draws)]
            chance = exp(min(0, self._h - h) / temperature)
            # A draw has 32 bits. A lower or equal h has the chance 1.
            if next(self._draws) < chance * 2**32:
                self._go(h, board)
            temperature *= self._cooling
        self.reason = message(
            "the temperature has fallen to %(last)s, and h is still %(h)s",
            last=LAST_TEMPERATURE,
            h=self._h,
        )
