"""Algorithms and heuristics for programs: which there are, and what holds for a heuristic."""

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
    json_response,
    read_body,
    read_query,
    refuse,
    refuse_board,
)
from webapp.api.blueprint import blueprint
from webapp.api.catalogue_schemas import HEURISTIC_REQUEST
from webapp.api.requests import object_of
from webapp.lab.heuristics import Checks
from webapp.workers.budgets import charge_cpu_time
from webapp.workers.services import service

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Response

    from slidewise import Board
    from slidewise.solver.own.check import HeuristicCheck

EMPTY_QUERY = object_of({})
"""What an address takes after its `?` that takes nothing."""


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
    """Return all that the check has found; `counts` has the boards by distance and h."""

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
