"""Rooms and their players, in the memory of the process or in Redis, for an hour.

A room is a record of text fields: its puzzle, its host, its start and a field for each seat. The
field of a seat is only written by its player, so 30 players never wait for each other. Every write
is a compare-and-set: it fails if the field changed meanwhile. A player who leaves takes the name
off the seat. Before the start that frees the seat, later its game and place stay. Another field per
seat notes when its page polled last, so that a move never waits for it.
"""

from __future__ import annotations

import json
import random
import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Protocol, cast

from slidewise import Game, Puzzle, PuzzleError, parse_puzzle
from slidewise.text import message

from ..http.cache import cached
from ..http.language import gettext as _
from ..http.language import noop
from ..http.responses import Busy
from ..play.session import game_text, parse_game

if TYPE_CHECKING:
    from ..workers import Solvers
    from ..workers.redis.shared import RedisShared
    from ..workers.shared import Shared


MAX_PLAYERS = 30
"""Seats of a room: a class."""

MIN_PLAYERS = 2
"""Players with whom a race can start."""

LIFETIME_SECONDS = 3600
"""TTL of a room since its last change."""

COUNTDOWN_MS = 5_000
"""Milliseconds from the button to the start. Pages learn of it within a second and load for
another; then they count down from 3."""

ROOMS_BYTES = 30_000_000
"""Memory limit of a process for rooms: about 2,000 with 30 players each. The room unread for the
longest time goes first."""

FIELD_BYTES = 150
"""Overhead of a field in memory."""

AWAY_MS = 20_000
"""Time without a poll after which a player is away. A hidden page polls every 10 seconds at most,
and its poll is noted up to `NOTED_MS` later."""

NOTED_MS = 5_000
"""Time between two notes of a page's polls, as a note is a write."""

HAND_MS = 25
"""Shortest gap in ms between two moves of a hand: 40 a second, while a held key repeats 30
times."""

MIN_MARKED = 10
"""Fewest moves of a marked place: a few are quick by rolling fingers over the keys."""

MAX_GAME_TEXT = 1_000
"""Longest text of a game in a room: the last 500 moves or more can be undone."""

PARSED_BYTES = 2_000_000
"""Byte limit of the caches of parsed puzzles and seats, of some 1,500 bytes each."""

ANIMALS = (
    *(noop("Badger"), noop("Bear"), noop("Beaver"), noop("Bison"), noop("Camel")),
    *(noop("Cat"), noop("Crane"), noop("Deer"), noop("Dolphin"), noop("Duck")),
    *(noop("Eagle"), noop("Falcon"), noop("Fox"), noop("Gecko"), noop("Giraffe")),
    *(noop("Hare"), noop("Hedgehog"), noop("Heron"), noop("Horse"), noop("Koala")),
    *(noop("Lark"), noop("Leopard"), noop("Lion"), noop("Llama"), noop("Lynx")),
    *(noop("Otter"), noop("Owl"), noop("Panda"), noop("Parrot"), noop("Penguin")),
    *(noop("Puffin"), noop("Rabbit"), noop("Raven"), noop("Robin"), noop("Seal")),
    *(noop("Swallow"), noop("Swan"), noop("Tiger"), noop("Turtle"), noop("Zebra")),
)
"""Names of players. They are given, never typed, so that strangers cannot write to children. Each
page translates them."""

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_ID = re.compile(f"[{_ALPHABET}]{{4}}-[{_ALPHABET}]{{5}}-[{_ALPHABET}]{{4}}")
_PUZZLE, _HOST, _WATCHES, _HERD, _STARTS, _NEXT = "puzzle", "host", "watches", "herd", "at", "next"
_SEEN = "closed"  # followed by the number of the seat
_OPENED, _CLOSED = "0", "1"  # before the first poll, and after the last
_NOBODY = "-"  # the host of a room that the host has left


def new_id() -> str:
    """A random id of 65 bits without letters that look alike, as in `7k2mx-...`."""
    letters = [secrets.choice(_ALPHABET) for _ in range(13)]
    return f"{''.join(letters[:4])}-{''.join(letters[4:9])}-{''.join(letters[9:])}"


def now_ms() -> int:
    """The server's clock: milliseconds since 1970."""
    return int(time.time() * 1000)


@dataclass(frozen=True, slots=True)
class Seat:
    """A player in a room. `game` is "" until the player arrives, `finished` in ms since 1970.

    `moves` belong to a finished game. `player` is "" once the player has left. Of the `actions` in
    the race, the last at `acted` in ms since 1970, `quick` came within `HAND_MS` of the previous
    action.
    """

    number: int
    player: str
    game: str = ""
    finished: int | None = None
    moves: int = 0
    actions: int = 0
    quick: int = 0
    acted: int = 0

    def with_action(self, at: int) -> Seat:
        """Count an action at a time in ms since 1970, not before the last action."""
        at = max(at, self.acted)
        quick = self.quick + (self.actions > 0 and at - self.acted < HAND_MS)
        return replace(self, actions=self.actions + 1, quick=quick, acted=at)

    @property
    def is_marked(self) -> bool:
        """Whether most actions came closer together than a hand can make them."""
        return self.actions >= MIN_MARKED and 2 * self.quick > self.actions

    @property
    def is_playing(self) -> bool:
        """Whether the player is in the race and has not solved the board."""
        return bool(self.player) and self.finished is None

    @property
    def text(self) -> str:
        """The field of the record."""
        pace = self.actions, self.quick, self.acted
        return json.dumps([self.player, self.game, self.finished, self.moves, *pace])


@dataclass(frozen=True)
class Room:
    """A room as it was read.

    `host` created it and is no player if it `watches`, until it leaves. `herd` names the animals
    and salts the names of visitors; all rooms of a group share it. `starts` is the time of the
    start, None before somebody has pressed Start. `following` is the id of the next room. `seen`
    has the time of the last poll by seat, in ms since 1970, `_OPENED` or `_CLOSED`.
    """

    id: str
    code: str
    puzzle: Puzzle
    host: str
    watches: bool
    herd: str
    starts: int | None
    following: str
    seats: Mapping[int, Seat]
    seen: Mapping[int, str]

    @cached_property
    def players(self) -> list[Seat]:
        """The players who have arrived, by seat, also those who left the race."""
        return [seat for _, seat in sorted(self.seats.items()) if seat.game]

    def seat_of(self, player: str) -> Seat | None:
        """The seat of a player, also if it is only reserved."""
        return next((seat for seat in self.seats.values() if seat.player == player), None)

    def is_led_by(self, player: str) -> bool:
        """Whether a player may start this race and the next: a watching host, otherwise anybody."""
        if self.watches:
            return player == self.host
        return any(seat.player == player for seat in self.players)

    def has_started(self, now: int) -> bool:
        """Whether moves count."""
        return self.starts is not None and now >= self.starts

    @property
    def is_over(self) -> bool:
        """Whether everybody has finished or left."""
        return self.starts is not None and not any(seat.is_playing for seat in self.players)

    def game_of(self, seat: Seat) -> Game:
        return parse_game(self.puzzle, seat.game) if seat.game else Game.new(self.puzzle)

    def is_away(self, seat: Seat) -> bool:
        """Whether a player in the room has closed the page, or has lost the connection.

        Pages without JavaScript never poll, so they are only closed.
        """
        seen = self.seen.get(seat.number, _OPENED)
        return bool(seat.player) and seen != _OPENED and now_ms() - int(seen) > AWAY_MS

    def places(self) -> dict[int, int]:
        """Places of the finished players by seat number, from 1.

        The earlier player is ahead, by the server's clock when the last move arrived, in hundredths
        of a second, as shown. In the same hundredth fewer moves win.
        """
        results = {
            seat.number: (seat.finished // 10, seat.moves) for seat in self.players if seat.finished
        }
        ranked = sorted(results.values())
        return {number: 1 + ranked.index(result) for number, result in results.items()}

    def animal(self, seat: Seat) -> str:
        """The name of a player, in the language of the request."""
        return _(_herd(self.herd)[seat.number])

    def player_named(self, visitor: str) -> str:
        """The name of a visitor in this room, from which the visitor's name cannot be found."""
        return sha256(f"{self.herd} {visitor}".encode()).hexdigest()[:16]


@lru_cache(maxsize=256)
def _herd(herd: str) -> list[str]:
    return random.Random(herd).sample(ANIMALS, MAX_PLAYERS)


class NoRoomError(LookupError):
    """The room is gone, or never existed."""


class RoomFullError(PuzzleError):
    """All seats are taken."""


class RoomStore(Protocol):
    """Records of text fields by id."""

    def create(self, room: str, fields: Mapping[str, str]) -> None:
        """Store a new record."""

    def read(self, room: str) -> Mapping[str, str]:
        """Fields of a record, none if it is gone."""

    def swap(self, room: str, field: str, old: str, new: str, *, renews: bool = True) -> str:
        """Replace `old` by `new`, "" for a missing field; return the field after that.

        Returns "" if the record is gone. Unless it `renews`, the record expires as before.
        """


class Rooms:
    """All rooms, in a store."""

    def __init__(self, store: RoomStore) -> None:
        self._store = store

    def create(self, puzzle: Puzzle, visitor: str, *, watches: bool = False) -> Room:
        """Create a room, with a seat for its host unless it watches."""
        fields = {_PUZZLE: str(puzzle), _HERD: secrets.token_hex(8)}
        if watches:
            fields[_WATCHES] = "1"
        return self._create(fields, visitor, {} if watches else {0: ""})

    def _create(self, fields: dict[str, str], visitor: str, seats: Mapping[int, str]) -> Room:
        room = _parse(new_id(), fields)
        host = room.player_named(visitor)
        fields[_HOST] = host
        for number, player in seats.items():
            fields[str(number)] = Seat(number, player or host).text
        self._store.create(room.id, fields)
        return self.arrive(_parse(room.id, fields), host)

    def find(self, room: str) -> Room:
        """Read a room; raises `NoRoomError`."""
        fields = self._store.read(room) if _ID.fullmatch(room) else {}
        if not fields:
            raise NoRoomError(room)
        return _parse(room, fields)

    def arrive(self, room: Room, player: str) -> Room:
        """Seat a player whose seat is reserved; for other players nothing changes."""
        seat = room.seat_of(player)
        if not seat or seat.game:
            return room
        text = game_text(Game.new(room.puzzle), MAX_GAME_TEXT)[1]
        return self._put(room, seat, replace(seat, game=text))

    def join(self, room: Room, player: str) -> Room:
        """Give a player the first free seat; raises `RoomFullError` and `NoRoomError`."""
        for number in _free_seats(room):
            if room.seat_of(player):
                return self.arrive(room, player)
            if room.starts:
                return room
            text = game_text(Game.new(room.puzzle), MAX_GAME_TEXT)[1]
            room = self._put(room, room.seats.get(number), Seat(number, player, text))
        if room.seat_of(player):
            return self.arrive(room, player)
        raise RoomFullError(
            message("this room is full: %(most)s players are in it", most=MAX_PLAYERS)
        )

    def leave(self, room: Room, player: str) -> Room:
        """Take a player's name off the seat; if a host who watches leaves, the players lead."""
        if room.watches and player == room.host:
            self._swap(room, _HOST, player, _NOBODY)
            room = replace(room, watches=False)
        while seat := room.seat_of(player):  # again if a move was faster
            room = self._put(
                room, seat, replace(seat, player="", game=seat.game if room.starts else "")
            )
        return room

    def set_away(self, room: Room, player: str, *, away: bool) -> Room:
        """Note whether a player has closed the page."""
        seat = room.seat_of(player)
        if seat is None or room.is_away(seat) == away:
            return room
        return self._see(room, seat, _CLOSED if away else _OPENED)

    def note_poll(self, room: Room, player: str) -> Room:
        """Note that a player's page polls. It does not prolong the life of the room."""
        seat, now = room.seat_of(player), now_ms()
        if seat is None or now - int(room.seen.get(seat.number, _OPENED)) < NOTED_MS:
            return room
        return self._see(room, seat, str(now), renews=False)

    def _see(self, room: Room, seat: Seat, seen: str, *, renews: bool = True) -> Room:
        old = room.seen.get(seat.number, "")
        text = self._swap(room, f"{_SEEN}{seat.number}", old, seen, renews=renews)
        return replace(room, seen={**room.seen, seat.number: text})

    def start(self, room: Room) -> Room:
        """Start the countdown, unless it has started."""
        starts = self._swap(room, _STARTS, "", str(now_ms() + COUNTDOWN_MS))
        return replace(room, starts=int(starts))

    def save(self, room: Room, seat: Seat, game: Game, times: Sequence[int] = ()) -> Room:
        """Store a player's game; a faster request of the same player wins.

        `times` belong to its new actions, in ms since 1970; an earlier time counts as the start.
        """
        game, text = game_text(game, MAX_GAME_TEXT)
        counted = seat
        for at in times:
            counted = counted.with_action(max(at, room.starts or 0))
        finished, moves = (now_ms(), game.move_count) if game.solved else (None, 0)
        return self._put(room, seat, replace(counted, game=text, finished=finished, moves=moves))

    def follow(self, room: Room, visitor: str, draw: Callable[[], Puzzle]) -> str:
        """The id of the next room, created if missing.

        Its seats are reserved for the players who are still in this room.
        """
        if room.following:
            return room.following
        fields = {_PUZZLE: str(draw()), _HERD: room.herd}
        if room.watches:
            fields[_WATCHES] = "1"
        seats = {seat.number: seat.player for seat in room.players if seat.player}
        return self._swap(room, _NEXT, "", self._create(fields, visitor, seats).id)

    def _put(self, room: Room, old: Seat | None, new: Seat) -> Room:
        text = self._swap(room, str(new.number), old.text if old else "", new.text)
        return replace(room, seats={**room.seats, new.number: _seat(new.number, text)})

    def _swap(self, room: Room, field: str, old: str, new: str, *, renews: bool = True) -> str:
        text = self._store.swap(room.id, field, old, new, renews=renews)
        if not text:
            raise NoRoomError(room.id)
        return text


def create_services(config: Mapping[str, Any], _pool: Solvers, shared: Shared) -> tuple[Rooms]:
    """Create the services of an app."""
    return (Rooms(RedisRooms(cast("RedisShared", shared)) if config["REDIS"] else LocalRooms()),)


def _free_seats(room: Room) -> list[int]:
    """Numbers of the free seats. Reserved and abandoned seats come last."""
    empty = [number for number in range(MAX_PLAYERS) if number not in room.seats]
    return empty + [number for number, seat in room.seats.items() if not seat.game]


def _parse(room: str, fields: Mapping[str, str]) -> Room:
    starts = fields.get(_STARTS)
    return Room(
        room,
        fields[_PUZZLE],
        _puzzle(fields[_PUZZLE]),
        fields.get(_HOST, ""),
        _WATCHES in fields and fields.get(_HOST) != _NOBODY,
        fields[_HERD],
        int(starts) if starts else None,
        fields.get(_NEXT, ""),
        {int(name): _seat(int(name), text) for name, text in fields.items() if name.isdigit()},
        {
            int(name.removeprefix(_SEEN)): text
            for name, text in fields.items()
            if name.startswith(_SEEN)
        },
    )


@cached(PARSED_BYTES)
def _puzzle(code: str) -> Puzzle:
    return parse_puzzle(code)


@cached(PARSED_BYTES)
def _seat(number: int, text: str) -> Seat:
    return Seat(number, *json.loads(text))


class LocalRooms:
    """Rooms in the memory of this process: the least recently read go first."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._records: OrderedDict[str, tuple[float, dict[str, str]]] = OrderedDict()
        self.size = 0  # about the bytes of all records

    def create(self, room: str, fields: Mapping[str, str]) -> None:
        with self._lock:
            self._records[room] = self._now() + LIFETIME_SECONDS, dict(fields)
            self.size += _size(fields)
            while self.size > ROOMS_BYTES:
                self._drop(next(iter(self._records)))

    def read(self, room: str) -> Mapping[str, str]:
        with self._lock:
            return dict(self._find(room))

    def swap(self, room: str, field: str, old: str, new: str, *, renews: bool = True) -> str:
        with self._lock:
            fields = self._find(room)
            if not fields or fields.get(field, "") != old:
                return fields.get(field, "")
            self.size += _size({field: new}) - (_size({field: old}) if old else 0)
            fields[field] = new
            if renews:
                self._records[room] = self._now() + LIFETIME_SECONDS, fields
            return new

    def _find(self, room: str) -> dict[str, str]:
        if room not in self._records:
            return {}
        expires, fields = self._records[room]
        if expires <= self._now():
            self._drop(room)
            return {}
        self._records.move_to_end(room)
        return fields

    def _drop(self, room: str) -> None:
        self.size -= _size(self._records.pop(room)[1])


def _size(fields: Mapping[str, str]) -> int:
    return sum(FIELD_BYTES + len(text) for text in fields.values())


_SWAP = """
if redis.call('EXISTS', KEYS[1]) == 0 then return '' end
local now = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if now ~= ARGV[2] then return now end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
if ARGV[4] ~= '0' then redis.call('EXPIRE', KEYS[1], ARGV[4]) end
return ARGV[3]
"""


class RedisRooms:
    """Rooms in Redis, for any number of web processes."""

    def __init__(self, shared: RedisShared) -> None:
        self._shared = shared

    def create(self, room: str, fields: Mapping[str, str]) -> None:
        def command(redis: Any) -> Any:
            pipeline = redis.pipeline()
            pipeline.hset(_key(room), mapping=dict(fields))
            pipeline.expire(_key(room), LIFETIME_SECONDS)
            return pipeline.execute()

        self._run(command)

    def read(self, room: str) -> Mapping[str, str]:
        found = self._run(lambda redis: redis.hgetall(_key(room)))
        return {name.decode(): text.decode() for name, text in found.items()}

    def swap(self, room: str, field: str, old: str, new: str, *, renews: bool = True) -> str:
        parts = field, old, new, LIFETIME_SECONDS if renews else 0
        text: bytes = self._run(lambda redis: redis.eval(_SWAP, 1, _key(room), *parts))
        return text.decode()

    def _run(self, command: Callable[[Any], Any]) -> Any:
        found = self._shared.attempt(command)
        if found is None:
            raise Busy(_("Rooms cannot be reached right now. Try again in a few seconds."), 5)
        return found


def _key(room: str) -> str:
    from ..workers.redis.jobs import PREFIX  # here, as Redis is an optional dependency

    return f"{PREFIX}room:{room}"
