"""Each game in a cookie of its own.

A shared cookie would let two tabs on different puzzles overwrite each other's moves. So the
session cookie is scoped to the path of its puzzle: `/play/<code>` and what lies below it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from flask import request, session
from flask.sessions import SecureCookieSessionInterface

from slidewise import Game, InvalidBoardError, InvalidMovesError, parse_board, parse_moves
from webapp.http.signing import AnyClockSigner

if TYPE_CHECKING:
    from flask import Flask, Request, Response
    from flask.sessions import SecureCookieSession, SessionMixin
    from itsdangerous import URLSafeTimedSerializer

    from slidewise import Puzzle

MAX_COOKIE = 3_500
"""The longest session cookie, in bytes: browsers keep 4,096 with name and attributes."""

MAX_MADE = 20_000
"""The longest list of moves in it, in characters. Repeated moves are packed into few bytes, but
each click reads them all, and no more than 100,000 moves can be read."""

UNPACKED_MOVES = 1_500
"""The moves that fit into the cookie beside the largest board even if nothing can be packed."""

_GAME_PATH = re.compile(r"/play/[0-9.\-_]+(?=/|$)")


class GameSessions(SecureCookieSessionInterface):
    """Flask's signed cookie, one a game; no session at all outside a game's path."""

    def get_cookie_path(self, app: Flask) -> str:
        """Return the path of the game that this request belongs to."""
        return (request.script_root + _game_path()) or "/"

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """Return a signer for this game alone: the cookie of another one does not pass."""
        signer = super().get_signing_serializer(app)
        if signer is not None:
            signer.salt = f"slidewise {_game_path()}".encode()
            signer.signer = AnyClockSigner
        return signer

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Return the game's session; outside of games an empty one, that nothing writes to."""
        if not _game_path():
            return self.session_class()
        return super().open_session(app, request)

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Set the game's cookie where the game has changed."""
        if _game_path():
            super().save_session(app, session, response)


def load_game(puzzle: Puzzle) -> Game:
    """Return the visitor's game of `puzzle`, a new one where there is none that can be read."""
    try:
        return _game(puzzle, dict(session))
    except (KeyError, TypeError, InvalidBoardError, InvalidMovesError):
        return Game.new(puzzle)


def save_game(app: Flask, game: Game) -> Game:
    """Keep `game` in the session and return it as it was kept: without its oldest moves where
    the cookie would grow too long."""
    session.permanent = True
    while not _fits(app, game):
        game = game.forget(500)
    session.update(_fields(game))
    return game


def _fits(app: Flask, game: Game) -> bool:
    """Return whether the cookie of `game` is short enough; signed to find out only where it may
    not be, as Flask signs it once more."""
    if len(game.made) + len(game.undone) <= UNPACKED_MOVES:
        return True
    # Flask knows the interface only as one that need not sign; ours does.
    signer = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    fields = {**session, **_fields(game)}
    return len(game.made) <= MAX_MADE and len(signer.dumps(fields)) <= MAX_COOKIE


def _fields(game: Game) -> dict[str, Any]:
    return {
        "board": str(game.board),
        "made": game.made,
        "undone": game.undone,
        "forgotten": game.forgotten,
        "started": game.started,
        "finished": game.finished,
        "helped": game.helped,
    }


def _game(puzzle: Puzzle, fields: dict[str, Any]) -> Game:
    for moves in fields["made"], fields["undone"]:
        parse_moves(moves)
    return Game(
        puzzle,
        board=parse_board(fields["board"], puzzle.start.size),
        made=fields["made"],
        undone=fields["undone"],
        forgotten=fields["forgotten"],
        started=fields["started"],
        finished=fields["finished"],
        helped=fields["helped"],
    )


def _game_path() -> str:
    match = _GAME_PATH.match(request.path)
    return match[0] if match else ""
