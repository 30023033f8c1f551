"""The shared cache in Redis: keys that expire, and a script for accounts.

Without Redis each process uses its own cache. After a failed request it pauses,
so that pages do not wait.
"""

import hashlib
import logging
import threading
import time
import zlib
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from redis import Redis, RedisError
from redis import exceptions as errors
from redis.backoff import NoBackoff
from redis.retry import Retry

from .. import json_values
from ..shared import CacheKind, Key, LocalShared, Shared, Value
from .jobs import MANY, PREFIX, log_text

T = TypeVar("T")

ANSWER_SECONDS = 0.5
"""Timeout of a request to Redis in seconds; most take a thousandth of that."""

PAUSE_SECONDS = 2.0
"""Pause in seconds after a failed request."""

LOG_SECONDS = 60.0
"""Seconds between log lines about failures."""

PACKED_BYTES = 1_000
"""Longer values are compressed."""

MAX_BYTES = 2**20
"""Largest cached value in bytes, compressed; a recording takes a fifth of that."""

MAX_READ_BYTES = 2**25
"""Largest value that is read, in bytes, decompressed."""

CHARGE = """
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local owed = {}
for i, account in ipairs(KEYS) do
    local free_from = math.max(now, tonumber(redis.call('GET', account) or now))
    local seconds = tonumber(ARGV[i])
    if seconds ~= 0 then
        free_from = math.max(now, free_from + seconds)
        local text = string.format('%.6f', free_from)
        redis.call('SET', account, text, 'PX', math.ceil((free_from - now) * 1000) + 1)
    end
    owed[i] = string.format('%.6f', free_from - now)
end
return owed
"""
"""Adds to the debts of accounts by the clock of Redis, common to all machines; paid accounts
expire."""

log = logging.getLogger(__name__)


def connect(url: str) -> Redis:
    """Return connections to Redis for a web process, which does not wait long."""
    return Redis.from_url(
        url,
        max_connections=MANY,  # at most one per request
        socket_timeout=ANSWER_SECONDS,
        socket_connect_timeout=ANSWER_SECONDS,
        # a second attempt if the connection was closed, such as by a restart of Redis
        retry=Retry(NoBackoff(), 1, supported_errors=(errors.ConnectionError,)),
    )


class RedisShared(Shared):
    """A cache in Redis with a local LRU cache in front."""

    def __init__(self, connection: Redis) -> None:
        self._redis = connection
        self._here = LocalShared()
        self._charge = connection.register_script(CHARGE)
        self._lock = threading.Lock()
        self._paused_until = self._silent_until = 0.0

    def get(self, kind: CacheKind[Key, Value], key: Key) -> Value | None:
        found = self._here.get(kind, key)
        if found is None and kind.seconds:
            data: Any = self.attempt(lambda redis: redis.get(_cache_key(kind, key)))
            found = _read(kind, data) if data else None
            if found is not None:
                # keep a better value that another thread cached meanwhile, as an exact distance
                self._here.put_all(kind, {key: found}, replace=False)
        return found

    def get_local(self, kind: CacheKind[Key, Value], key: Key) -> Value | None:
        return self._here.get(kind, key)

    def put_all(
        self, kind: CacheKind[Key, Value], answers: Mapping[Key, Value], *, replace: bool = True
    ) -> None:
        self._here.put_all(kind, answers, replace=replace)
        if not kind.seconds:
            return
        commands = self._redis.pipeline(transaction=False)
        expiry = round(kind.seconds * 1000)
        for key, answer in answers.items():
            data = _written(kind, answer)
            if len(data) <= MAX_BYTES:
                commands.set(_cache_key(kind, key), data, px=expiry, nx=not replace)
        self.attempt(lambda _: commands.execute())

    def charge(self, accounts: Mapping[str, float]) -> list[float]:
        keys = [_named("account", account) for account in accounts]
        owed = self.attempt(lambda _: self._charge(keys, list(accounts.values())))
        # without Redis each process limits its visitors itself
        return self._here.charge(accounts) if owed is None else [float(one) for one in owed]

    def attempt(self, command: Callable[[Redis], T]) -> T | None:
        """Run a command; None if Redis fails."""
        if time.monotonic() < self._paused_until:
            return None
        try:
            return command(self._redis)
        except RedisError as error:
            self._note(error)
            return None

    def _note(self, error: RedisError) -> None:
        with self._lock:
            now = time.monotonic()
            if not isinstance(error, errors.OutOfMemoryError):  # answered at once: no pause
                self._paused_until = now + PAUSE_SECONDS
            if now < self._silent_until:
                return
            self._silent_until = now + LOG_SECONDS
        log.warning(log_text(error))


def _cache_key(kind: CacheKind[Any, Any], key: object) -> str:
    return _named(f"kept:{kind.name}", json_values.dumps(key))


def _named(kind: str, key: str) -> str:
    """Return a key in Redis; a hash hides the addresses of visitors."""
    return f"{PREFIX}{kind}:{hashlib.sha256(key.encode()).hexdigest()}"


def _written(kind: CacheKind[Any, Value], answer: Value) -> bytes:
    """Return JSON, compressed if long; zlib data starts with an x, unlike JSON."""
    data = json_values.dumps(kind.pack(answer)).encode()
    return data if len(data) <= PACKED_BYTES else zlib.compress(data, 1)


def _read(kind: CacheKind[Any, Value], data: bytes) -> Value | None:
    """Parse a value, or None if another version wrote it."""
    try:
        if data.startswith(b"x"):
            data = zlib.decompressobj().decompress(data, MAX_READ_BYTES)
        return kind.unpack(json_values.loads(data))
    except Exception as error:
        # whatever is wrong with it, it can be computed again
        log.info("What is kept in Redis is of another version (%r)", error)
        return None
