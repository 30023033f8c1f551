"""JSON schemas of API requests, responses and events.

Requests are validated against them, and the OpenAPI document contains them.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, NamedTuple, get_args

from slidewise import Event, Proof, Status, algorithms, heuristics
from slidewise.puzzle.board import MAX_SIDE, MIN_SIDE, TABLE_CELLS
from slidewise.solver.convention import ALGORITHMS, conventions
from slidewise.solver.limits import DEFAULT_WEIGHT, HIGHEST_WEIGHT, MAX_STORED_NODES
from slidewise.solver.own.parse import TYPED_CHARACTERS
from webapp.workers import Failed, Waiting

Schema = dict[str, Any]

MAX_RUNS = 16
"""Maximum number of searches in a comparison."""

MAX_TRACED = 2_000
"""Maximum number of expansions in a trace, as on the page that shows them."""

MAX_TEXT, MAX_CODE = 4_000, 8_001
"""Maximum lengths of a board and of a puzzle code, in characters."""

MAX_COUNT = 999_999_999

MAX_PATH_BOARDS = 2_000
"""Moves of the longest path whose boards are returned: depth-first search finds paths of a million
moves."""

MAX_CELLS, MAX_CONVENTION = MAX_SIDE * MAX_SIDE, 200

PUZZLE_FORMAT, BOARD_FORMAT = "sliding-puzzle", "sliding-board"
CELLS_FORMAT, ROWS_FORMAT, CONVENTION_FORMAT = "sliding-cells", "sliding-rows", "sliding-convention"
OWN_FORMAT, OWN_RUN_FORMAT = "sliding-heuristic", "sliding-search"
"""Formats of strings that a parser validates because no pattern can."""

EXAMPLE = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"
EXAMPLE_OWN = "=max(manhattan, 2 * misplaced)"


SIZE: Schema = {
    "type": "string",
    "title": "rows x columns, each from 2 to 10, as in 2x3",
    "pattern": "^([2-9]|10)x([2-9]|10)$",
}

MOVES: Schema = {
    "type": "string",
    "title": "a number of moves such as 20, or a range such as 10-20",
    "pattern": r"^[0-9]{1,3}(-[0-9]{1,3})?$",
}

_BOARDS: Schema = {
    "type": "boolean",
    "description": "Also return the boards of the path, from the start to the goal, in `boards` "
    "of a "
    f"result; null if there is no path, or one of more than {MAX_PATH_BOARDS:,} moves.",
}

_BY_CONVENTION = ", ".join(f"`{key}`" for key in ALGORITHMS)

_OWN_PATTERN = rf"=[\s\S]{{1,{TYPED_CHARACTERS}}}"
_OWN: Schema = {
    "title": f"an expression of up to {TYPED_CHARACTERS} characters after =",
    "pattern": f"^{_OWN_PATTERN}$",
    "format": OWN_FORMAT,
}
_ABOUT_OWN = (
    f"On boards of up to {TABLE_CELLS} cells it may be one of your own, an expression after `=`,"
)


class Site(NamedTuple):
    """Limits of the site: seconds of a search, seconds of a JSON response, bytes of a request."""

    seconds: float
    wait: float
    size: int


def solve_request(site: Site) -> Schema:
    """Return the body schema of `POST /api/v1/solve`."""
    return object_of(
        {
            **puzzle_fields(),
            **_search_fields("The default is `best`, or `astar` if a heuristic is given."),
            "limits": _limits(site),
            "boards": _BOARDS,
            "trace": {
                "type": "integer",
                "minimum": 0,
                "maximum": MAX_TRACED,
                "description": "Return this many of the first expansions, each as an event, in an "
                "event stream.",
            },
        },
        required=["puzzle"],
        examples=[
            {"puzzle": EXAMPLE, "algorithm": "astar", "heuristic": "manhattan"},
            {"puzzle": EXAMPLE, "algorithm": "astar", "heuristic": EXAMPLE_OWN},
            {"puzzle": [[1, 2, 3], [4, 0, 6], [7, 5, 8]], "algorithm": "bfs", "boards": True},
            {"puzzle": EXAMPLE, "algorithm": "astar", "convention": "columbia"},
        ],
    )


def _search_fields(usual: str) -> Schema:
    """Return the fields of one search; `usual` describes the default algorithm."""
    return {
        "algorithm": {
            "type": "string",
            "enum": list(algorithms()),
            "description": f"How to search. {usual}",
        },
        "heuristic": heuristic_field(
            "The estimate, for the algorithms that use one; others refuse it. `manhattan` by "
            "default."
        ),
        "depth": {
            "type": "integer",
            "minimum": 1,
            "maximum": MAX_COUNT,
            "description": f"Look no deeper than this many moves; for {_taking('depth')}.",
        },
        "weight": weight_of_one(),
        "convention": _convention(f"for {_BY_CONVENTION}"),
    }


def compare_request(site: Site) -> Schema:
    """Return the body schema of `POST /api/v1/compare`."""
    run = object_of(_search_fields("It is needed."), required=["algorithm"])
    return object_of(
        {
            **puzzle_fields(),
            "runs": {
                "type": "array",
                "items": {"anyOf": [run_items(), run]},
                "minItems": 1,
                "maxItems": MAX_RUNS,
                "description": "The searches in their order: an algorithm, and where it uses one "
                f"a heuristic after a colon. {_ABOUT_OWN} such as `astar:{EXAMPLE_OWN}`. Or an "
                "object with `algorithm`, and `heuristic`, `depth`, `weight` and `convention` as "
                "`/solve` takes them. By default all that make sense for this size are compared.",
            },
            "weight": weight_of_all(),
            "convention": _convention(f"of those that have others: {_BY_CONVENTION}"),
            "limits": _limits(site),
            "boards": _BOARDS,
        },
        required=["puzzle"],
        examples=[
            {"puzzle": EXAMPLE, "runs": ["bfs", "astar:misplaced", "astar:manhattan"]},
            {"puzzle": EXAMPLE, "runs": ["astar:manhattan", f"astar:{EXAMPLE_OWN}"]},
            {
                "puzzle": EXAMPLE,
                "runs": [
                    {"algorithm": "wastar", "weight": 1.5},
                    {"algorithm": "wastar", "weight": 5},
                    {"algorithm": "dfs", "depth": 30},
                ],
            },
        ],
    )


def run_items() -> Schema:
    """Return the schema of a search written as a string, such as `astar:manhattan`."""
    names = "|".join(algorithms()), "|".join(heuristics())
    usual = {
        "title": f"an algorithm ({', '.join(algorithms())}), and where it uses one a colon and a "
        f"heuristic ({', '.join(heuristics())})",
        "pattern": f"^({names[0]})(:({names[1]}))?$",
    }
    own = {
        "title": "an algorithm, a colon and an expression as for heuristic",
        "pattern": f"^({names[0]}):{_OWN_PATTERN}$",
        "format": OWN_RUN_FORMAT,
    }
    return {"type": "string", "anyOf": [usual, own]}


def heuristic_field(description: str) -> Schema:
    """Return the schema of a heuristic: a key or an expression."""
    return {
        "type": "string",
        "anyOf": [{"enum": list(heuristics())}, _OWN],
        "description": f"{description} {_ABOUT_OWN} such as `{EXAMPLE_OWN}`; where that cannot be "
        "read, the error says at which character after the `=`.",
    }


def weight_of_one() -> Schema:
    """Return the schema of the weight of one search."""
    return _weight(f"for {_taking('weight')} only")


def weight_of_all() -> Schema:
    """Return the schema of the weight of several searches."""
    return _weight(f"of those that take one: {_taking('weight')}")


def puzzle_fields() -> Schema:
    """Return the fields of a puzzle: start, goal and size."""
    return {
        "puzzle": board_of(
            PUZZLE_FORMAT,
            MAX_CODE,
            "A puzzle code, or a start board in any notation that the site reads, such as "
            "`1 2 3 4 5 6 7 8 0`; or a list of its cells, with 0 for the blank, or of its rows.",
        ),
        "goal": board_of(
            BOARD_FORMAT,
            MAX_TEXT,
            "The goal, unless the code contains it; by default 1, 2, 3 ... with the blank last. "
            "Text or "
            "a list, like the puzzle.",
        ),
        "size": SIZE
        | {
            "description": "Rows x columns, as in `2x3`, if the cells are listed one after the "
            "other and do not make a square."
        },
    }


def board_of(text_format: str, most: int, description: str) -> Schema:
    """Return the schema of a board or a puzzle: a string, a list of cells or a list of rows."""
    cells = {"type": "array", "items": {"type": "integer", "minimum": -1, "maximum": 99}}
    return {
        "anyOf": [
            {"type": "string", "maxLength": most, "format": text_format},
            {**cells, "minItems": 4, "maxItems": MAX_CELLS, "format": CELLS_FORMAT},
            {
                "type": "array",
                "items": {**cells, "minItems": MIN_SIDE, "maxItems": MAX_SIDE},
                "minItems": MIN_SIDE,
                "maxItems": MAX_SIDE,
                "format": ROWS_FORMAT,
            },
        ],
        "description": description,
    }


def _convention(takers: str) -> Schema:
    return {
        "type": "string",
        "maxLength": MAX_CONVENTION,
        "format": CONVENTION_FORMAT,
        "description": "The textbook or course whose rules the search follows, such as "
        f"`columbia`, or with changes `aima,order=rlud,ties=last-in`; {takers}. One of "
        f"{', '.join(f'`{key}`' for key in conventions())}. `slidewise` by default.",
    }


def _weight(takers: str) -> Schema:
    return {
        "type": "number",
        "minimum": 1,
        "maximum": HIGHEST_WEIGHT,
        "description": f"The weight of the estimate, {takers}; rounded to two decimals, "
        f"{DEFAULT_WEIGHT:g} by default.",
    }


def _limits(site: Site) -> Schema:
    return object_of(
        {
            "seconds": {
                "type": "number",
                "minimum": 0.01,
                "maximum": site.seconds,
                "description": "Seconds for each search.",
            },
            "expansions": {
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_COUNT,
                "description": "Nodes expanded by each search.",
            },
            "stored_nodes": {
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_STORED_NODES,
                "description": "Nodes stored in memory, limited by what the site has room for.",
            },
        },
        description="What each search may use, within what the site allows.",
    )


def object_of(properties: Schema, required: list[str] | None = None, **more: object) -> Schema:
    """Return the schema of an object with these fields and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": required or [],
        "additionalProperties": False,
        **more,
    }


def _taking(option: str) -> str:
    return ", ".join(f"`{key}`" for key, entry in algorithms().items() if option in entry.options)


NUMBER = {"type": "number", "minimum": 0}
NUMBER_OR_NULL = {"type": ["number", "null"]}
BOOLEAN = {"type": "boolean"}
COUNT = {"type": "integer", "minimum": 0}
COUNT_OR_NULL = {"type": ["integer", "null"], "minimum": 0}
TEXT = {"type": "string"}
TEXT_OR_NULL = {"type": ["string", "null"]}
LINK = {"type": "string", "format": "uri-reference"}


def whole(properties: Schema, **more: object) -> Schema:
    """Return the schema of an object whose fields are all required."""
    return object_of(properties, list(properties), **more)


def object_or_null(properties: Schema) -> Schema:
    """Return the schema of null or an object whose fields are all required."""
    return {**whole(properties), "type": ["object", "null"]}


def list_of(items: Schema, **more: object) -> Schema:
    """Return the schema of a list of `items`."""
    return {"type": "array", "items": items, **more}


def result_schema() -> Schema:
    counts = ("expanded", "generated", "peak_frontier", "peak_stored", "deepest")
    told = whole(
        {
            "puzzle": TEXT,
            "algorithm": {"type": "string", "enum": list(algorithms())},
            "heuristic": {"type": ["string", "null"]},
            "weight": {"type": ["number", "null"]},
            "convention": {"type": "string"},
            "status": {"type": "string", "enum": [status.value for status in Status]},
            "length": {
                **COUNT_OR_NULL,
                "description": "The length of the path; null if there is none.",
            },
            "moves": {
                "type": "string",
                "pattern": "^[UDLR]*$",
                "description": "The directions in which the tiles move.",
            },
            "tiles": {"type": "array", "items": COUNT},
            "verdict": {
                "type": "string",
                "enum": [proof.value for proof in Proof],
                "description": "What is proved about the length of the path; `unproved` if there "
                "is none. The status `unsolvable`, that there can be none, is proved by parity.",
            },
            "lower_bound": {
                **COUNT_OR_NULL,
                "description": "Every solution has at least this many moves; null if there is "
                "none.",
            },
            "reason": {"type": "string", "description": "Why the verdict holds."},
            **dict.fromkeys(counts, COUNT),
            "seconds": NUMBER,
        }
    )
    told["properties"]["boards"] = {
        "type": ["array", "null"],
        "items": TEXT,
        "description": "The boards of the path, if they were asked for; null as described there.",
    }
    return told


COMPARISON = whole(
    {
        "puzzle": TEXT,
        "results": {"type": "array", "items": {"$ref": "#/components/schemas/Result"}},
    }
)

LINKS = whole({"self": LINK, "play": LINK, "picture": LINK}, description="Addresses on this site.")

PUZZLE_FACTS = whole(
    {
        "puzzle": {"type": "string", "description": "The code."},
        "rows": COUNT,
        "cols": COUNT,
        "start": TEXT,
        "goal": TEXT,
        "goal_name": {"type": "string", "description": "Such as blank last, or custom."},
        "solvable": {"type": "boolean"},
        "parity": whole(
            {
                **dict.fromkeys(("transpositions", "grid_distance"), COUNT),
                **dict.fromkeys(("inversions", "row_distance"), COUNT),
                "explanation": TEXT,
            },
            description="The numbers that decide whether the goal can be reached.",
        ),
        "distance": {
            **COUNT_OR_NULL,
            "description": "The length of a shortest solution; null if it is not known at once.",
        },
        "lower_bound": {
            **COUNT_OR_NULL,
            "description": "Every solution has at least this many moves; null if there is none.",
        },
        "estimates": {
            "type": "object",
            "additionalProperties": COUNT_OR_NULL,
            "description": "What each heuristic for this size says; null if its tables are not "
            "ready yet, so ask again.",
        },
        "links": LINKS,
    }
)

PROBLEM_SCHEMA = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "request_id", "version"],
    "properties": {
        "type": {
            **LINK,
            "description": "What kind of problem it is: an address on this site that describes "
            "it, or `about:blank` if the status says enough.",
        },
        "title": TEXT,
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What was wrong, and what to do."},
        "field": {"type": "string", "description": "Where in the body it was wrong."},
        "request_id": {"type": "string", "description": "The id of the request in the log."},
        "version": {"type": "string", "description": "The version of Slidewise."},
        "contact": {"type": "string", "description": "Whom to contact, by mail or on a page."},
        "readings": {
            "type": "array",
            "items": whole({"means": TEXT, "puzzle": TEXT}),
            "description": "If a text can mean several boards: each meaning, and how to write it "
            "so that it can mean nothing else.",
        },
    },
}

EVENTS: tuple[type, ...] = (Waiting, *get_args(Event), Failed)
"""All kinds of events in a stream."""


def event_kind(event: object) -> str:
    """Return the kind of an event, as in a stream and in the event's JSON."""
    return (event if isinstance(event, type) else type(event)).__name__.lower()


def event_schema(event: type) -> Schema:
    """Return the schema of a kind of event, with its docstring as description."""
    about = " ".join((event.__doc__ or "").split()).replace("None", "null")
    known = {"result": ref("Result")} if event_kind(event) == "finished" else {}
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


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}
