"""The JSON API: puzzles, solving and comparing."""

import re
import threading

import pytest

from slidewise import (
    Limits,
    SearchSpec,
    find_heuristic,
    heuristics,
    parse_puzzle,
    scramble,
    search,
    steps,
)
from slidewise.solver.compare import default_choices
from slidewise.solver.events import Preparing
from tests.boards import FOUR as HARD
from tests.boards import TEXTBOOK as CODE
from tests.boards import TWO_MOVES as EASY
from tests.boards import UNSOLVABLE
from tests.each import each
from tests.web.api_requests import open_jobs, post, problem, without_seconds
from tests.web.streams import until
from webapp.api import boards
from webapp.api.schemas import MAX_RUNS
from webapp.workers.shared import services_of

OWN = "=max(manhattan, 2 * misplaced)"
TYPED = "= MAX(manhattan,2*misplaced)"

# Puzzles


def test_facts_of_a_puzzle(client):
    response = client.get(f"/api/v1/puzzles/{CODE}")
    assert (response.status_code, response.mimetype) == (200, "application/json")
    answer = response.json
    assert answer["puzzle"] == CODE
    assert (answer["rows"], answer["cols"], answer["goal_name"]) == (3, 3, "blank first")
    assert (answer["start"], answer["goal"]) == tuple(CODE.split("_"))
    assert (answer["solvable"], answer["distance"], answer["lower_bound"]) == (True, 26, 26)
    assert "16 is even: the goal can be reached." in answer["parity"]["explanation"]
    puzzle = parse_puzzle(CODE)
    assert answer["estimates"] == {
        key: find_heuristic(key).value(puzzle.start, puzzle.goal) for key in heuristics()
    }


def test_links_of_a_puzzle_work(client):
    links = client.get(f"/api/v1/puzzles/{CODE}").json["links"]
    for link in links.values():
        assert client.get(link).status_code == 200
    assert links["self"] == f"/api/v1/puzzles/{CODE}"


def test_unreachable_goal_has_its_parity_numbers(client):
    answer = client.get(f"/api/v1/puzzles/{UNSOLVABLE}").json
    assert answer["solvable"] is False
    assert (answer["distance"], answer["lower_bound"]) == (None, None)
    assert answer["parity"]["inversions"] == 7
    assert (
        "7 is odd: the goal cannot be reached; parity proves it." in answer["parity"]["explanation"]
    )
    assert answer["estimates"]["manhattan"] == 8
    assert answer["estimates"]["exact"] is None


@pytest.mark.parametrize("code", [HARD, str(scramble(10, 10, "seed"))], ids=["4x4", "10x10"])
def test_large_puzzle_has_no_distance(new_app, code):
    client = new_app().test_client()  # that app has not searched for anybody
    answer = client.get(f"/api/v1/puzzles/{code}").json
    puzzle = parse_puzzle(code)
    assert answer["distance"] is None
    fitting = {key for key, one in heuristics().items() if one.fits(puzzle.rows, puzzle.cols)}
    assert set(answer["estimates"]) == fitting
    assert answer["lower_bound"] >= answer["estimates"]["linear-conflict"] > 0
    if "pdb" in fitting:
        assert 40 < answer["estimates"]["pdb"] <= 52


def test_estimate_of_a_table_not_yet_loaded_is_null(client, monkeypatch):
    monkeypatch.setattr(boards, "_loading", threading.Semaphore(0))
    estimates = client.get(f"/api/v1/puzzles/{HARD}").json["estimates"]
    assert estimates["pdb"] is None
    assert estimates["manhattan"] > 0


def test_other_spelling_is_redirected(client):
    response = client.get("/api/v1/puzzles/123406758")
    assert (response.status_code, response.location) == (308, f"/api/v1/puzzles/{EASY}")


@pytest.mark.parametrize("code", ["junk", "1.2.3-4.5.6-7.8.8", "[" * 5000, f"{EASY}_1.2-3.0"])
def test_unreadable_puzzle_is_422(client, code):
    assert len(problem(client.get(f"/api/v1/puzzles/{code}"), 422)["detail"]) < 500


# Solving


@pytest.mark.parametrize(
    "chosen",
    [
        {"algorithm": "astar", "heuristic": TYPED},
        {"algorithm": "bfs"},
        {"algorithm": "astar"},
        {"algorithm": "astar", "heuristic": "linear-conflict"},
        {"algorithm": "wastar", "weight": 2.5},
        {"algorithm": "dfs", "depth": 30},
        {"algorithm": "annealing", "seed": "a", "cooling": 0.99},
        {"algorithm": "astar", "limits": {"expansions": 1000}},
        {"algorithm": "astar", "limits": {"stored_nodes": 1000}},
    ],
    ids=str,
)
def test_result_is_that_of_the_library(client, chosen):
    response = post(client, "solve", puzzle=CODE, **chosen)
    assert (response.status_code, response.mimetype) == (200, "application/json")
    limits = Limits(**chosen.get("limits", {}), depth=chosen.get("depth"))
    names = "algorithm", "heuristic", "weight", "seed", "cooling"
    options = {key: chosen[key] for key in names if key in chosen}
    expected = SearchSpec(parse_puzzle(CODE), **options, limits=limits).result()
    assert {**response.json, "seconds": None} == without_seconds(expected)


def test_solution_leads_to_the_goal(client):
    answer = post(client, "solve", puzzle=CODE).json
    puzzle = parse_puzzle(CODE)
    made = list(steps(puzzle.start, answer["moves"]))
    assert made[-1].board == puzzle.goal
    assert [step.tile for step in made] == answer["tiles"]
    assert (answer["algorithm"], answer["length"], answer["verdict"]) == ("best", 26, "optimal")


@each(("typed", "heuristic"), [("misplaced", "misplaced"), (TYPED, OWN)])
def test_heuristic_without_an_algorithm_means_a_star(client, typed, heuristic):
    answer = post(client, "solve", puzzle=EASY, heuristic=typed).json
    assert (answer["algorithm"], answer["heuristic"]) == ("astar", heuristic)


@each(
    ("path", "body"), [("solve", {"heuristic": TYPED}), ("compare", {"runs": [f"astar:{TYPED}"]})]
)
def test_stream_has_an_own_heuristic_in_its_canonical_form(app, stream, path, body):
    last = stream(app, path, puzzle=EASY, **body).all()[-1].data
    assert last["result"]["heuristic"] == OWN
    assert last.get("name") == (f"astar:{OWN}" if path == "compare" else None)


@each(
    "body",
    [
        {"puzzle": "1 2 3 4 0 6 7 5 8"},
        {"puzzle": EASY, "goal": "1.2.3-4.5.6-7.8.0"},
        {"puzzle": [1, 2, 3, 4, 0, 6, 7, 5, 8]},
        {"puzzle": [[1, 2, 3], [4, 0, 6], [7, 5, 8]], "goal": [[1, 2, 3], [4, 5, 6], [7, 8, 0]]},
    ],
)
def test_every_notation_is_read(client, body):
    answer = post(client, "solve", **body).json
    assert (answer["puzzle"], answer["length"]) == (EASY, 2)


def test_flat_list_needs_its_size(client):
    answer = post(client, "solve", puzzle="1 0 3 4 2 5", size="2x3").json
    assert (answer["puzzle"], answer["length"]) == ("1.0.3-4.2.5", 2)
    assert "2x3" in problem(post(client, "solve", puzzle="1 0 3 4 2 5"), 422)["detail"]


def test_no_solution_is_a_result(client):
    answer = post(client, "solve", puzzle=UNSOLVABLE).json
    assert (answer["status"], answer["length"], answer["lower_bound"]) == ("unsolvable", None, None)
    assert "cannot be reached" in answer["reason"]


def test_weights_are_rounded_to_two_decimals(client):
    answer = post(client, "solve", puzzle=EASY, algorithm="wastar", weight=1.2345).json
    assert answer["weight"] == 1.23


@pytest.mark.parametrize(
    ("settings", "limits", "reason"),
    [
        ({"SOLVE_WAIT": 0.3}, {}, "stopped after 0.3 s"),
        ({"SOLVE_WAIT": 5}, {"seconds": 0.2}, "stopped after 0.2 s"),
    ],
    ids=["wait", "seconds"],
)
def test_search_over_its_limits_is_a_cutoff_with_its_bound(
    app, client, monkeypatch, settings, limits, reason
):
    for name, value in settings.items():
        monkeypatch.setitem(app.config, name, value)
    answer = post(client, "solve", puzzle=HARD, algorithm="bfs", limits=limits).json
    assert (answer["status"], answer["length"], answer["verdict"]) == ("cutoff", None, "unproved")
    assert re.match(rf"{reason}; the shortest has (at least )?\d+ moves", answer["reason"])
    assert 2 <= answer["lower_bound"] <= 52


def test_search_stopped_past_its_time_is_a_cutoff(app, client, monkeypatch):
    monkeypatch.setitem(app.config, "SOLVE_WAIT", 5)
    monkeypatch.setitem(app.config, "QUEUE_WAIT", -4.5)
    answer = post(client, "solve", puzzle=HARD, algorithm="bfs").json
    assert answer["status"] == "cutoff"
    assert answer["reason"].startswith(
        "stopped when the time for this answer was over; the shortest has"
    )


def test_search_still_compiling_at_its_timeout_is_503(app, client, monkeypatch):
    monkeypatch.setitem(app.config, "SOLVE_WAIT", 5)
    monkeypatch.setitem(app.config, "QUEUE_WAIT", -5)
    (*_, finished) = search(parse_puzzle(EASY), "bfs", cancelled=lambda: True)
    events = [(1, Preparing("compiling the search", 0, 1)), (1, None), (2, finished)]
    monkeypatch.setattr(services_of(app).solvers, "events", lambda job: iter(events))
    answer = problem(post(client, "solve", puzzle=EASY, algorithm="bfs"), 503)
    assert "is still being compiled" in answer["detail"]


# Comparing


def test_results_are_in_the_order_of_the_runs(client):
    runs = ["astar:misplaced", "bfs", "astar", f"astar:{TYPED}"]
    response = post(client, "compare", puzzle=CODE, runs=runs)
    assert response.status_code == 200
    answer = response.json
    assert (answer["puzzle"], answer["plain"]) == (CODE, [])
    found = [(one["algorithm"], one["heuristic"], one["length"]) for one in answer["results"]]
    assert found[:3] == [("astar", "misplaced", 26), ("bfs", None, 26), ("astar", "manhattan", 26)]
    assert found[3][:2] == ("astar", OWN)
    puzzle = parse_puzzle(CODE)
    for one in answer["results"]:
        spec = SearchSpec(puzzle, one["algorithm"], one["heuristic"] or "manhattan")
        assert {**one, "seconds": None} == without_seconds(spec.result())


def test_comparison_without_runs_has_the_default_choices(client):
    answer = post(client, "compare", puzzle=EASY).json
    found = [(one["algorithm"], one["heuristic"]) for one in answer["results"]]
    assert found == [tuple(choice) for choice in default_choices(parse_puzzle(EASY))]
    assert len(found) <= MAX_RUNS


def test_streamed_event_names_its_run(app, stream, event_schema):
    messages = stream(app, "compare", puzzle=CODE, runs=["bfs", "astar:misplaced", "bfs"]).all()
    assert [message.id for message in messages] == list(range(1, len(messages) + 1))
    runs = [message.data["run"] for message in messages]
    assert runs == sorted(runs)
    done = [message.data for message in messages if message.kind == "finished"]
    assert [(one["run"], one["name"]) for one in done] == [
        (1, "bfs"),
        (2, "astar:misplaced"),
        (3, "bfs"),
    ]
    assert [one["result"]["length"] for one in done] == [26, 26, 26]
    for message in messages:
        event_schema.validate(message.data)


def test_time_is_shared_between_the_runs(app, client, monkeypatch):
    monkeypatch.setitem(app.config, "SOLVE_WAIT", 2.4)
    answer = post(client, "compare", puzzle=HARD, runs=["bfs", "ucs", "best"]).json
    statuses = [one["status"] for one in answer["results"]]
    assert statuses == ["cutoff", "cutoff", "solved"]
    assert answer["results"][0]["reason"].startswith("stopped after 0.8 s")


def test_limit_applies_to_each_run(client):
    runs = ["bfs", "astar"]
    answer = post(client, "compare", puzzle=CODE, runs=runs, limits={"expansions": 100}).json
    assert [(one["status"], one["expanded"]) for one in answer["results"]] == [("cutoff", 100)] * 2


def test_runs_share_one_place(new_app, stream):
    """A visitor with one place for searches can compare several."""
    app = new_app(STREAMS_PER_VISITOR=1)
    comparison = stream(app, "compare", puzzle=EASY, runs=["bfs", "astar", "greedy"])
    assert [message.kind for message in comparison.all()].count("finished") == 3


def test_run_waits_for_a_place_taken_by_another_search(new_app, stream):
    app = new_app(STREAMS_PER_VISITOR=1)
    comparison = stream(app, "compare", puzzle=EASY, runs=["bfs", "astar"])
    comparison.until("finished")
    assert until(lambda: not open_jobs(app)) is True
    other = stream(app, "solve", puzzle=HARD, algorithm="bfs")
    other.until("progress")
    assert b"still here" in next(comparison._chunks)
    other.leave()
    assert comparison.until("finished").data["name"] == "astar:manhattan"
