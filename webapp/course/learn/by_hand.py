"""Solving by hand: lessons with an aim and a demonstration, and a trainer."""

from dataclasses import dataclass
from functools import cache

from flask import Blueprint, abort, render_template, request

from slidewise import Board, Puzzle, PuzzleError, parse_board, parse_puzzle
from slidewise.analysis.by_hand import LESSONS, Lesson, Scene
from slidewise.analysis.distance import SEARCH_CELLS
from slidewise.text import message

from ...board import Cell, cells, tiles
from ...http.language import gettext as _
from ...http.language import noop
from ...http.routes import offline, offline_at, static_page

blueprint = Blueprint("by_hand", __name__, url_prefix="/learn/by-hand")

BY_KEY = {lesson.key: lesson for lesson in LESSONS}


@blueprint.get("")
@offline
@static_page
def index() -> str:
    """Show all lessons."""
    groups = {
        f"{rows} × {cols}": [lesson for lesson in LESSONS if lesson.size == (rows, cols)]
        for rows, cols in dict.fromkeys(lesson.size for lesson in LESSONS)
    }
    return render_template(
        "course/learn/by_hand.html", groups=groups, puzzle_of=_start, cells_of=lit_cells
    )


@blueprint.get("/<key>")
@offline_at(lambda: [{"key": lesson.key} for lesson in LESSONS])
@static_page
def lesson(key: str) -> str:
    """Show a lesson with its board of the number `board`, the first by default."""
    lesson = BY_KEY.get(key) or abort(
        404, _("There is no lesson called %(name)s.", name=repr(key[:40]))
    )
    text = request.args.get("board", "1")
    number = int(text) if text in map(str, range(1, len(lesson.starts) + 1)) else 1
    puzzle = _start(lesson, number)
    place = LESSONS.index(lesson)
    return render_template(
        "course/learn/by_hand_lesson.html",
        lesson=lesson,
        number=number,
        place=place + 1,
        count=len(LESSONS),
        after=LESSONS[place + 1] if place + 1 < len(LESSONS) else None,
        puzzle=puzzle,
        given=lesson.given,
        aims=lesson.aims,
        fewest=lesson.starts[number - 1].fewest,
        tiles=tiles(puzzle, puzzle.start, None, None),
        scenes=_scenes(lesson, puzzle.start),
        cells_of=lit_cells,
    )


def _start(lesson: Lesson, number: int = 1) -> Puzzle:
    return Puzzle.standard(parse_board(lesson.starts[number - 1].code))


@cache
def _scenes(lesson: Lesson, board: Board) -> list[Scene]:
    """The demonstration on a board of a lesson, cached: there are some dozens."""
    return list(lesson.scenes(board))


def lit_cells(lesson: Lesson, board: Board) -> list[Cell]:
    """Cells of a still board, with the tiles of the lesson's aims ringed."""
    wanted = {tile for aim in lesson.aims for tile in aim}
    return cells(board, Puzzle.standard(board).goal, lit=wanted)


@dataclass(frozen=True)
class LastRows:
    """Random boards to solve against the clock: the tiles `given` are home, on `code` too."""

    title: str
    given: tuple[int, ...]
    code: str


LAST_ROWS = {
    "two-rows": LastRows(noop("Last two rows of 3 × 3"), (1, 2, 3), "1.2.3-7.5.8-4.0.6"),
    "two-columns": LastRows(noop("Last two columns of 3 × 3"), (1, 4, 7), "1.3.2-4.5.0-7.6.8"),
    "two-rows-of-four": LastRows(
        noop("Last two rows of 4 × 4"), tuple(range(1, 9)), "1.2.3.4-5.6.7.8-10.11.0.15-13.9.14.12"
    ),
    "last-six-of-four": LastRows(
        noop("Last six cells of 4 × 4"),
        (*range(1, 10), 13),
        "1.2.3.4-5.6.7.8-9.0.11.15-13.14.10.12",
    ),
}
"""Kinds of the trainer."""


@blueprint.get("/trainer")
@offline
@static_page
def trainer() -> str:
    """Show last rows of a `kind`, or the board of a visitor's detour, `board`."""
    kind = LAST_ROWS.get(request.args.get("kind", ""), LAST_ROWS["two-rows"])
    detour = request.args.get("board")
    puzzle = _detour(detour) if detour else parse_puzzle(kind.code)
    given = () if detour else kind.given
    return render_template(
        "course/learn/trainer.html",
        kinds=LAST_ROWS,
        kind=kind,
        kind_key=next(key for key, one in LAST_ROWS.items() if one == kind),
        detour=str(puzzle) if detour else None,
        puzzle=puzzle,
        given=given,
        aims=[[tile for tile in sorted(puzzle.goal.cells) if tile and tile not in given]],
        tiles=tiles(puzzle, puzzle.start, None, None),
    )


def _detour(text: str) -> Puzzle:
    puzzle = parse_puzzle(text)
    if len(puzzle.start.cells) > SEARCH_CELLS or not puzzle.solvable:
        raise PuzzleError(
            message("the trainer has solvable boards of up to %(cells)s cells", cells=SEARCH_CELLS)
        )
    return puzzle
