"""Sharing: the sheet, QR codes, pictures, and solutions as an animation or a file."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, current_app, render_template, request, url_for

from slidewise.puzzle import Puzzle, PuzzleError, format_moves, parse_board, parse_moves, steps
from slidewise.study.distance_ahead import moves_at_least
from slidewise.text import plural
from webapp.forms import search
from webapp.http.errors import sentence
from webapp.http.requests import from_htmx, this_puzzle
from webapp.play import lesson, views
from webapp.play.challenge import moves_to_beat
from webapp.play.moves_left import to_go_from
from webapp.play.session import load_game
from webapp.share import offline, pictures
from webapp.solve import replay
from webapp.workers import Busy
from webapp.workers.distances import Distances
from webapp.workers.questions import place
from webapp.workers.services import service, solvers

if TYPE_CHECKING:
    from slidewise.puzzle import Game

blueprint = Blueprint("sharing", __name__)

DAY = 24 * 3600

MOST_QR = 1_000
"""The longest link in a QR code, in characters: phones do not read finer ones from a screen."""

_KEPT = ("board", "from", "moves", "algorithm", "heuristic", "depth", "weight", "step", "lesson")
"""What a form without JavaScript has to send again."""

_animations = threading.BoundedSemaphore(4)
"""So many requests wait for an animation: others keep the threads of the server for clicks."""


@dataclass(frozen=True, slots=True)
class Target:
    """The number of moves that a challenge names: what stands in its field, the fewest that it
    can be, why that is so, and why what was typed is refused."""

    moves: int
    typed: str
    least: int
    words: str
    refusal: str
    wrong: str


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to share: its link, and the puzzle whose start is the picture of it."""

    key: str
    title: str
    text: str
    link: str
    qr: str | None
    puzzle: Puzzle


@blueprint.get("/play/<code>/share")
def sheet() -> Response:
    """Show what can be shared of a puzzle: `board` is the position, which else the session has;
    `from`, `moves` or `algorithm` and so on, and `step` name a solution that is shown."""
    puzzle = this_puzzle()
    game = load_game(puzzle)
    typed = request.args.get("board", "")
    here = puzzle.starting_at(parse_board(typed, puzzle.start.size) if typed else game.board)
    target = _target(puzzle, game)
    choices = [*_position(puzzle, here), _puzzle(puzzle), *_solution(puzzle)]
    choices += _challenge(puzzle, target.moves)
    chosen = _chosen(game, {choice.key for choice in choices})
    page = render_template(
        "share/_sheet.html" if from_htmx() else "share/sheet.html",
        puzzle=puzzle,
        code=str(puzzle),
        choices=choices,
        chosen=chosen,
        name=_file_name(puzzle),
        target=target,
        kept={name: text for name, text in request.args.items() if name in _KEPT},
        **_files(puzzle),
    )
    return Response(page, 400 if target.wrong and chosen == "challenge" else 200)


def _chosen(game: Game, keys: set[str]) -> str:
    """Return which choice is taken at first: what was asked, else what the player sees."""
    seen = "challenge" if game.solved and game.begun else "position"
    for wanted in request.args.get("what"), "solution", seen:
        if wanted in keys:
            return wanted
    return "puzzle"


def _puzzle(puzzle: Puzzle) -> Choice:
    return Choice(
        "puzzle",
        "Puzzle",
        "The puzzle from its start. Whoever opens it begins a game of their own.",
        *_links("game.page", "sharing.puzzle_qr", puzzle, _of_lesson()),
        puzzle,
    )


def _of_lesson() -> dict[str, str | None]:
    """Return the field of a link that hides what the page that is shared from hides."""
    return {"lesson": lesson.as_text(lesson.hidden())}


def _position(puzzle: Puzzle, here: Puzzle) -> list[Choice]:
    if here.start in {puzzle.start, puzzle.goal}:
        return []
    text = "The board as it is now, as a puzzle to go on from."
    links = _links("game.page", "sharing.puzzle_qr", here, _of_lesson())
    return [Choice("position", "Position", text, *links, here)]


def _challenge(puzzle: Puzzle, beat: int) -> list[Choice]:
    if not puzzle.solvable or puzzle.start == puzzle.goal:
        return []
    text = "The puzzle with a number of moves to beat. The page says whether it was."
    links = _links("game.page", "sharing.puzzle_qr", puzzle, {"beat": beat, **_of_lesson()})
    return [Choice("challenge", "Challenge", text, *links, puzzle)]


def _target(puzzle: Puzzle, game: Game) -> Target:
    """Return the moves to beat: those asked for, those of the game that was won, or else twice
    as many as are needed at least. Fewer than that are refused, as far as it is known at once."""
    known = None if "to-go" in lesson.hidden() else to_go_from(puzzle)
    least = known.moves if known else 1
    own = game.move_count if game.solved and game.begun else 0
    typed, asked, wrong = request.args.get("beat", "").strip(), None, ""
    words = refusal = ""
    if known:
        words = f"{'The shortest solution has' if known.exact else 'Every solution has at least'} "
        words += plural(least, "move")
        refusal = f"{words}: a challenge cannot ask for fewer."
        words += "." if own or typed else ". The number is twice that: change it as you like."
    try:
        asked = moves_to_beat()
    except PuzzleError as error:
        wrong = sentence(str(error))
    if asked and asked < least:
        wrong = refusal
    suggested = min(own or 2 * max(1, least if known else moves_at_least(puzzle)), 9_999)
    moves = suggested if wrong or asked is None else asked
    if own and not typed:
        words = f"You solved it in {plural(own, 'move')}. {words}"
    return Target(moves, typed[:20] or str(moves), least, words, refusal, wrong)


def _solution(puzzle: Puzzle) -> list[Choice]:
    if not replay.names_moves():
        return []
    start, step = _solved_from(puzzle), replay.step_number()
    shown = start
    if not request.args.get("algorithm"):
        boards = [
            start.start,
            *(made.board for made in steps(start.start, replay.asked_moves(start))),
        ]
        step = min(step, len(boards) - 1)
        shown = start.starting_at(boards[step])
    fields = {**_solution_fields(start), "step": step or None}
    text = f"The solution, opened at step {step:,}." if step else "The solution, from its start."
    links = _links("replay.page", "sharing.solution_qr", start, fields)
    return [Choice("solution", "Solution", text, *links, shown)]


def _solved_from(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle that the solution solves: it may begin at another board."""
    typed = request.args.get("from", "")
    return puzzle.starting_at(parse_board(typed, puzzle.start.size)) if typed else puzzle


def _solution_fields(puzzle: Puzzle) -> dict[str, Any]:
    """Return the fields of a link to the solution that is asked for, checked."""
    if not replay.names_moves():
        raise PuzzleError("a link to a solution names its moves, such as moves=U2RDL3")
    if request.args.get("algorithm"):
        search.read_spec(puzzle, request.args)
        return {name: text for name, text in replay.link_fields().items() if name != "moves"}
    return {"moves": format_moves(replay.asked_moves(puzzle))}


def _files(puzzle: Puzzle) -> dict[str, str]:
    """Return the addresses of the solution as files, as far as it can be had so."""
    if not replay.names_moves():
        return {}
    start = _solved_from(puzzle)
    fields = {"code": str(start), **_solution_fields(start)}
    files = {"html": url_for("sharing.file", **fields)}
    if "moves" in fields and len(parse_moves(fields["moves"])) <= pictures.MOST_ANIMATED:
        files["gif"] = url_for("sharing.animation", **fields)
    return files


def _links(page: str, qr: str, puzzle: Puzzle, fields: dict[str, Any]) -> tuple[str, str | None]:
    """Return the address of a page, and that of its QR code where it has one."""
    fields = {"code": str(puzzle), **fields}
    link = url_for(page, **fields, _external=True)
    return link, url_for(qr, **fields) if len(link) <= MOST_QR else None


# QR codes: only of links to here, which are built from what a link to a page would name


@blueprint.get("/qr/play/<code>.svg")
def puzzle_qr() -> Response:
    """Show the QR code of the link to a puzzle, as a challenge with `beat`."""
    code = str(this_puzzle())
    fields: dict[str, Any] = {"beat": moves_to_beat(), **_of_lesson()}
    return _qr(url_for("game.page", code=code, **fields, _external=True))


@blueprint.get("/qr/replay/<code>.svg")
def solution_qr() -> Response:
    """Show the QR code of the link to a solution."""
    puzzle = this_puzzle()
    fields = {**_solution_fields(puzzle), "step": replay.step_number() or None}
    return _qr(url_for("replay.page", code=str(puzzle), **fields, _external=True))


def _qr(link: str) -> Response:
    if len(link) > MOST_QR:
        raise PuzzleError(
            "this link is too long for a QR code that a phone can read: copy the link instead"
        )
    return _kept(Response(_qr_svg(link), mimetype="image/svg+xml"))


@lru_cache(maxsize=256)
def _qr_svg(link: str) -> bytes:
    import segno

    data = BytesIO()
    code = segno.make_qr(link, error="l")  # a higher level where there is room
    code.save(data, kind="svg", border=4, light="#ffffff", xmldecl=False, omitsize=True)
    return data.getvalue()


# Pictures


@blueprint.get("/board/<code>.png")
def picture() -> Response:
    """Show the start of a puzzle as a picture."""
    puzzle = this_puzzle()
    return _kept(Response(pictures.board_png(puzzle.start, puzzle.goal), mimetype="image/png"))


@blueprint.get("/board/<code>/card.png")
def card() -> Response:
    """Show the card that links to a puzzle unfold into."""
    puzzle = this_puzzle()
    return _kept(Response(pictures.card_png(puzzle, _card_lines(puzzle)), mimetype="image/png"))


def _card_lines(puzzle: Puzzle) -> tuple[str, ...]:
    ahead = service(Distances).at_once(puzzle) if puzzle.solvable else None
    if puzzle.start == puzzle.goal or not (ahead and ahead.exact):
        return "Sliding-tile puzzle", views.goal_words(puzzle)
    return f"{plural(ahead.at_least, 'move')} at best", views.goal_words(puzzle)


@blueprint.get("/replay/<code>.gif")
def animation() -> Response:
    """Show a solution as an animated picture, drawn in a process that gives way to others."""
    puzzle = this_puzzle()
    moves = _moves(puzzle)
    pictures.check_length(moves)
    with place(_animations) as waits:
        if not waits:
            raise Busy("Many animations are being drawn. Try again in some seconds.", retry_after=5)
        wait = current_app.config["SOLVE_WAIT"]
        data = solvers().background.call(pictures.solution_gif, puzzle, moves, timeout=wait)
    response = _kept(Response(data, mimetype="image/gif"))
    return _named(response, f"{_file_name(puzzle, moves)}.gif", "inline")


@blueprint.get("/replay/<code>.html")
def file() -> Response:
    """Send a solution as a file that plays without a server."""
    puzzle = this_puzzle()
    moves = _moves(puzzle)
    shown = replay.context(puzzle, moves, 0)
    static = Path(current_app.static_folder or "")
    page = render_template(
        "share/offline.html",
        **shown,
        style=offline.style(static / "css", "base", "play"),
        script=offline.script(static / "js", "share/offline"),
        link=url_for("replay.page", code=str(puzzle), **_solution_fields(puzzle), _external=True),
    )
    response = Response(page, mimetype="text/html")
    return _named(response, f"{_file_name(puzzle, moves)}.html", "attachment")


def _moves(puzzle: Puzzle) -> str:
    if not replay.names_moves():
        raise PuzzleError("name the moves of the solution, such as moves=U2RDL3")
    return replay.asked_moves(puzzle)


def _file_name(puzzle: Puzzle, moves: str | None = None) -> str:
    """Return a name for a file, of letters and digits only."""
    name = f"slidewise-{puzzle.rows}x{puzzle.cols}"
    return name if moves is None else f"{name}-{len(moves)}-moves"


def _named(response: Response, name: str, how: str) -> Response:
    response.headers["Content-Disposition"] = f'{how}; filename="{name}"'
    return response


def _kept(response: Response) -> Response:
    """Let anyone keep what is the same for all, for a day."""
    response.cache_control.public = True
    response.cache_control.max_age = DAY
    return response
