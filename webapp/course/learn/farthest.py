"""Challenge: find a start and a goal that need many moves."""

from typing import Any

from flask import Blueprint, current_app, render_template, request

from slidewise import InvalidBoardError, standard_goal
from slidewise.analysis.distance import GREATEST_DISTANCES, board_facts
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.text import message

from ...board import cells
from ...forms import read_puzzle
from ...http.language import gettext as _
from ...http.language import number, sentence
from ...http.requests import from_htmx
from ...workers.budgets import charge_cpu_time
from ...workers.shared import solvers

blueprint = Blueprint("farthest", __name__, url_prefix="/learn/challenge")

EXAMPLE = "1.2.3-4.5.6-7.8.0", "0.1.2-3.4.5-6.7.8"
"""Attempt of a course notebook, the initial content of the form."""


@blueprint.get("")
@charge_cpu_time()
def page() -> str:
    """Show the challenge, with the answer for `start` and `goal`; only the answer for htmx."""
    start, goal = EXAMPLE if "start" not in request.args else ("", "")
    fields = {
        "start": request.args.get("start", start),
        "goal": request.args.get("goal", goal),
        "size": request.args.get("size", ""),
    }
    template = "course/learn/_farthest.html" if from_htmx() else "course/learn/farthest.html"
    return render_template(
        template,
        fields=fields,
        beginnings=[standard_goal(*size) for size in ((2, 3), (3, 3), (2, 4))],
        share_words=share_words,
        **_answer(fields),
    )


def _answer(fields: dict[str, str]) -> dict[str, Any]:
    """Answer for a start and a goal as typed."""
    if not fields["start"].strip():
        return {}
    try:
        puzzle = read_puzzle(fields)
        if not puzzle.has_table:
            raise InvalidBoardError(
                message(
                    "the table of all boards goes up to %(most)s cells, but a %(size)s board has "
                    "%(cells)s: try 3x3 or 2x5",
                    most=TABLE_CELLS,
                    size=f"{puzzle.rows}x{puzzle.cols}",
                    cells=len(puzzle.start.cells),
                )
            )
    except InvalidBoardError as error:
        return {"error": sentence(error)}
    facts = None
    if puzzle.solvable:  # in another process, as it takes numpy and a table
        wait = current_app.config["SOLVE_WAIT"]
        facts = solvers().call(board_facts, puzzle, timeout=wait)
    return {
        "puzzle": puzzle,
        "facts": facts,
        "record": GREATEST_DISTANCES[puzzle.start.size],
        "start_cells": cells(puzzle.start, puzzle.goal),
        "goal_cells": cells(puzzle.goal, puzzle.goal),
        "solvable_alternatives": None if puzzle.solvable else puzzle.solvable_alternatives(),
    }


def share_words(share: float) -> str:
    """A share of all boards in words.

    >>> share_words(0.6037), share_words(2 / 181440), share_words(0.99999)
    ('60 %', '1 in 90,720', '99 %')
    """
    if share > 0.05:
        return f"{int(100 * share)} %"
    return _("1 in %(boards)s", boards=number(round(1 / share)))
