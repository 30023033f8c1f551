"""API endpoints for algorithms and heuristics: their lists, and a check of a heuristic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import current_app

from slidewise import (
    ExpressionError,
    PuzzleError,
    UnfitHeuristicError,
    algorithms,
    find_fitting_heuristic,
    heuristics,
    parse_board,
    parse_size,
    standard_goal,
)
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.solver.convention import ALGORITHMS
from slidewise.solver.task import ALGORITHM_FACTS, HEURISTIC_FACTS, facts_of
from webapp.api.answers import (
    JSON,
    accepted,
    as_text,
    blueprint,
    json_response,
    read_body,
    read_query,
    refuse,
    refuse_board,
)
from webapp.api.schemas import (
    BOARD_FORMAT,
    BOOLEAN,
    COUNT,
    COUNT_OR_NULL,
    EXAMPLE_OWN,
    LINK,
    MAX_TEXT,
    NUMBER,
    SIZE,
    TEXT,
    board_of,
    heuristic_field,
    list_of,
    object_of,
    object_or_null,
    whole,
)
from webapp.lab.heuristics import Checks
from webapp.workers.budgets import charge_cpu_time
from webapp.workers.services import service

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Response

    from slidewise import Board
    from slidewise.solver.own.heuristic_check import HeuristicCheck


INDEX = whole(
    {
        "name": TEXT,
        "version": TEXT,
        "page": LINK,
        "document": LINK,
        "operations": list_of(whole({"id": TEXT, "method": TEXT, "path": TEXT, "summary": TEXT})),
    }
)

ALGORITHM_LIST = whole(
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

HEURISTIC_LIST = whole(
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
"""Body of `POST /api/v1/heuristics/check`."""


EMPTY_QUERY = object_of({})
"""Query of an endpoint without parameters."""


@blueprint.get("/v1/algorithms")
def list_algorithms() -> Response:
    """List the algorithms with their facts."""
    accepted(JSON)
    read_query(EMPTY_QUERY)
    listed = [
        {
            **facts_of(entry, ALGORITHM_FACTS),
            "options": sorted(entry.options),
            "conventions": entry.key in ALGORITHMS,
        }
        for entry in algorithms().values()
    ]
    return json_response({"algorithms": listed})


@blueprint.get("/v1/heuristics")
def list_heuristics() -> Response:
    """List the heuristics with their facts."""
    accepted(JSON)
    read_query(EMPTY_QUERY)
    return json_response(
        {"heuristics": [facts_of(entry, HEURISTIC_FACTS) for entry in heuristics().values()]}
    )


@blueprint.post("/v1/heuristics/check")
@charge_cpu_time()
def check_heuristic() -> Response:
    """Check a heuristic on all boards that can reach a goal."""
    accepted(JSON)
    body = read_body(HEURISTIC_REQUEST)
    goal = _goal(body)
    try:
        key = find_fitting_heuristic(body["heuristic"], *goal.size).key
    except ExpressionError as error:
        refuse("heuristic", f"in heuristic: {error}")
    except UnfitHeuristicError as error:
        refuse("heuristic", str(error))
    with service(Checks).waiting():
        checked = service(Checks).within(key, goal, current_app.config["SOLVE_WAIT"])
    return json_response({"heuristic": key, "goal": str(goal), **_as_json(checked)})


def _goal(body: Mapping[str, Any]) -> Board:
    size = parse_size(body["size"]) if "size" in body else None
    if "goal" not in body:
        goal, field = standard_goal(*(size or (3, 3))), "size"
    else:
        field = "goal"
        try:
            goal = parse_board(as_text(body["goal"]), size)
        except PuzzleError as error:
            refuse_board(field, error)
    if not goal.has_table:
        refuse(
            field,
            f"all boards can be checked up to {TABLE_CELLS} cells, and {goal.rows}x{goal.cols} "
            "has more: ask for 3x3 or 2x5",
        )
    return goal


def _as_json(checked: HeuristicCheck) -> dict[str, object]:
    """Return a check as JSON; `counts` has the number of boards by distance and h."""

    def plain(found: Any) -> dict[str, object] | None:
        if found is None:
            return None
        return {
            name: value if isinstance(value, int) else str(value)
            for name, value in found._asdict().items()
        }

    return {
        "boards": checked.boards,
        "admissible": checked.admissible,
        "above": checked.above,
        "first_above": plain(checked.first),
        "worst_above": plain(checked.worst),
        "consistent": checked.consistent,
        "at_goal": checked.at_goal,
        "jumps": checked.jumps,
        "first_jump": plain(checked.first_jump),
        "worst_jump": plain(checked.worst_jump),
        "mean_h": checked.mean_h,
        "mean_distance": checked.mean_distance,
        "counts": [[plain(count) for count in counts] for counts in checked.counts],
    }
