"""Each game in a cookie of its own.

A shared cookie would let two tabs on different puzzles overwrite each other's moves. So the
session cookie is scoped to the path of its puzzle: `/play/<code>` and what lies below it.
"""

from __future__ import annotations

import re
import time
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from flask import request, session, url_for
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import URLSafeTimedSerializer

from slidewise import Game, parse_board
from slidewise.puzzle.game import Left, Slides
from webapp.http.cache import cached
from webapp.http.visitor import AnyClockSigner

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Flask, Request, Response
    from flask.sessions import SecureCookieSession, SessionMixin
    from itsdangerous import Signer

    from slidewise import Puzzle


MAX_COOKIE = 3_500
"""The longest session cookie, in bytes: browsers keep 4,096 with name and attributes."""

MAX_TEXT = MAX_COOKIE - 60
"""The longest text of a game in it: its signature takes the rest."""

MAX_REMEMBERED = 50_000
"""The most moves in it, made or undone. Repeated moves are packed into few bytes, but no more than
100,000 moves can be read."""

SERIALIZERS_BYTES = 1_000_000
"""The signers of games that are cached, of some two kilobytes each."""

_GAME = "game"
_MARKS = b"3~", b"2~"
"""What the text of a game begins with. Cookies issued before hold seconds instead of milliseconds,
and before that JSON, in base64."""

_GAME_PATH = re.compile(r"/play/[0-9.\-_]+(?=/|$)")


class GameSerializer(URLSafeTimedSerializer):
    """Signs the text of a game as it is, and reads the JSON of cookies issued before, too."""

    @cached_property
    def _own_signer(self) -> Signer:
        return super().make_signer()

    def make_signer(self, salt: str | bytes | None = None) -> Signer:
        """Return what signs, made once for the game."""
        return self._own_signer if salt is None else super().make_signer(salt)

    def dumps(self, obj: Any, salt: str | bytes | None = None) -> str:
        """Return a session, signed."""
        text = obj.get(_GAME)
        if text is None:
            return str(super().dumps(obj, salt))
        return self.make_signer(salt).sign(text).decode("ascii")

    def load_payload(self, payload: bytes, *args: Any, **kwargs: Any) -> Any:
        """Return the session that was signed."""
        if payload.startswith(_MARKS):
            return {_GAME: payload.decode("ascii")}
        return super().load_payload(payload, *args, **kwargs)


class GameSessions(SecureCookieSessionInterface):
    """Flask's signed cookie, one a game; no session at all outside a game's path."""

    def get_cookie_path(self, app: Flask) -> str:
        """Return the path of the game that this request belongs to."""
        return (request.script_root + _game_path()) or "/"

    def get_signing_serializer(self, app: Flask) -> GameSerializer | None:
        """Return a signer for this game alone: the cookie of another one does not pass."""
        if not app.secret_key:
            return None
        keys = *(app.config["SECRET_KEY_FALLBACKS"] or ()), app.secret_key
        return _serializer(keys, _game_path())

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Return the game's session; outside of games an empty one, that nothing writes to."""
        if not _game_path():
            return self.session_class()
        return super().open_session(app, request)

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Set the game's cookie where the game has changed."""
        if _game_path():
            super().save_session(app, session, response)


@cached(SERIALIZERS_BYTES)
def _serializer(keys: tuple[str, ...], path: str) -> GameSerializer:
    return GameSerializer(
        list(keys),
        salt=f"slidewise {path}".encode(),
        serializer=GameSessions.serializer,
        signer=AnyClockSigner,
        signer_kwargs={
            "key_derivation": GameSessions.key_derivation,
            "digest_method": GameSessions.digest_method,
        },
    )


def load_game(puzzle: Puzzle) -> Game:
    """Return the visitor's game of `puzzle`, a new one where there is none that can be read."""
    try:
        return _read(puzzle, session[_GAME]) if _GAME in session else _from_json(puzzle, session)
    except (KeyError, TypeError, ValueError):
        return Game.new(puzzle)


def save_game(game: Game) -> Game:
    """Keep `game` in the session and return it as it was kept: without its oldest moves where
    the cookie would grow too long."""
    while len(text := _written(game)) > MAX_TEXT or _remembered(game) > MAX_REMEMBERED:
        game = game.forget(500)
    session.clear()
    session[_GAME] = text
    session.permanent = True
    return game


def _remembered(game: Game) -> int:
    return game.past.moves + game.future.moves


def _written(game: Game) -> str:
    """Return the game as text: the board, the moves and the clock, with `~` between."""
    past, future, left = game.past, game.future, game.left or (None, None, None)
    fields = (
        *(game.board, past.recent, past.packed, past.moves),
        *(future.recent, future.packed, future.moves),
        *(game.forgotten, game.played, game.counted, game.finished, int(game.helped)),
        *left,
    )
    return "3~" + "~".join(["" if field is None else str(field) for field in fields])


def _read(puzzle: Puzzle, text: str) -> Game:
    """Return the game that `_written` wrote. It was signed: its moves are not looked at."""
    mark, board, made, packed, moves, undone, undone_packed, undone_moves, *rest = text.split("~")
    forgotten, *clock, helped = rest[:-3] if mark == "3" else rest
    played, counted, finished = map(_number, clock) if mark == "3" else _clock(*map(_number, clock))
    left_moves, left_played, left_finished = map(_number, rest[-3:])
    return Game(
        puzzle,
        parse_board(board, puzzle.start.size),
        Slides(made, packed, int(moves)),
        Slides(undone, undone_packed, int(undone_moves)),
        int(forgotten),
        played or 0,
        counted,
        finished,
        helped == "1",
        Left(left_moves, left_played or 0, left_finished) if mark == "3" and left_moves else None,
    )


def _number(text: str) -> int | None:
    return int(text) if text else None


def _clock(started: int | None, finished: int | None) -> tuple[int, int | None, int | None]:
    """Return the clock of a cookie that was issued before milliseconds were counted: what has
    passed since the first move is play."""
    if started is None:
        return 0, None, None
    until = int(time.time()) if finished is None else finished
    return (
        1000 * max(0, until - started),
        1000 * until,
        None if finished is None else 1000 * finished,
    )


def _from_json(puzzle: Puzzle, fields: Mapping[str, Any]) -> Game:
    """Return the game of a cookie that was issued before games were written as text."""
    return Game(
        puzzle,
        parse_board(fields["board"], puzzle.start.size),
        Slides.of(fields["made"]),
        Slides.of(fields["undone"]),
        fields["forgotten"],
        *_clock(fields["started"], fields["finished"]),
        fields["helped"],
    )


def _game_path() -> str:
    match = _GAME_PATH.match(request.path)
    return match[0] if match else ""


URLS_BYTES = 1_000_000
"""The URLs that are cached: those of a puzzle take two to eight kilobytes."""

_ENDPOINTS = {
    **{name: f"game.{name}" for name in ("slide", "undo", "redo", "restart", "hint", "assisted")},
    "play_on": "game.play_on",
    "review": "review.page",
    "solve": "solve.solve",
    "stop": "solve.stop",
    "to_go": "to_go.to_go",
}


def game_urls(code: str) -> Mapping[str, str]:
    """Return the addresses that the page of a game posts to, or fetches from, by their names."""
    return _urls(request.script_root, code)


@cached(URLS_BYTES)
def _urls(script_root: str, code: str) -> Mapping[str, str]:
    made = {name: url_for(endpoint, code=code) for name, endpoint in _ENDPOINTS.items()}
    made["editor"] = url_for("pages.custom")
    return MappingProxyType(made)
