"""The puzzle: a start board and a goal board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from slidewise.puzzle.board import STANDARD_GOALS, Board, blank_first_goal, standard_goal
from slidewise.puzzle.errors import InvalidBoardError
from slidewise.puzzle.parity import Parity, parity, solvable

if TYPE_CHECKING:
    from typing import Self


GOAL_NAMES = {"last": "blank last", "first": "blank first", "spiral": "spiral"}
"""What the standard goals are called."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A start board and a goal board of the same size.

    >>> puzzle = Puzzle.standard(Board(2, 3, (1, 0, 3, 4, 2, 5)))
    >>> str(puzzle), puzzle.solvable
    ('1.0.3-4.2.5', True)

    Raises `InvalidBoardError` if the sizes differ.
    """

    start: Board
    goal: Board

    def __post_init__(self) -> None:
        if self.start.size != self.goal.size:
            raise InvalidBoardError(
                "start and goal must have the same size and tiles: the start is "
                f"{self.start.rows}x{self.start.cols}, the goal {self.goal.rows}x{self.goal.cols}"
            )

    @classmethod
    def standard(cls, start: Board) -> Self:
        """Return the puzzle from `start` to 1, 2, 3 ... with the blank last."""
        return cls(start, standard_goal(*start.size))

    def __str__(self) -> str:
        """Return the puzzle code: `START`, or `START_GOAL` for another goal than the standard."""
        if self.goal == standard_goal(*self.goal.size):
            return str(self.start)
        return f"{self.start}_{self.goal}"

    @property
    def rows(self) -> int:
        """Return the number of rows."""
        return self.start.rows

    @property
    def cols(self) -> int:
        """Return the number of columns."""
        return self.start.cols

    @property
    def parity(self) -> Parity:
        """Return the numbers that decide whether the goal can be reached."""
        return parity(self.start, self.goal)

    @property
    def has_table(self) -> bool:
        """Return whether all boards of this size can be gone through.

        >>> from slidewise import parse_puzzle
        >>> parse_puzzle("1.0.3-4.2.5").has_table
        True
        """
        return self.goal.has_table

    @property
    def solvable(self) -> bool:
        """Return whether the goal can be reached."""
        return solvable(self.start, self.goal)

    @property
    def goal_name(self) -> str:
        """Return `blank last`, `blank first`, `spiral` or `custom`."""
        return next(
            (
                GOAL_NAMES[key]
                for key, goal in STANDARD_GOALS.items()
                if goal(*self.goal.size) == self.goal
            ),
            "custom",
        )

    def starting_at(self, board: Board) -> Puzzle:
        """Return the puzzle from `board` to the same goal."""
        return Puzzle(board, self.goal)

    def ways_out(self) -> WaysOut:
        """Return the two nearest puzzles of the other parity: where this one cannot be solved,
        those can."""
        tiles = self._tiles_to_swap()
        other_goal = blank_first_goal(*self.goal.size)
        if self.goal_name == "blank first":
            other_goal = standard_goal(*self.goal.size)
        if solvable(self.start, other_goal) == self.solvable or other_goal == self.start:
            other_goal = swap_tiles(self.goal, *self._last_tiles(self.goal))
        if other_goal == self.start:  # nothing would be left to play
            other_goal = swap_tiles(self.goal, *self._first_tiles(self.goal))
        return WaysOut(
            tiles,
            Puzzle(swap_tiles(self.start, *tiles), self.goal),
            Puzzle(self.start, other_goal),
        )

    def _tiles_to_swap(self) -> tuple[int, int]:
        """Return two tiles of the start to swap: two that then both stand at home if there are
        such, else the last two."""
        goal_cell = {tile: cell for cell, tile in enumerate(self.goal.cells)}
        for cell, tile in enumerate(self.start.cells):
            other = self.start.cells[goal_cell[tile]]
            if 0 < tile < other and goal_cell[other] == cell:
                return tile, other
        return self._last_tiles(self.start)

    @staticmethod
    def _first_tiles(board: Board) -> tuple[int, int]:
        first, second = [tile for tile in board.cells if tile][:2]
        return min(first, second), max(first, second)

    @staticmethod
    def _last_tiles(board: Board) -> tuple[int, int]:
        first, second = [tile for tile in board.cells if tile][-2:]
        return min(first, second), max(first, second)


@dataclass(frozen=True, slots=True)
class WaysOut:
    """What to do about a goal that cannot be reached: swap two tiles, or take another goal."""

    tiles: tuple[int, int]
    swapped: Puzzle
    other_goal: Puzzle


def swap_tiles(board: Board, first: int, second: int) -> Board:
    """Return `board` with two of its tiles exchanged, which no moves can do.

    >>> str(swap_tiles(Board(2, 2, (1, 2, 3, 0)), 1, 2))
    '2.1-3.0'
    """
    exchange = {first: second, second: first}
    return Board(board.rows, board.cols, tuple(exchange.get(tile, tile) for tile in board.cells))
