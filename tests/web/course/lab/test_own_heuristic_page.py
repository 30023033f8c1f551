"""The page of a visitor's own heuristic: input, errors, and behaviour under load."""

import contextlib
from concurrent.futures import Future
from urllib.parse import unquote

import pytest

from slidewise import exact_table, parse_board, parse_puzzle, standard_goal
from slidewise.course.searching.explanation import check
from slidewise.solver.own.parse import EXPRESSION_CHARACTERS
from tests.boards import FOUR_FAR, SMALL_SOLVED, TEXTBOOK
from tests.web import markup
from tests.web.course.lab import pages
from tests.web.course.lab.pages import figures
from tests.web.streams import HTMX, PATIENCE
from tests.web.visitor import submit
from webapp.course.lab import heuristics as page_module
from webapp.course.lab.heuristics import CHECKS_AT_ONCE, WAITING_REQUESTS, Checks
from webapp.workers import Busy
from webapp.workers.shared import LocalShared, services_of

PATH = f"/lab/{TEXTBOOK}/heuristics"


def get(client, code=TEXTBOOK, status=200, **query):
    return pages.get(client, code, "/heuristics", status, **query)


# Input


@pytest.mark.parametrize(
    ("query", "link"),
    [
        ({"own": "max(Manhattan,2*misplaced)"}, "%3Dmax(manhattan,+2+*+misplaced)#all"),
        ({"own": " =zero "}, "%3Dzero#all"),
        ({"h": "=  zero"}, "%3Dzero"),
    ],
)
def test_expression_redirects_to_its_link(client, query, link):
    response = client.get(PATH, query_string=query)
    assert (response.status_code, response.location) == (302, f"{PATH}?h={link}")
    page = markup.read(client.get(response.location))
    assert page.one(id="all-title").text.startswith("On all boards: ")


WRONG = {
    "typed": (TEXTBOOK, {"own": "foo + 1"}, "There is no name 'foo'"),
    "unfinished": (TEXTBOOK, {"own": "manhattan +"}, "Expected a name"),
    "by a link": (TEXTBOOK, {"h": "=manhattan / 2"}, "write // to divide"),
    "on a large board": (FOUR_FAR, {"h": "=2 * manhattan"}, "up to 10 cells, not for 4x4"),
}


@pytest.mark.parametrize(("code", "query", "words"), WRONG.values(), ids=WRONG)
def test_bad_expression_is_400_with_an_error_at_its_field(client, code, query, words):
    page = get(client, code, 400, **query)
    assert page.one("title").text.startswith("Error in your own heuristic")
    field = page.one(id="expression")
    assert field["value"] == next(iter(query.values())).removeprefix("=")
    assert field["aria-invalid"] == "true"
    descriptions = [page.one(id=name) for name in field["aria-describedby"].split()]
    assert words in descriptions[0].text
    assert descriptions[0].one("p", role="alert")
    assert page.all(id="all") == []
    assert "Manhattan" not in page.one("h1").parent.text
    assert [link.text for link in page.all("a", aria_current="true")] == ["Your own heuristic"]
    assert "Race it" not in page.text


def test_form_is_corrected_without_javascript(client):
    response = client.get(PATH)
    for typed, words in ("max(manhattan", "bracket"), ("max(manhattan, misplaced)", "Admissible."):
        button = next(one for one in markup.read(response).all("button") if one.text == "Check it")
        response = submit(client, response, button, own=typed)
        page = markup.read(response)
        assert words in page.one(id="main").text
        assert page.one(id="expression")["value"] == typed
    for link, words in ("inversions", "Not admissible."), ("Pattern databases", "Not consistent."):
        (found,) = [one for one in page.all("a") if one.text == link]
        page = markup.read(client.get(found["href"]))
        assert words in page.one(id="all").text


def test_form_leads_to_the_field_of_the_expression(client):
    page = get(client)
    form = next(one for one in page.all("form") if one["action"].endswith("/heuristics#expression"))
    field = form.one("input", name="own")
    assert (field["id"], field["maxlength"]) == ("expression", str(EXPRESSION_CHARACTERS))
    assert "aria-invalid" not in field.attrs
    found = get(client, own=field["placeholder"])
    assert "✓Admissible." in found.one(id="all").text.replace(" ", "")


def test_unknown_heuristic_is_400(client):
    page = get(client, status=400, h="taxi")
    assert "There is no heuristic 'taxi'" in page.text
    page = get(client, FOUR_FAR, status=400, h="exact")
    assert "has no tables for 4x4" in page.text


@pytest.mark.parametrize(
    ("typed", "beginning"),
    [
        ("max(Manhattan,2)", "Reads as max(manhattan, 2)"),
        ("=zero", "Reads as zero"),
        ("2 × manhattan − misplaced", "Reads as 2 * manhattan - misplaced"),
        ("manh", "There is no name 'manh'; "),
        ("<b>", "Expected a name"),
        ("", ""),
    ],
)
def test_expression_is_checked_while_typed(client, typed, beginning):
    response = client.get(f"{PATH}/read", query_string={"own": typed}, headers=HTMX)
    assert response.status_code == 200
    assert markup.read(response).text.startswith(beginning)


def test_examples_are_right_or_wrong_as_listed(client):
    links = [link for link in get(client).all("a") if link.get("href", "").find("h=%3D") > 0]
    texts = {text for some in page_module.EXAMPLES.values() for text, _ in some}
    assert {link.text for link in links} == texts
    for goal in (parse_puzzle(TEXTBOOK).goal, standard_goal(3, 3)):
        for kind, some in page_module.EXAMPLES.items():
            for text, _ in some:
                assert check(f"={text}", goal).admissible == (kind == "Right"), text


def test_own_heuristic_can_be_raced_and_solved_with(client):
    page = get(client, h="=max(manhattan, misplaced)")
    race = next(link for link in page.all("a") if link.text == "Race it")
    assert unquote(race["href"]).startswith(f"/lab/{TEXTBOOK}?run=astar:=max(manhattan")
    solve = next(link for link in page.all("a") if link.text == "Play this board")
    game = markup.read(client.get(solve["href"]))
    option = game.one("select", name="heuristic").one("option", selected="")
    assert option["value"] == "=max(manhattan, misplaced)"
    response = client.post(
        f"/play/{TEXTBOOK}/solve", data={"algorithm": "astar", "heuristic": option["value"]}
    )
    assert response.status_code == 303


# Under load


class SilentHelpers:
    """A pool whose helpers never answer."""

    def __init__(self):
        self.submitted = 0
        self.calls = self

    def submit(self, *_, **__):
        self.submitted += 1
        return Future()


def test_checks_are_shared_and_limited():
    pool = SilentHelpers()
    checks, goal = Checks(pool, LocalShared()), standard_goal(3, 3)
    for number in (1, *range(1, CHECKS_AT_ONCE + 1)):
        with pytest.raises(Busy, match="Try again in a moment"):
            checks.within(f"={number}", goal, 0)
    with pytest.raises(Busy, match="Many heuristics"):
        checks.within("=99", goal, 0)
    assert pool.submitted == CHECKS_AT_ONCE


def test_request_beyond_the_waiting_limit_is_503(client, app):
    checks = services_of(app).get(Checks)
    with contextlib.ExitStack() as waiting:
        for _ in range(WAITING_REQUESTS):
            waiting.enter_context(checks.waiting())
        response = client.get(PATH)
        assert (response.status_code, response.headers["Retry-After"]) == (503, "5")
    get(client)


def test_check_is_cached(app):
    checks, goal = Checks(services_of(app).solvers, LocalShared()), parse_board(SMALL_SOLVED)
    found = checks.within("=misplaced", goal, PATIENCE)
    assert found.boards == exact_table(goal).boards
    assert checks.within("=misplaced", goal, 0) is found


def test_page_without_a_check_shows_the_reason(client, monkeypatch):
    monkeypatch.setattr(Checks, "within", lambda *_: (_ for _ in ()).throw(Busy("Later.", 5)))
    page = get(client)
    assert "Later." in page.one(id="all").text
    assert figures(page)["h of this board"] == "18"
