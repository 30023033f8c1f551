"""Reviews that take long, and the graph of a review."""

import pytest

from slidewise import parse_puzzle, solve
from slidewise.analysis.review import DistanceBounds, Review
from slidewise.puzzle.moves import inverse
from tests.boards import TWO_MOVES as CODE
from tests.web import markup
from tests.web.play.playing import SilentPool, review, row
from tests.web.streams import HTMX
from tests.web.visitor import Visitor
from webapp.play import review as review_module
from webapp.play.review import Reviews, graph
from webapp.workers.shared import LocalShared, services_of

# Pending reviews


@pytest.fixture
def silent_pool(app, monkeypatch):
    silent_pool = SilentPool()
    monkeypatch.setitem(services_of(app).by_class, Reviews, Reviews(silent_pool, LocalShared()))
    for wait in "FIRST_WAIT", "WAIT", "PAGE_WAIT":
        monkeypatch.setattr(review_module, wait, 0.01)
    return silent_pool


def test_slow_review_is_fetched_again(client, silent_pool):
    Visitor(client, CODE).slide(5)
    page = markup.read(client.get(f"/play/{CODE}/review"))
    assert page.one(id="review-pending").one("a")["href"] == f"/play/{CODE}/review"
    element = page.one(id="review")
    for attempt in range(1, review_module.MAX_TRIES + 1):
        assert element["hx-get"] == f"/play/{CODE}/review?try={attempt}"
        element = markup.read(client.get(element["hx-get"], headers=HTMX)).one(id="review")
    assert "hx-get" not in element.attrs
    assert "longer than it should" in element.text
    assert len(silent_pool.submitted) == 1, "it is one question"


def test_late_review_is_shown_and_cached(client, silent_pool):
    Visitor(client, CODE).slide(5)
    client.get(f"/play/{CODE}/review", headers=HTMX)
    made = Review(parse_puzzle(CODE), "U", (DistanceBounds(2, 2, (5,)), DistanceBounds(1, 1, (8,))))
    silent_pool.submitted[0][1].set_result(made)
    for _ in range(2):
        assert row(review(client, CODE), 1) == "1 5 up 1 move left"
    assert len(silent_pool.submitted) == 1


def test_second_review_of_a_visitor_waits_for_the_first(app, silent_pool):
    client = app.test_client()
    Visitor(client, CODE).slide(5)
    client.get(f"/play/{CODE}/review", headers=HTMX)
    Visitor(client, CODE).slide(8)
    page = markup.read(client.get(f"/play/{CODE}/review", headers=HTMX))
    assert page.one(id="review")["hx-get"].endswith("?try=1")
    assert len(silent_pool.submitted) == 1
    response = client.get(f"/play/{CODE}/review")
    assert (response.status_code, response.headers["Retry-After"]) == (429, "5")
    last = f"/play/{CODE}/review?try={review_module.MAX_TRIES}"
    assert client.get(last, headers=HTMX).status_code == 429


# The graph


def test_graph_follows_the_distances():
    way = solve(parse_puzzle(CODE), "astar").moves
    exact = [DistanceBounds(n, n) for n in (2, 3, 2, 1, 0)]
    seen = Review(parse_puzzle(CODE), "R" + inverse("R") + way, tuple(exact))
    assert graph(seen) == {
        "ideal": "M0 1L2 3",
        "away": "M0 1L1 0",
        "mark": "M1 0h0",
        "nearer": "M1 0L2 1L3 2L4 3",
    }
    some = (DistanceBounds(0, 2), *exact[1:])
    assert graph(Review(seen.puzzle, seen.made, some))["away unproved"] == "M0 1L1 0"
