"""What programs are refused: in which field it was, and in words that need no pattern."""

from __future__ import annotations

import pytest

from slidewise import algorithms

EASY, FOUR = "1.2.3-4.0.6-7.5.8", "15.14.1.6-9.11.4.12-0.10.7.3-13.8.5.2"
WITHOUT = [key for key, entry in algorithms().items() if not entry.uses_heuristic]


def refused(client, path, status, **body):
    answer = client.post(f"/api/v1/{path}", json=body)
    assert answer.status_code == status, answer.text
    return answer.json


@pytest.mark.parametrize("algorithm", WITHOUT)
def test_a_heuristic_is_refused_by_what_takes_none(client, algorithm):
    told = refused(client, "solve", 422, puzzle=EASY, algorithm=algorithm, heuristic="zero")
    assert told["field"] == "heuristic"
    assert told["detail"] == f"The algorithm {algorithm} takes no heuristic: leave it out."
    told = refused(client, "compare", 422, puzzle=EASY, runs=["astar:zero", f"{algorithm}:=1"])
    assert told["field"] == "runs[1]"
    assert f"The algorithm {algorithm} takes no heuristic" in told["detail"]


def test_a_heuristic_alone_and_an_algorithm_alone_are_taken(client):
    for body in {"heuristic": "zero"}, {"algorithm": "bfs"}:
        assert client.post("/api/v1/solve", json={"puzzle": EASY, **body}).status_code == 200


FIELDS = {
    "puzzle": ("solve", {"puzzle": "junk"}),
    "goal": ("solve", {"puzzle": EASY, "goal": "1.2-3.0"}),
    "depth": ("solve", {"puzzle": EASY, "depth": 5}),
    "weight": ("solve", {"puzzle": EASY, "algorithm": "bfs", "weight": 2}),
    "heuristic": ("solve", {"puzzle": FOUR, "algorithm": "astar", "heuristic": "exact"}),
    "runs[1]": ("compare", {"puzzle": FOUR, "runs": ["greedy", "astar:exact"]}),
    "trace": ("solve", {"puzzle": EASY, "algorithm": "astar", "trace": 5}),
}


@pytest.mark.parametrize(("field", "sent"), FIELDS.items(), ids=FIELDS)
def test_what_makes_no_search_is_told_with_its_field(client, field, sent):
    path, body = sent
    assert refused(client, path, 422, **body)["field"] == field


def test_a_field_that_there_is_not_is_named(client):
    assert refused(client, "solve", 400, puzzle=EASY, colour=1)["field"] == "colour"
    told = refused(client, "solve", 400, puzzle=EASY, limits={"second": 1})
    assert told["field"] == "limits.second"
    assert len(refused(client, "solve", 400, puzzle=EASY, **{"x" * 5000: 1})["field"]) <= 100


def test_a_wrong_run_is_told_what_there_is_to_choose(client):
    detail = refused(client, "compare", 400, puzzle=EASY, runs=["bfs", "magic"])["detail"]
    assert detail.startswith("runs[1] must be an algorithm (best, bfs, dfs,")
    assert "a heuristic (" in detail
    assert "^" not in detail
    assert "|" not in detail
    assert "^" not in refused(client, "solve", 400, puzzle=EASY, size="3")["detail"]


def test_what_has_no_solution_says_that_this_is_proved(client):
    told = client.post("/api/v1/solve", json={"puzzle": "1.2.3-4.5.6-8.7.0"}).json
    assert (told["status"], told["verdict"]) == ("unsolvable", "unproved")
    assert told["reason"].endswith("the goal cannot be reached; parity proves it.")


@pytest.mark.parametrize("path", ["/api/v1", "/api/v1/"])
def test_its_root_leads_to_the_page(client, path):
    answer = client.get(path)
    assert (answer.status_code, answer.location) == (302, "/api")
