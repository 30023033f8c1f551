"""QR codes of links to this site, built from what a link to a page would name."""

from __future__ import annotations

from typing import Any

from flask import Response, current_app, request, url_for
from werkzeug.exceptions import BadHost

from slidewise import PuzzleError
from webapp.http.requests import this_puzzle
from webapp.http.responses import cacheable, uncached
from webapp.play.challenge import moves_to_beat
from webapp.play.ghost import carried
from webapp.share.blueprint import blueprint
from webapp.share.fields import lesson_field, solution_fields
from webapp.share.files import Pictures
from webapp.share.pictures import qr_svg
from webapp.solve import links
from webapp.workers.budgets import costly
from webapp.workers.services import service

QR_CHARACTERS = 1_000
"""The longest link in a QR code, in characters: phones do not read finer ones from a screen."""


@blueprint.get("/qr/play/<code>.svg")
@costly()
def puzzle_qr() -> Response:
    """Show the QR code of the link to a puzzle, as a challenge with `beat`."""
    code = str(this_puzzle())
    fields: dict[str, Any] = {"beat": moves_to_beat(), **lesson_field(), **carried()}
    return _qr(url_for("game.page", code=code, **fields, _external=True))


@blueprint.get("/qr/replay/<code>.svg")
@costly()
def solution_qr() -> Response:
    """Show the QR code of the link to a solution."""
    puzzle = this_puzzle()
    fields = {**solution_fields(puzzle), "step": links.step_number() or None}
    return _qr(url_for("replay.page", code=str(puzzle), **fields, _external=True))


def _qr(link: str) -> Response:
    if not request.host:
        raise BadHost
    if len(link) > QR_CHARACTERS:
        raise PuzzleError(
            "this link is too long for a QR code that a phone can read: copy the link instead"
        )
    drawn = service(Pictures).drawn(qr_svg, link)
    response = Response(drawn, mimetype="image/svg+xml")
    # The link names the host that was asked for. Where it may be any, no cache between here and
    # the visitor is to keep the picture: it would show others what one sender made up.
    return cacheable(response) if current_app.config["TRUSTED_HOSTS"] else uncached(response)
