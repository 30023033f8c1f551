"""The pages before a game: the front door, and a new puzzle."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for

from slidewise import STANDARD_GOALS, Puzzle, PuzzleError, draw, parse_size, scramble
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.puzzle.errors import quoted
from slidewise.study.draw import parse_range
from webapp.http.errors import sentence
from webapp.http.requests import from_htmx
from webapp.http.responses import uncached
from webapp.play.last_game import read_last
from webapp.workers.budgets import costly
from webapp.workers.services import solvers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from werkzeug import Response as AnyResponse

blueprint = Blueprint("pages", __name__)

SHOWN_CHARACTERS = 100
"""How much of what was typed into a field for a new puzzle is shown in it again."""


@blueprint.get("/")
def home() -> AnyResponse:
    """Go to the game last left unfinished, else to a fresh puzzle."""
    puzzle = read_last() or scramble(3, 3, secrets.token_hex(8))
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
        fields = {name: text[:SHOWN_CHARACTERS] for name, text in request.args.items()}
        rows, _, cols = _size(fields).replace("×", "x").lower().partition("x")
        fields |= {"rows": rows.strip(), "cols": cols.strip()}
        page = render_template("play/new.html", error=sentence(str(error)), fields=fields)
        return Response(page, status=400)
    return uncached(redirect(url_for("game.page", code=str(puzzle))))


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
    helpers = pool.helpers if rows * cols <= TABLE_CELLS else pool.drawers
    wait = current_app.config["SOLVE_WAIT"]
    moves = parse_range(typed["moves"])
    with costly():
        return helpers.call(draw, rows, cols, seed, moves, goal, timeout=wait)


def _size(typed: Mapping[str, str]) -> str:
    return typed.get("size", f"{typed.get('rows', '3')}x{typed.get('cols', '3')}")
