"""Heuristics of one's own, over HTTP for programs."""

from __future__ import annotations

import json

import pytest

from slidewise import SearchSpec, parse_puzzle

CODE = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"
LARGE = "15.14.1.6-9.11.4.12-0.10.7.3-13.8.5.2"
STREAM = {"Accept": "text/event-stream"}

OWN = "=max(manhattan, 2 * misplaced)"
TYPED = "= MAX(manhattan,2*misplaced)"


def post(client, path, headers=None, **body):
    return client.post(f"/api/v1/{path}", json={"puzzle": CODE} | body, headers=headers)


def test_it_solves_as_in_the_library(client):
    told = post(client, "solve", algorithm="astar", heuristic=TYPED).json
    expected = SearchSpec(parse_puzzle(CODE), "astar", OWN).result().as_json()
    assert told | {"seconds": 0} == expected | {"seconds": 0}
    assert told["heuristic"] == OWN, "in its canonical form"


def test_alone_it_means_a_star(client):
    assert post(client, "solve", heuristic="=1").json["algorithm"] == "astar"


def test_it_is_compared_with_others(client):
    runs = ["astar:manhattan", f"astar:{TYPED}", "bfs"]
    told = post(client, "compare", runs=runs).json
    found = [(one["algorithm"], one["heuristic"]) for one in told["results"]]
    assert found == [("astar", "manhattan"), ("astar", OWN), ("bfs", None)]


@pytest.mark.parametrize(
    ("path", "body"), [("solve", {"heuristic": TYPED}), ("compare", {"runs": [f"astar:{TYPED}"]})]
)
def test_a_stream_tells_of_it(client, path, body):
    with post(client, path, STREAM, **body) as response:
        last = json.loads(response.text.rpartition("data: ")[2])
    assert last["result"]["heuristic"] == OWN
    assert last.get("name") == (f"astar:{OWN}" if path == "compare" else None)
