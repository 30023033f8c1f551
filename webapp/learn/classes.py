"""Grade the files of a class in the teacher's browser.

The server sends the page and Python's files only. It gets neither names nor code nor results.
"""

from __future__ import annotations

from flask import Blueprint, render_template, request, url_for

from slidewise import algorithms
from slidewise.study.exercises import exercises
from slidewise.text import message

from ..http.language import sentence
from .teachers import rules_in_words
from .write import python_files, read_assignment

blueprint = Blueprint("classes", __name__, url_prefix="/learn/class")

MAX_FILES = 100
MAX_KILOBYTES = 500
"""Largest file of one student, such as a notebook with its output."""


@blueprint.get("")
def page() -> str:
    """Show the form of a class: exercise, seed, rules and files."""
    assignment = read_assignment()
    exercise, error = request.args.get("exercise", ""), assignment.error
    if exercise and exercise not in exercises():
        error = sentence(
            message("there is no exercise %(name)s; choose one below", name=repr(exercise[:60]))
        )
    return render_template(
        "learn/class.html",
        exercises=exercises(),
        exercise=exercise,
        seed=request.args.get("seed", "").strip()[:40],
        chosen=assignment.names,
        can_rule={name: words for name, words in rules_in_words().items() if name != "no-hints"},
        error=error,
        watch={key: watch_url(key) for key in exercises() if key in algorithms()},
        max_files=MAX_FILES,
        max_kilobytes=MAX_KILOBYTES,
        **python_files(),
    )


def watch_url(key: str) -> str:
    """URL of the built-in search on a board, with CODE in place of the puzzle."""
    heuristic = "manhattan" if algorithms()[key].uses_heuristic else None
    return url_for("watch.page", code="CODE", algorithm=key, heuristic=heuristic)
