"""The page of a game, and the fragment that answers a click."""

import copy
from types import SimpleNamespace

import pytest

from slidewise import algorithms, heuristics
from tests.boards import ONE_MOVE as AFTER
from tests.boards import TWO_MOVES as CODE
from tests.boards import UNSOLVABLE
from tests.each import each
from tests.web import markup
from tests.web.visitor import Visitor
from webapp.play import game as game_module

CLICKS = ["slide", "undo", "redo", "restart", "assisted", "hint", "play-on"]


# Fragments and pages


@pytest.mark.parametrize("moves", [[], [5], [5, 8], [4, 7]])
def test_fragment_has_the_markup_of_the_page(client, moves, monkeypatch):
    monkeypatch.setattr(game_module, "time", SimpleNamespace(time=lambda: 1_000_000.0))
    player = Visitor(client, CODE)
    fragment = player.click("assisted")
    for tile in moves:
        fragment = player.slide(tile)
    page = player.look()
    for part in "board", "figures":
        assert fragment.one(id=part).same_as() == page.one(id=part).same_as()
    fragment, page = copy.deepcopy((fragment, page))  # other tests read the same pages
    for shown in fragment, page:
        shown.one(id="said").content.clear()
    assert fragment.one(id="play").same_as() == page.one(id="play").same_as()


def test_fragment_holds_only_the_game_and_the_figures(client):
    fragment = Visitor(client, CODE).slide(5)
    parts = [part["id"] for part in fragment.content if not isinstance(part, str)]
    assert parts == ["play", "finish", "figures", "path"]
    assert fragment.one(id="figures")["hx-swap-oob"] == "outerMorph"


@each("what", CLICKS)
def test_answer_to_a_click_is_not_cached(client, what, htmx):
    player = Visitor(client, CODE, htmx=htmx)
    player.click(what, tile=5, start=CODE, moves="U")
    assert "cookie" in player.response.vary
    assert player.response.headers["Cache-Control"] == "no-store"


@each("what", CLICKS)
def test_get_of_a_click_url_is_405(client, what):
    response = client.get(f"/play/{CODE}/{what}")
    assert response.status_code == 405
    assert "POST" in response.headers["Allow"]
    assert markup.board_of(markup.read(client.get(f"/play/{CODE}"))) == CODE


# The page


def test_solver_form_has_the_shown_board(client):
    fragment = Visitor(client, CODE).slide(5)
    shown = fragment.one("input", name="board")
    assert (shown["form"], shown["value"]) == ("solve", AFTER)


def test_unreachable_goal_offers_two_alternatives(client):
    page = markup.read(client.get(f"/play/{UNSOLVABLE}"))
    card = page.one(id="unsolvable")
    assert "7 pairs of tiles" in card.text
    ways = card.all("a")
    assert len(ways) == 2
    for way in ways:
        assert not markup.read(client.get(way["href"])).all(id="unsolvable")
    assert markup.moves_of(Visitor(client, UNSOLVABLE).slide(2)) == 1, "played all the same"


def test_solver_form_offers_every_algorithm_and_heuristic(client):
    page = markup.read(client.get(f"/play/{CODE}"))
    for name, there_are in (("algorithm", algorithms()), ("heuristic", heuristics())):
        options = page.one("select", name=name).all("option")
        assert {option["value"]: option.text for option in options} == {
            key: entry.title for key, entry in there_are.items()
        }
        assert len([option for option in options if "selected" in option.attrs]) == 1


def test_link_selects_the_algorithm(client):
    page = markup.read(client.get(f"/play/{CODE}?algorithm=bfs&heuristic=misplaced"))
    chosen = [option["value"] for option in page.all("option", selected="")]
    assert {"bfs", "misplaced"} <= set(chosen)
