"""The share sheet of a puzzle, a game or a solution."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from flask import Response, current_app, render_template, request, url_for
from werkzeug.exceptions import BadHost

from slidewise import Game, Puzzle, PuzzleError, parse_board, parse_moves, steps
from slidewise.solver.known import moves_at_least
from slidewise.text import message, sentence

from ..http.language import gettext as _
from ..http.language import ngettext, number, translated
from ..http.requests import current_puzzle, from_htmx
from ..http.responses import cacheable, uncached
from ..play import links
from ..play.links import ghost_link_params, ghost_params, moves_to_beat
from ..play.moves_left import moves_left
from ..play.session import load_game
from ..solve import replay
from ..solve.replay import SHOWN_STEPS
from ..workers.budgets import charge_cpu_time
from ..workers.shared import service
from . import pictures
from .embed import component_code, embed_of
from .files import Pictures, blueprint, file_name, lesson_field, solution_fields, solved_from
from .pictures import qr_svg

QR_CHARACTERS = 1_000
"""Longest link in a QR code: phones cannot read denser codes from a screen."""


@blueprint.get("/qr/play/<code>.svg")
@charge_cpu_time()
def puzzle_qr() -> Response:
    """QR code of the link to a puzzle, as a challenge with `beat`."""
    code = str(current_puzzle())
    fields: dict[str, Any] = {"beat": moves_to_beat(), **lesson_field(), **ghost_params()}
    return qr_response(url_for("game.page", code=code, **fields, _external=True))


@blueprint.get("/qr/replay/<code>.svg")
@charge_cpu_time()
def solution_qr() -> Response:
    """QR code of the link to a solution."""
    puzzle = current_puzzle()
    fields = {**solution_fields(puzzle), "step": replay.step_number() or None}
    return qr_response(url_for("replay.page", code=str(puzzle), **fields, _external=True))


def qr_response(link: str) -> Response:
    """QR code of a link to this site."""
    if not request.host:
        raise BadHost
    if len(link) > QR_CHARACTERS:
        raise PuzzleError(
            message(
                "this link is too long for a QR code that a phone can read: copy the link instead"
            )
        )
    drawn = service(Pictures).drawn(qr_svg, link)
    response = Response(drawn, mimetype="image/svg+xml")
    # The link contains the request's Host header. If any host is allowed, the picture is not
    # cacheable: otherwise a forged Host could poison shared caches.
    return cacheable(response) if current_app.config["TRUSTED_HOSTS"] else uncached(response)


_FORM_FIELDS = ("board", "from", *replay.LINK_FIELDS, "step", "lesson")
"""Fields that a form without JavaScript sends again."""


@dataclass(frozen=True, slots=True)
class Target:
    """Move count of a challenge: the field's value, its minimum with the reason, and its error."""

    moves: int
    typed: str
    least: int
    words: str
    refusal: str
    wrong: str


@dataclass(frozen=True, slots=True)
class Shareable:
    """A thing to share: its link, and the puzzle whose start is its picture."""

    key: str
    title: str
    text: str
    link: str
    qr: str | None
    puzzle: Puzzle


@blueprint.get("/play/<code>/share")
@charge_cpu_time()
def sheet() -> Response:
    """Show the share sheet of a puzzle.

    `board` is the position, by default the session's. `from`, `moves` or `algorithm`, and `step`
    name a solution.
    """
    puzzle = current_puzzle()
    game = load_game(puzzle)
    typed = request.args.get("board", "")
    here = puzzle.starting_at(parse_board(typed, puzzle.start.size) if typed else game.board)
    target = _target(puzzle, game)
    choices = [*_position(puzzle, here), _puzzle(puzzle), *_solution(puzzle)]
    choices += _challenge(puzzle, target.moves, game)
    chosen = _chosen(game, {choice.key for choice in choices})
    page = render_template(
        "share/_sheet.html" if from_htmx() else "share/sheet.html",
        puzzle=puzzle,
        code=str(puzzle),
        choices=choices,
        chosen=chosen,
        name=file_name(puzzle),
        target=target,
        embeds=dict(_embeds(puzzle, choices)),
        kept={name: text for name, text in request.args.items() if name in _FORM_FIELDS},
        **_files(puzzle),
    )
    return Response(page, 400 if target.wrong and chosen == "challenge" else 200)


def _chosen(game: Game, keys: set[str]) -> str:
    """Initial choice: the requested choice, or else the choice that fits the page."""
    seen = "challenge" if game.solved and game.started else "position"
    for wanted in request.args.get("what"), "solution", seen:
        if wanted in keys:
            return wanted
    return "puzzle"


def _puzzle(puzzle: Puzzle) -> Shareable:
    return Shareable(
        "puzzle",
        _("Puzzle"),
        _("The puzzle from its start. Anyone who opens the link starts their own game."),
        *_links("game.page", "sharing.puzzle_qr", puzzle, lesson_field()),
        puzzle,
    )


def _position(puzzle: Puzzle, here: Puzzle) -> list[Shareable]:
    if here.start in {puzzle.start, puzzle.goal}:
        return []
    text = _("Start from the current position.")
    addresses = _links("game.page", "sharing.puzzle_qr", here, lesson_field())
    return [Shareable("position", _("Position"), text, *addresses, here)]


def _challenge(puzzle: Puzzle, beat: int, game: Game) -> list[Shareable]:
    if not puzzle.solvable or puzzle.start == puzzle.goal:
        return []
    text = _("Challenge a friend to match or beat this number of moves.")
    fields: dict[str, Any] = {"beat": beat, **lesson_field()}
    addresses = _links("game.page", "sharing.puzzle_qr", puzzle, fields)
    shared = [Shareable("challenge", _("Challenge"), text, *addresses, puzzle)]
    if ghost := ghost_link_params(game):
        if "times" in ghost:
            text = ngettext(
                "Your friend plays against a ghost that makes your %(num)s move at your pace.",
                "Your friend plays against a ghost that makes your %(num)s moves at your pace.",
                game.move_count,
            )
        else:
            text = ngettext(
                "Your friend plays against a ghost: your %(num)s move, one for each of theirs.",
                "Your friend plays against a ghost: your %(num)s moves, one for each of theirs.",
                game.move_count,
            )
        fields |= {"beat": game.move_count, **ghost}
        link, qr = _links("game.page", "sharing.puzzle_qr", puzzle, fields)
        if not qr:  # for a long game the moves fit, but not their times
            qr = _links("game.page", "sharing.puzzle_qr", puzzle, fields | {"times": None})[1]
        shared.append(Shareable("ghost", _("Ghost"), text, link, qr, puzzle))
    return shared


def _target(puzzle: Puzzle, game: Game) -> Target:
    """The move count to beat: requested, from a won game, or twice the minimum.

    Lower numbers are refused, as far as the minimum is known at once.
    """
    (known,) = [None] if "to-go" in links.hidden() else moves_left(puzzle, puzzle.start)
    if known and known.pending:
        known = replace(known, moves=moves_at_least(puzzle))
    least = known.moves if known else 1
    own = game.move_count if game.solved and game.started else 0
    typed, requested, wrong = request.args.get("beat", "").strip(), None, ""
    words, refusal = _least_words(least, known.exact) if known else ("", "")
    if known and not (own or typed):
        suggestion = _("We suggest twice that; choose any number.")
        words = f"{words} {suggestion}"
    try:
        requested = moves_to_beat()
    except PuzzleError as error:
        wrong = sentence(translated(error))
    if requested and requested < least:
        wrong = refusal
    suggested = min(own or 2 * max(1, least if known else moves_at_least(puzzle)), 9_999)
    moves = suggested if wrong or requested is None else requested
    if own and not typed:
        solved = ngettext("You solved it in %(num)s move.", "You solved it in %(num)s moves.", own)
        words = f"{solved} {words}"
    return Target(moves, typed[:20] or str(moves), least, words, refusal, wrong)


def _least_words(least: int, is_exact: bool) -> tuple[str, str]:
    """The minimum of a challenge in words, and the refusal of a lower number."""
    if is_exact:
        return (
            ngettext(
                "The shortest solution has %(num)s move.",
                "The shortest solution has %(num)s moves.",
                least,
            ),
            ngettext(
                "The shortest solution has %(num)s move: choose at least that many.",
                "The shortest solution has %(num)s moves: choose at least that many.",
                least,
            ),
        )
    return (
        ngettext(
            "Every solution has at least %(num)s move.",
            "Every solution has at least %(num)s moves.",
            least,
        ),
        ngettext(
            "Every solution has at least %(num)s move: choose at least that many.",
            "Every solution has at least %(num)s moves: choose at least that many.",
            least,
        ),
    )


def _solution(puzzle: Puzzle) -> list[Shareable]:
    if not replay.names_moves():
        return []
    start, step = solved_from(puzzle), replay.step_number()
    shown = start
    # do not run a search only to draw a picture
    if not request.args.get("algorithm"):
        boards = [
            start.start,
            *(made.board for made in steps(start.start, replay.linked_moves(start))),
        ]
        step = min(step, len(boards) - 1)
        shown = start.starting_at(boards[step])
    fields = {**solution_fields(start), "step": step or None}
    if step:
        text = _("The solution, opened at step %(step)s.", step=number(step))
    else:
        text = _("The solution, from its start.")
    addresses = _links("replay.page", "sharing.solution_qr", start, fields)
    return [Shareable("solution", _("Solution"), text, *addresses, shown)]


def _embeds(puzzle: Puzzle, choices: list[Shareable]) -> Iterator[tuple[str, dict[str, str]]]:
    """For each choice that other pages can show, the HTML to copy by its title."""
    for choice in choices:
        if choice.key in {"puzzle", "position"}:
            frame, element = embed_of("game.page", choice.puzzle, {}), component_code(choice.puzzle)
        elif choice.key == "solution":
            start = solved_from(puzzle)
            fields = {**solution_fields(start), "step": replay.step_number() or None}
            frame = embed_of("replay.page", start, fields)
            element = component_code(start, fields.get("moves"))
            if "moves" not in fields:  # the link names a search, which the element cannot run
                yield choice.key, {_("In a frame"): frame.iframe}
                continue
        else:
            continue
        yield choice.key, {_("In a frame"): frame.iframe, _("As an element"): element}


def _files(puzzle: Puzzle) -> dict[str, Any]:
    """URLs of the solution's files, if available, and whether the offline file is cut
    (`is_cut`).
    """
    if not replay.names_moves():
        return {}
    start = solved_from(puzzle)
    fields = {"code": str(start), **solution_fields(start)}
    length = len(parse_moves(fields["moves"])) if "moves" in fields else None
    is_cut = length is None or length > SHOWN_STEPS
    files = {"html": url_for("sharing.file", **fields), "is_cut": is_cut}
    if length is not None and length <= pictures.MAX_ANIMATED_MOVES:
        files["gif"] = url_for("sharing.animation", **fields)
    return files


def _links(page: str, qr: str, puzzle: Puzzle, fields: dict[str, Any]) -> tuple[str, str | None]:
    """URL of a page, and of its QR code if it is short enough."""
    fields = {"code": str(puzzle), **fields}
    link = url_for(page, **fields, _external=True)
    return link, url_for(qr, **fields) if len(link) <= QR_CHARACTERS else None
