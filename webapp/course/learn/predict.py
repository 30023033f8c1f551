"""Quiz: predict the next expansion, with a question per seed and number.

Question and answer come from a recorded search. The URL holds the question and the score, so the
server stores nothing.
"""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, current_app, render_template, request, url_for

from slidewise import PuzzleError, algorithms, find_algorithm, heuristics, parse_size
from slidewise.course.searching.prediction import Prediction, can_be_predicted, predict
from slidewise.puzzle.board import quoted

from ... import forms
from ...board import cells
from ...http.language import gettext as _
from ...http.language import sentence
from ...workers.budgets import charge_cpu_time
from ...workers.shared import solvers

blueprint = Blueprint("predict", __name__, url_prefix="/learn/predict")

SIZES = ("2x3", "3x3")
DEFAULTS = {
    "algorithm": "astar",
    "heuristic": "manhattan",
    "size": "2x3",
    "numbers": "shown",
    "seed": "1",
}
MAX_QUESTIONS = 999
"""Number of a seed's last question, more than anyone answers."""

ECHOED_CHARACTERS = 64
"""Longest input shown in the form again: the length of a seed."""


@blueprint.get("")
@charge_cpu_time()
def page() -> Response | str:
    """Show question `number` of `seed`, or mark `answer`, the number of the chosen node.

    With `numbers=hidden` only the boards are shown until the answer is marked.
    """
    chosen = {name: request.args.get(name, "").strip() or usual for name, usual in DEFAULTS.items()}
    context: dict[str, Any] = {
        "chosen": {name: text[:ECHOED_CHARACTERS] for name, text in chosen.items()},
        "algorithms": [one for one in algorithms().values() if can_be_predicted(one)],
        "heuristics": heuristics().values(),
        "sizes": SIZES,
        "cells_of": cells,
    }
    try:
        context |= _question(chosen)
    except PuzzleError as error:
        page = render_template("course/learn/predict.html", error=sentence(error), **context)
        return Response(page, status=400)
    return render_template("course/learn/predict.html", **context)


def _question(chosen: Mapping[str, str]) -> dict[str, Any]:
    """The chosen question, with its mark if there is an answer."""
    if chosen["numbers"] not in ("shown", "hidden"):
        found = quoted(chosen["numbers"], 20)
        raise PuzzleError(_("numbers are shown or hidden, found %(found)s", found=found))
    number = _number("number", 1, MAX_QUESTIONS) or 1
    entry = find_algorithm(chosen["algorithm"])
    question = _predict(chosen, number)
    before = _number("asked", 0, MAX_QUESTIONS) or 0
    # the URL could claim more right answers than questions
    right = min(_number("right", 0, MAX_QUESTIONS) or 0, before)
    answer = _number("answer", 1, len(question.choices))
    query: dict[str, Any] = {name: text for name, text in chosen.items() if text != DEFAULTS[name]}
    if not entry.uses_heuristic:
        query.pop("heuristic", None)
    context = {
        "entry": entry,
        "question": question,
        "number": number,
        "query": query,
        "score": {"right": right, "asked": before},
        "before": before,
    }
    if answer is None:
        return context
    is_right = answer - 1 == question.answer
    score: dict[str, Any] = {"right": right + is_right, "asked": before + 1}
    return context | {
        "score": score,
        "answer": answer - 1,
        "is_right": is_right,
        "next": url_for(
            "predict.page", **query, **score, number=number + 1, _anchor="question-title"
        ),
        "watch": url_for(
            "watch.page",
            code=str(question.puzzle),
            algorithm=question.algorithm,
            heuristic=question.heuristic,
            at=question.done,
        ),
    }


def _predict(chosen: Mapping[str, str], number: int) -> Prediction:
    """Question from another process, as searches load numpy and compiled code."""
    question: Prediction = solvers().call(
        predict,
        *parse_size(chosen["size"]),
        chosen["algorithm"],
        chosen["heuristic"],
        chosen["seed"],
        number,
        timeout=current_app.config["SOLVE_WAIT"],
    )
    return question


def _number(name: str, least: int, most: int) -> int | None:
    return forms.read_number(request.args, name, int, least, most)
