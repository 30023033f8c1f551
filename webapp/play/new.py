"""Pages before a game: the front door and the form for a new game."""

from __future__ import annotations

import secrets
from functools import lru_cache
from typing import TYPE_CHECKING

from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for

from slidewise import (
    GOAL_NAMES,
    STANDARD_GOALS,
    Puzzle,
    PuzzleError,
    draw,
    parse_size,
    scramble,
    standard_goal,
)
from slidewise.puzzle.board import TABLE_CELLS, quoted
from slidewise.study.draw import LEVELS, Range, level, parse_range
from slidewise.text import message

from ..http.language import listed, sentence
from ..http.requests import from_htmx
from ..http.responses import uncached
from ..http.visitor import is_known
from ..workers.budgets import charge_cpu_time
from ..workers.services import solvers
from ..workers.solvers import CallQueue
from . import last_game

if TYPE_CHECKING:
    from collections.abc import Mapping

    from werkzeug import Response as AnyResponse

    from slidewise import Board

    from .moves_left import MovesLeft

blueprint = Blueprint("pages", __name__)

USUAL_SIZES = ("2x3", "3x3", "4x4", "5x5")
"""Sizes with a button of their own; the form has fields for other sizes."""

DIFFICULTIES = ("easy", "medium", "hard", "any")
"""Difficulties of the form."""

FIRST_PUZZLE_MOVES = Range(8, 12)
"""Shortest solutions of first puzzles: solved in a minute, but not at a glance."""

SHOWN_CHARACTERS = 100
"""Maximum length of invalid input repeated in a field."""


@blueprint.get("/")
def home() -> AnyResponse:
    """Redirect to the last unfinished game, else to a new one, easy on a first visit."""
    puzzle = last_game.read_last()
    newcomer = puzzle is None and not is_known()
    if puzzle is None:
        puzzle = first_puzzle() if newcomer else scramble(3, 3, secrets.token_hex(8))
    response = uncached(redirect(url_for("game.page", code=str(puzzle))))
    if newcomer:
        last_game.mark_first(response, puzzle)
    return response


@blueprint.get("/new")
def new() -> AnyResponse | str:
    """Draw a puzzle, or show the form if no field is given.

    The fields are `size` (rows x columns) or `rows` and `cols`, `difficulty` (a key of `LEVELS` or
    any), `moves` (a number or range), `seed` (any text) and `goal` (a key of `STANDARD_GOALS`).
    Errors show the form with the input as typed.
    """
    if not request.args:
        return render_template("play/new.html", error=None, typed={})
    try:
        puzzle = drawn(request.args)
    except PuzzleError as error:
        if from_htmx():
            raise
        typed = {name: text[:SHOWN_CHARACTERS] for name, text in request.args.items()}
        rows, _, cols = _size(typed).replace("×", "x").lower().partition("x")
        size = f"{rows.strip()}x{cols.strip()}"
        typed |= {"rows": rows.strip(), "cols": cols.strip()}
        typed["size"] = size if size in USUAL_SIZES else "other"
        page = render_template("play/new.html", error=sentence(error), typed=typed)
        return Response(page, status=400)
    return uncached(redirect(url_for("game.page", code=str(puzzle))))


def first_puzzle() -> Puzzle:
    """A first puzzle for a new visitor."""
    goal = standard_goal(3, 3)
    return Puzzle(secrets.choice(_boards_within(goal, FIRST_PUZZLE_MOVES)), goal)


@lru_cache(maxsize=1)
def _boards_within(goal: Board, moves: Range) -> list[Board]:
    """Boards at these distances from `goal`, found layer by layer.

    The table of all boards needs numpy, which the web process does not load.
    """
    steps = [{goal}]
    for _ in range(moves.most):
        near = {board.slide(tile) for board in steps[-1] for tile in board.movable}
        steps.append(near - steps[-1] - steps[max(0, len(steps) - 2)])
    return sorted(set().union(*steps[moves.least :]), key=str)


def next_url(puzzle: Puzzle, shortest: MovesLeft | None) -> str:
    """URL of another puzzle of this size, difficulty and goal."""
    goal = next((key for key, name in GOAL_NAMES.items() if name == puzzle.goal_name), None)
    known = shortest if shortest and shortest.exact else None
    return url_for(
        "pages.new",
        size=f"{puzzle.rows}x{puzzle.cols}",
        difficulty=level(puzzle, known.moves) if known else None,
        goal=None if goal == "last" else goal,
    )


@lru_cache(maxsize=1)
def bands() -> dict[str, dict[str, tuple[int | None, int]]]:
    """Least and most moves of each difficulty, by size, for the form; any difficulty has no
    least."""
    return {
        f"{rows}x{cols}": {**levels, "any": (None, levels["hard"].most)}
        for (rows, cols), levels in LEVELS.items()
    }


def drawn(typed: Mapping[str, str]) -> Puzzle:
    """Draw the puzzle that the fields of `new` describe; raises `PuzzleError` and `Busy`."""
    rows, cols = parse_size(_size(typed))
    seed = typed.get("seed") or secrets.token_hex(8)
    name = typed.get("goal") or "last"
    if name not in STANDARD_GOALS:
        raise PuzzleError(
            message(
                "the goal must be one of %(goals)s, found %(found)s",
                goals=", ".join(STANDARD_GOALS),
                found=quoted(name, 20),
            )
        )
    goal = STANDARD_GOALS[name](rows, cols)
    moves = _moves(typed, rows, cols)
    if moves is None:
        return draw(rows, cols, seed, goal=goal)
    # in another process, as it takes numpy and a table or a search
    queue = CallQueue.CLICK if rows * cols <= TABLE_CELLS else CallQueue.DRAW
    wait = current_app.config["SOLVE_WAIT"]
    with charge_cpu_time():
        return solvers().calls.call(queue, draw, rows, cols, seed, moves, goal, timeout=wait)


def _moves(typed: Mapping[str, str], rows: int, cols: int) -> Range | None:
    """Range of moves: a typed number wins over the difficulty.

    Boards without levels ignore the difficulty.
    """
    if typed.get("moves", "").strip():
        return parse_range(typed["moves"])
    name = typed.get("difficulty") or "any"
    if name not in DIFFICULTIES:
        raise PuzzleError(
            message(
                "the difficulty must be %(difficulties)s; found %(found)s",
                difficulties=listed(DIFFICULTIES, "or"),
                found=quoted(name, 20),
            )
        )
    return LEVELS.get((rows, cols), {}).get(name)


def _size(typed: Mapping[str, str]) -> str:
    size = typed.get("size", "other")
    return size if size != "other" else f"{typed.get('rows', '3')}x{typed.get('cols', '3')}"
