"""LRU caches bounded by the bytes of their entries.

`cachetools` counts values without their keys, which visitors choose here, and has no lock.
"""

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable
from enum import Enum
from functools import wraps
from gc import get_referents
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Generic, ParamSpec, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")
Arguments = ParamSpec("Arguments")

ENTRY_BYTES = 400
"""Overhead of an entry in bytes."""

_SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType, Enum, int, float, type(None))
"""Objects shared by entries, or as small as a pointer."""


class Cache(Generic[Key, Value]):
    """A thread-safe LRU cache of at most `max_bytes`."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._entries: OrderedDict[Key, tuple[int, Value]] = OrderedDict()
        self.size = 0  # the bytes of all entries

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Key) -> Value | None:
        """Return the cached value, or None."""
        with self._lock:
            if key not in self._entries:
                return None
            self._entries.move_to_end(key)
            return self._entries[key][1]

    def put(self, key: Key, value: Value, *, replace: bool = True) -> None:
        """Store a value and evict the least recently used entries.

        An existing value stays unless `replace`. A value larger than the cache is not stored.
        """
        size = ENTRY_BYTES + size_of((key, value))
        with self._lock:
            if key in self._entries:
                if not replace:
                    return
                self.size -= self._entries.pop(key)[0]
            if size > self._max_bytes:  # it would evict all other entries
                return
            self._entries[key] = size, value
            self.size += size
            while self.size > self._max_bytes:
                _, (freed, _) = self._entries.popitem(last=False)
                self.size -= freed


def cached(
    max_bytes: int,
) -> Callable[[Callable[Arguments, Value]], Callable[Arguments, Value]]:
    """Cache the results of a function by its positional arguments.

    Unlike `functools.lru_cache` it suits arguments whose length visitors choose.
    """

    def decorate(function: Callable[Arguments, Value]) -> Callable[Arguments, Value]:
        cache: Cache[tuple[Any, ...], Value] = Cache(max_bytes)

        @wraps(function)
        def call(*args: Arguments.args, **_: Arguments.kwargs) -> Value:
            value = cache.get(args)
            if value is None:
                value = function(*args)  # type: ignore[call-arg]  # without keywords
                cache.put(args, value)
            return value

        call.cache = cache  # type: ignore[attr-defined]
        return call

    return decorate


def size_of(value: object) -> int:
    """Return the bytes of a value and of all objects that it refers to.

    >>> size_of(b"x" * 1000) - size_of(b"")
    1000
    >>> size_of(["x" * 1000, 5]) > 1000
    True
    """
    return sum(map(sys.getsizeof, objects_of(value)))


def objects_of(value: object) -> list[object]:
    """Return a value and the objects that it refers to, each once, without shared objects.

    >>> objects_of(("a", "b", "a", len))
    [('a', 'b', 'a', <built-in function len>), 'a', 'b']
    """
    objects: dict[int, object] = {}
    found = [value]
    while found:
        one = found.pop()
        if id(one) not in objects and not isinstance(one, _SHARED):
            objects[id(one)] = one
            found += get_referents(one)
    return list(objects.values())
