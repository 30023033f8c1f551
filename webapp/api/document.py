"""What programs are told: the OpenAPI document of the interface."""

from __future__ import annotations

import slidewise
from webapp.api import board_schemas, catalogue_schemas, many_schemas, schemas
from webapp.api.check_schemas import CHECK_REPORT, check_request
from webapp.api.operations import operations, with_headers
from webapp.api.requests import Schema, Site, compare_request, solve_request
from webapp.api.schemas import ref
from webapp.http.errors import MIMETYPE as PROBLEM


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
        "paths": operations(),
        "components": {
            "schemas": {
                "SolveRequest": solve_request(site),
                "CompareRequest": compare_request(site),
                "ManyRequest": many_schemas.many_request(site.seconds),
                "HeuristicRequest": catalogue_schemas.HEURISTIC_REQUEST,
                "ConvertRequest": board_schemas.CONVERT_REQUEST,
                "CheckRequest": check_request(site),
                "CheckReport": CHECK_REPORT,
                "Index": catalogue_schemas.INDEX,
                "Algorithms": catalogue_schemas.ALGORITHMS,
                "Heuristics": catalogue_schemas.HEURISTICS,
                "HeuristicCheck": catalogue_schemas.HEURISTIC_CHECK,
                "Puzzle": schemas.PUZZLE_FACTS,
                "Hint": board_schemas.HINT,
                "ShortestSolutions": board_schemas.SHORTEST,
                "FewestSlides": board_schemas.FEWEST_SLIDES,
                "DrawnPuzzle": board_schemas.DRAWN_PUZZLE,
                "SizeFacts": board_schemas.SIZE_FACTS,
                "Conversion": board_schemas.CONVERSION,
                "Result": schemas.result_schema(),
                "Comparison": schemas.COMPARISON,
                "ManyBoards": many_schemas.MANY_BOARDS,
                "Event": {"oneOf": [schemas.event_schema(kind) for kind in schemas.EVENTS]},
                "Problem": schemas.PROBLEM_SCHEMA,
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
"""The headers of answers that a program can use, beside `Content-Type`."""

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


def _problems(site: Site) -> Schema:
    answers = {
        f"Problem{status}": {
            "description": text.format(site=site),
            "headers": with_headers(*_MORE_HEADERS.get(status, ())),
            "content": {PROBLEM: {"schema": ref("Problem")}},
        }
        for status, text in _ERRORS.items()
    }
    return answers


_MORE_HEADERS = {"405": ("Allow",), "429": ("Retry-After",), "503": ("Retry-After",)}
