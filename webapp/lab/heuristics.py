"""Heuristics on the board: what each sees there, what holds on all boards, and one's own."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for

from slidewise import find_heuristic, heuristics
from slidewise.puzzle import PuzzleError
from slidewise.solver.find import find_fitting_heuristic
from slidewise.solver.own.heuristic import own_heuristic
from slidewise.solver.own.parse import EXPRESSION_CHARACTERS, ExpressionError, parse
from slidewise.solver.own.tree import MARK, is_own, names
from slidewise.solver.tables.exact import MOST_CELLS
from slidewise.solver.task import UnfitHeuristicError
from slidewise.study.explanation import Explanation, conflicts, explain
from webapp.board.cells import cells
from webapp.http.errors import sentence
from webapp.http.requests import this_puzzle
from webapp.lab.distance_chart import chart_of, rows_of
from webapp.lab.heuristic_checks import Checks
from webapp.lab.heuristic_drawings import drawings, in_numbers
from webapp.play.moves_left import to_go_from
from webapp.workers import Busy
from webapp.workers.services import service, solvers

if TYPE_CHECKING:
    from werkzeug import Response as AnyResponse

    from slidewise import Heuristic
    from slidewise.puzzle import Board, Puzzle

blueprint = Blueprint("heuristics", __name__, url_prefix="/lab/<code>/heuristics")

DEFAULT = "manhattan"
SMALL_EXAMPLE = "7.2.4-5.0.6-8.3.1"
"""The board on which a larger one's heuristic is shown with all boards."""

BUILDING = 120.0
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
        ("2 * manhattan", "greedy: twice a good estimate"),
        ("manhattan_wrong_goal", "the distance to another goal"),
        ("inversions", "one move can mend several of them"),
        ("manhattan + 3 * sequence_score", "Nilsson's score: quick, and far too high"),
    ),
}
"""Expressions to begin with, and what to look for in them."""


@blueprint.get("")
def page() -> AnyResponse | str:
    """Show the heuristic `h`, a key or an expression after `=`; or `own`, an expression typed."""
    typed = request.args.get("own")
    if typed is not None and typed.strip():
        try:
            own = own_heuristic(MARK + typed.strip().removeprefix(MARK))
        except ExpressionError as error:
            return _refused(typed, error)
        # the anchor takes the place of the form's, at which a page with an error opens
        return redirect(
            url_for("heuristics.page", code=str(this_puzzle()), h=own.key, _anchor="all")
        )
    key = request.args.get("h", DEFAULT)
    try:
        found = find_fitting_heuristic(key, this_puzzle().rows, this_puzzle().cols)
    except (ExpressionError, UnfitHeuristicError) as error:
        return _refused(key.removeprefix(MARK) if is_own(key) else "", error)
    if found.key != key:
        return redirect(url_for("heuristics.page", code=str(this_puzzle()), h=found.key))
    return _page(found)


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
    """Answer with the box and what is wrong in it, and with no verdict on anything else."""
    return Response(_rendered(typed=typed, error=sentence(str(error))), status=400)


def _page(entry: Heuristic) -> str:
    puzzle = this_puzzle()
    own = is_own(entry.key)
    small = _is_small(puzzle)
    with service(Checks).waiting():
        seen, missing = _look(entry.key, puzzle)
        on_all_boards = _checked(entry.key, puzzle.goal, seen) if small else {}
    return _rendered(
        entry=entry,
        own=own,
        typed=entry.key.removeprefix(MARK) if own else "",
        look=seen,
        missing=missing,
        sum=in_numbers(entry.key, puzzle, seen) if seen else None,
        drawings=drawings(entry.key, puzzle, seen),
        conflicts=conflicts(puzzle.start, puzzle.goal) if entry.key == "linear-conflict" else [],
        to_go=None if small else to_go_from(puzzle),
        cells_of=cells,
        boards=_boards(puzzle),
        runs=_runs(entry.key),
        **on_all_boards,
    )


def _rendered(**what: Any) -> str:
    """Return the page: with an `entry` what is known of that, else only how to write one."""
    puzzle = this_puzzle()
    return render_template(
        "lab/heuristics.html",
        puzzle=puzzle,
        code=str(puzzle),
        heuristics=[one for one in heuristics().values() if one.fits(*puzzle.goal.size)],
        small=_is_small(puzzle),
        example=SMALL_EXAMPLE,
        examples=EXAMPLES,
        names=names(),
        longest=EXPRESSION_CHARACTERS,
        most_cells=MOST_CELLS,
        **what,
    )


def _is_small(puzzle: Puzzle) -> bool:
    return len(puzzle.goal.cells) <= MOST_CELLS


def _runs(key: str) -> str:
    """Return the searches of a race between the heuristic and Manhattan distance."""
    rival = DEFAULT if key != DEFAULT else "linear-conflict"
    return ",".join(
        f"{algorithm}:{one}" for algorithm in ("astar", "idastar") for one in (key, rival)
    )


def _look(key: str, puzzle: Puzzle) -> tuple[Explanation | None, str | None]:
    """Return what is known of the board, or why it is not: numpy is for other processes."""
    wait = current_app.config["SOLVE_WAIT"]
    if _is_small(puzzle):
        try:
            return solvers().call(explain, key, puzzle, timeout=wait), None
        except Busy as busy:
            return None, str(busy)
    if key != "pdb":
        return Explanation(find_heuristic(key).value(puzzle.start, puzzle.goal), None, {}, ()), None
    answer = solvers().background.ask(explain, key, puzzle, timeout=BUILDING)
    try:
        return answer.result(wait), None
    except (TimeoutError, Busy):
        return None, "The tables are still being built. Open this page again in a moment."


def _checked(key: str, goal: Board, seen: Explanation | None) -> dict[str, Any]:
    """Return the check, and the chart of it; or why there is none."""
    try:
        found = service(Checks).within(key, goal, current_app.config["SOLVE_WAIT"])
    except Busy as busy:
        return {"unchecked": str(busy)}
    excesses = {"Nearest to the goal": found.first, "The worst": found.worst}
    if not found.first or found.first == found.worst:
        excesses = {"The worst": found.worst} if found.worst else {}
    return {
        "check": found,
        "excesses": excesses,
        "chart": chart_of(found, seen),
        "rows": list(rows_of(found)),
    }


def _boards(puzzle: Puzzle) -> str:
    """Return how many boards can reach the goal, in words where they are too many digits."""
    count = math.factorial(len(puzzle.goal.cells)) // 2
    return f"{count:,}" if count < 10**15 else f"about 10 to the power of {len(str(count)) - 1}"
