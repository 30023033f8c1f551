"""The page of a game, and the fragment of it that a click answers with."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.boards import ONE_MOVE as AFTER
from tests.boards import TWO_MOVES as CODE
from tests.web import markup
from tests.web.visitor import Visitor
from webapp.play import game as game_module

CLICKS = ["slide", "undo", "redo", "restart", "assisted", "hint", "play-on"]


@pytest.fixture(params=[True, False], ids=["htmx", "plain"])
def player(request, client):
    return Visitor(client, CODE, htmx=request.param)


# Fragments and pages


@pytest.mark.parametrize("moves", [[], [5], [5, 8], [4, 7]])
def test_the_fragment_is_the_same_markup_as_in_the_page(client, moves, monkeypatch):
    monkeypatch.setattr(game_module, "time", SimpleNamespace(time=lambda: 1_000_000.0))
    player = Visitor(client, CODE, htmx=True)
    fragment = player.click("restart")
    for tile in moves:
        fragment = player.slide(tile)
    page = player.look()
    for part in "board", "figures":
        assert fragment.one(id=part).same_as() == page.one(id=part).same_as()
    for shown in fragment, page:
        shown.one(id="said").content.clear()
    assert fragment.one(id="play").same_as() == page.one(id="play").same_as()


def test_a_fragment_holds_the_game_and_the_figures_and_nothing_else(client):
    fragment = Visitor(client, CODE, htmx=True).slide(5)
    assert [part["id"] for part in fragment.content if not isinstance(part, str)] == [
        "play",
        "figures",
    ]
    assert fragment.one(id="figures")["hx-swap-oob"] == "outerMorph"


def test_a_refusal_is_the_game_for_htmx_and_a_page_otherwise(client):
    fragment = Visitor(client, CODE, htmx=True).slide(1)
    assert not fragment.all("html")
    assert fragment.one(id="play")
    page = Visitor(client, CODE, htmx=False).slide(1)
    assert page.all("html")
    assert page.one(id="play")


@pytest.mark.parametrize("htmx", [True, False])
@pytest.mark.parametrize("what", CLICKS)
def test_caches_are_told_that_the_answer_depends_on_htmx(client, what, htmx):
    player = Visitor(client, CODE, htmx=htmx)
    player.click(what, tile=5, start=CODE, moves="U")
    assert "HX-Request" in player.response.vary
    assert "Cookie" in player.response.vary


def test_a_click_is_never_cached(player):
    player.slide(5)
    assert player.response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("what", CLICKS)
def test_looking_is_no_click(client, what):
    response = client.get(f"/play/{CODE}/{what}")
    assert response.status_code == 405
    assert "POST" in response.headers["Allow"]
    assert markup.board_of(markup.read(client.get(f"/play/{CODE}"))) == CODE


# The page


def test_the_wrapper_that_queues_clicks_is_not_part_of_the_fragment(client):
    page = markup.read(client.get(f"/play/{CODE}"))
    wrapper = page.one(id="game")
    assert wrapper["hx-sync:inherited"] == "#game:queue all"
    assert wrapper["hx-swap:inherited"] == "outerMorph"
    assert wrapper["hx-target:inherited"] == "#play"
    assert page.one(id="play").parent is wrapper


def test_solving_does_not_wait_for_the_clicks_nor_they_for_it(client):
    solve = markup.read(client.get(f"/play/{CODE}")).one(id="solve")
    assert "game" not in {element.get("id") for element in solve.ancestors}
    assert "#game" not in solve["hx-sync"]


def test_the_solver_is_given_the_board_that_is_shown(client):
    fragment = Visitor(client, CODE, htmx=True).slide(5)
    shown = fragment.one("input", name="board")
    assert (shown["form"], shown["value"]) == ("solve", AFTER)


def test_the_link_to_share_is_the_address_of_the_page(client):
    player = Visitor(client, f"{CODE}_0.1.2-3.4.5-6.7.8", htmx=True)
    player.slide(5)
    sheet = markup.read(client.get(player.look().one(id="share-button")["href"]))
    link = sheet.one(id="link-to-puzzle")["value"]
    assert link == f"http://localhost/play/{player.code}"


def test_a_goal_that_cannot_be_reached_is_explained_with_two_ways_out(client):
    page = markup.read(client.get("/play/1.2.3-8.0.4-7.6.5"))
    card = page.one(id="unsolvable")
    assert "7 pairs of tiles stand in another order than in the goal" in card.text
    assert "the goal cannot be reached" in card.text
    ways = card.all("a")
    assert len(ways) == 2
    for way in ways:
        assert not markup.read(client.get(way["href"])).all(id="unsolvable")


def test_it_can_be_played_all_the_same(client):
    page = Visitor(client, "1.2.3-8.0.4-7.6.5", htmx=True).slide(2)
    assert markup.moves_of(page) == 1


def test_the_solver_offers_what_there_is(client):
    from slidewise import algorithms, heuristics

    page = markup.read(client.get(f"/play/{CODE}"))
    for name, there_are in (("algorithm", algorithms()), ("heuristic", heuristics())):
        options = page.one("select", name=name).all("option")
        assert {option["value"]: option.text for option in options} == {
            key: entry.title for key, entry in there_are.items()
        }
        assert len([option for option in options if "selected" in option.attrs]) == 1


def test_a_link_can_choose_the_algorithm(client):
    page = markup.read(client.get(f"/play/{CODE}?algorithm=bfs&heuristic=misplaced"))
    chosen = [option["value"] for option in page.all("option", selected="")]
    assert {"bfs", "misplaced"} <= set(chosen)
