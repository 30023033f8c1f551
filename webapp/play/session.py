"""A session cookie per game, and a cookie with the code of the last game.

In a shared cookie two tabs would overwrite each other's moves. So the cookie's path is its
puzzle's: `/play/<code>` and below. The front door and the lab resume the last unfinished game.
"""

import re
import time
from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, Protocol
from urllib.parse import parse_qsl, urlencode

from flask import Flask, Request, Response, g, request, session, url_for
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import SignatureExpired, Signer, TimestampSigner, URLSafeTimedSerializer
from werkzeug import Response as AnyResponse

from slidewise import Board, Game, Puzzle, PuzzleError, parse_board, parse_puzzle
from slidewise.puzzle.game import BeforeRestart, Slides

from ..http.cache import cached
from ..http.requests import current_code
from ..http.responses import cookie_settings, keep_cookie

MAX_COOKIE = 3_500
"""Longest session cookie in bytes: browsers store 4,096 with name and attributes."""

MAX_TEXT = MAX_COOKIE - 60
"""Longest text of a game in the cookie; the signature takes the rest."""

MAX_REMEMBERED = 50_000
"""Maximum moves in it, made or undone. Repeated moves pack into few bytes, but the reader takes at
most 100,000."""

SERIALIZERS_BYTES = 1_000_000
"""Byte limit of the cache of signers, about two kilobytes each."""

_GAME = "game"
_MARKS = b"3~", b"2~"
"""Format markers of a game's text. Older cookies hold seconds instead of milliseconds, and before
that JSON, in base64.
"""

_GAME_PATH = re.compile(r"/play/[0-9.\-_]+(?=/|$)")

LAST_GAME_COOKIE = "slidewise_last"
"""Cookie with the code of the last puzzle that was chosen or begun, until it is solved."""

LAST_FIELDS = ("level", "beat")
"""Fields of a game's address that the cookie has too: its level, the moves of a challenge."""

FIRST_VISIT_PREFIX = "~"
"""Prefix of the code during a visitor's first game."""

FIRST_VISIT_MOVES = 3
"""Moves after which a newcomer knows the controls."""


class AnyClockSigner(TimestampSigner):
    """Accepts signatures from the future, and rejects only those that are too old.

    itsdangerous rejects both, so a clock set back by some seconds would lose games. Nobody else
    can sign a future time.

    It caches derived keys, so callers should reuse it.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._derived: dict[str | bytes | None, bytes] = {}

    def derive_key(self, secret_key: str | bytes | None = None) -> bytes:
        """Return the key derived from this salt and a secret key, by default the newest."""
        if secret_key not in self._derived:
            self._derived[secret_key] = super().derive_key(secret_key)
        return self._derived[secret_key]

    def unsign(
        self, signed_value: str | bytes, max_age: int | None = None, return_timestamp: bool = False
    ) -> Any:
        """Return the value if signed at most `max_age` seconds ago, optionally with the time."""
        value, signed_at = super().unsign(signed_value, return_timestamp=True)
        age = self.get_timestamp() - int(signed_at.timestamp())
        if max_age is not None and age > max_age:
            raise SignatureExpired(f"signed {age} seconds ago", value, signed_at)
        return (value, signed_at) if return_timestamp else value


class GameSerializer(URLSafeTimedSerializer):
    """Signs a game's text, and still reads older cookies with JSON."""

    @cached_property
    def _own_signer(self) -> Signer:
        return super().make_signer()

    def make_signer(self, salt: str | bytes | None = None) -> Signer:
        """The signer of a game, created once."""
        return self._own_signer if salt is None else super().make_signer(salt)

    def dumps(self, obj: Any, salt: str | bytes | None = None) -> str:
        """Sign a session."""
        text = obj.get(_GAME)
        if text is None:
            return str(super().dumps(obj, salt))
        return self.make_signer(salt).sign(text).decode("ascii")

    def load_payload(self, payload: bytes, *args: Any, **kwargs: Any) -> Any:
        if payload.startswith(_MARKS):
            return {_GAME: payload.decode("ascii")}
        return super().load_payload(payload, *args, **kwargs)


class GameSessions(SecureCookieSessionInterface):
    """Flask's signed cookie, per game; no session outside a game's path."""

    def get_cookie_path(self, app: Flask) -> str:
        return (request.script_root + _game_path()) or "/"

    def get_signing_serializer(self, app: Flask) -> GameSerializer | None:
        """Signer of this game alone: other games' cookies are rejected."""
        if not app.secret_key:
            return None
        keys = *(app.config["SECRET_KEY_FALLBACKS"] or ()), app.secret_key
        return _serializer(keys, _game_path())

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """The game's session; outside games an empty session that is never written."""
        if not _game_path():
            return self.session_class()
        return super().open_session(app, request)

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Set the game's cookie if the game has changed."""
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


class RoomGame(Protocol):
    """A game that is played in a room: the room stores it, and its page shows it."""

    urls: Mapping[str, str]

    def refusal(self, game: Game) -> str:
        """Why no move can be made in `game` now, "" if moves are possible."""

    def count_action(self, at: int) -> None:
        """Count an action at a time in ms since 1970 in the next stored game."""

    def load(self) -> Game:
        """The game as stored."""

    def save(self, game: Game) -> Game:
        """Store `game` and return it as stored."""

    def page(self, context: Mapping[str, Any]) -> str:
        """The whole page."""

    def context(self, game: Game) -> Mapping[str, Any]:
        """Template values that replace the values of a game played alone."""


def room_game() -> RoomGame | None:
    """The request's game if it is played in a room (`webapp/together`)."""
    game: RoomGame | None = g.get("room_game")
    return game


def load_game(puzzle: Puzzle) -> Game:
    """The visitor's game of `puzzle`, a new game if no valid game is stored."""
    if room := room_game():
        return room.load()
    try:
        if _GAME in session:
            return parse_game(puzzle, session[_GAME])
        return _from_json(puzzle, session)
    except (KeyError, TypeError, ValueError):
        return Game.new(puzzle)


def save_game(game: Game) -> Game:
    """Store `game` in the session and return it as stored.

    It drops the oldest moves if the cookie would grow too long.
    """
    if room := room_game():
        return room.save(game)
    game, text = game_text(game, MAX_TEXT)
    session.clear()
    session[_GAME] = text
    session.permanent = True
    return game


def game_text(game: Game, max_characters: int) -> tuple[Game, str]:
    """Text of the game, and the game without the oldest moves, for which there is no space."""
    while (
        len(text := _written(game)) > max_characters
        or game.past.moves + game.future.moves > MAX_REMEMBERED
    ):
        game = game.forget(500)
    return game, text


def _written(game: Game) -> str:
    """The game as text: board, moves and clock, with `~` between."""
    past, future = game.past, game.future
    fields = (
        *(game.board, past.recent, past.packed, past.moves),
        *(future.recent, future.packed, future.moves),
        *(game.forgotten, game.played, game.counted, game.finished, int(game.helped)),
        *(game.restarted_from or (None, None, None)),
    )
    return "3~" + "~".join(["" if field is None else str(field) for field in fields])


def parse_game(puzzle: Puzzle, text: str) -> Game:
    """Parse the text of a game that this site has stored or signed."""
    mark, board, made, packed, moves, undone, undone_packed, undone_moves, *rest = text.split("~")
    forgotten, *clock, helped = rest[:-3] if mark == "3" else rest
    played, counted, finished = map(_number, clock) if mark == "3" else _clock(*map(_number, clock))
    moves_before, played_before, finished_before = map(_number, rest[-3:])
    return Game(
        puzzle,
        Board(*puzzle.start.size, tuple(map(int, board.replace("-", ".").split(".")))),
        Slides(made, packed, int(moves)),
        Slides(undone, undone_packed, int(undone_moves)),
        int(forgotten),
        played or 0,
        counted,
        finished,
        helped == "1",
        BeforeRestart(moves_before, played_before or 0, finished_before)
        if mark == "3" and moves_before
        else None,
    )


def _number(text: str) -> int | None:
    return int(text) if text else None


def _clock(started: int | None, finished: int | None) -> tuple[int, int | None, int | None]:
    """Clock of a cookie older than milliseconds: all time since the first move counts."""
    if started is None:
        return 0, None, None
    until = int(time.time()) if finished is None else finished
    return (
        1000 * max(0, until - started),
        1000 * until,
        None if finished is None else 1000 * finished,
    )


def _from_json(puzzle: Puzzle, fields: Mapping[str, Any]) -> Game:
    """Game of an older cookie with JSON."""
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
"""Byte limit of the URL cache; a puzzle takes two to eight kilobytes."""

_ENDPOINTS = {
    **{
        name: f"game.{name}"
        for name in ("slide", "undo", "redo", "restart", "alone", "hint", "assisted")
    },
    "play_on": "game.play_on",
    "review": "review.page",
    "solve": "solve.solve",
    "stop": "solve.stop",
    "to_go": "to_go.to_go",
}


def game_urls(code: str) -> Mapping[str, str]:
    """URLs that the game's page posts to or fetches, by name."""
    if room := room_game():
        return room.urls
    return _urls(request.script_root, code)


@cached(URLS_BYTES)
def _urls(script_root: str, code: str) -> Mapping[str, str]:
    made = {name: url_for(endpoint, code=code) for name, endpoint in _ENDPOINTS.items()}
    made["editor"] = url_for("pages.custom")
    return MappingProxyType(made)


def read_last() -> Puzzle | None:
    """Puzzle that was chosen or begun last, None once it is solved."""
    try:
        return parse_puzzle(_last_game()[0].removeprefix(FIRST_VISIT_PREFIX))
    except PuzzleError:
        return None


def last_fields() -> dict[str, str]:
    """Fields of the last game's URL: its level, or the challenge."""
    found = dict(parse_qsl(_last_game()[1]))
    return {name: found[name] for name in LAST_FIELDS if found.get(name, "").isdecimal()}


def _last_game() -> tuple[str, str]:
    code, _, fields = request.cookies.get(LAST_GAME_COOKIE, "").partition("?")
    return code, fields


def is_first_visit(game: Game) -> bool:
    """Whether this is a visitor's first game and it has hardly started."""
    is_first = (
        is_newcomer()
        or request.cookies.get(LAST_GAME_COOKIE) == FIRST_VISIT_PREFIX + current_code()
    )
    return is_first and not game.solved and game.move_count < FIRST_VISIT_MOVES


def is_newcomer() -> bool:
    """Whether a first-time visitor comes from a friend's challenge."""
    return not request.cookies and "beat" in request.args


def mark_first(response: AnyResponse, puzzle: Puzzle) -> None:
    """Mark `puzzle` as the visitor's first."""
    keep_cookie(response, LAST_GAME_COOKIE, FIRST_VISIT_PREFIX + str(puzzle))


def mark_chosen(response: AnyResponse, puzzle: Puzzle) -> None:
    """Store the code of a puzzle for the front door before its first move."""
    keep_cookie(response, LAST_GAME_COOKIE, str(puzzle))


def remember_last(response: AnyResponse, game: Game) -> None:
    """Store the code of an unfinished game for the front door; delete it once solved."""
    code, (last, fields) = current_code(), _last_game()
    if game.started and not game.solved:
        given = {name: request.values[name] for name in LAST_FIELDS if name in request.values}
        if (last, fields) != (code, urlencode(given)) and not is_first_visit(game):
            text = f"{code}?{urlencode(given)}" if given else code
            keep_cookie(response, LAST_GAME_COOKIE, text)
    elif game.solved and last in (code, FIRST_VISIT_PREFIX + code):
        response.delete_cookie(LAST_GAME_COOKIE, **cookie_settings())
