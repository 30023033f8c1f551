"""The pages around the game: the front door, a new puzzle, the editor, pictures."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for

from slidewise import draw
from slidewise.puzzle import (
    GOAL_NAMES,
    STANDARD_GOALS,
    InvalidBoardError,
    Puzzle,
    PuzzleError,
    parse_puzzle,
    parse_size,
    scramble,
    standard_goal,
)
from slidewise.puzzle.errors import quoted
from slidewise.puzzle.svg import svg
from slidewise.solver.tables.exact import MOST_CELLS
from slidewise.study.draw import parse_range
from webapp.http.errors import sentence
from webapp.http.requests import from_htmx, this_puzzle
from webapp.http.responses import uncached
from webapp.play import views
from webapp.play.game import LAST_GAME
from webapp.workers.services import solvers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from werkzeug import Response as AnyResponse

blueprint = Blueprint("pages", __name__)

MOST_SHOWN = 100
"""So much of what was typed into a field for a new puzzle stands there again, in characters."""


@blueprint.get("/")
def home() -> AnyResponse:
    """Go to the game last left unfinished, else to a fresh puzzle."""
    try:
        puzzle = parse_puzzle(request.cookies[LAST_GAME])
    except (KeyError, PuzzleError):
        puzzle = scramble(3, 3, secrets.token_hex(8))
    return uncached(redirect(url_for("game.page", code=str(puzzle))))


@blueprint.get("/new")
def new() -> AnyResponse:
    """Draw a puzzle: `size` rows x columns, or `rows` and `cols`; `moves` those of its shortest
    solution or a range of them, `seed` any text, `goal` a key of `STANDARD_GOALS`. What cannot be
    drawn is told, with the form as it was typed."""
    try:
        puzzle = _drawn(request.args)
    except PuzzleError as error:
        if from_htmx():
            raise
        fields = {name: text[:MOST_SHOWN] for name, text in request.args.items()}
        rows, _, cols = _size(fields).replace("×", "x").lower().partition("x")
        fields |= {"rows": rows.strip(), "cols": cols.strip()}
        page = render_template("play/new.html", error=sentence(str(error)), fields=fields)
        return Response(page, status=400)
    return uncached(redirect(url_for("game.page", code=str(puzzle))))


@blueprint.route("/custom", methods=["GET", "POST"])
def custom() -> AnyResponse | str:
    """Type a start and a goal. What is typed is checked; nothing typed is lost."""
    typed = request.form if request.method == "POST" else request.args
    fields = {name: typed.get(name, "") for name in ("start", "goal", "size")}
    checked = _check(fields) if fields["start"].strip() else {}
    if from_htmx():
        return render_template("play/_checked.html", live=True, **checked)
    puzzle = checked.get("puzzle")
    if request.method == "POST" and isinstance(puzzle, Puzzle) and puzzle.solvable:
        return redirect(url_for("game.page", code=str(puzzle)), code=303)
    failed = request.method == "POST"
    if failed and not checked:
        checked = {
            "error": "Type the start board first, for example 1 2 3 4 5 6 7 8 0.",
            "wrong": "start",
        }
    beginnings = [standard_goal(*size) for size in ((2, 3), (3, 3), (4, 4), (5, 5))]
    page = render_template(
        "play/editor.html", fields=fields, beginnings=beginnings, failed=failed, **checked
    )
    return Response(page, status=400 if failed else 200)


@blueprint.get("/board/<code>.svg")
def picture() -> Response:
    """Show the start of a puzzle as a picture."""
    puzzle = this_puzzle()
    response = Response(svg(puzzle.start.grid, puzzle.goal.grid), mimetype="image/svg+xml")
    response.cache_control.public = True
    response.cache_control.max_age = 24 * 3600
    return response


def _drawn(typed: Mapping[str, str]) -> Puzzle:
    rows, cols = parse_size(_size(typed))
    seed = typed.get("seed") or secrets.token_hex(8)
    name = typed.get("goal") or "last"
    if name not in STANDARD_GOALS:
        words = quoted(name, 20)
        raise PuzzleError(f"the goal must be one of {', '.join(STANDARD_GOALS)}, found {words}")
    goal = STANDARD_GOALS[name](rows, cols)
    if not typed.get("moves", "").strip():
        return draw(rows, cols, seed, goal=goal)
    # not here, as it takes numpy and a table, or a search
    pool = solvers()
    helpers = pool.helpers if rows * cols <= MOST_CELLS else pool.background
    wait = current_app.config["SOLVE_WAIT"]
    return helpers.call(draw, rows, cols, seed, parse_range(typed["moves"]), goal, timeout=wait)


def _size(typed: Mapping[str, str]) -> str:
    return typed.get("size", f"{typed.get('rows', '3')}x{typed.get('cols', '3')}")


def read_puzzle(fields: Mapping[str, str]) -> Puzzle:
    """Return the puzzle typed as `start`, `goal` and `size`; raises `InvalidBoardError`."""
    size = parse_size(fields["size"]) if fields["size"].strip() else None
    return parse_puzzle(fields["start"], fields["goal"], size)


def _check(fields: dict[str, str]) -> dict[str, object]:
    """Return what there is to say about a start and a goal as typed."""
    try:
        puzzle = read_puzzle(fields)
    except InvalidBoardError as error:
        wrong = _wrong_field(fields)
        return {"error": f"{wrong}: {error}", "wrong": wrong}
    return {
        "puzzle": puzzle,
        "boards": {
            GOAL_NAMES[key]: goal(*puzzle.start.size) for key, goal in STANDARD_GOALS.items()
        },
        "start_cells": views.cells(puzzle.start, puzzle.goal),
        "goal_cells": views.cells(puzzle.goal, puzzle.goal),
        "ways_out": None if puzzle.solvable else puzzle.ways_out(),
    }


def _wrong_field(fields: dict[str, str]) -> str:
    """Return the name of the field in which the puzzle typed goes wrong."""
    try:
        parse_size(fields["size"] if fields["size"].strip() else "3x3")
    except InvalidBoardError:
        return "size"
    try:
        read_puzzle({**fields, "goal": ""})
    except InvalidBoardError:
        return "start"
    return "goal"
