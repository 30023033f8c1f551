"""The pages around the game: the front door, a new puzzle, the editor, pictures."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from flask import Blueprint, Response, redirect, render_template, request, url_for

from webapp.puzzle import (
    InvalidBoardError,
    Puzzle,
    PuzzleError,
    SizeNeededError,
    blank_first_goal,
    parse_puzzle,
    parse_size,
    scramble,
    standard_goal,
)
from webapp.puzzle.pictures import board_svg
from webapp.web import views
from webapp.web.game import LAST_GAME
from webapp.web.requests import from_htmx, this_puzzle

if TYPE_CHECKING:
    from werkzeug import Response as AnyResponse

blueprint = Blueprint("pages", __name__)


@blueprint.get("/")
def home() -> AnyResponse:
    """Go to the game last left unfinished, else to a fresh puzzle."""
    try:
        puzzle = parse_puzzle(request.cookies[LAST_GAME])
    except (KeyError, PuzzleError):
        puzzle = scramble(3, 3, secrets.token_hex(8))
    return _uncached_redirect(url_for("game.page", code=str(puzzle)))


@blueprint.get("/new")
def new() -> AnyResponse:
    """Draw a puzzle: `size` rows x columns, `seed` any text, `goal` last or first."""
    rows, cols = parse_size(request.args.get("size", "3x3"))
    seed = request.args.get("seed") or secrets.token_hex(8)
    goal = blank_first_goal(rows, cols) if request.args.get("goal") == "first" else None
    puzzle = scramble(rows, cols, seed, goal)
    return _uncached_redirect(url_for("game.page", code=str(puzzle)))


@blueprint.route("/custom", methods=["GET", "POST"])
def custom() -> AnyResponse | str:
    """Type a start and a goal. What is typed is checked; nothing typed is lost."""
    typed = request.form if request.method == "POST" else request.args
    fields = {name: typed.get(name, "") for name in ("start", "goal", "size")}
    checked = _check(fields) if fields["start"].strip() else {}
    if from_htmx():
        return render_template("_checked.html", live=True, **checked)
    puzzle = checked.get("puzzle")
    if request.method == "POST" and isinstance(puzzle, Puzzle) and puzzle.solvable:
        return redirect(url_for("game.page", code=str(puzzle)), code=303)
    failed = request.method == "POST"
    if failed and not checked:
        checked = {"error": "Type the start board first, for example 1 2 3 4 5 6 7 8 0."}
    beginnings = [standard_goal(*size) for size in ((2, 3), (3, 3), (4, 4), (5, 5))]
    page = render_template("custom.html", fields=fields, beginnings=beginnings, **checked)
    return Response(page, status=400 if failed else 200)


@blueprint.get("/board/<code>.svg")
def picture() -> Response:
    """Show the start of a puzzle as a picture."""
    puzzle = this_puzzle()
    response = Response(board_svg(puzzle.start, puzzle.goal), mimetype="image/svg+xml")
    response.cache_control.public = True
    response.cache_control.max_age = 24 * 3600
    return response


def _check(fields: dict[str, str]) -> dict[str, object]:
    """Return what there is to say about a start and a goal as typed."""
    try:
        size = parse_size(fields["size"]) if fields["size"].strip() else None
        puzzle = parse_puzzle(fields["start"], fields["goal"], size)
    except SizeNeededError as error:
        return {"error": str(error), "size_needed": True}
    except InvalidBoardError as error:
        return {"error": str(error)}
    return {
        "puzzle": puzzle,
        "goals": {
            "blank last": standard_goal(*puzzle.start.size),
            "blank first": blank_first_goal(*puzzle.start.size),
        },
        "start_cells": views.cells(puzzle.start, puzzle.goal),
        "goal_cells": views.cells(puzzle.goal, puzzle.goal),
        "ways_out": None if puzzle.solvable else puzzle.ways_out(),
    }


def _uncached_redirect(url: str) -> AnyResponse:
    response = redirect(url)
    response.headers["Cache-Control"] = "no-store"
    return response
