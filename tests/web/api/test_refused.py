"""The JSON API: refused requests and their problems."""

import io
import json

from slidewise import algorithms, heuristics
from slidewise.solver.own.parse import TYPED_CHARACTERS
from tests.boards import FOUR as HARD
from tests.boards import SOLVED
from tests.boards import TEXTBOOK as CODE
from tests.boards import TWO_MOVES as EASY
from tests.each import each
from tests.web.api_requests import post, problem
from webapp.api import boards
from webapp.api.schemas import MAX_CODE, MAX_RUNS, MAX_TRACED

FOUR = {"puzzle": HARD}
WITHOUT = [key for key, entry in algorithms().items() if not entry.uses_heuristic]

A_HEURISTIC = (
    f"must be one of {', '.join(heuristics())}, "
    f"or must be an expression of up to {TYPED_CHARACTERS} characters after =, found '"
)
A_RUN = (
    f"must be an algorithm ({', '.join(algorithms())}), and where it uses one a colon and a "
    f"heuristic ({', '.join(heuristics())}), "
    "or must be an algorithm, a colon and an expression as for heuristic, found '"
)
TOO_LONG, TOO_MANY = "1" * (TYPED_CHARACTERS + 1), ["bfs"] * (MAX_RUNS + 1)
"""Bodies that both operations refuse: (field, body, words)."""


@each(
    ("path", "field", "body", "words"),
    [
        ("solve", "puzzle", {"puzzle": 5}, "must be a string or a list, found 5"),
        ("compare", "puzzle", {"puzzle": None}, "must be a string or a list, found null"),
        (
            "solve",
            "puzzle[0][1]",
            {"puzzle": [[1, "2"], [3, 0]]},
            "must be a whole number, found '2'",
        ),
        ("solve", "puzzle", {"puzzle": [1, 2, 0]}, "must list at least 4, found a list of 3"),
        ("solve", "boards", {"boards": 1}, "must be true or false, found 1"),
        (
            "solve",
            "puzzle",
            {"puzzle": "1" * (MAX_CODE + 1)},
            f"must have at most {MAX_CODE:,} char",
        ),
        ("solve", "size", {"size": "3"}, "must be rows x columns, each from 2 to 10"),
        ("compare", "limits", {"limits": 5}, "must be an object"),
        ("solve", "limits.seconds", {"limits": {"seconds": 21}}, "must be at most 20, found 21"),
        ("solve", "limits.seconds", {"limits": {"seconds": True}}, "must be a number, found true"),
        ("solve", "limits.stored_nodes", {"limits": {"stored_nodes": 0}}, "must be at least 1, fo"),
        ("solve", "algorithm", {"algorithm": "magic"}, "must be one of "),
        ("solve", "heuristic", {"heuristic": "magic"}, f"{A_HEURISTIC}magic"),
        ("solve", "heuristic", {"heuristic": f"={TOO_LONG}"}, f"{A_HEURISTIC}=1"),
        ("solve", "cooling", {"cooling": 2}, "must be at most 0.999999"),
        ("solve", "depth", {"depth": {}}, "must be a whole number, found an object"),
        ("solve", "trace", {"trace": MAX_TRACED + 1}, f"must be at most {MAX_TRACED:,}"),
        ("compare", "runs", {"runs": TOO_MANY}, f"must list at most {MAX_RUNS}, found"),
        ("compare", "runs", {"runs": "bfs"}, "must be a list, found 'bfs'"),
        ("compare", "runs[1]", {"runs": ["bfs", 1]}, "must be a string or an object with fields"),
        ("compare", "runs[0].weight", {"runs": [{"algorithm": "wastar", "weight": 0}]}, "must be"),
        ("compare", "runs[1]", {"runs": ["bfs", "astar:magic"]}, f"{A_RUN}astar:magic"),
        ("compare", "runs[0]", {"runs": [f"astar:={'1' * 301}"]}, f"{A_RUN}astar:=1"),
    ],
)
def test_field_that_violates_the_schema_is_400(client, path, field, body, words):
    refusal = problem(post(client, path, **{"puzzle": EASY, **body}), 400)
    assert f"{field} {words}" in refusal["detail"]
    assert refusal["field"] == field
    assert not {"^", "|"} & set(refusal["detail"]), "a pattern is for programs"


@each(
    ("path", "field", "body", "words"),
    [
        ("solve", "puzzle", {}, "the field puzzle is missing"),
        ("solve", "colour", {"colour": 1}, "'colour'; the fields are puzzle,"),
        ("solve", "runs", {"runs": ["bfs"]}, "there is no field 'runs'"),
        ("solve", "limits.second", {"limits": {"second": 5}}, "in limits; the fields are seconds,"),
        ("solve", "x" * 100, {"x" * 5000: 1}, "there is no field 'xxx"),
    ],
)
def test_unknown_or_missing_field_is_400(client, path, field, body, words):
    start = {"puzzle": EASY} if body else {}
    refusal = problem(post(client, path, **start, **body), 400)
    assert words in refusal["detail"]
    assert refusal["field"] == field


@each(
    ("path", "body", "words", "field"),
    [
        ("solve", {"puzzle": "junk"}, "Expected a tile's number", "puzzle"),
        ("solve", {"goal": "1.2-3.0"}, "Expected 3 rows of 3", "goal"),
        ("solve", {"puzzle": CODE, "goal": SOLVED}, "Found two goals", "goal"),
        ("solve", {**FOUR, "algorithm": "astar", "heuristic": "exact"}, "no tables", "heuristic"),
        ("solve", {**FOUR, "heuristic": "=1"}, "up to 10 cells, not for 4x4", "heuristic"),
        ("solve", {"depth": 5}, "The algorithm best takes no depth: leave it out", "depth"),
        ("solve", {"algorithm": "bfs", "weight": 2}, "bfs takes no weight", "weight"),
        ("solve", {"algorithm": "first-choice", "cooling": 0.9}, "takes no cooling", "cooling"),
        ("compare", {**FOUR, "runs": ["greedy", "astar:exact"]}, "no tables for 4x4", "runs[1]"),
        ("compare", {**FOUR, "runs": ["astar:=1"]}, "up to 10 cells, not for 4x4", "runs[0]"),
        ("solve", {"convention": "oxford"}, "runs only under Slidewise", "convention"),
        ("solve", {"algorithm": "bfs", "convention": "oxford"}, "columbia", "convention"),
        ("compare", {"runs": [{"algorithm": "bfs", "weight": 2}]}, "no weight", "runs[0].weight"),
        ("heuristics/check", {"heuristic": "=magic"}, "no name 'magic'", "heuristic"),
        ("heuristics/check", {"heuristic": "zero", "size": "4x4"}, "up to 10 cells", "size"),
        ("convert", {"board": "1 2 3"}, "", "board"),
        ("convert", {"board": [1, 2, 3, 4, 5, 5, 7, 8, 0]}, "5 appears twice", "board"),
        ("many", {"runs": ["astar:=magic"]}, "no name 'magic'", "runs[0]"),
        ("many", {"goal": "1 2 3"}, "", "goal"),
    ],
)
def test_impossible_body_is_422(client, path, body, words, field):
    start = {"puzzle": EASY} if path in {"solve", "compare"} else {}
    refusal = problem(post(client, path, **{**start, **body}), 422)
    assert words in refusal["detail"]
    assert refusal["field"] == field


@each(
    ("heuristic", "words"),
    [
        ("=max(1,", "a name such as manhattan, a number or a bracket at the end"),
        ("=1 + magic", "there is no name 'magic'; did you mean min? (character 5)"),
        ("=\ud800\0", "(character 1)"),
    ],
)
@each("path", ["solve", "compare"])
def test_unreadable_expression_is_422_with_its_position(client, path, heuristic, words):
    body = {"heuristic": heuristic} if path == "solve" else {"runs": ["bfs", f"greedy:{heuristic}"]}
    field = "heuristic" if path == "solve" else "runs[1]"
    refusal = problem(post(client, path, puzzle=EASY, **body), 422)
    assert refusal["detail"].startswith(f"In {field}: ")
    assert words in refusal["detail"]
    assert refusal["field"] == field


@each("algorithm", WITHOUT)
def test_heuristic_of_an_algorithm_without_one_is_422(client, algorithm):
    body = {"puzzle": EASY, "algorithm": algorithm, "heuristic": "zero"}
    refusal = problem(post(client, "solve", **body), 422)
    assert refusal["field"] == "heuristic"
    assert refusal["detail"] == f"The algorithm {algorithm} takes no heuristic: leave it out."
    runs = ["astar:zero", f"{algorithm}:=1"]
    refusal = problem(post(client, "compare", puzzle=EASY, runs=runs), 422)
    assert refusal["field"] == "runs[1]"
    assert f"The algorithm {algorithm} takes no heuristic" in refusal["detail"]


@each(
    "data",
    [
        *(b"", b"{", b"{}{}", b"[" * 100_000, b'{"puzzle": ' * 10_000),
        b'{"puzzle": NaN}',
        b'{"weight": ' + b"9" * 10_000 + b"}",
        b"\xff\xfe\x00",
        b'{"puzzle": "\xff"}',
        b"puzzle=1",
    ],
)
def test_body_that_is_no_json_is_400(client, data):
    response = client.post("/api/v1/solve", data=data, content_type="application/json")
    refusal = problem(response, 400)
    assert "the body cannot be read as JSON" in refusal["detail"]
    assert len(response.data) < 1000


@each("content_type", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_body_of_another_content_type_is_415(client, content_type):
    data = json.dumps({"puzzle": EASY})
    response = client.post("/api/v1/solve", data=data, content_type=content_type)
    assert "Content-Type: application/json" in problem(response, 415)["detail"]
    charset = client.post(
        "/api/v1/solve", data=data, content_type="application/json; charset=utf-8"
    )
    assert charset.status_code == 200


def test_too_long_body_is_413(client):
    response = post(client, "solve", puzzle="1" * 200_000)
    assert "Send less" in problem(response, 413)["detail"]
    chunked = client.post(  # without a Content-Length
        "/api/v1/solve",
        input_stream=io.BytesIO(b" " * 200_000),
        headers={"Content-Type": "application/json", "Transfer-Encoding": "chunked"},
        environ_overrides={"wsgi.input_terminated": True},
    )
    problem(chunked, 413)


@each(
    ("accept", "status"),
    [
        *((kind, 200) for kind in ("application/json", "*/*", "application/*")),
        ("text/html, */*;q=0.1", 200),
        *((kind, 406) for kind in ("text/html", "application/json;q=0", "nonsense")),
    ],
)
def test_unacceptable_content_type_is_406(client, accept, status):
    for response in (
        client.get(f"/api/v1/puzzles/{EASY}", headers={"Accept": accept}),
        post(client, "solve", {"Accept": accept}, puzzle=EASY),
    ):
        assert response.status_code == status
        if status == 406:
            assert "application/json" in problem(response, 406)["detail"]


def test_preferred_stream_is_sent(client):
    with post(client, "solve", {"Accept": "text/event-stream, */*;q=0.5"}, puzzle=EASY) as response:
        assert response.mimetype == "text/event-stream"


@each("path", ["/api/v1/none", "/api/v2/solve", "/api/"])
def test_unknown_api_path_is_404(client, path):
    assert "/api" in problem(client.get(path), 404)["detail"]


@each(
    ("method", "path", "allowed"),
    [("get", "/api/v1/solve", "POST"), ("post", f"/api/v1/puzzles/{EASY}", "GET")],
)
def test_other_method_is_405(client, method, path, allowed):
    response = getattr(client, method)(path)
    problem(response, 405)
    assert allowed in response.headers["Allow"]


def test_unknown_host_is_400(new_app):
    client = new_app(HOSTS="slidewise.example").test_client()
    problem(client.get("/api/v1/openapi.json", base_url="http://elsewhere.example"), 400)


def test_internal_error_is_a_problem(new_app, monkeypatch):
    def broken(puzzle):
        raise RuntimeError("secret")

    monkeypatch.setattr(boards, "facts", broken)
    client = new_app(TESTING=False, PROPAGATE_EXCEPTIONS=False).test_client()
    response = client.get(f"/api/v1/puzzles/{EASY}")
    assert "Try again" in problem(response, 500)["detail"]
    assert "secret" not in response.text


def test_root_lists_the_operations_and_redirects_browsers(client):
    for path in "/api/v1", "/api/v1/":
        answer = client.get(path, headers={"Accept": "text/html,*/*;q=0.8"})
        assert (answer.status_code, answer.location) == (302, "/api")
        for accept in "*/*", "application/json", "":
            refusal = client.get(path, headers={"Accept": accept}).json
            assert refusal["document"] == "/api/v1/openapi.json"
            assert "/api/v1/random" in [one["path"] for one in refusal["operations"]]
