"""The game: its page and its clicks. Each answer is the same board fragment."""

import re
import time
from collections.abc import Callable
from typing import Any

from flask import (
    Blueprint,
    Response,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from markupsafe import Markup

from slidewise import Game, IllegalMoveError, InvalidMovesError, parse_board, parse_moves
from slidewise.analysis.distance import TWO_STARS, stars
from slidewise.puzzle.game import Slides
from slidewise.text import message

from ..board import cells, tiles
from ..forms import FieldError, read_long, solver_choices
from ..http.cache import cached
from ..http.language import current, sentence
from ..http.language import gettext as _
from ..http.requests import current_code, current_puzzle, from_htmx
from ..http.responses import FragmentKind, answer, fragment
from ..http.routes import cheap, reads_query, static_page
from ..http.visitor import current_visitor
from ..workers.budgets import charge_cpu_time
from ..workers.distances import Distances
from ..workers.shared import service
from . import daily, links, sentences
from .daily_results import DailyResults
from .moves_left import at_home, moves_left, path_of, projected_result, proved_by, with_change
from .sentences import NO_NUMBER, detours, game_text
from .session import (
    FIRST_VISIT_MOVES,
    game_urls,
    is_first_visit,
    is_newcomer,
    load_game,
    mark_first,
    remember_last,
    room_game,
    save_game,
)

Move = Callable[[Game, int], Game]

BARS_BYTES = 1_500_000
"""Byte limit of the toolbar cache; an entry takes three to ten kilobytes."""


def toolbar(game: Game, hidden: frozenset[str]) -> Markup:
    """Toolbar below the board; a lesson can hide buttons."""
    off = [
        name
        for name, useless in (
            ("undo", not game.past and not game.restarted_from),
            ("redo", not game.future),
            ("restart", not game.past and not game.forgotten),
            ("solver", game.solved or not game.puzzle.solvable),
        )
        if useless
    ]
    return _toolbar(current().code, game_urls(current_code())["slide"], hidden, frozenset(off))


@cached(BARS_BYTES)
def _toolbar(language: str, slide_url: str, hidden: frozenset[str], off: frozenset[str]) -> Markup:
    return fragment("play/_bar.html", urls=game_urls(current_code()), hidden=hidden, off=off)


blueprint = Blueprint("game", __name__, url_prefix="/play/<code>")

MAX_MOVES_AT_ONCE = 10_000
"""Longest part of a solution to continue from: more would block a thread."""


@blueprint.get("")
@cheap
@static_page
@reads_query
def page() -> Response | str:
    """Show the game. The URL is the link to share; an unfinished game continues."""
    game = load_game(current_puzzle())
    said = sentences.status_on_load(game) if game.started and not game.solved else ""
    if from_htmx():
        return _fragment(game, said)
    response = make_response(_whole_page(game, said))
    if is_newcomer():
        mark_first(response, game.puzzle)
    return response


MAX_ACTIONS = 100
"""Actions in a request: up to 10 ms of CPU time. The page sends the rest in the next request."""


def _assist(game: Game, now: int) -> Game:
    """Games solved before are not marked."""
    return game if game.solved else game.with_help()


ACTIONS: dict[str, tuple[Move, str]] = {
    "undo": (Game.undo, "undo"),
    "redo": (Game.redo, "redo"),
    "restart": (lambda game, now: game.restart(), "restart"),
    "alone": (lambda game, now: Game.new(game.puzzle), "alone"),
    "assisted": (_assist, "assisted"),
}
"""Actions besides a slide, and the keys of their announcements."""


@blueprint.post("/slide")
@cheap
def slide() -> Response:
    """Slide the tile named `tile` and all tiles between it and the blank.

    A page that plays ahead sends the field per action, in order: the number of a tile, or a key of
    `ACTIONS`. The actions before a refused action count.
    """
    actions = request.form.getlist("tile") or [""]
    if len(actions) > MAX_ACTIONS or actions.count("restart") > 1:
        raise InvalidMovesError(
            message(
                "send up to %(count)s actions at once, with at most one restart",
                count=MAX_ACTIONS,
            )
        )
    return _play([_action(text) for text in actions], pressed=f"t{actions[-1].strip()}")


def _action(text: str) -> tuple[Move, str | None]:
    return ACTIONS.get(text) or (lambda game, now: _slide(game, text, now), None)


def _slide(game: Game, tile: str, now: int) -> Game:
    """A solved game only changes by undo, restart or continuing a solution."""
    if game.solved and game.past:
        raise IllegalMoveError(message("this puzzle is solved: to play on here, undo or restart"))
    return game.slide(_tile(tile), now)


@blueprint.post("/undo")
@cheap
def undo() -> Response:
    """Undo the last slide."""
    return _play([ACTIONS["undo"]], pressed="undo")


@blueprint.post("/redo")
@cheap
def redo() -> Response:
    """Redo the slide undone last."""
    return _play([ACTIONS["redo"]], pressed="redo")


@blueprint.post("/restart")
@cheap
def restart() -> Response:
    """Restart from the start of the puzzle."""
    return _play([ACTIONS["restart"]], pressed="restart")


@blueprint.post("/alone")
@cheap
def alone() -> Response:
    """Restart the puzzle without the help and the moves so far."""
    return _play([ACTIONS["alone"]], pressed="play")


@blueprint.post("/assisted")
@cheap
def assisted() -> Response:
    """Record that the player used the solver."""
    return _play([ACTIONS["assisted"]])


@blueprint.post("/hint")
@cheap
def hint() -> Response:
    """Show the next tile of a shortest path.

    If none is known in time, the best path available at once gives the hint.
    """
    game = load_game(current_puzzle())
    if _is_elsewhere(game):
        return _went_on(game)
    if game.solved:
        return _refused(game, game_text("is-solved"))
    if not game.puzzle.solvable:
        return _refused(game, game_text("is-unsolvable"))
    ((now, played),) = _moments(1)
    game = game.tick(now, played)
    here = game.puzzle.starting_at(game.board)
    wait = current_app.config["HINT_WAIT"]
    ahead = service(Distances).hint(here, wait, current_visitor().name)
    game = save_game(game.with_help())
    shown = _fragment if from_htmx() else _whole_page
    return make_response(shown(game, sentences.for_hint(here, ahead), hint=ahead.tile))


@blueprint.post("/play-on")
@charge_cpu_time()
def play_on() -> Response:
    """Continue from a step of a solution: `moves` lead from `start` to the step."""
    start = parse_board(request.form.get("start", ""), current_puzzle().start.size)
    moves = read_long(parse_moves, request.form.get("moves", ""))
    if len(moves) > MAX_MOVES_AT_ONCE:
        raise InvalidMovesError(
            message("send up to %(count)s moves at once", count=MAX_MOVES_AT_ONCE)
        )
    return _play([(lambda game, now: game.play_on(start, moves, now), "play-on")])


def _play(actions: list[tuple[Move, str | None]], pressed: str | None = None) -> Response:
    """Answer with the board after `actions`, each with its announcement, None for a slide.

    An impossible action ends them: the answer has the board before it, and the reason.

    Without JavaScript the whole page reloads. Its URL points to the `pressed` control or to the
    card of a solved game, so keyboard focus continues there.
    """
    game = load_game(current_puzzle())
    if _is_elsewhere(game):
        return _went_on(game)
    room = room_game()
    before, after = game, game
    finished: Game | None = None
    refusal: str | IllegalMoveError | None = None
    # actions may be seconds old: each has the time at which it was made
    for (move, _said), (now, played) in zip(actions, _moments(len(actions)), strict=True):
        if room and (refusal := room.refusal(after)):
            break
        try:
            before, after = after, move(after.tick(now, played), now)
            if room:
                room.count_action(now)
            if after.solved and not before.solved:
                finished = after  # a restart may follow
        except IllegalMoveError as error:
            refusal = error
            break
    if after is not game:
        stored = save_game(after)
        if stored.board != after.board:  # in a room another request was faster
            return _went_on(stored)
        after = stored
    if finished:
        daily.count_result(finished)
    if refusal:
        response = _refused(after, refusal)
    elif from_htmx():
        key = actions[-1][1]
        words = sentences.after_slide(before, after) if key is None else game_text(key)
        response = _fragment(after, words)
    else:
        anchor = "won" if after.solved else pressed
        response = make_response(redirect(_page_url(anchor), code=303))
    if not room and not service(daily.Calendar).day_of(current_puzzle()):  # a daily is on its page
        remember_last(response, after)
    return response


def _page_url(anchor: str | None) -> str:
    """URL of the page that sends a click, with its link fields."""
    if room := room_game():
        return f"{room.urls['page']}#{anchor}"
    level = links.current_level(current_code())
    fields: dict[str, Any] = {
        "code": current_code(),
        "level": level.number if level else None,
        "beat": links.moves_to_beat(),
        "lesson": links.lesson_text(links.hidden()),
        **links.ghost_params(),
    }
    return url_for("game.page", _anchor=anchor, **fields)


def _is_elsewhere(game: Game) -> bool:
    """Whether the form was filled in on another board than the game's current board."""
    on = request.form.get("on")
    return on is not None and on != str(game.board)


def _moments(count: int) -> list[tuple[int, int | None]]:
    """Times of `count` actions: ms since 1970, and ms of play if the page counts them.

    A page reports both for each action: `ago` is the delay until it sends, `played` its count.
    """
    now = int(time.time() * 1000)
    ago, played = (_numbers(name, count) for name in ("ago", "played"))
    return [(now - (late or 0), counted) for late, counted in zip(ago, played, strict=True)]


def _numbers(name: str, count: int) -> list[int | None]:
    texts = request.form.getlist(name)[:count]
    numbers = [int(text) if re.fullmatch("[0-9]{1,12}", text) else None for text in texts]
    return numbers + [None] * (count - len(numbers))


def _went_on(game: Game) -> Response:
    """Refuse a form of another board, and report a missing cookie."""
    if not (session or room_game()):
        if from_htmx():
            return answer("", "no-cookie")
        why = _("this game needs cookies: allow them for this site in your browser’s settings")
        return _refused(game, why, 409)
    why = _("your game continued in another tab; this is its board now")
    if from_htmx():
        return _fragment(game, sentence(why), kind="elsewhere")
    return _refused(game, why, 409)


def _refused(game: Game, why: str | IllegalMoveError, status: int = 422) -> Response:
    """Answer with the unchanged game and the reason of the refusal."""
    if from_htmx():  # 200, because htmx would log a 4xx to the console
        return _fragment(game, sentence(why), kind="refused")
    return make_response(_whole_page(game, sentence(why), refused=True), status)


MAX_SHOWN = 300
"""Characters of the last slides in a page, so that it can undo and redo by itself."""


def _last_slides(slides: Slides, *, forgotten: bool = False) -> str:
    """The last slides as text, after an ellipsis if there are more."""
    more = forgotten or slides.packed or len(slides.recent) > MAX_SHOWN
    return f"{'…' if more else ''}{slides.recent[-MAX_SHOWN:]}"


def _tile(text: str) -> int:
    if not re.fullmatch(r"\s*[0-9]{1,3}\s*", text):
        raise IllegalMoveError(message(NO_NUMBER))
    return int(text)


def _fragment(
    game: Game, said: str, kind: FragmentKind = "board", hint: int | None = None
) -> Response:
    context = _context(game, said, kind != "board", hint)
    html = fragment("play/_answer.html", announced=request.method == "POST", **context)
    return answer(html, kind, board=game.board)


def page_with_error(wrong: FieldError) -> str:
    """The game's page, with the error of a field in its Solve card."""
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
    if room := room_game():
        return room.page(context)
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
    day = service(daily.Calendar).day_of(puzzle)
    is_result = day and game.solved and game.started
    came_from = game.previous_board
    # After an undo, do not report the last move's effect.
    before = None if game.future else came_from
    moved = came_from.cells[board.blank] if came_from else None
    beat, hidden = links.moves_to_beat(), links.hidden()
    to_go, shortest, was = moves_left(puzzle, board, puzzle.start, before or board)
    if before:
        to_go = with_change(to_go, was)
    if "to-go" in hidden:
        to_go, shortest = None, shortest if game.solved else None
    if game.solved:
        shortest = proved_by(shortest, puzzle, game.move_count)
    return {
        "hidden": hidden,
        "lesson": links.lesson_text(hidden),
        "level": links.current_level(code),
        "game": game,
        "puzzle": puzzle,
        "code": code,
        "urls": game_urls(code),
        "start_text": code.partition("_")[0],
        "goal_text": code.partition("_")[2] or str(goal),
        "board_text": str(board),
        "daily": day,
        "is_today": day == daily.today(),
        "daily_next": service(daily.Calendar).next_of_day(puzzle, day) if day else None,
        "daily_chart": service(DailyResults).chart(
            puzzle, day, None if game.helped else game.move_count
        )
        if day and is_result
        else None,
        "slides_made": _last_slides(game.past, forgotten=game.forgotten > 0),
        "slides_undone": _last_slides(game.future),
        "tiles": tiles(puzzle, board, moved, hint),
        "bar": toolbar(game, hidden),
        "seconds": game.seconds,
        "to_go": to_go,
        "shortest": shortest,
        "made": game.move_count,
        "helped": game.helped,
        "projection": projected_result(game.move_count, to_go, shortest, was),
        "at_home": at_home(board, puzzle.goal),
        "path": path_of(game) if game.solved else None,
        "stars": stars,
        "two_stars": TWO_STARS,
        "detours": detours,
        "before": before,
        "said": said,
        "first_visit": FIRST_VISIT_MOVES if is_first_visit(game) else None,
        "refused": refused,
        "hint": hint,
        "beat": beat,
        "ghost": links.ghost_of(puzzle, game.move_count),
        "challenge_over": links.outcome(beat, game) if beat and game.solved else None,
        **(room.context(game) if (room := room_game()) else {}),
    }
