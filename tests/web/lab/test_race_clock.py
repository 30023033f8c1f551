"""What is looked up for a race is looked up before its first search, whose time it would take."""

from __future__ import annotations

from tests.web.streams import HTMX
from webapp.lab import race
from webapp.workers.distances import Distances

CODE = "7.2.4-5.0.6-8.3.1"


def test_the_shortest_is_looked_up_before_the_first_search_begins(client, monkeypatch):
    order = []
    begin, within = race.begin, Distances.within
    monkeypatch.setattr(Distances, "at_once", lambda *_: None)
    monkeypatch.setattr(
        Distances, "within", lambda *args: (within(*args), order.append("looked up"))[0]
    )
    monkeypatch.setattr(race, "begin", lambda *args: (order.append("begun"), begin(*args))[1])
    with client.post(f"/lab/{CODE}/race", data={"run": "greedy"}, headers=HTMX) as answer:
        assert "1 of 1 found a solution; the shortest has 20 moves" in answer.text
    assert order == ["looked up", "begun"]


def test_a_large_board_is_not_waited_for(client, monkeypatch):
    monkeypatch.setattr(Distances, "within", None)
    code = "1.2.3.4-5.6.7.8-9.10.11.12-13.14.0.15"
    with client.post(f"/lab/{code}/race", data={"run": "greedy"}, headers=HTMX) as answer:
        assert "1 of 1 found a solution" in answer.text
