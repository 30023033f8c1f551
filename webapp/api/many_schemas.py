"""What programs send to run searches on many boards, and what they are told."""

from __future__ import annotations

from dataclasses import fields

from slidewise.study.sample import Measurement
from webapp.api.requests import (
    BOARD_FORMAT,
    MAX_RUNS,
    MAX_TEXT,
    MOVES,
    SIZE,
    Schema,
    board_of,
    object_of,
    run_items,
    weight_of_all,
)
from webapp.api.schemas import (
    BOOLEAN,
    COUNT,
    COUNT_OR_NULL,
    NUMBER,
    NUMBER_OR_NULL,
    TEXT,
    TEXT_OR_NULL,
    list_of,
    object_or_null,
    whole,
)
from webapp.lab.many_boards import MAX_BOARDS, SEED_CHARACTERS
from webapp.lab.many_boards import MAX_RUNS as MAX_RUNS_ON_MANY

_QUARTILES = object_or_null({"lower": NUMBER, "median": NUMBER, "upper": NUMBER})
_MEASURED = {
    **dict.fromkeys(("shortest", "length"), COUNT_OR_NULL),
    **dict.fromkeys(("expanded", "generated", "peak_stored"), COUNT),
    "heuristic": TEXT_OR_NULL,
    "weight": NUMBER_OR_NULL,
    "seconds": NUMBER,
}

MANY_BOARDS = whole(
    {
        "goal": TEXT,
        "boards": COUNT,
        "moves": {**TEXT_OR_NULL, "description": "How many were asked for."},
        "seed": TEXT,
        "seconds": {**NUMBER, "description": "Seconds for each search on each board."},
        "done": {**COUNT, "description": "Boards on which all searches have run."},
        "complete": {
            **BOOLEAN,
            "description": "Whether that is all of them. If not, the time for the answer was up: "
            "ask for fewer boards, searches or seconds.",
        },
        "summaries": list_of(
            whole(
                {
                    "name": TEXT,
                    **dict.fromkeys(("boards", "solved", "shortest"), COUNT),
                    **dict.fromkeys(("expanded", "generated", "peak_stored"), _QUARTILES),
                    "seconds": _QUARTILES,
                }
            ),
            description="For each search the numbers of boards done, solved and solved with a "
            "shortest path, and quartiles of the cost.",
        ),
        "measures": list_of(
            whole({one.name: _MEASURED.get(one.name, TEXT) for one in fields(Measurement)}),
            description="Each search on each board.",
        ),
    }
)


def many_request(most_seconds: float) -> Schema:
    """Return what `POST /api/v1/many` takes."""
    return object_of(
        {
            "size": SIZE | {"description": "Rows x columns; `3x3` by default."},
            "goal": board_of(BOARD_FORMAT, MAX_TEXT, "The goal, instead of a size."),
            "boards": {
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_BOARDS,
                "description": "How many boards to draw; by default 30 up to 10 cells, otherwise "
                "15.",
            },
            "moves": MOVES
            | {
                "description": "The length of their shortest solutions, or a range, for up to 16 "
                "cells."
            },
            "seed": {
                "type": "string",
                "maxLength": SEED_CHARACTERS,
                "description": "The same seed gives the same boards; `1` by default.",
            },
            "runs": {
                "type": "array",
                "items": run_items(),
                "minItems": 1,
                "maxItems": min(MAX_RUNS, MAX_RUNS_ON_MANY),
                "description": "The searches, as in a comparison; by default some that are usual "
                "for the size.",
            },
            "weight": weight_of_all(),
            "seconds": {
                "type": "number",
                "minimum": 0.01,
                "maximum": most_seconds,
                "description": "Seconds for each search on each board; 1 by default.",
            },
        },
        examples=[{"boards": 5, "moves": "10-20", "runs": ["bfs", "astar:manhattan"]}],
    )
