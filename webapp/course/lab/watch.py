"""Watch a search think: its first and last expansions as a tree and in words."""

import gzip
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    json,
    redirect,
    render_template,
    request,
    url_for,
)
from markupsafe import Markup
from werkzeug import Response as AnyResponse

from slidewise import PuzzleError, algorithms, find_algorithm, parse_board
from slidewise.course.judge import exercises
from slidewise.course.searching import is_recorded
from slidewise.solver.convention import ALGORITHMS, SLIDEWISE
from slidewise.solver.task import Algorithm
from slidewise.text import message

from ... import forms
from ...board import cells
from ...forms import linked_number, read_number
from ...http.errors import with_retry
from ...http.language import current, sentence, translated
from ...http.language import gettext as _
from ...http.requests import current_puzzle
from ...http.responses import uncached
from ...http.routes import language_in_address
from ...http.security import let_all_sites_read
from ...workers import Busy, Solvers, TooManySearches, Waiting, jobs
from ...workers.distances import Distances
from ...workers.helpers import slot
from ...workers.shared import CacheKind, Shared, service
from ...workers.solvers import Displaced, displaced_error
from .recorded import EXPANSIONS_PER_PAGE, Recorded, SearchToRecord

RECORDINGS = CacheKind["SearchToRecord", "Recorded"]("recordings", 4_000_000, 300)
"""Cached recordings, at most 200 kB each."""

RETRY_SECONDS = 3
"""Seconds until a page that waits for a recording reloads."""

ABANDONED_SECONDS = 20.0
"""Seconds without a waiting request until an unfinished recording's search is stopped."""

MAX_WAITING = 10
"""Maximum requests waiting for recordings, so that threads stay free for clicks."""


class NotRecorded(Busy):
    """The recording is not ready; the message says why."""

    def __init__(self, why: str) -> None:
        super().__init__(why, RETRY_SECONDS)


def _without_a_place(full: TooManySearches) -> NotRecorded:
    return NotRecorded(
        message("The search is waiting: %(why)s. It starts as soon as possible.", why=full.why)
    )


@dataclass(eq=False)
class _Job:
    id: str
    place: Waiting | None = None
    awaited_until: float = field(default_factory=time.monotonic)
    answer: Future[Recorded] = field(default_factory=Future)

    @property
    def words(self) -> str:
        if self.place is None:
            return message("The search is being recorded.")
        return message(
            "The search waits for its turn: it is number %(place)s of %(queue)s in the queue.",
            place=self.place.position,
            queue=self.place.queue,
        )


class Recordings:
    """Runs recorded searches, with an LRU cache. Thread-safe."""

    def __init__(self, pool: Solvers, shared: Shared) -> None:
        self._pool, self._shared = pool, shared
        self._lock = threading.Lock()
        self._jobs: dict[SearchToRecord, _Job] = {}
        self._waiting = threading.BoundedSemaphore(MAX_WAITING)

    def get(self, search: SearchToRecord, seconds: float) -> Recorded:
        """Recording of a search, which may have to run first.

        Raises `NotRecorded` if it is not ready within `seconds`. The search continues as long as it
        is requested again in time.
        """
        recorded = self._shared.get(RECORDINGS, search)
        if recorded is not None:
            return recorded
        with slot(self._waiting) as waits:
            # without a slot, answer at once and let the page reload
            seconds = seconds if waits else 0
            job = self._job(search, seconds)
            try:
                return job.answer.result(seconds)
            except TimeoutError:
                raise NotRecorded(job.words) from None

    def _job(self, search: SearchToRecord, seconds: float) -> _Job:
        """Job that records a search, started if missing, for a request that waits `seconds`."""
        with self._lock:
            job = self._jobs.get(search)
            if job is None:
                # under the lock, so that equal requests share the job
                try:
                    job = _Job(jobs.start(search))
                except TooManySearches as full:
                    raise _without_a_place(full) from None
                distances = service(Distances)
                threading.Thread(
                    target=self._follow, args=(search, job, distances), daemon=True
                ).start()
                self._jobs[search] = job
            job.awaited_until = max(job.awaited_until, time.monotonic() + seconds)
        return job

    def _follow(self, search: SearchToRecord, job: _Job, distances: Distances) -> None:
        """Read the events of a job to their end, in its own thread."""
        failure = Busy(message("The search could not be recorded. Try again in a few seconds."), 5)
        try:
            for _, event in distances.joined(self._pool.events(job.id), search.puzzle):
                if isinstance(event, Recorded):
                    self._shared.put(RECORDINGS, search, event)
                    job.answer.set_result(event)
                elif isinstance(event, Displaced):
                    failure = _without_a_place(displaced_error())
                elif event is not None:
                    job.place = event if isinstance(event, Waiting) else None
                if time.monotonic() > job.awaited_until + ABANDONED_SECONDS:
                    self._pool.abandon(job.id)
        finally:
            with self._lock:
                del self._jobs[search]
            self._pool.forget(job.id)
            # after the deletion, so that the next request starts another job
            if not job.answer.done():
                job.answer.set_exception(failure)


blueprint = Blueprint("watch", __name__, url_prefix="/lab/<code>")

BROWSER_CACHE_SECONDS = 600
"""Browser cache TTL in seconds of a recording; it never changes, as searches are repeatable."""

DEFAULT_ALGORITHM = "astar"
OWN_HEURISTIC = "manhattan"
"""The heuristic of the exercises' searches."""

OPTIONS = ("algorithm", "heuristic", "depth", "weight", "convention", "order")


@blueprint.get("/watch")
def page() -> AnyResponse | str:
    """Show the search of `algorithm` at expansion `at`; a waiting page reloads.

    With `own`, the key of an exercise, the page shows the search that the browser has stored.
    """
    puzzle = current_puzzle()
    if "own" in request.args:
        return _own_page(request.args["own"])
    chosen = chosen_options()
    if "board" in request.args:  # the Solve card solves the current board
        here = puzzle.starting_at(parse_board(request.args["board"], puzzle.start.size))
        return redirect(url_for("watch.page", code=str(here), **chosen))
    entry = find_algorithm(chosen["algorithm"])
    recorded, waiting = None, ""
    try:
        recorded = _recorded(chosen) if is_recorded(entry) else None
    except NotRecorded as busy:
        waiting = translated(busy)
    steps = recorded.steps if recorded else 0
    at = min(linked_number("at"), steps)
    choices = forms.solver_choices(puzzle, chosen) | {
        "algorithms": [one for one in algorithms().values() if is_recorded(one)]
    }
    html = render_template(
        "course/lab/watch/page.html",
        puzzle=puzzle,
        code=str(puzzle),
        chosen=chosen,
        entry=entry,
        steps=steps,
        waiting=waiting,
        retry_seconds=RETRY_SECONDS,
        words=_words(recorded, at) if recorded else "",
        at=at,
        cells=cells(puzzle.start, puzzle.goal),
        **choices,
    )
    return _waiting(Response(html)) if waiting else html


def _own_page(exercise: str) -> str:
    """Show a visitor's own search, which the server does not have."""
    if exercise not in exercises():
        abort(404, _("There is no exercise %(name)s.", name=repr(exercise[:60])))
    puzzle = current_puzzle()
    watch = url_for("watch.page", code=str(puzzle))
    entry = algorithms().get(exercise)
    entry = entry if entry and is_recorded(entry) else None
    options = _options_beside(entry) if entry else {}
    return render_template(
        "course/lab/watch/own.html",
        puzzle=puzzle,
        code=str(puzzle),
        own=exercise,
        at=linked_number("at"),
        alone=f"{watch}?{urlencode({'own': exercise, **options})}",
        built_in=f"{watch}?{urlencode({'algorithm': exercise, **options})}" if entry else "",
        options=options,
        beside=entry is not None and "beside" in request.args,
    )


def _options_beside(entry: Algorithm) -> dict[str, str]:
    """Options of the built-in search next to a visitor's own: as in the exercises."""
    options = {"heuristic": OWN_HEURISTIC} if entry.uses_heuristic else {}
    depth = read_number(request.args, "depth", int)
    return options | ({"depth": str(depth)} if depth and "depth" in entry.options else {})


def _words(recorded: Recorded, at: int) -> Markup:
    """Page in words with expansion `at` marked."""
    page = recorded.pages[(max(at, 1) - 1) // EXPANSIONS_PER_PAGE]
    marked = f'id="expansion-{at}"'
    return Markup(gzip.decompress(page).decode().replace(marked, f'{marked} aria-current="step"'))


def _waiting(response: Response) -> Response:
    """Response that a browser reloads by itself, also without JavaScript."""
    response.status_code = 202
    response.headers["Refresh"] = response.headers["Retry-After"] = str(RETRY_SECONDS)
    return uncached(response)


@blueprint.get("/trace")
@language_in_address
def trace() -> Response:
    """Send the recording as JSON to a viewer, also to a component in a page of another site."""
    return let_all_sites_read(_trace())


def _trace() -> Response:
    """Recording as JSON; 202 and `waiting` until it is ready.

    The compressed bytes are sent as stored, which costs the web process no CPU time.
    """
    try:
        recorded = _recorded(chosen_options())
    except PuzzleError as error:
        return _refusal(sentence(error), 400)
    except NotRecorded as busy:
        return _waiting(
            Response(json.dumps({"waiting": translated(busy)}), mimetype="application/json")
        )
    except Busy as error:
        return with_retry(_refusal(translated(error), error.status), error)
    response = Response(recorded.trace, mimetype="application/json")
    if request.accept_encodings["gzip"]:
        response.headers["Content-Encoding"] = "gzip"
    else:
        response.set_data(gzip.decompress(recorded.trace))
    response.vary.add("Accept-Encoding")
    response.headers["Cache-Control"] = f"private, max-age={BROWSER_CACHE_SECONDS}"
    return response


def _refusal(message: str, status: int) -> Response:
    return uncached(Response(json.dumps({"error": message}), status, mimetype="application/json"))


def chosen_options() -> dict[str, Any]:
    """Chosen options of the algorithm; others are dropped."""
    chosen = {name: request.args.get(name, "").strip() for name in OPTIONS}
    chosen["algorithm"] = chosen["algorithm"] or DEFAULT_ALGORITHM
    entry = find_algorithm(chosen["algorithm"])
    taken = {"algorithm", *entry.options}
    if entry.key in ALGORITHMS:
        taken |= {"convention", "order"}
    if entry.uses_heuristic:
        taken.add("heuristic")
        chosen["heuristic"] = chosen["heuristic"] or forms.DEFAULT_HEURISTIC
    if chosen["convention"] == SLIDEWISE.key:
        taken.discard("convention")
    return {name: text for name, text in chosen.items() if text and name in taken}


def _recorded(chosen: Mapping[str, str]) -> Recorded:
    """Recording of the chosen search; raises `PuzzleError` and `Busy`."""
    if not is_recorded(find_algorithm(chosen["algorithm"])):
        recorded = [key for key, entry in algorithms().items() if is_recorded(entry)]
        raise PuzzleError(
            message(
                "the search %(name)s is not recorded; choose one of %(names)s",
                name=chosen["algorithm"],
                names=", ".join(recorded),
            )
        )
    spec = forms.read_spec(current_puzzle(), chosen)
    wanted = SearchToRecord.of(spec, urlencode(chosen), current().code)
    return service(Recordings).get(wanted, current_app.config["RECORD_WAIT"])
