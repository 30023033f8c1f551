"""Going on with a game from a step of a solution."""

from __future__ import annotations

import pytest

from tests.boards import ONE_MOVE as AFTER
from tests.boards import TWO_MOVES as CODE
from tests.web import markup
from tests.web.visitor import Visitor


@pytest.fixture(params=[True, False], ids=["htmx", "plain"])
def player(request, client):
    return Visitor(client, CODE, htmx=request.param)


def test_play_on_from_a_step_of_a_solution(player):
    page = player.click("play-on", start=CODE, moves="U")
    assert (markup.board_of(page), markup.moves_of(page)) == (AFTER, 1)
    assert "with help" in player.slide(8).one(id="won").text


def test_play_on_goes_back_to_where_the_solution_starts(player):
    player.slide(5)
    player.slide(7)
    page = player.click("play-on", start=AFTER, moves="L")
    assert markup.board_of(page) == "1.2.3-4.5.6-7.8.0"
    assert markup.moves_of(page) == 2


def test_play_on_goes_forward_to_where_the_solution_starts(player):
    player.slide(5)
    player.slide(7)
    player.click("undo")
    player.click("undo")
    page = player.click("play-on", start=AFTER, moves="L")
    assert markup.board_of(page) == "1.2.3-4.5.6-7.8.0"


def test_play_on_without_moves_stays_there(player):
    page = player.click("play-on", start=CODE, moves="")
    assert (markup.board_of(page), markup.moves_of(page)) == (CODE, 0)


@pytest.mark.parametrize(
    ("form", "status", "words"),
    [
        ({"start": "1.2.3-4.5.6-7.8.0", "moves": "R"}, 422, "never had the board"),
        ({"start": CODE, "moves": "UU"}, 422, "is not legal"),
        ({"start": CODE, "moves": "R9"}, 422, "is not legal"),
        ({"start": CODE, "moves": "north"}, 400, "Expected moves such as U2RDL3"),
        ({"start": CODE, "moves": "U99999999999"}, 400, "at most 100,000 moves"),
        ({"start": CODE, "moves": "UD" * 5001}, 400, "up to 10,000 moves at once"),
        ({"start": "1.2-3.0", "moves": "D"}, 400, "3 rows of 3"),
        ({"start": "", "moves": "U"}, 400, "no cells"),
        ({"moves": "U"}, 400, "no cells"),
    ],
)
def test_play_on_with_what_does_not_fit_changes_nothing(player, form, status, words):
    player.slide(5)
    player.slide(7)
    page = player.click("play-on", **form)
    assert player.response.status_code == status
    assert words in page.text
    assert markup.moves_of(player.look()) == 2


def test_play_on_as_far_as_is_allowed_at_once(client):
    page = Visitor(client, CODE, htmx=True).click("play-on", start=CODE, moves="UD" * 5000)
    assert (markup.board_of(page), markup.moves_of(page)) == (CODE, 10_000)
