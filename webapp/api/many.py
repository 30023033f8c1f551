"""The same searches on many boards, for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from flask import current_app
from werkzeug.datastructures import MultiDict

from slidewise import Puzzle, PuzzleError, parse_board, parse_size, standard_goal
from slidewise.study.sample import Quartiles, SampleSummary
from webapp.api.answers import JSON, accepted, as_text, json_response, read_body, refuse_board
from webapp.api.blueprint import blueprint
from webapp.api.many_schemas import many_request
from webapp.api.runs import read_run
from webapp.lab.many_boards import Samples, read_plan
from webapp.workers.budgets import charge_cpu_time
from webapp.workers.services import service

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Response

    from slidewise import Board


@blueprint.post("/v1/many")
@charge_cpu_time()
def many() -> Response:
    """Run searches on many boards, for as long as an answer in JSON may take."""
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
    """Return the body as the fields of the form of the lab."""
    typed: MultiDict[str, str] = MultiDict()
    for name in ("boards", "moves", "seed", "seconds", "weight"):
        if name in body:
            typed[name] = f"{body[name]:.2f}" if name == "weight" else str(body[name])
    if "runs" in body:
        typed["run"] = ",".join(body["runs"])
    return typed


def _plain(value: Quartiles | int | None) -> object:
    """Return quartiles by their names."""
    return value._asdict() if isinstance(value, Quartiles) else value
