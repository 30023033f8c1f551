"""Moves as text, and the conversion between the ways of naming them.

A move is named by the direction in which the *tile* moves: `U`, `D`, `L` or `R`. Courses
often name the direction of the *blank*, which is the opposite, and the notebooks' players
name the tile's number. All conversion between the three is here and nowhere else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slidewise.puzzle.board import Board, direction_word, sources
from slidewise.puzzle.errors import (
    AmbiguousMovesError,
    IllegalMoveError,
    InvalidBoardError,
    InvalidMovesError,
    quoted,
)
from slidewise.puzzle.reading.address import read_address
from slidewise.puzzle.reading.lengths import MAX_MOVES, MAX_TEXT
from slidewise.puzzle.reading.moves_text import understand_moves

if TYPE_CHECKING:
    from collections.abc import Iterator

ARROWS = {"U": "↑", "D": "↓", "L": "←", "R": "→"}

_OPPOSITE = str.maketrans("UDLR", "DURL")
_RUN = re.compile(r"([UDLR])([0-9]*)", re.IGNORECASE)
_RUNS = re.compile(r"[\s,]*+(?:[UDLR][0-9]*+[\s,]*+)*+", re.IGNORECASE)
_NUMBERS = re.compile(r"[0-9]+(?:[\s,]+[0-9]+)*")


@dataclass(frozen=True, slots=True)
class Step:
    """One move of a solution: its number from 1, the tile, its direction, the board after it."""

    number: int
    tile: int
    direction: str
    board: Board

    def __str__(self) -> str:
        """Return the step as a sentence.

        >>> from slidewise.puzzle.board import Board
        >>> print(next(steps(Board(2, 2, (1, 2, 0, 3)), "L")))
        Step 1: tile 3 moves left; the blank moves right
        """
        return (
            f"Step {self.number:,}: tile {self.tile} moves {direction_word(self.direction)}; "
            f"the blank moves {direction_word(opposite(self.direction))}"
        )

    @property
    def arrow(self) -> str:
        """Return the arrow of the tile's direction."""
        return ARROWS[self.direction]


def opposite(moves: str) -> str:
    """Turn tile directions into blank directions, or back.

    >>> opposite("ULDR")
    'DRUL'
    """
    return moves.translate(_OPPOSITE)


def inverse(moves: str) -> str:
    """Return the moves that take back `moves`.

    >>> inverse("UUL")
    'RDD'
    """
    return opposite(moves[::-1])


def parse_moves(text: str) -> str:
    """Return the moves in `text`, such as `U2RDL3`, one letter a move.

    >>> parse_moves("U2RDL3")
    'UURDLLL'

    Raises `InvalidMovesError` where something else stands there, or where the moves are more
    than `MAX_MOVES`, which is found before anything is expanded.
    """
    if len(text) > MAX_TEXT:
        raise InvalidMovesError(
            f"expected at most {MAX_TEXT:,} characters of moves, found {len(text):,}: "
            f"{quoted(text)}"
        )
    if not _RUNS.fullmatch(text):
        raise InvalidMovesError(
            "expected moves such as U2RDL3 (U, D, L, R: the way the tile moves), "
            f"found {quoted(text)}"
        )
    runs = [(letter, _run_length(count)) for letter, count in _RUN.findall(text.upper())]
    if sum(count for _, count in runs) > MAX_MOVES:
        raise _too_many_moves(text)
    return "".join(letter * count for letter, count in runs)


def format_moves(moves: str) -> str:
    """Return `moves` with run lengths, the form that links carry.

    >>> format_moves("UURDLLL")
    'U2RDL3'
    """
    return re.sub(r"(.)\1+", lambda run: f"{run[1]}{len(run[0])}", moves)


def read_moves(
    text: str, board: Board, *, blank_directions: bool = False, goal: Board | None = None
) -> str:
    """Return the moves in `text` from `board` on: letters, the numbers of the tiles, words, arrows,
    `2U`, `6R-7D`, or the address of a replay.

    With `blank_directions` the directions are the blank's. Without it letters such as `U2RDL3` are
    the tiles'; of other ways to write moves `understand_moves` finds out whose they are,
    with the `goal` where there is one.

    >>> from slidewise.puzzle.board import Board
    >>> read_moves("3 2", Board(2, 2, (1, 2, 0, 3)))
    'LD'

    Raises `InvalidMovesError` or `IllegalMoveError`.
    """
    numbers = text.strip()
    if len(numbers) <= MAX_TEXT and _NUMBERS.fullmatch(numbers):
        tiles = re.findall("[0-9]+", numbers)
        if len(tiles) > MAX_MOVES:
            raise _too_many_moves(text)
        return "".join(_directions_of_tiles(tiles, board))
    try:
        moves = parse_moves(text)
    except InvalidMovesError as refusal:
        if len(text) > MAX_TEXT:
            raise
        return _read_otherwise(text, board, blank_directions, goal, refusal)
    return opposite(moves) if blank_directions else moves


def _read_otherwise(
    text: str,
    board: Board,
    blank_directions: bool,
    goal: Board | None,
    refusal: InvalidMovesError,
) -> str:
    """Return the moves of a text that is no list of letters with run lengths."""
    try:
        address = read_address(text)
        if address:
            return parse_moves(address.moves)
    except InvalidBoardError:
        raise refusal from None
    try:
        said_of = "blank" if blank_directions else None
        return understand_moves(text, board, said_of=said_of, goal=goal).moves
    except AmbiguousMovesError:
        raise
    except InvalidMovesError:
        raise refusal from None


def steps(board: Board, moves: str, *, before: int = 0) -> Iterator[Step]:
    """Yield each step of `moves` from `board` on; `before` is how many steps led there.

    Raises `IllegalMoveError`, naming the step, where a move cannot be made.
    """
    for number, direction in enumerate(moves, start=before + 1):
        cell = board.source(direction)
        if cell is None:
            raise IllegalMoveError(
                f"move {number} of {before + len(moves)} ({direction}) is not legal: "
                f"no tile can move {direction_word(direction)} on {board}"
            )
        tile = board.cells[cell]
        board = board.move(direction)
        yield Step(number, tile, direction, board)


def play(board: Board, moves: str) -> Board:
    """Return the board after `moves`; raises `IllegalMoveError` where one cannot be made."""
    cells, blank, ways = list(board.cells), board.blank, sources(board.rows, board.cols)
    try:
        for direction in moves:
            cell = ways[blank][direction]
            cells[blank], cells[cell], blank = cells[cell], 0, cell
    except KeyError:
        return [*steps(board, moves)][-1].board  # a step says what is wrong with it
    return Board(board.rows, board.cols, tuple(cells))


def tiles_moved(board: Board, moves: str) -> list[int]:
    """Return the number of the tile that each of `moves` moves.

    >>> from slidewise.puzzle.board import Board
    >>> tiles_moved(Board(2, 2, (1, 2, 0, 3)), "LD")
    [3, 2]
    """
    return [step.tile for step in steps(board, moves)]


def _too_many_moves(text: str) -> InvalidMovesError:
    return InvalidMovesError(f"expected at most {MAX_MOVES:,} moves, found more: {quoted(text)}")


def _run_length(digits: str) -> int:
    """Return the number that `digits` write; a long one is not worked out, only too large."""
    longest = len(str(MAX_MOVES))
    return int(digits[-longest:] or 1) if len(digits.lstrip("0")) <= longest else MAX_MOVES + 1


def _directions_of_tiles(numbers: list[str], board: Board) -> Iterator[str]:
    for position, digits in enumerate(numbers, start=1):
        tile = int(digits) if len(digits) <= 3 else -1
        direction = board.direction_of(tile)
        if direction is None:
            raise IllegalMoveError(
                f"move {position} of {len(numbers)} is not legal: tile {digits[:8]} is not "
                f"beside the blank on {board}"
            )
        yield direction
        board = board.move(direction)
