"""Pages for teachers: lesson links, and the files of a class, graded in the browser.

A lesson link has a board, searches to compare, and hidden parts of the game. For a class the server
only sends the page and Python's files. It gets neither names nor code nor results.
"""

from typing import Any

from flask import Blueprint, render_template, request, url_for

from slidewise import Puzzle, PuzzleError, algorithms, standard_goal
from slidewise.course.judge import exercises
from slidewise.course.judge.class_files import (
    MAX_ENTRIES,
    MAX_FILES,
    MAX_IN_ZIP,
    MAX_KILOBYTES,
    MAX_TOTAL_KILOBYTES,
    MAX_ZIP_KILOBYTES,
    RULES,
    SUBMITTED,
    read_rules,
    read_seed,
    rule_names,
)
from slidewise.course.judge.own_exercise import MAX_BYTES
from slidewise.course.judge.report import KINDS
from slidewise.course.searching import is_recorded
from slidewise.course.searching.prediction import can_be_predicted
from slidewise.solver.compare import Choice
from slidewise.text import message

from ...forms import read_puzzle
from ...http.language import capitalized, sentence, translated
from ...http.language import gettext as _
from ...play import links
from ...workers.shared import service
from ..lab.selection import search_title
from ..write.own import OwnExercises
from ..write.pages import python_files, read_assignment

blueprint = Blueprint("teachers", __name__, url_prefix="/learn/teachers")

SEED_CHARACTERS = 40
"""Longest seed, more than any name."""

classes = Blueprint("classes", __name__, url_prefix="/learn/class")


@blueprint.get("")
def page() -> str:
    """Show the form for a lesson, with its links if a board is given."""
    fields = {name: request.args.get(name, "") for name in ("start", "goal", "size")}
    runs = request.args.getlist("run")
    hidden = [name for name in links.HIDDEN if name in request.args.getlist("hide")]
    seed = request.args.get("seed", "").strip()[:SEED_CHARACTERS]
    own = _own_exercises()
    answer: dict[str, Any] = {}
    if "exercise" in request.args:
        answer = {"handed_in": _exercise_links(own)}
    if fields["start"].strip():
        try:
            answer = _answer(read_puzzle(fields), runs, hidden, seed)
        except PuzzleError as error:
            answer = {"error": sentence(error)}
    return render_template(
        "course/learn/teachers.html",
        fields=fields,
        runs=runs,
        hidden=hidden,
        seed=seed,
        choices=_choices(),
        can_hide={name: capitalized(_(words)) for name, words in links.HIDDEN.items()},
        exercises=exercises(),
        can_rule=rules_in_words(),
        ruled=request.args.getlist("rules"),
        exercise=request.args.get("exercise", "astar"),
        example=standard_goal(3, 3),
        host=request.host_url.rstrip("/"),
        **own,
        **answer,
    )


def _exercise_links(own: dict[str, Any]) -> dict[str, Any]:
    """Links of an exercise and of its class, or the reason if the form cannot be read."""
    key, seed = request.args["exercise"], request.args.get("seed", "").strip()
    unknown = _exercise_error(key, own)
    if unknown:
        return {"error": unknown}
    is_own = key not in exercises()
    try:
        names = rule_names(read_rules(request.args.getlist("rules")))
        read_seed(seed)
    except PuzzleError as error:
        return {"error": sentence(error)}
    query: dict[str, Any] = {"seed": seed or None, "rules": ",".join(names) or None}
    links = {
        _("For students"): url_for("write.own_page" if is_own else "write.page", name=key, **query),
        _("For you, to grade their files"): url_for("classes.page", exercise=key, **query),
    }
    if not is_own:
        links[_("As a notebook")] = url_for("write.notebook", name=key, **query)
    return {"links": links}


def _own_exercises() -> dict[str, Any]:
    """The operator's exercises for a template; the first call starts to read them."""
    own = service(OwnExercises)
    own.start()
    return {"own": [own.ready[name] for name in sorted(own.ready)], "is_waiting": own.is_waiting}


def _exercise_error(key: str, own: dict[str, Any]) -> str:
    """Why there is no exercise of this name, empty if there is one."""
    if key in {*exercises(), *(one.key for one in own["own"])}:
        return ""
    if own["is_waiting"]:
        return _("This exercise is not yet read. Reload the page in a moment.")
    unknown = message("there is no exercise %(name)s; choose one of the list", name=repr(key[:60]))
    return sentence(unknown)


def _choices() -> dict[str, str]:
    """Comparable searches and their titles."""
    choices = [
        Choice(one.key, "manhattan" if one.uses_heuristic else None)
        for one in algorithms().values()
    ]
    return {str(choice): search_title(*choice) for choice in choices}


def rules_in_words() -> dict[str, str]:
    """Rules of an exercise by their names in links."""
    return {name: capitalized(translated(words)) for name, words in RULES.items()}


def _answer(puzzle: Puzzle, runs: list[str], hidden: list[str], seed: str) -> dict[str, Any]:
    return {
        "puzzle": puzzle,
        "links": _links(puzzle, [run for run in runs if run in _choices()], hidden, seed or None),
        "solvable_alternatives": None if puzzle.solvable else puzzle.solvable_alternatives(),
    }


def _links(puzzle: Puzzle, runs: list[str], hidden: list[str], seed: str | None) -> dict[str, str]:
    """Links of a lesson by title; watching and quiz use the first search."""
    code = str(puzzle)
    first, heuristic = (runs[0] if runs else "astar:manhattan").partition(":")[::2]
    chosen: dict[str, Any] = {"algorithm": first, "heuristic": heuristic or None}
    entry = algorithms()[first]
    links = {
        _("Play it"): url_for("game.page", code=code, lesson=",".join(hidden) or None, **chosen)
    }
    if is_recorded(entry):
        links[_("Watch the first search")] = url_for("watch.page", code=code, **chosen)
    links[_("What a heuristic sees")] = url_for("heuristics.page", code=code, h=heuristic or None)
    if can_be_predicted(entry):
        links[_("Predict the next expansion")] = url_for("predict.page", **chosen, seed=seed)
    links[_("Worksheet")] = url_for("worksheet.page", seed=seed)
    links[_("Worksheet with the answers, for you")] = url_for(
        "worksheet.page", seed=seed, answers="yes"
    )
    if runs:
        links[_("Race the searches")] = url_for("lab.page", code=code, run=",".join(runs))
    return links


@classes.get("", endpoint="page")
def class_page() -> str:
    """Show the form of a class: exercise, seed, rules and files."""
    assignment = read_assignment()
    exercise, own = request.args.get("exercise", ""), _own_exercises()
    error = (_exercise_error(exercise, own) if exercise else "") or assignment.error
    return render_template(
        "course/learn/class.html",
        exercises=exercises(),
        exercise=exercise,
        seed=request.args.get("seed", "").strip()[:40],
        chosen=assignment.names,
        can_rule={name: words for name, words in rules_in_words().items() if name != "no-hints"},
        error=error,
        watch={
            key: watch_url(key)
            for key, one in algorithms().items()
            if key in exercises() and is_recorded(one)
        },
        bounds={
            "files": MAX_FILES,
            "kilobytes": MAX_KILOBYTES,
            "total": MAX_TOTAL_KILOBYTES,
            "entries": MAX_ENTRIES,
            "zip": MAX_ZIP_KILOBYTES,
            "inZip": MAX_IN_ZIP,
            "exercise": MAX_BYTES,
        },
        submitted=[one.pattern for one in SUBMITTED],
        kinds={kind: words for kind, words in KINDS.items() if "array" not in kind},
        **own,
        **python_files(),
    )


def watch_url(key: str) -> str:
    """URL of the built-in search on a board, with CODE in place of the puzzle."""
    heuristic = "manhattan" if algorithms()[key].uses_heuristic else None
    return url_for("watch.page", code="CODE", algorithm=key, heuristic=heuristic)
