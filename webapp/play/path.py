"""The moves left after each move of a finished game, as a chart."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from slidewise.puzzle import steps
from webapp.workers.distances import Distances
from webapp.workers.services import service

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from slidewise import Game

MAX_MOVES = 300
"""The moves of the longest game that is drawn: more cannot be told apart."""

LEFT, RIGHT, HIGHEST, LOWEST = 34, 342, 12, 139
"""Where the lines of the chart begin and end, in its own units."""


@dataclass(frozen=True)
class Path:
    """The moves left at the start and after each move.

    >>> path = Path((2, 3, 2, 1, 0))
    >>> path.detours, path.points.split()[:2]
    ([1], ['34,54.3', '111,12'])
    """

    left: Sequence[int]

    @property
    def moves(self) -> int:
        """Return the number of moves made."""
        return len(self.left) - 1

    @property
    def top(self) -> int:
        """Return the most moves left."""
        return max(self.left)

    @property
    def detours(self) -> list[int]:
        """Return the numbers of the moves that led away from the goal."""
        return [move for move, (was, now) in enumerate(pairwise(self.left), 1) if now > was]

    @property
    def points(self) -> str:
        """Return the line of the chart."""
        return " ".join(f"{self.x(move):g},{self.y(left):g}" for move, left in enumerate(self.left))

    @property
    def marks(self) -> Iterator[tuple[float, float]]:
        """Yield where the detours are drawn."""
        return ((self.x(move), self.y(self.left[move])) for move in self.detours)

    def x(self, move: int) -> float:
        """Return where the board after so many moves stands."""
        return round(LEFT + move * (RIGHT - LEFT) / self.moves, 1)

    def y(self, left: float) -> float:
        """Return the height of so many moves left."""
        return round(LOWEST - left * (LOWEST - HIGHEST) / self.top, 1)


def path_of(game: Game) -> Path | None:
    """Return the path of a finished game, None where it is too long or not known at once: on
    boards above 10 cells it is where the page was told enough of the moves left during the game."""
    puzzle = game.puzzle
    if game.forgotten or not puzzle.solvable or not 0 < game.move_count <= MAX_MOVES:
        return None
    ask = service(Distances).at_once
    boards = [puzzle.start, *(step.board for step in steps(*game.last_moves(MAX_MOVES)))]
    found = [ask(puzzle.starting_at(board)) for board in boards]
    left = filled([one.at_least if one and one.exact else None for one in found])
    return Path(left) if left else None


def filled(left: Sequence[int | None]) -> tuple[int, ...] | None:
    """Return the moves left with the gaps filled in, None where they are not certain.

    A move changes the number by one, so only one way leads as far in as many moves.

    >>> filled([4, None, None, 1, 0]), filled([4, None, 4, 3])
    ((4, 3, 2, 1, 0), None)
    """
    known = [(move, number) for move, number in enumerate(left) if number is not None]
    if len(known) < 2 or known[0][0] > 0 or known[-1][0] < len(left) - 1:
        return None
    numbers = [known[0][1]]
    for (move, was), (next_move, now) in pairwise(known):
        moves = next_move - move
        if abs(now - was) != moves:
            return None
        numbers.extend(was + (now - was) * step // moves for step in range(1, moves + 1))
    return tuple(numbers)
