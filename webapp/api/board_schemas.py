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

SHORTEST_QUERY = object_of(
    {
        "moves": {
            "type": "string",
            "pattern": "^[UDLR]{0,200}$",
            "title": "directions of the tiles, each U, D, L or R, at most 200",
            "description": "A shortest solution whose steps are returned, as the directions of "
            "the tiles; by default one that is found.",
        }
    }
)
"""What `GET /api/v1/puzzles/{code}/shortest` takes after its `?`."""

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

SHORTEST = whole(
    {
        "puzzle": TEXT,
        "length": {
            **COUNT_OR_NULL,
            "description": "Moves of each; null if there is none, or it was not found in time.",
        },
        "lower_bound": {
            **COUNT_OR_NULL,
            "description": "Each has at least this many moves; null if there is none.",
        },
        "count": {
            **COUNT_OR_NULL,
            "description": "How many there are; null if they could not be counted in time.",
        },
        "boards": {
            **COUNT_OR_NULL,
            "description": "How many boards are on them, with the start and the goal; null if "
            "that is not known.",
        },
        "reason": {**TEXT, "description": "How they were counted, or why they were not."},
        "moves": {
            **TEXT_OR_NULL,
            "description": "One of them, as the directions of the tiles; null if they were not "
            "counted.",
        },
        "steps": {
            "type": ["array", "null"],
            "items": whole(
                {
                    "board": {**TEXT, "description": "The board before the step."},
                    "solutions": {
                        "type": "object",
                        "additionalProperties": COUNT,
                        "description": "For each tile that a shortest solution can begin with "
                        "here, how many do.",
                    },
                    "forced": {
                        **BOOLEAN,
                        "description": "Whether only one tile begins a shortest solution.",
                    },
                }
            ),
            "description": "The steps of `moves`.",
        },
    }
)

FEWEST_SLIDES = whole(
    {
        "puzzle": TEXT,
        "slides": {
            **COUNT_OR_NULL,
            "description": "Slides of the solution; a slide moves all tiles from the blank up to "
            "a tile of its row or column, and counts 1. Null if there is no solution.",
        },
        "lower_bound": {
            **COUNT_OR_NULL,
            "description": "Every solution has at least this many slides; null if there is none.",
        },
        "proved": {**BOOLEAN, "description": "Whether no solution has fewer slides."},
        "tiles": {
            "type": ["array", "null"],
            "items": COUNT,
            "description": "The last tile of each slide, the farthest from the blank.",
        },
        "moves": {**TEXT_OR_NULL, "description": "The same as moves of single tiles."},
        "reason": {**TEXT, "description": "Why it is proved, or what stopped the search."},
        "expanded": {**COUNT, "description": "Boards that the search expanded."},
        "seconds": NUMBER,
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
