"""Responses: templates, headers that name the kind of a fragment, downloads, streams, caching.

A script of a page recognises an answer by its header `Slidewise-Answer`, and never by its HTML.
A response without it comes from a proxy or a café's login page. Its values:

- `board`: the game after a click, or as it is (`GET /play/<code>` with `HX-Request: true`)
- `refused`: the game as it was, as the action is impossible
- `elsewhere`: the game as it is now, as the actions were made on another board
- `no-cookie`: nothing, as the moves are of a game whose cookie did not come with them
- `moves-left`: how many moves are left from a board
- `room`: the players of a room, their boards and places
- `waiting`: all solvers are busy; the form is to be sent again after `Retry-After` seconds
- `notice`: something went wrong; with a notice for `#notice`

`board`, `refused`, `elsewhere` and `moves-left` name their board in `Slidewise-Board`, as it is
written in `data-board`.

Templates of answers are compiled with translated messages and included files in them. Jinja's own
code for a message looks it up each time the template runs, and for an `include` copies the context.
In the answer to a click these took as long as the rest of its templates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, Literal, TypeVar, cast

import brotli
from flask import Flask, Response, current_app, request, templating
from jinja2 import Environment, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.visitor import NodeTransformer
from markupsafe import Markup
from werkzeug import Response as AnyResponse
from werkzeug.http import parse_accept_header

from slidewise import Board, text

from .language import Language, current
from .language import gettext as _

R = TypeVar("R", bound=AnyResponse)


DAY_SECONDS = 24 * 3600

ANSWERS = "answers"
"""Extension of the app: the templates of fragments."""

ANSWER_LEVEL = 1
"""Brotli level of the answer to a click: half the time of level 2, for 70 bytes more on 3x3 and 740
on 10x10."""

ANSWER_WINDOW = 16
"""Brotli window of 2**16 bytes: the answer for a 10x10 has 22 KB. Allocating the usual 4 MB would
double the time."""

FragmentKind = Literal[
    "board", "refused", "elsewhere", "no-cookie", "moves-left", "room", "waiting", "notice"
]


def fragment(template: str, **values: object) -> Markup:
    """Return the HTML of a template that uses `values` only, not the request.

    `render_template` would run the app's context processors, 3 % of a click.
    """
    return Markup(current_app.extensions[ANSWERS].get_template(template).render(values))


def answer(
    html: str, kind: FragmentKind, status: int = 200, board: Board | None = None
) -> Response:
    """Return a fragment for the scripts of a page, marked with its kind and its board."""
    response = Response(html, status)
    response.headers["Slidewise-Answer"] = kind
    if board is not None:
        response.headers["Slidewise-Board"] = str(board)
    return response


def compress_answer(response: Response) -> Response:
    """Compress the answer to a click or a poll at a faster level than pages and files."""
    if response.headers.get("Slidewise-Answer") in {"board", "room"} and _takes_brotli(
        request.headers.get("Accept-Encoding", "")
    ):
        response.set_data(_smaller(response.get_data()))
        response.headers["Content-Encoding"] = "br"
    return response


@lru_cache(maxsize=64)
def _takes_brotli(accepted: str) -> bool:
    return bool(parse_accept_header(accepted)["br"])


def _smaller(text: bytes) -> bytes:
    smaller: bytes = brotli.compress(text, quality=ANSWER_LEVEL, lgwin=ANSWER_WINDOW)
    return smaller


def after_page(app: Flask, handler: Callable[[Response], Response]) -> None:
    """Register a handler of pages that is skipped for fragments."""

    def handle(response: Response) -> Response:
        is_page = response.mimetype == "text/html" and "Slidewise-Answer" not in response.headers
        return handler(response) if is_page else response

    app.after_request(handle)


def download(text: str, mimetype: str, name: str) -> Response:
    """Return a file to save as `name`."""
    response = Response(text, mimetype=mimetype)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return uncached(response)


def cookie_settings() -> dict[str, Any]:
    """Return the settings of the site's cookies, for all its pages and for no script."""
    return {
        "path": f"{request.script_root}/",
        "httponly": True,
        "samesite": "Lax",
        "secure": current_app.config["SECURE_COOKIES"],
    }


def keep_cookie(response: AnyResponse, name: str, text: str) -> None:
    """Set a cookie that lasts as long as a game."""
    lifetime = current_app.config["PERMANENT_SESSION_LIFETIME"]
    response.set_cookie(name, text, max_age=lifetime, **cookie_settings())


def uncached(response: R) -> R:
    """Return the response, marked as not cacheable."""
    response.headers["Cache-Control"] = "no-store"
    return response


def cacheable(response: Response) -> Response:
    """Return the response, marked as cacheable: the same for all visitors for a day."""
    response.cache_control.public = True
    response.cache_control.max_age = DAY_SECONDS
    return response


class Busy(Exception):
    """Too many requests; try again after `retry_after` seconds.

    `status` is 503 for a full site, and 429 for a limit of this visitor. `message` is a message of
    `slidewise.text` if another thread or process raises the error, as these have no language.
    """

    def __init__(self, message: str, retry_after: int, status: int = 503) -> None:
        super().__init__(message)
        self.retry_after, self.status = retry_after, status


class Restarting(Busy):
    """The server stops; usually it restarts at once."""

    def __init__(self) -> None:
        super().__init__(
            text.message("The server is about to restart. Try again in a few seconds."), 10
        )


class Compiling(Busy):
    """A search was not compiled in time."""

    def __init__(self) -> None:
        super().__init__(
            text.message(
                "This search is still being compiled, which happens only once on a machine. "
                "Try again in a few seconds."
            ),
            retry_after=10,
        )


class TooLarge(Busy):
    """An answer needs more memory than its process may take."""

    def __init__(self) -> None:
        super().__init__(
            text.message(
                "This needed more memory than a request may use here. Try something smaller, or "
                "try again in a minute."
            ),
            retry_after=60,
        )


class TooManySearches(Busy):
    """Too many searches run; `why` is the reason without a full stop."""

    def __init__(self, why: str, retry_after: int, status: int = 503) -> None:
        self.why = why
        again = _("Try again in %(seconds)s seconds.", seconds=retry_after)
        super().__init__(f"{why}. {again}", retry_after, status)


MIMETYPE = "text/event-stream"

HEARTBEAT = ": still here\n\n"
"""A comment, which clients ignore; writing it detects a closed connection."""


def message(text: str, event_id: int | None = None, kind: str | None = None) -> str:
    r"""Return a message of a stream: HTML, or JSON of a `kind` that names it.

    >>> message("<p>\n1</p>", 7)
    'id: 7\ndata: <p>\ndata: 1</p>\n\n'
    """
    lines = [f"event: {kind}"] if kind is not None else []
    lines += [f"id: {event_id}"] if event_id is not None else []
    lines += [f"data: {line}" for line in text.splitlines() if line.strip()]
    return "\n".join(lines) + "\n\n"


def response(messages: Iterator[str], on_close: Callable[[], object]) -> Response:
    """Return the response that streams `messages`, and calls `on_close` when it has ended."""

    def close() -> None:
        with suppress(Busy):  # otherwise later handlers of the end would be skipped
            on_close()

    response = Response(messages, mimetype=MIMETYPE)
    # also if the client has gone, which the next write detects
    response.call_on_close(close)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"  # nginx passes each message on at once
    return response


class _Folding(NodeTransformer):
    """Folds translated messages and included files into a template."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment

    def visit_Call(self, call: nodes.Call) -> nodes.Node:  # noqa: N802  # jinja's name
        """Replace `_("…", name=value)` by a formatted constant."""
        self.generic_visit(call)
        match call:
            case nodes.Call(
                node=nodes.Name(name="_" | "gettext"),
                args=[nodes.Const(value=str(message))],
                dyn_args=None,
                dyn_kwargs=None,
            ):
                values = [nodes.Pair(nodes.Const(one.key), one.value) for one in call.kwargs]
                text = current().translations.gettext(message)
                markup = nodes.MarkSafeIfAutoescape(nodes.Const(text))
                formatted = nodes.Mod(markup, nodes.Dict(values), lineno=call.lineno)
                return formatted.set_environment(self._environment)
        return call

    def visit_Include(self, include: nodes.Include) -> nodes.Node:  # noqa: N802
        """Replace `{% include "…" %}` by the content of the file.

        Tracebacks name the line of the `include`. It stays while an app reloads changed templates,
        as that only checks the outer file.
        """
        environment = self._environment
        match include:
            case nodes.Include(template=nodes.Const(value=str(name)), with_context=True):
                if environment.loader and not environment.auto_reload:
                    source, path, _ = environment.loader.get_source(environment, name)
                    content = environment.parse(source, name, path)
                    content.set_lineno(include.lineno, override=True)
                    return nodes.Scope(self.visit(content).body, lineno=include.lineno)
        return include


class _Code(CodeGenerator):
    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802
        if cast("Templates", self.environment).folded:
            node = _Folding(self.environment).visit(node)
        super().visit_Template(node, frame)


class Templates(templating.Environment):
    """Templates of an app."""

    code_generator_class = _Code

    folded = False
    """Whether they are compiled for each language, which takes longer: for answers to clicks."""

    @property
    def cache(self) -> MutableMapping[Any, Any]:
        return self._compiled.setdefault(current() if self.folded else None, {})

    @cache.setter
    def cache(self, _: object) -> None:
        self._compiled: dict[Language | None, dict[Any, Any]] = {}

    def for_answers(self) -> Templates:
        """Return the same templates, compiled for each language.

        A bytecode cache would need the language in its keys.
        """
        templates: Templates = self.overlay()
        templates.folded = True
        return templates


class PlainApp(Flask):
    """Flask with these templates, without coroutines; it checks for these 15 times in a click."""

    jinja_environment = Templates

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        return func
