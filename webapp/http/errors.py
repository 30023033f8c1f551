"""Errors as pages, as notices for htmx, or as problems for programs. Each names the next step."""

import json
from http import HTTPStatus
from typing import cast

from flask import Flask, Response, current_app, make_response, render_template, request
from werkzeug.exceptions import BadHost, HTTPException, SecurityError

from slidewise import PuzzleError, __version__
from slidewise.text import sentence

from .language import gettext as _
from .language import noop, translated
from .log import request_id
from .requests import API, from_htmx
from .responses import Busy, TooManySearches, answer

MIMETYPE = "application/problem+json"

TYPES = {
    400: "misfit",
    422: "no-puzzle",
    429: "visitor-limit",
    503: "site-full",
}
"""Problems with a `type`, by status: it is the anchor `problem-` and the name on the page `/api`.
Others have `about:blank`, as the status is enough (RFC 9457)."""

_PROBLEM_TEXTS = {
    400: "The request cannot be read. Compare it with /api/v1/openapi.json.",
    404: "There is nothing at this address. The page /api lists what there is.",
    405: "This address does not take that method. The header Allow names those that it takes.",
    406: "Answers are JSON or an event stream. Ask for application/json in the header Accept, "
    "or at /solve and /compare for text/event-stream.",
    413: "The body is longer than any puzzle. Send less.",
    415: "The body has to be JSON. Send it with the header Content-Type: application/json.",
    429: "You asked for a lot at once. Try again after the number of seconds in Retry-After.",
    500: "Something went wrong. It is our fault, not yours. Try again in a moment; if it "
    "keeps happening, send us the request_id.",
}


def for_program() -> bool:
    """Return whether the request comes from a program, whose errors are problems, not pages."""
    return request.path.startswith(f"{API}/")


def problem_type(status: int) -> str:
    if status not in TYPES:
        return "about:blank"
    # url_for would fail for a host that is not ours
    return f"{request.script_root}/api#problem-{TYPES[status]}"


def problem(status: int, detail: str | None = None, **more: object) -> Response:
    """Return the problem of `status`; `detail` replaces the usual text."""
    title = HTTPStatus(status).phrase
    usual = _PROBLEM_TEXTS.get(status, f"{title}. Change the request, and try again.")
    fields: dict[str, object] = {
        "type": problem_type(status),
        "title": title,
        "status": status,
        "detail": detail or usual,
        "request_id": request_id(),
        "version": __version__,
        **more,
    }
    if contact := current_app.config["CONTACT"]:
        fields["contact"] = contact
    response = Response(json.dumps(fields), status, mimetype=MIMETYPE)
    response.headers["Cache-Control"] = "no-store"
    return response


OTHER_SITE = noop("This came from another site. Open Slidewise and try again there.")
"""Refusal of a post that a page of another site sent."""

_TEXTS = {
    400: (noop("Please check this"), noop("Check the address or what you typed, and try again.")),
    403: (noop("Blocked"), OTHER_SITE),
    404: (noop("Page not found"), noop("Check the address, or start a new game.")),
    405: (
        noop("This address is not a page"),
        noop(
            "It only works from the buttons on a page. Go back and use those, or start a new game."
        ),
    ),
    413: (noop("Too long"), noop("You sent more than any puzzle needs. Send less.")),
    414: (
        noop("Too long"),
        noop("This address is longer than any puzzle needs. Use a shorter one."),
    ),
    429: (
        noop("Please wait a moment"),
        noop("You sent many requests at once. Try again in a few seconds."),
    ),
    500: (
        noop("Something went wrong"),
        noop("It is our fault, not yours. Try again in a moment."),
    ),
    503: (
        noop("Busy right now"),
        noop("Many puzzles are being solved. Try again in a few seconds."),
    ),
}


def init_errors(app: Flask) -> None:
    """Answer each error with a page, a notice or a problem."""
    app.register_error_handler(PuzzleError, _puzzle_error)
    app.register_error_handler(Busy, _busy)
    app.register_error_handler(SecurityError, _wrong_host)
    app.register_error_handler(BadHost, _wrong_host)
    app.register_error_handler(HTTPException, _http_error)


def title_and_text(status: int) -> tuple[str, str]:
    """Return the heading and the usual text for `status`."""
    if status in _TEXTS:
        title, text = _TEXTS[status]
        return _(title), _(text)
    return _("Error %(status)s", status=status), _("Go back and try again.")


def error_response(status: int, message: str | None = None) -> Response:
    """Return the page, notice or problem for `status`; `message` replaces the usual text."""
    if for_program():
        return problem(status, message)
    title, usual = title_and_text(status)
    if status == 500 and from_htmx():
        number = _("If it keeps happening, send us this number: %(number)s.", number=request_id())
        usual = f"{usual} {number}"
    template = "site/_notice.html" if from_htmx() else "site/error.html"
    html = render_template(template, title=title, message=message or usual, status=status)
    if not from_htmx():
        return make_response(html, status)
    response = answer(html, "notice", status)
    response.headers["HX-Retarget"] = "#notice"
    response.headers["HX-Reswap"] = "innerHTML"
    return response


def _puzzle_error(error: PuzzleError) -> Response:
    # for programs, 400 means a body that violates the schema
    return error_response(422 if for_program() else 400, sentence(translated(error)))


def _busy(error: Busy) -> Response:
    return with_retry(error_response(error.status, translated(error)), error)


def wait_and_retry(error: TooManySearches) -> Response:
    """Answer to a form that is submitted again by itself until there is room (`solve/waiting.js`).

    A blueprint with such a form registers it as its handler of `TooManySearches`.
    """
    if not from_htmx():
        return _busy(error)
    html = render_template("solve/_waiting.html", why=error.why)
    return with_retry(answer(html, "waiting", error.status), error)


def with_retry(response: Response, error: Busy) -> Response:
    """Name the seconds after which a request can be sent again."""
    response.headers["Retry-After"] = str(error.retry_after)
    return response


def _wrong_host(error: SecurityError | BadHost) -> Response:
    """Answer in plain text: without a valid host no URL of a page can be built.

    Probes are answered under any host name, since orchestrators use addresses.
    """
    if probe := current_app.view_functions.get(f"probes.{request.path[1:]}"):
        return cast("Response", probe())
    message = _("This site has a different name. Check the address.")
    if for_program():
        return problem(400, message)
    response = make_response(f"{message}\n", 400)
    response.mimetype = "text/plain"
    return response


def _http_error(error: HTTPException) -> Response:
    status = error.code or 500
    ours = error.description if type(error).description != error.description else None
    response = error_response(status, ours)
    for name, value in error.get_headers():
        if name in {"Retry-After", "Allow"}:
            response.headers[name] = value
    return response


def contact_url(contact: str) -> str:
    """Return the link to the setting `CONTACT`.

    >>> contact_url("games@example.org"), contact_url("https://example.org")
    ('mailto:games@example.org', 'https://example.org')
    """
    return contact if "://" in contact else f"mailto:{contact}"
