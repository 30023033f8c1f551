"""Challenges: a number of moves to beat."""

import pytest

from tests.boards import TWO_MOVES as CODE
from tests.web import markup
from tests.web.visitor import Visitor


def challenge(page):
    return page.one(id="challenge").text


def over(page):
    found = page.all(id="challenge-over")
    return found[0].text if found else None


def test_a_challenge_is_told_and_carried_by_each_click(client):
    page = markup.read(client.get(f"/play/{CODE}?beat=38"))
    assert challenge(page) == "Challenge: beat 38 moves."
    field = page.one("input", type="hidden", name="beat", form="moves")
    assert field["value"] == "38"
    assert page.one(id="share-button")["href"] == f"/play/{CODE}/share?beat=38"
    assert page.one(id="by-number").one("input", name="beat")["value"] == "38"
    assert not markup.read(client.get(f"/play/{CODE}")).all(id="challenge")


@pytest.mark.parametrize(
    ("beat", "tiles", "words"),
    [
        ("3", (5, 8), "Challenge beaten: 2 moves, 1 fewer than 3."),
        ("2", (5, 8), "Challenge equalled: 2 moves, neither more nor fewer."),
        ("2", (5, 5, 5, 8), "Challenge not beaten: 4 moves, 2 more than 2."),
    ],
)
def test_at_the_end_it_says_whether_it_was_beaten(client, beat, tiles, words):
    *before, last = tiles
    assert over(Visitor(client, CODE).slide(*before, beat=beat)) is None
    end = Visitor(client, CODE).slide(last, beat=beat)
    assert over(end) == words
    said = end.one(id="said")
    assert said.text.endswith(words)
    assert said.content == [said.text], "white space as in the text that the page makes by itself"
    assert over(markup.read(client.get(f"/play/{CODE}?beat={beat}"))) == words
    assert over(markup.read(client.get(f"/play/{CODE}"))) is None


def test_with_help_it_stands(client):
    Visitor(client, CODE).slide(5)
    client.post(f"/play/{CODE}/assisted")
    assert over(Visitor(client, CODE).slide(8, beat="9")) == (
        "The challenge, 9 moves, still stands: help was used."
    )


def test_without_htmx_it_is_kept_in_the_address(client):
    response = client.post(f"/play/{CODE}/slide", data={"tile": 5, "beat": "38"})
    assert response.location == f"/play/{CODE}?beat=38#t5"


@pytest.mark.parametrize(
    ("beat", "end"),
    [
        (2, "Challenge: solve it in 2 moves. No solution has fewer."),
        (1, "Challenge: 1 move. Nobody can do that: the shortest solution has 2 moves."),
    ],
)
def test_one_that_nobody_can_win_says_so(client, beat, end):
    assert challenge(Visitor(client, CODE).look(beat=beat)).endswith(end)


@pytest.mark.parametrize(
    "beat", ["0", "-1", "x", "10000", "1.5", "9" * 5000, "\N{SUPERSCRIPT TWO}"]
)
def test_a_number_that_is_none_is_told_so(client, beat):
    for response in (
        client.get(f"/play/{CODE}", query_string={"beat": beat}),
        client.post(f"/play/{CODE}/slide", data={"tile": 5, "beat": beat}),
    ):
        assert response.status_code == 400
        assert "A challenge names the moves to beat" in response.text
        assert len(response.data) < 12_000
