"""A long solution in pieces: the steps that a page shows and fetches at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from slidewise import steps
from slidewise.puzzle.moves import play
from webapp.solve.profile import SHOWN_STEPS
from webapp.workers.shared import Kind

if TYPE_CHECKING:
    from slidewise import Board, Puzzle, SearchSpec, Step
    from webapp.workers.shared import Shared

PATHS = Kind["SearchSpec", str]("paths", 1_000_000, 600)
"""The moves that searches found whose solutions are fetched in pieces: each up to 100 KB."""

LONGEST_PATH = 100_000
"""The moves of the longest solution that is remembered; it is searched for again otherwise."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Up to `SHOWN_STEPS` steps of a solution, after the `first` ones, which lead to `board`."""

    first: int
    board: Board
    steps: list[Step]

    @property
    def last(self) -> int:
        """Return the number of the last step."""
        return self.first + len(self.steps)


def piece_with(puzzle: Puzzle, moves: str, number: int) -> Piece:
    """Return the piece of a solution that has the step `number`, from 0 on."""
    first = max(0, min(number, len(moves)) - 1) // SHOWN_STEPS * SHOWN_STEPS
    board = play(puzzle.start, moves[:first])
    made = steps(board, moves[first : first + SHOWN_STEPS], before=first)
    return Piece(first, board, list(made))


class Paths:
    """The solutions that searches found last. It is safe to use from many threads."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def get(self, spec: SearchSpec) -> str | None:
        """Return the moves that an equal search found, None if they are not known."""
        return self._shared.get(PATHS, spec)

    def remember(self, spec: SearchSpec, moves: str) -> None:
        """Remember what a search found."""
        if len(moves) <= LONGEST_PATH:
            self._shared.put(PATHS, spec, moves)
