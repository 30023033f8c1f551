"""Solve requests: a stream of search events and solution steps.

Without JavaScript it is a short wait and a replay page.
"""

import time
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any

from flask import (
    Blueprint,
    Response,
    current_app,
    redirect,
    render_template,
    request,
    stream_with_context,
    url_for,
)
from werkzeug import Response as AnyResponse

from slidewise import (
    Puzzle,
    PuzzleError,
    Result,
    SearchSpec,
    Status,
    find_algorithm,
    format_moves,
    parse_board,
)
from slidewise.puzzle.moves import play
from slidewise.solver.events import Finished, Improved, Iteration, Preparing, Progress, Started
from slidewise.text import message

from .. import forms
from ..board import cells
from ..forms import FieldError
from ..http import responses
from ..http.errors import wait_and_retry
from ..http.requests import current_puzzle, from_htmx
from ..http.responses import TooManySearches
from ..http.routes import cheap
from ..play.game import page_with_error
from ..play.session import game_urls, load_game
from ..workers import Failed, Waiting, jobs
from ..workers.budgets import charge_cpu_time
from ..workers.shared import solvers
from ..workers.solvers import ON_REQUEST, Displaced, JobEvent, displaced_error
from . import replay
from .replay import MAX_MOVES_IN_LINK, SHOWN_STEPS, SolutionPart, can_be_counted, profile

blueprint = Blueprint("solve", __name__, url_prefix="/play/<code>/solve")
blueprint.register_error_handler(TooManySearches, wait_and_retry)

ITERATION_SECONDS = 0.05
"""Minimum seconds between reported iterations."""


@blueprint.post("")
def solve() -> AnyResponse:
    """Solve the board shown on the page.

    Does not write the session, so concurrent moves are not overwritten.
    """
    try:
        wanted = forms.read_spec(_puzzle_from_here(), _solve_form())
    except FieldError as wrong:
        return _at_the_field(wrong)
    if not from_htmx() or responses.MIMETYPE not in request.headers.get("Accept", ""):
        return _answer_without_stream(wanted)
    job = jobs.start(wanted)
    abandon = partial(solvers().abandon, job)  # once the client has gone
    return responses.response(stream_with_context(_stream(job, wanted)), abandon)


@blueprint.post("/stop")
@cheap
def stop() -> AnyResponse:
    """Stop the page's job; its stream then ends with the best result so far."""
    solvers().cancel(request.form.get("job", "")[:64])
    if from_htmx():
        return Response(status=204)
    return redirect(url_for("game.page", code=str(current_puzzle())), code=303)


@blueprint.get("/best")
@charge_cpu_time()
def best() -> str:
    """Answer with the replay of the best solution so far, `moves` from `board`."""
    puzzle = current_puzzle()
    puzzle = puzzle.starting_at(parse_board(request.args.get("board", ""), puzzle.start.size))
    moves = replay.linked_moves(puzzle)
    if play(puzzle.start, moves) != puzzle.goal:
        raise PuzzleError(message("these moves do not end at the goal"))
    fields: dict[str, Any] = {"moves": format_moves(moves)}
    return _partials(
        "best",
        **_replay(puzzle, moves),
        piece=replay.piece_with(puzzle, moves, 0),
        replay_url=url_for("replay.page", code=str(puzzle), **fields),
        link_fields=fields,
        proof=message("not proved shortest"),
    )


_KINDS: dict[type, str] = {
    Waiting: "waiting",
    Preparing: "preparing",
    Started: "started",
    Progress: "progress",
    Iteration: "iteration",
    Improved: "improved",
    Failed: "failed",
}
"""Template names of the events."""


def _solve_form() -> Mapping[str, str]:
    """Choices of the Solve card; "Give up" uses the default solver."""
    return {} if "give-up" in request.form else request.form


def _options() -> dict[str, str]:
    """Search options that a repetition needs too."""
    chosen = _solve_form()
    taken = find_algorithm(chosen.get("algorithm", forms.DEFAULT_ALGORITHM)).options
    return {name: chosen.get(name, "").strip() for name in sorted(taken)}


def _puzzle_from_here() -> Puzzle:
    """The puzzle with the page's board as start, or else with the session's board.

    The session may lag behind the page while a click travels.
    """
    puzzle = current_puzzle()
    shown = request.form.get("board", "")
    board = parse_board(shown, puzzle.start.size) if shown else load_game(puzzle).board
    return puzzle.starting_at(board)


def _at_the_field(wrong: FieldError) -> Response:
    """Answer with the fields or the page, with the error at its field."""
    if not from_htmx():
        return Response(page_with_error(wrong), status=400)
    choices = forms.solver_choices(current_puzzle(), request.form, wrong)
    response = Response(render_template("solve/_options.html", live=True, **choices), status=400)
    response.headers["HX-Retarget"] = "#solve-options"
    response.headers["HX-Reswap"] = "outerMorph"
    return response


def _answer_without_stream(wanted: SearchSpec) -> AnyResponse:
    result = jobs.wait(wanted, current_app.config["SOLVE_WAIT"])
    if result is not None and result.moves:
        url = replay.replay_url(result, _options())
        return Response(headers={"HX-Redirect": url}) if from_htmx() else redirect(url, code=303)
    page = render_template("solve/no_solution.html", result=result, code=str(current_puzzle()))
    return Response(page, headers={"HX-Retarget": "body"})


def _stream(job: str, wanted: SearchSpec) -> Iterator[str]:
    yield _message("job", job=job)
    result = None
    for event_id, event in _throttle_iterations(jobs.events(job, wanted)):
        if event is None:
            yield responses.HEARTBEAT
        elif isinstance(event, Finished):
            result = event.result
        elif isinstance(event, Displaced):
            yield _message("displaced", why=displaced_error().why)
            return
        else:
            yield from _render_event(event, event_id, wanted.puzzle)
    yield from _solution(result) if result else [_message("stopped")]


def _throttle_iterations(
    events: Iterator[tuple[int, JobEvent | None]],
) -> Iterator[tuple[int, JobEvent | None]]:
    """Drop iterations that come faster than a page can show them, except the last."""
    reported, skipped = 0.0, None
    for event_id, event in events:
        if isinstance(event, Iteration) and time.monotonic() - reported < ITERATION_SECONDS:
            skipped = event_id, event
            continue
        if isinstance(event, Iteration):
            reported, skipped = time.monotonic(), None
        elif skipped and event is not None:
            yield skipped  # the last iteration before another event
            skipped = None
        yield event_id, event


def _render_event(event: JobEvent, event_id: int, puzzle: Puzzle) -> Iterator[str]:
    kind = _KINDS.get(type(event))
    best = _best_urls(puzzle, event.moves) if isinstance(event, Improved) else {}
    if kind is not None:
        yield _message(kind, event_id, event=event, of=puzzle.start, **best)


def _best_urls(puzzle: Puzzle, moves: str) -> dict[str, str]:
    """URLs of the replay of the best solution so far, in the page and separate; {} if too long."""
    if not 0 < len(moves) <= MAX_MOVES_IN_LINK:
        return {}
    written = format_moves(moves)
    code = str(current_puzzle())
    return {
        "best_url": url_for("solve.best", code=code, board=puzzle.start, moves=written),
        "best_page": url_for("replay.page", code=str(puzzle), moves=written),
    }


def _solution(result: Result) -> Iterator[str]:
    """Yield the verdict, then each step as its own message."""
    yield _message("finished", result=result, of=result.puzzle.start, **_player(result, _options()))
    if result.status is Status.SOLVED:
        for step in islice(result.steps(), SHOWN_STEPS):
            yield _message("step", step=step)


def _player(result: Result, options: dict[str, str]) -> dict[str, Any]:
    if not result.moves:
        return {}
    return {
        **_replay(result.puzzle, result.moves),
        "piece": SolutionPart(0, result.puzzle.start, []),
        "replay_url": replay.replay_url(result, options),
        "link_fields": replay.result_fields(result, options),
        "countable": can_be_counted(result.puzzle),
        "offered": ON_REQUEST in result.verdict.because,
        "profile": profile(
            result.puzzle, (step.board for step in result.steps()), result.heuristic
        ),
    }


def _replay(puzzle: Puzzle, moves: str) -> dict[str, Any]:
    return {
        "puzzle": puzzle,
        "length": len(moves),
        "in_pieces": len(moves) > SHOWN_STEPS,
        "cells": cells(puzzle.start, puzzle.goal),
    }


def _message(kind: str, event_id: int | None = None, **what: Any) -> str:
    return responses.message(_partials(kind, **what), event_id)


def _partials(kind: str, **what: Any) -> str:
    urls = game_urls(str(current_puzzle()))
    return render_template("solve/_stream.html", kind=kind, urls=urls, **what)
