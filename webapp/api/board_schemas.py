"""What programs send to draw a puzzle or ask of boards, and what they are told."""

from __future__ import annotations

from slidewise import STANDARD_GOALS
from slidewise.puzzle.scramble import MAX_SEED
from webapp.api.requests import (
    BOARD_FORMAT,
    MAX_CODE,
    MAX_TEXT,
    MOVES,
    SIZE,
    board_of,
    object_of,
)
from webapp.api.schemas import (
    BOOLEAN,
    COUNT,
    COUNT_OR_NULL,
    LINKS,
    NUMBER,
    TEXT,
    TEXT_OR_NULL,
    list_of,
    whole,
)
from webapp.play.new import DIFFICULTIES

RANDOM_QUERY = object_of(
    {
        "size": SIZE | {"description": "Rows x columns; `3x3` by default.", "examples": ["3x3"]},
        "moves": MOVES
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

HINT = whole(
    {
        "puzzle": TEXT,
        "tile": {**COUNT_OR_NULL, "description": "The tile to move next; null at the goal."},
        "move": {
            **TEXT_OR_NULL,
            "description": "Its direction: `U`, `D`, `L` or `R`; null at the goal.",
        },
        "length": {**COUNT, "description": "The length of the solution that begins with it."},
        "lower_bound": {**COUNT, "description": "Every solution has at least this many moves."},
        "shortest": {**BOOLEAN, "description": "Whether that solution is known to be shortest."},
    }
)

DRAWN_PUZZLE = whole({"puzzle": TEXT, "seed": TEXT, "links": LINKS})

SIZE_FACTS = whole(
    {
        "rows": COUNT,
        "cols": COUNT,
        "goal": TEXT,
        "boards": {**COUNT, "description": "How many boards can reach the goal."},
        "diameter": {**COUNT, "description": "Moves that the hardest of them need."},
        "mean": {**NUMBER, "description": "Moves that they need on average."},
        "counts": list_of(COUNT, description="Boards at 0, 1, 2 ... moves."),
        "hardest": list_of(TEXT, description="The hardest boards, 20 of them at most."),
    }
)

CONVERSION = whole(
    {
        "board": {**TEXT, "description": "The code."},
        "rows": COUNT,
        "cols": COUNT,
        "notations": list_of(
            whole({"key": TEXT, "title": TEXT, "used": TEXT, "text": TEXT}),
            description="The board in each notation that can write it, and who uses the notation.",
        ),
    }
)
