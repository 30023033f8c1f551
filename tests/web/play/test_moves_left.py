"""Moves left: immediate for small boards, fetched for larger ones, never wrong."""

import re
from dataclasses import replace

import pytest

from slidewise import exact_table, parse_board, parse_puzzle, scramble, solve
from slidewise.analysis.distance import DistanceAhead
from slidewise.solver.known import moves_at_least
from tests.boards import FIVE, LINE_OF_TWO, SOLVED, UNSOLVABLE
from tests.boards import FOUR_NEAR as FOUR
from tests.boards import FOUR_ONE_MOVE as FOUR_LAST
from tests.boards import TWO_MOVES as CODE
from tests.each import each
from tests.web import markup
from tests.web.play.playing import fetch, fetch_known, figure
from tests.web.streams import HTMX
from tests.web.visitor import Visitor
from webapp.play.moves_left import MovesLeft, Projection, projected_result
from webapp.workers.distances import KNOWN, Distances
from webapp.workers.shared import LocalShared, services_of

FETCHED = "5.1.2.4-9.6.3.8-13.10.7.0-14.15.12.11"


def announced(page):
    """Return the announcement for screen readers when the number has come."""
    return page.one("hx-partial", hx_target="#to-go-said").text


def at_least(text):
    return int(text.removesuffix(" moves left (at least)"))


# Small boards


def test_number_comes_with_the_page_and_each_click(client):
    table = exact_table(parse_puzzle(CODE).goal)
    page = markup.read(client.get(f"/play/{CODE}"))
    assert figure(page) == "2 moves left (best play)"
    for tile in 4, 1, 2, 3, 6:
        page = Visitor(client, CODE).slide(tile)
        board = page.one(id="play")["data-board"]
        distance = table.distance(parse_board(board))
        assert figure(page) == f"{distance} moves left (best play)"
        assert page.one(id="to-go")["data-of"] == board
        assert f" {distance} move" in page.one(id="said").text
        assert "hx-get" not in page.one(id="to-go").attrs


def test_click_looks_up_its_distances_once(client, monkeypatch):
    cached, calls = Distances.cached, []
    monkeypatch.setattr(
        Distances, "cached", lambda *args: (calls.append(args[1:]), cached(*args))[1]
    )
    Visitor(client, CODE).slide(5)
    assert len(calls) == 1


@pytest.mark.usefixtures("no_answers")
def test_click_without_the_number_answers_soon_and_fetches_it(client, app, monkeypatch):
    monkeypatch.setitem(app.config, "CLICK_WAIT", 0.05)
    page = Visitor(client, CODE).slide(5)
    element = page.one(id="to-go")
    assert figure(page) == "… moves left (best play)"
    assert "js-only" in element.classes, "without JavaScript it would never come"
    board = page.one(id="play")["data-board"]
    query = f"board={board}&place=figures&try=1&made=1&before={CODE}"
    assert element["hx-get"] == f"/play/{CODE}/to-go?{query}"
    assert "left" not in page.one(id="said").text


def test_click_announces_whether_it_came_nearer(client):
    line = Visitor(client, f"{LINE_OF_TWO}_{CODE}").slide(8)
    assert "left, as before." in line.one(id="said").text
    player = Visitor(client, CODE)
    assert "left" not in player.slide(1).one(id="said").text
    for what, said in (
        (5, "Tile 5 up. 1 move so far. 1 move left, down from 2."),
        (5, "Tile 5 down. 2 moves so far. 2 moves left, up from 1."),
        ("undo", "Undone. 1 move left."),  # the undo itself is not announced
        (8, r"Tile 8 left. Solved in 2 moves. Time: 0:0.*\. Shortest solution: 2 moves."),
        ("restart", "Restarted. 2 moves left."),
    ):
        page = player.click(what) if isinstance(what, str) else player.slide(what)
        assert re.fullmatch(said, page.one(id="said").text)


def test_stars_are_those_of_the_projected_result(client):
    player = Visitor(client, CODE)
    for tiles, moves, earned in ([], 2, 3), ([4], 4, 1), ([4], 4, 1), ([5, 8], 4, 1):
        for tile in tiles:
            player.slide(tile)
        page = player.look()
        assert page.one(id="stars").one("dt").text == f"on course for {moves} moves"
        assert page.one(id="stars").one("span")["aria-label"] == f"{earned} of 3 stars"
    won = page.one(id="won")
    assert "Shortest: 2 moves. One detour cost you 2 moves." in won.text
    assert page.one(id="path").one("svg")["aria-label"].endswith("detours: move 1.")


EXACT = MovesLeft(parse_board("1.2.3-4.5.0-7.8.6"), 4, exact=True, attempt=None)
NO_MORE = replace(EXACT, exact=False)
PENDING = replace(NO_MORE, attempt=1)
SOONER = replace(EXACT, moves=3)


@each(
    ("left", "shortest", "was", "expected"),
    [
        (None, None, None, None),
        (None, EXACT, None, None),
        (EXACT, None, None, None),
        (EXACT, EXACT, None, Projection(6, 1)),
        (NO_MORE, EXACT, SOONER, None),
        (EXACT, NO_MORE, SOONER, None),
        (PENDING, NO_MORE, None, Projection(None, 0)),
        (NO_MORE, PENDING, SOONER, Projection(None, 0)),
        (PENDING, EXACT, None, Projection(None, 0)),
        (PENDING, EXACT, NO_MORE, Projection(None, 0)),
        (PENDING, EXACT, SOONER, Projection(None, 3)),
    ],
)
def test_projection_needs_both_distances(left, shortest, was, expected):
    assert projected_result(2, left, shortest, was) == expected


# Larger boards


def test_page_of_4x4_fetches_the_number(client):
    page = markup.read(client.get(f"/play/{FETCHED}"))
    for name in "to-go", "shortest":
        element = page.one(id=name)
        assert element["hx-target"] == "this"
        assert element["hx-swap"] == "outerMorph"
        fetched = markup.read(client.get(element["hx-get"], headers=HTMX))
        assert fetched.one(id=name)["data-of"] == FETCHED


def test_number_on_4x4_is_exact(client):
    length = solve(parse_puzzle(FOUR), "idastar", "linear-conflict").length
    page = fetch_known(client, FOUR)
    assert figure(page) == f"{length} moves left (best play)"
    assert page.one("hx-partial", hx_target="#to-go-said").text == f"{length} moves left."
    assert figure(Visitor(client, FOUR).look()) == figure(page), "known once, it is there at once"
    page = fetch(client, FOUR, place="title")
    assert page.one(id="shortest").text == f"Easy · shortest solution: {length} moves"
    page = fetch(client, FOUR, place="won")
    assert page.one(id="won-shortest").text == f"Shortest: {length} moves."


def test_number_on_4x4_is_announced_with_its_change(client, app, monkeypatch):
    known = LocalShared()
    monkeypatch.setattr(services_of(app).get(Distances), "_shared", known)
    board, before = FOUR_LAST, "1.2.3.4-5.6.7.8-9.10.0.12-13.14.11.15"
    known.put(KNOWN, parse_puzzle(board), DistanceAhead(1, 1, 15))
    assert announced(fetch(client, FOUR, board, before=before)) == "1 move left."
    known.put(KNOWN, parse_puzzle(before), DistanceAhead(2, 4, 11))
    assert announced(fetch(client, FOUR, board, before=before)) == "1 move left.", (
        "it is a bound only"
    )
    known.put(KNOWN, parse_puzzle(before), DistanceAhead(2, 2, 11))
    assert announced(fetch(client, FOUR, board, before=before)) == "1 move left, down from 2."


def test_finish_on_4x4_has_a_chart_if_the_numbers_are_known(client, app, monkeypatch):
    known = LocalShared()
    monkeypatch.setattr(services_of(app).get(Distances), "_shared", known)
    code = "1.2.3.4-5.6.7.8-9.10.0.12-13.14.11.15"
    player = Visitor(client, code)
    player.slide(11)
    assert not player.slide(15).one(id="path").text, "not known: nothing is drawn"
    known.put(KNOWN, parse_puzzle(code), DistanceAhead(2, 2, 11))
    page = markup.read(client.get(f"/play/{code}"))
    chart = page.one(id="path").one("svg")["aria-label"]
    assert " ".join(chart.split()) == "2 moves left at the start, 0 after 2 moves."


def test_number_above_16_cells_is_at_least_linear_conflict(client):
    page = markup.read(client.get(f"/play/{FIVE}"))
    bound = moves_at_least(parse_puzzle(FIVE))
    element = page.one(id="to-go")
    assert at_least(figure(page)) >= bound  # more if an earlier search proved it
    assert "hx-get" not in element.attrs
    assert (
        page.one(id="shortest").text
        == f"shortest solution: at least {at_least(figure(page))} moves"
    )
    tile = next(
        tile["value"] for tile in page.all("button") if "can move" in tile.get("aria-label", "")
    )
    after = Visitor(client, FIVE).slide(tile)
    bound = moves_at_least(parse_puzzle(after.one(id="play")["data-board"]))
    assert at_least(figure(after)) >= bound
    assert after.one(id="said").text.endswith(f"At least {at_least(figure(after))} moves left.")


@pytest.mark.usefixtures("no_answers")
def test_late_number_shows_the_bound_and_is_fetched_again(client, app, monkeypatch):
    monkeypatch.setitem(app.config, "NUMBER_WAIT", 0.05)
    code = str(scramble(4, 4, "never asked before"))
    bound = moves_at_least(parse_puzzle(code))
    for attempt in 1, 2, 3:
        page = fetch(client, code, **{"try": str(attempt)})
        element = page.one(id="to-go")
        assert figure(page) == f"{bound} moves left (at least)"
        assert f"&place=figures&try={attempt + 1}&" in element["hx-get"]
        assert element["hx-trigger"] == "revealed delay:2s"
    page = fetch(client, code, **{"try": "4"})
    assert "hx-get" not in page.one(id="to-go").attrs
    assert announced(page) == f"At least {bound} moves left."


def test_number_without_proof_is_a_bound(client, app):
    code = str(scramble(4, 4, "of no known length"))
    services_of(app).get(Distances)._shared.put(KNOWN, parse_puzzle(code), DistanceAhead(49, 61, 3))
    page = fetch(client, code)
    assert figure(page) == "49 moves left (at least)"
    assert "hx-get" not in page.one(id="to-go").attrs


# No number


def test_unreachable_goal_has_no_number(client):
    page = markup.read(client.get(f"/play/{UNSOLVABLE}"))
    assert not page.all(id="to-go")
    assert not page.all(id="shortest")
    assert fetch(client, UNSOLVABLE).text == ""
    assert not Visitor(client, UNSOLVABLE).slide(2).all(id="to-go")


def test_solved_board_has_0_moves_left(client):
    page = Visitor(client, CODE).slide(5, 8)
    assert figure(page) == "0 moves left (best play)"
    page = Visitor(client, SOLVED).look()
    assert not page.all(id="shortest")
    assert figure(page) == "0 moves left (best play)"


@each(
    ("query", "words"),
    [
        ({}, "no cells"),
        ({"board": "1.2-3.0"}, "3 rows of 3"),
        ({"board": CODE, "before": "1.2-3.0"}, "3 rows of 3"),
        ({"board": CODE, "place": "moon"}, "figures, title, won"),
    ],
)
def test_bad_query_of_the_number_is_400(client, query, words):
    response = client.get(f"/play/{CODE}/to-go", query_string=query, headers=HTMX)
    assert response.status_code == 400
    assert words in markup.read(response).text
    assert response.headers["HX-Retarget"] == "#notice"


@each("attempt", ["", "0", "5", "-1", "x", "9" * 99])
def test_bad_try_number_is_accepted(client, attempt):
    assert "hx-get" not in fetch_known(client, CODE, **{"try": attempt}).one(id="to-go").attrs


def test_number_without_htmx_redirects_and_post_is_405(client):
    response = client.get(f"/play/{CODE}/to-go?board={CODE}")
    assert (response.status_code, response.location) == (302, f"/play/{CODE}")
    assert client.post(f"/play/{CODE}/to-go", headers=HTMX).status_code == 405
