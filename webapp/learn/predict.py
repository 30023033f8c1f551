"""Predict the next expansion: a question for each seed and number, marked by the server.

Question and answer come from the recording of a search. What is asked, and how many were right, is
all in the address: nothing is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, current_app, render_template, request, url_for

from slidewise.puzzle import PuzzleError, parse_size
from slidewise.puzzle.errors import quoted
from slidewise.solver import algorithms, find_algorithm, heuristics
from slidewise.study.prediction import Prediction, can_be_predicted, predict
from webapp.http.errors import sentence
from webapp.play import views
from webapp.workers import jobs

if TYPE_CHECKING:
    from collections.abc import Mapping

blueprint = Blueprint("predict", __name__, url_prefix="/learn/predict")

SIZES = ("2x3", "3x3")
DEFAULTS = {
    "algorithm": "astar",
    "heuristic": "manhattan",
    "size": "2x3",
    "numbers": "shown",
    "seed": "1",
}
MOST_QUESTIONS = 999
"""So far the questions of a seed are numbered."""


@blueprint.get("")
def page() -> Response | str:
    """Ask question `number` of `seed`, or mark `answer`, the number of the node chosen.

    With `numbers=hidden` the boards alone are shown until the answer is marked.
    """
    chosen = {name: request.args.get(name, "").strip() or usual for name, usual in DEFAULTS.items()}
    context: dict[str, Any] = {
        "chosen": {name: text[:64] for name, text in chosen.items()},
        "algorithms": [one for one in algorithms().values() if can_be_predicted(one)],
        "heuristics": heuristics().values(),
        "sizes": SIZES,
        "cells_of": views.cells,
    }
    try:
        context |= _asked(chosen)
    except PuzzleError as error:
        page = render_template("learn/predict.html", error=sentence(str(error)), **context)
        return Response(page, status=400)
    return render_template("learn/predict.html", **context)


def _asked(chosen: Mapping[str, str]) -> dict[str, Any]:
    if chosen["numbers"] not in ("shown", "hidden"):
        raise PuzzleError(f"numbers are shown or hidden, found {quoted(chosen['numbers'], 20)}")
    number = _number("number", 1, MOST_QUESTIONS) or 1
    entry = find_algorithm(chosen["algorithm"])
    # not here, as it takes numpy and the compiled searches
    asked: Prediction = jobs.pool().call(
        predict,
        *parse_size(chosen["size"]),
        entry.key,
        chosen["heuristic"],
        chosen["seed"],
        number,
        timeout=current_app.config["SOLVE_WAIT"],
    )
    before = _number("asked", 0, MOST_QUESTIONS) or 0
    score = {"right": min(_number("right", 0, MOST_QUESTIONS) or 0, before), "asked": before}
    answer = _number("answer", 1, len(asked.choices))
    query: dict[str, Any] = {name: text for name, text in chosen.items() if text != DEFAULTS[name]}
    if not entry.uses_heuristic:
        query.pop("heuristic", None)
    marked: dict[str, Any] = {}
    if answer is not None:
        score["asked"] += 1
        score["right"] += answer - 1 == asked.answer
        marked = {
            "answer": answer - 1,
            "is_right": answer - 1 == asked.answer,
            "next": url_for(
                "predict.page", **{**query, **score, "number": number + 1}, _anchor="question-title"
            ),
            "watch": url_for(
                "watch.page",
                code=str(asked.puzzle),
                algorithm=asked.algorithm,
                heuristic=asked.heuristic,
                at=asked.done,
            ),
        }
    return {
        "entry": entry,
        "question": asked,
        "number": number,
        "query": query,
        "score": score,
        "before": before,
        **marked,
    }


def _number(name: str, least: int, most: int) -> int | None:
    """Return a number of the query, None if it is not there; raises `PuzzleError`."""
    text = request.args.get(name, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and least <= int(text[:9]) <= most):
        raise PuzzleError(
            f"{name} must be a number from {least} to {most}, found {quoted(text, 20)}"
        )
    return int(text)
