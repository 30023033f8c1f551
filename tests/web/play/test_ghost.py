"""Ghosts: a challenge whose link replays the challenger's moves beside the player's."""

from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pytest

from slidewise import parse_moves
from tests.boards import SIX_MOVES, TWO_MOVES
from tests.web import markup
from tests.web.visitor import Visitor
from webapp.play import game as game_module
from webapp.play.links import MAX_GHOST_MOVES, pack, unpack


def test_moves_are_packed_and_read_again():
    for moves in "U", "UUUU", "RLDU" * (MAX_GHOST_MOVES // 4):
        assert unpack(pack(moves)) == moves
    assert len(pack("R" * MAX_GHOST_MOVES)) <= 202
    for text in "", "A", "?", "AA", "A" * 300, pack("R" * (MAX_GHOST_MOVES + 1)):
        assert unpack(text) is None


def test_link_of_a_solved_game_carries_its_moves(client):
    visitor = Visitor(client, TWO_MOVES)
    assert not visitor.look("share", htmx=True).all(id="link-to-ghost")
    visitor.slide(5, 8)
    link = visitor.look("share", htmx=True).one(id="link-to-ghost")["value"]
    fields = parse_qs(urlsplit(link).query)
    assert (fields["beat"], unpack(fields["ghost"][0])) == (["2"], "UL")


def test_player_sees_the_ghost_and_the_move_of_divergence(client):
    fields = {"beat": "6", "ghost": pack(parse_moves("R2ULUL")), "took": "75.42"}
    visitor = Visitor(client, SIX_MOVES)
    page = visitor.look(**fields)
    assert "Move 0 of 6." in page.one(id="ghost").text
    assert "Time: 1:15.42, as measured on the challenger’s device" in page.one(id="ghost").text
    assert page.one("input", name="ghost", form="moves")["value"] == fields["ghost"]
    shown = visitor.slide(3, **fields).one(id="ghost")
    assert "Move 1 of 6." in shown.text
    assert shown.one("svg")["aria-label"].endswith("2 blank 3; 1 4 6; 7 5 8")
    shown = visitor.slide(3, 3, 2, 1, 4, 5, 8, **fields).one(id="ghost")
    where, times = shown.one(id="parting").text.split(" Your time was ")
    assert times.endswith(", the ghost’s 1:15.42.")
    assert where == (
        "Your first move and the ghost’s were the same. You parted at move 2: you moved tile 3, "
        "the ghost tile 2. From there you took 7 moves, the ghost 5."
    )
    whole = visitor.look(**fields)  # The ghost also appears without JavaScript and after a reload.
    assert "You parted at move 2" in whole.one(id="parting").text


@pytest.mark.parametrize(
    ("ghost", "why"),
    [
        ("!", "cannot be read"),
        (pack("U"), "do not end at the goal"),
        (pack("UUUU"), "do not solve the puzzle: move 2 of 4 (U) is not legal"),
    ],
)
def test_ghost_that_does_not_solve_the_puzzle_is_explained(client, ghost, why):
    page = markup.read(client.get(f"/play/{TWO_MOVES}?beat=2&ghost={ghost}"))
    explanation = page.one(id="ghost").text
    assert why in explanation
    assert "You can still play the challenge." in explanation


def test_ghost_stays_in_the_url_without_htmx(client):
    form = {"tile": 5, "beat": "2", "ghost": pack("UL"), "took": "3"}
    location = client.post(f"/play/{TWO_MOVES}/slide", data=form).location
    assert parse_qs(urlsplit(location).query) == {
        "beat": ["2"],
        "ghost": [pack("UL")],
        "took": ["3"],
    }
    assert not markup.read(client.get(f"/play/{TWO_MOVES}?beat=2")).all(id="ghost")


def test_ghost_has_times_only_if_they_fit_its_moves(client):
    fields = {"beat": "2", "ghost": pack("UL"), "took": "9.50", "times": ".7bw"}
    visitor = Visitor(client, TWO_MOVES)
    carrier = visitor.look(**fields).one(id="ghost-times")
    assert (carrier["data-moves"], carrier["data-times"]) == ("UL", ".7bw")
    for wrong in "", "7bw", "..7bw", ".7bw.", ".5", ".7BW", ".zzzzzzz", ".", "-1.7bw", "0" * 3_000:
        page = visitor.look(**fields | {"times": wrong})
        assert not page.all(id="ghost-times"), wrong
        assert "It makes one move for each of yours." in page.one(id="ghost").text


def test_link_carries_the_times_of_the_page_only_if_they_fit(client, monkeypatch):
    monkeypatch.setattr(game_module, "time", SimpleNamespace(time=lambda: 1_000_000))
    visitor = Visitor(client, TWO_MOVES)
    visitor.slide(5, 8)
    for times, expected in {".5k": [".5k"], ".5k.1": None, ".zzzz": None}.items():
        sheet = visitor.look("share", htmx=True, times=times)
        fields = parse_qs(urlsplit(sheet.one(id="link-to-ghost")["value"]).query)
        assert fields.get("times") == expected
        words = "at your pace" if expected else "one for each of theirs"
        assert words in sheet.one("section", aria_label="Ghost").text
