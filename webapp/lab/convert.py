"""A board in all notations: pasted as it is met, to copy as it is needed; moves and plans too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, render_template, request

from slidewise import (
    AmbiguousBoardError,
    InvalidBoardError,
    PuzzleError,
)
from slidewise.puzzle.moves import convert_moves, find_wrong_move
from slidewise.puzzle.notation import MAX_TEXT
from slidewise.puzzle.reading import split_lines
from slidewise.puzzle.writing import DOMAIN, problem, written
from slidewise.text import sentence
from webapp.board.cells import cells
from webapp.forms.moves import MAX_MOVES, MAX_MOVES_TEXT, read_long
from webapp.forms.puzzle import read_puzzle, wrong_field
from webapp.http.responses import Busy

if TYPE_CHECKING:
    from slidewise import Board, Puzzle
    from slidewise.puzzle.moves import WrongMove

blueprint = Blueprint("convert", __name__)

FIELDS = ("start", "goal", "size", "moves")

SHOWN_LINES = 3
"""Lines of a text that are shown on either side of the one that is wrong."""

SHOWN_CHARACTERS = 200
"""Of a line that is shown."""

EXAMPLES = {
    "8puzzle file": "3\n 8  1  3\n 4  0  2\n 7  6  5",
    "n-puzzle file": "# This puzzle is solvable\n3\n8 1 3\n4 0 2\n7 6 5",
    "Java": "int[][] tiles = {{8, 1, 3}, {4, 0, 2}, {7, 6, 5}};",
    "ColumbiaX": "1,2,5,3,4,0,6,7,8",
    "Letters": "HAC/D_B/GFE",
}
"""Texts to begin with, by what they are."""


@blueprint.route("/convert", methods=["GET", "POST"])
def page() -> Response | str:
    """Show the board of `start` in all notations, and `moves` from it on, if there are some."""
    typed = request.form if request.method == "POST" else request.args
    fields = {name: typed.get(name, "") for name in FIELDS}
    context: dict[str, Any] = {
        "fields": fields,
        "examples": EXAMPLES,
        "max_text": MAX_TEXT,
        "max_moves_text": MAX_MOVES_TEXT,
    }
    if not fields["start"].strip():
        asked = request.method == "POST" or bool(fields["moves"].strip())
        if asked:
            context |= {
                "wrong": "start",
                "error": "Paste a board first, such as 1 2 3 4 5 6 7 8 0.",
            }
        return _page(context, failed=asked)
    try:
        puzzle = read_puzzle(fields)
    except InvalidBoardError as error:
        return _page(context | _refused_board(fields, error), failed=True)
    context |= _written(puzzle)
    if not fields["moves"].strip():
        return _page(context)
    try:
        return _page(context | _moves(puzzle, fields["moves"]))
    except PuzzleError as error:
        return _page(context | _refused_moves(puzzle.start, fields["moves"], error), failed=True)
    except Busy as error:  # what was typed stays
        response = _page(context | {"error": str(error), "wrong": "moves"}, failed=True)
        response.status_code = error.status
        response.headers["Retry-After"] = str(error.retry_after)
        return response


def _page(context: dict[str, Any], *, failed: bool = False) -> Response:
    return Response(render_template("lab/convert.html", **context), 400 if failed else 200)


def _written(puzzle: Puzzle) -> dict[str, Any]:
    """Return what there is to show of a puzzle."""
    return {
        "puzzle": puzzle,
        "cells": cells(puzzle.start, puzzle.goal),
        "notations": written(puzzle.start),
        "problem": problem(puzzle),
        "domain": DOMAIN,
    }


def _moves(puzzle: Puzzle, text: str) -> dict[str, Any]:
    """Return the moves in all notations, and where they lead."""
    if len(text) > MAX_MOVES_TEXT:
        raise PuzzleError(
            f"this page takes up to {MAX_MOVES_TEXT:,} characters of moves, got {len(text):,}: "
            "leave "
            "some out, or check them with slidewise check"
        )
    found = read_long(convert_moves, text, puzzle, MAX_MOVES)
    return {
        "moves": found.written,
        "made": len(found.reading.moves),
        "taken": found.reading,
        "reached": found.end == puzzle.goal,
        "end": found.end,
    }


def _refused_board(fields: dict[str, str], error: InvalidBoardError) -> dict[str, Any]:
    """Return what is said of a board that cannot be read: the line, or what it can mean."""
    wrong = wrong_field(fields)
    readings = error.readings if isinstance(error, AmbiguousBoardError) else ()
    return {
        "error": sentence(str(error)),
        "wrong": wrong,
        "readings": readings,
        "lines": _around(fields[wrong], error.line) if error.line else (),
    }


def _around(text: str, line: int) -> list[tuple[int, str, bool]]:
    """Return the lines around a wrong one, each with its number and whether it is that one."""
    lines = list(enumerate(split_lines(text), 1))[max(0, line - 1 - SHOWN_LINES) :]
    return [
        (number, words[:SHOWN_CHARACTERS], number == line)
        for number, words in lines[: 2 * SHOWN_LINES + 1]
    ]


def _refused_moves(board: Board, text: str, error: PuzzleError) -> dict[str, Any]:
    """Return what is said of moves that cannot be made, with the first wrong one marked."""
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
    return {"error": sentence(str(error)), "wrong": "moves", "marked": marked}
