"""How many moves are to go: at once for small boards, fetched for larger ones, never wrong."""

from __future__ import annotations

from concurrent.futures import Future

import pytest

from slidewise import exact_table, parse_board, parse_puzzle, scramble, solve
from slidewise.study.distance_ahead import DistanceAhead, moves_at_least
from tests.boards import FOUR_NEAR as FOUR
from tests.boards import TWO_MOVES as CODE
from tests.boards import UNSOLVABLE
from tests.web import markup
from tests.web.streams import HTMX, PATIENCE, until
from tests.web.visitor import Visitor
from webapp.workers.cache import Cache
from webapp.workers.distances import Distances
from webapp.workers.services import services_of

FETCHED = "5.1.2.4-9.6.3.8-13.10.7.0-14.15.12.11"


FIVE = str(scramble(5, 5, "1"))


def fetch(client, code, board=None, **query):
    """Return the fragment that a page fetches."""
    query = {"board": board or code, "try": "1", **query}
    return Visitor(client, code).look("to-go", htmx=True, **query)


def fetch_known(client, code, **query):
    """Fetch until the answer says that it is all there is; the first of all has to compile."""
    found = []

    def known():
        found[:] = [fetch(client, code, **query)]
        return "hx-get" not in found[0].inside.__next__().attrs

    assert until(known, PATIENCE) is True
    return found[0]


def figure(page):
    """Return the number with its words, without how the last move changed it."""
    element = page.one(id="to-go")
    return f"{element.all('b')[0].text} {element.all('span')[0].text}"


def change(page):
    """Return how the last move changed the number, "" where that is not said."""
    return " ".join(chip.text for chip in page.one(id="to-go").all("small"))


def at_least(text):
    return int(text.removesuffix(" to go, at least"))


# Small boards


def test_the_number_comes_with_the_page_and_with_each_click(client):
    table = exact_table(parse_puzzle(CODE).goal)
    page = markup.read(client.get(f"/play/{CODE}"))
    assert figure(page) == "2 to go, at best"
    for tile in 4, 1, 2, 3, 6:
        page = Visitor(client, CODE).slide(tile)
        board = page.one(id="play")["data-board"]
        distance = table.distance(parse_board(board))
        assert figure(page) == f"{distance} to go, at best"
        assert page.one(id="to-go")["data-of"] == board
        assert f" {distance} to go, 1 " in page.one(id="said").text
        assert "hx-get" not in page.one(id="to-go").attrs


def test_it_is_told_of_every_click_but_not_with_a_refusal_or_at_the_end(client):
    assert Visitor(client, CODE).slide(5).one(id="said").text == (
        "Tile 5 up. 1 move. 1 to go, 1 nearer."
    )
    assert Visitor(client, CODE).click("undo").one(id="said").text == "Undone. 2 to go."
    assert "to go" not in Visitor(client, CODE).slide(1).one(id="said").text
    Visitor(client, CODE).slide(5)
    assert Visitor(client, CODE).slide(8).one(id="said").text == "Tile 8 left. Solved in 2 moves."


def test_each_goal_has_its_own_number(client):
    page = markup.read(client.get("/play/7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"))
    assert figure(page) == "26 to go, at best"
    assert page.one(id="shortest").text == "· 26 moves at best (hard)"


def test_a_click_never_waits_long_and_the_page_then_fetches_the_number(client, app, monkeypatch):
    monkeypatch.setitem(app.config, "CLICK_WAIT", 0.05)
    monkeypatch.setattr(services_of(app).get(Distances), "_pool", Deaf())
    monkeypatch.setattr(services_of(app).get(Distances), "_known", Cache(9))
    page = Visitor(client, CODE).slide(5)
    element = page.one(id="to-go")
    assert element.text == "… to go, at best"
    assert "js-only" in element.classes, "without JavaScript it would never come"
    board = page.one(id="play")["data-board"]
    assert (
        element["hx-get"] == f"/play/{CODE}/to-go?board={board}&place=figures&try=1&before={CODE}"
    )
    assert "to go" not in page.one(id="said").text


def test_it_tells_whether_the_last_move_came_nearer(client):
    assert change(markup.read(client.get(f"/play/{CODE}"))) == ""
    assert change(Visitor(client, CODE).slide(5)) == "−1 1 nearer"
    assert change(Visitor(client, CODE).slide(5)) == "+1 1 farther"
    page = Visitor(client, CODE).click("undo")
    assert change(page) == "", "it is not the undoing that is told of"
    assert page.one(id="said").text == "Undone. 1 to go."
    assert change(Visitor(client, CODE).click("restart")) == ""


def test_a_line_can_change_it_by_more(client):
    code = "1.2.3-4.5.6-0.7.8"
    assert change(Visitor(client, code).slide(8)) == "−2 2 nearer"
    assert change(Visitor(client, code).slide(7)) == "+2 2 farther"


# Larger boards


def test_a_4x4_page_fetches_the_number(client):
    page = markup.read(client.get(f"/play/{FETCHED}"))
    for name in "to-go", "shortest":
        element = page.one(id=name)
        assert element["hx-target"] == "this"
        assert element["hx-swap"] == "outerMorph"
        fetched = markup.read(client.get(element["hx-get"], headers=HTMX))
        assert fetched.one(id=name)["data-of"] == FETCHED


def test_it_is_exact_on_4x4(client):
    length = solve(parse_puzzle(FOUR), "idastar", "linear-conflict").length
    page = fetch_known(client, FOUR)
    assert figure(page) == f"{length} to go, at best"
    assert page.one("hx-partial", hx_target="#to-go-said").text == f"{length} to go."
    page = fetch(client, FOUR, place="title")
    assert page.one(id="shortest").text == f"· {length} moves at best (easy)"
    page = fetch(client, FOUR, place="won")
    assert page.one(id="won-shortest").text == f"The shortest solution has {length}."


def test_what_is_known_once_is_there_at_once(client):
    """And so are the boards on the shortest way that was found."""
    fetch_known(client, FOUR)
    page = markup.read(client.get(f"/play/{FOUR}"))
    length = int(page.one(id="to-go").all("b")[0].text)
    hinted = Visitor(client, FOUR).click("hint")
    tile = next(tile["value"] for tile in hinted.all("button") if "hint" in tile.classes)
    assert figure(Visitor(client, FOUR).slide(tile)) == f"{length - 1} to go, at best"


def test_on_4x4_the_change_is_told_with_the_number(client, app, monkeypatch):
    known = Cache(9)
    monkeypatch.setattr(services_of(app).get(Distances), "_known", known)
    board, before = "1.2.3.4-5.6.7.8-9.10.11.12-13.14.0.15", "1.2.3.4-5.6.7.8-9.10.0.12-13.14.11.15"
    known.put(parse_puzzle(board), DistanceAhead(1, 1, 15))
    assert change(fetch(client, FOUR, board, before=before)) == ""
    known.put(parse_puzzle(before), DistanceAhead(2, 4, 11))
    assert change(fetch(client, FOUR, board, before=before)) == "", "it is a bound only"
    known.put(parse_puzzle(before), DistanceAhead(2, 2, 11))
    page = fetch(client, FOUR, board, before=before)
    assert change(page) == "−1 1 nearer"
    assert page.one("hx-partial").text == "1 to go, 1 nearer."


def test_above_16_cells_it_is_at_least_the_linear_conflict(client):
    page = markup.read(client.get(f"/play/{FIVE}"))
    bound = moves_at_least(parse_puzzle(FIVE))
    element = page.one(id="to-go")
    assert at_least(element.text) >= bound  # more where a search has proved it before
    assert "hx-get" not in element.attrs
    assert page.one(id="shortest").text == f"· at least {at_least(element.text)} moves"
    tile = next(
        tile["value"] for tile in page.all("button") if "can move" in tile.get("aria-label", "")
    )
    after = Visitor(client, FIVE).slide(tile)
    bound = moves_at_least(parse_puzzle(after.one(id="play")["data-board"]))
    assert at_least(figure(after)) >= bound
    assert after.one(id="said").text.endswith(f"at least {at_least(figure(after))} to go.")


def test_where_it_is_not_found_in_time_what_is_known_is_said_and_asked_again(
    client, app, monkeypatch
):
    monkeypatch.setitem(app.config, "NUMBER_WAIT", 0.05)
    lookout = services_of(app).get(Distances)
    monkeypatch.setattr(lookout, "_pool", Deaf())
    code = str(scramble(4, 4, "never asked before"))
    bound = moves_at_least(parse_puzzle(code))
    for attempt in 1, 2, 3:
        element = fetch(client, code, **{"try": str(attempt)}).one(id="to-go")
        assert element.text == f"{bound} to go, at least"
        assert element["hx-get"].endswith(f"&place=figures&try={attempt + 1}")
        assert element["hx-trigger"] == "revealed delay:2s"
    page = fetch(client, code, **{"try": "4"})
    assert "hx-get" not in page.one(id="to-go").attrs
    assert page.one("hx-partial").text == f"at least {bound} to go."


def test_a_search_that_ends_without_proof_is_a_bound(client, app):
    code = str(scramble(4, 4, "of no known length"))
    puzzle = parse_puzzle(code)
    services_of(app).get(Distances)._known.put(puzzle, DistanceAhead(49, 61, 3))
    page = fetch(client, code)
    assert figure(page) == "49 to go, at least"
    assert "hx-get" not in page.one(id="to-go").attrs


# No number


def test_where_the_goal_cannot_be_reached_there_is_none(client):
    page = markup.read(client.get(f"/play/{UNSOLVABLE}"))
    assert not page.all(id="to-go")
    assert not page.all(id="shortest")
    assert fetch(client, UNSOLVABLE).text == ""
    assert not Visitor(client, UNSOLVABLE).slide(2).all(id="to-go")


def test_a_solved_board_has_none_to_go(client):
    Visitor(client, CODE).slide(5)
    page = Visitor(client, CODE).slide(8)
    assert figure(page) == "0 to go, at best"
    assert "The shortest solution has 2." in page.one(id="won").text
    page = markup.read(client.get("/play/1.2.3-4.5.6-7.8.0"))
    assert not page.all(id="shortest")
    assert figure(page) == "0 to go, at best"


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({}, "no cells"),
        ({"board": "1.2-3.0"}, "3 rows of 3"),
        ({"board": "<b>"}, "got 1: '<b>'"),
        ({"board": "1.2.3-4.5.6-7.8.8"}, "missing: 0"),
        ({"board": CODE, "before": "1.2-3.0"}, "3 rows of 3"),
        ({"board": "9" * 5000}, ""),
        ({"board": CODE, "place": "moon"}, "figures, title, won"),
    ],
)
def test_what_is_asked_wrongly_is_told(client, query, words):
    response = client.get(f"/play/{CODE}/to-go", query_string=query, headers=HTMX)
    assert response.status_code == 400
    assert words in markup.read(response).text
    assert response.headers["HX-Retarget"] == "#notice"


@pytest.mark.parametrize("attempt", ["", "0", "5", "-1", "x", "9" * 99])
def test_any_number_of_a_try_will_do(client, attempt):
    assert "hx-get" not in fetch_known(client, CODE, **{"try": attempt}).one(id="to-go").attrs


def test_without_htmx_it_leads_to_the_game(client):
    response = client.get(f"/play/{CODE}/to-go?board={CODE}")
    assert response.status_code == 302
    assert response.location == f"/play/{CODE}"


def test_asking_changes_no_game_and_is_never_cached(client):
    response = client.get(f"/play/{CODE}/to-go?board={CODE}", headers=HTMX)
    assert "Set-Cookie" not in response.headers
    assert response.headers["Cache-Control"] == "no-store"
    assert "HX-Request" in response.vary
    assert client.post(f"/play/{CODE}/to-go", headers=HTMX).status_code == 405


# Bounds


class Awaited(Future):
    """An answer to come, and how many have begun to wait for it."""

    waits = 0

    def result(self, timeout=None):
        self.waits += 1
        return super().result(timeout)


class Deaf:
    """A pool whose helpers never answer."""

    def __init__(self):
        self.helpers = self.background = self
        self.asked = []

    def wait_for_start(self, seconds):
        return True

    def ask(self, function, puzzle, *args, timeout):
        self.asked.append((puzzle, Awaited()))
        return self.asked[-1][1]
