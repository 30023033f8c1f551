"""The lab's race on many boards: medians, and expansions against the length of the solution."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict

from slidewise import Puzzle, PuzzleError, parse_size, standard_goal
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.study.draw import parse_range
from slidewise.study.sample import Summary
from slidewise.text import sentence
from webapp.forms.fields import read_number
from webapp.http import sse
from webapp.http.busy import TooManySearches
from webapp.http.errors import wait_and_retry
from webapp.http.requests import from_htmx, this_puzzle
from webapp.http.responses import download
from webapp.lab import race
from webapp.lab.many_boards_run import Plan, Sample, Samples
from webapp.lab.running import Races, replacing, stream
from webapp.lab.scatter import by_length, scatter
from webapp.lab.selection import choices_shown, read_selection
from webapp.lab.table import RaceRow
from webapp.workers import Busy, jobs
from webapp.workers.budgets import costly
from webapp.workers.services import service

if TYPE_CHECKING:
    from collections.abc import Iterator

    from werkzeug import Response as AnyResponse

blueprint = Blueprint("many", __name__, url_prefix="/lab/<code>/many")
blueprint.register_error_handler(TooManySearches, wait_and_retry)

MAX_BOARDS, MAX_RUNS = 100, 8
SEED_CHARACTERS = 40
"""The longest seed."""

SECONDS = 1.0
"""What each search may take, if nothing else is chosen."""

MAX_SECONDS = 60.0
"""Seconds after which no other board is begun."""

REFRESH_SECONDS = 0.7
"""Seconds between two pictures of how far it is."""

USUAL = {
    TABLE_CELLS: (
        "bfs,astar:misplaced,astar:manhattan,astar:linear-conflict,idastar:manhattan,greedy:manhattan",
        30,
    ),
    16: ("idastar:manhattan,idastar:linear-conflict,wastar:manhattan,greedy:manhattan", 15),
    100: ("greedy:manhattan,greedy:linear-conflict", 15),
}
"""The searches, and the number of boards, that are usual up to so many cells."""

USUAL_MOVES = {(3, 3): "10-28", (4, 4): "30-45"}


@blueprint.get("")
@costly()
def page() -> AnyResponse | str:
    """Show the form; with `go` also what comes of it, as without JavaScript."""
    try:
        plan = read_plan(this_puzzle(), request.args)
    except PuzzleError as error:
        return Response(_page(None, sentence(str(error))), 400)
    if "go" not in request.args:
        return _page(plan)
    wanted = {**plan.link, "go": "1"}
    if MultiDict(wanted) != request.args:
        # mypy takes the fields for url_for's own options, such as _anchor
        return redirect(url_for("many.page", code=str(this_puzzle()), **wanted))  # type: ignore[arg-type]
    try:
        return _page(plan, sample=service(Samples).get(plan))
    except PuzzleError as error:
        return Response(_page(plan, sentence(str(error))), 400)


@blueprint.get("/boards.csv")
@costly()
def as_csv() -> Response:
    """Answer with a line for each search on each board."""
    sample = _complete()
    return download(sample.as_csv(), "text/csv", _file_name(sample.plan, "csv"))


@blueprint.get("/boards.json")
@costly()
def as_json() -> Response:
    """Answer with the same as JSON, and with what was asked for."""
    sample = _complete()
    text = f"{json.dumps(sample.as_json())}\n"
    return download(text, "application/json", _file_name(sample.plan, "json"))


def _complete() -> Sample:
    sample = service(Samples).get(read_plan(this_puzzle(), request.args))
    if not sample.is_complete:
        raise Busy(
            "This takes longer than a download may take: run it on its page, then download the "
            "file.",
            retry_after=5,
        )
    return sample


def _file_name(plan: Plan, suffix: str) -> str:
    """Return what a file of these boards is called."""
    seed = re.sub(r"[^A-Za-z0-9]+", "-", plan.seed).strip("-")
    moves = f"-{plan.moves}-moves" if plan.moves else ""
    of_seed = f"-seed-{seed}" if seed else ""
    return f"slidewise-{plan.boards}-boards-{plan.size}{moves}{of_seed}.{suffix}"


@blueprint.post("/run")
@costly()
def run() -> AnyResponse:
    """Run it, as a stream of what changes in the page."""
    if not from_htmx():
        return redirect(url_for("many.page", code=str(this_puzzle()), **race.as_typed()), 303)
    plan = read_plan(this_puzzle(), request.form)
    service(Races).stop(request.form.get("race", "")[:64])  # the page's last, which this replaces
    replacing(jobs.check_can_start)  # before the boards are drawn
    sample = Sample(plan)
    service(Races).enter(sample)
    return stream(sample, _stream(sample))


def _stream(sample: Sample) -> Iterator[str]:
    yield _message("began", sample)
    shown, refused = time.monotonic(), ""
    try:
        for is_news in sample.run(MAX_SECONDS):
            if is_news and time.monotonic() - shown > REFRESH_SECONDS:
                shown = time.monotonic()
                yield _message("news", sample)
            else:
                yield sse.HEARTBEAT
    except (Busy, PuzzleError) as error:
        refused = sentence(str(error))
    service(Samples).remember(sample)
    yield _message("ended", sample, refused=refused)


def _message(kind: str, sample: Sample, refused: str = "") -> str:
    html = render_template(
        "lab/_many_stream.html",
        kind=kind,
        plan=sample.plan,
        refused=refused,
        code=str(this_puzzle()),
        **_shown(sample),
    )
    return sse.message(html)


def _shown(sample: Sample) -> dict[str, Any]:
    plan = sample.plan
    rows = [RaceRow(n, choice, plan.selection) for n, choice in enumerate(plan.selection.choices)]
    summaries = [Summary.of(measures) for measures in sample.measures]
    return {
        "sample": sample,
        "rows": list(zip(rows, summaries, strict=False)),
        "chart": scatter(sample.measures),
        "by_length": by_length(sample.measures),
    }


def _page(plan: Plan | None, error: str = "", sample: Sample | None = None) -> str:
    puzzle = this_puzzle()
    goal = plan.goal if plan else puzzle.goal
    stand_in = Puzzle(goal, goal)
    return render_template(
        "lab/many_boards.html",
        this=puzzle,
        puzzle=stand_in,
        code=str(puzzle),
        plan=plan,
        error=error,
        most=MAX_RUNS,
        most_boards=MAX_BOARDS,
        **choices_shown(stand_in, request.args, plan.selection if plan else None),
        **({"ran": True, **_shown(sample)} if sample else {"ran": False}),
    )


def read_plan(puzzle: Puzzle, typed: MultiDict[str, str]) -> Plan:
    """Return what is asked for, with the size and goal of `puzzle` where nothing is said of them;
    raises `PuzzleError`."""
    size = parse_size(typed["size"]) if typed.get("size", "").strip() else puzzle.start.size
    goal = puzzle.goal if size == puzzle.start.size else standard_goal(*size)
    runs, usual_boards = next(usual for cells, usual in USUAL.items() if size[0] * size[1] <= cells)
    within = f"the number of boards must be from 1 to {MAX_BOARDS}"
    boards = read_number(typed, "boards", int, 1, MAX_BOARDS, within)
    moves = typed.get("moves", USUAL_MOVES.get(size, "")).strip()
    seed = re.sub(r"\s+", " ", typed.get("seed", "")).strip() or "1"
    if len(seed) > SEED_CHARACTERS:
        raise PuzzleError(
            f"a seed can have up to {SEED_CHARACTERS} characters here, got {len(seed)}"
        )
    selection = read_selection(Puzzle(goal, goal), typed, runs, SECONDS, MAX_RUNS)
    return Plan(
        goal, boards or usual_boards, parse_range(moves) if moves else None, seed, selection
    )
