"""Marks on responses: what the scripts need to know of an answer, files, what is not cached.

A script of a page recognises an answer by its header `Slidewise-Answer`, and never by its HTML.
What has none comes from elsewhere, such as a proxy or a café's login page. It says:

- `board`: the game after a click, or as it is (`GET /play/<code>` with `HX-Request: true`)
- `refused`: the game as it was, as what was asked for cannot be done
- `moves-left`: how many moves are left from a board
- `waiting`: all solvers are busy; the form is to be sent again after `Retry-After` seconds
- `notice`: something went wrong; a notice for `#notice` says what

The first three name the board that they are of in `Slidewise-Board`, as it is written in
`data-board`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeVar

from flask import Response, make_response

if TYPE_CHECKING:
    from werkzeug import Response as AnyResponse

    from slidewise import Board

    R = TypeVar("R", bound=AnyResponse)

DAY_SECONDS = 24 * 3600

Kind = Literal["board", "refused", "moves-left", "waiting", "notice"]


def answer(html: str, kind: Kind, status: int = 200, board: Board | None = None) -> Response:
    """Return a fragment for the scripts of a page, marked with its kind and its board."""
    response = make_response(html, status)
    response.headers["Slidewise-Answer"] = kind
    if board is not None:
        response.headers["Slidewise-Board"] = str(board)
    return response


def download(text: str, mimetype: str, name: str) -> Response:
    """Return a file to save as `name`."""
    response = Response(text, mimetype=mimetype)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return uncached(response)


def uncached(response: R) -> R:
    """Return the response, marked as one that is not to be cached."""
    response.headers["Cache-Control"] = "no-store"
    return response


def cacheable(response: Response) -> Response:
    """Return the response, marked as the same for all visitors for a day."""
    response.cache_control.public = True
    response.cache_control.max_age = DAY_SECONDS
    return response
