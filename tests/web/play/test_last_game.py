"""The front door leads to the game last left unfinished."""

from __future__ import annotations

import re

import pytest

from tests.web import markup
from tests.web.streams import HTMX

ONE, OTHER = "1.2.3-4.0.6-7.5.8", "1.2.3.4-5.6.7.8-9.10.0.12-13.14.11.15"


GAME, LAST = "slidewise_game", "slidewise_last"


def slide(client, code, tile, **request):
    return client.post(f"/play/{code}/slide", data={"tile": tile}, headers=HTMX, **request)


def door(client):
    response = client.get("/")
    assert response.status_code == 302
    assert response.headers["Cache-Control"] == "no-store"
    return response.location


def test_the_front_door_of_a_newcomer_is_a_fresh_puzzle(client):
    places = {door(client) for _ in range(5)}
    assert len(places) == 5
    for place in places:
        assert re.fullmatch(r"/play/\d\.\d\.\d-\d\.\d\.\d-\d\.\d\.\d", place)
        page = markup.read(client.get(place))
        assert not page.all(id="unsolvable")
        assert not page.all(id="won")


def test_it_leads_to_the_game_last_left_unfinished(client):
    slide(client, ONE, 5)
    assert door(client) == f"/play/{ONE}"
    slide(client, OTHER, 11)
    assert door(client) == f"/play/{OTHER}"
    slide(client, ONE, 5)
    assert door(client) == f"/play/{ONE}"


def test_a_game_that_was_only_looked_at_is_not_left_unfinished(client):
    slide(client, ONE, 5)
    client.get(f"/play/{OTHER}")
    client.post(f"/play/{OTHER}/assisted")
    assert door(client) == f"/play/{ONE}"


def test_once_that_game_is_solved_it_leads_to_a_fresh_one(client):
    slide(client, ONE, 5)
    slide(client, ONE, 8)
    assert door(client) not in {f"/play/{ONE}", door(client)}


def test_another_game_that_is_solved_does_not_change_where_it_leads(client):
    slide(client, ONE, 5)
    slide(client, "1.2.3-4.5.6-7.0.8", 8)
    assert door(client) == f"/play/{ONE}"


def test_a_game_that_was_restarted_is_not_unfinished(client):
    slide(client, ONE, 5)
    client.post(f"/play/{ONE}/restart")
    assert door(client) != f"/play/{ONE}"


@pytest.mark.parametrize(
    "value", ["", "junk", "1.2.3-4.5.6", "é", "1" * 4000, "//elsewhere.example"]
)
def test_garbage_for_the_last_game_is_a_fresh_puzzle(client, value):
    client.set_cookie(LAST, value)
    assert re.fullmatch(r"/play/[0-9.]+-[0-9.]+-[0-9.]+", door(client))
