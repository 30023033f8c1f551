"""The boards of the tests: puzzle codes by name, and the lengths of their shortest solutions.

Tests take boards from here, so that the name states the kind of board. A board stands in its test
if the test is about certain tiles or moves.
"""

import random
from pathlib import Path

from slidewise import Board, Puzzle, standard_goal

# 3x3, the blank last

SOLVED = "1.2.3-4.5.6-7.8.0"
ONE_MOVE = "1.2.3-4.5.6-7.0.8"
"""Tile 8 to the left."""
LINE_OF_TWO = "1.2.3-4.5.6-0.7.8"
"""Two moves by one click: tiles 7 and 8 to the left."""
TWO_MOVES = "1.2.3-4.0.6-7.5.8"
"""Tile 5 up, tile 8 to the left: `UL`."""
SIX_MOVES = "2.3.0-1.4.6-7.5.8"
TWENTY_MOVES = "7.2.4-5.0.6-8.3.1"
"""The start of `TEXTBOOK`; in this goal the blank is last."""
HARDEST = "8.6.7-2.5.4-3.0.1"
"""No board of 3x3 is farther from the goal; one other is as far."""
FARTHEST = HARDEST, "6.4.7-8.5.0-3.2.1"
"""Both boards of 3x3 that are farthest from the goal."""
UNSOLVABLE = "1.2.3-8.0.4-7.6.5"

# 3x3, other goals

BLANK_FIRST = "0.1.2-3.4.5-6.7.8"
"""The goal of many courses."""
TEXTBOOK = f"{TWENTY_MOVES}_{BLANK_FIRST}"
"""The example of Russell and Norvig."""
TEXTBOOK_SOLUTION = "RDLU2RDL2DR2UL2UR2DL2DRURD"

# 2x3

SMALL_SOLVED = "1.2.3-4.5.0"
SMALL = "1.0.3-4.2.5"
SMALL_HARDEST = "4.5.0-1.2.3"
SMALL_UNSOLVABLE = "2.1.3-4.5.0"

# 2x2

TINY = "1.2-0.3"
TINY_SOLVED = "1.2-3.0"

# 4x4

FOUR_ONE_MOVE = "1.2.3.4-5.6.7.8-9.10.11.12-13.14.0.15"
FOUR_NEAR = "5.1.2.4-9.6.3.8-13.10.7.11-0.14.15.12"
FOUR = "15.14.1.6-9.11.4.12-0.10.7.3-13.8.5.2"
"""Breadth-first search takes seconds and reaches its limit."""
FOUR_FAR = "15.14.8.12-10.11.9.13-2.6.5.1-3.4.7.0"
"""Too far for a test to search: Manhattan distance alone takes minutes."""
KORF_GOAL = "0.1.2.3-4.5.6.7-8.9.10.11-12.13.14.15"
FOUR_SIXTY_SIX = f"15.14.0.4-11.1.6.13-7.5.8.9-3.2.10.12_{KORF_GOAL}"
"""A board of Korf's, 66 moves from its goal."""
FOUR_FARTHEST = "0.15.8.3-12.11.7.4-14.10.6.5-9.13.2.1"
"""80 moves from the goal; none is farther."""

# Larger

FIVE = "0.8.20.24.15-19.21.5.16.1-13.22.6.12.7-14.3.10.2.11-9.4.17.18.23"
"""Its shortest solution is not known."""
FIVE_NEAR = "1.2.3.10.4-6.7.8.5.14-11.12.13.9.15-16.17.19.0.20-21.22.18.23.24"
"""16 moves from the goal, with a Manhattan distance of 12."""
BIG = "-".join(".".join(str(10 * row + col) for col in range(10)) for row in range(10))
"""10x10, the largest size, with the tiles in order after the blank."""

LENGTHS = {
    SOLVED: 0,
    ONE_MOVE: 1,
    LINE_OF_TWO: 2,
    TWO_MOVES: 2,
    SIX_MOVES: 6,
    TWENTY_MOVES: 20,
    TEXTBOOK: 26,
    HARDEST: 31,
    SMALL_SOLVED: 0,
    SMALL: 2,
    SMALL_HARDEST: 21,
    TINY: 1,
    TINY_SOLVED: 0,
    FOUR_ONE_MOVE: 1,
    FOUR_NEAR: 9,
    FOUR: 52,
    FIVE_NEAR: 16,
}
"""The lengths of the shortest solutions, if known; `test_boards.py` proves them."""


def walked(goal: Board, moves: int, seed: object) -> Board:
    """Return the board after `moves` moves from `goal`, none of which takes the last one back."""
    draw, board, last = random.Random(seed), goal, 0
    for _ in range(moves):
        last = draw.choice([tile for tile in sorted(board.movable) if tile != last])
        board = board.slide(last)
    return board


def near(size: tuple[int, int], moves: int, seed: object) -> Puzzle:
    """Return a puzzle of this size that is at most `moves` moves from the standard goal."""
    goal = standard_goal(*size)
    return Puzzle(walked(goal, moves, seed), goal)


def korf(tiles: int) -> list[tuple[str, int]]:
    """Return boards of R. E. Korf's with the lengths of their shortest solutions.

    `tiles` is 15 (R. E. Korf, 1985) or 24 (R. E. Korf and A. Felner, 2002).
    """
    lines = (Path(__file__).parent / "data" / f"korf{tiles}.txt").read_text().splitlines()
    found = [line.split()[1:] for line in lines if not line.startswith("#")]
    assert found, "the file holds no board"
    return [(code, int(length)) for code, length in found]
