"""What can be wrong with a puzzle, a board or a move. One tree, under `PuzzleError`."""

from __future__ import annotations


class PuzzleError(ValueError):
    """Something about a puzzle is wrong; the message says what, and what to do."""


class InvalidBoardError(PuzzleError):
    """A board that cannot be read, or is none: wrong cells, wrong size, unknown notation.

    `line` is the line of the text that is wrong, counted from 1, where one is known to be.
    """

    line: int | None = None


class SizeNeededError(InvalidBoardError):
    """A flat list of cells that fills no square, given without a size."""


class AmbiguousBoardError(InvalidBoardError):
    """A text that can mean several boards; `readings` has the meaning and the code of each."""

    def __init__(self, message: str, readings: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__(message)
        self.readings = readings


class InvalidMovesError(PuzzleError):
    """A list of moves that cannot be read."""


class AmbiguousMovesError(InvalidMovesError):
    """Moves that can be said of the tiles or of the blank, and can be made either way."""


class IllegalMoveError(PuzzleError):
    """A move that reads well but that this board does not allow."""


def quoted(text: str, limit: int = 60) -> str:
    """Return `text` in quotes, shortened to about `limit` characters, for an error message.

    >>> quoted("1 2 3")
    "'1 2 3'"
    >>> quoted("1" * 100, limit=8)
    "'11111111...'"
    """
    return repr(text if len(text) <= limit else text[:limit] + "...")
