"""What programs can ask for: the OpenAPI document, and the schemas that requests are checked
against, which are parts of it."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, NamedTuple, get_args

import webapp
from webapp.search import Proof, Status, algorithms, heuristics
from webapp.search.events import Event
from webapp.search.exact import MOST_CELLS
from webapp.search.expressions import MOST_TYPED
from webapp.search.limits import MAX_STORED_NODES
from webapp.search.weights import DEFAULT_WEIGHT, HIGHEST_WEIGHT
from webapp.web.problems import MIMETYPE as PROBLEM
from webapp.web.workers import Failed, Waiting

Schema = dict[str, Any]

MOST_RUNS = 16
"""So many searches are compared at a time."""

MOST_TRACED = 2_000
"""So many expansions are told one by one, as on the page that shows them."""

MOST_TEXT, MOST_CODE = 4_000, 8_001
"""The longest board and the longest puzzle code that are looked at, in characters."""

MOST_COUNT = 999_999_999

PUZZLE_FORMAT, BOARD_FORMAT = "sliding-puzzle", "sliding-board"
OWN_FORMAT, OWN_RUN_FORMAT = "sliding-heuristic", "sliding-search"
"""How the document calls the texts that the notation, and the language of expressions, allow,
which no pattern can tell."""

EXAMPLE = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"
EXAMPLE_OWN = "=max(manhattan, 2 * misplaced)"


_OWN_PATTERN = rf"=[\s\S]{{1,{MOST_TYPED}}}"
_OWN: Schema = {
    "title": f"an expression of up to {MOST_TYPED} characters after =",
    "pattern": f"^{_OWN_PATTERN}$",
    "format": OWN_FORMAT,
}
_ABOUT_OWN = (
    f"On boards of up to {MOST_CELLS} cells it may be one of your own, an expression after `=`,"
)


class Site(NamedTuple):
    """What the site allows: seconds of one search, seconds that an answer in JSON is waited for,
    bytes of a request."""

    seconds: float
    wait: float
    size: int


def solve_request(site: Site) -> Schema:
    """Return what `POST /api/v1/solve` takes."""
    return _object(
        {
            **_puzzle_fields(),
            "algorithm": {
                "type": "string",
                "enum": list(algorithms()),
                "description": "How to search. Left out, it is `best`; or `astar` where a "
                "heuristic is named.",
            },
            "heuristic": {
                "type": "string",
                "anyOf": [{"enum": list(heuristics())}, _OWN],
                "description": "The estimate, for the algorithms that use one. Left out, it is "
                f"`manhattan`. {_ABOUT_OWN} such as `{EXAMPLE_OWN}`; where that cannot be read, "
                "the error says at which character after the `=`.",
            },
            "depth": {
                "type": "integer",
                "minimum": 1,
                "maximum": MOST_COUNT,
                "description": f"Look no deeper than so many moves; for {_taking('depth')}.",
            },
            "weight": _weight(f"for {_taking('weight')} only"),
            "limits": _limits(site),
            "trace": {
                "type": "integer",
                "minimum": 0,
                "maximum": MOST_TRACED,
                "description": "Tell the first so many expansions, each as an event; in an event "
                "stream.",
            },
        },
        required=["puzzle"],
        examples=[
            {"puzzle": EXAMPLE, "algorithm": "astar", "heuristic": "manhattan"},
            {"puzzle": EXAMPLE, "algorithm": "astar", "heuristic": EXAMPLE_OWN},
        ],
    )


def compare_request(site: Site) -> Schema:
    """Return what `POST /api/v1/compare` takes."""
    names = "|".join(algorithms()), "|".join(heuristics())
    usual = {"pattern": f"^({names[0]})(:({names[1]}))?$"}
    own = {
        "title": "an algorithm, a colon and an expression as for heuristic",
        "pattern": f"^({names[0]}):{_OWN_PATTERN}$",
        "format": OWN_RUN_FORMAT,
    }
    return _object(
        {
            **_puzzle_fields(),
            "runs": {
                "type": "array",
                "items": {"type": "string", "anyOf": [usual, own]},
                "minItems": 1,
                "maxItems": MOST_RUNS,
                "description": "The searches in their order: an algorithm, and where it uses one "
                f"a heuristic after a colon. {_ABOUT_OWN} such as `astar:{EXAMPLE_OWN}`. Left "
                "out, all that make sense on this size are compared.",
            },
            "weight": _weight(f"of those that take one: {_taking('weight')}"),
            "limits": _limits(site),
        },
        required=["puzzle"],
        examples=[
            {"puzzle": EXAMPLE, "runs": ["bfs", "astar:misplaced", "astar:manhattan"]},
            {"puzzle": EXAMPLE, "runs": ["astar:manhattan", f"astar:{EXAMPLE_OWN}"]},
        ],
    )


def document(site: Site, url: str) -> Schema:
    """Return the OpenAPI document of the interface whose address is `url`."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Slidewise",
            "version": webapp.__version__,
            "summary": "Sliding-tile puzzles, solved, with a verdict on each solution.",
            "description": _ABOUT.strip().format(site=site),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": url}],
        "paths": {
            "/puzzles/{code}": {"get": _get_puzzle()},
            "/solve": {"post": _post_solve(site)},
            "/compare": {"post": _post_compare(site)},
        },
        "components": {
            "schemas": {
                "SolveRequest": solve_request(site),
                "CompareRequest": compare_request(site),
                "Puzzle": _PUZZLE_FACTS,
                "Result": _result(),
                "Comparison": _COMPARISON,
                "Event": {"oneOf": [_event(kind) for kind in EVENTS]},
                "Problem": _PROBLEM,
            },
            "responses": _problems(site),
        },
    }


_ABOUT = """
The solver behind the pages, for programs: the same limits, queue and errors. No key is needed,
and no cookies are read or set.

Answers are JSON, or for a search an event stream (`Accept: text/event-stream`): there each event
has an id that counts on, its kind, and its fields as JSON; a comment comes at least twice a
second. Close the connection to stop the search; a stream cannot be taken up again.

An answer in JSON takes {site.wait:g} s of searching at most, a stream {site.seconds:g} s, whatever
the limits say; what is known by then is told, with the status `cutoff` where there is no solution.
Memory is limited too.

An error is a problem document (RFC 9457) whose `detail` says what was wrong and what to do.

There are no CORS headers: this is for programs, not for scripts on the pages of other sites.
"""


def _get_puzzle() -> Schema:
    code = {
        "name": "code",
        "in": "path",
        "required": True,
        "description": "The puzzle code: rows joined by `-`, cells by dots, 0 for the blank, and "
        "after `_` the goal if it is another than 1, 2, 3 ... with the blank last.",
        "schema": {"type": "string", "maxLength": MOST_CODE, "format": PUZZLE_FORMAT},
        "example": EXAMPLE,
    }
    return {
        "operationId": "getPuzzle",
        "summary": "What is known of a puzzle",
        "description": "Size, goal, whether the goal can be reached and why, what each heuristic "
        "estimates, and up to 10 cells how many moves it takes. A code that is spelled in another "
        "way than the usual one is redirected.",
        "parameters": [code],
        "responses": {
            "200": _answer("The puzzle.", _ref("Puzzle")),
            "308": {
                "description": "The puzzle has another spelling.",
                "headers": {"Location": {"schema": {"type": "string", "format": "uri-reference"}}},
            },
            **_errors("404", "406", "422", "500", "503"),
        },
    }


def _post_solve(site: Site) -> Schema:
    return _search(
        "solve",
        "Solve a puzzle",
        "Runs one search. The result has the moves, as the directions in which the tiles move and "
        "as their numbers, the verdict (is it proved shortest?) with its reason, and the counts. "
        "A puzzle without a solution is a result too.",
        "SolveRequest",
        _answer("The result.", _ref("Result")),
    )


def _post_compare(site: Site) -> Schema:
    return _search(
        "compare",
        "Compare searches on one puzzle",
        "Runs the searches one after the other; what is left of the time is shared evenly between "
        "those to come. In an event stream each event also has the number of its search, from 1 "
        "on, and its name.",
        "CompareRequest",
        _answer("The results, in the order of the searches.", _ref("Comparison")),
    )


def _search(name: str, summary: str, description: str, request: str, answer: Schema) -> Schema:
    # Each event of the stream, as OpenAPI 3.2 has it too; the data is JSON, so Event is inside.
    data = {
        "type": "string",
        "contentMediaType": "application/json",
        "contentSchema": _ref("Event"),
    }
    stream = _whole(
        {
            "event": {"type": "string", "enum": [event_kind(kind) for kind in EVENTS]},
            "id": _TEXT,
            "data": data,
        }
    )
    answer["content"]["text/event-stream"] = {"schema": stream}
    return {
        "operationId": name,
        "summary": summary,
        "description": description,
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": _ref(request)}},
        },
        "responses": {
            "200": answer,
            **_errors("400", "403", "406", "413", "415", "422", "500", "503"),
        },
    }


def _puzzle_fields() -> Schema:
    return {
        "puzzle": {
            "type": "string",
            "maxLength": MOST_CODE,
            "format": PUZZLE_FORMAT,
            "description": "A puzzle code, or a start board in any notation that the site reads, "
            "such as `1 2 3 4 5 6 7 8 0`.",
        },
        "goal": {
            "type": "string",
            "maxLength": MOST_TEXT,
            "format": BOARD_FORMAT,
            "description": "The goal, unless the code has it: by default 1, 2, 3 ... with the "
            "blank last.",
        },
        "size": {
            "type": "string",
            "pattern": "^([2-9]|10)x([2-9]|10)$",
            "description": "Rows x columns, as in `2x3`, of a flat list that fills no square.",
        },
    }


def _weight(takers: str) -> Schema:
    return {
        "type": "number",
        "minimum": 1,
        "maximum": HIGHEST_WEIGHT,
        "description": f"How much the estimate counts, {takers}; rounded to two decimals. Left "
        f"out, it is {DEFAULT_WEIGHT:g}.",
    }


def _limits(site: Site) -> Schema:
    return _object(
        {
            "seconds": {
                "type": "number",
                "minimum": 0.01,
                "maximum": site.seconds,
                "description": "Seconds of each search.",
            },
            "expansions": {
                "type": "integer",
                "minimum": 1,
                "maximum": MOST_COUNT,
                "description": "Nodes expanded by each search.",
            },
            "stored_nodes": {
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_STORED_NODES,
                "description": "Nodes kept in memory; no more than the site has room for.",
            },
        },
        description="What each search may use, within what the site allows.",
    )


_COUNT = {"type": "integer", "minimum": 0}
_COUNT_OR_NULL = {"type": ["integer", "null"], "minimum": 0}
_TEXT = {"type": "string"}
_LINK = {"type": "string", "format": "uri-reference"}


def _object(properties: Schema, required: list[str] | None = None, **more: object) -> Schema:
    """Return the schema of an object with these fields and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": required or [],
        "additionalProperties": False,
        **more,
    }


def _whole(properties: Schema, **more: object) -> Schema:
    """Return the schema of an object that has all of these fields."""
    return _object(properties, list(properties), **more)


def _result() -> Schema:
    counts = ("expanded", "generated", "peak_frontier", "peak_stored", "deepest")
    return _whole(
        {
            "puzzle": _TEXT,
            "algorithm": {"type": "string", "enum": list(algorithms())},
            "heuristic": {"type": ["string", "null"]},
            "weight": {"type": ["number", "null"]},
            "status": {"type": "string", "enum": [status.value for status in Status]},
            "length": {**_COUNT_OR_NULL, "description": "Moves of the path, null without one."},
            "moves": {
                "type": "string",
                "pattern": "^[UDLR]*$",
                "description": "The directions in which the tiles move.",
            },
            "tiles": {"type": "array", "items": _COUNT},
            "verdict": {"type": "string", "enum": [proof.value for proof in Proof]},
            "lower_bound": {
                **_COUNT_OR_NULL,
                "description": "So many moves every solution needs; null if there is none.",
            },
            "reason": {"type": "string", "description": "Why the verdict holds."},
            **dict.fromkeys(counts, _COUNT),
            "seconds": {"type": "number", "minimum": 0},
        }
    )


_COMPARISON = _whole(
    {
        "puzzle": _TEXT,
        "results": {"type": "array", "items": {"$ref": "#/components/schemas/Result"}},
    }
)

_PUZZLE_FACTS = _whole(
    {
        "puzzle": {"type": "string", "description": "The code."},
        "rows": _COUNT,
        "cols": _COUNT,
        "start": _TEXT,
        "goal": _TEXT,
        "goal_name": {"type": "string", "description": "Such as blank last, or custom."},
        "solvable": {"type": "boolean"},
        "parity": _whole(
            {
                **dict.fromkeys(("transpositions", "grid_distance"), _COUNT),
                **dict.fromkeys(("inversions", "row_distance"), _COUNT),
                "explanation": _TEXT,
            },
            description="The numbers that decide whether the goal can be reached.",
        ),
        "distance": {
            **_COUNT_OR_NULL,
            "description": "Moves of a shortest solution, null where that is not known at once.",
        },
        "lower_bound": {
            **_COUNT_OR_NULL,
            "description": "So many moves every solution needs; null if there is none.",
        },
        "estimates": {
            "type": "object",
            "additionalProperties": _COUNT_OR_NULL,
            "description": "What each heuristic for this size says; null where its tables are "
            "not ready: ask again.",
        },
        "links": _whole(
            {"self": _LINK, "play": _LINK, "picture": _LINK}, description="Addresses on this site."
        ),
    }
)

_PROBLEM = {
    "type": "object",
    "required": ["title", "status", "detail"],
    "properties": {
        "title": _TEXT,
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What was wrong, and what to do."},
        "field": {"type": "string", "description": "Where in the body it was wrong."},
    },
}

EVENTS: tuple[type, ...] = (Waiting, *get_args(Event), Failed)
"""All that an event stream can tell."""


def event_kind(event: object) -> str:
    """Return the kind of an event, as it stands in a stream and in the event's JSON."""
    return (event if isinstance(event, type) else type(event)).__name__.lower()


def _event(event: type) -> Schema:
    """Return the schema of a kind of event; its words are those of the code."""
    about = " ".join((event.__doc__ or "").split()).replace("None", "null")
    known = {"result": _ref("Result")} if event_kind(event) == "finished" else {}
    names = [field.name for field in fields(event)]
    return {
        "type": "object",
        "title": event.__name__,
        "description": about,
        "required": ["event", *names],
        "properties": {
            "event": {"const": event_kind(event)},
            **{name: known.get(name, {}) for name in names},
        },
    }


_ERRORS = {
    "400": "The request is not as documented; `field` says where.",
    "403": "A page of another site made a browser send it.",
    "404": "There is no such address.",
    "405": "The address does not take the method; the header `Allow` names those that it takes.",
    "406": "The answer cannot be of the kind that the header `Accept` asks for.",
    "413": "The body is longer than {site.size:,} bytes.",
    "415": "The body is not JSON by its header `Content-Type`.",
    "422": "The request is as documented, but makes no puzzle or no search.",
    "500": "The fault is ours.",
    "503": "All solvers are busy, or this visitor has begun enough.",
}


def _problems(site: Site) -> Schema:
    answers = {
        f"Problem{status}": _answer(text.format(site=site), _ref("Problem"), PROBLEM)
        for status, text in _ERRORS.items()
    }
    retry = {"description": "Seconds to wait.", "schema": {"type": "integer"}}
    answers["Problem503"]["headers"] = {"Retry-After": retry}
    return answers


def _errors(*statuses: str) -> Schema:
    return {status: {"$ref": f"#/components/responses/Problem{status}"} for status in statuses}


def _answer(description: str, schema: Schema, mimetype: str = "application/json") -> Schema:
    return {"description": description, "content": {mimetype: {"schema": schema}}}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _taking(option: str) -> str:
    return ", ".join(f"`{key}`" for key, entry in algorithms().items() if option in entry.options)
