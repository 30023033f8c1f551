"""Moves in the ways in which they are written, each labelled with what it names."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from slidewise.puzzle.board import direction_word
from slidewise.puzzle.errors import InvalidMovesError
from slidewise.puzzle.moves import ARROWS, format_moves, opposite, play, tiles_moved
from slidewise.puzzle.pddl import plan
from slidewise.puzzle.reading.moves_text import understand_moves

if TYPE_CHECKING:
    from slidewise.puzzle.board import Board
    from slidewise.puzzle.puzzle import Puzzle
    from slidewise.puzzle.reading.moves_text import MovesReading


class WrittenMoves(NamedTuple):
    """Moves in one notation: its key, what it names, and the text."""

    key: str
    title: str
    text: str


def written_moves(board: Board, moves: str) -> list[WrittenMoves]:
    """Return `moves`, the tiles' directions from `board` on, in each notation.

    >>> from slidewise.puzzle.board import Board
    >>> for one in written_moves(Board(2, 2, (1, 2, 0, 3)), "L")[:3]:
    ...     print(one.key, one.text)
    tile L
    blank R
    words ['Right']

    Raises `IllegalMoveError`.
    """
    tiles = tiles_moved(board, moves)
    words = [direction_word(letter).title() for letter in opposite(moves)]
    pairs = [f"{tile}{letter}" for tile, letter in zip(tiles, moves, strict=True)]
    return [
        WrittenMoves("tile", "The tiles’ directions", format_moves(moves)),
        WrittenMoves("blank", "The blank’s directions", format_moves(opposite(moves))),
        WrittenMoves("words", "The blank’s directions in words", str(words)),
        WrittenMoves("tiles", "The tiles’ numbers", " ".join(map(str, tiles))),
        WrittenMoves("pairs", "Tiles and their directions", "-".join(pairs)),
        WrittenMoves(
            "arrows", "Arrows, the way the tiles go", "".join(ARROWS[letter] for letter in moves)
        ),
        WrittenMoves("plan", "A plan in PDDL", plan(board, moves).rstrip("\n")),
    ]


class ConvertedMoves(NamedTuple):
    """A list of moves as it was read, in each notation, and the board after it."""

    reading: MovesReading
    written: list[WrittenMoves]
    end: Board


def convert_moves(text: str, puzzle: Puzzle, most: int) -> ConvertedMoves:
    """Read a list of at most `most` moves and write it in each notation.

    Raises `InvalidMovesError`, `AmbiguousMovesError` or `IllegalMoveError`.
    """
    reading = understand_moves(text, puzzle.start, goal=puzzle.goal)
    if len(reading.moves) > most:
        raise InvalidMovesError(f"expected at most {most:,} moves, got {len(reading.moves):,}")
    end = play(puzzle.start, reading.moves)
    return ConvertedMoves(reading, written_moves(puzzle.start, reading.moves), end)
