"""What a player of a daily puzzle can send to others: how it went, in signs that tell no move."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from slidewise.puzzle.moves import play

if TYPE_CHECKING:
    from slidewise import Board, Game

BARS = "▁▂▃▄▅▆▇█"
"""From a board as far from its goal as any of the game to the goal."""

BARS_SHOWN = 10
"""How many parts of a game there is a bar for: the line fits in a message on a phone."""

MAX_COURSE_MOVES = 5_000
"""The longest game of which the course is told: to play it again takes some milliseconds."""


def course(game: Game) -> str:
    """Return how near to the goal the tiles were after each tenth of a finished game.

    Nearness is by the sum of the tiles' distances from home. It is "" where the game is too long.

    >>> from slidewise import Game, parse_puzzle
    >>> game = Game.new(parse_puzzle("1.2.3-4.5.6-0.7.8"))
    >>> course(game.slide(7, 0).slide(8, 1))
    '▁▁▁▁▅▅▅▅▅█'
    """
    count = game.move_count
    board, moves = game.last_moves(MAX_COURSE_MOVES)
    if game.forgotten or count > len(moves):
        return ""
    goal = game.puzzle.goal
    far = [_distance(board, goal)]
    ends = [count * part // BARS_SHOWN for part in range(BARS_SHOWN + 1)]
    for begin, end in pairwise(ends):
        board = play(board, moves[begin:end])
        far.append(_distance(board, goal))
    most = max(far) or 1
    return "".join(BARS[round((len(BARS) - 1) * (1 - distance / most))] for distance in far[1:])


def _distance(board: Board, goal: Board) -> int:
    """Return the sum of the tiles' row and column distances from home."""
    cols, places = goal.cols, {tile: cell for cell, tile in enumerate(goal.cells)}
    total = 0
    for cell, tile in enumerate(board.cells):
        if tile:
            home = places[tile]
            total += abs(cell // cols - home // cols) + abs(cell % cols - home % cols)
    return total
