"""The game: its page, and what a click does. Each answer is the same board fragment."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

from flask import (
    Blueprint,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from markupsafe import Markup

from slidewise import Game, IllegalMoveError, InvalidMovesError, parse_board, parse_moves
from slidewise.study.review import stars
from slidewise.text import sentence
from webapp.board.cells import cells
from webapp.board.live import tiles
from webapp.forms.moves import read_long
from webapp.forms.search import solver_choices
from webapp.http.cache import cached
from webapp.http.requests import current_code, current_puzzle, from_htmx
from webapp.http.responses import answer
from webapp.http.visitor import current_visitor
from webapp.play import announcements, ghost, last_game, lesson
from webapp.play.daily import Calendar
from webapp.play.moves_left import (
    at_home,
    moves_left,
    path_of,
    projected_result,
    proved_by,
    star_figure,
)
from webapp.play.session import game_urls, load_game, save_game
from webapp.workers.budgets import charge_cpu_time
from webapp.workers.distances import Distances
from webapp.workers.services import service

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Response

    from webapp.forms.fields import FieldError


BARS_BYTES = 1_500_000
"""The rows that are cached, of three to ten kilobytes each."""


def toolbar(game: Game, hidden: frozenset[str]) -> Markup:
    """Return the buttons of `game`, which a lesson can hide."""
    off = [
        name
        for name, useless in (
            ("undo", not game.past and not game.left),
            ("redo", not game.future),
            ("restart", not game.past and not game.forgotten),
            ("solver", game.solved or not game.puzzle.solvable),
        )
        if useless
    ]
    return _toolbar(request.script_root, current_code(), hidden, frozenset(off))


@cached(BARS_BYTES)
def _toolbar(script_root: str, code: str, hidden: frozenset[str], off: frozenset[str]) -> Markup:
    template = current_app.jinja_env.get_template("play/_bar.html")
    return Markup(template.render(urls=game_urls(code), hidden=hidden, off=off))


blueprint = Blueprint("game", __name__, url_prefix="/play/<code>")

MAX_MOVES_AT_ONCE = 10_000
"""The longest part of a solution that a game can go on from: more would keep a thread busy."""


@blueprint.get("")
def page() -> Response | str:
    """Show the game. The address is the link to share; a game begun before goes on."""
    game = load_game(current_puzzle())
    said = announcements.status_on_load(game) if game.begun and not game.solved else ""
    if from_htmx():
        return _fragment(game, said)
    response = make_response(_whole_page(game, said))
    if last_game.is_newcomer():
        last_game.mark_first(response, game.puzzle)
    return response


@blueprint.post("/slide")
def slide() -> Response:
    """Slide the tile named `tile`, with those between it and the blank.

    A game that was won stays as it is until the player undoes, restarts or goes on.
    """
    tile = request.form.get("tile", "")

    def move(game: Game, now: int) -> Game:
        if game.solved and game.past:
            raise IllegalMoveError("this puzzle is solved: to play on here, undo or restart")
        return game.slide(_tile(tile), now)

    return _play(move, pressed=f"t{tile.strip()}")


@blueprint.post("/undo")
def undo() -> Response:
    """Take the last slide back."""
    return _play(Game.undo, "Undone.", "undo")


@blueprint.post("/redo")
def redo() -> Response:
    """Make the slide undone last again."""
    return _play(Game.redo, "Redone.", "redo")


@blueprint.post("/restart")
def restart() -> Response:
    """Go back to the start of the puzzle."""
    return _play(lambda game, now: game.restart(), "Restarted.", "restart")


@blueprint.post("/assisted")
def assisted() -> Response:
    """Note that the solver was asked; sent in the same queue as the clicks, so none is lost.

    A game that was won before had no help.
    """
    return _play(lambda game, now: game if game.solved else game.with_help(), "")


@blueprint.post("/hint")
def hint() -> Response:
    """Show which tile to move next on a shortest way, or else on the best way that is to be had at
    once: a hint always comes."""
    game = load_game(current_puzzle())
    if _is_elsewhere(game):
        return _went_on(game)
    if game.solved:
        return _refused(game, "it is already solved")
    if not game.puzzle.solvable:
        return _refused(game, "no move helps: this goal cannot be reached")
    game = game.tick(_now(), _played())
    here = game.puzzle.starting_at(game.board)
    wait = current_app.config["HINT_WAIT"]
    ahead = service(Distances).hint(here, wait, current_visitor().name)
    game = save_game(game.with_help())
    shown = _fragment if from_htmx() else _whole_page
    return make_response(shown(game, announcements.for_hint(game.board, ahead), hint=ahead.tile))


@blueprint.post("/play-on")
@charge_cpu_time()
def play_on() -> Response:
    """Go on from a step of a solution: `start` is its first board, `moves` lead to the step."""
    start = parse_board(request.form.get("start", ""), current_puzzle().start.size)
    moves = read_long(parse_moves, request.form.get("moves", ""))
    if len(moves) > MAX_MOVES_AT_ONCE:
        raise InvalidMovesError(f"a game takes up to {MAX_MOVES_AT_ONCE:,} moves at once")
    return _play(
        lambda game, now: game.play_on(start, moves, now), "Your game goes on from this step."
    )


def _play(
    move: Callable[[Game, int], Game], said: str | None = None, pressed: str | None = None
) -> Response:
    """Answer with the board after `move`, or with the board as it is and why it was refused.

    Without JavaScript the page comes anew: its address leads back to the control that was
    `pressed`, or to the card of a solved game, so that the next key goes on from there.
    """
    game = load_game(current_puzzle())
    if _is_elsewhere(game):
        return _went_on(game)
    now = _now()
    try:
        after = move(game.tick(now, _played()), now)
    except IllegalMoveError as error:
        return _refused(game, str(error))
    if said is None:
        said = announcements.after_slide(game, after)
    after = save_game(after)
    response = make_response(
        _fragment(after, said)
        if from_htmx()
        else redirect(
            url_for("game.page", _anchor="won" if after.solved else pressed, **_page_fields()),
            code=303,
        )
    )
    last_game.remember(response, after)
    return response


def _page_fields() -> dict[str, Any]:
    """Return the fields of the link to the page that sends a click."""
    return {
        "code": current_code(),
        "beat": ghost.moves_to_beat(),
        "lesson": lesson.as_text(lesson.hidden()),
        **ghost.ghost_params(),
    }


def _is_elsewhere(game: Game) -> bool:
    """Return whether the form was filled in on another board than the one that the game is at."""
    on = request.form.get("on")
    return on is not None and on != str(game.board)


def _now() -> int:
    """Return when a click was made, in milliseconds since 1970.

    A page that could not send it at once says how long ago that was.
    """
    ago = request.form.get("ago", "")
    return int(time.time() * 1000) - (int(ago) if re.fullmatch(r"[0-9]{1,9}", ago) else 0)


def _played() -> int | None:
    """Return the milliseconds of play that the page has counted, None where it says nothing."""
    text = request.form.get("played", "")
    return int(text) if re.fullmatch(r"[0-9]{1,12}", text) else None


def _went_on(game: Game) -> Response:
    return _refused(game, "your game went on in another tab; this is where it is now", 409)


def _refused(game: Game, why: str, status: int = 422) -> Response:
    """Answer with the game as it is, and why nothing was done."""
    if from_htmx():  # no error: the console of a page is for what is wrong with the page
        return _fragment(game, sentence(why), refused=True)
    return make_response(_whole_page(game, sentence(why), refused=True), status)


def _tile(text: str) -> int:
    if not re.fullmatch(r"\s*[0-9]{1,3}\s*", text):
        raise IllegalMoveError("type the number of a tile, for example 5")
    return int(text)


def _fragment(game: Game, said: str, *, refused: bool = False, hint: int | None = None) -> Response:
    html = render_template("play/_answer.html", **_context(game, said, refused, hint))
    return answer(html, "refused" if refused else "board", board=game.board)


def page_with_error(wrong: FieldError) -> str:
    """Return the page of the game, whose Solve card says what is wrong in one of its fields."""
    return _whole_page(load_game(current_puzzle()), "", wrong=wrong)


def _whole_page(
    game: Game,
    said: str,
    *,
    refused: bool = False,
    hint: int | None = None,
    wrong: FieldError | None = None,
) -> str:
    puzzle = game.puzzle
    context = _context(game, said, refused, hint)
    if hint:  # the next key makes that move
        tile = Markup(f'id="t{hint}"')
        context["tiles"] = context["tiles"].replace(tile, tile + Markup(" autofocus"))
    return render_template(
        "play/page.html",
        **context,
        **solver_choices(game.puzzle, request.values, wrong),
        goal_cells=cells(puzzle.goal, puzzle.goal),
        solvable_alternatives=None if puzzle.solvable else puzzle.solvable_alternatives(),
    )


def _context(game: Game, said: str, refused: bool, hint: int | None) -> dict[str, Any]:
    puzzle, board, goal = game.puzzle, game.board, game.puzzle.goal
    code = current_code()
    came_from = game.previous_board
    # What the last move changed is not told once it is a move before one that was undone.
    before = None if game.future else came_from
    moved = came_from.cells[board.blank] if came_from else None
    beat, hidden = ghost.moves_to_beat(), lesson.hidden()
    hides = "to-go" in hidden
    to_go = None if hides else moves_left(puzzle.starting_at(board), before)
    shortest = None if hides and not game.solved else moves_left(puzzle)
    if game.solved:
        shortest = proved_by(shortest, puzzle, game.move_count)
    waits = to_go is not None and to_go.pending and before is not None
    was = moves_left(puzzle.starting_at(before)) if waits and before else None
    return {
        "hidden": hidden,
        "lesson": lesson.as_text(hidden),
        "game": game,
        "puzzle": puzzle,
        "code": code,
        "urls": game_urls(code),
        "start_text": code.partition("_")[0],
        "goal_text": code.partition("_")[2] or str(goal),
        "board_text": str(board),
        "daily": service(Calendar).day_of(puzzle),
        "tiles": tiles(puzzle, board, moved, hint),
        "bar": toolbar(game, hidden),
        "seconds": game.seconds,
        "to_go": to_go,
        "shortest": shortest,
        "made": game.move_count,
        "helped": game.helped,
        "star_figure": star_figure(
            projected_result(game.move_count, to_go, shortest, was),
            at_home(board, puzzle.goal),
            puzzle,
            helped=game.helped,
        ),
        "path": path_of(game) if game.solved else None,
        "stars": stars,
        "detours": announcements.detours,
        "before": before,
        "said": said,
        "first_visit": last_game.is_first_visit(game),
        "refused": refused,
        "hint": hint,
        "beat": beat,
        "ghost": ghost.ghost_of(puzzle, game.move_count),
        "challenge_over": ghost.outcome(beat, game) if beat and game.solved else None,
    }
