"""Downloads: pictures and cards of puzzles, animations and files of solutions; fields of links."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, current_app, render_template, request, url_for

from slidewise import Puzzle, PuzzleError, format_moves, parse_board
from slidewise.component import component
from slidewise.puzzle.board import svg
from slidewise.text import message

from .. import forms
from ..board import goal_words
from ..http.language import gettext as _
from ..http.language import ngettext
from ..http.requests import current_puzzle
from ..http.responses import cacheable
from ..http.routes import language_in_address
from ..play import links
from ..solve import replay
from ..workers import Busy, Solvers, json_values
from ..workers.budgets import charge_cpu_time
from ..workers.distances import Distances
from ..workers.helpers import CoalescedCalls, slot
from ..workers.shared import CacheKind, Shared, service, solvers
from ..workers.solvers import CallQueue
from . import pictures

blueprint = Blueprint("sharing", __name__)


ANIMATIONS = 4
"""Maximum requests waiting for an animation, so that threads stay free for clicks."""

MAX_PICTURES = 16
"""Maximum drawings at a time, and requests waiting for them."""

PICTURES = CacheKind[tuple[str, tuple[object, ...]], bytes]("pictures", 2_000_000, 600)
"""Boards, cards and QR codes of about 20 kB, by drawing function and arguments. A whole class may
open the same link."""

_DRAWING = message("Many pictures are being drawn. Try again in a few seconds.")

_animations = threading.BoundedSemaphore(ANIMATIONS)


class Pictures:
    """Draws boards, cards and QR codes in another process, with an LRU cache.

    Thread-safe.
    """

    def __init__(self, pool: Solvers, shared: Shared) -> None:
        self._pool = pool
        waiting = threading.BoundedSemaphore(MAX_PICTURES)
        self._pictures = CoalescedCalls(
            self._draw, PICTURES, shared, MAX_PICTURES, busy=_DRAWING, waiting=waiting
        )

    def drawn(self, draw: Callable[..., bytes], *args: object) -> bytes:
        """Picture drawn by `draw(*args)`; raises `Busy` on timeout."""
        picture = json_values.qualified_name(draw), args
        return self._pictures.within(picture, current_app.config["SOLVE_WAIT"])

    def _draw(self, picture: tuple[str, tuple[object, ...]]) -> Future[bytes]:
        name, args = picture
        draw: Callable[..., bytes] = json_values.resolve(name)
        wait = current_app.config["SOLVE_WAIT"]
        return self._pool.calls.submit(CallQueue.PAINT, draw, *args, timeout=wait)


@blueprint.get("/board/<code>.svg")
def drawing() -> Response:
    """Show the start of a puzzle as a drawing."""
    puzzle = current_puzzle()
    drawn = svg(puzzle.start.grid, puzzle.goal.grid)
    return cacheable(Response(drawn, mimetype="image/svg+xml"))


@blueprint.get("/board/<code>.png")
@charge_cpu_time()
def picture() -> Response:
    """Show the start of a puzzle as a picture."""
    puzzle = current_puzzle()
    return _png(service(Pictures).drawn(pictures.board_png, puzzle.start, puzzle.goal))


@blueprint.get("/board/<code>/card.png")
@language_in_address
@charge_cpu_time()
def card() -> Response:
    """Preview card for links to a puzzle, in the language `lang`."""
    puzzle = current_puzzle()
    return _png(service(Pictures).drawn(pictures.card_png, puzzle, _card_lines(puzzle)))


def _png(data: bytes) -> Response:
    return cacheable(Response(data, mimetype="image/png"))


def _card_lines(puzzle: Puzzle) -> tuple[str, ...]:
    (ahead,) = service(Distances).cached(puzzle)
    if puzzle.start == puzzle.goal or not (ahead and ahead.exact):
        lines = _("Sliding-tile puzzle"), goal_words(puzzle)
    else:
        shortest = ngettext("Shortest: %(num)s move", "Shortest: %(num)s moves", ahead.at_least)
        lines = shortest, goal_words(puzzle)
    return tuple(filter(None, lines))


@blueprint.get("/replay/<code>.gif")
@charge_cpu_time()
def animation() -> Response:
    """Show a solution as an animated picture, drawn in a low-priority process."""
    puzzle = current_puzzle()
    moves = _moves(puzzle)
    pictures.check_length(moves)
    with slot(_animations) as waits:
        if not waits:
            words = message("Many animations are being drawn. Try again in a few seconds.")
            raise Busy(words, retry_after=5)
        wait = current_app.config["SOLVE_WAIT"]
        data = solvers().calls.call(
            CallQueue.PAINT, pictures.solution_gif, puzzle, moves, timeout=wait
        )
    response = cacheable(Response(data, mimetype="image/gif"))
    return _named(response, f"{file_name(puzzle, moves)}.gif", "inline")


@blueprint.get("/replay/<code>.html")
@charge_cpu_time()
def file() -> Response:
    """Send a solution as a file that plays offline."""
    puzzle = current_puzzle()
    moves = _moves(puzzle)
    shown = replay.context(puzzle, moves, 0)
    static = Path(current_app.static_folder or "")
    page = render_template(
        "share/offline.html",
        **shown,
        code=str(puzzle),
        moves=format_moves(moves[: shown["piece"].last]),  # only the first part
        style=(static / "css" / "embed.css").read_text(encoding="utf-8"),
        component=component(),
        script=(static / "js" / "share/offline").with_suffix(".js").read_text(encoding="utf-8"),
        link=url_for("replay.page", code=str(puzzle), **solution_fields(puzzle), _external=True),
    )
    response = Response(page, mimetype="text/html")
    return _named(response, f"{file_name(puzzle, moves)}.html", "attachment")


def _moves(puzzle: Puzzle) -> str:
    if not replay.names_moves():
        raise PuzzleError(message("name the moves of the solution, such as moves=U2RDL3"))
    return replay.linked_moves(puzzle)


def file_name(puzzle: Puzzle, moves: str | None = None) -> str:
    """A file name of letters and digits only."""
    name = f"slidewise-{puzzle.rows}x{puzzle.cols}"
    return name if moves is None else f"{name}-{len(moves)}-moves"


def _named(response: Response, name: str, how: str) -> Response:
    response.headers["Content-Disposition"] = f'{how}; filename="{name}"'
    return response


def lesson_field() -> dict[str, str | None]:
    """Link field for the parts that the current page hides."""
    return {"lesson": links.lesson_text(links.hidden())}


def solved_from(puzzle: Puzzle) -> Puzzle:
    """Start puzzle of the solution, which may differ from the page's board."""
    typed = request.args.get("from", "")
    return puzzle.starting_at(parse_board(typed, puzzle.start.size)) if typed else puzzle


def solution_fields(puzzle: Puzzle) -> dict[str, Any]:
    """Validated link fields of the requested solution."""
    if not replay.names_moves():
        raise PuzzleError(message("a link to a solution needs its moves, such as moves=U2RDL3"))
    if request.args.get("algorithm"):
        forms.read_spec(puzzle, request.args)
        return {name: text for name, text in replay.link_fields().items() if name != "moves"}
    return {"moves": format_moves(replay.linked_moves(puzzle))}
