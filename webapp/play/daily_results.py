"""How many moves the players of a day needed: counts by day, size and moves, and nothing else.

A game counts if it solves a puzzle on its day without help, once a visitor. The server has
replayed its moves. To count each visitor once, keyed hashes of visitors are stored until the day is
over. `SqliteStore` is a file in the state folder, `RedisStore` serves several processes.
"""

from __future__ import annotations

import hmac
import logging
import sqlite3
import threading
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from flask import current_app

from ..http import visitor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date
    from pathlib import Path

    from redis import Redis

    from slidewise import Game, Puzzle

    from ..workers.redis.shared import RedisShared

    Counts = Mapping[int, int]
    """Number of players by number of moves."""

log = logging.getLogger(__name__)

MIN_PLAYERS = 20
"""Players from which a puzzle's counts are shown: with fewer, one could guess whose they are."""

MAX_PLAYERS = 100_000
"""Players counted a day, so that nobody can fill the disk."""

MAX_MOVES = 100_000
"""Longest game that is counted, for the same reason."""

MAX_BARS = 12
"""Bars of a chart: they fit on a phone, with their labels."""

FILE_NAME = "daily.sqlite3"

TABLES = (
    "CREATE TABLE IF NOT EXISTS results (day TEXT, size TEXT, moves INTEGER, players INTEGER,"
    " PRIMARY KEY (day, size, moves)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS counted (day TEXT, size TEXT, player TEXT,"
    " PRIMARY KEY (day, size, player)) WITHOUT ROWID",
)

LOCK_SECONDS = 0.5
"""Wait for another process that writes."""

LOG_SECONDS = 60.0
"""Interval of log lines about failures."""

PREFIX = "slidewise:daily:"
"""Of the keys in Redis, which have no version: results are for ever."""

COUNTED_SECONDS = 2 * 24 * 3600
"""TTL of the hashes of visitors in Redis: past the end of their day in any time zone."""


class Store(Protocol):
    """Counts of results. Errors of the backend raise nothing; `counts` is then empty."""

    def count(self, day: date, size: str, moves: int, player: str) -> None:
        """Count a result of a player, who is counted once a day and size."""

    def counts(self, day: date, size: str) -> Counts:
        """Return the number of players by number of moves."""


class SqliteStore(Store):
    """Counts in a file, which is created with the first result. It is safe to use from many
    threads and processes."""

    def __init__(self, path: Path, today: Callable[[], date]) -> None:
        self._path, self._today = path, today
        self._purged: date | None = None
        self._silent_until = 0.0
        self._lock = threading.Lock()

    def count(self, day: date, size: str, moves: int, player: str) -> None:
        def write(connection: sqlite3.Connection) -> None:
            connection.execute("BEGIN IMMEDIATE")
            (players,) = connection.execute("SELECT count(*) FROM counted").fetchone()
            row = day.isoformat(), size, player
            if players >= MAX_PLAYERS or not _inserted(connection, row):
                return
            connection.execute(
                "INSERT INTO results VALUES (?, ?, ?, 1)"
                " ON CONFLICT DO UPDATE SET players = players + 1",
                (day.isoformat(), size, moves),
            )

        self._attempt(write, create=True)

    def counts(self, day: date, size: str) -> Counts:
        query = "SELECT moves, players FROM results WHERE day = ? AND size = ?"
        read = self._attempt(lambda file: file.execute(query, (day.isoformat(), size)).fetchall())
        return dict(read or ())

    def _attempt(self, action: Callable[[sqlite3.Connection], Any], *, create: bool = False) -> Any:
        """Run an action in a transaction; None if it fails, or without a file."""
        try:
            if not create and not self._path.exists():
                return None
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._path, LOCK_SECONDS)) as connection, connection:
                self._prepare(connection)
                return action(connection)
        except (sqlite3.Error, OSError) as error:
            self._warn(error)
            return None

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Create missing tables and, once a day, delete the hashes of visitors of earlier days."""
        for table in TABLES:
            connection.execute(table)
        today = self._today()
        if self._purged != today:
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("DELETE FROM counted WHERE day < ?", (today.isoformat(),))
            connection.commit()
            self._purged = today

    def _warn(self, error: Exception) -> None:
        with self._lock:
            now = time.monotonic()
            if now < self._silent_until:
                return
            self._silent_until = now + LOG_SECONDS
        log.warning("The results of the day cannot be counted in %s: %s", self._path, error)


def _inserted(connection: sqlite3.Connection, row: tuple[str, str, str]) -> bool:
    return connection.execute("INSERT OR IGNORE INTO counted VALUES (?, ?, ?)", row).rowcount > 0


class RedisStore(Store):
    """Counts in Redis, in a hash for each day and size; the set of hashes of visitors expires."""

    def __init__(self, shared: RedisShared) -> None:
        self._shared = shared

    def count(self, day: date, size: str, moves: int, player: str) -> None:
        counted = f"{PREFIX}counted {day}"

        def write(redis: Redis) -> None:
            if redis.scard(counted) >= MAX_PLAYERS or not redis.sadd(counted, f"{size} {player}"):
                return
            commands = redis.pipeline()
            commands.expire(counted, COUNTED_SECONDS)
            commands.hincrby(f"{PREFIX}{day} {size}", str(moves), 1)
            commands.execute()

        self._shared.attempt(write)

    def counts(self, day: date, size: str) -> Counts:
        read: Any = self._shared.attempt(lambda redis: redis.hgetall(f"{PREFIX}{day} {size}"))
        return {int(moves): int(players) for moves, players in (read or {}).items()}


class DailyResults:
    """The results of the days in a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def count(self, game: Game, day: date) -> None:
        """Count a game that was just solved on `day`, unless the player had help or no cookie."""
        if not game.helped and game.move_count <= MAX_MOVES and visitor.is_known():
            size = size_key(game.puzzle)
            name = f"{day} {size} {visitor.current_visitor().name}"
            key = current_app.config["SECRET_KEY"].encode()
            player = hmac.digest(key, name.encode(), "sha256")[:16].hex()
            self.store.count(day, size, game.move_count, player)

    def chart(self, puzzle: Puzzle, day: date, own: int | None = None) -> DayChart | None:
        """Return the chart of a puzzle, None before `MIN_PLAYERS`; `own` are a player's moves."""
        counts = self.store.counts(day, size_key(puzzle))
        return chart(counts, own) if sum(counts.values()) >= MIN_PLAYERS else None


def size_key(puzzle: Puzzle) -> str:
    """Return the size as in `3x3`."""
    return f"{puzzle.rows}x{puzzle.cols}"


class DayBar(NamedTuple):
    """Players that needed `least` to `most` moves; `height` is 0 to 1 of the highest bar."""

    least: int
    most: int
    players: int
    height: float
    is_own: bool

    @property
    def label(self) -> str:
        """Return the range of moves, as in 24 or 24–27."""
        return str(self.least) if self.least == self.most else f"{self.least}–{self.most}"


class DayChart(NamedTuple):
    """How many players needed how many moves.

    `beaten` is the percentage of the other players who needed more moves than `own`.
    """

    bars: list[DayBar]
    players: int
    own: int | None
    beaten: int | None


def chart(counts: Counts, own: int | None) -> DayChart:
    """Return bars of equal width, the last one open at its end: the longest tenth is in it.

    >>> counts = {24: 15, 25: 4, 90: 1}
    >>> [(bar.least, bar.most, bar.players) for bar in chart(counts, 24).bars]
    [(24, 24, 15), (25, 90, 5)]
    >>> chart(counts, 24).beaten, chart(counts, 25).beaten
    (26, 5)
    """
    players = sum(counts.values())
    first, last = min(counts), _percentile(counts, 0.9)
    width = -(-(last - first + 1) // MAX_BARS)
    starts = list(range(first, last + 1, width))
    ends = [start + width - 1 for start in starts[:-1]] + [max(counts)]
    inside = [
        sum(count for moves, count in counts.items() if least <= moves <= most)
        for least, most in zip(starts, ends, strict=True)
    ]
    bars = [
        DayBar(least, most, count, count / max(inside), own is not None and least <= own <= most)
        for least, most, count in zip(starts, ends, inside, strict=True)
    ]
    return DayChart(bars, players, own, None if own is None else _beaten(counts, own))


def _percentile(counts: Counts, part: float) -> int:
    """Return the number of moves that `part` of the players needed at most."""
    rest = part * sum(counts.values())
    for moves in sorted(counts):
        rest -= counts[moves]
        if rest <= 0:
            break
    return moves


def _beaten(counts: Counts, own: int) -> int | None:
    """Return the percentage of the others who needed more moves, rounded down."""
    more = sum(count for moves, count in counts.items() if moves > own)
    others = sum(counts.values()) - (own in counts)
    return 100 * more // others if others else None
