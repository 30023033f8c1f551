"""Check my work: the output of a visitor's program, compared with the reference search."""

import json
import secrets
import threading
from concurrent.futures import Future
from functools import partial
from typing import Any, NamedTuple

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug import Response as AnyResponse

from slidewise import (
    Limits,
    Puzzle,
    PuzzleError,
    UnreadableWorkError,
    algorithms,
    check,
    conventions,
    find_algorithm,
    find_fitting_heuristic,
    heuristics,
    parse_board,
    parse_puzzle,
)
from slidewise.course.atlas import entry_for
from slidewise.course.judge.catalogue import catalogue
from slidewise.course.judge.printed import find_rules
from slidewise.course.searching import is_recorded
from slidewise.solver.task import DEFAULT_WEIGHT

from ...board import cells
from ...forms import weight
from ...http.errors import with_retry
from ...http.language import gettext as _
from ...http.language import noop, sentence
from ...http.requests import current_puzzle
from ...http.responses import download, uncached
from ...http.visitor import current_visitor
from ...workers import Busy, Solvers
from ...workers.budgets import charge_cpu_time
from ...workers.helpers import CoalescedCalls, Late
from ...workers.shared import CacheKind, Shared, service, shared
from ...workers.solvers import CallQueue

CHECK_EXPANSIONS = 60_000
"""Expansion budget for explaining a difference, about two seconds."""

REFERENCE_LIMITS = Limits(expansions=400_000, stored_nodes=1_000_000)
"""Limits of the reference search: all boards of 3x3, some 50 MB."""

CHECK_SECONDS = 180.0
"""Timeout of a check in seconds, with its time in the queue and for compiling."""


class WorkToCheck(NamedTuple):
    """Work that a visitor submits, and the search that it is compared with."""

    code: str
    algorithm: str
    heuristic: str | None
    convention: str
    given: str
    weight: float = DEFAULT_WEIGHT


def report_of(work: WorkToCheck) -> dict[str, Any]:
    """The report as JSON, or an `error` with the unreadable `line`."""
    try:
        report = check(
            parse_puzzle(work.code),
            work.algorithm,
            work.heuristic,
            work.convention,
            work.given,
            weight=work.weight,
            expansions=CHECK_EXPANSIONS,
            limits=REFERENCE_LIMITS,
        )
    except UnreadableWorkError as error:
        return {"error": error.why, "line": error.line}
    except PuzzleError as error:
        return {"error": error.args[0], "line": None}
    return dict(report.as_json())


blueprint = Blueprint("check", __name__, url_prefix="/lab")

EXAMPLE = "4.1.3-7.2.5-0.8.6"
"""Board of the page: breadth-first search expands 56 boards on it."""

EXAMPLE_WORK = {
    "board": "1.0.3-4.2.6-7.5.8",
    "algorithm": "bfs",
    "given": """\
1.0.3-4.2.6-7.5.8
1.2.3-4.0.6-7.5.8
0.1.3-4.2.6-7.5.8
1.3.0-4.2.6-7.5.8
1.2.3-4.5.6-7.0.8
1.2.3-0.4.6-7.5.8
1.2.3-4.6.0-7.5.8
4.1.3-0.2.6-7.5.8
1.3.6-4.2.0-7.5.8
1.3.4-0.2.6-7.5.8
1.2.3-4.5.6-0.7.8
1.2.3-4.5.6-7.8.0
""",
}
"""A breadth-first search with a mistake: its blank leaves a row at the edge."""

MAX_GIVEN_BYTES = 2**20
"""Longest text or file in bytes: some 50,000 boards, one per line."""

TOO_LONG = noop("This is longer than 1 MB. Send its first lines: only the first difference counts.")

MAX_FIELD_CHARACTERS = 10_000
"""Longest other field in characters, a pasted board. Reading and showing 3 MB takes 0.1 s."""

FIELD_TOO_LONG = noop(
    "A field is longer than 10,000 characters. Paste your program's output below."
)

MAX_ADDED_LINES = 4
"""Context lines around an unreadable line."""

MAX_CHECKS, CHECKS_PER_VISITOR = 20, 4
"""Maximum of checks that run or wait, in all and per visitor."""

MAX_WAITING = 4
"""Maximum requests waiting for checks, so that threads stay free for clicks."""

RETRY_SECONDS = 3
"""Seconds until a page that waits for its check reloads."""

BUSY = noop("Many programs are being checked right now. Try again in a few seconds.")
WAITS = noop("Other checks run first. Yours starts as soon as possible.")

REPORTS = CacheKind[WorkToCheck, dict[str, Any]]("reports of work", 4_000_000, 300)
SUBMITTED = CacheKind[str, dict[str, str]]("submitted work", 8_000_000, 600)
"""Forms whose checks wait, by ticket; the longest text takes 4 MB."""

FIELDS = ("board", "goal", "algorithm", "heuristic", "weight", "convention", "given")
DEFAULTS = {
    "algorithm": "bfs",
    "heuristic": "manhattan",
    "weight": f"{DEFAULT_WEIGHT:g}",
    "convention": "slidewise",
}


class NotChecked(Busy):
    """The report is not ready; the check goes on."""

    def __init__(self) -> None:
        super().__init__(WAITS, RETRY_SECONDS)


class WorkChecks(CoalescedCalls[WorkToCheck, dict[str, Any]]):
    """Checks work in another process and caches the reports."""

    def __init__(self, pool: Solvers, shared: Shared) -> None:
        limits = MAX_CHECKS, CHECKS_PER_VISITOR, BUSY, threading.BoundedSemaphore(MAX_WAITING)
        super().__init__(partial(_start, pool), REPORTS, shared, *limits)


def _start(pool: Solvers, work: WorkToCheck) -> Future[dict[str, Any]]:
    return pool.calls.submit(CallQueue.BUILD, report_of, work, timeout=CHECK_SECONDS)


@blueprint.get("/check")
def start() -> AnyResponse:
    """Redirect to the page of a board that suits a check."""
    return redirect(url_for("check.page", code=EXAMPLE))


@blueprint.get("/<code>/check")
def page() -> str:
    """Show the form."""
    puzzle = current_puzzle()
    start, _, goal = str(puzzle).partition("_")
    chosen = {name: request.args[name] for name in FIELDS if name in request.args}
    return _render(puzzle, {**DEFAULTS, "board": start, "goal": goal, "given": "", **chosen})


@blueprint.post("/check")
@charge_cpu_time()
def run() -> AnyResponse | str:
    """Check the submission and show the form again above the report."""
    typed = {name: request.form.get(name, "").strip() for name in FIELDS if name != "given"}
    typed = {**DEFAULTS, **{name: text for name, text in typed.items() if text}}
    typed["convention"] = request.form.get("with") or typed["convention"]
    typed["given"] = _given()
    puzzle = parse_puzzle(EXAMPLE)
    if len(typed["given"]) > MAX_GIVEN_BYTES:
        return _refused(puzzle, {**typed, "given": ""}, _(TOO_LONG), status=413)
    if max(len(typed[name]) for name in typed if name != "given") > MAX_FIELD_CHARACTERS:
        return _refused(
            puzzle, {**DEFAULTS, "given": typed["given"]}, _(FIELD_TOO_LONG), status=413
        )
    return _answer(typed, request.form.get("as", ""))


@blueprint.get("/check/<ticket>")
@charge_cpu_time()
def waiting(ticket: str) -> AnyResponse | str:
    """Show the report of a check that had to wait, or that it still waits."""
    typed = shared().get(SUBMITTED, ticket)
    if typed is None:
        abort(404, _("This check has expired. Go back and send your work again."))
    return _answer(typed, request.args.get("as", ""), ticket)


def _answer(typed: dict[str, str], form: str, ticket: str = "") -> AnyResponse | str:
    """The report of a submission; until it is ready, a page that reloads with a ticket."""
    puzzle = parse_puzzle(EXAMPLE)
    try:
        puzzle = parse_puzzle(typed.get("board", ""), typed.get("goal"))
        heuristic = _known(puzzle, typed)
        takes_weight = "weight" in find_algorithm(typed["algorithm"]).options
        weighs = weight(typed) if takes_weight else DEFAULT_WEIGHT
    except PuzzleError as error:
        return _refused(puzzle, typed, sentence(error))
    submission = typed["algorithm"], heuristic, typed["convention"], typed["given"], weighs
    try:
        found = checked(WorkToCheck(str(puzzle), *submission))
    except NotChecked as busy:
        ticket = ticket or secrets.token_urlsafe(12)
        # shared, as another process may serve the reload
        shared().put(SUBMITTED, ticket, typed)
        query: dict[str, Any] = {"ticket": ticket, "as": form or None}
        address = url_for("check.waiting", **query)
        page = _render(puzzle, typed, waiting=_(str(busy)), address=address)
        response = uncached(Response(page, status=202))
        response.headers["Refresh"] = f"{RETRY_SECONDS}; url={address}"
        return with_retry(response, busy)
    except Busy as error:  # keep the input as typed
        return with_retry(_refused(puzzle, typed, _(str(error)), status=error.status), error)
    if "error" in found:
        return _refused(puzzle, typed, sentence(found["error"]), found["line"])
    if form == "json":
        return download(f"{json.dumps(found, indent=2)}\n", "application/json", "check.json")
    return _render(puzzle, typed, report=found)


def checked(work: WorkToCheck) -> dict[str, Any]:
    """Report of a check from another process; raises `NotChecked` and `Busy`."""
    wait = current_app.config["SOLVE_WAIT"]
    try:
        return service(WorkChecks).within(work, wait, current_visitor().name)
    except Late:
        raise NotChecked() from None


def _given() -> str:
    """The typed text, or the text of the file."""
    file = request.files.get("file")
    text = file.read().decode("utf-8", "replace") if file and file.filename else ""
    # forms send \r\n at the end of lines
    return text or request.form.get("given", "").replace("\r\n", "\n")


def _known(puzzle: Puzzle, typed: dict[str, str]) -> str | None:
    """The heuristic, None without any; raises `PuzzleError` for unknown names."""
    entry = find_algorithm(typed["algorithm"])
    find_rules(typed["convention"], entry.key)
    if not entry.uses_heuristic:
        return None
    return find_fitting_heuristic(typed["heuristic"], *puzzle.start.size).key


def _refused(
    puzzle: Puzzle, typed: dict[str, str], error: str, line: int | None = None, status: int = 400
) -> Response:
    excerpt = []
    if line:
        first = max(0, line - 1 - MAX_ADDED_LINES)
        lines = typed["given"].splitlines()[first : line + MAX_ADDED_LINES]
        excerpt = [(n, text[:200]) for n, text in enumerate(lines, first + 1)]
    html = _render(puzzle, typed, error=error, line=line, excerpt=excerpt)
    return Response(html, status=status)


def _render(puzzle: Puzzle, typed: dict[str, str], **context: Any) -> str:
    entry = algorithms().get(typed["algorithm"])
    return render_template(
        "course/lab/check.html",
        puzzle=puzzle,
        code=str(puzzle),
        typed=typed,
        entry=entry,
        algorithms=[one for one in algorithms().values() if is_recorded(one)],
        heuristics=list(heuristics().values()),
        conventions=[named.usual for named in conventions().values()],
        cells_of=lambda text, moved=None: cells(
            parse_board(text, puzzle.start.size), puzzle.goal, moved
        ),
        atlas_entry=entry_for,
        catalogue=catalogue(),
        example=EXAMPLE_WORK,
        **context,
    )
