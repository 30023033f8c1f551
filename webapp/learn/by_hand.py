"""Lessons in solving by hand: boards to play, each with an aim and a demonstration."""

from __future__ import annotations

from functools import cache

from flask import Blueprint, abort, render_template, request

from slidewise import Board, Puzzle, parse_board
from slidewise.study.by_hand import LESSONS, Lesson, Scene
from webapp.board import Cell, cells, tiles

blueprint = Blueprint("by_hand", __name__, url_prefix="/learn/by-hand")

BY_KEY = {lesson.key: lesson for lesson in LESSONS}


@blueprint.get("")
def index() -> str:
    """Show all lessons."""
    groups = {
        f"{rows} × {cols}": [lesson for lesson in LESSONS if lesson.size == (rows, cols)]
        for rows, cols in dict.fromkeys(lesson.size for lesson in LESSONS)
    }
    return render_template(
        "learn/by_hand.html", groups=groups, puzzle_of=_start, cells_of=lit_cells
    )


@blueprint.get("/<key>")
def lesson(key: str) -> str:
    """Show a lesson with its board of the number `board`, the first by default."""
    lesson = BY_KEY.get(key) or abort(404, f"There is no lesson called {key[:40]!r}.")
    text = request.args.get("board", "1")
    number = int(text) if text in map(str, range(1, len(lesson.starts) + 1)) else 1
    puzzle = _start(lesson, number)
    place = LESSONS.index(lesson)
    return render_template(
        "learn/by_hand_lesson.html",
        lesson=lesson,
        number=number,
        place=place + 1,
        count=len(LESSONS),
        after=LESSONS[place + 1] if place + 1 < len(LESSONS) else None,
        puzzle=puzzle,
        fewest=lesson.starts[number - 1].fewest,
        tiles=tiles(puzzle, puzzle.start, None, None),
        scenes=_scenes(lesson, puzzle.start),
        cells_of=lit_cells,
    )


def _start(lesson: Lesson, number: int = 1) -> Puzzle:
    return Puzzle.standard(parse_board(lesson.starts[number - 1].code))


@cache
def _scenes(lesson: Lesson, board: Board) -> list[Scene]:
    """The demonstration on a board of a lesson, of which there are some dozens."""
    return list(lesson.scenes(board))


def lit_cells(lesson: Lesson, board: Board) -> list[Cell]:
    """Cells of a still board, with the tiles of the lesson's aims ringed."""
    wanted = {tile for aim in lesson.aims for tile in aim}
    return cells(board, Puzzle.standard(board).goal, lit=wanted)
