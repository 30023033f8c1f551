"""HTTP for programs: the facts of a puzzle, a search, a comparison, as JSON or an event stream.

`webapp.api.requests` says what is taken, and `webapp.api.document` what is told. No
session is read or written here.
"""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from itertools import count
from typing import TYPE_CHECKING, Any, NoReturn

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    redirect,
    render_template,
    request,
    url_for,
)

from slidewise import (
    Comparison,
    ExpressionError,
    PuzzleError,
    UnfitHeuristicError,
    find_algorithm,
    find_heuristic,
    parse_puzzle,
    parse_size,
)
from slidewise.solver.compare import Choice, default_choices, read_choices
from slidewise.solver.events import Finished
from slidewise.solver.own.tree import is_own
from slidewise.solver.weights import DEFAULT_WEIGHT
from webapp.api import document
from webapp.api.document import event_kind
from webapp.api.facts import facts
from webapp.api.requests import Site, compare_request, solve_request
from webapp.api.schema import MisfitError, check
from webapp.forms import search
from webapp.http import sse
from webapp.http.errors import sentence
from webapp.http.problems import TYPES, problem
from webapp.http.requests import this_puzzle
from webapp.workers import Busy, Failed, Waiting
from webapp.workers.one_after_another import LostError, Searches

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from werkzeug import Response as AnyResponse

    from slidewise import Puzzle, Result, SearchSpec
    from webapp.workers.solvers import JobEvent

blueprint = Blueprint("api", __name__, url_prefix="/api")

JSON, STREAM = "application/json", "text/event-stream"

FOR_HEURISTIC = "astar"
"""The algorithm that is meant where only a heuristic is named, as on the command line."""


@blueprint.get("")
def about() -> str:
    """Show how to use all this, with examples to copy."""
    return render_template(
        "api/index.html",
        api=_document(),
        examples=_examples(_document()),
        problem_types=TYPES,
    )


@blueprint.get("/v1", strict_slashes=False)
def root() -> AnyResponse:
    """Go to the page that tells what there is."""
    return redirect(url_for("api.about"))


@blueprint.get("/v1/openapi.json")
def openapi() -> Response:
    """Answer with the OpenAPI document."""
    return _told(_document())


@blueprint.get("/v1/puzzles/<code>")
def puzzle() -> Response:
    """Tell what is known of a puzzle without a search."""
    _accepted(JSON)
    return _told(facts(this_puzzle()))


@blueprint.post("/v1/solve")
def solve() -> Response:
    """Run one search."""
    accepted = _accepted(JSON, STREAM)
    body = _body(solve_request(_site()))
    if body.get("trace") and accepted == JSON:
        _refuse("trace", f"trace tells events: ask for {STREAM} in the header Accept")
    _check_own(body.get("heuristic", ""), "heuristic")
    spec = _spec(_puzzle(body), body)
    if accepted == STREAM:
        return _stream(Searches([spec], _site().seconds), [{}])
    return _told(_results([spec])[0].as_json())


@blueprint.post("/v1/compare")
def compare() -> Response:
    """Run several searches, one after the other."""
    accepted = _accepted(JSON, STREAM)
    body = _body(compare_request(_site()))
    for number, run in enumerate(body.get("runs", ())):
        algorithm, _, heuristic = run.partition(":")
        _check_own(heuristic, f"runs[{number}]")
        if heuristic:
            _check_uses_heuristic(algorithm, f"runs[{number}]")
    board = _puzzle(body)
    choices = read_choices(body["runs"]) if "runs" in body else default_choices(board)
    specs = [
        _spec(board, _fields_of_run(body, choice), f"runs[{number}]")
        for number, choice in enumerate(choices)
    ]
    if accepted == STREAM:
        names = [{"run": n, "name": str(choice)} for n, choice in enumerate(choices, start=1)]
        return _stream(Searches(specs, _site().seconds), names)
    return _told(Comparison(board, tuple(_results(specs))).as_json())


@blueprint.errorhandler(MisfitError)
def misfit(error: MisfitError) -> Response:
    """Answer to a body that is not as the document has it."""
    more = {"field": error.field} if error.field else {}
    return problem(400, f"{error}.", **more)


@blueprint.errorhandler(LostError)
def lost(error: LostError) -> Response:
    """Answer where a worker has gone."""
    return problem(500, str(error))


def _examples(document: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return shell commands for the operations of an OpenAPI document, by their ids."""
    site = request.host_url.rstrip("/") + document["servers"][0]["url"]
    found = {}
    for path, methods in document["paths"].items():
        for operation in methods.values():
            found[operation["operationId"]] = list(_commands(site + path, operation, document))
    return found


def _commands(url: str, operation: Mapping[str, Any], document: Mapping[str, Any]) -> Iterator[str]:
    if "requestBody" not in operation:
        code = operation["parameters"][0]["example"]
        yield f"curl {url.format(code=code)}"
        return
    name = operation["requestBody"]["content"][JSON]["schema"]["$ref"].rpartition("/")[2]
    body = json.dumps(document["components"]["schemas"][name]["examples"][0])
    post = f"{url} -H 'Content-Type: {JSON}' -d '{body}'"
    yield f"curl {post}"
    yield f"curl -N {post} -H 'Accept: {STREAM}'"


def _document() -> dict[str, Any]:
    return document.document(_site(), f"{request.script_root}/api/v1")


def _site() -> Site:
    config = current_app.config
    return Site(config["SOLVE_SECONDS"], config["SOLVE_WAIT"], config["MAX_CONTENT_LENGTH"])


def _accepted(*offered: str) -> str:
    """Return the kind of answer that the program wants most, of those `offered`."""
    if not request.accept_mimetypes:
        return offered[0]
    return request.accept_mimetypes.best_match(offered) or abort(406)


def _body(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of the request, which fits `schema`."""
    if request.mimetype != JSON:
        abort(415)
    sent = request.get_data(cache=False)
    if len(sent) >= _site().size:  # where no length is told beforehand it is cut off there
        abort(413)
    try:
        body = json.loads(sent, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise MisfitError(f"the body is no JSON that can be read: {error}") from None
    check(body, schema)
    return dict(body)


def _refuse_constant(constant: str) -> None:
    raise ValueError(f"{constant} is no number of JSON")


def _refuse(field: str, message: str) -> NoReturn:
    """Answer that what is in a field, as documented as it is, makes no puzzle or no search."""
    abort(problem(422, sentence(message), field=field))


def _puzzle(body: Mapping[str, Any]) -> Puzzle:
    size = parse_size(body["size"]) if "size" in body else None
    field = "puzzle"
    try:
        alone = parse_puzzle(body["puzzle"], None, size)
        field = "goal"
        return parse_puzzle(body["puzzle"], body["goal"], size) if "goal" in body else alone
    except PuzzleError as error:
        _refuse(field, str(error))


def _spec(board: Puzzle, body: Mapping[str, Any], of: str = "heuristic") -> SearchSpec:
    """Return the search that a body asks for, within the limits of this site; the field `of` has
    its heuristic."""
    usual = FOR_HEURISTIC if "heuristic" in body else search.DEFAULT_ALGORITHM
    algorithm = body.get("algorithm", usual)
    _check_taken(algorithm, body)
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
        _refuse(of, str(error))
    limits = spec.limits
    if "expansions" in asked:
        limits = replace(limits, expansions=int(asked["expansions"]))
    if "stored_nodes" in asked:
        stored = min(int(asked["stored_nodes"]), limits.stored_nodes)
        limits = replace(limits, stored_nodes=stored)
    return replace(spec, limits=limits, trace=int(body.get("trace", 0)))


def _check_own(heuristic: str, field: str) -> None:
    """Refuse a heuristic of one's own that cannot be read, and say in which field it is."""
    if is_own(heuristic):
        try:
            find_heuristic(heuristic)
        except ExpressionError as error:
            _refuse(field, f"in {field}: {error}")


def _check_taken(algorithm: str, body: Mapping[str, Any]) -> None:
    for name in ("depth", "weight"):
        if name in body and name not in find_algorithm(algorithm).options:
            _refuse(name, f"the algorithm {algorithm} takes no {name}: leave it out")
    if "heuristic" in body:
        _check_uses_heuristic(algorithm, "heuristic")


def _check_uses_heuristic(algorithm: str, field: str) -> None:
    if not find_algorithm(algorithm).uses_heuristic:
        _refuse(field, f"the algorithm {algorithm} takes no heuristic: leave it out")


def _fields_of_run(body: Mapping[str, Any], choice: Choice) -> dict[str, Any]:
    """Return what `_spec` needs for one search of a comparison."""
    taken = find_algorithm(choice.algorithm).options
    fields = {"limits": body.get("limits", {}), "algorithm": choice.algorithm}
    if choice.heuristic is not None:
        fields["heuristic"] = choice.heuristic
    if "weight" in body and "weight" in taken:
        fields["weight"] = body["weight"]
    return fields


def _results(specs: list[SearchSpec]) -> list[Result]:
    wait = _site().wait
    return Searches(specs, wait).results(wait)


def _told(answer: object) -> Response:
    response = Response(f"{json.dumps(answer)}\n", mimetype=JSON)
    response.headers["Cache-Control"] = "no-store"
    return response


def _stream(searches: Searches, names: list[dict[str, Any]]) -> Response:
    """Answer with the events; `names` are the fields that each search adds to its own."""
    return sse.response(_messages(searches, names), searches.close)


def _messages(searches: Searches, names: list[dict[str, Any]]) -> Iterator[str]:
    ids = count(1)
    number, last = 0, None
    try:
        for number, event in searches.events():
            if event is None:
                yield sse.HEARTBEAT
            else:
                last = event
                yield _message(event, next(ids), names[number])
    except Busy as busy:
        last = Failed(str(busy))
        yield _message(last, next(ids), names[number])
    if not isinstance(last, (Finished, Failed)):
        yield _message(Failed("The search was stopped. Try again."), next(ids), names[number])


def _message(event: JobEvent, event_id: int, name: dict[str, Any]) -> str:
    kind = event_kind(event)
    if isinstance(event, (Waiting, Failed)):
        told: dict[str, Any] = {"event": kind, **asdict(event)}
    else:
        told = event.as_json()
    return sse.message(json.dumps({**told, **name}), event_id, kind)
