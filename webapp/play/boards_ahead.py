"""Boards that a browser prefetches for playing offline."""

from __future__ import annotations

import secrets
from collections import defaultdict
from functools import lru_cache
from pathlib import Path
from random import SystemRandom

from flask import Blueprint, Response, jsonify

from slidewise import scramble
from slidewise.study.draw import LEVELS

from ..http.responses import uncached
from ..workers.budgets import charge_cpu_time

blueprint = Blueprint("boards_ahead", __name__)

SIZES = ((2, 3), (3, 3), (4, 4), (5, 5))
"""Usual sizes, rows and columns."""

BOARDS_OF_A_SIZE = 50
"""Boards fetched per size: some hours of play in 12 kilobytes."""

BOARDS_OF_A_LEVEL = BOARDS_OF_A_SIZE // 3 + 1
"""Boards per difficulty. Only one 3x3 board in fifteen is easy."""

SHIPPED = Path(__file__).with_name("boards_ahead.txt")
"""Boards of the sizes with difficulties, a third of each, with the lengths of their shortest
solutions: a busy server has none to solve. `python -m benchmarks.ship_boards` writes the file.
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


def all_boards() -> dict[str, list[Ahead]]:
    """All shipped boards, and some of the other sizes, for browsers that cannot fetch more."""
    boards = {
        f"{rows}x{cols}": list(_shipped().get((rows, cols)) or _drawn(rows, cols))
        for rows, cols in SIZES
    }
    for of_size in boards.values():
        RANDOM.shuffle(of_size)
    return boards


def _drawn(rows: int, cols: int) -> list[Ahead]:
    seed = secrets.token_hex(8)
    return [(str(scramble(rows, cols, f"{seed} {n}")), None) for n in range(BOARDS_OF_A_SIZE)]


def _of_size(rows: int, cols: int) -> list[Ahead]:
    if (rows, cols) not in LEVELS:
        return _drawn(rows, cols)
    shipped = _shipped()[rows, cols]
    of_levels = [
        RANDOM.sample(
            [board for board in shipped if least <= (board[1] or 0) <= most], BOARDS_OF_A_LEVEL
        )
        for least, most in LEVELS[rows, cols].values()
    ]
    boards = [board for boards in of_levels for board in boards]
    RANDOM.shuffle(boards)  # for requests of any difficulty
    return boards[:BOARDS_OF_A_SIZE]


@lru_cache(maxsize=1)
def _shipped() -> dict[tuple[int, int], list[Ahead]]:
    """Boards of the shipped file by size."""
    boards: dict[tuple[int, int], list[Ahead]] = defaultdict(list)
    for code, moves in map(str.split, SHIPPED.read_text(encoding="ascii").splitlines()):
        size = code.count("-") + 1, code.partition("-")[0].count(".") + 1
        boards[size].append((code, int(moves)))
    return boards
