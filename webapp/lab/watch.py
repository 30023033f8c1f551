"""Watch a search think: its first and last expansions as a tree to go through, and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from flask import Blueprint, Response, json, redirect, render_template, request, url_for

from slidewise import PuzzleError, algorithms, find_algorithm, parse_board
from slidewise.solver.convention import ALGORITHMS, SLIDEWISE
from slidewise.study.recording import is_recorded
from webapp.board.cells import cells
from webapp.forms import search
from webapp.forms.fields import number
from webapp.http.errors import sentence
from webapp.http.requests import this_puzzle
from webapp.lab.recordings import Recordings, to_record, viewer_json
from webapp.workers import Busy
from webapp.workers.services import service

if TYPE_CHECKING:
    from collections.abc import Mapping

    from werkzeug import Response as AnyResponse

    from slidewise.study.recording import Expansion, Node, Recording
    from slidewise.study.recording.recording import RecordedIteration

blueprint = Blueprint("watch", __name__, url_prefix="/lab/<code>")

EXPANSIONS_PER_PAGE = 100
"""Expansions in words on a page."""

BROWSER_CACHE_SECONDS = 600
"""How long a browser keeps a recording, which would not change: a search repeats exactly."""

DEFAULT_ALGORITHM = "astar"
OPTIONS = ("algorithm", "heuristic", "depth", "weight", "convention", "order")


class ListedExpansion(NamedTuple):
    """An expansion in the list in words: its place in the recording, the number that the search
    gave to it, the node taken with its f at that time, the place of the expansion that made it, and
    the iteration that begins with it."""

    at: int
    number: int
    step: Expansion
    node: Node
    f: int
    parent: int | None
    iteration: RecordedIteration | None


@blueprint.get("/watch")
def page() -> AnyResponse | str:
    """Show the search of `algorithm` at expansion `at`."""
    puzzle = this_puzzle()
    chosen = _chosen()
    if "board" in request.args:  # from the Solve card, which solves from where the player is
        here = puzzle.starting_at(parse_board(request.args["board"], puzzle.start.size))
        query: dict[str, Any] = {"code": str(here), **chosen}
        return redirect(url_for("watch.page", **query))
    entry = find_algorithm(chosen["algorithm"])
    recording = _recording(chosen) if is_recorded(entry) else None
    at = min(_expansion_number(), len(recording.steps)) if recording else 0
    first = (max(at, 1) - 1) // EXPANSIONS_PER_PAGE * EXPANSIONS_PER_PAGE
    choices = search.solver_choices(puzzle, chosen) | {
        "algorithms": [one for one in algorithms().values() if is_recorded(one)]
    }
    return render_template(
        "lab/watch.html",
        puzzle=puzzle,
        code=str(puzzle),
        chosen=chosen,
        entry=entry,
        recording=recording,
        states=_listed(recording, first) if recording else [],
        at=at,
        first=first,
        per_page=EXPANSIONS_PER_PAGE,
        cells=cells(puzzle.start, puzzle.goal),
        **choices,
    )


@blueprint.get("/trace")
def trace() -> Response:
    """Answer with the recording as JSON, for the viewer."""
    try:
        recording = _recording(_chosen())
    except PuzzleError as error:
        return _refusal(sentence(str(error)), 400)
    except Busy as error:
        response = _refusal(str(error), error.status)
        response.headers["Retry-After"] = str(error.retry_after)
        return response
    text = json.dumps(viewer_json(recording), separators=(",", ":"))
    response = Response(text, mimetype="application/json")
    response.headers["Cache-Control"] = f"private, max-age={BROWSER_CACHE_SECONDS}"
    return response


def _refusal(message: str, status: int) -> Response:
    response = Response(json.dumps({"error": message}), status, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response


def _chosen() -> dict[str, str]:
    """Return what is chosen: each option that the algorithm takes, and no other."""
    chosen = {name: request.args.get(name, "").strip() for name in OPTIONS}
    chosen["algorithm"] = chosen["algorithm"] or DEFAULT_ALGORITHM
    entry = find_algorithm(chosen["algorithm"])
    taken = {"algorithm", *entry.options}
    if entry.key in ALGORITHMS:
        taken |= {"convention", "order"}
    if entry.uses_heuristic:
        taken.add("heuristic")
        chosen["heuristic"] = chosen["heuristic"] or search.DEFAULT_HEURISTIC
    if chosen["convention"] == SLIDEWISE.key:
        taken.discard("convention")
    return {name: text for name, text in chosen.items() if text and name in taken}


def _recording(chosen: Mapping[str, str]) -> Recording:
    """Return the recording of the search that is chosen; raises `PuzzleError` and `Busy`."""
    if not is_recorded(find_algorithm(chosen["algorithm"])):
        raise PuzzleError(
            f"the search {chosen['algorithm']} is not recorded; choose one of "
            f"{', '.join(key for key, entry in algorithms().items() if is_recorded(entry))}"
        )
    spec = search.read_spec(this_puzzle(), chosen)
    return service(Recordings).get(to_record(spec))


def _listed(recording: Recording, first: int) -> list[ListedExpansion]:
    """Return the expansions of the page after the `first` ones."""
    numbers = {step.node: at for at, step in enumerate(recording.steps[:first], 1)}
    iterations = {one.first: one for one in recording.iterations if one.first}
    if recording.gap:  # those begun there are under way, and do not begin with what comes next
        iterations.pop(recording.gap.after + 1, None)
    listed = []
    steps = recording.steps[first : first + EXPANSIONS_PER_PAGE]
    for at, step in enumerate(steps, first + 1):
        node = recording.nodes[step.node]
        parent = None if node.parent is None else numbers.get(node.parent)
        f = recording.f_at(step.node, at)
        place = at, recording.number(at)
        listed.append(ListedExpansion(*place, step, node, f, parent, iterations.get(at)))
        numbers[step.node] = at
    return listed


def _expansion_number() -> int:
    """Return the expansion that the link names; a number that is too long counts as a large one."""
    return number({"at": request.args.get("at", "")[:9]}, "at", int) or 0
