"""API endpoint: check a student's search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidewise import PuzzleError, algorithms, find_algorithm, heuristics
from slidewise.solver.limits import DEFAULT_WEIGHT
from slidewise.study.check import find_rules
from webapp.api.answers import (
    JSON,
    accepted,
    blueprint,
    json_response,
    read_body,
    read_puzzle,
    refuse,
    this_site,
)
from webapp.api.schemas import Schema, object_of, puzzle_fields, weight_of_one
from webapp.api.searches import check_taken
from webapp.lab.check import checked
from webapp.workers.budgets import charge_cpu_time

if TYPE_CHECKING:
    from flask import Response

    from webapp.api.schemas import Site


MAX_CONVENTION = 200
"""Maximum length of a convention, in characters."""

EXAMPLE = "4.1.3-7.2.5-0.8.6"


def check_request(site: Site) -> Schema:
    """Return the body schema of `POST /api/v1/check`."""
    return object_of(
        {
            **puzzle_fields(),
            "algorithm": {
                "type": "string",
                "enum": [one for one in algorithms() if one != "best"],
                "description": "The search that your program runs.",
            },
            "heuristic": {
                "type": "string",
                "enum": list(heuristics()),
                "description": "For the algorithms that use one; `manhattan` by default.",
            },
            "weight": weight_of_one(),
            "convention": {
                "type": "string",
                "maxLength": MAX_CONVENTION,
                "description": "Whose rules the program follows, such as `columbia,order=rlud`; "
                "`slidewise` by default.",
            },
            "given": {
                "type": "string",
                "maxLength": site.size,
                "description": "What the program found, as text: the boards in the order in which "
                "they are expanded, one per line; a path; counts such as `nodes_expanded: 56`; CSV "
                "with a header; or JSON.",
            },
        },
        required=["puzzle", "algorithm", "given"],
        examples=[
            {"puzzle": EXAMPLE, "algorithm": "bfs", "given": "nodes_expanded: 57"},
            {"puzzle": [[4, 1, 3], [7, 2, 5], [0, 8, 6]], "algorithm": "bfs", "given": "RULU2L"},
            {
                "puzzle": EXAMPLE,
                "algorithm": "bfs",
                "given": "4.1.3-7.2.5-0.8.6\n4.1.3-7.2.5-8.0.6",
            },
        ],
    )


def _text(description: str = "") -> Schema:
    return {"type": "string", **({"description": description} if description else {})}


def _whole(properties: Schema) -> Schema:
    return object_of(properties, list(properties))


_NUMBER: Schema = {"type": ["integer", "null"]}
_BOARD: Schema = {"type": ["string", "null"]}
_STRIP = _whole({"number": {"type": "integer"}, "board": _text(), "mark": _text()})

_DIVERGENCE: Schema = {
    **_whole(
        {
            "kind": _text("Where the difference is, such as `expansion`, `path` or `count`."),
            "number": {"type": "integer"},
            "title": _text(),
            "name": _text("The count, or the value, that differs."),
            "line": {**_NUMBER, "description": "The line of the text given."},
            "yours": _text(),
            "expected": _text(),
            "reason": _text(),
            "why": {"type": "array", "items": _text()},
            "your_board": _BOARD,
            "your_board_from": _text(),
            "your_board_moved": _NUMBER,
            "expected_board": _BOARD,
            "expected_board_from": _text(),
            "expected_board_moved": _NUMBER,
            "boards": {"type": "array", "items": _STRIP},
        }
    ),
    "type": ["object", "null"],
}

_TOLD: Schema = {
    **_whole(
        {
            "kind": {"type": "string", "enum": ["convention", "mistake", "count"]},
            "key": _text(),
            "title": _text(),
            "text": _text(),
            "whole": {
                "type": "boolean",
                "description": "Whether it explains everything that was given.",
            },
            "agreed": {"type": "integer"},
            "convention": _text(),
            "mend": _text("What to change, empty if nothing needs to be."),
            "right": {"type": "boolean", "description": "Whether it breaks no rule."},
        }
    ),
    "type": ["object", "null"],
}

CHECK_REPORT = _whole(
    {
        "right": {
            "type": "boolean",
            "description": "Whether nothing given is wrong, whatever its order or convention.",
        },
        "wrong": {"type": "boolean", "description": "Whether something given is wrong."},
        "exact": {"type": "boolean", "description": "Whether it is exactly as expected."},
        "score": {"type": "integer", "description": "Properties that are not wrong, of 100."},
        "properties": {
            "type": "array",
            "items": _whole(
                {
                    "key": {"type": "string", "enum": ["path", "length", "rules", "counts"]},
                    "right": {"type": ["boolean", "null"]},
                    "words": _text(),
                }
            ),
        },
        "title": _text(),
        "puzzle": _text(),
        "algorithm": _text(),
        "heuristic": {"type": ["string", "null"]},
        "weight": {"type": ["number", "null"]},
        "convention": _text(),
        "given": _text("What was read, in words."),
        "so_far": _text(),
        "agreed": {"type": "integer", "description": "The first expansions that are right."},
        "divergence": _DIVERGENCE,
        "explanation": _TOLD,
        "unexplained": _text(),
        "counts": {
            "type": "array",
            "items": _whole(
                {
                    "count": _text(),
                    "title": _text(),
                    "yours": _NUMBER,
                    "expected": _NUMBER,
                    "difference": _NUMBER,
                    "derived": {"type": "boolean"},
                }
            ),
        },
        "notes": {"type": "array", "items": _text()},
        "expansions": {"type": "integer"},
        "complete": {"type": "boolean"},
    }
)
"""Response of `POST /api/v1/check`."""


@blueprint.post("/v1/check")
@charge_cpu_time()
def check_work() -> Response:
    """Check the output of a student's search."""
    accepted(JSON)
    body = read_body(check_request(this_site()))
    board, algorithm = read_puzzle(body), body["algorithm"]
    convention, heuristic = body.get("convention", "slidewise"), body.get("heuristic")
    try:
        find_rules(convention, algorithm)
    except PuzzleError as error:
        refuse("convention", str(error))
    if heuristic is not None and not find_algorithm(algorithm).uses_heuristic:
        refuse("heuristic", f"the algorithm {algorithm} takes no heuristic: leave it out")
    check_taken(algorithm, body)
    weight = round(body.get("weight", DEFAULT_WEIGHT), 2)
    found = checked(str(board), algorithm, heuristic, convention, body["given"], weight)
    if "error" in found:
        line = f"line {found['line']:,}: " if found["line"] else ""
        refuse("given", f"{line}{found['error']}")
    return json_response(found)
