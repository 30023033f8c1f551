"""Converter of boards, moves and plans between all notations."""

from typing import Any

from flask import Blueprint, Response, render_template, request

from slidewise import AmbiguousBoardError, Board, InvalidBoardError, Puzzle, PuzzleError
from slidewise.puzzle.moves import WrongMove, convert_moves, find_wrong_move
from slidewise.puzzle.notation import MAX_TEXT
from slidewise.puzzle.reading import moves_of_address, split_lines
from slidewise.puzzle.writing import DOMAIN, problem, written
from slidewise.text import message, noop

from ...board import cells
from ...forms import MAX_MOVES, MAX_MOVES_TEXT, read_long, read_puzzle, wrong_field
from ...http.errors import with_retry
from ...http.language import gettext as _
from ...http.language import sentence, translated
from ...http.responses import Busy
from ...workers.budgets import charge_cpu_time
from .race import EXAMPLE

blueprint = Blueprint("convert", __name__)

FIELDS = ("start", "goal", "size", "moves")

SHOWN_LINES = 3
"""Context lines around a wrong line."""

SHOWN_CHARACTERS = 200
"""Maximum characters shown of a line."""

EXAMPLES = {
    noop("8puzzle file"): "3\n 8  1  3\n 4  0  2\n 7  6  5",
    noop("n-puzzle file"): "# This puzzle is solvable\n3\n8 1 3\n4 0 2\n7 6 5",
    "Java": "int[][] tiles = {{8, 1, 3}, {4, 0, 2}, {7, 6, 5}};",
    "ColumbiaX": "1,2,5,3,4,0,6,7,8",
    noop("Letters"): "HAC/D_B/GFE",
}
"""Example inputs by kind."""


@blueprint.route("/convert", methods=["GET", "POST"])
@charge_cpu_time()
def page() -> Response | str:
    """Show the board of `start` in all notations, and `moves` from it on, if any."""
    typed = request.form if request.method == "POST" else request.args
    fields = {name: typed.get(name, "") for name in FIELDS}
    context: dict[str, Any] = {
        "fields": fields,
        "examples": EXAMPLES,
        "max_text": MAX_TEXT,
        "max_moves_text": MAX_MOVES_TEXT,
        "code": EXAMPLE,
    }
    if not fields["start"].strip():
        submitted = request.method == "POST" or bool(fields["moves"].strip())
        if submitted:
            context |= {
                "wrong": "start",
                "error": _("Paste a board first, such as 1 2 3 4 5 6 7 8 0."),
            }
        return _page(context, failed=submitted)
    try:
        puzzle = read_puzzle(fields)
    except InvalidBoardError as error:
        return _page(context | _refused_board(fields, error), failed=True)
    context |= _written(puzzle)
    if not fields["moves"].strip():
        fields["moves"] = moves_of_address(fields["start"])
    if not fields["moves"]:
        return _page(context)
    try:
        return _page(context | _moves(puzzle, fields["moves"]))
    except PuzzleError as error:
        return _page(context | _refused_moves(puzzle.start, fields["moves"], error), failed=True)
    except Busy as error:  # keep the input as typed
        response = _page(context | {"error": translated(error), "wrong": "moves"}, failed=True)
        response.status_code = error.status
        return with_retry(response, error)


def _page(context: dict[str, Any], *, failed: bool = False) -> Response:
    return Response(render_template("course/lab/convert.html", **context), 400 if failed else 200)


def _written(puzzle: Puzzle) -> dict[str, Any]:
    return {
        "puzzle": puzzle,
        "code": str(puzzle),
        "cells": cells(puzzle.start, puzzle.goal),
        "notations": sorted(written(puzzle.start), key=lambda one: one[1].count("\n")),
        "problem": problem(puzzle),
        "domain": DOMAIN,
    }


def _moves(puzzle: Puzzle, text: str) -> dict[str, Any]:
    """Moves in all notations, and the board they lead to."""
    if len(text) > MAX_MOVES_TEXT:
        raise PuzzleError(
            message(
                "this page takes up to %(most)s characters of moves, got %(count)s: leave some "
                "out, or check them with slidewise check",
                most=MAX_MOVES_TEXT,
                count=len(text),
            )
        )
    converted = read_long(convert_moves, text, puzzle, MAX_MOVES)
    return {
        "moves": converted.written,
        "made": len(converted.reading.moves),
        "taken": converted.reading,
        "reached": converted.end == puzzle.goal,
        "end": converted.end,
    }


def _refused_board(fields: dict[str, str], error: InvalidBoardError) -> dict[str, Any]:
    """Error of an unreadable board: its line, or its possible meanings."""
    wrong = wrong_field(fields)
    readings = error.readings if isinstance(error, AmbiguousBoardError) else ()
    return {
        "error": sentence(error),
        "wrong": wrong,
        "readings": readings,
        "lines": _around(fields[wrong], error.line) if error.line else (),
    }


def _around(text: str, line: int) -> list[tuple[int, str, bool]]:
    """Context of a wrong line: each line, its number and whether it is wrong."""
    lines = list(enumerate(split_lines(text), 1))[max(0, line - 1 - SHOWN_LINES) :]
    return [
        (number, words[:SHOWN_CHARACTERS], number == line)
        for number, words in lines[: 2 * SHOWN_LINES + 1]
    ]


def _refused_moves(board: Board, text: str, error: PuzzleError) -> dict[str, Any]:
    """Error of an illegal list of moves, with the first wrong move marked."""
    wrong: WrongMove | None = None
    if len(text) <= MAX_MOVES_TEXT:
        wrong = read_long(find_wrong_move, text, board)
    marked = None
    if wrong:
        before, after = text[: wrong.start], text[wrong.end :]
        marked = (
            before[-SHOWN_CHARACTERS:],
            text[wrong.start : wrong.end][:SHOWN_CHARACTERS],
            after[:SHOWN_CHARACTERS],
        )
    return {"error": sentence(error), "wrong": "moves", "marked": marked}
