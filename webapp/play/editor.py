"""Editor: a start and a goal, built or typed and checked at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response, redirect, render_template, request, url_for

from slidewise import (
    GOAL_NAMES,
    STANDARD_GOALS,
    InvalidBoardError,
    Puzzle,
    standard_goal,
)

from ..board import cells
from ..forms import read_puzzle, wrong_field
from ..http.language import gettext as _
from ..http.language import translated
from ..http.requests import from_htmx
from .new import blueprint

if TYPE_CHECKING:
    from werkzeug import Response as AnyResponse


@blueprint.route("/custom", methods=["GET", "POST"])
def custom() -> AnyResponse | str:
    """Build a start and a goal, or type them. Input is checked and never lost."""
    typed = request.form if request.method == "POST" else request.args
    fields = {name: typed.get(name, "") for name in ("start", "goal", "size")}
    if request.method == "GET" and not typed:
        fields["start"] = str(standard_goal(3, 3))
    checked = _check(fields) if fields["start"].strip() else {}
    if from_htmx():
        return render_template("play/_checked.html", live=True, **checked)
    puzzle = checked.get("puzzle")
    if request.method == "POST" and isinstance(puzzle, Puzzle) and puzzle.solvable:
        return redirect(url_for("game.page", code=str(puzzle)), code=303)
    failed = request.method == "POST"
    if failed and not checked:
        checked = {
            "error": _("Type the start board first, for example 1 2 3 4 5 6 7 8 0."),
            "wrong": "start",
        }
    beginnings = [standard_goal(*size) for size in ((2, 3), (3, 3), (4, 4), (5, 5))]
    page = render_template(
        "play/editor.html", fields=fields, beginnings=beginnings, failed=failed, **checked
    )
    return Response(page, status=400 if failed else 200)


def _check(fields: dict[str, str]) -> dict[str, object]:
    """Report on a start and a goal as typed."""
    try:
        puzzle = read_puzzle(fields)
    except InvalidBoardError as error:
        wrong, fault = wrong_field(fields), translated(error)
        texts = {
            "start": _("start: %(fault)s", fault=fault),
            "goal": _("goal: %(fault)s", fault=fault),
            "size": _("size: %(fault)s", fault=fault),
        }
        return {"error": texts[wrong], "wrong": wrong}
    return {
        "puzzle": puzzle,
        "boards": {
            GOAL_NAMES[key]: goal(*puzzle.start.size) for key, goal in STANDARD_GOALS.items()
        },
        "start_cells": cells(puzzle.start, puzzle.goal),
        "goal_cells": cells(puzzle.goal, puzzle.goal),
        "solvable_alternatives": None if puzzle.solvable else puzzle.solvable_alternatives(),
    }
