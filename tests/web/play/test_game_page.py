"""The page of a game, and the fragment of it that a click answers with."""

import copy
from types import SimpleNamespace

import pytest

from slidewise import algorithms, heuristics
from tests.boards import ONE_MOVE as AFTER
from tests.boards import TWO_MOVES as CODE
from tests.boards import UNSOLVABLE
from tests.web import markup
from tests.web.visitor import Visitor
from webapp.play import game as game_module

CLICKS = ["slide", "undo", "redo", "restart", "assisted", "hint", "play-on"]


# Fragments and pages


@pytest.mark.parametrize("moves", [[], [5], [5, 8], [4, 7]])
def test_the_fragment_is_the_same_markup_as_in_the_page(client, moves, monkeypatch):
    monkeypatch.setattr(game_module, "time", SimpleNamespace(time=lambda: 1_000_000.0))
    player = Visitor(client, CODE)
    fragment = player.click("assisted")
    for tile in moves:
        fragment = player.slide(tile)
    page = player.look()
    for part in "board", "figures":
        assert fragment.one(id=part).same_as() == page.one(id=part).same_as()
    fragment, page = copy.deepcopy((fragment, page))  # others read the same ones
    for shown in fragment, page:
        shown.one(id="said").content.clear()
    assert fragment.one(id="play").same_as() == page.one(id="play").same_as()


def test_a_fragment_holds_the_game_and_the_figures_and_nothing_else(client):
    fragment = Visitor(client, CODE).slide(5)
    parts = [part["id"] for part in fragment.content if not isinstance(part, str)]
    assert parts == ["play", "finish", "figures", "path"]
    assert fragment.one(id="figures")["hx-swap-oob"] == "outerMorph"


def test_a_refusal_is_the_game_for_htmx_and_a_page_otherwise(client):
    for htmx in True, False:
        answer = Visitor(client, CODE, htmx=htmx).slide(1)
        assert bool(answer.all("html")) is not htmx
        assert answer.one(id="play")


@pytest.mark.parametrize("htmx", [True, False])
@pytest.mark.parametrize("what", CLICKS)
def test_no_cache_keeps_the_answer_to_a_click(client, what, htmx):
    player = Visitor(client, CODE, htmx=htmx)
    player.click(what, tile=5, start=CODE, moves="U")
    assert "cookie" in player.response.vary
    assert player.response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("what", CLICKS)
def test_looking_is_no_click(client, what):
    response = client.get(f"/play/{CODE}/{what}")
    assert response.status_code == 405
    assert "POST" in response.headers["Allow"]
    assert markup.board_of(markup.read(client.get(f"/play/{CODE}"))) == CODE


# The page


def test_the_solver_is_given_the_board_that_is_shown(client):
    fragment = Visitor(client, CODE).slide(5)
    shown = fragment.one("input", name="board")
    assert (shown["form"], shown["value"]) == ("solve", AFTER)


def test_a_goal_that_cannot_be_reached_is_explained_with_two_ways_out(client):
    page = markup.read(client.get(f"/play/{UNSOLVABLE}"))
    card = page.one(id="unsolvable")
    assert "7 pairs of tiles" in card.text
    ways = card.all("a")
    assert len(ways) == 2
    for way in ways:
        assert not markup.read(client.get(way["href"])).all(id="unsolvable")
    assert markup.moves_of(Visitor(client, UNSOLVABLE).slide(2)) == 1, "played all the same"


def test_the_solver_offers_what_there_is(client):
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
