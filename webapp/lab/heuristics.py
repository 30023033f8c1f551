"""The page of a heuristic: what it sees on a board, what holds on all boards, and one's own."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for

from slidewise import (
    ExpressionError,
    PuzzleError,
    UnfitHeuristicError,
    find_fitting_heuristic,
    find_heuristic,
    heuristics,
)
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.solver.own.heuristic import own_heuristic
from slidewise.solver.own.parse import EXPRESSION_CHARACTERS, MARK, is_own, names, parse
from slidewise.study.explanation import Explanation, conflicts, explain
from slidewise.text import sentence
from webapp.board.cells import cells
from webapp.http.requests import this_puzzle
from webapp.lab.distance_chart import chart_of, rows_of
from webapp.lab.heuristic_checks import Checks
from webapp.lab.heuristic_drawings import as_sum, drawings
from webapp.play.moves_left import to_go_from
from webapp.workers import Busy
from webapp.workers.budgets import costly
from webapp.workers.services import service, solvers

if TYPE_CHECKING:
    from werkzeug import Response as AnyResponse

    from slidewise import Board, Heuristic, Puzzle

blueprint = Blueprint("heuristics", __name__, url_prefix="/lab/<code>/heuristics")

DEFAULT = "manhattan"
SMALL_EXAMPLE = "7.2.4-5.0.6-8.3.1"
"""The board that the page of a larger one links to, to show the heuristic on all boards."""

TABLES_SECONDS = 120.0
"""Seconds that the tables of a pattern database may take to be built."""

EXAMPLES = {
    "Right": (
        ("max(manhattan, misplaced)", "the greater of two that are never too high"),
        ("out_of_row + out_of_column", "a move mends one of them at best"),
        ("manhattan_without_last", "forgets a tile: weaker, not wrong"),
        ("manhattan * (manhattan % 3 > 0)", "admissible, but not consistent"),
    ),
    "Usual mistakes": (
        ("manhattan_with_blank", "counts the blank as if it were a tile"),
        ("manhattan + conflict_pairs", "counts pairs in conflict, not tiles that must leave"),
        ("manhattan + misplaced", "adds what counts the same moves twice"),
        ("2 * manhattan", "twice a good estimate, as in weighted A*"),
        ("manhattan_wrong_goal", "the distance to another goal"),
        ("inversions", "one move can mend several of them"),
        ("manhattan + 3 * sequence_score", "Nilsson's score: quick, and far too high"),
    ),
}
"""Expressions to try, and what to look for in them."""


@blueprint.get("")
@costly()
def page() -> AnyResponse | str:
    """Show the heuristic `h`, a key or an expression after `=`; or `own`, an expression typed."""
    puzzle = this_puzzle()
    typed = request.args.get("own", "").strip()
    key = MARK + typed.removeprefix(MARK) if typed else request.args.get("h", DEFAULT)
    try:
        entry = own_heuristic(key) if typed else find_fitting_heuristic(key, *puzzle.start.size)
    except (ExpressionError, UnfitHeuristicError) as error:
        return _refused(request.args["own"] if typed else _expression(key), error)
    if typed:
        # the anchor takes the place of the form's, at which a page with an error opens
        return redirect(_url(puzzle, entry, anchor="all"))
    if entry.key != key:
        return redirect(_url(puzzle, entry))
    return _page(puzzle, entry)


def _url(puzzle: Puzzle, entry: Heuristic, anchor: str | None = None) -> str:
    return url_for("heuristics.page", code=str(puzzle), h=entry.key, _anchor=anchor)


def _expression(key: str) -> str:
    """Return the expression of one's own heuristic, nothing for one of the registry."""
    return key.removeprefix(MARK) if is_own(key) else ""


@blueprint.get("/read")
def read() -> str:
    """Say how an expression reads, while it is typed; a fragment."""
    typed = request.args.get("own", "").strip()
    try:
        own = str(parse(typed.removeprefix(MARK))) if typed else ""
    except ExpressionError as error:
        return render_template("lab/_expression.html", error=sentence(str(error)))
    return render_template("lab/_expression.html", reads_as=own)


def _refused(typed: str, error: PuzzleError) -> Response:
    """Answer with the box, with what is wrong in it, and without a heuristic."""
    return Response(_render(typed=typed, error=sentence(str(error))), status=400)


def _page(puzzle: Puzzle, entry: Heuristic) -> str:
    key, small = entry.key, puzzle.has_table
    with service(Checks).waiting():
        explanation, missing = _explanation(key, puzzle)
        on_all_boards = _check_context(key, puzzle.goal, explanation) if small else {}
    return _render(
        entry=entry,
        own=is_own(key),
        typed=_expression(key),
        look=explanation,
        missing=missing,
        sum=as_sum(key, puzzle, explanation) if explanation else None,
        drawings=drawings(key, puzzle, explanation),
        conflicts=conflicts(puzzle.start, puzzle.goal) if key == "linear-conflict" else [],
        to_go=None if small else to_go_from(puzzle),
        cells_of=cells,
        boards=_number_of_boards(puzzle),
        runs=_runs(key),
        **on_all_boards,
    )


def _render(**context: Any) -> str:
    """Return the page: of an `entry`, or without one only of how to write one's own."""
    puzzle = this_puzzle()
    return render_template(
        "lab/heuristics.html",
        puzzle=puzzle,
        code=str(puzzle),
        heuristics=[one for one in heuristics().values() if one.fits(*puzzle.goal.size)],
        small=puzzle.has_table,
        example=SMALL_EXAMPLE,
        examples=EXAMPLES,
        names=names(),
        longest=EXPRESSION_CHARACTERS,
        most_cells=TABLE_CELLS,
        **context,
    )


def _runs(key: str) -> str:
    """Return the searches of a race between the heuristic and Manhattan distance."""
    rival = DEFAULT if key != DEFAULT else "linear-conflict"
    return ",".join(
        f"{algorithm}:{one}" for algorithm in ("astar", "idastar") for one in (key, rival)
    )


def _explanation(key: str, puzzle: Puzzle) -> tuple[Explanation | None, str | None]:
    """Return what the heuristic sees on the board, or why that is missing.

    What needs numpy is left to other processes.
    """
    wait = current_app.config["SOLVE_WAIT"]
    if puzzle.has_table:
        try:
            return solvers().call(explain, key, puzzle, timeout=wait), None
        except Busy as busy:
            return None, str(busy)
    chosen = find_heuristic(key)
    if not chosen.loads_tables:
        h = chosen.value(puzzle.start, puzzle.goal)
        return Explanation(h, None, {}, ()), None
    answer = solvers().builders.ask(explain, key, puzzle, timeout=TABLES_SECONDS)
    try:
        return answer.result(wait), None
    except (TimeoutError, Busy):
        return None, "The tables are still being built. Open this page again in a moment."


def _check_context(key: str, goal: Board, explanation: Explanation | None) -> dict[str, Any]:
    """Return the check on all boards with its chart, or why there is none."""
    try:
        check = service(Checks).within(key, goal, current_app.config["SOLVE_WAIT"])
    except Busy as busy:
        return {"unchecked": str(busy)}
    excesses = {}
    if check.first and check.first != check.worst:
        excesses["Nearest to the goal"] = check.first
    if check.worst:
        excesses["The worst"] = check.worst
    return {
        "check": check,
        "excesses": excesses,
        "chart": chart_of(check, explanation),
        "rows": list(rows_of(check)),
    }


def _number_of_boards(puzzle: Puzzle) -> str:
    """Return how many boards can reach the goal, as a power of 10 where they are too many."""
    count = math.factorial(len(puzzle.goal.cells)) // 2
    return f"{count:,}" if count < 10**15 else f"about 10 to the power of {len(str(count)) - 1}"
