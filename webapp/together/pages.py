"""Pages and clicks of a room: its players, the race, the places. `play` has the game."""

import secrets
import zlib
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from flask import (
    Blueprint,
    Response,
    abort,
    g,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from markupsafe import Markup
from werkzeug import Response as AnyResponse

from slidewise import GOAL_NAMES, Board, Game, Puzzle, PuzzleError, parse_puzzle, scramble
from slidewise.text import message

from ..board import cells, clock
from ..http.cache import cached
from ..http.errors import error_response
from ..http.language import current, ngettext, noop
from ..http.language import gettext as _
from ..http.requests import current_puzzle, from_htmx
from ..http.responses import answer, fragment
from ..http.routes import cheap
from ..http.visitor import current_visitor, is_known
from ..play import game, new
from ..play.moves_left import at_home, moves_left
from ..play.session import parse_game, room_game
from ..share.sheet import qr_response
from ..workers.budgets import Budgets, charge_cpu_time
from ..workers.shared import service
from .rooms import MAX_PLAYERS, MIN_PLAYERS, NoRoomError, Room, RoomFullError, Rooms, Seat, now_ms

blueprint = Blueprint("together", __name__, url_prefix="/together")
invitation = Blueprint("invitation", __name__, url_prefix="/play/<code>/race")
"""The button of a game's page: its path has the cookie of the game."""

ROOM_SECONDS = 1.0
"""CPU seconds charged for a room, besides its own: 24 rooms at once, then one per 20 seconds. It
bounds the memory that a visitor's rooms can fill."""

POLL_MS = {"lobby": 1_000, "race": 700, "over": 2_000}
"""Milliseconds between two polls of a page. In a race other players see a board within a second,
including the way of the move and of the answer."""

RELOAD_SECONDS = 3
"""Seconds between two reloads of a page without JavaScript."""

CARDS_BYTES = 4_000_000
"""Byte limit of the cache of players' cards, each some kilobytes."""

MAX_NUMBERED = 16
"""Most cells of a small board with numbers, which larger boards could not show legibly."""


# The room of a request


@blueprint.url_value_preprocessor
def _read_room(endpoint: str | None, values: dict[str, Any] | None) -> None:
    if values and "room" in values:
        g.room_id = values.pop("room")


@blueprint.before_request
def _enter() -> None:
    """Read the room, and the game of the visitor's seat once the countdown has begun."""
    if "room_id" not in g:
        return
    g.room = room = service(Rooms).find(g.room_id)
    g.player = room.player_named(current_visitor().name)
    g.puzzle, g.code = room.puzzle, room.code
    seat = room.seat_of(g.player)
    if seat and seat.game and room.starts:
        g.room_game = SeatGame(room, seat)


@blueprint.errorhandler(NoRoomError)
def _gone(error: NoRoomError) -> Response:
    if from_htmx():
        return error_response(410, _("This room is gone. Rooms close after an hour without moves."))
    return make_response(render_template("together/gone.html"), 410)


class SeatGame:
    """The game of a player in a room (`webapp.play.session.RoomGame`)."""

    def __init__(self, room: Room, seat: Seat) -> None:
        self._room, self._seat = room, seat
        self._times: list[int] = []
        self.urls = _urls(request.script_root, room.id)

    def refusal(self, game: Game) -> str:
        """Moves count from the start to the finish, also within a request."""
        if not self._room.has_started(now_ms()):
            return _("the race has not started")
        return _("you have finished this race") if game.solved else ""

    def count_action(self, at: int) -> None:
        """Count an action in the next stored game."""
        self._times.append(at)

    def load(self) -> Game:
        return self._room.game_of(self._seat)

    def save(self, game: Game) -> Game:
        """Store the game and, if it is solved, the time of the server's clock."""
        self._room = service(Rooms).save(self._room, self._seat, game, self._times)
        self._seat = self._room.seats[self._seat.number]
        return self.load()

    def page(self, context: Mapping[str, Any]) -> str:
        return render_template("together/race.html", **context, **_frame(self._room))

    def context(self, game: Game) -> Mapping[str, Any]:
        """Neither help nor a lesson, and the finish of a race."""
        names = "to_go", "shortest", "path", "projection", "daily", "lesson", "ghost", "beat"
        result = self._result()
        finish = "together/_finish.html" if result else None
        return {**dict.fromkeys(names), "finish": finish, "result": result}

    def _result(self) -> Mapping[str, Any]:
        room, seat = self._room, self._seat
        place = room.places().get(seat.number)
        if place is None:
            return {}
        leads = room.is_led_by(seat.player)
        return {
            "place": _("You are %(place)s", place=ordinal(place)),
            "time": _time(room.starts, seat),
            "is_marked": seat.is_marked,
            "again": self.urls["again"] if leads else None,
        }


@lru_cache(maxsize=256)
def _urls(script_root: str, room: str) -> Mapping[str, str]:
    names = (
        *("slide", "undo", "redo", "restart"),
        *("page", "boards", "join", "leave", "away", "start", "again"),
    )
    return MappingProxyType({name: url_for(f"together.{name}", room=room) for name in names})


# Before the race


@blueprint.get("")
def form() -> str:
    """Show the form for a new room."""
    return render_template("together/new.html")


@blueprint.post("")
def create() -> AnyResponse:
    """Create a room for the puzzle `code`, or for a new puzzle with the fields of a new game.

    The visitor is a player, unless `watch` is given.
    """
    _need_cookie()
    code = request.form.get("code", "")
    return _create(parse_puzzle(code) if code else new.drawn(request.form))


@invitation.post("")
def race() -> AnyResponse:
    """Make a room for the puzzle of a page.

    If the visitor has a game of it, the race is on another one, and the page of the room states it.
    """
    _need_cookie()
    puzzle = _raceable(current_puzzle())
    return _create(_another(puzzle), fresh="1") if session else _create(puzzle)


def _create(puzzle: Puzzle, **fields: Any) -> AnyResponse:
    _raceable(puzzle)
    _charge_room()
    watches = bool(request.form.get("watch"))
    room = service(Rooms).create(puzzle, current_visitor().name, watches=watches)
    return redirect(url_for("together.page", room=room.id, **fields), code=303)


def _raceable(puzzle: Puzzle) -> Puzzle:
    if not puzzle.solvable or puzzle.start == puzzle.goal:
        raise PuzzleError(
            message(
                "nobody can race on this board: choose a board that is solvable and not solved yet"
            )
        )
    return puzzle


@blueprint.post("/<room>/join")
def join() -> AnyResponse:
    """Take a seat."""
    _need_cookie()
    try:
        service(Rooms).join(g.room, g.player)
    except RoomFullError:
        words = _(
            "This room is full: it has %(most)s players. You can watch the race.", most=MAX_PLAYERS
        )
        return make_response(_frame_page(words), 409)
    return _to_page(g.room.id)


@blueprint.post("/<room>/leave")
def leave() -> AnyResponse:
    """Give the seat up, for good if the race has started."""
    service(Rooms).leave(g.room, g.player)
    return redirect(url_for("together.form"), code=303)


@blueprint.post("/<room>/away")
@cheap
def away() -> Response:
    """Note that the player has closed the page; the next request of a page reverts it."""
    service(Rooms).set_away(g.room, g.player, away=True)
    return Response(status=204)


@blueprint.post("/<room>/start")
def start() -> AnyResponse:
    """Begin the countdown."""
    _need_lead()
    if len(g.room.players) < MIN_PLAYERS:
        words = _(
            "A race needs %(least)s players. Send the link of the room to a friend.",
            least=MIN_PLAYERS,
        )
        abort(409, words)
    service(Rooms).start(g.room)
    return _to_page(g.room.id)


@blueprint.post("/<room>/again")
def again() -> AnyResponse:
    """Lead to the next room, with a new board of the same kind."""
    _need_lead()

    def draw() -> Puzzle:
        _charge_room()
        return _another(g.room.puzzle)

    return _to_page(service(Rooms).follow(g.room, current_visitor().name, draw), again="1")


def _need_cookie() -> None:
    if not is_known():
        words = _("A race needs this site's cookie. Let your browser accept it, and try again.")
        abort(403, words)


def _need_lead() -> None:
    if not g.room.is_led_by(g.player):
        abort(403, _("Only the players can do this, or the host of a room for a class."))


def _charge_room() -> None:
    budgets, visitor = service(Budgets), current_visitor()
    budgets.charge_web(visitor, ROOM_SECONDS)


def _another(puzzle: Puzzle) -> Puzzle:
    """Another puzzle of this size and goal, of the same difficulty if it is known."""
    rows, cols = puzzle.start.size
    names = [key for key, name in GOAL_NAMES.items() if name == puzzle.goal_name]
    if not names:
        return scramble(rows, cols, secrets.token_hex(8), puzzle.goal)
    (shortest,) = moves_left(puzzle, puzzle.start)
    fields = {"size": f"{rows}x{cols}", "goal": names[0]}
    if shortest and shortest.exact and shortest.level:
        fields["difficulty"] = shortest.level
    return new.drawn(fields)


def _to_page(room: str, *, again: str | None = None) -> AnyResponse:
    return redirect(url_for("together.page", room=room, again=again), code=303)


# The page and its polls


@blueprint.get("/<room>")
@cheap
def page() -> Response | str:
    """Show the room: its players, then the race, then the places.

    Players of the previous room take their seats when they open it.
    """
    rooms = service(Rooms)
    g.room = rooms.set_away(rooms.arrive(g.room, g.player), g.player, away=False)
    if "room_game" not in g and g.room.starts and (seat := g.room.seat_of(g.player)):
        g.room_game = SeatGame(g.room, seat)
    if room_game():
        return game.page()
    if from_htmx():
        abort(409, _("The race has not started."))
    return _frame_page()


@blueprint.get("/<room>/boards")
@cheap
def boards() -> Response:
    """Answer with the players and their boards, or with 204 if the page has `seen` them so."""
    html = _room_fragment(service(Rooms).note_poll(g.room, g.player))
    tag = _tag(html)
    if request.args.get("seen") == tag:
        return Response(status=204)
    response = answer(html, "room")
    response.headers["Slidewise-Room"] = tag
    return response


@blueprint.get("/<room>/qr.svg")
@charge_cpu_time()
def qr() -> Response:
    """QR code of the link to the room."""
    return qr_response(_link(g.room))


for view in (game.slide, game.undo, game.redo, game.restart):
    blueprint.add_url_rule(f"/<room>/{view.__name__}", view_func=view, methods=["POST"])


@blueprint.before_request
def _refuse_spectators() -> None:
    name = (request.endpoint or "").rpartition(".")[2]
    if name in {"slide", "undo", "redo", "restart"} and not room_game():
        abort(409, _("You are not in this race, or it has not started."))


def _frame_page(notice: str = "") -> str:
    return render_template("together/room.html", notice=notice, **_frame(g.room))


def _frame(room: Room) -> dict[str, Any]:
    """Template values of both pages."""
    html = _room_fragment(room)
    return {
        "room": room,
        "room_html": html,
        "room_tag": _tag(html),
        "room_urls": _urls(request.script_root, room.id),
        "link": _link(room),
        "goal_cells": cells(room.puzzle.goal, room.puzzle.goal),
        "name": room.animal(seat) if (seat := room.seat_of(g.player)) else None,
        "can_leave": seat is not None or room.is_led_by(g.player),
        "starts_in": max(0, room.starts - now_ms()) if room.starts else None,
        "raced_ms": max(0, now_ms() - room.starts) if room.starts else 0,
        "reload_seconds": _reload_seconds(room, seat),
    }


def _reload_seconds(room: Room, seat: Seat | None) -> int | None:
    """Seconds until a page without JavaScript reloads, None if that would disturb a player."""
    if not room.starts or not seat or seat.finished:
        return RELOAD_SECONDS
    wait = room.starts - now_ms()
    return 1 + wait // 1000 if wait > 0 else None


def _link(room: Room) -> str:
    return url_for("together.page", room=room.id, _external=True)


def _tag(html: str) -> str:
    return f"{zlib.crc32(html.encode()):x}"


def _room_fragment(room: Room) -> Markup:
    """The players and all that changes while a page is open."""
    seat = room.seat_of(g.player)
    places, players = room.places(), room.players
    last = MAX_PLAYERS + 1
    ranked = sorted(
        players, key=lambda one: (places.get(one.number, last), not one.player, one.number)
    )
    view = "lobby" if not room.starts else "play" if seat and seat.game else "watch"
    is_free = view != "play" or (seat is not None and seat.finished is not None)
    return fragment(
        "together/_room.html",
        room=room,
        view=view,
        wait=POLL_MS["lobby" if not room.starts else "over" if room.is_over else "race"],
        urls=_urls(request.script_root, room.id),
        cards=_cards(room, ranked, places),
        count=len(players),
        has_boards=room.has_started(now_ms()),
        said=_news(room, places),
        # not above a board in play, which it would move down
        states_marks=is_free and any(seat.finished and seat.is_marked for seat in players),
        is_seated=bool(seat and seat.game),
        leads=room.is_led_by(g.player),
        can_race_again=view == "watch" or bool(places and not is_free),
        can_start=len(players) >= MIN_PLAYERS,
        is_full=len(players) >= MAX_PLAYERS,
        next_url=url_for("together.page", room=room.following) if room.following else None,
        goes_on=bool(room.following) and is_free and bool((seat and seat.game) or room.watches),
    )


def _cards(room: Room, players: list[Seat], places: Mapping[int, int]) -> Markup:
    starts, you = room.starts if room.has_started(now_ms()) else None, g.player
    about = room.code, current().code
    cards = [
        _card(
            *about,
            one,
            room.animal(one),
            starts,
            places.get(one.number),
            one.player == you,
            room.is_away(one),
        )
        for one in players
    ]
    return Markup("".join(cards))  # from templates


def _news(room: Room, places: Mapping[int, int]) -> str:
    """The latest news, which screen readers announce."""
    count = len(room.players)
    if not room.starts:
        return ngettext("%(num)s player is here.", "%(num)s players are here.", count)
    left = sum(not seat.player and not seat.finished for seat in room.players)
    have_left = ngettext("%(num)s player has left.", "%(num)s players have left.", left)
    if room.is_over:
        over = _("The race is over.")
        return f"{over} {have_left}" if left else _("Everybody has finished.")
    if not places:
        return have_left if left else ""
    last = max((seat for seat in room.players if seat.finished), key=lambda one: one.finished or 0)
    place = ordinal(places[last.number])
    finish = _("%(name)s is %(place)s.", name=room.animal(last), place=place)
    return f"{finish} {have_left}" if left else finish


@cached(CARDS_BYTES)
def _card(
    code: str,
    language: str,
    seat: Seat,
    name: str,
    starts: int | None,
    place: int | None,
    you: bool,
    away: bool,
) -> Markup:
    """The card of a player in the `language` of the request; `starts` is None before the start.

    Players who left unfinished have no board.
    """
    puzzle = parse_puzzle(code)
    has_left = not seat.player and not seat.finished
    played = parse_game(puzzle, seat.game) if starts and not has_left else None
    return fragment(
        "together/_card.html",
        number=seat.number,
        name=name,
        puzzle=puzzle,
        drawing=_drawing(played.board, puzzle.goal) if played else None,
        in_place=at_home(played.board, puzzle.goal) if played else None,
        moves=played.move_count if played else 0,
        place=ordinal(place) if place else None,
        is_marked=seat.is_marked,
        time=_time(starts, seat) if starts else "",
        is_you=you,
        has_left=has_left,
        is_away=away,
    )


def _drawing(board: Board, goal: Board) -> Markup:
    """A small board as SVG: the tiles in place, the others, and numbers that can be read."""
    placed = [(tile, *divmod(cell, board.cols)) for cell, tile in enumerate(board.cells) if tile]
    parts = []
    for name, is_home in ("home", True), ("", False):
        squares = [
            f"M{col}.05 {row}.05h.9v.9h-.9z"
            for tile, row, col in placed
            if (goal.cells[row * board.cols + col] == tile) == is_home
        ]
        mark = f' class="{name}"' if name else ""
        parts.append(f'<path{mark} d="{"".join(squares)}"/>' if squares else "")
    if len(board.cells) <= MAX_NUMBERED:
        parts += [f'<text x="{col}.5" y="{row}.69">{tile}</text>' for tile, row, col in placed]
    return Markup("".join(parts))  # numbers and words of this module


def _time(starts: int | None, seat: Seat) -> str:
    return clock(max(0, (seat.finished or 0) - (starts or 0)) / 1000)


_TH = noop("%(number)sth")
_ORDINALS = {1: noop("%(number)sst"), 2: noop("%(number)snd"), 3: noop("%(number)srd")}


def ordinal(number: int) -> str:
    """A place in words.

    >>> [ordinal(number) for number in (1, 2, 3, 11, 22, 30)]
    ['1st', '2nd', '3rd', '11th', '22nd', '30th']
    """
    last = 0 if number % 100 in {11, 12, 13} else number % 10
    return _(_ORDINALS.get(last, _TH), number=number)
