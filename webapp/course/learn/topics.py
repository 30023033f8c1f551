"""Learn pages: for the puzzle, each algorithm and each heuristic, and the atlas of mistakes.

Facts come from the registry. Texts are in `course/learn/topics/<key>.html`. Without that file
the page has the facts, the idea and a search to watch. The atlas has the results of right and wrong
searches under each convention.
"""

import inspect
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from math import factorial
from typing import Any

from flask import Blueprint, abort, render_template

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

from ...board import cells, tiles
from ...http.language import gettext as _
from ...http.language import noop, translated
from ...http.routes import cheap, static_page
from .path import STEPS, step_of

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


@blueprint.get("")
@cheap
@static_page
def page() -> str:
    """Show the learning path, and links to the topics beside it."""
    return render_template(
        "course/learn/index.html",
        steps=STEPS,
        predicted={one.key for one in algorithms().values() if can_be_predicted(one)},
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
        exercises=[exercises()[name] for name in STEPS[0].exercises],
        **_navigation("puzzle"),
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
        plain=_plain(entry),
        steps_of=steps_of,
        in_conventions=_in_conventions(entry.key),
        in_atlas=any(variant.algorithm == entry.key for variant in variants().values()),
        **_navigation(topic),
    )


_STEPS = {
    "limit": re.compile(r"for limit\b|limit ←|^limit: float"),
    "start": re.compile(
        r"frontier ←|two searches|search\(start|search\(\[start|"
        r"\(f\(0, start|= \[\[start"
    ),
    "take": re.compile(
        r"node ← the|for each node of|^search\(node, g|best ←|heappop\(|for board in layer:|"
        r"def search\(path: Path, limit|lowest, \*others"
    ),
    "back": re.compile(r"if f of best >|return None, lowest"),
    "goal": re.compile(r"if node is the goal|if is_goal\("),
    "each": re.compile(r"for each successor|for successor in neighbors|successors = \["),
    "meet": re.compile(r"if the other side|if successor in there"),
    "keep": re.compile(
        r"if its board is not|last move back|if f > limit|if limit == 0|if successor not in|"
        r"if successor in path|successors = \["
    ),
    "rank": re.compile(r"ranked by|its f ←|= \[max\(|\(f\(g, successor"),
    "put": re.compile(
        r"add it to frontier|add it there|if search\(succ|← search\(best|\(f\(g, successor|"
        r"\.append\(succ|= search\(\[\*path"
    ),
}
"""For each phase of an expansion (`study.recording.pseudocode`), the lines of a lesson's pseudocode
and Python that do it."""


def steps_of(line: str) -> str:
    """Return the phases of an expansion that a line of code does, with spaces between them.

    >>> steps_of("    if is_goal(board):")
    'goal'
    """
    return " ".join(name for name, lines in _STEPS.items() if lines.search(line.strip()))


@cache
def _plain(entry: Algorithm | Heuristic) -> str:
    """Source of the algorithm's plain form, "" if it has none."""
    search = entry.plain if isinstance(entry, Algorithm) else None
    return inspect.getsource(search) if search else ""


def _in_conventions(algorithm: str) -> list[tuple[str, str]]:
    """Keys and titles of conventions taught in books and courses."""
    if algorithm not in ALGORITHMS:
        return []
    return [(key, conventions()[key].usual.title) for key in TAUGHT]


def _navigation(key: str) -> dict[str, Any]:
    """Pages `before` and `after` a page: the steps of the path, then the other topics.

    `step` is the page's number on the path, 0 if it is not part of it. `course_next` is the next
    step, None after the last.
    """
    path = [Topic(step.key, translated(step.title), translated(step.idea)) for step in STEPS]
    beside = [topic for group in groups().values() for topic in group if not step_of(topic.key)]
    pages = path + beside
    here = [topic.key for topic in pages].index(key)
    return {
        "step": here + 1 if here < len(path) else 0,
        "course_next": path[here + 1] if here + 1 < len(path) else None,
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
