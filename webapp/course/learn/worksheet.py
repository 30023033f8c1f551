"""Worksheet: printable exercises drawn from a seed, with answers on a second sheet."""

from typing import Any

from flask import Blueprint, Response, current_app, render_template, request, url_for

from slidewise import PuzzleError, algorithms, find_algorithm, heuristics, parse_size
from slidewise.course.searching import is_recorded
from slidewise.course.worksheet import EXPANSIONS, HEURISTICS, RUNS, SearchExercise, worksheet
from slidewise.solver.events import DEPTH_LIMIT, F_LIMIT

from ...http.language import gettext as _
from ...http.language import noop, sentence
from ...workers.budgets import charge_cpu_time
from ...workers.shared import solvers
from ..lab.selection import search_title

blueprint = Blueprint("worksheet", __name__, url_prefix="/learn/worksheet")

SIZES = ("2x3", "3x3", "2x4", "2x5")
LIMITS = {DEPTH_LIMIT: noop("depth limit"), F_LIMIT: noop("f-limit")}


@blueprint.get("")
@charge_cpu_time()
def page() -> Response | str:
    """Show the worksheet of `seed` with the searches `run`; `answers=yes` adds the answers."""
    seed = request.args.get("seed", "").strip() or "1"
    size = request.args.get("size", "").strip() or "3x3"
    runs = [run for run in request.args.getlist("run") if run] or list(RUNS)
    context: dict[str, Any] = {
        "seed": seed[:64],
        "size": size[:10],
        "sizes": SIZES,
        "runs": runs,
        "choices": _choices(),
        "answers": request.args.get("answers") == "yes",
        "with_answers": url_for("worksheet.page", seed=seed, size=size, run=runs, answers="yes"),
        "expansions": EXPANSIONS,
        "estimated": [heuristics()[key] for key in HEURISTICS],
        "title_of": search_title,
        "limit_of": lambda one: _(LIMITS[one.limit]),
        "limit_heading": _limit_heading,
        "informed": lambda key: find_algorithm(key).uses_heuristic,
    }
    try:
        wait = current_app.config["SOLVE_WAIT"]
        # in another process, as searches load numpy and compiled code
        sheet = solvers().call(worksheet, *parse_size(size), seed, tuple(runs), timeout=wait)
    except PuzzleError as error:
        page = render_template("course/learn/worksheet.html", error=sentence(error), **context)
        return Response(page, status=400)
    return render_template("course/learn/worksheet.html", sheet=sheet, **context)


def _choices() -> dict[str, str]:
    """Searches that can be done by hand, and their titles."""
    return {
        run: search_title(*run.partition(":")[::2])
        for one in algorithms().values()
        if is_recorded(one)
        for run in (
            (f"{one.key}:manhattan", f"{one.key}:misplaced") if one.uses_heuristic else (one.key,)
        )
    }


def _limit_heading(one: SearchExercise) -> str:
    """Name of a search's limits as a heading."""
    name = _(LIMITS[one.limit])
    return name if name.startswith("f-") else name.capitalize()
