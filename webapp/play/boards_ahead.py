"""Boards that a browser fetches ahead, to be played where there is no network."""

from __future__ import annotations

import secrets

from flask import Blueprint, Response, jsonify

from slidewise import scramble
from webapp.http.responses import uncached
from webapp.play.new import first_puzzle
from webapp.workers.budgets import costly
from webapp.workers.distances import Distances
from webapp.workers.services import service

blueprint = Blueprint("boards_ahead", __name__)

SIZES = ((2, 3), (3, 3), (4, 4), (5, 5))
"""The usual sizes, rows and columns."""

BOARDS_OF_A_SIZE = 50
"""How many boards of each size are fetched: some hours of play, in 12 kilobytes."""

EASY_BOARDS = 16
"""How many of the 3x3 are easy: of all boards only one in thirty is."""


@blueprint.get("/boards-ahead.json")
@costly()
def boards() -> Response:
    """Draw boards of each size, uniformly but for some easy ones, and tell the moves of their
    shortest solutions, null where that takes a search:
    `{"3x3": [["7.2.4-5.0.6-8.3.1", 20], ...], ...}`."""
    drawn = {f"{rows}x{cols}": _drawn(rows, cols) for rows, cols in SIZES}
    return uncached(jsonify(drawn))


def _drawn(rows: int, cols: int) -> list[tuple[str, int | None]]:
    distances, seed, drawn = service(Distances), secrets.token_hex(8), []
    for number in range(BOARDS_OF_A_SIZE):
        is_easy = (rows, cols) == (3, 3) and number < EASY_BOARDS
        puzzle = first_puzzle() if is_easy else scramble(rows, cols, f"{seed} {number}")
        ahead = distances.at_once(puzzle)
        drawn.append((str(puzzle), ahead.at_least if ahead and ahead.exact else None))
    return drawn
