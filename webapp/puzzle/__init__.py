"""What a sliding puzzle is: boards, moves, notation, parity, games. Standard library only."""

from webapp.puzzle.board import (
    STANDARD_GOALS,
    Board,
    blank_first_goal,
    spiral_goal,
    standard_goal,
)
from webapp.puzzle.errors import (
    IllegalMoveError,
    InvalidBoardError,
    InvalidMovesError,
    PuzzleError,
    SizeNeededError,
)
from webapp.puzzle.game import Game
from webapp.puzzle.moves import Step, format_moves, parse_moves, read_moves, steps
from webapp.puzzle.notation import parse_board, parse_puzzle, parse_size
from webapp.puzzle.parity import Parity, parity
from webapp.puzzle.puzzle import GOAL_NAMES, Puzzle, WaysOut
from webapp.puzzle.scramble import scramble

__all__ = [
    "GOAL_NAMES",
    "STANDARD_GOALS",
    "Board",
    "Game",
    "IllegalMoveError",
    "InvalidBoardError",
    "InvalidMovesError",
    "Parity",
    "Puzzle",
    "PuzzleError",
    "SizeNeededError",
    "Step",
    "WaysOut",
    "blank_first_goal",
    "format_moves",
    "parity",
    "parse_board",
    "parse_moves",
    "parse_puzzle",
    "parse_size",
    "read_moves",
    "scramble",
    "spiral_goal",
    "standard_goal",
    "steps",
]
