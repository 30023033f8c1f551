"""The game last left unfinished, which the front door and the lab go on with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import current_app, request

from slidewise import PuzzleError, parse_puzzle
from webapp.http.requests import current_code

if TYPE_CHECKING:
    from werkzeug import Response

    from slidewise import Game, Puzzle

COOKIE = "slidewise_last"
"""The cookie that holds the code of its puzzle."""


FIRST_VISIT_PREFIX = "~"
"""What stands before the code while it is a visitor's first game."""

FIRST_VISIT_MOVES = 3
"""The moves after which a newcomer knows what to do."""


def read_last() -> Puzzle | None:
    """Return the puzzle of the game last left unfinished, None where there is none."""
    try:
        return parse_puzzle(request.cookies[COOKIE].removeprefix(FIRST_VISIT_PREFIX))
    except (KeyError, PuzzleError):
        return None


def is_first_visit(game: Game) -> bool:
    """Return whether this is the first game of a visitor, who has hardly begun it."""
    is_first = is_newcomer() or request.cookies.get(COOKIE) == FIRST_VISIT_PREFIX + current_code()
    return is_first and not game.solved and game.move_count < FIRST_VISIT_MOVES


def is_newcomer() -> bool:
    """Return whether a visitor who has never been here was sent a challenge by a friend."""
    return not request.cookies and "beat" in request.args


def mark_first(response: Response, puzzle: Puzzle) -> None:
    """Keep that `puzzle` is the first of a visitor."""
    _keep(response, FIRST_VISIT_PREFIX + str(puzzle))


def remember(response: Response, game: Game) -> None:
    """Keep the code of an unfinished game for the front door, and let a finished one go."""
    code, last = current_code(), request.cookies.get(COOKIE)
    if game.begun and not game.solved:
        if last != code and not is_first_visit(game):
            _keep(response, code)
    elif last in (code, FIRST_VISIT_PREFIX + code):
        response.delete_cookie(COOKIE, **_settings())


def _keep(response: Response, text: str) -> None:
    max_age = current_app.config["PERMANENT_SESSION_LIFETIME"]
    response.set_cookie(COOKIE, text, max_age=max_age, **_settings())


def _settings() -> dict[str, Any]:
    return {
        "path": request.script_root + "/",
        "httponly": True,
        "samesite": "Lax",
        "secure": current_app.config["SECURE_COOKIES"],
    }
