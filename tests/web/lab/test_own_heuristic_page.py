"""The page of one's own heuristic."""

from __future__ import annotations

import contextlib
from concurrent.futures import Future
from urllib.parse import unquote

import pytest

from slidewise import (
    exact_table,
    parse_board,
    parse_puzzle,
    standard_goal,
)
from slidewise.study.checks import check
from tests.web import markup
from tests.web.streams import HTMX, PATIENCE
from webapp.lab import heuristics as page_module
from webapp.lab.heuristic_checks import CHECKS_AT_ONCE, WAITING_REQUESTS, Checks
from webapp.workers import Busy
from webapp.workers.services import services_of

CODE = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"


PUZZLE = parse_puzzle(CODE)


FOUR = "15.14.8.12-10.11.9.13-2.6.5.1-3.7.4.0"


def get(client, code=CODE, status=200, **query):
    """Return the page, or the answer if it is none."""
    response = client.get(f"/lab/{code}/heuristics", query_string=query)
    assert response.status_code == status
    return markup.read(response) if status != 302 else response


def figures(page):
    """Return {what: number} of the figures at the top."""
    found = next(one for one in page.all("div") if "figures" in one.classes)
    return {part.one("span").text: part.one("b").text for part in found.all("div")}


# One's own


def test_what_is_typed_leads_to_its_link(client):
    response = get(client, status=302, own="max(Manhattan,2*misplaced)")
    assert response.location == f"/lab/{CODE}/heuristics?h=%3Dmax(manhattan,+2+*+misplaced)#all"
    assert get(client, status=302, own=" =zero ").location.endswith("h=%3Dzero#all")
    assert get(client, status=302, h="=  zero").location.endswith("h=%3Dzero")
    assert client.get(response.location).status_code == 200


@pytest.mark.parametrize("query", [{"own": "manhattan +"}, {"h": "=manhattan +"}])
def test_what_cannot_be_read_stays_in_the_box(client, query):
    page = get(client, status=400, **query)
    assert page.one("input", name="own")["value"] == "manhattan +"
    assert page.one(id="read").text == (
        "Expected a name such as manhattan, a number or a bracket at the end."
    )


def test_on_a_larger_board_it_is_refused_with_the_reason(client):
    page = get(client, FOUR, status=400, h="=2 * manhattan")
    assert "up to 10 cells, not for 4x4" in page.one(id="read").text
    assert page.one("input", name="own")["value"] == "2 * manhattan"
    assert get(client, FOUR, status=302, own="zero").location


def test_unknown_names_are_told(client):
    page = get(client, status=400, h="taxi")
    assert "There is no heuristic 'taxi'" in page.text
    page = get(client, FOUR, status=400, h="exact")
    assert "has no tables for 4x4" in page.text


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("max(Manhattan,2)", "Reads as max(manhattan, 2)"),
        ("=zero", "Reads as zero"),
        ("manh", "There is no name 'manh'; "),
        ("<b>", "Expected a name"),
        ("", ""),
    ],
)
def test_while_it_is_typed(client, typed, said):
    response = client.get(f"/lab/{CODE}/heuristics/read", query_string={"own": typed}, headers=HTMX)
    assert response.status_code == 200
    assert markup.read(response).text.startswith(said)


def test_each_example_is_as_it_says(client):
    links = [link for link in get(client).all("a") if link.get("href", "").find("h=%3D") > 0]
    texts = {text for some in page_module.EXAMPLES.values() for text, _ in some}
    assert {link.text for link in links} == texts
    for goal in (PUZZLE.goal, standard_goal(3, 3)):
        for kind, some in page_module.EXAMPLES.items():
            for text, _ in some:
                assert check(f"={text}", goal).admissible == (kind == "Right"), text


def test_it_is_raced_and_solved_with(client):
    page = get(client, h="=max(manhattan, misplaced)")
    race = next(link for link in page.all("a") if link.text == "Race it")
    assert unquote(race["href"]).startswith(f"/lab/{CODE}?run=astar:=max(manhattan")
    solve = next(link for link in page.all("a") if link.text == "Play this board")
    game = markup.read(client.get(solve["href"]))
    option = game.one("select", name="heuristic").one("option", selected="")
    assert option["value"] == "=max(manhattan, misplaced)"
    response = client.post(
        f"/play/{CODE}/solve", data={"algorithm": "astar", "heuristic": option["value"]}
    )
    assert response.status_code == 303


# Under load


class NoAnswer:
    """A pool whose helpers never answer."""

    def __init__(self):
        self.asked = 0
        self.helpers = self.background = self

    def ask(self, *_, **__):
        self.asked += 1
        return Future()


def test_one_question_is_asked_once_and_no_more_than_a_few_at_a_time():
    pool = NoAnswer()
    checks, goal = Checks(pool), standard_goal(3, 3)
    for _ in range(2):
        with pytest.raises(Busy, match="Open this page again"):
            checks.within("=1", goal, 0)
    assert pool.asked == 1
    for number in range(2, CHECKS_AT_ONCE + 1):
        with pytest.raises(Busy, match="Open this page again"):
            checks.within(f"={number}", goal, 0)
    with pytest.raises(Busy, match="Many heuristics"):
        checks.within("=99", goal, 0)
    assert pool.asked == CHECKS_AT_ONCE


def test_no_more_than_some_requests_wait(client, app, monkeypatch):
    checks = services_of(app).get(Checks)
    with contextlib.ExitStack() as waiting:
        for _ in range(WAITING_REQUESTS):
            waiting.enter_context(checks.waiting())
        response = client.get(f"/lab/{CODE}/heuristics")
        assert response.status_code == 503
        assert response.headers["Retry-After"] == "5"
    get(client)


def test_a_check_is_kept(app):
    checks, goal = Checks(services_of(app).solvers), parse_board("1.2.3-4.5.0")
    found = checks.within("=misplaced", goal, PATIENCE)
    assert found.boards == exact_table(goal).boards
    assert checks.within("=misplaced", goal, 0) is found


def test_the_page_says_so_when_there_is_no_check(client, monkeypatch):
    monkeypatch.setattr(Checks, "within", lambda *_: (_ for _ in ()).throw(Busy("Later.", 5)))
    page = get(client)
    assert "Later." in page.one(id="all").text
    assert figures(page)["h of this board"] == "18"
