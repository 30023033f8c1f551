"""What web processes share, in Redis: keys that expire, and one script for accounts.

Where Redis cannot be reached, each process has what it remembers itself, and is asked in vain for a
moment only: a page takes no longer.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
import zlib
from typing import TYPE_CHECKING, Any, TypeVar

from redis import Redis, RedisError
from redis import exceptions as errors
from redis.backoff import NoBackoff
from redis.retry import Retry

from webapp.workers import wire
from webapp.workers.redis.jobs import MANY, PREFIX
from webapp.workers.shared import Key, LocalShared, Shared, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from webapp.workers.shared import CacheKind

T = TypeVar("T")

ANSWER_SECONDS = 0.5
"""How long Redis may take for an answer, which it has within a thousandth of that as a rule."""

PAUSE_SECONDS = 2.0
"""How long Redis is not asked after it did not answer."""

TELL_SECONDS = 60.0
"""How often it is told in the log that Redis does not answer."""

PACKED_BYTES = 1_000
"""What is longer is compressed."""

MAX_BYTES = 2**20
"""The largest answer that is kept, compressed; a recording takes a fifth of that."""

MAX_READ_BYTES = 2**25
"""The largest answer that is read, not compressed any more."""

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
"""Adds to the debts of accounts by the clock of Redis, which is one for all, and forgets those that
are paid back."""

log = logging.getLogger(__name__)


def connect(url: str) -> Redis:
    """Return connections to Redis for a web process, which does not wait long."""
    return Redis.from_url(
        url,
        max_connections=MANY,  # one for each request, at the most
        socket_timeout=ANSWER_SECONDS,
        socket_connect_timeout=ANSWER_SECONDS,
        # once more where a connection was closed, such as by a Redis that has started anew
        retry=Retry(NoBackoff(), 1, supported_errors=(errors.ConnectionError,)),
    )


class RedisShared(Shared):
    """Has it in Redis, and the answers that were used last in the memory of this process too."""

    def __init__(self, connection: Redis) -> None:
        self._redis = connection
        self._here = LocalShared()
        self._charge = connection.register_script(CHARGE)
        self._lock = threading.Lock()
        self._asked_from = self._told_from = 0.0

    def get(self, kind: CacheKind[Key, Value], key: Key) -> Value | None:
        found = self._here.get(kind, key)
        if found is None and kind.seconds:
            data: Any = self._ask(lambda: self._redis.get(_kept(kind, key)))
            found = _read(kind, data) if data else None
            if found is not None:
                self._here.put(kind, key, found)
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
                commands.set(_kept(kind, key), data, px=expiry, nx=not replace)
        self._ask(commands.execute)

    def charge(self, accounts: Mapping[str, float]) -> list[float]:
        keys = [_named("account", account) for account in accounts]
        owed = self._ask(lambda: self._charge(keys, list(accounts.values())))
        # else those of this process, so that nobody has all of a machine meanwhile
        return self._here.charge(accounts) if owed is None else [float(one) for one in owed]

    def _ask(self, command: Callable[[], T]) -> T | None:
        """Return what Redis answers, None where it does not."""
        if time.monotonic() < self._asked_from:
            return None
        try:
            return command()
        except RedisError as error:
            self._note(error)
            return None

    def _note(self, error: RedisError) -> None:
        with self._lock:
            now = time.monotonic()
            self._asked_from = now + PAUSE_SECONDS
            if now < self._told_from:
                return
            self._told_from = now + TELL_SECONDS
        log.warning(
            "Redis does not answer (%s). Until it does, web processes share nothing: "
            "see that it runs, and that SLIDEWISE_REDIS says where.",
            error,
        )


def _kept(kind: CacheKind[Any, Any], key: object) -> str:
    return _named(f"kept:{kind.name}", wire.dumps(key))


def _named(what: str, key: str) -> str:
    """Return the name of something in Redis, which tells no address of a visitor."""
    return f"{PREFIX}{what}:{hashlib.sha256(key.encode()).hexdigest()}"


def _written(kind: CacheKind[Any, Value], answer: Value) -> bytes:
    """Return an answer as JSON, or compressed, which begins with an x as no JSON does."""
    data = wire.dumps(kind.pack(answer)).encode()
    return data if len(data) <= PACKED_BYTES else zlib.compress(data, 1)


def _read(kind: CacheKind[Any, Value], data: bytes) -> Value | None:
    """Return an answer, None where another version has written what this one cannot read."""
    try:
        if data.startswith(b"x"):
            data = zlib.decompressobj().decompress(data, MAX_READ_BYTES)
        return kind.unpack(wire.loads(data))
    except Exception as error:
        # whatever can be wrong with it, it can be worked out again
        log.info("What is kept in Redis is of another version (%r)", error)
        return None
