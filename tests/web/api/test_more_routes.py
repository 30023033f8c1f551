"""The JSON API beside searches: lists, checks, hints, random puzzles, notations."""

import pytest

from slidewise import (
    algorithms,
    exact_table,
    heuristics,
    parse_board,
    parse_puzzle,
    solve,
    standard_goal,
)
from slidewise.course.searching.explanation import check
from slidewise.puzzle import steps
from tests.boards import SOLVED, TEXTBOOK, UNSOLVABLE
from tests.boards import TWO_MOVES as EASY
from tests.each import each
from tests.solver import oracle
from tests.web.api_requests import STREAM, post, problem
from webapp.http.visitor import Visitor
from webapp.workers.budgets import Budgets
from webapp.workers.shared import services_of


def test_algorithms_and_heuristics_are_listed_with_their_facts(client):
    listed = client.get("/api/v1/algorithms").json["algorithms"]
    assert [one["key"] for one in listed] == list(algorithms())
    weighted = next(one for one in listed if one["key"] == "wastar")
    assert (weighted["options"], weighted["optimal"], weighted["uses_heuristic"]) == (
        ["weight"],
        False,
        True,
    )
    listed = client.get("/api/v1/heuristics").json["heuristics"]
    body = {one["key"]: (one["admissible"], one["consistent"]) for one in listed}
    assert body == {key: (one.admissible, one.consistent) for key, one in heuristics().items()}


def test_heuristic_is_checked_on_all_boards(client):
    own = "=manhattan_with_blank"
    body = post(client, "heuristics/check", heuristic=own, size="2x3").json
    expected = check(own, standard_goal(2, 3))
    assert (body["admissible"], body["above"], body["boards"]) == (False, 60, 360)
    assert body["first_above"] == {"board": "1.2.3-4.0.5", "h": 2, "distance": 1}
    assert body["mean_h"] == expected.mean_h
    assert sum(one["boards"] for counts in body["counts"] for one in counts) == 360
    right = post(client, "heuristics/check", heuristic="manhattan", goal=[[1, 2], [3, 0]]).json
    assert (right["admissible"], right["consistent"], right["worst_above"]) == (True, True, None)


def test_heuristic_above_0_at_the_goal_is_not_consistent(client):
    body = post(client, "heuristics/check", heuristic="=1", size="2x2").json
    assert (body["jumps"], body["at_goal"], body["consistent"]) == (0, 1, False)


def test_hint_leads_nearer_to_the_goal(client):
    body = client.get(f"/api/v1/puzzles/{TEXTBOOK}/hint").json
    puzzle = parse_puzzle(TEXTBOOK)
    table = exact_table(puzzle.goal)
    assert table.distance(puzzle.start.slide(body["tile"])) == 25
    assert puzzle.start.move(body["move"]) == puzzle.start.slide(body["tile"])
    assert (body["length"], body["lower_bound"], body["shortest"]) == (26, 26, True)
    done = client.get(f"/api/v1/puzzles/{SOLVED}/hint").json
    assert (done["tile"], done["move"], done["length"]) == (None, None, 0)
    assert (
        "no move helps"
        in problem(client.get(f"/api/v1/puzzles/{UNSOLVABLE}/hint"), 422)["detail"].lower()
    )


def test_random_puzzle_is_repeated_by_its_seed(client):
    body = client.get("/api/v1/random?size=2x4").json
    again = client.get(f"/api/v1/random?size=2x4&seed={body['seed']}").json
    assert body == again
    assert body["puzzle"].count("-") == 1
    far = client.get("/api/v1/random?moves=20-22&goal=first&seed=7").json
    assert 20 <= solve(parse_puzzle(far["puzzle"])).length <= 22
    assert client.get(far["links"]["self"]).json["puzzle"] == far["puzzle"]


def test_facts_count_all_boards_of_a_size(client):
    body = client.get("/api/v1/facts/2x3?goal=1.2.3-0.4.5").json
    distances = list(oracle.distances((1, 2, 3, 0, 4, 5), 2, 3).values())
    assert body["boards"] == len(distances) == 360
    assert body["counts"] == [distances.count(n) for n in range(max(distances) + 1)]
    assert body["mean"] == pytest.approx(sum(distances) / 360)
    assert len(body["hardest"]) == body["counts"][-1]


def test_board_is_written_in_all_notations_and_read_from_each(client):
    body = post(client, "convert", board="3\n1 2 3\n4 0 6\n7 5 8").json
    assert body["board"] == EASY
    assert {"code", "princeton", "42", "python", "unicode"} <= {
        one["key"] for one in body["notations"]
    }
    for one in body["notations"]:
        assert parse_board(one["text"], (3, 3)) == parse_board(EASY)


def test_ambiguous_board_is_422_with_both_readings(client):
    body = problem(post(client, "convert", board="3x2: 1 2 3 4 5 0"), 422)
    assert body["field"] == "board"
    assert len(body["readings"]) == 2
    for reading in body["readings"]:
        assert post(client, "convert", board=reading["puzzle"]).status_code == 200


def test_boards_of_a_path_are_sent_on_request(client):
    body = post(client, "solve", puzzle=TEXTBOOK, boards=True).json
    start = parse_puzzle(TEXTBOOK).start
    assert body["boards"] == [
        str(start),
        *(str(step.board) for step in steps(start, body["moves"])),
    ]
    assert "boards" not in post(client, "solve", puzzle=EASY).json
    assert post(client, "solve", puzzle=UNSOLVABLE, boards=True).json["boards"] is None
    far = post(client, "solve", puzzle=TEXTBOOK, algorithm="dfs", boards=True).json
    assert far["length"] > 2_000
    assert far["boards"] is None
    with post(client, "solve", STREAM, puzzle=EASY, boards=True) as response:
        assert f'"boards": ["{EASY}"' in response.text


def test_run_has_its_own_weight_depth_and_convention(client):
    runs = [
        {"algorithm": "wastar", "weight": 3},
        "wastar",
        {"algorithm": "dfs", "depth": 20},
        {"algorithm": "astar", "heuristic": "misplaced", "convention": "columbia"},
        "bfs",
    ]
    body = post(client, "compare", puzzle=EASY, runs=runs, weight=2, convention="42").json
    found = [(one["weight"], one["convention"]) for one in body["results"]]
    assert found == [
        (3, "slidewise"),
        (2, "slidewise"),
        (None, "42"),
        (None, "columbia"),
        (None, "42"),
    ]
    assert body["results"][2]["length"] <= 20


def test_search_follows_the_given_convention(client):
    columbia = "1.2.5-3.4.0-6.7.8_0.1.2-3.4.5-6.7.8"
    body = post(client, "solve", puzzle=columbia, algorithm="bfs", convention="columbia").json
    assert (body["expanded"], body["convention"]) == (10, "columbia")


@each(
    ("path", "status", "words"),
    [
        ("random?size=1x3", 400, "size must be rows x columns"),
        ("random?moves=many", 400, "moves must be a number of moves such as 20"),
        ("random?size=5x5&moves=20", 422, ""),
        ("random?size=3x3&size=4x4", 400, "size must be given once, found 2"),
        ("random?colour=1", 400, "the fields are size,"),
        ("facts/4x4", 422, "up to 10 cells"),
        ("facts/3", 400, "rows x columns"),
        ("facts/3x3?goal=1.2-3.0", 422, ""),
        ("algorithms?x=1", 400, "there is no field 'x'"),
    ],
)
def test_bad_query_is_a_problem(client, path, status, words):
    assert words in problem(client.get(f"/api/v1/{path}"), status)["detail"]


@each("size", ["3X3", "3%C3%973", "%203x3", "3x3%0A", "03x3", "3,3"])
def test_size_that_its_pattern_forbids_is_400(client, size):
    body = problem(client.get(f"/api/v1/facts/{size}"), 400)
    assert body["field"] == "size"


def test_searches_run_on_many_boards(client):
    runs = ["bfs", "astar:=max(manhattan, misplaced)"]
    fields = {"boards": 2, "moves": "10-12", "size": "3x3", "seed": "7", "runs": runs}
    body = post(client, "many", **fields, seconds=20).json
    assert (body["done"], body["complete"], body["seed"]) == (2, True, "7")
    assert [one["name"] for one in body["summaries"]] == runs
    lengths = [one["length"] for one in body["measures"]]
    assert lengths == [10, 10, 12, 12]
    for one in body["measures"]:
        assert solve(parse_puzzle(one["puzzle"])).length == one["length"] == one["shortest"]


@each(
    ("method", "path", "body"),
    [
        ("POST", "many", {"size": "2x2"}),
        ("POST", "heuristics/check", {"heuristic": "zero"}),
        ("GET", "facts/2x2", None),
        ("GET", "random?moves=3", None),
    ],
)
def test_expensive_request_over_the_budget_is_429(app, client, method, path, body):
    budgets, spent = services_of(app).get(Budgets), 1e12
    budgets.charge(Visitor("192.0.2.7", "192.0.2.7"), spent)
    response = client.open(
        f"/api/v1/{path}", method=method, json=body, environ_base={"REMOTE_ADDR": "192.0.2.7"}
    )
    budgets.charge(Visitor("192.0.2.7", "192.0.2.7"), -spent)
    problem(response, 429)
    assert int(response.headers["Retry-After"]) > 0


def test_shortest_solutions_are_counted(client):
    body = client.get("/api/v1/puzzles/8.6.7-2.5.4-3.0.1/shortest").json
    assert (body["length"], body["count"], body["boards"]) == (31, 40, 527)
    assert len(body["steps"]) == len(body["moves"]) == 31
    assert body["steps"][0]["solutions"] == {"5": 5, "3": 6, "1": 29}
    again = client.get(f"/api/v1/puzzles/{body['puzzle']}/shortest?moves={body['moves']}").json
    assert again == body
    never = client.get(f"/api/v1/puzzles/{UNSOLVABLE}/shortest").json
    assert (never["count"], never["steps"]) == (0, None)


def test_moves_that_are_no_shortest_solution_are_422(client):
    address = "/api/v1/puzzles/1.2.3-4.5.6-7.0.8/shortest?moves="
    for moves, words in (("RLL", "not a shortest solution"), ("UU", "not legal")):
        answer = client.get(address + moves)
        assert (answer.status_code, answer.json["field"]) == (422, "moves")
        assert words in answer.json["detail"]
    assert client.get(address + "X").status_code == 400


def test_slides_has_the_fewest_slides(client):
    body = client.get("/api/v1/puzzles/1.2.3-4.5.6-0.7.8/slides").json
    assert (body["slides"], body["proved"], body["tiles"], body["moves"]) == (1, True, [8], "LL")


@each("question", ["shortest", "slides"])
def test_board_too_large_for_an_operation_is_422(client, question):
    code = str(standard_goal(5, 5))
    answer = client.get(f"/api/v1/puzzles/{code}/{question}")
    assert (answer.status_code, answer.json["field"]) == (422, "code")
    assert "up to 1" in answer.json["detail"]
