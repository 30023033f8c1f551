"""What programs may send beside searches: the fields of addresses and of bodies."""

from __future__ import annotations

from slidewise import STANDARD_GOALS
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.puzzle.scramble import MAX_SEED
from webapp.api.requests import (
    BOARD_FORMAT,
    EXAMPLE_OWN,
    MAX_CODE,
    MAX_RUNS,
    MAX_TEXT,
    SIZE,
    Schema,
    board_of,
    heuristic_field,
    object_of,
    run_items,
    weight_of_all,
)
from webapp.lab.many_boards import MAX_BOARDS, SEED_CHARACTERS
from webapp.lab.many_boards import MAX_RUNS as MAX_RUNS_ON_MANY
from webapp.play.new import DIFFICULTIES

_MOVES: Schema = {
    "type": "string",
    "title": "a number of moves such as 20, or a range such as 10-20",
    "pattern": r"^[0-9]{1,3}(-[0-9]{1,3})?$",
}

RANDOM_QUERY = object_of(
    {
        "size": SIZE | {"description": "Rows x columns; `3x3` by default.", "examples": ["3x3"]},
        "moves": _MOVES
        | {
            "description": "The length of the shortest solution, or a range of lengths, for up "
            "to 16 cells.",
            "examples": ["20"],
        },
        "difficulty": {
            "type": "string",
            "enum": list(DIFFICULTIES),
            "description": "A level of difficulty, if no `moves` are given; ignored for sizes "
            "without levels.",
        },
        "seed": {
            "type": "string",
            "maxLength": MAX_SEED,
            "description": "The same seed gives the same puzzle; without one a new seed is chosen "
            "and returned.",
            "examples": ["7"],
        },
        "goal": {
            "type": "string",
            "enum": list(STANDARD_GOALS),
            "description": "Where the blank is in the goal, or the spiral; `last` by default.",
        },
    }
)
"""What `GET /api/v1/random` takes."""

FACTS_QUERY = object_of(
    {
        "goal": {
            "type": "string",
            "maxLength": MAX_TEXT,
            "format": BOARD_FORMAT,
            "description": "The goal, if it is not 1, 2, 3 ... with the blank last.",
        }
    }
)
"""What `GET /api/v1/facts/{size}` takes after its `?`."""

CHECK_REQUEST = object_of(
    {
        "heuristic": heuristic_field("The heuristic to check."),
        "goal": board_of(BOARD_FORMAT, MAX_TEXT, "The goal, as text or as a list."),
        "size": SIZE
        | {
            "description": "Rows x columns, if no `goal` is given: the goal is then 1, 2, 3 ... "
            f"with the blank last. `3x3` by default, up to {TABLE_CELLS} cells."
        },
    },
    required=["heuristic"],
    examples=[{"heuristic": EXAMPLE_OWN}, {"heuristic": "misplaced", "size": "2x3"}],
)
"""What `POST /api/v1/heuristics/check` takes."""

CONVERT_REQUEST = object_of(
    {
        "board": board_of(
            BOARD_FORMAT,
            MAX_CODE,
            "The board, in any notation that the site reads, or as a list.",
        ),
        "size": SIZE
        | {"description": "Rows x columns of a flat list that does not make a square."},
    },
    required=["board"],
    examples=[{"board": "3\n1 2 3\n4 0 6\n7 5 8"}, {"board": [1, 0, 3, 4, 2, 5], "size": "2x3"}],
)
"""What `POST /api/v1/convert` takes."""


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
            "moves": _MOVES
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
