"""Heuristics of one's own, over HTTP for programs."""

from __future__ import annotations

import json

import pytest

from slidewise import heuristics, parse_puzzle, solve
from tests.web import markup

CODE = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"
LARGE = "15.14.1.6-9.11.4.12-0.10.7.3-13.8.5.2"
STREAM = {"Accept": "text/event-stream"}

OWN = "=max(manhattan, 2 * misplaced)"
TYPED = "= MAX(manhattan,2*misplaced)"


def post(client, path, headers=None, **body):
    return client.post(f"/api/v1/{path}", json={"puzzle": CODE} | body, headers=headers)


def refused(response, status):
    """Return the problem that is told."""
    assert response.status_code == status, response.text
    return response.json


def test_it_solves_as_in_the_library(client):
    told = post(client, "solve", algorithm="astar", heuristic=TYPED).json
    expected = solve(parse_puzzle(CODE), "astar", OWN).as_json()
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


NOT_READ = [
    ("=max(1,", "a name such as manhattan, a number or a bracket at the end"),
    ("=1 + magic", "there is no name 'magic'; did you mean min? (character 5)"),
    ("=misplaced / 2", "write // to divide, rounded down (character 11)"),
    ("=" + "1+" * 149 + "1", "an expression has up to 200 characters"),
    ("=__import__('os')", "there is no name '__import__'"),
    ("=\ud800\0", "(character 1)"),
]


@pytest.mark.parametrize(("heuristic", "words"), NOT_READ)
def test_what_cannot_be_read_in_it_is_told_with_its_place(client, heuristic, words):
    told = refused(post(client, "solve", heuristic=heuristic), 422)
    assert told["detail"].startswith("In heuristic: ")
    assert words in told["detail"]
    assert told["field"] == "heuristic"
    runs = ["bfs", f"greedy:{heuristic}"]
    told = refused(post(client, "compare", runs=runs), 422)
    assert told["detail"].startswith("In runs[1]: ")
    assert words in told["detail"]
    assert told["field"] == "runs[1]"


@pytest.mark.parametrize("body", [{"heuristic": "=1"}, {"runs": ["astar:=1"]}])
def test_a_large_board_is_refused_with_the_reason(client, body):
    path = "compare" if "runs" in body else "solve"
    told = refused(post(client, path, puzzle=LARGE, **body), 422)
    assert "beforehand, up to 10 cells, not for 4x4" in told["detail"]


@pytest.mark.parametrize("heuristic", ["magic", "=", f"={'1' * 301}"])
def test_what_is_neither_is_told_both_ways(client, heuristic):
    told = refused(post(client, "solve", heuristic=heuristic), 400)
    assert (
        f"heuristic must be one of {', '.join(heuristics())}, "
        "or must be an expression of up to 300 characters after =, found '" in told["detail"]
    )
    told = refused(post(client, "compare", runs=[f"astar:{heuristic}"]), 400)
    assert "runs[0] must be an algorithm (best, bfs," in told["detail"]
    assert (
        "or must be an algorithm, a colon and an expression as for heuristic, found 'astar:"
        in told["detail"]
    )


def test_the_document_and_the_page_tell_of_it(client):
    schemas = client.get("/api/v1/openapi.json").json["components"]["schemas"]
    for path, schema in ("solve", "SolveRequest"), ("compare", "CompareRequest"):
        (example,) = [one for one in schemas[schema]["examples"] if "=max(" in str(one)]
        assert post(client, path, **example).status_code == 200
    text = markup.read(client.get("/api")).one("main").text
    for words in "your own, an expression", OWN, f"astar:{OWN}", "300 characters after =.":
        assert words in text
