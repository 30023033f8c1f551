"""Boards that a browser prefetches for playing offline."""

from __future__ import annotations

import secrets
from functools import lru_cache
from pathlib import Path
from random import SystemRandom

from flask import Blueprint, Response, jsonify

from slidewise import scramble
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.study.draw import LEVELS, level
from webapp.http.responses import uncached
from webapp.workers.budgets import charge_cpu_time
from webapp.workers.distances import Distances
from webapp.workers.services import service

blueprint = Blueprint("boards_ahead", __name__)

SIZES = ((2, 3), (3, 3), (4, 4), (5, 5))
"""Usual sizes, rows and columns."""

BOARDS_OF_A_SIZE = 50
"""Boards fetched per size: some hours of play in 12 kilobytes."""

BOARDS_OF_A_LEVEL = BOARDS_OF_A_SIZE // 3 + 1
"""Boards per difficulty. Only one 3x3 board in fifteen is easy."""

DRAWS = 3_000
"""Upper bound on random draws; 3x3 takes about 250."""

SHIPPED = Path(__file__).with_name("boards_4x4.txt")
"""4x4 boards with the lengths of their shortest solutions, a third of each difficulty. The searches
are too long to run here. `python -m benchmarks.ship_boards` writes the file.
"""

RANDOM = SystemRandom()
"""Random generator of the boards, seeded by the operating system."""

Ahead = tuple[str, int | None]
"""A board and its shortest solution length, None if unknown."""


@blueprint.get("/boards-ahead.json")
@charge_cpu_time()
def boards() -> Response:
    """Draw boards of each size, evenly over the difficulties that the size has.

    The lengths of shortest solutions are null if they need a search: `{"3x3":
    [["7.2.4-5.0.6-8.3.1", 20], ...], ...}`.
    """
    drawn = {f"{rows}x{cols}": _of_size(rows, cols) for rows, cols in SIZES}
    return uncached(jsonify(drawn))


def _of_size(rows: int, cols: int) -> list[Ahead]:
    if (rows, cols) == (4, 4):
        of_levels = [RANDOM.sample(boards, BOARDS_OF_A_LEVEL) for boards in _shipped()]
    else:
        of_levels = _drawn(rows, cols)
    boards = [board for boards in of_levels for board in boards]
    RANDOM.shuffle(boards)  # for requests of any difficulty
    return boards[:BOARDS_OF_A_SIZE]


def _drawn(rows: int, cols: int) -> list[list[Ahead]]:
    """Boards of each level, or of any level if their distances are unavailable."""
    seed, has_table = secrets.token_hex(8), rows * cols <= TABLE_CELLS
    distances = service(Distances)
    by_level: dict[str | None, dict[str, int]] = {name: {} for name in LEVELS[3, 3]}
    for number in range(DRAWS if has_table else 0):
        puzzle = scramble(rows, cols, f"{seed} {number}")
        (ahead,) = distances.cached(puzzle)
        if ahead is None:  # the server is too busy to wait for each board
            break
        of_level = by_level[level(puzzle, ahead.at_least)]
        if len(of_level) < BOARDS_OF_A_LEVEL:
            of_level[str(puzzle)] = ahead.at_least
        elif all(len(boards) == BOARDS_OF_A_LEVEL for boards in by_level.values()):
            return [list(boards.items()) for boards in by_level.values()]
    any_boards = (scramble(rows, cols, f"{seed} {number}") for number in range(BOARDS_OF_A_SIZE))
    return [[(str(puzzle), None) for puzzle in any_boards]]


@lru_cache(maxsize=1)
def _shipped() -> list[list[Ahead]]:
    """Boards of each level from the shipped file."""
    lines = map(str.split, SHIPPED.read_text(encoding="ascii").splitlines())
    boards: list[Ahead] = [(code, int(moves)) for code, moves in lines]
    return [
        [(code, moves) for code, moves in boards if moves and least <= moves <= most]
        for least, most in LEVELS[4, 4].values()
    ]
