"""HTTP for programs: what it refuses, and how it says so."""

from __future__ import annotations

import io
import json

import pytest

from slidewise import algorithms
from tests.boards import FOUR as HARD
from tests.boards import SOLVED
from tests.boards import TEXTBOOK as CODE
from tests.boards import TWO_MOVES as EASY
from tests.web.programs import post, problem
from webapp.api import routes

FOUR = {"puzzle": HARD}
WITHOUT = [key for key, entry in algorithms().items() if not entry.uses_heuristic]


@pytest.mark.parametrize("path", ["solve", "compare"])
@pytest.mark.parametrize(
    ("body", "words", "field"),
    [
        ({}, "the field puzzle is missing", "puzzle"),
        ({"puzzle": 5}, "puzzle must be a text, found 5", "puzzle"),
        ({"puzzle": None}, "puzzle must be a text, found null", "puzzle"),
        ({"puzzle": [[1, 2], [3, 0]]}, "puzzle must be a text, found a list of 2", "puzzle"),
        ({"puzzle": "1" * 9000}, "puzzle must have at most 8,001 characters", "puzzle"),
        (
            {"puzzle": EASY, "colour": 1},
            "there is no field 'colour'; the fields are puzzle,",
            "colour",
        ),
        ({"puzzle": EASY, "size": "3"}, "size must be rows x columns, each from 2 to 10", "size"),
        ({"puzzle": EASY, "limits": 5}, "limits must be an object", "limits"),
        (
            {"puzzle": EASY, "limits": {"second": 5}},
            "there is no field 'second' in limits; the fields are seconds, expansions,",
            "limits.second",
        ),
        (
            {"puzzle": EASY, "limits": {"seconds": 21}},
            "limits.seconds must be at most 20, found 21",
            "limits.seconds",
        ),
        (
            {"puzzle": EASY, "limits": {"seconds": True}},
            "limits.seconds must be a number, found true",
            "limits.seconds",
        ),
        (
            {"puzzle": EASY, "limits": {"expansions": 1.5}},
            "limits.expansions must be a whole number, found 1.5",
            "limits.expansions",
        ),
        (
            {"puzzle": EASY, "limits": {"stored_nodes": 0}},
            "limits.stored_nodes must be at least 1, found 0",
            "limits.stored_nodes",
        ),
        ({"puzzle": EASY, "weight": 101}, "weight must be at most 100, found 101", "weight"),
    ],
    ids=str,
)
def test_a_body_that_is_not_as_documented_is_refused(client, path, body, words, field):
    told = problem(post(client, path, **body), 400)
    assert words in told["detail"]
    assert told.get("field") == field


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("solve", {"algorithm": "magic"}, "algorithm must be one of "),
        ("solve", {"heuristic": "magic"}, "heuristic must be one of "),
        ("solve", {"depth": 0}, "depth must be at least 1"),
        ("solve", {"trace": 2_001}, "trace must be at most 2,000"),
        ("solve", {"runs": ["bfs"]}, "there is no field 'runs'"),
        ("compare", {"runs": []}, "runs must list at least 1, found a list of 0"),
        ("compare", {"runs": ["bfs"] * 17}, "runs must list at most 16, found a list of 17"),
        ("compare", {"runs": ["bfs", "astar:magic"]}, "runs[1] must be an algorithm (best, bfs,"),
        ("compare", {"runs": ["bfs", 1]}, "runs[1] must be a text, found 1"),
        ("compare", {"runs": "bfs"}, "runs must be a list, found 'bfs'"),
        ("compare", {"depth": 5}, "there is no field 'depth'"),
    ],
    ids=str,
)
def test_so_are_the_fields_of_each(client, path, body, words):
    assert words in problem(post(client, path, puzzle=EASY, **body), 400)["detail"]


@pytest.mark.parametrize(
    ("path", "body", "words", "field"),
    [
        ("solve", {"puzzle": "junk"}, "Expected a tile's number", "puzzle"),
        ("solve", {"goal": "1.2-3.0"}, "Expected 3 rows of 3", "goal"),
        ("solve", {"puzzle": CODE, "goal": SOLVED}, "Expected one goal", "goal"),
        ("solve", {**FOUR, "algorithm": "astar", "heuristic": "exact"}, "no tables", "heuristic"),
        ("solve", {"depth": 5}, "The algorithm best takes no depth: leave it out", "depth"),
        ("solve", {"algorithm": "bfs", "weight": 2}, "bfs takes no weight", "weight"),
        ("solve", {"algorithm": "astar", "trace": 5}, "text/event-stream", "trace"),
        ("compare", {**FOUR, "runs": ["greedy", "astar:exact"]}, "no tables for 4x4", "runs[1]"),
    ],
    ids=str,
)
def test_a_body_that_makes_no_search_is_refused_too(client, path, body, words, field):
    told = problem(post(client, path, **{"puzzle": EASY, **body}), 422)
    assert words in told["detail"]
    assert told["field"] == field


@pytest.mark.parametrize("algorithm", WITHOUT)
def test_a_heuristic_is_refused_by_what_takes_none(client, algorithm):
    body = {"puzzle": EASY, "algorithm": algorithm, "heuristic": "zero"}
    told = problem(post(client, "solve", **body), 422)
    assert told["field"] == "heuristic"
    assert told["detail"] == f"The algorithm {algorithm} takes no heuristic: leave it out."
    runs = ["astar:zero", f"{algorithm}:=1"]
    told = problem(post(client, "compare", puzzle=EASY, runs=runs), 422)
    assert told["field"] == "runs[1]"
    assert f"The algorithm {algorithm} takes no heuristic" in told["detail"]


def test_a_heuristic_alone_and_an_algorithm_alone_are_taken(client):
    for body in {"heuristic": "zero"}, {"algorithm": "bfs"}:
        assert post(client, "solve", puzzle=EASY, **body).status_code == 200


def test_the_name_of_a_field_that_there_is_not_is_shortened(client):
    told = problem(post(client, "solve", puzzle=EASY, **{"x" * 5000: 1}), 400)
    assert len(told["field"]) <= 100


def test_a_wrong_run_is_told_what_there_is_to_choose_and_no_pattern(client):
    detail = problem(post(client, "compare", puzzle=EASY, runs=["bfs", "magic"]), 400)["detail"]
    assert detail.startswith("runs[1] must be an algorithm (best, bfs, dfs,")
    assert "a heuristic (" in detail
    size = problem(post(client, "solve", puzzle=EASY, size="3"), 400)["detail"]
    assert not {"^", "|"} & set(detail + size)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"{}{}",
        b"[" * 100_000,
        b'{"puzzle": ' * 10_000,
        b'{"puzzle": NaN}',
        b'{"weight": ' + b"9" * 10_000 + b"}",
        b"\xff\xfe\x00",
        b'{"puzzle": "\xff"}',
        b"puzzle=1",
    ],
    ids=lambda data: repr(data[:15]),
)
def test_what_is_no_json_is_told_so(client, data):
    response = client.post("/api/v1/solve", data=data, content_type="application/json")
    told = problem(response, 400)
    assert "the body is no JSON that can be read" in told["detail"]
    assert len(response.data) < 1000


def test_odd_texts_break_nothing(client):
    for text in "\ud800", "\0", "\u2028", "<b>", "é" * 4000, "٣":
        response = client.post(
            "/api/v1/solve", data=json.dumps({"puzzle": text}), content_type="application/json"
        )
        problem(response, 422)
        name = client.post(
            "/api/v1/solve", data=json.dumps({text: 1}), content_type="application/json"
        )
        problem(name, 400)


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_body_of_another_kind_is_refused(client, content_type):
    data = json.dumps({"puzzle": EASY})
    response = client.post("/api/v1/solve", data=data, content_type=content_type)
    assert "Content-Type: application/json" in problem(response, 415)["detail"]
    charset = client.post(
        "/api/v1/solve", data=data, content_type="application/json; charset=utf-8"
    )
    assert charset.status_code == 200


def test_a_body_that_is_too_long_is_refused(client):
    response = post(client, "solve", puzzle="1" * 200_000)
    assert "Send less" in problem(response, 413)["detail"]
    untold = client.post(  # its length is not told beforehand
        "/api/v1/solve",
        input_stream=io.BytesIO(b" " * 200_000),
        headers={"Content-Type": "application/json", "Transfer-Encoding": "chunked"},
        environ_overrides={"wsgi.input_terminated": True},
    )
    problem(untold, 413)


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        ("application/json", 200),
        ("*/*", 200),
        ("application/*", 200),
        ("text/html, */*;q=0.1", 200),
        ("text/html", 406),
        ("application/json;q=0", 406),
        ("nonsense", 406),
    ],
)
def test_answers_are_of_a_kind_that_is_wanted(client, accept, status):
    for response in (
        client.get(f"/api/v1/puzzles/{EASY}", headers={"Accept": accept}),
        post(client, "solve", {"Accept": accept}, puzzle=EASY),
    ):
        assert response.status_code == status
        if status == 406:
            assert "application/json" in problem(response, 406)["detail"]


def test_a_stream_is_what_is_wanted_most(client):
    with post(client, "solve", {"Accept": "text/event-stream, */*;q=0.5"}, puzzle=EASY) as response:
        assert response.mimetype == "text/event-stream"


@pytest.mark.parametrize("path", ["/api/v1/none", "/api/v2", "/api/v2/solve", "/api/"])
def test_there_is_nothing_elsewhere(client, path):
    assert "/api" in problem(client.get(path), 404)["detail"]


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("get", "/api/v1/solve", "POST"),
        ("get", "/api/v1/compare", "POST"),
        ("post", f"/api/v1/puzzles/{EASY}", "GET"),
        ("delete", "/api/v1/openapi.json", "GET"),
    ],
)
def test_other_methods_are_refused(client, method, path, allowed):
    response = getattr(client, method)(path)
    problem(response, 405)
    assert allowed in response.headers["Allow"]


@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://elsewhere.example"}], ids=str
)
def test_pages_of_other_sites_are_refused(client, headers):
    problem(post(client, "solve", headers, puzzle=EASY), 403)
    answered = client.get(f"/api/v1/puzzles/{EASY}", headers=headers)
    assert "Access-Control-Allow-Origin" not in answered.headers
    own = post(client, "solve", {"Origin": "http://localhost"}, puzzle=EASY)
    assert own.status_code == 200


def test_a_host_that_is_not_ours_is_told_so(new_app):
    client = new_app(HOSTS="slidewise.example").test_client()
    problem(client.get("/api/v1/openapi.json", base_url="http://elsewhere.example"), 400)


def test_a_fault_of_ours_is_a_problem(new_app, monkeypatch):
    def broken(puzzle):
        raise RuntimeError("secret")

    monkeypatch.setattr(routes, "facts", broken)
    client = new_app(TESTING=False, PROPAGATE_EXCEPTIONS=False).test_client()
    response = client.get(f"/api/v1/puzzles/{EASY}")
    assert "Try again" in problem(response, 500)["detail"]
    assert "secret" not in response.text


@pytest.mark.parametrize("path", ["/api/v1", "/api/v1/"])
def test_the_root_leads_to_the_page(client, path):
    answer = client.get(path)
    assert (answer.status_code, answer.location) == (302, "/api")
