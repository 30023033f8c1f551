"""Challenges: a number of moves to beat."""

import pytest

from tests.boards import TWO_MOVES as CODE
from tests.each import each
from tests.web.visitor import Visitor


def challenge(page):
    return page.one(id="challenge").text


def challenge_result(page):
    found = page.all(id="challenge-over")
    return found[0].text if found else None


def test_challenge_is_shown_and_carried_by_each_click(client):
    page = Visitor(client, CODE).look(beat="38")
    assert challenge(page) == "Challenge: beat 38 moves."
    field = page.one("input", type="hidden", name="beat", form="moves")
    assert field["value"] == "38"
    assert page.one(id="share-button")["href"] == f"/play/{CODE}/share?beat=38"
    assert page.one(id="by-number").one("input", name="beat")["value"] == "38"
    assert not Visitor(client, CODE).look().all(id="challenge")


@pytest.mark.parametrize(
    ("beat", "tiles", "words"),
    [
        ("3", (5, 8), "Challenge beaten: 2 moves, 1 fewer than 3."),
        ("2", (5, 8), "Challenge equalled: 2 moves, neither more nor fewer."),
        ("2", (5, 5, 5, 8), "Challenge not beaten: 4 moves, 2 more than 2."),
    ],
)
def test_finished_game_shows_the_result_of_the_challenge(client, beat, tiles, words):
    *before, last = tiles
    assert challenge_result(Visitor(client, CODE).slide(*before, beat=beat)) is None
    end = Visitor(client, CODE).slide(last, beat=beat)
    assert challenge_result(end) == words
    announcement = end.one(id="said")
    assert announcement.text.endswith(words)
    assert announcement.content == [announcement.text], (
        "white space as in the text that the page makes by itself"
    )
    assert challenge_result(Visitor(client, CODE).look(beat=beat)) == words
    assert challenge_result(Visitor(client, CODE).look()) is None


def test_challenge_stands_after_help(client):
    Visitor(client, CODE).slide(5)
    client.post(f"/play/{CODE}/assisted")
    assert challenge_result(Visitor(client, CODE).slide(8, beat="9")) == (
        "The challenge, 9 moves, still stands: you had help."
    )


@pytest.mark.parametrize(
    ("beat", "end"),
    [
        (2, "Challenge: solve it in 2 moves. No solution has fewer."),
        (1, "Challenge: 1 move. Nobody can do that: the shortest solution has 2 moves."),
    ],
)
def test_challenge_at_or_below_the_shortest_is_announced(client, beat, end):
    assert challenge(Visitor(client, CODE).look(beat=beat)).endswith(end)


@each("beat", ["0", "-1", "x", "10000", "9" * 5000, "\N{SUPERSCRIPT TWO}"])
def test_unreadable_number_of_moves_is_400(client, beat):
    for response in (
        client.get(f"/play/{CODE}", query_string={"beat": beat}),
        client.post(f"/play/{CODE}/slide", data={"tile": 5, "beat": beat}),
    ):
        assert response.status_code == 400
        assert "A challenge names the moves to beat" in response.text
        assert len(response.data) < 14_000
