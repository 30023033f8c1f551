"""Boards and solutions in frames of other sites, and oEmbed.

These pages set no cookie and store nothing. `SLIDEWISE_EMBED` names the sites that may show them.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    jsonify,
    render_template,
    request,
    url_for,
)
from markupsafe import Markup, escape
from werkzeug import Response as AnyResponse
from werkzeug.exceptions import HTTPException

from slidewise import Puzzle, PuzzleError, format_moves, parse_puzzle, steps
from slidewise.component import COMPONENT_FILE
from slidewise.puzzle.moves import play
from slidewise.text import message, sentence

from ..http.errors import title_and_text
from ..http.language import gettext as _
from ..http.language import ngettext, noop, translated
from ..http.requests import EMBEDS, current_code, current_puzzle
from ..http.responses import DAY_SECONDS, cacheable
from ..http.routes import language_in_address
from ..http.security import allow_frames
from ..parts import embeds
from ..solve import replay
from ..workers import Busy
from ..workers.budgets import charge_cpu_time
from ..workers.jobs import LostError
from .files import blueprint as sharing

THEMES = ("light", "dark")
COLOURS = ("accent", "home", "ink", "paper", "sunken", "tile", "tile-ink", "tray")
"""Colours that a link can set, as in `static/css/component.css`."""

_COLOUR = re.compile(r"[0-9a-fA-F]{3}([0-9a-fA-F]{3})?")
_LANGUAGE = re.compile(r"[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})?")

SHOWN_MOVES = 300
"""Moves listed without JavaScript; the page of the solution lists them all."""

LONGEST_ADDRESS = 8_000
"""Longest address that oEmbed reads."""


def embeds_blueprint(name: str, module: str) -> Blueprint:
    """Return a blueprint for pages in frames of other sites, with their errors."""
    blueprint = Blueprint(name, module, url_prefix=EMBEDS.rstrip("/"))
    blueprint.after_request(_allow_redirect)
    blueprint.register_error_handler(PuzzleError, _refuse)
    blueprint.register_error_handler(Busy, _busy)
    blueprint.register_error_handler(LostError, lambda error: _error(500, str(error)))
    blueprint.register_error_handler(HTTPException, _http_error)
    return blueprint


def _allow_redirect(response: Response) -> Response:
    """Let a redirect to the canonical link pass in a frame."""
    return allow_frames(response) if 300 <= response.status_code < 400 else response


def _refuse(error: PuzzleError) -> Response:
    return _error(400, sentence(translated(error)))


def _busy(error: Busy) -> Response:
    """Page that reloads by itself once the site has time."""
    response = _error(error.status, translated(error))
    response.headers["Refresh"] = response.headers["Retry-After"] = str(error.retry_after)
    return response


def _http_error(error: HTTPException) -> AnyResponse:
    """Page for any other error; redirects stay."""
    if error.response is not None or (error.code or 500) < 400:
        return error.get_response()
    status = error.code or 500
    ours = error.description if type(error).description != error.description else None
    return _error(status, ours or title_and_text(status)[1])


class Look(NamedTuple):
    """Appearance of an embed as its link sets it; `style` is a style sheet of its colours."""

    theme: str
    language: str
    controls: bool
    style: str


blueprint = embeds_blueprint("embed", __name__)


@blueprint.get("/play/<code>")
def game() -> Response:
    """A board to play."""
    puzzle = current_puzzle()
    link = url_for("game.page", code=current_code())
    return embed_page("share/embed.html", puzzle, link, _("Play on Slidewise"))


@blueprint.get("/replay/<code>")
@charge_cpu_time()
def solution() -> Response:
    """A solution to replay: `moves`, or the solution that `algorithm` finds."""
    puzzle = current_puzzle()
    if not replay.names_moves():
        raise PuzzleError(message("name the moves of the solution, such as moves=U2RDL3"))
    moves = replay.linked_moves(puzzle)
    play(puzzle.start, moves)  # raises the error of an illegal move
    step = min(replay.step_number(), len(moves))
    fields: dict[str, Any] = {**replay.link_fields(), "step": step or None}
    link = url_for("replay.page", code=current_code(), **fields)
    return embed_page(
        *("share/embed.html", puzzle, link),
        ngettext("%(num)s move on Slidewise", "%(num)s moves on Slidewise", len(moves)),
        moves=format_moves(moves),
        step=step,
        listed=list(steps(puzzle.start, moves[:SHOWN_MOVES])),
        is_cut=len(moves) > SHOWN_MOVES,
    )


def embed_page(template: str, puzzle: Puzzle, link: str, words: str, **values: Any) -> Response:
    """Page in a frame, with a link to its page on the site."""
    look = _look()
    html = render_template(
        template, puzzle=puzzle, code=str(puzzle), link=link, words=words, look=look, **values
    )
    return allow_frames(Response(html), look.style)


def _look() -> Look:
    """Look of the link; raises `PuzzleError`."""
    args = request.args
    theme, language = args.get("theme", ""), args.get("lang", "")
    if theme not in ("", *THEMES):
        raise PuzzleError(
            message("the theme must be light or dark, found %(found)s", found=repr(theme[:20]))
        )
    if language and not _LANGUAGE.fullmatch(language):
        raise PuzzleError(
            message(
                "the language must be a code such as de, found %(found)s", found=repr(language[:20])
            )
        )
    chosen = {name: args[name].lstrip("#") for name in COLOURS if args.get(name)}
    for name, colour in chosen.items():
        if not _COLOUR.fullmatch(colour):
            raise PuzzleError(
                message(
                    "the colour %(name)s must be 3 or 6 hexadecimal digits, such as 0b665f, "
                    "found %(found)s",
                    name=name,
                    found=repr(colour[:20]),
                )
            )
    rules = ";".join(f"--slide-wise-{name}:#{colour}" for name, colour in chosen.items())
    return Look(theme, language, args.get("controls") != "none", f":root{{{rules}}}" * bool(rules))


def _error(status: int, message: str) -> Response:
    return allow_frames(
        Response(render_template("share/embed_error.html", message=message), status)
    )


# Code to copy, and oEmbed


class Embed(NamedTuple):
    """An embed: its address, title and size in pixels."""

    url: str
    title: str
    width: int
    height: int

    @property
    def iframe(self) -> str:
        """HTML that shows it."""
        html = (
            '<iframe src="{}" title="{}" width="{}" height="{}" style="border:0;max-width:100%" '
            'loading="lazy"></iframe>'
        )
        return str(Markup(html).format(self.url, self.title, self.width, self.height))


WIDTH = 420
MIN_WIDTH = 160
UNREACHABLE_PIXELS = 44
"""Height in pixels of the sentence about an unreachable goal."""


@dataclass(frozen=True)
class EmbedKind:
    """Embed of a page of the site.

    `view` is its endpoint, `title` a message, and `fields` are the fields that it takes from a
    link. Sizes are in pixels: `height` is the height without the board, or a function of the fields
    for an embed without a board.
    """

    view: str
    title: str
    height: int | Callable[[Mapping[str, Any]], int]
    fields: tuple[str, ...] = ()
    width: int = WIDTH


EMBEDS_OF_GAMES = {
    "game.page": EmbedKind("embed.game", noop("Sliding puzzle, %(size)s"), 124),
    "replay.page": EmbedKind(
        "embed.solution",
        noop("Solution of a sliding puzzle, %(size)s"),
        200,
        (*replay.LINK_FIELDS, "step"),
    ),
}
"""Embeds of the game by the endpoints of their pages."""


def embed_of(
    page: str, puzzle: Puzzle, fields: Mapping[str, Any], width: int | None = None
) -> Embed:
    """The embed of a page of the site (its endpoint) with its link fields."""
    kind = embeds()[page]
    url = url_for(kind.view, code=str(puzzle), **fields, _external=True)
    title = _(kind.title, size=f"{puzzle.rows} × {puzzle.cols}")
    width = width or kind.width
    if not isinstance(kind.height, int):
        return Embed(url, title, width, kind.height(fields))
    beside = kind.height
    if page == "game.page" and not puzzle.solvable:
        beside += UNREACHABLE_PIXELS
    board = round((width - 24) * puzzle.rows / max(puzzle.rows, puzzle.cols))
    return Embed(url, title, width, board + beside)


def component_code(puzzle: Puzzle, moves: str | None = None) -> str:
    """HTML that shows a board, or a solution of it, as a `<slide-wise>` element."""
    script = url_for("static", filename=COMPONENT_FILE, _external=True)
    solution = "" if moves is None else f' moves="{moves}"'
    return (
        f'<script src="{escape(script)}" defer></script> '
        f'<slide-wise board="{puzzle}"{solution}></slide-wise>'
    )


@sharing.get("/oembed")
@language_in_address
def oembed() -> Response:
    """The embed of a page of this site, for programs that unfold links (oembed.com)."""
    if request.args.get("format", "json") != "json":
        abort(501, "This site answers in JSON: format=json.")
    page, puzzle, fields = _page_at(request.args.get("url", ""))
    most = request.args.get("maxwidth", "")
    usual = embeds()[page].width
    width = min(usual, max(MIN_WIDTH, int(most[:6]))) if most.isdecimal() else usual
    found = embed_of(page, puzzle, fields, width)
    high = request.args.get("maxheight", "")
    height = min(found.height, max(1, int(high[:6]))) if high.isdecimal() else found.height
    found = found._replace(height=height)
    answer = {
        "version": "1.0",
        "type": "rich",
        "title": found.title,
        "provider_name": "Slidewise",
        "provider_url": url_for("pages.home", _external=True),
        "cache_age": DAY_SECONDS,
        "html": found.iframe,
        "width": found.width,
        "height": found.height,
        "thumbnail_url": url_for("sharing.card", code=str(puzzle), _external=True),
        "thumbnail_width": 1200,
        "thumbnail_height": 630,
    }
    response = jsonify(answer)
    # links in it have the Host header of the request, which a shared cache must not store
    return cacheable(response) if current_app.config["TRUSTED_HOSTS"] else response


def _page_at(address: str) -> tuple[str, Puzzle, dict[str, Any]]:
    """Endpoint, puzzle and link fields of a page of this site; otherwise 404."""
    unknown = "This is no address of a puzzle, a solution, a search or a race of this site."
    try:
        parts = urlsplit(address[:LONGEST_ADDRESS])
        path = parts.path.removeprefix(request.script_root)
        if parts.netloc not in ("", request.host):
            abort(404, unknown)
        page, values = current_app.url_map.bind(request.host).match(path, "GET")
        puzzle = parse_puzzle(values.get("code", ""))
        pairs = parse_qsl(parts.query, max_num_fields=40)
    except (HTTPException, PuzzleError, ValueError):
        abort(404, unknown)
    kinds = embeds()
    if page not in kinds:
        abort(404, unknown)
    query = dict(pairs)
    fields = {name: query[name] for name in kinds[page].fields if query.get(name)}
    if page == "replay.page" and not ("moves" in fields or "algorithm" in fields):
        page, fields = "game.page", {}
    return page, puzzle, fields
