"""Scrambles from a seed, or from moves.

A seed gives the same board on every machine, uniform over the solvable boards. Moves lead from the
goal, as csTimer writes them.
"""

import hashlib
import re
from collections.abc import Iterator

from slidewise.puzzle.board import (
    Board,
    InvalidBoardError,
    PuzzleError,
    check_size,
    quoted,
    standard_goal,
)
from slidewise.puzzle.moves import inverse, play, read_moves
from slidewise.puzzle.puzzle import Puzzle, parity, swap_tiles
from slidewise.text import message

MAX_SEED = 64
"""Maximum length of a seed, in characters."""


def scramble(rows: int, cols: int, seed: str, goal: Board | None = None) -> Puzzle:
    """Return a puzzle drawn with `seed` uniformly from all solvable puzzles but the solved board.

    A seed means the same puzzle on every machine and in every version. The goal is the standard
    goal unless `goal` is given.

    >>> str(scramble(3, 3, "7")) == str(scramble(3, 3, "7"))
    True

    Raises `InvalidBoardError` for a size outside 2 to 10 and for a goal of another size,
    `PuzzleError` for a longer seed than 64 characters.
    """
    check_seed(seed)
    goal = goal_of_size(rows, cols, goal)
    draws = numbers(f"slidewise scramble 1|{rows}x{cols}|{seed}")
    while True:
        start = _solvable(Board(rows, cols, _shuffled(rows * cols, draws)), goal)
        # Drawing again keeps the other boards equally likely.
        if start != goal:
            return Puzzle(start, goal)


def check_seed(seed: str) -> None:
    """Raise `PuzzleError` if `seed` is longer than 64 characters."""
    if len(seed) > MAX_SEED:
        raise PuzzleError(
            message(
                "a seed has at most %(most)s characters, got %(count)s: %(seed)s",
                most=MAX_SEED,
                count=len(seed),
                seed=quoted(seed),
            )
        )


def goal_of_size(rows: int, cols: int, goal: Board | None) -> Board:
    """Return `goal` or the standard goal; raises `InvalidBoardError` for another size."""
    check_size(rows, cols)
    goal = goal or standard_goal(rows, cols)
    if goal.size != (rows, cols):
        raise InvalidBoardError(f"expected a goal of {rows}x{cols}, got {goal}")
    return goal


def below(bound: int, draws: Iterator[int]) -> int:
    """Return a uniform number below `bound`, by rejecting draws that would bias it."""
    limit = 2**32 - 2**32 % bound
    return next(draw for draw in draws if draw < limit) % bound


def numbers(seed: str) -> Iterator[int]:
    """Yield uniform 32-bit numbers from the SHA-256 of the seed and a counter.

    >>> next(numbers("slidewise"))
    2575978719
    """
    counter = 0
    while True:
        text = f"{seed}|{counter}".encode(errors="surrogatepass")  # also for undecodable arguments
        digest = hashlib.sha256(text).digest()
        yield from (int.from_bytes(digest[i : i + 4], "big") for i in range(0, 32, 4))
        counter += 1


def _solvable(start: Board, goal: Board) -> Board:
    """Map each unsolvable board to a different solvable board, which keeps the draw uniform."""
    if parity(start, goal).solvable:
        return start
    # A swap of two tiles changes the parity and is its own inverse.
    return swap_tiles(start, 1, 2)


def _shuffled(count: int, draws: Iterator[int]) -> tuple[int, ...]:
    """Return 0..count-1 in a uniformly drawn order (Fisher and Yates)."""
    cells = list(range(count))
    for last in range(count - 1, 0, -1):
        place = below(last + 1, draws)
        cells[last], cells[place] = cells[place], cells[last]
    return tuple(cells)


def read_scramble(text: str, goal: Board, *, blank_directions: bool = False) -> Puzzle:
    """Return the puzzle after the moves of a scramble from `goal`.

    csTimer writes scrambles of 3x3 and 4x4 so, without the board: directions of the tiles, in
    letters or half-width arrows, as single moves or with run lengths. `blank_directions` is for its
    types that write the blank's directions.

    Source: `prettySol` in src/js/scramble/slide.js of github.com/cs0x7f/cstimer.

    >>> str(read_scramble("D2 R U", standard_goal(3, 3)))
    '1.5.2-4.0.3-7.8.6'

    Raises `InvalidMovesError` and `IllegalMoveError`.
    """
    moves = read_moves(text, goal, blank_directions=blank_directions)
    return Puzzle(play(goal, moves), goal)


def write_scramble(moves: str) -> str:
    """Return the scramble that a solution undoes, as csTimer writes it with run lengths.

    >>> write_scramble("DLUU")
    'D2 R U'
    """
    return re.sub(r"(.)\1*", _run_of_scramble, inverse(moves)).strip()


def _run_of_scramble(run: re.Match[str]) -> str:
    return f"{run[1]}{len(run[0])} " if len(run[0]) > 1 else f"{run[1]} "
