"""The last unfinished game, resumed by the front door and the lab."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import current_app, request

from slidewise import PuzzleError, parse_puzzle

from ..http.requests import current_code

if TYPE_CHECKING:
    from werkzeug import Response

    from slidewise import Game, Puzzle

COOKIE = "slidewise_last"
"""Cookie with the code of its puzzle."""


FIRST_VISIT_PREFIX = "~"
"""Prefix of the code during a visitor's first game."""

FIRST_VISIT_MOVES = 3
"""Moves after which a newcomer knows the controls."""


def read_last() -> Puzzle | None:
    """Puzzle of the last unfinished game, None without one."""
    try:
        return parse_puzzle(request.cookies[COOKIE].removeprefix(FIRST_VISIT_PREFIX))
    except (KeyError, PuzzleError):
        return None


def is_first_visit(game: Game) -> bool:
    """Whether this is a visitor's first game and it has hardly started."""
    is_first = is_newcomer() or request.cookies.get(COOKIE) == FIRST_VISIT_PREFIX + current_code()
    return is_first and not game.solved and game.move_count < FIRST_VISIT_MOVES


def is_newcomer() -> bool:
    """Whether a first-time visitor comes from a friend's challenge."""
    return not request.cookies and "beat" in request.args


def mark_first(response: Response, puzzle: Puzzle) -> None:
    """Mark `puzzle` as the visitor's first."""
    _keep(response, FIRST_VISIT_PREFIX + str(puzzle))


def remember(response: Response, game: Game) -> None:
    """Store the code of an unfinished game for the front door; delete it once solved."""
    code, last = current_code(), request.cookies.get(COOKIE)
    if game.started and not game.solved:
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
