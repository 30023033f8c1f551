"""API endpoint: the same searches on many boards."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from flask import current_app
from werkzeug.datastructures import MultiDict

from slidewise import Puzzle, PuzzleError, parse_board, parse_size, standard_goal
from slidewise.study.sample import Measurement, Quartiles, SampleSummary
from webapp.api.answers import (
    JSON,
    accepted,
    as_text,
    blueprint,
    json_response,
    read_body,
    refuse_board,
)
from webapp.api.schemas import (
    BOARD_FORMAT,
    BOOLEAN,
    COUNT,
    COUNT_OR_NULL,
    MAX_RUNS,
    MAX_TEXT,
    MOVES,
    NUMBER,
    NUMBER_OR_NULL,
    SIZE,
    TEXT,
    TEXT_OR_NULL,
    Schema,
    board_of,
    list_of,
    object_of,
    object_or_null,
    run_items,
    weight_of_all,
    whole,
)
from webapp.api.searches import read_run
from webapp.lab.many_boards import MAX_BOARDS, SEED_CHARACTERS, Samples, read_plan
from webapp.lab.many_boards import MAX_RUNS as MAX_RUNS_ON_MANY
from webapp.workers.budgets import charge_cpu_time
from webapp.workers.services import service

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Response

    from slidewise import Board


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
    """Return the body schema of `POST /api/v1/many`."""
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


@blueprint.post("/v1/many")
@charge_cpu_time()
def many() -> Response:
    """Run searches on many boards within the time limit of a JSON response."""
    accepted(JSON)
    body = read_body(many_request(current_app.config["SOLVE_SECONDS"]))
    for number, run in enumerate(body.get("runs", ())):
        read_run(run, f"runs[{number}]")  # refused here, with its field
    goal = _goal(body)
    plan = read_plan(Puzzle(goal, goal), _typed(body))
    sample = service(Samples).get(plan)
    choices = map(str, plan.selection.choices)
    summaries = (SampleSummary.of(measures) for measures in sample.measures)
    return json_response(
        {
            **sample.as_json(),
            "done": sample.done,
            "complete": sample.is_complete,
            "summaries": [
                {"name": name, **{key: _plain(value) for key, value in asdict(one).items()}}
                for name, one in zip(choices, summaries, strict=False)
            ],
        }
    )


def _goal(body: Mapping[str, Any]) -> Board:
    size = parse_size(body["size"]) if "size" in body else None
    if "goal" not in body:
        return standard_goal(*(size or (3, 3)))
    try:
        return parse_board(as_text(body["goal"]), size)
    except PuzzleError as error:
        refuse_board("goal", error)


def _typed(body: Mapping[str, Any]) -> MultiDict[str, str]:
    """Return the body as fields of the lab's form."""
    typed: MultiDict[str, str] = MultiDict()
    for name in ("boards", "moves", "seed", "seconds", "weight"):
        if name in body:
            typed[name] = f"{body[name]:.2f}" if name == "weight" else str(body[name])
    if "runs" in body:
        typed["run"] = ",".join(body["runs"])
    return typed


def _plain(value: Quartiles | int | None) -> object:
    """Return quartiles as a dict, other values unchanged."""
    return value._asdict() if isinstance(value, Quartiles) else value
