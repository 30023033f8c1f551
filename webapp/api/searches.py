"""API endpoints that solve a puzzle or compare searches, as JSON or an event stream.

They neither read nor write the session.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from itertools import count
from typing import Any

from flask import Response

from slidewise import (
    Comparison,
    ExpressionError,
    InvalidConventionError,
    Puzzle,
    Result,
    SearchSpec,
    UnfitHeuristicError,
    find_algorithm,
    find_heuristic,
)
from slidewise.puzzle import steps
from slidewise.solver.compare import Choice, default_choices, read_choices
from slidewise.solver.convention import ALGORITHMS, find_convention
from slidewise.solver.events import Finished
from slidewise.solver.result import ResultJSON
from slidewise.solver.task import DEFAULT_COOLING, DEFAULT_SEED, DEFAULT_WEIGHT, is_own

from .. import forms
from ..http import responses
from ..workers import Busy, Failed, Waiting
from ..workers.jobs import SequentialSearches
from ..workers.solvers import Displaced, JobEvent, displaced_error
from .operations import EXPENSIVE, operation
from .schemas import (
    EXAMPLE,
    EXAMPLE_OWN,
    JSON,
    MAX_PATH_BOARDS,
    STREAM,
    CompareRequest,
    ComparisonJSON,
    RunJSON,
    SolveRequest,
    blueprint,
    event_kind,
    read_puzzle,
    refuse,
    this_site,
)


def read_run(run: str | RunJSON, field: str) -> dict[str, Any]:
    """Parse a run: a string such as `astar:manhattan`, or an object. `field` is its path."""
    if isinstance(run, dict):
        check_own(run.get("heuristic", ""), f"{field}.heuristic")
        return dict(run)
    algorithm, _, heuristic = run.partition(":")
    check_own(heuristic, field)
    if heuristic:
        check_uses_heuristic(algorithm, field)
    (choice,) = read_choices([run])
    return fields_of(choice)


def fields_of(choice: Choice) -> dict[str, Any]:
    """Return a choice of algorithm and heuristic as fields of a run."""
    fields = {"algorithm": choice.algorithm}
    return fields if choice.heuristic is None else fields | {"heuristic": choice.heuristic}


def with_shared(run: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    """Add the shared fields of a comparison that the run's algorithm accepts."""
    algorithm = run["algorithm"]
    shared: dict[str, Any] = {"limits": body.get("limits", {})}
    if "weight" in body and "weight" in find_algorithm(algorithm).options:
        shared["weight"] = body["weight"]
    if "convention" in body and algorithm in ALGORITHMS:
        shared["convention"] = body["convention"]
    return shared | dict(run)


def check_own(heuristic: str, field: str) -> None:
    """Refuse an expression that cannot be parsed, with its field."""
    if is_own(heuristic):
        try:
            find_heuristic(heuristic)
        except ExpressionError as error:
            refuse(field, f"in {field}: {error}")


def check_taken(algorithm: str, fields: Mapping[str, Any], of: str = "") -> None:
    """Refuse options that an algorithm does not accept, in the body or in the run at `of`."""
    inside = f"{of}." if of else ""
    for name in forms.OPTIONS:
        if name in fields and name not in find_algorithm(algorithm).options:
            refuse(f"{inside}{name}", f"the algorithm {algorithm} takes no {name}: leave it out")
    if "heuristic" in fields:
        check_uses_heuristic(algorithm, f"{inside}heuristic")
    if "convention" in fields:
        try:
            find_convention(fields["convention"], algorithm)
        except InvalidConventionError as error:
            refuse(f"{inside}convention", str(error))


def check_uses_heuristic(algorithm: str, field: str) -> None:
    """Refuse a heuristic in `field` for an algorithm that takes none."""
    if not find_algorithm(algorithm).uses_heuristic:
        refuse(field, f"the algorithm {algorithm} takes no heuristic: leave it out")


def result_as_json(result: Result, *, boards: bool) -> ResultJSON:
    """Return a result as JSON, with the boards of its path if `boards`."""
    values = result.as_json()
    if boards:
        values["boards"] = _boards(result)
    return values


def _boards(result: Result) -> list[str] | None:
    """Return the boards from start to goal; None if there is no path or it is too long."""
    if result.length is None or result.length > MAX_PATH_BOARDS:
        return None
    start = result.puzzle.start
    return [str(start), *(str(step.board) for step in steps(start, result.moves))]


FOR_HEURISTIC = "astar"
"""Default algorithm if only a heuristic is given, as on the command line."""


@blueprint.post("/v1/solve")
@operation(
    "solve",
    "Solve a puzzle",
    "Runs one search. The result has the moves, as the directions in which the tiles move and as "
    "their numbers, the verdict (is it proved shortest?) with its reason, and the counts. A puzzle "
    "without a solution is a result too.",
    "The result.",
    errors=EXPENSIVE,
    media=(JSON, STREAM),
    examples=[
        {"puzzle": EXAMPLE, "algorithm": "astar", "heuristic": "manhattan"},
        {"puzzle": EXAMPLE, "algorithm": "astar", "heuristic": EXAMPLE_OWN},
        {"puzzle": [[1, 2, 3], [4, 0, 6], [7, 5, 8]], "algorithm": "bfs", "boards": True},
        {"puzzle": EXAMPLE, "algorithm": "astar", "convention": "columbia"},
    ],
    place=120,
)
def solve(body: SolveRequest, media: str) -> ResultJSON | Response:
    """Run a search."""
    if body.get("trace") and media == JSON:
        refuse("trace", f"trace returns events: ask for {STREAM} in the header Accept")
    check_own(body.get("heuristic", ""), "heuristic")
    spec = _spec(read_puzzle(body), body)
    boards = bool(body.get("boards"))
    if media == STREAM:
        return _stream(SequentialSearches([spec], this_site().seconds), [{}], boards)
    return result_as_json(_results([spec])[0], boards=boards)


@blueprint.post("/v1/compare")
@operation(
    "compare",
    "Compare searches on one puzzle",
    "Runs the searches one after the other. The remaining time is shared evenly between those "
    "still to come. In an event stream each event also has the number of its search, counted "
    "from 1, and its name.",
    "The results, in the order of the searches.",
    errors=EXPENSIVE,
    media=(JSON, STREAM),
    examples=[
        {"puzzle": EXAMPLE, "runs": ["bfs", "astar:misplaced", "astar:manhattan"]},
        {"puzzle": EXAMPLE, "runs": ["astar:manhattan", f"astar:{EXAMPLE_OWN}"]},
        {
            "puzzle": EXAMPLE,
            "runs": [
                {"algorithm": "wastar", "weight": 1.5},
                {"algorithm": "wastar", "weight": 5},
                {"algorithm": "dfs", "depth": 30},
            ],
        },
    ],
    place=130,
)
def compare(body: CompareRequest, media: str) -> ComparisonJSON | Response:
    """Run several searches, one after the other."""
    runs = [read_run(run, f"runs[{n}]") for n, run in enumerate(body.get("runs", ()))]
    board = read_puzzle(body)
    runs = runs or [fields_of(choice) for choice in default_choices(board)]
    chosen = (
        _spec(board, with_shared(run, body), f"runs[{number}]") for number, run in enumerate(runs)
    )
    # all in the same form, so that their times can be compared
    specs = [replace(spec, plain_first=False) for spec in chosen]
    boards = bool(body.get("boards"))
    if media == STREAM:
        names = [{"run": n, "name": _name(spec)} for n, spec in enumerate(specs, start=1)]
        return _stream(SequentialSearches(specs, this_site().seconds), names, boards)
    found = _results(specs)
    return {
        "puzzle": str(board),
        "plain": Comparison(board, tuple(found)).plain,
        "results": [result_as_json(result, boards=boards) for result in found],
    }


def _name(spec: SearchSpec) -> str:
    uses = find_algorithm(spec.algorithm).uses_heuristic
    return str(Choice(spec.algorithm, spec.heuristic if uses else None))


def _spec(board: Puzzle, body: Mapping[str, Any], of: str = "") -> SearchSpec:
    """Build the search of a body, or of the run at `of`, within the limits of this site."""
    usual = FOR_HEURISTIC if "heuristic" in body else forms.DEFAULT_ALGORITHM
    algorithm = body.get("algorithm", usual)
    check_taken(algorithm, body, of)
    asked = body.get("limits", {})
    try:
        spec = forms.spec(
            board,
            algorithm,
            body.get("heuristic"),
            seconds=asked.get("seconds"),
            depth=int(body["depth"]) if "depth" in body else None,
            weight=round(body.get("weight", DEFAULT_WEIGHT), 2),
            seed=body.get("seed", DEFAULT_SEED),
            cooling=body.get("cooling", DEFAULT_COOLING),
        )
    except UnfitHeuristicError as error:
        refuse(of or "heuristic", str(error))
    limits = spec.limits
    if "expansions" in asked:
        limits = replace(limits, expansions=int(asked["expansions"]), stops_early=False)
    if "stored_nodes" in asked:
        stored = min(int(asked["stored_nodes"]), limits.stored_nodes)
        limits = replace(limits, stored_nodes=stored)
    convention = body.get("convention", spec.convention)
    return replace(spec, limits=limits, trace=int(body.get("trace", 0)), convention=convention)


def _results(specs: list[SearchSpec]) -> list[Result]:
    wait = this_site().wait
    return SequentialSearches(specs, wait).results(wait)


def _stream(searches: SequentialSearches, names: list[dict[str, Any]], boards: bool) -> Response:
    """Stream the events; `names` are extra fields for the events of each search."""
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
            elif isinstance(event, Displaced):
                raise displaced_error()
            else:
                last = event
                yield _message(event, next(ids), names[number], boards=boards)
    except Busy as busy:
        last = Failed(str(busy))
        yield _message(last, next(ids), names[number])
    # a stream always ends with a result or a failure
    if not isinstance(last, (Finished, Failed)):
        yield _message(Failed("The search was stopped. Try again."), next(ids), names[number])


def _message(event: JobEvent, event_id: int, name: dict[str, Any], *, boards: bool = False) -> str:
    kind = event_kind(event)
    if isinstance(event, (Waiting, Displaced, Failed)):
        fields: dict[str, Any] = {"event": kind, **asdict(event)}
    else:
        fields = event.as_json()
    if isinstance(event, Finished):
        fields["result"] = result_as_json(event.result, boards=boards)
    return responses.message(json.dumps({**fields, **name}), event_id, kind)
