"""The puzzle: a start board and a goal board."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from slidewise.puzzle.board import (
    STANDARD_GOALS,
    Board,
    InvalidBoardError,
    blank_first_goal,
    cell_distance,
    standard_goal,
)
from slidewise.text import message

MAX_ANSWERS = 256
"""Maximum puzzles in the cache; a click looks up the same puzzle several times."""


@dataclass(frozen=True, slots=True)
class Parity:
    """Permutation counts that decide whether `start` can reach `goal`.

    `transpositions` is the number of swaps of two cells, blank included, that turn start into goal.
    It is compared with `grid_distance`, the rows and columns between the blank's two cells.
    `inversions` is the number of tile pairs, without the blank, in another order than in the goal.
    With an even number of columns it is compared with `row_distance`. With an odd number it decides
    alone, as no move changes its parity.
    """

    transpositions: int
    grid_distance: int
    inversions: int
    row_distance: int
    cols: int

    @property
    def solvable(self) -> bool:
        """Return whether the goal can be reached."""
        return (self.transpositions - self.grid_distance) % 2 == 0  # each move is a transposition

    def explain(self) -> str:
        """Return the reason in numbers, in two or three sentences."""
        return message(
            "%(counted)s %(rule)s %(conclusion)s",
            counted=self._counted(),
            rule=self._odd_columns() if self.cols % 2 else self._even_columns(),
            conclusion=self._conclusion(),
        )

    def _counted(self) -> str:
        if self.inversions == 0:
            return message(
                "Read row by row with the blank left out, no pair of tiles is out of order."
            )
        if self.inversions == 1:
            return message(
                "Read row by row with the blank left out, one pair of tiles is out of order."
            )
        return message(
            "Read row by row with the blank left out, %(pairs)s pairs of tiles are out of order.",
            pairs=str(self.inversions),
        )

    def _odd_columns(self) -> str:
        return message(
            "With %(cols)s columns no move can change whether that number (the inversions) "
            "is even or odd, and in the goal it is 0, which is even.",
            cols=self.cols,
        )

    def _even_columns(self) -> str:
        if self.row_distance == 1:
            return message(
                "The blank is 1 row from its place in the goal. With %(cols)s columns no move "
                "can change whether the sum of the two is even or odd, and in the goal it is 0, "
                "which is even.",
                cols=self.cols,
            )
        return message(
            "The blank is %(rows)s rows from its place in the goal. With %(cols)s columns no move "
            "can change whether the sum of the two is even or odd, and in the goal it is 0, "
            "which is even.",
            rows=self.row_distance,
            cols=self.cols,
        )

    def _conclusion(self) -> str:
        number = str(self.inversions)
        if self.cols % 2 == 0:
            total = self.inversions + self.row_distance
            number = f"{self.inversions} + {self.row_distance} = {total}"
        if self.solvable:  # an even number means just that
            return message("%(number)s is even: the goal can be reached.", number=number)
        return message(
            "%(number)s is odd: the goal cannot be reached; parity proves it.", number=number
        )


def parity(start: Board, goal: Board) -> Parity:
    """Return the parity counts of two boards of the same size.

    >>> from slidewise.puzzle.notation import parse_board
    >>> parity(parse_board("1.2.3-8.0.4-7.6.5"), parse_board("1.2.3-4.5.6-7.8.0")).solvable
    False
    """
    home = {tile: cell for cell, tile in enumerate(goal.cells)}
    return Parity(
        transpositions=_transpositions([home[tile] for tile in start.cells]),
        grid_distance=grid_distance(start, goal),
        inversions=_inversions([home[tile] for tile in start.cells if tile]),
        row_distance=abs(start.blank // start.cols - goal.blank // goal.cols),
        cols=start.cols,
    )


@lru_cache(maxsize=MAX_ANSWERS)
def solvable(start: Board, goal: Board) -> bool:
    """Return whether `start` can reach `goal`, without computing the explanation."""
    home = {tile: cell for cell, tile in enumerate(goal.cells)}
    swaps = _transpositions([home[tile] for tile in start.cells])
    return (swaps - grid_distance(start, goal)) % 2 == 0


def grid_distance(start: Board, goal: Board) -> int:
    """Return the rows and columns between the blank's cells on two boards of the same size."""
    return cell_distance(start.blank, goal.blank, start.cols)


def _transpositions(permutation: list[int]) -> int:
    """Return the fewest swaps that sort `permutation`: its length less its cycles."""
    seen = [False] * len(permutation)
    cycles = 0
    for first in range(len(permutation)):
        # A cycle of n cells needs n - 1 swaps.
        cycles += not seen[first]
        place = first
        while not seen[place]:
            seen[place] = True
            place = permutation[place]
    return len(permutation) - cycles


def _inversions(numbers: list[int]) -> int:
    return sum(a > b for i, a in enumerate(numbers) for b in numbers[i + 1 :])


GOAL_NAMES: dict[str, str] = {
    "last": message("blank last"),
    "first": message("blank first"),
    "spiral": message("spiral"),
}
"""Names of the standard goals."""


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
                message(
                    "start and goal must have the same size and tiles: the start is %(start)s, "
                    "the goal %(goal)s",
                    start=f"{self.start.rows}x{self.start.cols}",
                    goal=f"{self.goal.rows}x{self.goal.cols}",
                )
            )

    @classmethod
    def standard(cls, start: Board) -> Self:
        """Return the puzzle from `start` to 1, 2, 3 ... with the blank last."""
        return cls(start, standard_goal(*start.size))

    def __str__(self) -> str:
        """Return the puzzle code: `START`, or `START_GOAL` without the standard goal."""
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
        """Return the parity counts of the puzzle."""
        return parity(self.start, self.goal)

    @property
    def has_table(self) -> bool:
        """Return whether all boards of this size can be enumerated.

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

    def solvable_alternatives(self) -> Alternatives:
        """Return the two nearest puzzles of the other parity, solvable if this puzzle is not."""
        tiles = self._tiles_to_swap()
        other_goal = blank_first_goal(*self.goal.size)
        if self.goal_name == "blank first":
            other_goal = standard_goal(*self.goal.size)
        # The other standard goal may have the same parity; a swap of two tiles never has.
        if solvable(self.start, other_goal) == self.solvable or other_goal == self.start:
            other_goal = swap_tiles(self.goal, *self._last_tiles(self.goal))
        if other_goal == self.start:  # already solved
            other_goal = swap_tiles(self.goal, *self._first_tiles(self.goal))
        return Alternatives(
            tiles,
            Puzzle(swap_tiles(self.start, *tiles), self.goal),
            Puzzle(self.start, other_goal),
        )

    def _tiles_to_swap(self) -> tuple[int, int]:
        """Return two tiles of the start to swap: a pair that ends at home, or the last two."""
        goal_cell = {tile: cell for cell, tile in enumerate(self.goal.cells)}
        for cell, tile in enumerate(self.start.cells):
            other = self.start.cells[goal_cell[tile]]
            # Two tiles on each other's home cells: a swap brings both home.
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
class Alternatives:
    """Remedies for an unreachable goal: swap two tiles, or take another goal."""

    tiles: tuple[int, int]
    swapped: Puzzle
    other_goal: Puzzle


def swap_tiles(board: Board, first: int, second: int) -> Board:
    """Return `board` with two tiles swapped, which no moves can do.

    >>> str(swap_tiles(Board(2, 2, (1, 2, 3, 0)), 1, 2))
    '2.1-3.0'
    """
    exchange = {first: second, second: first}
    return Board(board.rows, board.cols, tuple(exchange.get(tile, tile) for tile in board.cells))
