"""A solution to step through, from a link: the moves are replayed and the verdict rechecked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for

from slidewise import PuzzleError, format_moves, steps
from slidewise.puzzle.moves import find_wrong_move, opposite, play, tiles_moved
from slidewise.puzzle.reading import MAX_TEXT
from slidewise.solver.known import moves_at_least
from slidewise.study.shortest_solutions import COUNTED_CELLS
from slidewise.text import plural
from webapp.board.cells import cells
from webapp.forms.moves import read_long
from webapp.http.requests import from_htmx, this_puzzle
from webapp.solve import counting, links
from webapp.solve.pieces import piece_with
from webapp.solve.profile import profile
from webapp.workers.budgets import costly
from webapp.workers.distances import Distances
from webapp.workers.services import service

if TYPE_CHECKING:
    from werkzeug import Response as AnyResponse

    from slidewise import Board, Puzzle
    from slidewise.puzzle.reading import MAX_TEXT
from slidewise.puzzle.moves import WrongMove

blueprint = Blueprint("replay", __name__)

BROWSER_CACHE_SECONDS = 600
"""How long a browser keeps a piece of a solution: who drags the slider comes back to it."""

SHOWN_AROUND = 60
"""Characters of a list of moves that are shown on either side of one that is wrong."""


@dataclass(frozen=True, slots=True)
class ReplayVerdict:
    """What was found out about a solution that came by a link: `verdict` as of a result, or
    `unfinished` where it does not end at the goal. `is_open`: it could still be the shortest."""

    verdict: str
    text: str
    is_open: bool = False


@blueprint.get("/replay/<code>")
@costly()
def page() -> AnyResponse | str:
    """Show step `step` of the solution `moves`, or of the one that `algorithm` finds."""
    puzzle = this_puzzle()
    if not links.names_moves():
        return _form()
    try:
        moves = links.asked_moves(puzzle)
        play(puzzle.start, moves)
    except PuzzleError as error:
        if request.args.get("algorithm"):
            raise
        return Response(_form(error), 400)
    if not request.args.get("algorithm") and request.args["moves"] != format_moves(moves):
        return redirect(_link(puzzle, moves, links.read_as(puzzle)))
    return render_template("solve/replay.html", **context(puzzle, moves, links.step_number()))


@blueprint.get("/replay/<code>/steps")
@costly()
def steps_of_piece() -> Response:
    """Answer with the piece of the solution that has step `step`, for the player."""
    puzzle = this_puzzle()
    moves = links.asked_moves(puzzle)
    piece = piece_with(puzzle, moves, links.step_number())
    html = render_template("board/_steps.html", piece=piece, length=len(moves), in_pieces=True)
    response = Response(html)
    response.headers["Cache-Control"] = f"private, max-age={BROWSER_CACHE_SECONDS}"
    return response


@blueprint.get("/replay/<code>/count")
@costly()
def count() -> str:
    """Say how many shortest solutions there are, and which moves of this one are forced."""
    puzzle = this_puzzle()
    if not counting.can_be_counted(puzzle):
        raise PuzzleError(f"shortest solutions are counted up to {COUNTED_CELLS} cells, as 4x4 has")
    moves = links.asked_moves(puzzle)
    if play(puzzle.start, moves) != puzzle.goal:
        raise PuzzleError("these moves do not end at the goal: there is nothing to count")
    told = {"counted": counting.counted(puzzle, moves)}
    if from_htmx():
        return render_template("solve/_counted.html", length=len(moves), **told)
    return render_template("solve/replay.html", **context(puzzle, moves, 0), **told)


def _form(error: PuzzleError | None = None) -> str:
    """Return the form for a list of moves; after an error with what was typed, and what is wrong
    in it."""
    puzzle, typed = this_puzzle(), request.args.get("moves", "")
    blank = request.args.get("named") == "blank"
    wrong = error and read_long(find_wrong_move, typed, puzzle.start, blank_directions=blank)
    return render_template(
        "solve/replay_form.html",
        puzzle=puzzle,
        code=str(puzzle),
        typed=typed,
        max_text=MAX_TEXT,
        blank=blank,
        error=error,
        wrong=wrong,
        cells=cells(wrong.board, puzzle.goal) if wrong else None,
        around=_around(typed, wrong) if wrong else None,
    )


def _around(typed: str, wrong: WrongMove) -> tuple[str, str, str]:
    """Return the wrong move as it was typed, with what stands before it and after it."""
    first, last = max(0, wrong.start - SHOWN_AROUND), wrong.end + SHOWN_AROUND
    before = ("… " if first else "") + typed[first : wrong.start]
    after = typed[wrong.end : last] + (" …" if last < len(typed) else "")
    return before, typed[wrong.start : wrong.end][:SHOWN_AROUND], after


def context(puzzle: Puzzle, moves: str, number: int) -> dict[str, Any]:
    """Return what the templates of a solution show, at step `number`."""
    number = min(number, len(moves))
    piece = piece_with(puzzle, moves, number)
    current = piece.steps[number - piece.first - 1] if number else None
    board = current.board if current else puzzle.start
    return {
        "puzzle": puzzle,
        "here": puzzle.starting_at(board),
        "length": len(moves),
        "piece": piece,
        "notation": _in_writing(puzzle, moves),
        "current": current,
        "number": number,
        "cells": cells(board, puzzle.goal, current.tile if current else None),
        "check": _check(puzzle, moves),
        "countable": counting.can_be_counted(puzzle),
        "profile": profile(puzzle, (step.board for step in steps(puzzle.start, moves)), _HEURISTIC),
        "fields": links.link_fields(),
        "share": _share_fields(board, moves, number),
    }


_HEURISTIC = "manhattan"


def _share_fields(board: Board, moves: str, number: int) -> dict[str, Any]:
    """Return what the sharing sheet is told: the position, and the solution at this step."""
    written = {"moves": format_moves(moves)}
    fields = written if len(moves) <= links.MAX_MOVES_IN_LINK else links.link_fields()
    return {"board": board, **fields, "step": number}


def _in_writing(puzzle: Puzzle, moves: str) -> dict[str, str]:
    """Return the moves in each notation that is in use."""
    return {
        "tile_directions": format_moves(moves),
        "blank_directions": format_moves(opposite(moves)),
        "tiles": " ".join(map(str, tiles_moved(puzzle.start, moves))),
    }


def _link(puzzle: Puzzle, moves: str, read_as: str | None = None) -> str:
    step = request.args.get("step")
    fields: dict[str, Any] = {"moves": format_moves(moves), "read": read_as, "step": step}
    return url_for("replay.page", code=str(puzzle), **fields)


def _check(puzzle: Puzzle, moves: str) -> ReplayVerdict:
    """Say of a solution how short it is, as far as that can be proved at once."""
    if play(puzzle.start, moves) != puzzle.goal:
        return ReplayVerdict("unfinished", "These moves do not end at the goal.")
    length, least = len(moves), moves_at_least(puzzle)
    if length == least:
        text = f"Proved shortest: no solution can have fewer than {plural(least, 'move')}."
        return ReplayVerdict("optimal", text)
    known = service(Distances).proved(puzzle, current_app.config["SOLVE_WAIT"])
    if known.exact and known.at_least == length:
        return ReplayVerdict("optimal", f"Proved shortest: {known.source}.")
    if known.exact:
        above = plural(length - known.at_least, "move")
        return ReplayVerdict("unproved", f"{above} above the shortest: {known.source}.")
    between = f"between {known.at_least:,} and {length:,} moves"
    text = f"Not checked whether it is the shortest: that has {between}."
    return ReplayVerdict("unproved", text, is_open=True)
