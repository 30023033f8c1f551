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
        "size": SIZE
        | {"description": "Rows x columns; left out, it is `3x3`.", "examples": ["3x3"]},
        "moves": _MOVES
        | {
            "description": "Moves of the shortest solution, or a range of them, up to 16 cells.",
            "examples": ["20"],
        },
        "difficulty": {
            "type": "string",
            "enum": list(DIFFICULTIES),
            "description": "The same in words, where no `moves` are named; of no effect on sizes "
            "without levels.",
        },
        "seed": {
            "type": "string",
            "maxLength": MAX_SEED,
            "description": "The same seed draws the same puzzle; left out, a new one is made, and "
            "told.",
            "examples": ["7"],
        },
        "goal": {
            "type": "string",
            "enum": list(STANDARD_GOALS),
            "description": "Where the blank is in the goal, or the spiral. Left out, it is `last`.",
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
            "description": "The goal, if it is another than 1, 2, 3 ... with the blank last.",
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
            "description": "Rows x columns, where no `goal` is named: the goal is then 1, 2, 3 ... "
            f"with the blank last. Left out, it is `3x3`. Up to {TABLE_CELLS} cells."
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
        "size": SIZE | {"description": "Rows x columns of a flat list that makes no square."},
    },
    required=["board"],
    examples=[{"board": "3\n1 2 3\n4 0 6\n7 5 8"}, {"board": [1, 0, 3, 4, 2, 5], "size": "2x3"}],
)
"""What `POST /api/v1/convert` takes."""


def many_request(most_seconds: float) -> Schema:
    """Return what `POST /api/v1/many` takes."""
    return object_of(
        {
            "size": SIZE | {"description": "Rows x columns; left out, it is `3x3`."},
            "goal": board_of(BOARD_FORMAT, MAX_TEXT, "The goal, instead of a size."),
            "boards": {
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_BOARDS,
                "description": "How many boards are drawn; left out, 30 up to 10 cells, else 15.",
            },
            "moves": _MOVES
            | {"description": "Moves of their shortest solutions, or a range, up to 16 cells."},
            "seed": {
                "type": "string",
                "maxLength": SEED_CHARACTERS,
                "description": "The same seed draws the same boards; left out, it is `1`.",
            },
            "runs": {
                "type": "array",
                "items": run_items(),
                "minItems": 1,
                "maxItems": min(MAX_RUNS, MAX_RUNS_ON_MANY),
                "description": "The searches, as in a comparison; left out, some that are usual "
                "for the size.",
            },
            "weight": weight_of_all(),
            "seconds": {
                "type": "number",
                "minimum": 0.01,
                "maximum": most_seconds,
                "description": "Seconds of each search on each board; left out, 1.",
            },
        },
        examples=[{"boards": 5, "moves": "10-20", "runs": ["bfs", "astar:manhattan"]}],
    )
