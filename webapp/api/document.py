"""The OpenAPI document of the API, with its index and its page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, TypedDict
from urllib.parse import urlencode

from flask import Response, current_app, redirect, render_template, request, url_for
from werkzeug import Response as AnyResponse

from slidewise import __version__
from slidewise.json_schema import Keywords, Schema, schema_of

from ..http.errors import MIMETYPE as PROBLEM
from ..http.errors import TYPES
from ..http.requests import API_PREFIX
from . import schemas
from .operations import ApiOperation, json_response, operation, operations
from .schemas import JSON, STREAM, Link, blueprint, this_site


class OperationJSON(TypedDict):
    id: str
    method: str
    path: str
    summary: str


class IndexJSON(TypedDict):
    name: str
    version: str
    page: Link
    document: Link
    operations: list[OperationJSON]


class StreamedEvent(TypedDict):
    event: Annotated[
        str, Keywords(enum=lambda _: [schemas.event_kind(kind) for kind in schemas.EVENTS])
    ]
    id: str
    # as in OpenAPI 3.2; the data is JSON, so Event is inside
    data: Annotated[
        str, Keywords(contentMediaType="application/json", contentSchema=schemas.ref("Event"))
    ]


Code = Annotated[
    schemas.PuzzleCode,
    Keywords(examples=[schemas.EXAMPLE]),
    "The puzzle code: rows joined by `-`, cells by dots, 0 for the blank, and after `_` the goal "
    "if it is not 1, 2, 3 ... with the blank last.",
]
"""Argument of a path that `current_puzzle` reads, so that no view declares it."""

_MOVED: Schema = {
    "description": "The puzzle has another spelling.",
    "headers": {"Location": {"schema": {"type": "string", "format": "uri-reference"}}},
}


def _described(path: str, declared: ApiOperation, site: schemas.Site) -> Schema:
    found: Schema = {
        "operationId": declared.name,
        "summary": declared.summary,
        "description": declared.description,
        "responses": _responses(path, declared),
    }
    if parameters := list(_parameters(path, declared, site)):
        found["parameters"] = parameters
    if "body" in declared.types:
        content = {JSON: {"schema": schemas.ref(_component(declared.types["body"]))}}
        found["requestBody"] = {"required": True, "content": content}
    return found


def _parameters(path: str, declared: ApiOperation, site: schemas.Site) -> Iterator[Schema]:
    code = {"code": Code} if "{code}" in path else {}
    for name, one in {**code, **declared.path_types}.items():
        schema = schema_of(one, site)
        about = {"required": True, "description": schema.pop("description", "")}
        yield {"name": name, "in": "path", **about, **_with_example(schema)}
    if "query" in declared.types:
        for name, schema in schema_of(declared.types["query"], site)["properties"].items():
            about = {"description": schema.get("description", "")}
            yield {"name": name, "in": "query", **about, **_with_example(schema)}


def _with_example(schema: Schema) -> Schema:
    """Return the schema of a parameter, whose first example stands next to it."""
    examples = schema.pop("examples", None)
    return {"schema": schema, **({"example": examples[0]} if examples else {})}


def _responses(path: str, declared: ApiOperation) -> Schema:
    content = {JSON: {"schema": schemas.ref(_component(declared.response))}}
    if STREAM in declared.media:
        content[STREAM] = {"schema": schema_of(StreamedEvent)}
    answer = {"description": declared.answer, "headers": with_headers(), "content": content}
    errors = {"406", "500", *declared.errors}
    if "query" in declared.types or "body" in declared.types:
        errors.add("400")
    if "body" in declared.types:
        errors |= {"403", "413", "415"}
    if "{" in path:
        errors.add("404")
    return {
        "200": answer,
        **({"308": _MOVED} if "{code}" in path else {}),
        **declared.others,
        **{
            status: {"$ref": f"#/components/responses/Problem{status}"} for status in sorted(errors)
        },
    }


def _component(declared: type) -> str:
    """Return the name of a declaration in the document: `Result` for `ResultJSON`."""
    return declared.__name__.removesuffix("JSON")


def _components(declared: Iterable[ApiOperation], site: schemas.Site) -> Schema:
    """Return the schemas of bodies and responses by name, one per declaration."""
    schemas_of: dict[str, Schema] = {}
    types: dict[str, Any] = {}
    for one in declared:
        body, response = one.types.get("body"), one.response
        for of_type in (body, response) if body else (response,):
            name = _component(of_type)
            if types.setdefault(name, of_type) is not of_type:
                raise ValueError(f"two classes are called {name} in the document: rename one")
            schemas_of.setdefault(name, schema_of(of_type, site))
        if body:
            schemas_of[_component(body)].setdefault("examples", []).extend(one.examples)
    return schemas_of


def with_headers(*more: str) -> Schema:
    """Return the headers that all responses have, and `more`."""
    for_scripts = ("Access-Control-Allow-Origin", "Access-Control-Expose-Headers")
    names = ("Cache-Control", "X-Request-ID", *for_scripts, *more)
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def document(site: schemas.Site, url: str) -> Schema:
    """Return the OpenAPI document of the API at `url`."""
    declared = list(operations(current_app))
    paths: Schema = {}
    for rule, method, one in declared:
        # <path:name> of Flask is {name} in OpenAPI
        path = re.sub(r"<(?:[^<>]*:)?(\w+)>", r"{\1}", rule).removeprefix(API_PREFIX) or "/"
        paths.setdefault(path, {})[method.lower()] = _described(path, one, site)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Slidewise",
            "version": __version__,
            "summary": "Sliding-tile puzzles, solved, with a verdict on each solution.",
            "description": _ABOUT.strip().format(site=site),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": url}],
        "paths": paths,
        "components": {
            "schemas": {
                **_components((one for *_, one in declared), site),
                "Problem": {**schema_of(schemas.ProblemJSON, site), "additionalProperties": True},
                "Event": {"oneOf": [schemas.event_schema(kind) for kind in schemas.EVENTS]},
            },
            "responses": _problems(site),
            "headers": HEADERS,
        },
    }


_ABOUT = """
The solver behind the pages, for programs: the same limits, queue and errors. No key is needed,
and no cookies are read or set.

Answers are JSON, or for a search an event stream (`Accept: text/event-stream`). There each event
has an id that counts up, its kind, and its fields as JSON, and a comment comes at least twice a
second. Close the connection to stop the search. A stream cannot be resumed.

A search that is answered in JSON may run for {site.wait:g} s, one that is streamed for
{site.seconds:g} s, whatever limits you ask for. If it has no solution by then, its status is
`cutoff`, and the answer says what is known. Memory is limited too.

An error is a problem document (RFC 9457) whose `detail` says what was wrong and what to do.

Scripts on the pages of other sites may send any `GET`, without cookies. They may send a `POST`
if the setting `SLIDEWISE_CORS` of this site names their site.
"""

HEADERS: Schema = {
    "Cache-Control": {
        "description": "Always `no-store`: the answer can change as more becomes known.",
        "schema": {"type": "string"},
    },
    "X-Request-ID": {
        "description": "The id of the request in the log.",
        "schema": {"type": "string"},
    },
    "Access-Control-Allow-Origin": {
        "description": "Always `*` for a `GET`; for a `POST` only if the site allows the origin.",
        "schema": {"type": "string"},
    },
    "Access-Control-Expose-Headers": {
        "description": "Which of these headers a script of another site can read.",
        "schema": {"type": "string"},
    },
    "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}},
    "Allow": {
        "description": "The methods that the address accepts.",
        "schema": {"type": "string"},
    },
    "Vary": {
        "description": "Which headers of the request the answer depends on.",
        "schema": {"type": "string"},
    },
}
"""Response headers in addition to `Content-Type`."""

_ERRORS = {
    "400": "The request is not as documented; `field` says where, if it can be read at all.",
    "403": "It was sent by a browser from a page of another site.",
    "404": "There is no such address.",
    "405": "The address does not accept the method; the header `Allow` names the methods "
    "that it accepts.",
    "406": "The answer is not available in any format that the header `Accept` asks for.",
    "413": "The body is longer than {site.size:,} bytes.",
    "415": "The header `Content-Type` does not say that the body is JSON.",
    "422": "The request is as documented, but does not make a valid puzzle or search; `field` "
    "says where.",
    "429": "This visitor has started too many searches. Programs without cookies are counted by "
    "address. `Retry-After` says when to try again.",
    "500": "The fault is ours.",
    "503": "The site is full, or all solvers are busy; `Retry-After` says when to try again.",
}


def _problems(site: schemas.Site) -> Schema:
    answers = {
        f"Problem{status}": {
            "description": text.format(site=site),
            "headers": with_headers(*_MORE_HEADERS.get(status, ())),
            "content": {PROBLEM: {"schema": schemas.ref("Problem")}},
        }
        for status, text in _ERRORS.items()
    }
    return answers


_MORE_HEADERS = {"405": ("Allow",), "429": ("Retry-After",), "503": ("Retry-After",)}


HTML = "text/html"


@blueprint.get("")
def about() -> str:
    """Show the API documentation, with examples to copy."""
    api = _document()
    return render_template("api/index.html", api=api, examples=_examples(api), problem_types=TYPES)


@blueprint.get("/v1", strict_slashes=False)
@operation(
    "index",
    "All operations",
    "All operations with their addresses. A browser is redirected to the page.",
    "The index.",
    media=(),  # the view answers any browser or program
    others={"302": {"description": "A browser is redirected to the page."}},
    place=0,
)
def root() -> IndexJSON | AnyResponse:
    """List the operations; redirect a browser to the documentation."""
    if request.accept_mimetypes.best_match([JSON, HTML]) == HTML:
        response: AnyResponse = redirect(url_for("api.about"))
    else:
        response = json_response(_index())
    response.vary.add("Accept")
    return response


@blueprint.get("/v1/openapi.json")
def openapi() -> Response:
    """API endpoint: the OpenAPI document."""
    return json_response(_document())


def _document() -> dict[str, Any]:
    return document(this_site(), f"{request.script_root}{API_PREFIX}")


def _index() -> IndexJSON:
    api = _document()
    server = api["servers"][0]["url"]
    return {
        "name": api["info"]["title"],
        "version": __version__,
        "page": url_for("api.about"),
        "document": url_for("api.openapi"),
        "operations": [
            {
                "id": operation["operationId"],
                "method": method.upper(),
                "path": f"{server}{path if path != '/' else ''}",
                "summary": operation["summary"],
            }
            for path, methods in api["paths"].items()
            for method, operation in methods.items()
        ],
    }


def _examples(api: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return shell commands for the operations of an OpenAPI document, by their ids."""
    site = request.host_url.rstrip("/") + api["servers"][0]["url"]
    found = {}
    for path, methods in api["paths"].items():
        for one in methods.values():
            found[one["operationId"]] = list(_commands(site + path, one, api))
    return found


def _commands(url: str, operation: Mapping[str, Any], api: Mapping[str, Any]) -> Iterator[str]:
    named = operation.get("parameters", ())
    path = {one["name"]: one.get("example", "...") for one in named if one["in"] == "path"}
    query = {
        one["name"]: one["example"] for one in named if one["in"] == "query" and "example" in one
    }
    if "requestBody" not in operation:
        address = url.rstrip("/").format(**path)
        yield f"curl '{address}?{urlencode(query)}'" if query else f"curl {address}"
        return
    name = operation["requestBody"]["content"][JSON]["schema"]["$ref"].rpartition("/")[2]
    body = json.dumps(next(iter(api["components"]["schemas"][name]["examples"]), {}))
    post = f"{url.format(**path)} -H 'Content-Type: {JSON}' -d '{body}'"
    yield f"curl {post}"
    if STREAM in operation["responses"]["200"]["content"]:
        yield f"curl -N {post} -H 'Accept: {STREAM}'"
