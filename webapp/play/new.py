"""Pages before a game: the front door, the form for a new game, the editor, and boards to store.

The editor builds or reads a start and a goal, which are checked at once. A browser fetches boards
in advance for playing offline.
"""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Any

from flask import (
    Blueprint,
    Response,
    current_app,
    jsonify,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug import Response as AnyResponse

from slidewise import (
    GOAL_NAMES,
    STANDARD_GOALS,
    Board,
    InvalidBoardError,
    Puzzle,
    PuzzleError,
    draw,
    parse_size,
    scramble,
    standard_goal,
)
from slidewise.analysis.distance import LEVELS, Range, level, parse_range
from slidewise.puzzle.board import TABLE_CELLS, quoted
from slidewise.text import message

from ..board import cells
from ..forms import read_puzzle, wrong_field
from ..http.language import gettext as _
from ..http.language import listed, sentence, translated
from ..http.requests import from_htmx
from ..http.responses import uncached
from ..http.routes import cheap, offline, reads_query, static_page
from ..http.visitor import is_known
from ..workers.budgets import charge_cpu_time
from ..workers.shared import solvers
from ..workers.solvers import CallQueue
from .session import last_fields, mark_chosen, mark_first, read_last

if TYPE_CHECKING:
    from .moves_left import MovesLeft

blueprint = Blueprint("pages", __name__)

USUAL_SIZES = ("2x3", "3x3", "4x4", "5x5")
"""Sizes with their own button; the form has fields for other sizes."""

DIFFICULTIES = ("easy", "medium", "hard", "any")
"""Difficulties of the form."""

FIRST_PUZZLE_MOVES = Range(8, 12)
"""Shortest solutions of first puzzles: solved in a minute, but not at a glance."""

SHOWN_CHARACTERS = 100
"""Maximum length of invalid input repeated in a field."""

boards_ahead = Blueprint("boards_ahead", __name__)

SIZES = ((2, 3), (3, 3), (4, 4), (5, 5))
"""Usual sizes, rows and columns."""

BOARDS_OF_A_SIZE = 50
"""Boards fetched per size: some hours of play in 12 kB."""

BOARDS_OF_A_LEVEL = BOARDS_OF_A_SIZE // 3 + 1
"""Boards per difficulty. Only one 3x3 board in fifteen is easy."""

SHIPPED = Path(__file__).with_name("boards_ahead.txt")
"""Boards of the sizes with difficulties, a third of each, with the lengths of their shortest
solutions, so that a busy server solves none. `python -m benchmarks.ship_boards` writes it."""

RANDOM = SystemRandom()
"""Random generator of the boards, seeded by the operating system."""

Ahead = tuple[str, int | None]
"""A board and its shortest solution length, None if unknown."""


@blueprint.get("/")
@cheap
@static_page
def home() -> AnyResponse:
    """Redirect to the last chosen or unfinished game, else to a new one, easy on a first visit."""
    puzzle = read_last()
    newcomer = puzzle is None and not is_known()
    if puzzle is None:
        puzzle = first_puzzle() if newcomer else scramble(3, 3, secrets.token_hex(8))
    fields: dict[str, Any] = {**last_fields()}
    response = uncached(redirect(url_for("game.page", code=str(puzzle), **fields)))
    if newcomer:
        mark_first(response, puzzle)
    return response


@blueprint.get("/new")
@cheap
@offline
@static_page
@reads_query
def new() -> AnyResponse | str:
    """Draw a puzzle, or show the form if no field is given.

    The fields are `size` (rows x columns) or `rows` and `cols`, `difficulty` (a key of `LEVELS` or
    any), `moves` (a number or range), `seed` (any text) and `goal` (a key of `STANDARD_GOALS`).
    Errors show the form with the input as typed.
    """
    if not request.args:
        return render_template("new/page.html", error=None, typed={})
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
        page = render_template("new/page.html", error=sentence(error), typed=typed)
        return Response(page, status=400)
    return uncached(_to_chosen(puzzle))


def _to_chosen(puzzle: Puzzle, status: int = 302) -> AnyResponse:
    """Redirect to a puzzle, which is then the last one even before a move."""
    response = redirect(url_for("game.page", code=str(puzzle)), code=status)
    mark_chosen(response, puzzle)
    return response


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
    for _step in range(moves.most):
        near = {board.slide(tile) for board in steps[-1] for tile in board.movable}
        # a slide changes the distance by 1, so only the last layers can repeat
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
    """Least and most moves of each difficulty, by size, for the form; "any" has no least."""
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


@blueprint.route("/custom", methods=["GET", "POST"])
@cheap
def custom() -> AnyResponse | str:
    """Build a start and a goal, or type them. Input is checked and never lost."""
    typed = request.form if request.method == "POST" else request.args
    fields = {name: typed.get(name, "") for name in ("start", "goal", "size")}
    if request.method != "POST" and not typed:
        fields["start"] = str(standard_goal(3, 3))
    checked = _check(fields) if fields["start"].strip() else {}
    if from_htmx():
        return render_template("new/_checked.html", live=True, **checked)
    puzzle = checked.get("puzzle")
    if request.method == "POST" and isinstance(puzzle, Puzzle) and puzzle.solvable:
        return _to_chosen(puzzle, 303)
    failed = request.method == "POST"
    if failed and not checked:
        checked = {
            "error": _("Type the start board first, for example 1 2 3 4 5 6 7 8 0."),
            "wrong": "start",
        }
    beginnings = [standard_goal(*size) for size in ((2, 3), (3, 3), (4, 4), (5, 5))]
    page = render_template(
        "new/editor.html", fields=fields, beginnings=beginnings, failed=failed, **checked
    )
    return Response(page, status=400 if failed else 200)


def _check(fields: dict[str, str]) -> dict[str, object]:
    """Report on a start and a goal as typed."""
    try:
        puzzle = read_puzzle(fields)
    except InvalidBoardError as error:
        wrong, fault = wrong_field(fields), translated(error)
        texts = {
            "start": _("start: %(fault)s", fault=fault),
            "goal": _("goal: %(fault)s", fault=fault),
            "size": _("size: %(fault)s", fault=fault),
        }
        return {"error": texts[wrong], "wrong": wrong}
    return {
        "puzzle": puzzle,
        "boards": {
            GOAL_NAMES[key]: goal(*puzzle.start.size) for key, goal in STANDARD_GOALS.items()
        },
        "start_cells": cells(puzzle.start, puzzle.goal),
        "goal_cells": cells(puzzle.goal, puzzle.goal),
        "solvable_alternatives": None if puzzle.solvable else puzzle.solvable_alternatives(),
    }


@boards_ahead.get("/boards-ahead.json")
@charge_cpu_time()
def boards() -> Response:
    """Draw boards of each size, evenly over its difficulties.
    The lengths of shortest solutions are null if they need a search: `{"3x3":
    [["7.2.4-5.0.6-8.3.1", 20], ...], ...}`.
    """
    drawn = {f"{rows}x{cols}": _of_size(rows, cols) for rows, cols in SIZES}
    return uncached(jsonify(drawn))


def all_boards() -> dict[str, list[Ahead]]:
    """All shipped boards, and some of the other sizes, for browsers that cannot fetch more."""
    boards = {
        f"{rows}x{cols}": list(_shipped().get((rows, cols)) or _drawn(rows, cols))
        for rows, cols in SIZES
    }
    for of_size in boards.values():
        RANDOM.shuffle(of_size)
    return boards


def _drawn(rows: int, cols: int) -> list[Ahead]:
    seed = secrets.token_hex(8)
    return [(str(scramble(rows, cols, f"{seed} {n}")), None) for n in range(BOARDS_OF_A_SIZE)]


def _of_size(rows: int, cols: int) -> list[Ahead]:
    if (rows, cols) not in LEVELS:
        return _drawn(rows, cols)
    shipped = _shipped()[rows, cols]
    of_levels = [
        RANDOM.sample(
            [board for board in shipped if least <= (board[1] or 0) <= most], BOARDS_OF_A_LEVEL
        )
        for least, most in LEVELS[rows, cols].values()
    ]
    boards = [board for boards in of_levels for board in boards]
    RANDOM.shuffle(boards)  # a browser may request any difficulty
    return boards[:BOARDS_OF_A_SIZE]


@lru_cache(maxsize=1)
def _shipped() -> dict[tuple[int, int], list[Ahead]]:
    """Boards of the shipped file by size."""
    boards: dict[tuple[int, int], list[Ahead]] = defaultdict(list)
    for code, moves in map(str.split, SHIPPED.read_text(encoding="ascii").splitlines()):
        size = code.count("-") + 1, code.partition("-")[0].count(".") + 1
        boards[size].append((code, int(moves)))
    return boards
