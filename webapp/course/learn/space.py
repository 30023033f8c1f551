"""The whole space: all boards of the 8-puzzle, painted as two searches expand them."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, current_app, render_template, request

from slidewise import Board, Puzzle, PuzzleError, algorithms, find_heuristic, parse_board
from slidewise.course.searching import is_recorded
from slidewise.course.space import MAX_EXPANSIONS, space_facts
from slidewise.puzzle.board import STANDARD_GOALS, quoted
from slidewise.solver.compare import Choice, read_choices
from slidewise.text import message

from ...board import cells
from ...http.language import gettext as _
from ...http.language import noop, sentence, translated
from ...http.routes import static_page
from ...workers.budgets import charge_cpu_time
from ...workers.shared import solvers
from ..lab.selection import search_title

blueprint = Blueprint("space", __name__, url_prefix="/learn/space")

SIZE = 3, 3
GOALS = {"last": noop("Blank last"), "first": noop("Blank first")}
"""The goals to choose from, by the place of the blank."""

DEFAULTS = {"start": "8.6.7-2.5.4-3.0.1", "goal": "last", "a": "bfs", "b": "astar:manhattan"}
HEURISTICS = ("misplaced", "manhattan", "linear-conflict")
"""Heuristics that the page computes itself."""

ECHOED_CHARACTERS = 200
"""Longest input shown in the form again."""


@blueprint.get("")
@static_page
@charge_cpu_time()
def page() -> Response | str:
    """Show the searches `a` and `b` of `start` on all boards, and the place of `board`."""
    typed = {name: request.args.get(name, "").strip() or usual for name, usual in DEFAULTS.items()}
    typed["board"] = request.args.get("board", "").strip()
    context: dict[str, Any] = {
        "chosen": {name: text[:ECHOED_CHARACTERS] for name, text in typed.items()},
        "goals": {name: _(title) for name, title in GOALS.items()},
        "groups": choices(),
        "title_of": lambda choice: search_title(*choice),
    }
    try:
        context |= _space(typed)
    except PuzzleError as error:
        page = render_template("course/learn/space.html", error=sentence(error), **context)
        return Response(page, status=400)
    return render_template("course/learn/space.html", **context)


def _space(typed: Mapping[str, str]) -> dict[str, Any]:
    """Facts of the searches and the board as typed."""
    goal = _goal(typed["goal"])
    puzzle = Puzzle(_board(typed["start"], goal), goal)
    searches = [_search(name, typed[name]) for name in ("a", "b")]
    board = _board(typed["board"], goal) if typed["board"] else puzzle.start
    wait = current_app.config["SOLVE_WAIT"]
    facts = solvers().call(space_facts, puzzle, searches, board, timeout=wait)
    return {
        "puzzle": puzzle,
        "searches": searches,
        "facts": facts,
        "board": board,
        "cells": cells(board, goal),
        "most": MAX_EXPANSIONS,
    }


def _goal(name: str) -> Board:
    if name not in GOALS:
        raise PuzzleError(
            message(
                "goal is last or first (where the blank is), found %(name)s", name=quoted(name, 20)
            )
        )
    return STANDARD_GOALS[name](*SIZE)


def _board(text: str, goal: Board) -> Board:
    """Parse a 3x3 board that can reach `goal`."""
    board = parse_board(text)
    if board.size != SIZE:
        raise PuzzleError(
            message(
                "this page shows the boards of 3x3, but %(board)s is %(size)s",
                board=board,
                size=f"{board.rows}x{board.cols}",
            )
        )
    puzzle = Puzzle(board, goal)
    if not puzzle.solvable:
        raise PuzzleError(
            message(
                "%(board)s cannot reach the goal %(goal)s: %(why)s",
                board=board,
                goal=goal,
                why=puzzle.parity.explain(),
            )
        )
    return board


def _search(name: str, text: str) -> Choice:
    """Parse a search of the page; `name` is its field."""
    found = read_choices(text)
    if len(found) != 1:
        raise PuzzleError(
            message("%(name)s must be one search, found %(text)s", name=name, text=quoted(text))
        )
    choice = found[0]
    if str(choice) not in {str(one) for group in choices().values() for one in group}:
        raise PuzzleError(
            message(
                "the search %(search)s is not shown on this page: take an algorithm that is "
                "recorded and one of the heuristics %(heuristics)s",
                search=choice,
                heuristics=", ".join(HEURISTICS),
            )
        )
    return choice


def choices() -> dict[str, list[Choice]]:
    """Searches to choose from, under the headings of their groups."""
    recorded = [one for one in algorithms().values() if is_recorded(one)]
    return {
        _("Without a heuristic"): [
            Choice(one.key, None) for one in recorded if not one.uses_heuristic
        ]
    } | {
        translated(find_heuristic(heuristic).title): [
            Choice(one.key, heuristic) for one in recorded if one.uses_heuristic
        ]
        for heuristic in HEURISTICS
    }
