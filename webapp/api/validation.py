"""Validation of JSON values against their schemas, with messages in plain words.

Only the keywords in `CHECKED` are supported. A keyword stands next to its `type`, or in an `anyOf`
next to it. A schema without a `type` is an `anyOf` of complete schemas.

The library `jsonschema` is not used. It needs four more packages for a dozen keywords, and its
messages describe schemas. The messages here describe the field in plain words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from slidewise.json_schema import Schema
from slidewise.puzzle.board import quoted

NAME_CHARACTERS = 100
"""Characters of an unknown field's name that its error quotes."""


class SchemaError(ValueError):
    """A value in `field` that violates its schema, or a body that is not JSON."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


def check(value: object, schema: Schema, field: str = "") -> None:
    """Raise `SchemaError` for the first violation of `schema`.

    >>> depth = {"type": "integer", "minimum": 1}
    >>> check({"depth": 0}, {"type": "object", "properties": {"depth": depth}})
    Traceback (most recent call last):
    webapp.api.validation.SchemaError: depth must be at least 1, found 0
    """
    if "type" not in schema:
        _check_ways(value, schema["anyOf"], field)
        return
    kind = schema["type"]
    fits, name = _TYPES[kind]
    if not fits(value):
        raise _misfit(field, f"must be {name}", value)
    wanted = _violation(value, schema)
    if wanted:
        raise _misfit(field, wanted, value)
    if kind == "object":
        _check_fields(value, schema, field)
    if kind == "array":
        _check_items(value, schema, field)


def _check_ways(value: object, ways: list[Schema], field: str) -> None:
    """Raise `SchemaError` if no alternative allows `value`.

    The error comes from the first alternative for the type of `value`.
    """
    faults = []
    # without an alternative for the type, report on all
    for way in [way for way in ways if _is_for(value, way)] or ways:
        try:
            check(value, way, field)
        except SchemaError as fault:
            faults.append(fault)
        else:
            return
    if any(_TYPES[way["type"]][0](value) for way in ways):
        raise faults[0]
    names = dict.fromkeys(_TYPES[way["type"]][1] for way in ways)
    raise _misfit(field, f"must be {' or '.join(names)}", value)


def _is_for(value: object, way: Schema) -> bool:
    """Return whether the types of a value and of its first item fit a schema."""
    if not _TYPES[way["type"]][0](value):
        return False
    return not (isinstance(value, list) and value) or _is_for(value[0], way["items"])


def _violation(value: object, schema: Schema) -> str:
    """Describe the first rule that `value` violates, empty if none.

    The description is the title of the schema, if it has one. Alternatives are all described.
    """
    for keyword, (holds, words) in _RULES.items():
        if keyword in schema and not holds(value, schema[keyword]):
            title = schema.get("title")
            return f"must be {title}" if title else words.format(_listed(schema[keyword]))
    ways = [_violation(value, way) for way in schema.get("anyOf", ())]
    return ", or ".join(ways) if all(ways) else ""


def _check_fields(value: Any, schema: Schema, field: str) -> None:
    known = schema["properties"]
    for name in schema.get("required", ()):
        if name not in value:
            raise SchemaError(f"the field {_path(field, name)} is missing", _path(field, name))
    for name, part in value.items():
        if name not in known:
            here = f" in {field}" if field else ""
            message = f"there is no field {quoted(name)}{here}; the fields are {', '.join(known)}"
            raise SchemaError(message, _path(field, name[:NAME_CHARACTERS]))
        check(part, known[name], _path(field, name))


def _check_items(value: Any, schema: Schema, field: str) -> None:
    for number, part in enumerate(value):
        check(part, schema["items"], f"{field}[{number}]")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_whole(value: object) -> bool:
    """Return whether JSON Schema counts `value` as an integer, such as 2.0."""
    # mypy does not narrow to float after `_is_number`
    return _is_number(value) and (isinstance(value, int) or float.is_integer(value))  # type: ignore[arg-type]


_TYPES: dict[str, tuple[Callable[[object], bool], str]] = {
    "object": (lambda value: isinstance(value, dict), "an object with fields"),
    "array": (lambda value: isinstance(value, list), "a list"),
    "string": (lambda value: isinstance(value, str), "a string"),
    "number": (_is_number, "a number"),
    "integer": (_is_whole, "a whole number"),
    "boolean": (lambda value: isinstance(value, bool), "true or false"),
}

_RULES: dict[str, tuple[Callable[[Any, Any], object], str]] = {
    "enum": (lambda value, allowed: value in allowed, "must be one of {}"),
    "minimum": (lambda value, least: value >= least, "must be at least {}"),
    "maximum": (lambda value, most: value <= most, "must be at most {}"),
    "maxLength": (lambda value, most: len(value) <= most, "must have at most {} characters"),
    "pattern": (lambda value, pattern: re.fullmatch(pattern, value), "must match {}"),
    "minItems": (lambda value, least: len(value) >= least, "must list at least {}"),
    "maxItems": (lambda value, most: len(value) <= most, "must list at most {}"),
}

CHECKED = {*_RULES, "type", "anyOf", "items", "properties", "required", "additionalProperties"}
"""Supported keywords. An object may have only the fields in its properties."""


def _misfit(field: str, wanted: str, value: object) -> SchemaError:
    return SchemaError(f"{field or 'the body'} {wanted}, found {_found(value)}", field)


def _listed(wanted: object) -> str:
    if isinstance(wanted, list):
        return ", ".join(map(str, wanted))
    return f"{wanted:,}" if _is_number(wanted) else str(wanted)


def _found(value: object) -> str:
    """Describe a JSON value in a few words."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return "an object"
    words = {None: "null", True: "true", False: "false"}
    if value is None or isinstance(value, bool):
        return words[value]
    return f"{value:.6g}" if isinstance(value, float) else f"{value}"[:20]


def _path(field: str, name: str) -> str:
    return f"{field}.{name}" if field else name
