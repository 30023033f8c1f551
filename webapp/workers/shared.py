"""Objects shared by the requests of an app: its services, and caches and visitors' accounts.

`Services` registers the app's solvers and long-lived objects. All web processes share the caches
and accounts: `LocalShared` is the memory of a single process, `RedisShared` (`redis/`) serves any
number of processes and machines.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from flask import Flask, current_app

from ..http.cache import Cache
from .solvers import Solvers

Key = TypeVar("Key")
Value = TypeVar("Value")

ACCOUNTS_BYTES = 2_000_000
"""About 3,500 accounts. The least recently charged accounts are dropped, and start again at 0."""

S = TypeVar("S")

_EXTENSION = "slidewise"


def _same(answer: Any) -> Any:
    return answer


@dataclass(frozen=True, eq=False)
class CacheKind(Generic[Key, Value]):
    """A kind of answers, up to `max_bytes` per process (LRU); shared for `seconds`, 0 for none.

    `json_values` must be able to write shared keys and values; `pack` and `unpack` convert values.
    """

    name: str
    max_bytes: int
    seconds: float = 0
    pack: Callable[[Value], Any] = _same
    unpack: Callable[[Any], Value] = _same


class Shared(ABC):
    """Caches by kind and key, and accounts; safe to use from many threads.

    Backend errors count as cache misses.
    """

    @abstractmethod
    def get(self, kind: CacheKind[Key, Value], key: Key) -> Value | None:
        """Return the cached answer, or None if missing or expired."""

    @abstractmethod
    def get_local(self, kind: CacheKind[Key, Value], key: Key) -> Value | None:
        """Return the answer from the memory of this process, for clicks, without a round trip."""

    @abstractmethod
    def put_all(
        self, kind: CacheKind[Key, Value], answers: Mapping[Key, Value], *, replace: bool = True
    ) -> None:
        """Cache some answers; cached answers stay unless `replace`."""

    def put(self, kind: CacheKind[Key, Value], key: Key, answer: Value) -> None:
        """Cache an answer."""
        self.put_all(kind, {key: answer})

    @abstractmethod
    def charge(self, accounts: Mapping[str, float]) -> list[float]:
        """Add seconds to the debts of accounts atomically, and return the new debts.

        A debt falls by a second each second, down to 0.
        """


class LocalShared(Shared):
    """Caches and accounts in the memory of this process."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._kept: dict[CacheKind[Any, Any], Cache[Any, Any]] = {}
        self._lock = threading.Lock()
        self._free_from: Cache[str, float] = Cache(ACCOUNTS_BYTES)

    def get(self, kind: CacheKind[Key, Value], key: Key) -> Value | None:
        return self._cache(kind).get(key)

    get_local = get

    def put_all(
        self, kind: CacheKind[Key, Value], answers: Mapping[Key, Value], *, replace: bool = True
    ) -> None:
        cache = self._cache(kind)
        for key, answer in answers.items():
            cache.put(key, answer, replace=replace)

    def charge(self, accounts: Mapping[str, float]) -> list[float]:
        with self._lock:
            now = self._now()
            return [self._charge(account, seconds, now) for account, seconds in accounts.items()]

    def _charge(self, account: str, seconds: float, now: float) -> float:
        free_from = max(now, self._free_from.get(account) or now)
        if seconds:
            free_from = max(now, free_from + seconds)
            self._free_from.put(account, free_from)
        return free_from - now

    def _cache(self, kind: CacheKind[Key, Value]) -> Cache[Key, Value]:
        try:
            return self._kept[kind]
        except KeyError:
            return self._kept.setdefault(kind, Cache(kind.max_bytes))


@dataclass(frozen=True, slots=True)
class Services:
    """Registry of the app's `solvers`, its `shared` caches and its other services, by class.

    `webapp.app` creates them. Callers find a service by its class, as in `service(Calendar)`.
    """

    solvers: Solvers
    shared: Shared
    by_class: Mapping[type, object]

    def get(self, kind: type[S]) -> S:
        """Return the service of a class."""
        return cast("S", self.by_class[kind])

    def attach(self, app: Flask) -> None:
        app.extensions[_EXTENSION] = self


def services_of(app: Flask) -> Services:
    return cast("Services", app.extensions[_EXTENSION])


def solvers() -> Solvers:
    return services_of(current_app).solvers


def shared() -> Shared:
    return services_of(current_app).shared


def service(kind: type[S]) -> S:
    """Return the service of a class in the current app."""
    return services_of(current_app).get(kind)
