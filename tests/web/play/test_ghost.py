"""Ghosts: a challenge whose link carries the challenger's moves, to play beside them."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from slidewise import parse_moves
from tests.boards import SIX_MOVES, TWO_MOVES
from tests.web import markup
from tests.web.visitor import Visitor
from webapp.play.ghost import MAX_GHOST_MOVES, pack, unpack


def test_moves_are_packed_and_read_again():
    for moves in "U", "UUUU", "RLDU" * (MAX_GHOST_MOVES // 4):
        assert unpack(pack(moves)) == moves
    assert len(pack("R" * MAX_GHOST_MOVES)) <= 202
    for text in "", "A", "?", "AA", "A" * 300, pack("R" * (MAX_GHOST_MOVES + 1)):
        assert unpack(text) is None


def test_the_link_of_a_solved_game_carries_its_moves(client):
    visitor = Visitor(client, TWO_MOVES)
    assert not visitor.look("share", htmx=True).all(id="link-to-ghost")
    visitor.slide(5, 8)
    link = visitor.look("share", htmx=True).one(id="link-to-ghost")["value"]
    fields = parse_qs(urlsplit(link).query)
    assert (fields["beat"], unpack(fields["ghost"][0])) == (["2"], "UL")


def test_one_plays_beside_the_ghost_and_sees_where_the_two_parted(client):
    fields = {"beat": "6", "ghost": pack(parse_moves("R2ULUL")), "took": "75.42"}
    visitor = Visitor(client, SIX_MOVES)
    page = visitor.look(**fields)
    assert "Move 0 of 6." in page.one(id="ghost").text
    assert "Time: 1:15.42, by the challenger" in page.one(id="ghost").text
    assert page.one("input", name="ghost", form="moves")["value"] == fields["ghost"]
    shown = visitor.slide(3, **fields).one(id="ghost")
    assert "Move 1 of 6." in shown.text
    assert shown.one("svg")["aria-label"].endswith("2 blank 3; 1 4 6; 7 5 8")
    shown = visitor.slide(3, 3, 2, 1, 4, 5, 8, **fields).one(id="ghost")
    assert shown.one(id="parting").text == (
        "Your first move and the ghost’s were the same. You parted at move 2: you moved tile 3, "
        "the ghost tile 2. From there you took 7 moves, the ghost 5."
    )
    whole = visitor.look(**fields)  # also without JavaScript, and when the link is opened again
    assert "You parted at move 2" in whole.one(id="parting").text


@pytest.mark.parametrize(
    ("ghost", "why"),
    [
        ("!", "cannot be read"),
        (pack("U"), "do not end at the goal"),
        (pack("UUUU"), "do not solve the puzzle: move 2 of 4 (U) is not legal"),
    ],
)
def test_a_link_whose_moves_do_not_solve_the_puzzle_says_so(client, ghost, why):
    page = markup.read(client.get(f"/play/{TWO_MOVES}?beat=2&ghost={ghost}"))
    said = page.one(id="ghost").text
    assert why in said
    assert "You can still play the challenge." in said


def test_without_htmx_the_ghost_is_kept_in_the_address(client):
    form = {"tile": 5, "beat": "2", "ghost": pack("UL"), "took": "3"}
    location = client.post(f"/play/{TWO_MOVES}/slide", data=form).location
    assert parse_qs(urlsplit(location).query) == {
        "beat": ["2"],
        "ghost": [pack("UL")],
        "took": ["3"],
    }
    assert not markup.read(client.get(f"/play/{TWO_MOVES}?beat=2")).all(id="ghost")
