"""Learn: a page for the puzzle and for each algorithm and heuristic, and what teachers need.

The facts on a page are those of the registry. Its words are in `templates/learn/topics/<key>.html`;
an algorithm or a heuristic that has no such file gets a page of its facts, its idea and a search
to watch.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial
from typing import TYPE_CHECKING, Any

from flask import Blueprint, abort, render_template, request, url_for

from slidewise.puzzle import Puzzle, PuzzleError, parse_puzzle, standard_goal
from slidewise.solver import Algorithm, algorithms, heuristics
from slidewise.study.board_facts import RECORDS
from slidewise.study.prediction import can_be_predicted
from slidewise.study.recording import is_recorded
from webapp.http.errors import sentence
from webapp.play import lesson, views
from webapp.play.new import read_puzzle

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slidewise.solver import Heuristic

blueprint = Blueprint("learn", __name__, url_prefix="/learn")

ORDER = (
    *("bfs", "ucs", "dfs", "iddfs", "bidirectional"),
    *("greedy", "astar", "wastar", "idastar", "rbfs"),
    *("zero", "misplaced", "manhattan", "linear-conflict", "pdb", "exact"),
)
"""The order in which to read; what is not in it comes last in its group."""

COURSE = ("puzzle", "bfs", "dfs", "manhattan", "astar")
"""The pages of the first lesson, in order; its last step is to predict."""

EXAMPLE = "4.2.0-5.1.3"
"""The board of a page that names no other: small enough to see the whole search."""


@dataclass(frozen=True)
class Topic:
    """A page to read: its address, its title and, in one sentence, what it is about."""

    key: str
    title: str
    idea: str


def groups() -> dict[str, list[Topic]]:
    """Return the pages in the order to read them, under the headings of their groups."""
    searches = list(algorithms().values())
    return {
        "Uninformed search": _in_order(
            one for one in searches if is_recorded(one) and not one.uses_heuristic
        ),
        "Informed search": _in_order(one for one in searches if one.uses_heuristic),
        "The solver": _in_order(one for one in searches if not is_recorded(one)),
        "Heuristics": _in_order(heuristics().values()),
    }


def _in_order(entries: Any) -> list[Topic]:
    def place(topic: Topic) -> int:
        return ORDER.index(topic.key) if topic.key in ORDER else len(ORDER)

    return sorted((Topic(one.key, one.title, one.idea) for one in entries), key=place)


@blueprint.context_processor
def _for_boards() -> dict[str, Any]:
    """Let the templates draw boards that their words name."""
    return {"puzzle_of": parse_puzzle, "cells_of": views.cells}


@blueprint.get("")
def page() -> str:
    """Show what there is to learn, in order."""
    return render_template("learn/index.html", groups=groups())


@blueprint.get("/puzzle")
def puzzle() -> str:
    """Show the page of the puzzle itself."""
    sizes = [
        (rows, cols, factorial(rows * cols), most) for (rows, cols), most in sorted(RECORDS.items())
    ]
    return render_template("learn/puzzle.html", sizes=sizes, **_around("puzzle"))


@blueprint.get("/<topic>")
def topic(topic: str) -> str:
    """Show the page of an algorithm or a heuristic."""
    entry = algorithms().get(topic) or heuristics().get(topic)
    if entry is None:
        abort(404, f"There is no page {topic[:40]!r} to learn from.")
    return render_template(
        [f"learn/topics/{topic}.html", "learn/topic.html"],
        entry=entry,
        facts=facts(entry),
        usual_example=EXAMPLE,
        recorded=not isinstance(entry, Algorithm) or is_recorded(entry),
        predicted=isinstance(entry, Algorithm) and can_be_predicted(entry),
        is_algorithm=isinstance(entry, Algorithm),
        **_around(topic),
    )


def _around(key: str) -> dict[str, Any]:
    """Return the pages before and after a page, in the order to read them.

    `step` is the number of the page in the first lesson, 0 if it is not in it, and `course_next`
    the page that comes after it there, None after the last.
    """
    first = Topic("puzzle", "The puzzle", "")
    topics = [first, *(topic for group in groups().values() for topic in group)]
    here = next(place for place, topic in enumerate(topics) if topic.key == key)
    step = COURSE.index(key) + 1 if key in COURSE else 0
    following = COURSE[step] if 0 < step < len(COURSE) else None
    return {
        "step": step,
        "course_next": next((topic for topic in topics if topic.key == following), None),
        "before": topics[here - 1] if here else None,
        "after": topics[here + 1] if here + 1 < len(topics) else None,
    }


def facts(entry: Algorithm | Heuristic) -> dict[str, str]:
    """Return the facts of the registry in words.

    >>> facts(algorithms()["astar"])["Optimal"]
    'Yes, with an admissible heuristic'
    >>> facts(heuristics()["manhattan"])["Consistent"]
    'Yes'
    """
    if not isinstance(entry, Algorithm):
        return {
            "Admissible": _yes(entry.admissible),
            "Consistent": _yes(entry.consistent),
            "Source": entry.source,
        }
    return {
        "Complete": _yes(entry.complete) + (f", {entry.proviso}" if entry.proviso else ""),
        "Optimal": _optimal(entry),
        "Time": entry.time,
        "Space": entry.space,
        "Source": entry.source,
    }


def _yes(fact: bool) -> str:
    return "Yes" if fact else "No"


def _optimal(entry: Algorithm) -> str:
    if entry.optimal and entry.uses_heuristic:
        return "Yes, with an admissible heuristic"
    if not entry.optimal and entry.optimal_to:
        return f"Yes, up to {entry.optimal_to} cells"
    return _yes(entry.optimal)


@blueprint.get("/teachers")
def teachers() -> str:
    """Make links for a lesson: a board, the searches to compare, and what the game hides."""
    fields = {name: request.args.get(name, "") for name in ("start", "goal", "size")}
    runs = request.args.getlist("run")
    hidden = [name for name in lesson.HIDDEN if name in request.args.getlist("hide")]
    seed = request.args.get("seed", "").strip()[:40]
    made: Mapping[str, object] = {}
    if fields["start"].strip():
        try:
            made = _links(read_puzzle(fields), runs, hidden, seed)
        except PuzzleError as error:
            made = {"error": sentence(str(error))}
    return render_template(
        "learn/teachers.html",
        fields=fields,
        runs=runs,
        hidden=hidden,
        seed=seed,
        choices=_race_choices(),
        can_hide=lesson.HIDDEN,
        example=standard_goal(3, 3),
        **made,
    )


def _race_choices() -> dict[str, str]:
    """Return the searches that a race may be made of, and their names."""
    heuristic = heuristics()["manhattan"]
    return {
        f"{one.key}:{heuristic.key}" if one.uses_heuristic else one.key: (
            f"{one.title}, {heuristic.title}" if one.uses_heuristic else one.title
        )
        for one in algorithms().values()
    }


def _links(puzzle: Puzzle, runs: list[str], hidden: list[str], seed: str) -> Mapping[str, object]:
    """Return the paths of a lesson by what they are for."""
    code = str(puzzle)
    runs = [run for run in runs if run in _race_choices()]
    first, _, heuristic = (runs[0] if runs else "astar:manhattan").partition(":")
    chosen: dict[str, Any] = {"algorithm": first, "heuristic": heuristic or None}
    links = {
        "Play it": url_for("game.page", code=code, lesson=",".join(hidden) or None, **chosen),
        "Watch the first search": url_for("watch.page", code=code, **chosen),
        "What a heuristic sees": url_for("heuristics.page", code=code, h=heuristic or None),
        "Predict the next expansion": url_for("predict.page", **chosen, seed=seed or None),
        "Worksheet": url_for("worksheet.page", seed=seed or None),
        "Worksheet with the answers, for you": url_for(
            "worksheet.page", seed=seed or None, answers="yes"
        ),
    }
    if runs:
        links["Race the searches"] = f"{request.script_root}/lab/{code}?run={','.join(runs)}"
    if not is_recorded(algorithms()[first]):
        del links["Watch the first search"]
    if not can_be_predicted(algorithms()[first]):
        del links["Predict the next expansion"]
    return {
        "puzzle": puzzle,
        "links": links,
        "host": request.host_url.rstrip("/"),
        "ways_out": None if puzzle.solvable else puzzle.ways_out(),
    }
