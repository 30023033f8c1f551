"""No place for a search: the pages and API answers, and when to try again."""

import pytest

from tests.boards import FOUR as HARD
from tests.boards import TWO_MOVES as EASY
from tests.web import markup
from tests.web.processes import NEEDS_PROC
from tests.web.streams import HTMX
from webapp.lab import many_boards
from webapp.workers import TooManySearches

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


@pytest.mark.parametrize(("path", "form"), STARTS.values(), ids=STARTS)
def test_waiting_form_is_429_with_a_status_in_its_place(full, path, form):
    answer = full.test_client().post(path, data=form, headers=HTMX)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "5")
    assert "HX-Retarget" not in answer.headers
    page = markup.read(answer)
    words = page.one(id="waiting").text
    assert words.startswith("Waiting for a place … 1 search you started is already running;")
    assert words.endswith("this one starts when there is room.")
    can_stop = [field["value"] for field in page.all("input", name="job")]
    assert can_stop == ([""] if path.endswith("/solve") else []), "the solve card can stop waiting"


@pytest.mark.parametrize(
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
