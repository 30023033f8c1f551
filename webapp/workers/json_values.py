"""Values as JSON for other processes: the library's dataclasses and their fields.

Unlike `pickle`, it creates only values: dataclasses, named tuples and enumerations of this project,
messages, and the types below. Unknown fields are ignored; missing fields take their defaults.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from functools import lru_cache
from importlib import import_module
from numbers import Integral, Real
from typing import Any

from slidewise.text import Message, Quantity, message, plural

PACKAGES = "slidewise.", f"{__package__.removesuffix('.workers')}."
"""Packages whose classes and functions can be named."""


class UnknownError(Exception):
    """The JSON names an unknown class or function."""


def dumps(value: object) -> str:
    """Return a value as JSON; raises `TypeError` for other values.

    >>> loads(dumps((1, date(2026, 11, 22), {2: b"3"})))
    (1, datetime.date(2026, 11, 22), {2: b'3'})
    """
    return json.dumps(_plain(value), separators=(",", ":"))


def loads(text: str | bytes) -> Any:
    """Parse the JSON of `dumps`; raises `UnknownError`."""
    return _value(json.loads(text))


def qualified_name(what: Callable[..., object]) -> str:
    """Return the name of a class or of a public function of a module.

    >>> qualified_name(date)
    'datetime:date'
    """
    return f"{what.__module__}:{what.__qualname__}"


@lru_cache(maxsize=1024)
def resolve(name: str) -> Any:
    """Return the class or function of this project with that name; raises `UnknownError`."""
    module, _, attribute = name.partition(":")
    if not module.startswith(PACKAGES) or not attribute.isidentifier():
        raise UnknownError(f"{name!r} is not of this project")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise UnknownError(f"{name!r} is not known here") from error
    if getattr(found, "__module__", "") != module:
        raise UnknownError(f"{name!r} is imported there from elsewhere")
    return found


def _plain(value: object) -> Any:
    """Return `value` as plain JSON; an object has a single key, its kind."""
    if type(value) in _AS_IS:
        return value
    if isinstance(value, Enum):
        return {"enum": [qualified_name(type(value)), value.value]}
    if isinstance(value, Message):
        values = {name: _plain(one) for name, one in value.values.items()}
        return {"message": [value.template, values]}
    if isinstance(value, Quantity):
        return {"quantity": [value.number, value.noun]}
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, list):
        return _plain_list(value)
    names = _fields(type(value))  # type: ignore[arg-type]  # mypy takes type.__hash__ for object's
    if names is not None:
        given = {name: _plain(getattr(value, name)) for name in names}
        return {"of": [qualified_name(type(value)), given]}
    for kind, (cls, plain, _) in _KINDS.items():
        if isinstance(value, cls):
            return {kind: plain(value)}
    raise TypeError(f"a {type(value).__name__} cannot be sent")


def _plain_list(values: Iterable[object]) -> list[Any]:
    # most are long lists of numbers: checking the type first halves the time
    return [one if type(one) in _AS_IS else _plain(one) for one in values]


def _value(plain: Any) -> Any:
    if isinstance(plain, list):
        return [one if type(one) in _AS_IS else _value(one) for one in plain]
    if not isinstance(plain, dict):
        return plain
    ((kind, what),) = plain.items()
    if kind == "enum":
        return resolve(what[0])(what[1])
    if kind == "of":
        return _instance(*what)
    if kind == "message":
        return message(what[0], **{name: _value(one) for name, one in what[1].items()})
    if kind == "quantity":
        return plural(*what)
    if kind not in _KINDS:
        raise UnknownError(f"{kind!r} is not a kind of value")
    return _KINDS[kind][2](what)


def _instance(name: str, given: dict[str, Any]) -> Any:
    cls = resolve(name)
    names = _fields(cls) if isinstance(cls, type) else None
    if names is None:
        raise UnknownError(f"{name!r} is no class of values")
    try:
        return cls(**{key: _value(given[key]) for key in names if key in given})
    except TypeError as error:
        raise UnknownError(f"a {name!r} has other fields here: {error}") from error


@lru_cache(maxsize=1024)
def _fields(cls: type) -> tuple[str, ...] | None:
    """Return the field names of a dataclass or a named tuple, None for other classes."""
    if is_dataclass(cls):
        return tuple(one.name for one in fields(cls) if one.init)
    return getattr(cls, "_fields", None) if issubclass(cls, tuple) else None


_AS_IS = {bool, int, float, str, type(None)}
"""Types that are plain in JSON."""

_KINDS: dict[str, tuple[Any, Callable[[Any], Any], Callable[[Any], Any]]] = {
    "tuple": (
        tuple,
        _plain_list,
        lambda parts: tuple(_value(parts)),
    ),
    "dict": (
        dict,
        lambda value: [[_plain(key), _plain(one)] for key, one in value.items()],
        lambda pairs: {_value(key): _value(one) for key, one in pairs},
    ),
    "range": (
        range,
        lambda value: [value.start, value.stop, value.step],
        lambda parts: range(*parts),
    ),
    "bytes": (bytes, lambda value: b64encode(value).decode("ascii"), b64decode),
    "date": (date, date.isoformat, date.fromisoformat),
}
"""Functions that write and read the values of a class."""
