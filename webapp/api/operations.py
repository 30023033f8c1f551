"""Operations of the API, declared at their views.

A declaration validates the requests to its view and describes it in the OpenAPI document.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, wraps
from inspect import isclass
from types import UnionType
from typing import Any, TypedDict, Union, get_args, get_origin, get_type_hints

from flask import Flask, Response, abort, request
from werkzeug import Response as AnyResponse

from slidewise.json_schema import Schema, schema_of

from ..http.errors import problem
from ..workers.jobs import LostError
from .schemas import JSON, this_site
from .validation import SchemaError, check

EXPENSIVE = ("422", "429", "503")
"""Errors of operations that use CPU time."""

LAST = 1_000
"""Default place of an operation, after all operations of this package."""

_schema_of = cache(schema_of)


class EmptyQuery(TypedDict):
    """Query of an operation without parameters."""


@dataclass(frozen=True)
class ApiOperation:
    """Declaration of an operation; `types` are the types of the view's arguments, by name."""

    name: str
    summary: str
    description: str
    answer: str
    types: Mapping[str, Any]
    response: Any
    errors: Sequence[str]
    examples: Sequence[Schema]
    media: Sequence[str]
    others: Mapping[str, Schema]
    place: int

    @property
    def path_types(self) -> dict[str, Any]:
        """Return the types of the path's arguments."""
        others = {"query", "body", "media"}
        return {name: self.types[name] for name in self.types if name not in others}


def operation(
    name: str,
    summary: str,
    description: str,
    answer: str,
    *,
    errors: Sequence[str] = (),
    examples: Sequence[Schema] = (),
    media: Sequence[str] = (JSON,),
    others: Mapping[str, Schema] | None = None,
    place: int = LAST,
) -> Callable[[Callable[..., object]], Callable[..., AnyResponse]]:
    """Declare a view below `/api/v1` as an operation of the API.

    The view's annotations are its schemas. The arguments `query` and `body` are parsed and
    validated, and the path's arguments are validated. A view without `query` ignores the query.
    The returned value is sent as JSON. For other types in `media` the view returns a `Response`;
    its argument `media` is the type that the client prefers.

        @blueprint.get("/api/v1/towers/<size>")
        @operation("getTower", "A tower", "The tower of a size.", "The tower.", errors=["422"])
        def tower(size: Size, query: EmptyQuery) -> TowerJSON: ...

    `answer` describes the response with status 200, and `others` further responses. `errors` are
    error statuses that do not follow from the arguments. `examples` are bodies. The document lists
    operations by `place`, and at equal places in the order of registration.
    """

    def declare(view: Callable[..., object]) -> Callable[..., AnyResponse]:
        types = get_type_hints(view, include_extras=True)
        declared = ApiOperation(
            name,
            summary,
            description,
            answer,
            response=_json_type(types.pop("return")),
            types=types,
            errors=errors,
            examples=examples,
            media=media,
            others=others or {},
            place=place,
        )

        @wraps(view)
        def checked(**values: Any) -> AnyResponse:
            try:
                answer = view(**_arguments(declared, values))
            except SchemaError as error:
                return problem(400, f"{error}.", **({"field": error.field} if error.field else {}))
            except LostError as error:
                return problem(500, str(error))
            return answer if isinstance(answer, AnyResponse) else json_response(answer)

        checked.operation = declared  # type: ignore[attr-defined]
        return checked

    return declare


def operations(app: Flask) -> Iterable[tuple[str, str, ApiOperation]]:
    """Return the rule, method and declaration of each operation, ordered by place."""
    found = [
        (rule.rule, method, declared)
        for rule in app.url_map.iter_rules()
        if (declared := getattr(app.view_functions[rule.endpoint], "operation", None))
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
    ]
    return sorted(found, key=lambda one: one[2].place)


def _json_type(returned: Any) -> Any:
    """Return the JSON type in the annotation of a view, which may be a union with `Response`."""
    ways = get_args(returned) if get_origin(returned) in (Union, UnionType) else (returned,)
    (declared,) = (way for way in ways if not (isclass(way) and issubclass(way, AnyResponse)))
    return declared


def _arguments(declared: ApiOperation, values: Mapping[str, Any]) -> dict[str, Any]:
    types, found = declared.types, dict(values)
    media = accepted(*declared.media) if declared.media else ""
    if "media" in types:
        found["media"] = media
    if "query" in types:
        found["query"] = _checked(types["query"], _query())
    if "body" in types:
        found["body"] = _checked(types["body"], _body())
    for name, declaration in declared.path_types.items():
        _checked(declaration, values[name], name)
    return found


def accepted(*offered: str) -> str:
    """Return the offered media type that the client prefers; 406 if it accepts none."""
    if not request.accept_mimetypes:
        return offered[0]  # without the header any type is acceptable
    return request.accept_mimetypes.best_match(offered) or abort(406)


def _checked(declared: Any, value: object, field: str = "") -> object:
    """Return the value; raise `SchemaError` if it violates the schema of `declared`."""
    check(value, _schema_of(declared, this_site()), field)
    return value


def _query() -> dict[str, str]:
    for name, texts in request.args.lists():
        if len(texts) > 1:
            raise SchemaError(
                f"{name[:100]} must be given once, found {len(texts)} times", name[:100]
            )
    return request.args.to_dict()


def _body() -> object:
    if request.mimetype != JSON:
        abort(415)
    sent = request.get_data(cache=False)
    if len(sent) >= this_site().size:  # without Content-Length, Flask truncates the body
        abort(413)
    try:
        return json.loads(sent, parse_constant=_refuse_constant)  # NaN and Infinity
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"the body cannot be read as JSON: {error}") from None


def _refuse_constant(constant: str) -> None:
    raise ValueError(f"{constant} is not a JSON number")


def json_response(answer: object) -> Response:
    """Build a JSON response that is never cached."""
    response = Response(f"{json.dumps(answer)}\n", mimetype=JSON)
    response.headers["Cache-Control"] = "no-store"
    return response
