"""What programs may send: the schemas that requests are checked against, which the OpenAPI
document has too."""

from __future__ import annotations

from typing import Any, NamedTuple

from slidewise import algorithms, heuristics
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.solver.limits import MAX_STORED_NODES
from slidewise.solver.own.parse import TYPED_CHARACTERS
from slidewise.solver.weights import DEFAULT_WEIGHT, HIGHEST_WEIGHT

Schema = dict[str, Any]

MAX_RUNS = 16
"""The most searches of one comparison."""

MAX_TRACED = 2_000
"""The most expansions that are told one by one, as on the page that shows them."""

MAX_TEXT, MAX_CODE = 4_000, 8_001
"""The longest board and the longest puzzle code that are looked at, in characters."""

MAX_COUNT = 999_999_999

PUZZLE_FORMAT, BOARD_FORMAT = "sliding-puzzle", "sliding-board"
OWN_FORMAT, OWN_RUN_FORMAT = "sliding-heuristic", "sliding-search"
"""How the document calls the texts that the notation, and the language of expressions, allow,
which no pattern can tell."""

EXAMPLE = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"
EXAMPLE_OWN = "=max(manhattan, 2 * misplaced)"


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
    """What the site allows: seconds of one search, seconds that an answer in JSON is waited for,
    bytes of a request."""

    seconds: float
    wait: float
    size: int


def solve_request(site: Site) -> Schema:
    """Return what `POST /api/v1/solve` takes."""
    return object_of(
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
                "description": "The estimate, for the algorithms that use one; others refuse it. "
                f"Left out, it is `manhattan`. {_ABOUT_OWN} such as `{EXAMPLE_OWN}`; where that "
                "cannot be read, the error says at which character after the `=`.",
            },
            "depth": {
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_COUNT,
                "description": f"Look no deeper than so many moves; for {_taking('depth')}.",
            },
            "weight": _weight(f"for {_taking('weight')} only"),
            "limits": _limits(site),
            "trace": {
                "type": "integer",
                "minimum": 0,
                "maximum": MAX_TRACED,
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
    return object_of(
        {
            **_puzzle_fields(),
            "runs": {
                "type": "array",
                "items": {"type": "string", "anyOf": [usual, own]},
                "minItems": 1,
                "maxItems": MAX_RUNS,
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


def _puzzle_fields() -> Schema:
    return {
        "puzzle": {
            "type": "string",
            "maxLength": MAX_CODE,
            "format": PUZZLE_FORMAT,
            "description": "A puzzle code, or a start board in any notation that the site reads, "
            "such as `1 2 3 4 5 6 7 8 0`.",
        },
        "goal": {
            "type": "string",
            "maxLength": MAX_TEXT,
            "format": BOARD_FORMAT,
            "description": "The goal, unless the code has it: by default 1, 2, 3 ... with the "
            "blank last.",
        },
        "size": {
            "type": "string",
            "title": "rows x columns, each from 2 to 10, as in 2x3",
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
    return object_of(
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
                "maximum": MAX_COUNT,
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
