"""API endpoint: check a student's search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Required

from slidewise import PuzzleError
from slidewise.json_schema import Keywords
from slidewise.solver.task import DEFAULT_WEIGHT
from slidewise.study.check import find_rules
from webapp.api.answers import (
    JSON,
    accepted,
    blueprint,
    json_response,
    read_body,
    read_puzzle,
    refuse,
)
from webapp.api.schemas import MAX_CONVENTION, PuzzleFields, WeightOfOne
from webapp.api.searches import check_taken, check_uses_heuristic
from webapp.lab.check import checked
from webapp.workers.budgets import charge_cpu_time

if TYPE_CHECKING:
    from flask import Response


class CheckRequest(PuzzleFields, total=False):
    algorithm: Required[
        Annotated[
            str,
            Keywords(enum=lambda site: [one for one in site.algorithms if one != "best"]),
            "The search that your program runs.",
        ]
    ]
    heuristic: Annotated[
        str,
        Keywords(enum=lambda site: site.heuristics),
        "For the algorithms that use one; `manhattan` by default.",
    ]
    weight: WeightOfOne
    convention: Annotated[
        str,
        Keywords(maxLength=MAX_CONVENTION),
        "Whose rules the program follows, such as `columbia,order=rlud`; `slidewise` by default.",
    ]
    given: Required[
        Annotated[
            str,
            Keywords(maxLength=lambda site: site.size),
            "What the program found, as text: the boards in the order in which they are expanded, "
            "one per line; a path; counts such as `nodes_expanded: 56`; CSV with a header; or "
            "JSON.",
        ]
    ]


@blueprint.post("/v1/check")
@charge_cpu_time()
def check_work() -> Response:
    """Check the output of a student's search."""
    accepted(JSON)
    body = read_body(CheckRequest)
    board, algorithm = read_puzzle(body), body["algorithm"]
    convention, heuristic = body.get("convention", "slidewise"), body.get("heuristic")
    try:
        find_rules(convention, algorithm)
    except PuzzleError as error:
        refuse("convention", str(error))
    if heuristic is not None:
        check_uses_heuristic(algorithm, "heuristic")
    check_taken(algorithm, body)
    weight = round(body.get("weight", DEFAULT_WEIGHT), 2)
    found = checked(str(board), algorithm, heuristic, convention, body["given"], weight)
    if "error" in found:
        line = f"line {found['line']:,}: " if found["line"] else ""
        refuse("given", f"{line}{found['error']}")
    return json_response(found)
