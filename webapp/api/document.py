"""What programs are told: the OpenAPI document of the interface, with the schemas of answers."""

from __future__ import annotations

from dataclasses import fields
from typing import get_args

import slidewise
from slidewise import Event, Proof, Status, algorithms
from webapp.api.requests import (
    EXAMPLE,
    MAX_CODE,
    PUZZLE_FORMAT,
    Schema,
    Site,
    compare_request,
    object_of,
    solve_request,
)
from webapp.http.problems import MIMETYPE as PROBLEM
from webapp.workers import Failed, Waiting


def document(site: Site, url: str) -> Schema:
    """Return the OpenAPI document of the interface whose address is `url`."""
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
        "paths": {
            "/puzzles/{code}": {"get": _get_puzzle()},
            "/solve": {"post": _post_solve()},
            "/compare": {"post": _post_compare()},
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
        "schema": {"type": "string", "maxLength": MAX_CODE, "format": PUZZLE_FORMAT},
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


def _post_solve() -> Schema:
    return _search(
        "solve",
        "Solve a puzzle",
        "Runs one search. The result has the moves, as the directions in which the tiles move and "
        "as their numbers, the verdict (is it proved shortest?) with its reason, and the counts. "
        "A puzzle without a solution is a result too.",
        "SolveRequest",
        _answer("The result.", _ref("Result")),
    )


def _post_compare() -> Schema:
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
            **_errors("400", "403", "406", "413", "415", "422", "429", "500", "503"),
        },
    }


_COUNT = {"type": "integer", "minimum": 0}
_COUNT_OR_NULL = {"type": ["integer", "null"], "minimum": 0}
_TEXT = {"type": "string"}
_LINK = {"type": "string", "format": "uri-reference"}


def _whole(properties: Schema, **more: object) -> Schema:
    """Return the schema of an object that has all of these fields."""
    return object_of(properties, list(properties), **more)


def _result() -> Schema:
    counts = ("expanded", "generated", "peak_frontier", "peak_stored", "deepest")
    return _whole(
        {
            "puzzle": _TEXT,
            "algorithm": {"type": "string", "enum": list(algorithms())},
            "heuristic": {"type": ["string", "null"]},
            "weight": {"type": ["number", "null"]},
            "convention": {"type": "string"},
            "status": {"type": "string", "enum": [status.value for status in Status]},
            "length": {**_COUNT_OR_NULL, "description": "Moves of the path, null without one."},
            "moves": {
                "type": "string",
                "pattern": "^[UDLR]*$",
                "description": "The directions in which the tiles move.",
            },
            "tiles": {"type": "array", "items": _COUNT},
            "verdict": {
                "type": "string",
                "enum": [proof.value for proof in Proof],
                "description": "What is proved of the length of the path; `unproved` where there "
                "is none. That there can be none, the status `unsolvable`, is proved by parity.",
            },
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
    "required": ["type", "title", "status", "detail", "request_id", "version"],
    "properties": {
        "type": {
            **_LINK,
            "description": "What kind of problem it is: an address on this site that tells of it, "
            "or `about:blank` where the status does.",
        },
        "title": _TEXT,
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What was wrong, and what to do."},
        "field": {"type": "string", "description": "Where in the body it was wrong."},
        "request_id": {"type": "string", "description": "By which the log knows the request."},
        "version": {"type": "string", "description": "The version of Slidewise."},
        "contact": {"type": "string", "description": "Whom to tell, by mail or on a page."},
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
    "400": "The request is not as documented; `field` says where, if it can be read at all.",
    "403": "A page of another site made a browser send it.",
    "404": "There is no such address.",
    "405": "The address does not take the method; the header `Allow` names those that it takes.",
    "406": "The answer cannot be of the kind that the header `Accept` asks for.",
    "413": "The body is longer than {site.size:,} bytes.",
    "415": "The body is not JSON by its header `Content-Type`.",
    "422": "The request is as documented, but makes no puzzle or no search; `field` says where.",
    "429": "This visitor has begun enough searches. A program without cookies counts by its "
    "address; `Retry-After` says when to try again.",
    "500": "The fault is ours.",
    "503": "The site is full, or all solvers are busy; `Retry-After` says when to try again.",
}


def _problems(site: Site) -> Schema:
    answers = {
        f"Problem{status}": _answer(text.format(site=site), _ref("Problem"), PROBLEM)
        for status, text in _ERRORS.items()
    }
    retry = {"description": "Seconds to wait.", "schema": {"type": "integer"}}
    for status in "429", "503":
        answers[f"Problem{status}"]["headers"] = {"Retry-After": retry}
    return answers


def _errors(*statuses: str) -> Schema:
    return {status: {"$ref": f"#/components/responses/Problem{status}"} for status in statuses}


def _answer(description: str, schema: Schema, mimetype: str = "application/json") -> Schema:
    return {"description": description, "content": {mimetype: {"schema": schema}}}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}
