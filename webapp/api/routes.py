"""HTTP for programs: the facts of a puzzle, a search, a comparison, as JSON or an event stream.

`webapp.api.requests` says what is taken, and `webapp.api.document` what is told. No
session is read or written here.
"""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from itertools import count
from typing import TYPE_CHECKING, Any

from slidewise import UnfitHeuristicError, find_algorithm
from slidewise.solver.compare import Choice, default_choices
from slidewise.solver.events import Finished
from slidewise.solver.limits import DEFAULT_WEIGHT
from webapp.api.answers import (
    JSON,
    STREAM,
    accepted,
    json_response,
    read_body,
    read_puzzle,
    refuse,
    this_site,
)
from webapp.api.blueprint import blueprint
from webapp.api.facts import facts
from webapp.api.requests import compare_request, solve_request
from webapp.api.results import result_as_json
from webapp.api.runs import check_own, check_taken, fields_of, read_run, with_shared
from webapp.api.schema import SchemaError
from webapp.api.schemas import event_kind
from webapp.forms import search
from webapp.http import responses
from webapp.http.errors import problem
from webapp.http.requests import current_puzzle
from webapp.workers import Busy, Failed, Waiting
from webapp.workers.sequential import LostError, SequentialSearches

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from flask import Response

    from slidewise import Puzzle, Result, SearchSpec
    from webapp.workers.solvers import JobEvent

FOR_HEURISTIC = "astar"
"""The algorithm that is meant where only a heuristic is named, as on the command line."""


@blueprint.get("/v1/puzzles/<code>")
def puzzle() -> Response:
    """Tell what is known of a puzzle without a search."""
    accepted(JSON)
    return json_response(facts(current_puzzle()))


@blueprint.post("/v1/solve")
def solve() -> Response:
    """Run one search."""
    kind = accepted(JSON, STREAM)
    body = read_body(solve_request(this_site()))
    if body.get("trace") and kind == JSON:
        refuse("trace", f"trace returns events: ask for {STREAM} in the header Accept")
    check_own(body.get("heuristic", ""), "heuristic")
    spec = _spec(read_puzzle(body), body)
    boards = bool(body.get("boards"))
    if kind == STREAM:
        return _stream(SequentialSearches([spec], this_site().seconds), [{}], boards)
    return json_response(result_as_json(_results([spec])[0], boards=boards))


@blueprint.post("/v1/compare")
def compare() -> Response:
    """Run several searches, one after the other."""
    kind = accepted(JSON, STREAM)
    body = read_body(compare_request(this_site()))
    runs = [read_run(run, f"runs[{n}]") for n, run in enumerate(body.get("runs", ()))]
    board = read_puzzle(body)
    runs = runs or [fields_of(choice) for choice in default_choices(board)]
    specs = [
        _spec(board, with_shared(run, body), f"runs[{number}]") for number, run in enumerate(runs)
    ]
    boards = bool(body.get("boards"))
    if kind == STREAM:
        names = [{"run": n, "name": _name(spec)} for n, spec in enumerate(specs, start=1)]
        return _stream(SequentialSearches(specs, this_site().seconds), names, boards)
    results = [result_as_json(result, boards=boards) for result in _results(specs)]
    return json_response({"puzzle": str(board), "results": results})


def _name(spec: SearchSpec) -> str:
    uses = find_algorithm(spec.algorithm).uses_heuristic
    return str(Choice(spec.algorithm, spec.heuristic if uses else None))


@blueprint.errorhandler(SchemaError)
def misfit(error: SchemaError) -> Response:
    """Answer to a body that is not as the document has it."""
    more = {"field": error.field} if error.field else {}
    return problem(400, f"{error}.", **more)


@blueprint.errorhandler(LostError)
def lost(error: LostError) -> Response:
    """Answer where a worker has gone."""
    return problem(500, str(error))


def _spec(board: Puzzle, body: Mapping[str, Any], of: str = "") -> SearchSpec:
    """Return the search that a body asks for, or the run of a comparison in the field `of`, within
    the limits of this site."""
    usual = FOR_HEURISTIC if "heuristic" in body else search.DEFAULT_ALGORITHM
    algorithm = body.get("algorithm", usual)
    check_taken(algorithm, body, of)
    asked = body.get("limits", {})
    try:
        spec = search.spec(
            board,
            algorithm,
            body.get("heuristic"),
            seconds=asked.get("seconds"),
            depth=int(body["depth"]) if "depth" in body else None,
            weight=round(body.get("weight", DEFAULT_WEIGHT), 2),
        )
    except UnfitHeuristicError as error:
        refuse(of or "heuristic", str(error))
    limits = spec.limits
    if "expansions" in asked:
        limits = replace(limits, expansions=int(asked["expansions"]))
    if "stored_nodes" in asked:
        stored = min(int(asked["stored_nodes"]), limits.stored_nodes)
        limits = replace(limits, stored_nodes=stored)
    convention = body.get("convention", spec.convention)
    return replace(spec, limits=limits, trace=int(body.get("trace", 0)), convention=convention)


def _results(specs: list[SearchSpec]) -> list[Result]:
    wait = this_site().wait
    return SequentialSearches(specs, wait).results(wait)


def _stream(searches: SequentialSearches, names: list[dict[str, Any]], boards: bool) -> Response:
    """Answer with the events; `names` are the fields that each search adds to its own."""
    return responses.response(_messages(searches, names, boards), searches.close)


def _messages(
    searches: SequentialSearches, names: list[dict[str, Any]], boards: bool
) -> Iterator[str]:
    ids = count(1)
    number, last = 0, None
    try:
        for number, event in searches.events():
            if event is None:
                yield responses.HEARTBEAT
            else:
                last = event
                yield _message(event, next(ids), names[number], boards=boards)
    except Busy as busy:
        last = Failed(str(busy))
        yield _message(last, next(ids), names[number])
    if not isinstance(last, (Finished, Failed)):
        yield _message(Failed("The search was stopped. Try again."), next(ids), names[number])


def _message(event: JobEvent, event_id: int, name: dict[str, Any], *, boards: bool = False) -> str:
    kind = event_kind(event)
    if isinstance(event, (Waiting, Failed)):
        json_response: dict[str, Any] = {"event": kind, **asdict(event)}
    else:
        json_response = event.as_json()
    if isinstance(event, Finished):
        json_response["result"] = result_as_json(event.result, boards=boards)
    return responses.message(json.dumps({**json_response, **name}), event_id, kind)
