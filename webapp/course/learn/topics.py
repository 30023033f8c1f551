"""Learn pages: for the puzzle, each algorithm and each heuristic, and the atlas of mistakes.

Facts come from the registry. Texts are in `course/learn/topics/<key>.html`. Without that file
the page has the facts, the idea and a search to watch. The atlas has the results of right and wrong
searches under each convention.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from math import factorial
from typing import Any

from flask import Blueprint, abort, render_template, request
from markupsafe import Markup

from slidewise import Algorithm, Heuristic, algorithms, heuristics, parse_puzzle
from slidewise.analysis.distance import GREATEST_DISTANCES
from slidewise.course.atlas import (
    BOARDS,
    COMPUTING,
    MOST_EXPANSIONS,
    AtlasSummary,
    Variant,
    atlas,
    variants,
)
from slidewise.course.judge import exercises
from slidewise.course.judge.catalogue import catalogue
from slidewise.course.searching import is_recorded
from slidewise.course.searching.prediction import can_be_predicted
from slidewise.solver.convention import ALGORITHMS, conventions

from ... import forms
from ...board import cells, tiles
from ...http.language import gettext as _
from ...http.language import noop, translated
from ...http.routes import cheap, static_page
from .lessons import (
    LESSONS,
    answers_of,
    data_of,
    figure_of,
    given_of,
    here_of,
    in_colours,
    rounds_of,
    stub_of,
    value_of,
)
from .path import STEPS, PathStep, next_step, step_of

blueprint = Blueprint("learn", __name__, url_prefix="/learn")

ORDER = (
    *("bfs", "ucs", "dfs", "iddfs", "bidirectional"),
    *("greedy", "astar", "wastar", "idastar", "rbfs"),
    *("zero", "misplaced", "euclidean", "manhattan", "linear-conflict", "walking-distance"),
    *("pdb", "exact", "nilsson"),
)
"""Reading order; unlisted topics come last in their groups."""

TAUGHT = ("aima3", "aima4", "columbia", "princeton")
"""Conventions offered for watching, from books and large courses."""

EXAMPLE = "4.2.0-5.1.3"
"""Default board to watch: small enough to show the whole search."""

PLAYED = "1.0.3-4.2.5"
"""Board to play on the page of the puzzle, whose text names its moves."""

mistakes = Blueprint("mistakes", __name__, url_prefix="/learn/mistakes")


@dataclass(frozen=True)
class Topic:
    """A page: its key in the URL, its title and its subject in a sentence."""

    key: str
    title: str
    idea: str


def lessons() -> dict[str, Algorithm | Heuristic]:
    """Entries with a page, by key: all but the Python functions of installed packages."""
    entries: dict[str, Algorithm | Heuristic] = {**algorithms(), **heuristics()}
    return {key: entry for key, entry in entries.items() if entry.compiled}


def groups() -> dict[str, list[Topic]]:
    """Pages in reading order, under the headings of their groups."""
    searches = [entry for entry in lessons().values() if isinstance(entry, Algorithm)]
    return {
        _("Uninformed search"): _in_order(
            one for one in searches if is_recorded(one) and not one.uses_heuristic
        ),
        _("Informed search"): _in_order(
            one for one in searches if one.uses_heuristic and not one.local
        ),
        _("Local search"): _in_order(one for one in searches if one.local),
        _("The solver"): _in_order(one for one in searches if not (is_recorded(one) or one.local)),
        _("Heuristics"): _in_order(
            entry for entry in lessons().values() if not isinstance(entry, Algorithm)
        ),
    }


def _in_order(entries: Iterable[Algorithm | Heuristic]) -> list[Topic]:
    topics = [Topic(one.key, translated(one.title), translated(one.idea)) for one in entries]
    return sorted(topics, key=lambda topic: (*ORDER, topic.key).index(topic.key))


@blueprint.context_processor
def _for_boards() -> dict[str, Any]:
    """Let the templates draw boards and find mistakes by name."""
    return {"puzzle_of": parse_puzzle, "cells_of": cells, "catalogue": catalogue()}


blueprint.add_app_template_filter(in_colours, "python")


@blueprint.app_template_filter("headings")
def headings(articles: Markup) -> list[tuple[str, str]]:
    """Return the anchor and the title of each mistake in the text of a lesson."""
    found = re.findall(r'id="(mistake-[^"]*)">\s*<h3>(.*?)</h3>', articles)
    return [(anchor, Markup(title)) for anchor, title in found]


@blueprint.get("")
@cheap
@static_page
def page() -> str:
    """Show the learning path, and links to the topics beside it."""
    return render_template(
        "course/learn/index.html",
        steps=STEPS,
        asked=LESSONS,
        exercises=list(exercises()),
        side_paths=_side_paths(),
    )


def _side_paths() -> list[Topic]:
    """Topics beside the path; the first local search stands for all of them."""
    others = groups()
    local = others.pop(_("Local search"))[0]
    beside = [topic for group in others.values() for topic in group if not step_of(topic.key)]
    return [*beside, replace(local, title=_("Local search"))]


@blueprint.get("/puzzle")
@static_page
def puzzle() -> str:
    """Show the page of the puzzle: a board to play, and what a program sees of it."""
    sizes = [
        (rows, cols, factorial(rows * cols), most)
        for (rows, cols), most in sorted(GREATEST_DISTANCES.items())
    ]
    start = parse_puzzle(PLAYED)
    return render_template(
        "course/learn/puzzle.html",
        sizes=sizes,
        puzzle=start,
        given=(),
        aims=[sorted(start.goal.cells)[1:]],
        tiles=tiles(start, start.start, None, None),
        tuples=[start.start.cells, start.goal.cells],
        neighbors=[start.start.move(way) for way in "DURL" if way in start.start.legal_directions],
        exercises=[exercises()[name] for name in STEPS[0].exercises],
        path_step=STEPS[0],
        path_steps=STEPS,
        next_step=STEPS[1],
    )


@blueprint.get("/puzzle/parity")
@static_page
def parity() -> str:
    """Show why half of all boards cannot be solved, and the story of 14 and 15."""
    return render_template("course/learn/parity.html", exercise=exercises()["is_solvable"])


@blueprint.get("/<topic>")
@static_page
def topic(topic: str) -> str:
    """Show the page of an algorithm or a heuristic."""
    entry = lessons().get(topic)
    if entry is None:
        abort(404, _("There is no lesson called %(name)s.", name=repr(topic[:40])))
    return render_template(
        [f"course/learn/topics/{topic}.html", "course/learn/topic.html"],
        entry=entry,
        facts=facts(entry),
        usual_example=EXAMPLE,
        recorded=not isinstance(entry, Algorithm) or is_recorded(entry),
        predicted=isinstance(entry, Algorithm) and can_be_predicted(entry),
        is_algorithm=isinstance(entry, Algorithm),
        in_conventions=_in_conventions(entry.key),
        in_atlas=any(variant.algorithm == entry.key for variant in variants().values()),
        **(_lesson(entry, step) if (step := step_of(topic)) else _beside(topic)),
    )


def _lesson(entry: Algorithm | Heuristic, step: PathStep) -> dict[str, Any]:
    """What a lesson on the path shows beside the facts: its figure, question and exercise."""
    exercise = step.exercises[0] if step.key != "manhattan" else step.key
    lesson = LESSONS[entry.key]
    steps, answers = data_of(entry.key), answers_of(entry.key)
    at = forms.read_number(request.args, "at", int, 0, len(steps) - 1)
    return {
        "path_step": step,
        "path_steps": STEPS,
        "next_step": next_step(step),
        "exercises": exercises(),
        "own_exercise": exercise,
        "given": given_of(exercises()[exercise]),
        "stub": stub_of(exercises()[exercise]),
        "lesson": lesson,
        "figure": figure_of(entry.key),
        "steps": steps,
        "at": lesson.at if at is None else at,
        "rounds": rounds_of(entry.key),
        "answers": answers,
        "marks": [
            {"feedback": one.feedback, "why": translated(lesson.right), "is_right": one.is_right}
            for one in answers
        ],
        "answer": forms.read_number(request.args, "answer", int, 1, len(answers)),
        "here": here_of(entry.key),
        "value_of": partial(value_of, entry.key),
    }


def _in_conventions(algorithm: str) -> list[tuple[str, str]]:
    """Keys and titles of conventions taught in books and courses."""
    if algorithm not in ALGORITHMS:
        return []
    return [(key, conventions()[key].usual.title) for key in TAUGHT]


def _beside(key: str) -> dict[str, Any]:
    """Pages `before` and `after` a topic that is not on the path."""
    pages = [topic for group in groups().values() for topic in group if not step_of(topic.key)]
    here = [topic.key for topic in pages].index(key)
    return {
        "before": pages[here - 1] if here else None,
        "after": pages[here + 1] if here + 1 < len(pages) else None,
    }


def facts(entry: Algorithm | Heuristic) -> dict[str, str]:
    """Facts of the registry in words, by their English names.

    >>> facts(algorithms()["astar"])["Optimal"]
    'Yes, with an admissible heuristic'
    >>> facts(heuristics()["manhattan"])["Consistent"]
    'Yes'
    """
    if not isinstance(entry, Algorithm):
        return {
            noop("Admissible"): _yes(entry.admissible),
            noop("Consistent"): _yes(entry.consistent),
            noop("Source"): translated(entry.source),
        }
    return {
        noop("Complete"): _complete(entry),
        noop("Optimal"): _optimal(entry),
        noop("Time"): translated(entry.time),
        noop("Space"): translated(entry.space),
        noop("Source"): translated(entry.source),
    }


def _yes(fact: bool) -> str:
    return _("Yes") if fact else _("No")


def _complete(entry: Algorithm) -> str:
    if not entry.proviso:
        return _yes(entry.complete)
    return f"{_yes(entry.complete)}, {translated(entry.proviso)}"


def _optimal(entry: Algorithm) -> str:
    if entry.optimal and entry.uses_heuristic:
        return _("Yes, with an admissible heuristic")
    if not entry.optimal and entry.optimal_to:
        return _("Yes, up to %(cells)s cells", cells=entry.optimal_to)
    return _yes(entry.optimal)


@mistakes.get("", endpoint="page")
@static_page
def mistakes_page() -> str:
    """Show the results of each search, in a table per algorithm."""
    tables: dict[str, list[tuple[Variant, AtlasSummary]]] = {}
    for key, variant in variants().items():
        if key in atlas():
            tables.setdefault(variant.algorithm, []).append((variant, atlas()[key]))
    return render_template(
        "course/learn/mistakes.html",
        tables=tables,
        algorithms=algorithms(),
        boards=BOARDS,
        most=MOST_EXPANSIONS,
        computing=COMPUTING,
    )


@mistakes.get("/<algorithm>/<name>", endpoint="entry")
@static_page
def mistake_page(algorithm: str, name: str) -> str:
    """Show a search: its difference, the consequences, and a board to try."""
    key = f"{algorithm}/{name}"
    if key not in variants() or key not in atlas():
        abort(404, _("There is no search %(key)s in the atlas.", key=repr(key[:60])))
    summary = atlas()[key]
    return render_template(
        "course/learn/mistake.html",
        variant=variants()[key],
        summary=summary,
        most=MOST_EXPANSIONS,
        algorithm=algorithms()[algorithm],
        puzzle_of=parse_puzzle,
        cells_of=cells,
    )
