"""Parts of a request: the puzzle in its path, the sender htmx."""

import re
from typing import Any

from flask import Flask, abort, current_app, g, redirect, request, url_for
from werkzeug import Response

from slidewise import Puzzle, parse_puzzle

from .cache import cached

UPLOAD_BYTES = {"/lab/check": 3_200_000}
"""Longest body in bytes at the paths that take files: a file of 1 MB, and the text of the previous
file with longer line ends. Other forms are shorter, as a million `%ff` take 1.3 s to parse."""

PART_HEAD_BYTES = 2_000
"""Longest head of an upload's part in bytes: two names. Werkzeug takes 0.6 s for 2 MB."""

_HEAD_END = re.compile(rb"\r\n\r\n|\r\r|\n\n|\A--")

PUZZLES_BYTES = 1_000_000
"""Bytes of cached puzzles by their codes; each takes one to six kilobytes."""

EMBEDS = "/embed/"
"""Start of the paths of pages that other sites show in frames, which set no cookie."""

API = "/api"
"""Path of the page about the API. The API's own paths are below it."""

API_PREFIX = f"{API}/v1"
"""Start of the paths of all operations of the API."""


def from_htmx() -> bool:
    """Return whether htmx sent the request and wants a fragment."""
    from_it: bool = request.environ.get("HTTP_HX_REQUEST") == "true"
    return from_it


def in_api() -> bool:
    """Return whether the path is the API's page or below it, also if no route matches."""
    return request.path == API or request.path.startswith(f"{API}/")


def field(name: str) -> str:
    """Return a field of the query or else of the form, "" if it is missing.

    `request.values` would merge both, 2 % of a click. `get` raises and catches an error for a
    missing name.
    """
    for fields in request.args, request.form:
        if name in fields and (text := fields[name]):
            return text
    return ""


def current_puzzle() -> Puzzle:
    """Return the puzzle that the path names."""
    puzzle: Puzzle = g.puzzle
    return puzzle


def current_code() -> str:
    """Return the code of `current_puzzle()`, `str(current_puzzle())`."""
    code: str = g.code
    return code


def init_requests(app: Flask) -> None:
    """Make the app read the `<code>` of its paths into `current_puzzle()`.

    Other spellings of a puzzle are redirected to its canonical path, so that a puzzle has a single
    URL and a single cookie.
    """
    app.before_request(_limit_body)
    app.url_value_preprocessor(_read_code)
    app.before_request(_redirect_to_canonical)


def _limit_body() -> None:
    """Refuse a body that is too long, even if no view reads it."""
    is_upload = request.mimetype == "multipart/form-data"
    limit = UPLOAD_BYTES.get(request.path) if is_upload else None
    if limit is not None:
        request.max_content_length = request.max_form_memory_size = limit
    if (request.content_length or 0) > (limit or current_app.config["MAX_CONTENT_LENGTH"]):
        abort(413, "A file may have up to 1 MB. Send a smaller one." if limit else None)
    if limit is not None:
        _limit_part_heads()


def _limit_part_heads() -> None:
    """Refuse an upload with many parts, or with a long text in a head or before the first part."""
    boundary = "--" + request.mimetype_params.get("boundary", "")
    most = current_app.config["MAX_FORM_PARTS"] + 1  # the end counts as a part
    before, *parts = request.get_data().split(boundary.encode(), most + 1)
    is_late = not parts or len(before) > PART_HEAD_BYTES
    heads = [part[:PART_HEAD_BYTES] for part in parts]
    if is_late or len(parts) > most or not all(map(_HEAD_END.search, heads)):
        abort(400, "The form cannot be read. Send the file from the page.")


def _read_code(endpoint: str | None, values: dict[str, Any] | None) -> None:
    if values and "code" in values:
        text = values.pop("code")
        g.puzzle, g.code = _puzzle_and_code(text)
        g.canonical = text == g.code


@cached(PUZZLES_BYTES)
def _puzzle_and_code(text: str) -> tuple[Puzzle, str]:
    puzzle = parse_puzzle(text)
    return puzzle, str(puzzle)


def _redirect_to_canonical() -> Response | None:
    if "puzzle" not in g or request.endpoint is None:
        return None
    environ = request.environ  # servers have different names for it
    sent = environ.get("RAW_URI", environ.get("REQUEST_URI", request.path))
    raw = str(sent).partition("?")[0]
    if g.canonical and raw.endswith(request.path):
        return None  # spelt as the router parses it, without escapes
    path = url_for(request.endpoint, code=g.code, **(request.view_args or {}))
    query = request.query_string.decode("ascii", "replace")
    # 308 keeps the method: a post stays a post
    return redirect(f"{path}?{query}" if query else path, code=308)
