"""What web processes share beside searches: answers that are kept, and accounts of visitors.

`LocalShared` has it in the memory of one process; `RedisShared` (`redis/`) has it for any number of
them on any number of machines.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from webapp.http.cache import Cache

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Key = TypeVar("Key")
Value = TypeVar("Value")

ACCOUNTS_BYTES = 2_000_000
"""Some 3,500 accounts; those that were not charged for the longest time start again at 0."""


def _same(answer: Any) -> Any:
    return answer


@dataclass(frozen=True, eq=False)
class CacheKind(Generic[Key, Value]):
    """A kind of answers. A process caches `max_bytes` of them (LRU); others can read them for
    `seconds`, 0 for this process alone.

    What others read has to be what `wire` can write, keys too; `pack` makes that of an answer, and
    `unpack` the answer again.
    """

    name: str
    max_bytes: int
    seconds: float = 0
    pack: Callable[[Value], Any] = _same
    unpack: Callable[[Any], Value] = _same


class Shared(ABC):
    """Keeps answers by their kinds and keys, and accounts. It is safe to use from many threads.

    Nothing here fails a request: what cannot be reached counts as not there.
    """

    @abstractmethod
    def get(self, kind: CacheKind[Key, Value], key: Key) -> Value | None:
        """Return the answer that any process has kept, None if there is none, or none any more."""

    @abstractmethod
    def get_local(self, kind: CacheKind[Key, Value], key: Key) -> Value | None:
        """Return the answer if it is in the memory of this process: for clicks, which ask nobody
        else."""

    @abstractmethod
    def put_all(
        self, kind: CacheKind[Key, Value], answers: Mapping[Key, Value], *, replace: bool = True
    ) -> None:
        """Keep some answers, in place of those there are, but for those not to `replace`."""

    def put(self, kind: CacheKind[Key, Value], key: Key, answer: Value) -> None:
        """Keep an answer, in place of the one there is."""
        self.put_all(kind, {key: answer})

    @abstractmethod
    def charge(self, accounts: Mapping[str, float]) -> list[float]:
        """Add seconds to the debts of some accounts, and return what each owes then.

        A debt falls by a second each second, and is never less than none. All that is charged from
        many threads and processes counts.
        """


class LocalShared(Shared):
    """Has it in the memory of this process."""

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
            if replace or cache.get(key) is None:
                cache.put(key, answer)

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
