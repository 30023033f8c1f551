"""Somebody's own search, checked, for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidewise import PuzzleError, find_algorithm
from slidewise.solver.limits import DEFAULT_WEIGHT
from slidewise.study.check import find_rules
from webapp.api.answers import (
    JSON,
    accepted,
    json_response,
    read_body,
    read_puzzle,
    refuse,
    this_site,
)
from webapp.api.blueprint import blueprint
from webapp.api.check_schemas import check_request
from webapp.api.runs import check_taken
from webapp.lab.check import checked
from webapp.workers.budgets import charge_cpu_time

if TYPE_CHECKING:
    from flask import Response


@blueprint.post("/v1/check")
@charge_cpu_time()
def check_work() -> Response:
    """Check what somebody's own search found."""
    accepted(JSON)
    body = read_body(check_request(this_site()))
    board, algorithm = read_puzzle(body), body["algorithm"]
    convention, heuristic = body.get("convention", "slidewise"), body.get("heuristic")
    try:
        find_rules(convention, algorithm)
    except PuzzleError as error:
        refuse("convention", str(error))
    if heuristic is not None and not find_algorithm(algorithm).uses_heuristic:
        refuse("heuristic", f"the algorithm {algorithm} takes no heuristic: leave it out")
    check_taken(algorithm, body)
    weight = round(body.get("weight", DEFAULT_WEIGHT), 2)
    found = checked(str(board), algorithm, heuristic, convention, body["given"], weight)
    if "error" in found:
        line = f"line {found['line']:,}: " if found["line"] else ""
        refuse("given", f"{line}{found['error']}")
    return json_response(found)
