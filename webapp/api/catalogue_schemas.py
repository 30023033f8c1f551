"""What programs are told of algorithms and heuristics, and what they send to check one."""

from __future__ import annotations

from slidewise import algorithms, heuristics
from slidewise.puzzle.board import TABLE_CELLS
from webapp.api.requests import (
    BOARD_FORMAT,
    EXAMPLE_OWN,
    MAX_TEXT,
    SIZE,
    board_of,
    heuristic_field,
    object_of,
)
from webapp.api.schemas import (
    BOOLEAN,
    COUNT,
    COUNT_OR_NULL,
    LINK,
    NUMBER,
    TEXT,
    list_of,
    object_or_null,
    whole,
)

INDEX = whole(
    {
        "name": TEXT,
        "version": TEXT,
        "page": LINK,
        "document": LINK,
        "operations": list_of(whole({"id": TEXT, "method": TEXT, "path": TEXT, "summary": TEXT})),
    }
)

ALGORITHMS = whole(
    {
        "algorithms": list_of(
            whole(
                {
                    "key": {"type": "string", "enum": list(algorithms())},
                    "title": TEXT,
                    "idea": TEXT,
                    "complete": BOOLEAN,
                    "optimal": {
                        **BOOLEAN,
                        "description": "Whether the path is shortest (with a heuristic, if that "
                        "is admissible).",
                    },
                    "optimal_to": {
                        **COUNT_OR_NULL,
                        "description": "If only on boards of up to so many cells, that number.",
                    },
                    "time": TEXT,
                    "space": TEXT,
                    "uses_heuristic": BOOLEAN,
                    "source": TEXT,
                    "options": list_of(TEXT, description="Which of `depth` and `weight` it takes."),
                    "conventions": {
                        **BOOLEAN,
                        "description": "Whether it runs under other conventions than Slidewise's.",
                    },
                }
            )
        )
    }
)

HEURISTICS = whole(
    {
        "heuristics": list_of(
            whole(
                {
                    "key": {"type": "string", "enum": list(heuristics())},
                    "title": TEXT,
                    "idea": TEXT,
                    "admissible": BOOLEAN,
                    "consistent": BOOLEAN,
                    "source": TEXT,
                }
            )
        )
    }
)

_EXCESS = object_or_null({"board": TEXT, "h": COUNT, "distance": COUNT})
_JUMP = object_or_null({"board": TEXT, "h": COUNT, "after": TEXT, "h_after": COUNT})

HEURISTIC_CHECK = whole(
    {
        "heuristic": TEXT,
        "goal": TEXT,
        "boards": {
            **COUNT,
            "description": "How many boards can reach the goal; all of them are checked.",
        },
        "admissible": BOOLEAN,
        "above": {**COUNT, "description": "How many boards have h above their distance."},
        "first_above": {**_EXCESS, "description": "The one nearest to the goal."},
        "worst_above": {**_EXCESS, "description": "The one whose h is too high by the most."},
        "consistent": {
            **BOOLEAN,
            "description": "A move changes h by at most 1, and h of the goal is 0.",
        },
        "at_goal": {**COUNT, "description": "h of the goal."},
        "jumps": {**COUNT, "description": "How many moves change h by more than 1."},
        "first_jump": {**_JUMP, "description": "The one nearest to the goal."},
        "worst_jump": {**_JUMP, "description": "The one with the greatest change."},
        "mean_h": NUMBER,
        "mean_distance": NUMBER,
        "counts": list_of(
            list_of(whole({"h": COUNT, "boards": COUNT})),
            description="For each distance from 0 up, how many boards have each h.",
        ),
    }
)

HEURISTIC_REQUEST = object_of(
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
