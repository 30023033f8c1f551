"""Continuing a game from a step of a solution."""

from tests.boards import ONE_MOVE, SOLVED
from tests.boards import TWO_MOVES as CODE
from tests.each import each
from tests.web import markup
from tests.web.visitor import Visitor


def test_play_on_from_a_step_of_a_solution(player):
    page = player.click("play-on", start=CODE, moves="U")
    assert (markup.board_of(page), markup.moves_of(page)) == (ONE_MOVE, 1)
    assert "with help" in player.slide(8).one(id="won").text


@each(
    ("form", "status", "words"),
    [
        ({"start": SOLVED, "moves": "R"}, 422, "does not start from a board"),
        ({"start": CODE, "moves": "UU"}, 422, "is not legal"),
        ({"start": CODE, "moves": "north"}, 400, "Expected moves such as U2RDL3"),
        ({"start": CODE, "moves": "U99999999999"}, 400, "at most 100,000 moves"),
        ({"start": CODE, "moves": "UD" * 5001}, 400, "up to 10,000 moves at once"),
        ({"start": "1.2-3.0", "moves": "D"}, 400, "3 rows of 3"),
        ({"moves": "U"}, 400, "no cells"),
    ],
)
def test_play_on_with_a_bad_form_changes_nothing(player, form, status, words):
    player.click("restart")
    player.slide(5, 7)
    page = player.click("play-on", **form)
    assert player.response.status_code == (200 if player.htmx and status == 422 else status)
    assert words in page.text
    assert markup.moves_of(player.look()) == 2


def test_play_on_accepts_10_000_moves_at_once(client):
    page = Visitor(client, CODE, htmx=True).click("play-on", start=CODE, moves="UD" * 5000)
    assert (markup.board_of(page), markup.moves_of(page)) == (CODE, 10_000)
