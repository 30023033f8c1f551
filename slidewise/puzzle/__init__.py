"""Sliding puzzles: boards, moves, notation, parity and games. Standard library only."""

from slidewise.puzzle.board import (
    STANDARD_GOALS,
    AmbiguousBoardError,
    AmbiguousMovesError,
    Board,
    IllegalMoveError,
    InvalidBoardError,
    InvalidMovesError,
    PuzzleError,
    SizeNeededError,
    blank_first_goal,
    spiral_goal,
    standard_goal,
)
from slidewise.puzzle.game import Game
from slidewise.puzzle.moves import (
    MovesReading,
    Step,
    format_moves,
    parse_moves,
    read_moves,
    steps,
    understand_moves,
)
from slidewise.puzzle.notation import parse_board, parse_puzzle, parse_size
from slidewise.puzzle.puzzle import GOAL_NAMES, Alternatives, Parity, Puzzle, parity
from slidewise.puzzle.scramble import read_scramble, scramble, write_scramble
from slidewise.puzzle.slidysim import SlidysimReplay, read_replays, write_replay
from slidewise.puzzle.writing import read_plan, write_board

__all__ = [
    "GOAL_NAMES",
    "STANDARD_GOALS",
    "Alternatives",
    "AmbiguousBoardError",
    "AmbiguousMovesError",
    "Board",
    "Game",
    "IllegalMoveError",
    "InvalidBoardError",
    "InvalidMovesError",
    "MovesReading",
    "Parity",
    "Puzzle",
    "PuzzleError",
    "SizeNeededError",
    "SlidysimReplay",
    "Step",
    "blank_first_goal",
    "format_moves",
    "parity",
    "parse_board",
    "parse_moves",
    "parse_puzzle",
    "parse_size",
    "read_moves",
    "read_plan",
    "read_replays",
    "read_scramble",
    "scramble",
    "spiral_goal",
    "standard_goal",
    "steps",
    "understand_moves",
    "write_board",
    "write_replay",
    "write_scramble",
]
