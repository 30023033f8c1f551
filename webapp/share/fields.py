"""Fields of shared links."""

from __future__ import annotations

from typing import Any

from flask import request

from slidewise import Puzzle, PuzzleError, format_moves, parse_board
from webapp.forms import search
from webapp.play import lesson
from webapp.solve import replay


def lesson_field() -> dict[str, str | None]:
    """Link field for the parts that the current page hides."""
    return {"lesson": lesson.as_text(lesson.hidden())}


def solved_from(puzzle: Puzzle) -> Puzzle:
    """Start puzzle of the solution, which may differ from the page's board."""
    typed = request.args.get("from", "")
    return puzzle.starting_at(parse_board(typed, puzzle.start.size)) if typed else puzzle


def solution_fields(puzzle: Puzzle) -> dict[str, Any]:
    """Validated link fields of the requested solution."""
    if not replay.names_moves():
        raise PuzzleError("a link to a solution needs its moves, such as moves=U2RDL3")
    if request.args.get("algorithm"):
        search.read_spec(puzzle, request.args)
        return {name: text for name, text in replay.link_fields().items() if name != "moves"}
    return {"moves": format_moves(replay.linked_moves(puzzle))}
