"""The fields of the links that are shared."""

from __future__ import annotations

from typing import Any

from flask import request

from slidewise import Puzzle, PuzzleError, format_moves, parse_board
from webapp.forms import search
from webapp.play import lesson
from webapp.solve import replay


def lesson_field() -> dict[str, str | None]:
    """Return the field of a link that hides what the page that is shared from hides."""
    return {"lesson": lesson.as_text(lesson.hidden())}


def solved_from(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle that the solution solves: it may begin at another board."""
    typed = request.args.get("from", "")
    return puzzle.starting_at(parse_board(typed, puzzle.start.size)) if typed else puzzle


def solution_fields(puzzle: Puzzle) -> dict[str, Any]:
    """Return the fields of a link to the solution that is asked for, checked."""
    if not replay.names_moves():
        raise PuzzleError("a link to a solution needs its moves, such as moves=U2RDL3")
    if request.args.get("algorithm"):
        search.read_spec(puzzle, request.args)
        return {name: text for name, text in replay.link_fields().items() if name != "moves"}
    return {"moves": format_moves(replay.asked_moves(puzzle))}
