"""The game last left unfinished, which the front door and the lab go on with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import current_app, request

from slidewise import PuzzleError, parse_puzzle

if TYPE_CHECKING:
    from flask import Response

    from slidewise import Game, Puzzle

COOKIE = "slidewise_last"
"""The cookie that holds the code of its puzzle."""


def read_last() -> Puzzle | None:
    """Return the puzzle of the game last left unfinished, None where there is none."""
    try:
        return parse_puzzle(request.cookies[COOKIE])
    except (KeyError, PuzzleError):
        return None


def remember(response: Response, game: Game) -> None:
    """Keep the code of an unfinished game for the front door, and let a finished one go."""
    code, config = str(game.puzzle), current_app.config
    settings: dict[str, Any] = {
        "path": request.script_root + "/",
        "httponly": True,
        "samesite": "Lax",
        "secure": config["SECURE_COOKIES"],
    }
    last = request.cookies.get(COOKIE)
    if game.begun and not game.solved:
        if last != code:
            max_age = config["PERMANENT_SESSION_LIFETIME"]
            response.set_cookie(COOKIE, code, max_age=max_age, **settings)
    elif last == code:
        response.delete_cookie(COOKIE, **settings)
