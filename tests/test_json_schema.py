"""JSON Schema from types: each kind of type, against an independent validator."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

import jsonschema_rs
import pytest

from slidewise.json_schema import Count, Keywords, Ref, schema_of


class Inner(NamedTuple):
    low: Count
    high: float


@dataclass
class Cost:
    expanded: Count


class Outer(TypedDict):
    name: str
    inner: Inner | None
    cost: NotRequired[Cost]


class Optional(TypedDict, total=False):
    size: Annotated[str, Keywords(pattern="^[0-9]x[0-9]$")]


INNER = {"low": 0, "high": 1.5}


@pytest.mark.parametrize(
    ("declared", "fits", "misfits"),
    [
        (Count, [0, 3], [-1, 1.5, "1", None, True]),
        (Count | None, [0, None], [-1, ""]),
        (bool, [True], [1, None]),
        (Literal["U", "D"], ["U"], ["L", "", None]),
        (list[Count], [[], [1]], [[-1], {}, None]),
        (tuple[Count, ...], [[1, 2]], [["a"]]),
        (dict[str, Count], [{}, {"a": 1}], [{"a": -1}, []]),
        (str | list[int], ["a", [1]], [1, ["a"], None]),
        (Inner, [INNER], [{}, {"low": 1}, {**INNER, "x": 1}, [0, 1.5]]),
        (
            Outer,
            [{"name": "", "inner": None}, {"name": "", "inner": INNER, "cost": {"expanded": 0}}],
            [{"inner": None}, {"name": ""}, {"name": "", "inner": None, "cost": None}],
        ),
        (Optional, [{}, {"size": "2x3"}], [{"size": "2"}, {"length": 1}]),
    ],
)
def test_value_fits_the_schema_of_its_type(declared, fits, misfits):
    validator = jsonschema_rs.validator_for(schema_of(declared))
    assert [value for value in fits if not validator.is_valid(value)] == []
    assert [value for value in misfits if validator.is_valid(value)] == []


def test_functions_in_keywords_are_called_with_the_context():
    most = Annotated[float, Keywords(maximum=lambda limit: limit), "Seconds."]
    expected = {"type": "number", "maximum": 20, "description": "Seconds."}
    assert schema_of(most, 20) == expected
    assert schema_of(most, 30) == {**expected, "maximum": 30}
    assert schema_of(list[most], 20)["items"] == expected


def test_a_reference_takes_the_place_of_a_schema():
    schema = schema_of(list[Annotated[Inner, Ref("Inner")]])
    assert schema["items"] == {"$ref": "#/components/schemas/Inner"}


@pytest.mark.parametrize("declared", [Any, bytes, object, set[int]])
def test_a_type_without_a_schema_is_an_error(declared):
    with pytest.raises(TypeError, match="no JSON Schema for"):
        schema_of(declared)
