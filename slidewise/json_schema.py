"""JSON Schema of the values that leave the process, from their types.

A value is declared once, as a `TypedDict`, dataclass or `NamedTuple` next to the code that builds
it, and mypy compares the two. `Annotated` adds a description, or `Keywords` for rules that types
cannot express.
"""

from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

Schema = dict[str, Any]


class Keywords:
    """Further keywords of a schema. A function is called with the context of `schema_of`."""

    def __init__(self, **keywords: object) -> None:
        self.keywords = keywords


class Ref(NamedTuple):
    """Name of the component of an OpenAPI document that has the schema."""

    name: str


Count = Annotated[int, Keywords(minimum=0)]
"""A whole number from 0 up."""

Amount = Annotated[float, Keywords(minimum=0)]
"""A number from 0 up."""

_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}


def schema_of(declared: Any, context: Any = None) -> Schema:
    """Return the JSON Schema of a type. Functions in its `Keywords` are called with `context`.

    >>> schema_of(Annotated[Count | None, "Null if unknown."])
    {'type': ['integer', 'null'], 'minimum': 0, 'description': 'Null if unknown.'}
    >>> schema_of(list[Literal["U", "D"]])
    {'type': 'array', 'items': {'type': 'string', 'enum': ['U', 'D']}}

    Raises `TypeError` for a type without a schema.
    """
    kind, types = get_origin(declared), get_args(declared)
    if kind is Annotated:
        return _annotated(declared, context)
    if is_typeddict(declared) or is_dataclass(declared) or hasattr(declared, "_fields"):
        return _object(declared, context)
    if kind in (Union, UnionType):
        ways = [schema_of(one, context) for one in types if one is not NoneType]
        if NoneType not in types:
            return {"anyOf": ways}
        # OpenAPI 3.1 writes an optional value as a list of types, which needs a single other type.
        (way,) = ways
        return {**way, "type": [way["type"], "null"]}
    if kind is Literal:
        return {"type": "string", "enum": list(types)}
    if kind in (list, tuple):
        return {"type": "array", "items": schema_of(types[0], context)}
    if kind is dict:
        return {"type": "object", "additionalProperties": schema_of(types[1], context)}
    if declared not in _TYPES:
        raise TypeError(f"no JSON Schema for {declared}")
    return {"type": _TYPES[declared]}


def json_values(value: Any) -> Any:
    """Return a value with its dataclasses and named tuples as objects.

    >>> json_values([Ref("Board")])
    [{'name': 'Board'}]
    """
    if is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
    elif hasattr(value, "_fields"):
        value = value._asdict()
    if isinstance(value, dict):
        return {key: json_values(one) for key, one in value.items()}
    return [json_values(one) for one in value] if isinstance(value, (list, tuple)) else value


def _annotated(declared: Any, context: Any) -> Schema:
    inner, *notes = get_args(declared)
    schema = schema_of(inner, context)
    for note in notes:
        if isinstance(note, Ref):
            return {"$ref": f"#/components/schemas/{note.name}"}
        more = {"description": note} if isinstance(note, str) else note.keywords
        schema |= {key: one(context) if callable(one) else one for key, one in more.items()}
    return schema


def _object(declared: Any, context: Any) -> Schema:
    """Return the schema of an object with the fields of `declared` and no others."""
    properties, required = {}, []
    for name, field in _fields(declared).items():
        needed = getattr(declared, "__total__", True)
        if get_origin(field) in (Required, NotRequired):
            needed = get_origin(field) is Required
            (field,) = get_args(field)
        properties[name] = schema_of(field, context)
        if needed:
            required.append(name)
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


@cache
def _fields(declared: Any) -> dict[str, Any]:
    return get_type_hints(declared, include_extras=True)
