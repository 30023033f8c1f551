"""The OpenAPI document of the API, with its index and its page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, TypedDict
from urllib.parse import urlencode

from flask import Response, redirect, render_template, request, url_for
from werkzeug import Response as AnyResponse

import slidewise
from slidewise import __version__
from slidewise.json_schema import Keywords, Schema, schema_of
from slidewise.solver.fewest_slides import FewestSlidesJSON
from slidewise.solver.result import ResultJSON
from slidewise.study.check.report import ReportJSON
from slidewise.study.distance import SizeFactsJSON
from slidewise.study.shortest_solutions import ShortestSolutionsJSON

from ..http.errors import MIMETYPE as PROBLEM
from ..http.errors import TYPES
from . import boards, catalogue, schemas, searches
from .schemas import JSON, STREAM, blueprint, json_response, this_site
from .searches import CheckRequest

EXPENSIVE_ERRORS = ("422", "429", "500", "503")
"""Errors of operations that use CPU time."""

_CODE = {
    "name": "code",
    "in": "path",
    "required": True,
    "description": "The puzzle code: rows joined by `-`, cells by dots, 0 for the blank, and "
    "after `_` the goal if it is not 1, 2, 3 ... with the blank last.",
    "schema": schema_of(schemas.PuzzleCode),
    "example": schemas.EXAMPLE,
}
_SIZE = {
    "name": "size",
    "in": "path",
    "required": True,
    "description": "Rows x columns, as in `3x3`, up to 10 cells.",
    "schema": schema_of(schemas.Size),
    "example": "3x3",
}
_MOVED = {
    "308": {
        "description": "The puzzle has another spelling.",
        "headers": {"Location": {"schema": {"type": "string", "format": "uri-reference"}}},
    }
}


CHECKED_EXAMPLE = "4.1.3-7.2.5-0.8.6"

REQUESTS: dict[str, Any] = {
    "SolveRequest": Annotated[
        schemas.SolveRequest,
        Keywords(
            examples=[
                {"puzzle": schemas.EXAMPLE, "algorithm": "astar", "heuristic": "manhattan"},
                {"puzzle": schemas.EXAMPLE, "algorithm": "astar", "heuristic": schemas.EXAMPLE_OWN},
                {"puzzle": [[1, 2, 3], [4, 0, 6], [7, 5, 8]], "algorithm": "bfs", "boards": True},
                {"puzzle": schemas.EXAMPLE, "algorithm": "astar", "convention": "columbia"},
            ]
        ),
    ],
    "CompareRequest": Annotated[
        schemas.CompareRequest,
        Keywords(
            examples=[
                {"puzzle": schemas.EXAMPLE, "runs": ["bfs", "astar:misplaced", "astar:manhattan"]},
                {
                    "puzzle": schemas.EXAMPLE,
                    "runs": ["astar:manhattan", f"astar:{schemas.EXAMPLE_OWN}"],
                },
                {
                    "puzzle": schemas.EXAMPLE,
                    "runs": [
                        {"algorithm": "wastar", "weight": 1.5},
                        {"algorithm": "wastar", "weight": 5},
                        {"algorithm": "dfs", "depth": 30},
                    ],
                },
            ]
        ),
    ],
    "ManyRequest": Annotated[
        searches.ManyRequest,
        Keywords(examples=[{"boards": 5, "moves": "10-20", "runs": ["bfs", "astar:manhattan"]}]),
    ],
    "HeuristicRequest": Annotated[
        catalogue.HeuristicRequest,
        Keywords(
            examples=[{"heuristic": schemas.EXAMPLE_OWN}, {"heuristic": "misplaced", "size": "2x3"}]
        ),
    ],
    "ConvertRequest": Annotated[
        boards.ConvertRequest,
        Keywords(
            examples=[
                {"board": "3\n1 2 3\n4 0 6\n7 5 8"},
                {"board": [1, 0, 3, 4, 2, 5], "size": "2x3"},
            ]
        ),
    ],
    "CheckRequest": Annotated[
        CheckRequest,
        Keywords(
            examples=[
                {"puzzle": CHECKED_EXAMPLE, "algorithm": "bfs", "given": "nodes_expanded: 57"},
                {
                    "puzzle": [[4, 1, 3], [7, 2, 5], [0, 8, 6]],
                    "algorithm": "bfs",
                    "given": "RULU2L",
                },
                {
                    "puzzle": CHECKED_EXAMPLE,
                    "algorithm": "bfs",
                    "given": "4.1.3-7.2.5-0.8.6\n4.1.3-7.2.5-8.0.6",
                },
            ]
        ),
    ],
}
"""Declarations of the bodies of requests, with examples, by their names in the document."""

RESPONSES: dict[str, Any] = {
    "CheckReport": ReportJSON,
    "Index": catalogue.IndexJSON,
    "Algorithms": catalogue.AlgorithmListJSON,
    "Heuristics": catalogue.HeuristicListJSON,
    "HeuristicCheck": catalogue.HeuristicCheckJSON,
    "Puzzle": boards.PuzzleFactsJSON,
    "Hint": boards.HintJSON,
    "ShortestSolutions": ShortestSolutionsJSON,
    "FewestSlides": FewestSlidesJSON,
    "DrawnPuzzle": boards.DrawnPuzzleJSON,
    "SizeFacts": SizeFactsJSON,
    "Conversion": boards.ConversionJSON,
    "Result": ResultJSON,
    "Comparison": schemas.ComparisonJSON,
    "ManyBoards": searches.ManyBoardsJSON,
    "Problem": Annotated[schemas.ProblemJSON, Keywords(additionalProperties=True)],
}
"""Declarations of the responses, by their names in the document."""


class StreamedEvent(TypedDict):
    event: Annotated[
        str, Keywords(enum=lambda _: [schemas.event_kind(kind) for kind in schemas.EVENTS])
    ]
    id: str
    # as OpenAPI 3.2 has it too; the data is JSON, so Event is inside
    data: Annotated[
        str, Keywords(contentMediaType="application/json", contentSchema=schemas.ref("Event"))
    ]


def operations() -> Schema:
    """Return all operations by their paths and methods."""
    return {
        "/": {
            "get": _get(
                "index",
                "All operations",
                "All operations with their addresses. A browser is redirected to the page.",
                "Index",
                "The index.",
                errors=("406", "500"),
                more={"302": {"description": "A browser is redirected to the page."}},
            )
        },
        "/algorithms": {
            "get": _get(
                "listAlgorithms",
                "The algorithms",
                "What each guarantees and costs, and which options it takes.",
                "Algorithms",
                "The algorithms.",
            )
        },
        "/heuristics": {
            "get": _get(
                "listHeuristics",
                "The heuristics",
                "What holds for each on all boards.",
                "Heuristics",
                "The heuristics.",
            )
        },
        "/heuristics/check": {
            "post": _post(
                "checkHeuristic",
                "Check a heuristic on all boards",
                "Whether a heuristic, which may be your own, is admissible and consistent for a "
                "goal. It is compared with the true distance of every board, up to 10 cells. If "
                "it is not, the answer gives the nearest board that shows it and the worst.",
                "HeuristicRequest",
                _answer("What was found.", schemas.ref("HeuristicCheck")),
            )
        },
        "/puzzles/{code}": {
            "get": _get(
                "getPuzzle",
                "What is known about a puzzle",
                "Size, goal, whether the goal can be reached and why, what each heuristic "
                "estimates, and up to 10 cells how many moves it takes. A code that is not in its "
                "usual spelling is redirected.",
                "Puzzle",
                "The puzzle.",
                [_CODE],
                errors=("404", "406", "422", "500", "503"),
                more=_MOVED,
            )
        },
        "/puzzles/{code}/hint": {
            "get": _get(
                "getHint",
                "The next move",
                "Which tile to move next: along a shortest solution up to 16 cells, if one is "
                "found in time, otherwise along the best solution known. There is always a hint "
                "if the goal can be reached.",
                "Hint",
                "The hint.",
                [_CODE],
                errors=("400", "404", "406", "422", "500", "503"),
                more=_MOVED,
            )
        },
        "/puzzles/{code}/shortest": {
            "get": _get(
                "countShortestSolutions",
                "How many shortest solutions there are",
                "Counts them in single moves, and tells for each step of one of them which tiles "
                "a shortest solution can begin with there, so which moves are forced. Always "
                "up to 10 cells; up to 16 cells where it takes a few seconds.",
                "ShortestSolutions",
                "The number of shortest solutions.",
                [_CODE, *_query(boards.ShortestQuery)],
                errors=("400", "404", "406", *EXPENSIVE_ERRORS),
                more=_MOVED,
            )
        },
        "/puzzles/{code}/slides": {
            "get": _get(
                "findFewestSlides",
                "The fewest slides",
                "Finds a solution in the fewest slides of whole lines of tiles. Always up to 10 "
                "cells; up to 16 the best that is found in a few seconds, with a lower bound.",
                "FewestSlides",
                "The solution.",
                [_CODE],
                errors=("400", "404", "406", *EXPENSIVE_ERRORS),
                more=_MOVED,
            )
        },
        "/random": {
            "get": _get(
                "drawPuzzle",
                "A random puzzle",
                "Drawn from all boards that can be solved, or from those whose shortest solution "
                "has the length you ask for.",
                "DrawnPuzzle",
                "The puzzle, and the seed that gives it again.",
                _query(boards.RandomQuery),
                errors=("400", "406", *EXPENSIVE_ERRORS),
            )
        },
        "/facts/{size}": {
            "get": _get(
                "getSize",
                "All boards of a size",
                "How many boards can reach a goal, how many moves they need, and the hardest.",
                "SizeFacts",
                "The boards by their distance.",
                [_SIZE, *_query(boards.FactsQuery)],
                errors=("400", "404", "406", *EXPENSIVE_ERRORS),
            )
        },
        "/check": {
            "post": _post(
                "check",
                "Check your own search",
                "Compares what a program found (a path, counts or the boards that it expanded) "
                "with the search that it is meant to be. A convention or a known mistake that "
                "explains a difference is looked for within the number of expansions given. Text "
                "that cannot be read is refused with its line.",
                "CheckRequest",
                _answer("What is right, and what differs first.", schemas.ref("CheckReport")),
            )
        },
        "/convert": {
            "post": _post(
                "convertBoard",
                "A board in all notations",
                "Reads a board as programs, courses and other sites write it, and writes it in "
                "all of those ways. Text that can mean several boards is refused, with all its "
                "meanings.",
                "ConvertRequest",
                _answer("The board.", schemas.ref("Conversion")),
            )
        },
        "/solve": {"post": _solve()},
        "/compare": {"post": _compare()},
        "/many": {
            "post": _post(
                "runOnMany",
                "The same searches on many boards",
                "Draws boards from a seed and runs searches on each of them, for as long as an "
                "answer in JSON may take. The answer has medians, quartiles and every single "
                "run.",
                "ManyRequest",
                _answer("What was measured.", schemas.ref("ManyBoards")),
            )
        },
    }


def _solve() -> Schema:
    return _search(
        "solve",
        "Solve a puzzle",
        "Runs one search. The result has the moves, as the directions in which the tiles move and "
        "as their numbers, the verdict (is it proved shortest?) with its reason, and the counts. "
        "A puzzle without a solution is a result too.",
        "SolveRequest",
        _answer("The result.", schemas.ref("Result")),
    )


def _compare() -> Schema:
    return _search(
        "compare",
        "Compare searches on one puzzle",
        "Runs the searches one after the other. The remaining time is shared evenly between those "
        "still to come. In an event stream each event also has the number of its search, counted "
        "from 1, and its name.",
        "CompareRequest",
        _answer("The results, in the order of the searches.", schemas.ref("Comparison")),
    )


def _search(name: str, summary: str, description: str, request: str, answer: Schema) -> Schema:
    answer["content"]["text/event-stream"] = {"schema": schema_of(StreamedEvent)}
    return _post(name, summary, description, request, answer)


def _get(
    name: str,
    summary: str,
    description: str,
    schema: str,
    answer: str,
    parameters: list[Schema] | None = None,
    *,
    errors: tuple[str, ...] = ("400", "406", "500"),
    more: Schema | None = None,
) -> Schema:
    found: dict[str, Any] = {
        "operationId": name,
        "summary": summary,
        "description": description,
        "responses": {
            "200": _answer(answer, schemas.ref(schema)),
            **(more or {}),
            **_errors(*errors),
        },
    }
    return found | {"parameters": parameters} if parameters else found


def _post(name: str, summary: str, description: str, request: str, answer: Schema) -> Schema:
    return {
        "operationId": name,
        "summary": summary,
        "description": description,
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": schemas.ref(request)}},
        },
        "responses": {
            "200": answer,
            **_errors("400", "403", "406", "413", "415", *EXPENSIVE_ERRORS),
        },
    }


def _query(declared: type) -> list[Schema]:
    """Return the query parameters of a declaration."""
    return [
        {
            "name": name,
            "in": "query",
            "description": field["description"],
            "schema": {key: value for key, value in field.items() if key != "examples"},
            **({"example": field["examples"][0]} if "examples" in field else {}),
        }
        for name, field in schema_of(declared)["properties"].items()
    ]


def _errors(*statuses: str) -> Schema:
    return {status: {"$ref": f"#/components/responses/Problem{status}"} for status in statuses}


def _answer(description: str, schema: Schema) -> Schema:
    return {
        "description": description,
        "headers": with_headers(),
        "content": {"application/json": {"schema": schema}},
    }


def with_headers(*more: str) -> Schema:
    """Return the headers that all responses have, and `more`."""
    for_scripts = ("Access-Control-Allow-Origin", "Access-Control-Expose-Headers")
    names = ("Cache-Control", "X-Request-ID", *for_scripts, *more)
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def document(site: schemas.Site, url: str) -> Schema:
    """Return the OpenAPI document of the API at `url`."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Slidewise",
            "version": slidewise.__version__,
            "summary": "Sliding-tile puzzles, solved, with a verdict on each solution.",
            "description": _ABOUT.strip().format(site=site),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": url}],
        "paths": operations(),
        "components": {
            "schemas": {
                **{
                    name: schema_of(declared, site)
                    for name, declared in {**REQUESTS, **RESPONSES}.items()
                },
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
"""Response headers beside `Content-Type`."""

_ERRORS = {
    "400": "The request is not as documented; `field` says where, if it can be read at all.",
    "403": "It was sent by a browser from a page of another site.",
    "404": "There is no such address.",
    "405": "The address does not accept the method; the header `Allow` names those that it "
    "accepts.",
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
def root() -> AnyResponse:
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
    return document(this_site(), f"{request.script_root}/api/v1")


def _index() -> catalogue.IndexJSON:
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
        for operation in methods.values():
            found[operation["operationId"]] = list(_commands(site + path, operation, api))
    return found


def _commands(url: str, operation: Mapping[str, Any], api: Mapping[str, Any]) -> Iterator[str]:
    if "requestBody" not in operation:
        named = operation.get("parameters", ())
        path = {one["name"]: one["example"] for one in named if one["in"] == "path"}
        query = {
            one["name"]: one["example"]
            for one in named
            if one["in"] == "query" and "example" in one
        }
        address = f"{url.rstrip('/')}".format(**path)
        yield f"curl '{address}?{urlencode(query)}'" if query else f"curl {address}"
        return
    name = operation["requestBody"]["content"][JSON]["schema"]["$ref"].rpartition("/")[2]
    body = json.dumps(api["components"]["schemas"][name]["examples"][0])
    post = f"{url} -H 'Content-Type: {JSON}' -d '{body}'"
    yield f"curl {post}"
    if STREAM in operation["responses"]["200"]["content"]:
        yield f"curl -N {post} -H 'Accept: {STREAM}'"
