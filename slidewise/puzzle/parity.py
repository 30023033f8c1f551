"""Which puzzles can be solved: parity, decided for any start and goal and explained.

Source: W. W. Johnson and W. E. Story, Notes on the "15" puzzle, American Journal of
Mathematics 2, 1879. Each move swaps the blank with a tile, so it turns the parity of the
permutation from start to goal and the parity of the blank's distance from home alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slidewise.puzzle.board import Board

MAX_ANSWERS = 256
"""The puzzles that are remembered: one click asks several times of the same."""


@dataclass(frozen=True, slots=True)
class Parity:
    """The numbers that decide whether `start` can reach `goal`.

    `transpositions` is the number of swaps of two cells, the blank among them, that turn
    start into goal; it goes with `grid_distance`, the rows and columns between the blank's
    two cells. `inversions` is the number of pairs of tiles, the blank left out, that stand in
    another order than in the goal; on a board with an even number of columns it goes with
    `row_distance`, and with an odd number it stands alone, as then no move changes its parity.
    """

    transpositions: int
    grid_distance: int
    inversions: int
    row_distance: int
    cols: int

    @property
    def solvable(self) -> bool:
        """Return whether the goal can be reached."""
        return (self.transpositions - self.grid_distance) % 2 == 0

    def explain(self) -> str:
        """Return the reason in numbers, in two or three sentences."""
        count = {0: "no pair", 1: "one pair"}.get(self.inversions, f"{self.inversions} pairs")
        verb = "is" if self.inversions <= 1 else "are"
        counted = f"Read row by row with the blank left out, {count} of tiles {verb} out of order"
        return f"{counted}. " + (self._odd_columns() if self.cols % 2 else self._even_columns())

    def _odd_columns(self) -> str:
        rule = (
            f"With {self.cols} columns no move can change whether that number (the inversions) "
            "is even or odd, and in the goal it is 0, which is even."
        )
        return f"{rule} {self.inversions} is {_even_or_odd(self.inversions)}: {self._end()}"

    def _even_columns(self) -> str:
        total = self.inversions + self.row_distance
        rows = f"{self.row_distance} row{'s' * (self.row_distance != 1)}"
        rule = (
            f"The blank is {rows} from its place in the goal. With {self.cols} columns no move "
            "can change whether the sum of the two is even or odd, and in the goal it is 0, "
            "which is even."
        )
        return (
            f"{rule} {self.inversions} + {self.row_distance} = {total} is "
            f"{_even_or_odd(total)}: {self._end()}"
        )

    def _end(self) -> str:
        if self.solvable:
            return "the goal can be reached."
        return "the goal cannot be reached; parity proves it."


def parity(start: Board, goal: Board) -> Parity:
    """Return the numbers that decide whether `start` can reach `goal`, boards of one size.

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
    """Return whether `start` can reach `goal`, without the numbers that only explain it."""
    home = {tile: cell for cell, tile in enumerate(goal.cells)}
    swaps = _transpositions([home[tile] for tile in start.cells])
    return (swaps - grid_distance(start, goal)) % 2 == 0


def grid_distance(start: Board, goal: Board) -> int:
    """Return the rows and columns between the blank's places on two boards of one size."""
    row, col = divmod(start.blank, start.cols)
    goal_row, goal_col = divmod(goal.blank, goal.cols)
    return abs(row - goal_row) + abs(col - goal_col)


def _transpositions(permutation: list[int]) -> int:
    """Return the fewest swaps that sort `permutation`: its length less its cycles."""
    seen = [False] * len(permutation)
    cycles = 0
    for first in range(len(permutation)):
        cycles += not seen[first]
        place = first
        while not seen[place]:
            seen[place] = True
            place = permutation[place]
    return len(permutation) - cycles


def _inversions(numbers: list[int]) -> int:
    return sum(a > b for i, a in enumerate(numbers) for b in numbers[i + 1 :])


def _even_or_odd(number: int) -> str:
    return "odd" if number % 2 else "even"
