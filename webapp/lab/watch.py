"""Watch a search think: its first expansions as a tree to go through, and in words."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from flask import (
    Blueprint,
    Response,
    current_app,
    json,
    redirect,
    render_template,
    request,
    url_for,
)

from slidewise import Status, algorithms, find_algorithm, find_heuristic
from slidewise.puzzle import PuzzleError, parse_board
from slidewise.solver.events import Finished
from slidewise.study.recording import Recording, is_recorded, record
from slidewise.text import plural
from webapp.board.cells import cells
from webapp.forms import search
from webapp.http.errors import sentence
from webapp.http.requests import this_puzzle
from webapp.workers import Busy, Failed, Waiting, jobs
from webapp.workers.cache import Cache
from webapp.workers.services import service

if TYPE_CHECKING:
    from collections.abc import Mapping

    from werkzeug import Response as AnyResponse

    from slidewise import Result
    from slidewise.solver.spec import SearchSpec

blueprint = Blueprint("watch", __name__, url_prefix="/lab/<code>")

MOST_EXPANSIONS = 2_000
"""So many expansions of a search are shown."""

MOST_SECONDS = 2.0
"""How long a search may go on for the sake of its end."""

PAGE = 100
"""So many expansions stand on a page in words."""

KEPT_SECONDS = 600
"""How long a browser keeps a recording: a search repeats exactly."""

DEFAULT_ALGORITHM = "astar"
OPTIONS = ("algorithm", "heuristic", "depth", "weight")


class Recordings:
    """The recordings made last, so that a page, its viewer and its next page share one."""

    MOST = 6
    """Some 10 MB each, at the most."""

    def __init__(self) -> None:
        self._made: Cache[SearchSpec, Recording] = Cache(self.MOST)

    def get(self, wanted: SearchSpec) -> Recording:
        """Return the recording of a search, which may have to run first; raises `Busy`."""
        made = self._made.get(wanted)
        if made is None:
            made = _record(wanted)
            self._made.put(wanted, made)
        return made


@blueprint.get("/watch")
def page() -> AnyResponse | str:
    """Show the search of `algorithm` at expansion `at`."""
    puzzle = this_puzzle()
    chosen = _chosen()
    if "board" in request.args:  # from the Solve card, which solves from where the player is
        here = puzzle.starting_at(parse_board(request.args["board"], puzzle.start.size))
        fields: dict[str, Any] = {"code": str(here), **chosen}
        return redirect(url_for("watch.page", **fields))
    recording = None
    if _is_recorded(chosen):
        recording = _recording(chosen)
    at = min(_number("at"), len(recording.steps)) if recording else 0
    first = (max(at, 1) - 1) // PAGE * PAGE
    choices = search.solver_choices(puzzle, chosen)
    return render_template(
        "lab/watch.html",
        puzzle=puzzle,
        code=str(puzzle),
        chosen=chosen,
        entry=find_algorithm(chosen["algorithm"]),
        recording=recording,
        states=_states(recording, first) if recording else [],
        at=at,
        first=first,
        per_page=PAGE,
        **{**choices, "algorithms": [one for one in algorithms().values() if is_recorded(one)]},
        cells=cells(puzzle.start, puzzle.goal),
    )


@blueprint.get("/trace")
def trace() -> Response:
    """Answer with the recording as JSON, for the viewer."""
    try:
        recording = _recording(_chosen())
    except PuzzleError as error:
        return _refusal(sentence(str(error)), 400)
    except Busy as error:
        response = _refusal(str(error), 503)
        response.headers["Retry-After"] = str(error.retry_after)
        return response
    result = recording.result
    assert result is not None
    text = json.dumps(
        {
            **recording.as_json(),
            "title": _title(recording),
            "status": result.status.value,
            "length": result.length,
            "expanded": result.expanded,
            "words": _words(result),
        },
        separators=(",", ":"),
    )
    response = Response(text, mimetype="application/json")
    response.headers["Cache-Control"] = f"private, max-age={KEPT_SECONDS}"
    return response


def _refusal(message: str, status: int) -> Response:
    response = Response(json.dumps({"error": message}), status, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response


def _chosen() -> dict[str, str]:
    """Return what is chosen, each option that the algorithm takes and no other."""
    chosen = {name: request.args.get(name, "").strip() for name in OPTIONS}
    chosen["algorithm"] = chosen["algorithm"] or DEFAULT_ALGORITHM
    entry = find_algorithm(chosen["algorithm"])
    taken = {"algorithm", *entry.options}
    if entry.uses_heuristic:
        taken.add("heuristic")
        chosen["heuristic"] = chosen["heuristic"] or search.DEFAULT_HEURISTIC
    return {name: text for name, text in chosen.items() if text and name in taken}


def _is_recorded(chosen: Mapping[str, str]) -> bool:
    return is_recorded(find_algorithm(chosen["algorithm"]))


def _recording(chosen: Mapping[str, str]) -> Recording:
    """Return the recording of the search that is chosen; raises `PuzzleError` and `Busy`."""
    if not _is_recorded(chosen):
        raise PuzzleError(
            f"the search {chosen['algorithm']} is not recorded; choose one of "
            f"{', '.join(key for key, entry in algorithms().items() if is_recorded(entry))}"
        )
    wanted = search.read_spec(this_puzzle(), chosen)
    seconds = min(MOST_SECONDS, wanted.limits.seconds or MOST_SECONDS)
    limits = replace(wanted.limits, seconds=seconds)
    return service(Recordings).get(replace(wanted, limits=limits, trace=MOST_EXPANSIONS))


def _record(wanted: SearchSpec) -> Recording:
    """Return the recording of a search that came to an end by itself; raises `Busy`."""
    found = list(jobs.events_within(wanted, current_app.config["SOLVE_WAIT"]))
    last = found[-1] if found else None
    if not isinstance(last, Finished) or last.result.status is Status.CANCELLED:
        raise Busy("The solver is getting ready. Try again in some seconds.", retry_after=5)
    events = [event for event in found if not isinstance(event, Waiting | Failed)]
    return record(wanted.puzzle, find_algorithm(wanted.algorithm), events, wanted.weight)


def _title(recording: Recording) -> str:
    """Return the algorithm and its heuristic in words."""
    result = recording.result
    assert result is not None
    title = recording.algorithm.title
    if result.heuristic:
        title += f", {find_heuristic(result.heuristic).title}"
    return f"{title}, w = {result.weight:g}" if result.weight else title


_PROOFS = {
    "optimal": "Proved shortest",
    "bounded": "Proved within a bound",
    "unproved": "Not proved shortest",
}


def _words(result: Result) -> str:
    """Return in words what the search found."""
    if result.status is Status.SOLVED:
        proof = _PROOFS[result.verdict.kind.value]
        return sentence(f"{plural(result.length or 0, 'move')}. {proof}: {result.verdict.reason}")
    unsolvable = result.status is Status.UNSOLVABLE
    about = "This goal cannot be reached" if unsolvable else "No solution found by then"
    return sentence(f"{about}: {result.verdict.reason}")


def _states(recording: Recording, first: int) -> list[dict[str, Any]]:
    """Return what the list in words says of the expansions of one page."""
    numbers = {step.node: number for number, step in enumerate(recording.steps[:first], 1)}
    begun = {one.first: one for one in recording.iterations if one.first}
    states = []
    for number, step in enumerate(recording.steps[first : first + PAGE], first + 1):
        node = recording.nodes[step.node]
        states.append(
            {
                "number": number,
                "step": step,
                "node": node,
                "f": recording.f_at(step.node, number),
                "parent": numbers.get(-1 if node.parent is None else node.parent),
                "iteration": begun.get(number),
                "is_end": number > recording.expansions,
            }
        )
        numbers[step.node] = number
    return states


def _number(name: str) -> int:
    text = request.args.get(name, "").strip() or "0"
    if not (text.isascii() and text.isdigit()):
        raise PuzzleError(f"{name} must be a number from 0 on, found {text[:20]!r}")
    return int(text[:9])
