"""No room for a search: what the pages and programs are told, and by when to try again."""

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
    """Return an app where the visitor has no place left."""
    app = new_app(STREAMS_PER_VISITOR=1)
    solve(HARD, app=app, algorithm="bfs").wait_for("#live", "Expanded")
    halted()
    return app


@pytest.mark.parametrize(("path", "form"), STARTS.values(), ids=STARTS)
def test_a_form_that_waits_says_so_where_its_search_would(full, path, form):
    answer = full.test_client().post(path, data=form, headers=HTMX)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "5")
    assert "HX-Retarget" not in answer.headers
    page = markup.read(answer)
    said = page.one(id="waiting").text
    assert said.startswith("Waiting for a place … 1 search you started is already running;")
    assert said.endswith("this one starts when there is room.")
    can_stop = [field["value"] for field in page.all("input", name="job")]
    assert can_stop == ([""] if path.endswith("/solve") else []), "the solve card can stop waiting"


@pytest.mark.parametrize(
    "path",
    [f"/lab/{EASY}?run=bfs&go=1", f"/lab/{EASY}.csv?run=bfs", f"/replay/{EASY}?algorithm=bfs"],
)
def test_a_page_says_when_to_try_again(full, path):
    answer = full.test_client().get(path)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "5")
    assert "1 search you started is already running. Try again in 5 seconds." in answer.text


def test_a_post_without_javascript_says_when_to_try_again(full):
    answer = full.test_client().post(STARTS["solve"][0])
    assert answer.status_code == 429
    assert "Try again in 5 seconds." in answer.text
    assert 'id="waiting"' not in answer.text


def test_others_at_other_addresses_are_not_kept_out(full):
    path, form = STARTS["race"]
    visitor = {"REMOTE_ADDR": "10.0.0.2"}
    answer = full.test_client().post(path, data=form, headers=HTMX, environ_base=visitor)
    assert answer.status_code == 200
    answer.close()


def test_boards_that_were_drawn_wait_for_a_place(solve, monkeypatch):
    """Others may take it while they are drawn."""
    refusals = iter([TooManySearches("1 search you started is already running", 5)])
    begin = many_boards.begin

    def refused_once(specs):
        for refusal in refusals:
            raise refusal
        return begin(specs)

    monkeypatch.setattr(many_boards, "begin", refused_once)
    path, form = STARTS["many"]
    solve(EASY, path=path, **form).wait_for("#race-said", "2 of 2 boards done")
    assert next(refusals, None) is None
