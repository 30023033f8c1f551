"""Stores of the daily puzzles' results: a SQLite file, or Redis for several machines.

The results are counts by day, size and moves. Hashes of the visitors and addresses counted are
stored until the day is over, so that each visitor counts once and an address a limited number of
times. The hashes of addresses have a random key of the day, which is deleted with them.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import logging
import os
import re
import secrets
import sqlite3
import threading
import time
from collections import defaultdict
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from slidewise.solver.cache_dirs import sync_entries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from ..workers.redis.shared import RedisShared
    from ..workers.shared import Shared

    Counts = Mapping[int, int]
    """Number of players by number of moves."""

try:
    import fcntl
except ImportError:  # Windows, which renames no file that another process has open
    fcntl = None  # type: ignore[assignment]  # not on Windows

log = logging.getLogger(__name__)

MAX_PLAYERS = 100_000
"""Players counted a day, so that a visitor cannot fill the disk."""

MAX_PER_ADDRESS = 60
"""Results counted a day and address: a class of 30 that solves two puzzles."""

MAX_MOVES = 100_000
"""Longest game that is counted, so that a visitor cannot fill the disk."""

FILE_NAME = "daily.sqlite3"

DAMAGED = ".damaged-"
"""In the name of a damaged file that was set aside, before its time."""

UPGRADES = (
    (
        "CREATE TABLE IF NOT EXISTS results (day TEXT, size TEXT, moves INTEGER, players INTEGER,"
        " PRIMARY KEY (day, size, moves)) WITHOUT ROWID",
        "CREATE TABLE IF NOT EXISTS counted (day TEXT, size TEXT, player TEXT,"
        " PRIMARY KEY (day, size, player)) WITHOUT ROWID",
        "CREATE TABLE addresses (day TEXT, address TEXT, results INTEGER,"
        " PRIMARY KEY (day, address)) WITHOUT ROWID",
        "CREATE TABLE keys (day TEXT PRIMARY KEY, key BLOB) WITHOUT ROWID",
    ),
)
"""Statements from each schema version to the next. Files of version 0 may have two tables."""

OF_VISITORS = "counted", "addresses", "keys"
"""Tables whose rows are deleted after their day."""

LOCK_SECONDS = 0.5
"""Seconds to wait for another process that writes."""

LOG_SECONDS = 60.0
"""Seconds between log lines about failures."""

PREFIX = "slidewise:daily:"
"""Redis key prefix; unversioned, as results are permanent."""

LEAST_SECONDS = 60
"""Lowest TTL in Redis, for a result at the end of its day."""

_KEY_BYTES = 32

_SIZE = re.compile(r"[1-9][0-9]?x[1-9][0-9]?", re.ASCII)


class DailyStoreError(Exception):
    """Results that cannot be read or written, with the reason."""


class DayResult(NamedTuple):
    """Players of a puzzle who needed this number of moves; `day` as in 2026-11-21."""

    day: str
    size: str
    moves: int
    players: int

    def as_line(self) -> str:
        """Return the result as a line of JSON.

        >>> DayResult("2026-11-21", "3x3", 24, 5).as_line()
        '{"day": "2026-11-21", "size": "3x3", "moves": 24, "players": 5}'
        """
        return json.dumps(self._asdict())

    @classmethod
    def read(cls, line: str) -> DayResult:
        """Parse a line of JSON; raises `ValueError`."""
        fields: Any = json.loads(line)
        if not isinstance(fields, dict) or fields.keys() != set(cls._fields):
            raise ValueError(f"expected an object with {', '.join(cls._fields)}")
        found = cls(**fields)
        if not isinstance(found.day, str) or str(date.fromisoformat(found.day)) != found.day:
            raise ValueError(f"expected a day such as 2026-11-21, got {found.day!r}")
        if not isinstance(found.size, str) or not _SIZE.fullmatch(found.size):
            raise ValueError(f"expected a size such as 3x3, got {found.size!r}")
        if type(found.moves) is not int or not 0 < found.moves <= MAX_MOVES:
            raise ValueError(f"expected 1 to {MAX_MOVES:,} moves, got {found.moves!r}")
        if type(found.players) is not int or not 0 < found.players <= MAX_PLAYERS:
            raise ValueError(f"expected 1 to {MAX_PLAYERS:,} players, got {found.players!r}")
        return found


class Store(Protocol):
    """Counts of results. Errors of the backend raise nothing in `count` and `counts`."""

    def count(self, day: date, size: str, moves: int, player: str, address: str) -> None:
        """Count a result of a player, who counts once a day and size."""

    def counts(self, day: date, size: str) -> Counts:
        """Return the number of players by number of moves; empty if it cannot be read."""

    def results(self) -> list[DayResult]:
        """Return all results in order; raises `DailyStoreError`."""

    def merge(self, results: Iterable[DayResult]) -> None:
        """Add results; the higher number of players remains. Raises `DailyStoreError`."""

    def problems(self) -> list[str]:
        """Return the reasons why results are missing or not counted now."""


def store_of(config: Mapping[str, Any], shared: Shared | None, today: Callable[[], date]) -> Store:
    """Return the store: a file in the state folder, or Redis if only that is configured."""
    if config["REDIS"] and not config["STATE"]:
        return RedisStore(cast("RedisShared", shared))
    return SqliteStore(config["STATE_FOLDER"] / FILE_NAME, today)


class SqliteStore(Store):
    """Counts in a file, which is created with the first result.

    It is safe to use from many threads and processes. A result is not counted, with a warning, if
    other processes lock the file for half a second. A damaged file is set aside under another name.
    """

    def __init__(self, path: Path, today: Callable[[], date]) -> None:
        self._path, self._today = path, today
        self._purged: date | None = None
        self._failures: dict[bool, str] = {}  # the last error of reading and of writing
        self._silent_until = 0.0
        self._lock = threading.Lock()
        self._writing = threading.Lock()  # the wait of SQLite may starve a thread

    def count(self, day: date, size: str, moves: int, player: str, address: str) -> None:
        def write(connection: sqlite3.Connection) -> None:
            connection.execute("BEGIN IMMEDIATE")
            (players,) = connection.execute("SELECT count(*) FROM counted").fetchone()
            if players < MAX_PLAYERS:
                _count(connection, (day.isoformat(), size, moves, player, address))

        with self._writing:
            self._attempt(write, create=True)

    def counts(self, day: date, size: str) -> Counts:
        query = "SELECT moves, players FROM results WHERE day = ? AND size = ?"
        read = self._attempt(lambda file: file.execute(query, (day.isoformat(), size)).fetchall())
        return dict(read or ())

    def results(self) -> list[DayResult]:
        query = "SELECT day, size, moves, players FROM results ORDER BY day, size, moves"
        with self._reporting():
            rows = self._run(lambda file: file.execute(query).fetchall())
            return [DayResult(*row) for row in rows or ()]

    def merge(self, results: Iterable[DayResult]) -> None:
        # the maximum: importing a backup twice counts nobody twice
        statement = (
            "INSERT INTO results VALUES (?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET players = max(players, excluded.players)"
        )
        with self._reporting():
            self._run(lambda file: file.executemany(statement, results), create=True)

    def problems(self) -> list[str]:
        self._attempt(lambda file: file.execute("SELECT 1 FROM results LIMIT 1"))
        aside = self._path.parent.glob(f"{self._path.name}{DAMAGED}*")
        return [
            *(f"daily results: {self._path}: {error}" for error in {*self._failures.values()}),
            *(
                f"daily results: {file} was damaged and set aside; import its results from a "
                "backup, then move the file away"
                for file in sorted(aside)
            ),
        ]

    def _attempt(self, action: Callable[[sqlite3.Connection], Any], *, create: bool = False) -> Any:
        """Run an action like `_run`; None if it fails."""
        try:
            result = self._run(action, create=create)
        except (sqlite3.Error, OSError) as error:
            self._failures[create] = str(error)
            self._warn(error)
            return None
        self._failures.pop(create, None)
        return result

    @contextlib.contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise DailyStoreError(f"{self._path}: {error}") from error

    def _run(self, action: Callable[[sqlite3.Connection], Any], *, create: bool = False) -> Any:
        """Run an action in a transaction; None without a file, unless it may `create` it."""
        if not create and not self._path.exists():
            return None
        self._path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return self._run_once(action)
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
            # the next result starts a new file
            self._set_aside(error)
            return self._run_once(action)

    def _run_once(self, action: Callable[[sqlite3.Connection], Any]) -> Any:
        with closing(sqlite3.connect(self._path, LOCK_SECONDS)) as connection, connection:
            self._prepare(connection)
            return action(connection)

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Upgrade the schema. Once a day, check the file and delete the hashes of past days."""
        if _version(connection) < len(UPGRADES):
            _upgrade(connection)
        elif _version(connection) > len(UPGRADES):
            raise sqlite3.DatabaseError("a newer version of Slidewise wrote it: install that")
        today = self._today()
        if self._purged != today:
            _check(connection)
            connection.execute("PRAGMA secure_delete = ON")  # overwrites deleted hashes
            for table in OF_VISITORS:
                connection.execute(f"DELETE FROM {table} WHERE day < ?", (today.isoformat(),))
            connection.commit()
            self._purged = today

    def _set_aside(self, error: sqlite3.DatabaseError) -> None:
        """Rename a damaged file, unless another process has done so."""
        with _locked(self._path.parent):
            try:
                with closing(sqlite3.connect(self._path, LOCK_SECONDS)) as connection:
                    _check(connection)
            except sqlite3.DatabaseError as found:
                if not _is_damage(found):
                    raise
            else:
                return  # another process has set it aside
            time_now = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S-%f")
            aside = self._path.with_name(f"{self._path.name}{DAMAGED}{time_now}")
            self._path.rename(aside)
            sync_entries(self._path.parent)
        log.error("%s is damaged (%s), and was set aside as %s", self._path, error, aside)

    def _warn(self, error: Exception) -> None:
        with self._lock:
            now = time.monotonic()
            if now < self._silent_until:
                return
            self._silent_until = now + LOG_SECONDS
        log.warning("The results of the day cannot be counted in %s: %s", self._path, error)


class DamagedFileError(sqlite3.DatabaseError):
    """A file that SQLite opens, but whose content is inconsistent."""


def _check(connection: sqlite3.Connection) -> None:
    """Raise `DamagedFileError`, or an error of SQLite, for a damaged file."""
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise DamagedFileError(found)


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # without the extended code
    return isinstance(error, DamagedFileError) or code in (
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
    )


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def _upgrade(connection: sqlite3.Connection) -> None:
    """Bring a file to the newest schema in a single transaction."""
    connection.execute("BEGIN IMMEDIATE")
    for statements in UPGRADES[_version(connection) :]:  # none if another process was faster
        for statement in statements:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {len(UPGRADES)}")
    connection.commit()


def _count(connection: sqlite3.Connection, row: tuple[str, str, int, str, str]) -> None:
    """Count a result, unless the player was counted or the address has reached its limit."""
    day, size, moves, player, address = row
    connection.execute(
        "INSERT OR IGNORE INTO keys VALUES (?, ?)", (day, secrets.token_bytes(_KEY_BYTES))
    )
    (key,) = connection.execute("SELECT key FROM keys WHERE day = ?", (day,)).fetchone()
    # keyed, so that addresses cannot be compared across days
    hashed = hmac.digest(key, address.encode(), "sha256")[:16].hex()
    query = "SELECT results FROM addresses WHERE day = ? AND address = ?"
    (results,) = connection.execute(query, (day, hashed)).fetchone() or (0,)
    insert = "INSERT OR IGNORE INTO counted VALUES (?, ?, ?)"
    if results >= MAX_PER_ADDRESS or not connection.execute(insert, (day, size, player)).rowcount:
        return
    connection.execute(
        "INSERT INTO addresses VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET results = results + 1",
        (day, hashed),
    )
    connection.execute(
        "INSERT INTO results VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE SET players = players + 1",
        (day, size, moves),
    )


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock a folder between processes, if the system can."""
    if fcntl is None:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


_COUNT = """
if redis.call('SCARD', KEYS[1]) >= tonumber(ARGV[3]) then return end
redis.call('SET', KEYS[4], ARGV[6], 'NX')
local address = redis.sha1hex(redis.call('GET', KEYS[4]) .. ARGV[5])
if tonumber(redis.call('HGET', KEYS[3], address) or 0) >= tonumber(ARGV[7]) then return end
if redis.call('SADD', KEYS[1], ARGV[1]) == 0 then return end
redis.call('HINCRBY', KEYS[3], address, 1)
redis.call('HINCRBY', KEYS[2], ARGV[2], 1)
for _, key in ipairs({KEYS[1], KEYS[3], KEYS[4]}) do redis.call('EXPIRE', key, ARGV[4]) end
"""
"""Counts a player atomically, and only once if it is repeated."""

_MERGE = """
for i = 1, #ARGV, 2 do
    if tonumber(redis.call('HGET', KEYS[1], ARGV[i]) or 0) < tonumber(ARGV[i + 1]) then
        redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
    end
end
return #ARGV
"""

_RESULTS_KEY = re.compile(re.escape(PREFIX) + r"(\d{4}-\d\d-\d\d) (\d+x\d+)", re.ASCII)


class RedisStore(Store):
    """Counts in Redis, in a hash per day and size; the visitors' hashes expire."""

    def __init__(self, shared: RedisShared) -> None:
        self._shared = shared

    def count(self, day: date, size: str, moves: int, player: str, address: str) -> None:
        keys = (
            f"{PREFIX}counted {day}",
            f"{PREFIX}{day} {size}",
            f"{PREFIX}addresses {day}",
            f"{PREFIX}key {day}",
        )
        over = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)
        seconds = max(LEAST_SECONDS, int(over.timestamp() - time.time()))
        key = secrets.token_hex(_KEY_BYTES)
        values = (
            *(f"{size} {player}", moves, MAX_PLAYERS, seconds),
            *(address, key, MAX_PER_ADDRESS),
        )
        self._shared.attempt(lambda redis: redis.eval(_COUNT, len(keys), *keys, *values))

    def counts(self, day: date, size: str) -> Counts:
        return self._read(f"{PREFIX}{day} {size}") or {}

    def results(self) -> list[DayResult]:
        keys = self._shared.attempt(lambda redis: [*redis.scan_iter(f"{PREFIX}*", 1000)])
        found = []
        for name in map(bytes.decode, _answer(keys)):
            if match := _RESULTS_KEY.fullmatch(name):
                counts = _answer(self._read(name))
                found += [DayResult(match[1], match[2], *one) for one in counts.items()]
        return sorted(found)

    def merge(self, results: Iterable[DayResult]) -> None:
        by_puzzle: dict[str, list[int]] = defaultdict(list)
        for one in results:
            by_puzzle[f"{PREFIX}{one.day} {one.size}"] += [one.moves, one.players]
        for key, values in by_puzzle.items():
            self._merge(key, values)

    def _merge(self, key: str, values: list[int]) -> None:
        _answer(self._shared.attempt(lambda redis: redis.eval(_MERGE, 1, key, *values)))

    def problems(self) -> list[str]:
        answers = self._shared.attempt(lambda redis: redis.ping())
        return [] if answers else ["daily results: Redis does not answer"]

    def _read(self, key: str) -> Counts | None:
        """Return the counts of a key, None if Redis does not answer."""
        read: Any = self._shared.attempt(lambda redis: redis.hgetall(key))
        if read is None:
            return None
        return {int(moves): int(players) for moves, players in read.items()}


def _answer(found: Any) -> Any:
    """Return an answer of Redis; raises `DailyStoreError` without any."""
    if found is None:
        raise DailyStoreError("Redis does not answer: see that it runs, and SLIDEWISE_REDIS")
    return found
