"""No place for a search: the pages and API answers, and when to try again."""

import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.boards import FOUR as HARD
from tests.boards import TWO_MOVES as EASY
from tests.each import each, some
from tests.web import markup
from tests.web.processes import NEEDS_PROC, solvers
from tests.web.streams import HTMX, until
from webapp.course.lab import many_boards
from webapp.workers import TooManySearches, jobs
from webapp.workers.shared import services_of

STARTS = {
    "solve": (f"/play/{EASY}/solve", {}),
    "race": (f"/lab/{EASY}/race", {"run": "bfs"}),
    "many": (f"/lab/{EASY}/many/run", {"run": "bfs", "boards": "2"}),
}

pytestmark = NEEDS_PROC


@pytest.fixture
def full(new_app, solve, halted):
    """Return an app in which the visitor has no place left."""
    app = new_app(STREAMS_PER_VISITOR=1)
    solve(HARD, app=app, algorithm="bfs").wait_for("#live", "Expanded")
    halted()
    return app


@each(("path", "form"), STARTS.values())
def test_waiting_form_is_429_with_a_status_in_its_place(full, path, form):
    answer = full.test_client().post(path, data=form, headers=HTMX)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "5")
    assert "HX-Retarget" not in answer.headers
    page = markup.read(answer)
    words = page.one(id="waiting").text
    assert words.startswith("Waiting … 1 search you started is already running;")
    assert words.endswith("this search starts as soon as possible.")
    can_stop = [field["value"] for field in page.all("input", name="job")]
    assert can_stop == ([""] if path.endswith("/solve") else []), "the solve card can stop waiting"


@each(
    "path",
    [f"/lab/{EASY}?run=bfs&go=1", f"/lab/{EASY}.csv?run=bfs", f"/replay/{EASY}?algorithm=bfs"],
)
def test_page_without_a_place_is_429_with_retry_after(full, path):
    answer = full.test_client().get(path)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "5")
    assert "1 search you started is already running. Try again in 5 seconds." in answer.text


def test_post_without_javascript_is_429_with_retry_after(full):
    answer = full.test_client().post(STARTS["solve"][0])
    assert answer.status_code == 429
    assert "Try again in 5 seconds." in answer.text
    assert 'id="waiting"' not in answer.text


def test_visitor_at_another_address_has_a_place(full):
    path, form = STARTS["race"]
    visitor = {"REMOTE_ADDR": "10.0.0.2"}
    answer = full.test_client().post(path, data=form, headers=HTMX, environ_base=visitor)
    assert answer.status_code == 200
    answer.close()


def test_drawn_boards_wait_for_a_place(solve, monkeypatch):
    """Another search may take the place while the boards are drawn."""
    refusals = iter([TooManySearches("1 search you started is already running", 5)])
    start = many_boards.begin

    def refused_once(specs):
        for refusal in refusals:
            raise refusal
        return start(specs)

    monkeypatch.setattr(many_boards, "begin", refused_once)
    path, form = STARTS["many"]
    solve(EASY, path=path, **form).wait_for("#race-said", "2 of 2 boards done")
    assert next(refusals, None) is None


# Searches that lose their place


CROWD, HOME = "10.0.0.1", "10.0.0.2"


@pytest.fixture
def crowded(new_app, solve, halted):
    """Return an app with one of its three places left; the crowd has one, and waits."""
    app = new_app(SOLVERS=1, MAX_STREAMS=3, STREAMS_PER_VISITOR=3)
    solve(HARD, app=app, algorithm="bfs").wait_for("#live", "Expanded")
    halted()
    solve(EASY, app=app, visitor=CROWD).wait_for("#live", "number 1 of 1")
    return app


@pytest.fixture
def newcomer(crowded, solve):
    """Start a search from another address once all places are taken."""

    def come():
        assert until(lambda: services_of(crowded).solvers.load.waiting == 2)
        return solve(EASY, app=crowded, visitor=HOME).wait_for("#live", "of 2 in the queue")

    return come


def test_displaced_solve_ends_with_the_waiting_form(crowded, solve, newcomer):
    last = solve(EASY, app=crowded, visitor=CROWD)
    newcomer()
    message = last.all()[-1]
    words = markup.read(message.data).one(id="waiting").text
    assert words == (
        "Waiting … Many others are waiting too; this search starts as soon as possible."
    )
    assert message.partials["#job"].one("input")["value"] == "", "the solve card can stop waiting"
    assert "Stopped" not in last.text


@pytest.mark.parametrize(
    ("method", "path", "body"),
    some(
        [
            ("POST", STARTS["solve"][0], None),
            ("GET", f"/lab/{EASY}?run=bfs&go=1", None),
            ("GET", f"/replay/{EASY}?algorithm=bfs", None),
            ("POST", "/api/v1/solve", {"puzzle": EASY}),
            ("POST", "/api/v1/compare", {"puzzle": EASY, "runs": ["bfs", "ucs"]}),
        ],
        *(1, 4),
    ),
)
def test_displaced_request_is_503_with_the_reason(crowded, newcomer, method, path, body):
    client = crowded.test_client()
    visitor = {"REMOTE_ADDR": CROWD}
    with ThreadPoolExecutor(1) as thread:
        answer = thread.submit(client.open, path, method=method, environ_base=visitor, json=body)
        newcomer()
        response = answer.result()
    assert (response.status_code, response.headers["Retry-After"]) == (503, "10")
    assert "Many others are waiting too. Try again in 10 seconds." in response.text


def test_displaced_api_stream_fails_with_the_reason(crowded, stream, newcomer):
    last = stream(crowded, "solve", visitor=CROWD, puzzle=EASY)
    newcomer()
    message = last.all()[-1]
    assert message.kind == "failed"
    assert message.data["message"] == "Many others are waiting too. Try again in 10 seconds."


@pytest.mark.parametrize(("name", "target"), some([("race", "#run-0"), ("many", "#race-said")], 0))
def test_run_ends_if_many_wait_for_a_place(crowded, solve, newcomer, monkeypatch, name, target):
    no_slot = threading.BoundedSemaphore(1)
    no_slot.acquire()
    monkeypatch.setattr(jobs, "WITHOUT_A_PLACE", no_slot)
    path, form = STARTS[name]
    run = solve(EASY, app=crowded, visitor=CROWD, path=path, **form)
    newcomer()
    run.wait_for(target, "3 searches are already running. Try again in 10 seconds.")
    assert run.wait_for_end()


@pytest.mark.parametrize(
    ("name", "target", "end"),
    some([("race", "#run-0", "1 of 1"), ("many", "#race-live", "2 of 2")], 1),
)
def test_displaced_run_reports_it_and_continues(crowded, solve, newcomer, name, target, end):
    path, form = STARTS[name]
    run = solve(EASY, app=crowded, visitor=CROWD, path=path, **form)
    newcomer()
    run.wait_for(target, "Many others are waiting too")
    for worker in solvers():
        os.kill(worker, signal.SIGKILL)
    run.wait_for("#race-said", end)
