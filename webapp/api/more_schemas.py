"""What programs are told beside searches: the schemas of answers."""

from __future__ import annotations

from dataclasses import fields

from slidewise import algorithms, heuristics
from slidewise.study.sample import Measurement
from webapp.api.requests import Schema
from webapp.api.schemas import COUNT, COUNT_OR_NULL, LINK, LINKS, TEXT, whole

_NUMBER = {"type": "number", "minimum": 0}
_BOOLEAN = {"type": "boolean"}
_TEXT_OR_NULL = {"type": ["string", "null"]}
_NUMBER_OR_NULL = {"type": ["number", "null"]}


def _list(items: Schema, **more: object) -> Schema:
    return {"type": "array", "items": items, **more}


def _or_null(properties: Schema) -> Schema:
    return {**whole(properties), "type": ["object", "null"]}


INDEX = whole(
    {
        "name": TEXT,
        "version": TEXT,
        "page": LINK,
        "document": LINK,
        "operations": _list(whole({"id": TEXT, "method": TEXT, "path": TEXT, "summary": TEXT})),
    }
)

ALGORITHMS = whole(
    {
        "algorithms": _list(
            whole(
                {
                    "key": {"type": "string", "enum": list(algorithms())},
                    "title": TEXT,
                    "idea": TEXT,
                    "complete": _BOOLEAN,
                    "optimal": {
                        **_BOOLEAN,
                        "description": "Whether the path is shortest (with a heuristic, if that "
                        "is admissible).",
                    },
                    "optimal_to": {
                        **COUNT_OR_NULL,
                        "description": "If only on boards of up to so many cells, that number.",
                    },
                    "time": TEXT,
                    "space": TEXT,
                    "uses_heuristic": _BOOLEAN,
                    "source": TEXT,
                    "options": _list(TEXT, description="Which of `depth` and `weight` it takes."),
                    "conventions": {
                        **_BOOLEAN,
                        "description": "Whether it runs under other conventions than Slidewise's.",
                    },
                }
            )
        )
    }
)

HEURISTICS = whole(
    {
        "heuristics": _list(
            whole(
                {
                    "key": {"type": "string", "enum": list(heuristics())},
                    "title": TEXT,
                    "idea": TEXT,
                    "admissible": _BOOLEAN,
                    "consistent": _BOOLEAN,
                    "source": TEXT,
                }
            )
        )
    }
)

_EXCESS = _or_null({"board": TEXT, "h": COUNT, "distance": COUNT})
_JUMP = _or_null({"board": TEXT, "h": COUNT, "after": TEXT, "h_after": COUNT})

HEURISTIC_CHECK = whole(
    {
        "heuristic": TEXT,
        "goal": TEXT,
        "boards": {
            **COUNT,
            "description": "How many boards can reach the goal; all of them are checked.",
        },
        "admissible": _BOOLEAN,
        "above": {**COUNT, "description": "How many boards have h above their distance."},
        "first_above": {**_EXCESS, "description": "The one nearest to the goal."},
        "worst_above": {**_EXCESS, "description": "The one whose h is too high by the most."},
        "consistent": {
            **_BOOLEAN,
            "description": "A move changes h by at most 1, and h of the goal is 0.",
        },
        "at_goal": {**COUNT, "description": "h of the goal."},
        "jumps": {**COUNT, "description": "How many moves change h by more than 1."},
        "first_jump": {**_JUMP, "description": "The one nearest to the goal."},
        "worst_jump": {**_JUMP, "description": "The one with the greatest change."},
        "mean_h": _NUMBER,
        "mean_distance": _NUMBER,
        "counts": _list(
            _list(whole({"h": COUNT, "boards": COUNT})),
            description="For each distance from 0 up, how many boards have each h.",
        ),
    }
)

HINT = whole(
    {
        "puzzle": TEXT,
        "tile": {**COUNT_OR_NULL, "description": "The tile to move next; null at the goal."},
        "move": {
            **_TEXT_OR_NULL,
            "description": "Its direction: `U`, `D`, `L` or `R`; null at the goal.",
        },
        "length": {**COUNT, "description": "The length of the solution that begins with it."},
        "lower_bound": {**COUNT, "description": "Every solution has at least this many moves."},
        "shortest": {**_BOOLEAN, "description": "Whether that solution is known to be shortest."},
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
        "mean": {**_NUMBER, "description": "Moves that they need on average."},
        "counts": _list(COUNT, description="Boards at 0, 1, 2 ... moves."),
        "hardest": _list(TEXT, description="The hardest boards, 20 of them at most."),
    }
)

CONVERSION = whole(
    {
        "board": {**TEXT, "description": "The code."},
        "rows": COUNT,
        "cols": COUNT,
        "notations": _list(
            whole({"key": TEXT, "title": TEXT, "used": TEXT, "text": TEXT}),
            description="The board in each notation that can write it, and who uses the notation.",
        ),
    }
)

_QUARTILES = _or_null({"lower": _NUMBER, "median": _NUMBER, "upper": _NUMBER})
_MEASURED = {
    **dict.fromkeys(("shortest", "length"), COUNT_OR_NULL),
    **dict.fromkeys(("expanded", "generated", "peak_stored"), COUNT),
    "heuristic": _TEXT_OR_NULL,
    "weight": _NUMBER_OR_NULL,
    "seconds": _NUMBER,
}

MANY_BOARDS = whole(
    {
        "goal": TEXT,
        "boards": COUNT,
        "moves": {**_TEXT_OR_NULL, "description": "How many were asked for."},
        "seed": TEXT,
        "seconds": {**_NUMBER, "description": "Seconds for each search on each board."},
        "done": {**COUNT, "description": "Boards on which all searches have run."},
        "complete": {
            **_BOOLEAN,
            "description": "Whether that is all of them. If not, the time for the answer was up: "
            "ask for fewer boards, searches or seconds.",
        },
        "summaries": _list(
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
        "measures": _list(
            whole({one.name: _MEASURED.get(one.name, TEXT) for one in fields(Measurement)}),
            description="Each search on each board.",
        ),
    }
)
