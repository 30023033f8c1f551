"""A challenge: a link to a puzzle that names the moves to beat."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flask import request

from slidewise import PuzzleError
from slidewise.puzzle.board import quoted
from slidewise.text import plural

if TYPE_CHECKING:
    from slidewise import Game


def moves_to_beat() -> int | None:
    """Return the number of moves that the link, or the page that sends a click, challenges to
    beat; None without a challenge."""
    text = request.values.get("beat", "").strip()
    if not text:
        return None
    if not re.fullmatch("[1-9][0-9]{0,3}", text):
        raise PuzzleError(
            "a challenge names the moves to beat, from 1 to 9,999 such as beat=38, "
            f"found {quoted(text, 20)}"
        )
    return int(text)


def outcome(moves: int, game: Game) -> str:
    """Say whether a solved game has beaten `moves`."""
    made = game.move_count
    if game.helped:
        return f"The challenge, {plural(moves, 'move')}, still stands: help was used."
    if made < moves:
        return f"Challenge beaten: {plural(made, 'move')}, {moves - made:,} fewer than {moves:,}."
    if made == moves:
        return f"Challenge equalled: {plural(moves, 'move')}, neither more nor fewer."
    over = made - moves
    return f"Challenge not beaten: {plural(made, 'move')}, {over:,} more than {moves:,}."
