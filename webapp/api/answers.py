"""Parse requests to the JSON API and build its responses."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

from flask import Blueprint, Response, abort, current_app, request

from slidewise import AmbiguousBoardError, PuzzleError, parse_puzzle, parse_size
from slidewise.json_schema import schema_of
from slidewise.text import sentence

from ..http.errors import problem
from .schemas import PuzzleFields, SchemaError, Site, check

if TYPE_CHECKING:
    from slidewise import Puzzle


T = TypeVar("T")

JSON, STREAM = "application/json", "text/event-stream"

_schema_of = cache(schema_of)


def this_site() -> Site:
    """Return the limits of this site."""
    config = current_app.config
    return Site(config["SOLVE_SECONDS"], config["SOLVE_WAIT"], config["MAX_CONTENT_LENGTH"])


def accepted(*offered: str) -> str:
    """Return the offered media type that the client prefers; 406 if it accepts none."""
    if not request.accept_mimetypes:
        return offered[0]
    return request.accept_mimetypes.best_match(offered) or abort(406)


def read_body(declared: type[T]) -> T:
    """Parse the body as JSON and validate it against the schema of `declared`."""
    if request.mimetype != JSON:
        abort(415)
    sent = request.get_data(cache=False)
    if len(sent) >= this_site().size:  # without Content-Length, Flask truncates the body
        abort(413)
    try:
        body = json.loads(sent, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"the body cannot be read as JSON: {error}") from None
    _check_as(declared, body)
    return cast("T", body)


def _check_as(declared: Any, value: object) -> None:
    """Raise `SchemaError` if `value` violates the schema of `declared`."""
    check(value, _schema_of(declared, this_site()))


def _refuse_constant(constant: str) -> None:
    raise ValueError(f"{constant} is not a JSON number")


def read_query(declared: type[T]) -> T:
    """Parse the query string and validate it against the schema of `declared`."""
    for name, texts in request.args.lists():
        if len(texts) > 1:
            raise SchemaError(
                f"{name[:100]} must be given once, found {len(texts)} times", name[:100]
            )
    asked = request.args.to_dict()
    _check_as(declared, asked)
    return cast("T", asked)


def refuse(field: str, message: str, **more: object) -> NoReturn:
    """Abort with 422: the field fits its schema but gives no puzzle or search."""
    abort(problem(422, sentence(message), field=field, **more))


def refuse_board(field: str, error: PuzzleError) -> NoReturn:
    """Abort with 422 for an invalid board, with all readings if it is ambiguous."""
    more = {}
    if isinstance(error, AmbiguousBoardError):
        more["readings"] = [{"means": means, "puzzle": code} for means, code in error.readings]
    refuse(field, str(error), **more)


def as_text(board: str | list[int] | list[list[int]]) -> str:
    """Return a board or a puzzle as text, a list as JSON."""
    return board if isinstance(board, str) else json.dumps(board)


def read_puzzle(body: PuzzleFields) -> Puzzle:
    """Parse the fields `puzzle`, `goal` and `size` of a body."""
    size = parse_size(body["size"]) if "size" in body else None
    start, field = as_text(body["puzzle"]), "puzzle"
    try:
        alone = parse_puzzle(start, None, size)
        field = "goal"
        return parse_puzzle(start, as_text(body["goal"]), size) if "goal" in body else alone
    except PuzzleError as error:
        refuse_board(field, error)


def json_response(answer: object) -> Response:
    """Build a JSON response that is never cached."""
    response = Response(f"{json.dumps(answer)}\n", mimetype=JSON)
    response.headers["Cache-Control"] = "no-store"
    return response


blueprint = Blueprint("api", __name__, url_prefix="/api")
