"""HTTP for programs: what it tells of puzzles and of searches, and the document that says so."""

from __future__ import annotations

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
from tests.web.programs import open_jobs, post, problem, without_seconds
from tests.web.streams import until
from webapp.api import boards
from webapp.api.schemas import MAX_RUNS
from webapp.workers.services import services_of

OWN = "=max(manhattan, 2 * misplaced)"
TYPED = "= MAX(manhattan,2*misplaced)"

# Puzzles


def test_the_facts_of_a_puzzle(client):
    response = client.get(f"/api/v1/puzzles/{CODE}")
    assert (response.status_code, response.mimetype) == (200, "application/json")
    told = response.json
    assert told["puzzle"] == CODE
    assert (told["rows"], told["cols"], told["goal_name"]) == (3, 3, "blank first")
    assert (told["start"], told["goal"]) == tuple(CODE.split("_"))
    assert (told["solvable"], told["distance"], told["lower_bound"]) == (True, 26, 26)
    assert "16 is even: the goal can be reached." in told["parity"]["explanation"]
    puzzle = parse_puzzle(CODE)
    assert told["estimates"] == {
        key: find_heuristic(key).value(puzzle.start, puzzle.goal) for key in heuristics()
    }


def test_its_links_lead_somewhere(client):
    links = client.get(f"/api/v1/puzzles/{CODE}").json["links"]
    for link in links.values():
        assert client.get(link).status_code == 200
    assert links["self"] == f"/api/v1/puzzles/{CODE}"


def test_a_goal_that_cannot_be_reached_is_told_with_its_numbers(client):
    told = client.get(f"/api/v1/puzzles/{UNSOLVABLE}").json
    assert told["solvable"] is False
    assert (told["distance"], told["lower_bound"]) == (None, None)
    assert told["parity"]["inversions"] == 7
    assert (
        "7 is odd: the goal cannot be reached; parity proves it." in told["parity"]["explanation"]
    )
    assert told["estimates"]["manhattan"] == 8
    assert told["estimates"]["exact"] is None


@pytest.mark.parametrize("code", [HARD, str(scramble(10, 10, "seed"))], ids=["4x4", "10x10"])
def test_of_a_large_one_what_takes_a_search_is_left_out(new_app, code):
    client = new_app().test_client()  # which has searched for nobody
    told = client.get(f"/api/v1/puzzles/{code}").json
    puzzle = parse_puzzle(code)
    assert told["distance"] is None
    fitting = {key for key, one in heuristics().items() if one.fits(puzzle.rows, puzzle.cols)}
    assert set(told["estimates"]) == fitting
    assert told["lower_bound"] >= told["estimates"]["linear-conflict"] > 0
    if "pdb" in fitting:
        assert 40 < told["estimates"]["pdb"] <= 52


def test_what_is_not_ready_is_null(client, monkeypatch):
    monkeypatch.setattr(boards, "_loading", threading.Semaphore(0))
    estimates = client.get(f"/api/v1/puzzles/{HARD}").json["estimates"]
    assert estimates["pdb"] is None
    assert estimates["manhattan"] > 0


def test_another_spelling_is_redirected(client):
    for spelled in "123406758", "1.2.3%2D4.0.6-7.5.8", f"{EASY}_1.2.3-4.5.6-7.8.0":
        response = client.get(f"/api/v1/puzzles/{spelled}")
        assert (response.status_code, response.location) == (308, f"/api/v1/puzzles/{EASY}")


@pytest.mark.parametrize("code", ["junk", "1.2.3-4.5.6-7.8.8", "[" * 5000, f"{EASY}_1.2-3.0"])
def test_what_is_no_puzzle_is_told_so(client, code):
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
        {"algorithm": "astar", "limits": {"expansions": 1000}},
        {"algorithm": "astar", "limits": {"stored_nodes": 1000}},
    ],
    ids=str,
)
def test_a_result_is_that_of_the_library(client, chosen):
    response = post(client, "solve", puzzle=CODE, **chosen)
    assert (response.status_code, response.mimetype) == (200, "application/json")
    limits = Limits(**chosen.get("limits", {}), depth=chosen.get("depth"))
    wanted = {key: chosen[key] for key in ("algorithm", "heuristic", "weight") if key in chosen}
    expected = SearchSpec(parse_puzzle(CODE), **wanted, limits=limits).result()
    assert {**response.json, "seconds": None} == without_seconds(expected)


def test_a_solution_leads_to_the_goal(client):
    told = post(client, "solve", puzzle=CODE).json
    puzzle = parse_puzzle(CODE)
    made = list(steps(puzzle.start, told["moves"]))
    assert made[-1].board == puzzle.goal
    assert [step.tile for step in made] == told["tiles"]
    assert (told["algorithm"], told["length"], told["verdict"]) == ("best", 26, "optimal")


@each(("typed", "heuristic"), [("misplaced", "misplaced"), (TYPED, OWN)])
def test_heuristic_without_an_algorithm_means_a_star(client, typed, heuristic):
    told = post(client, "solve", puzzle=EASY, heuristic=typed).json
    assert (told["algorithm"], told["heuristic"]) == ("astar", heuristic)


@each(
    ("path", "body"), [("solve", {"heuristic": TYPED}), ("compare", {"runs": [f"astar:{TYPED}"]})]
)
def test_stream_has_an_own_heuristic_in_its_canonical_form(app, stream, path, body):
    last = stream(app, path, puzzle=EASY, **body).all()[-1].data
    assert last["result"]["heuristic"] == OWN
    assert last.get("name") == (f"astar:{OWN}" if path == "compare" else None)


@pytest.mark.parametrize(
    "body",
    [
        {"puzzle": "1 2 3 4 0 6 7 5 8"},
        {"puzzle": "[[1, 2, 3], [4, 0, 6], [7, 5, 8]]"},
        {"puzzle": EASY, "goal": "1.2.3-4.5.6-7.8.0"},
        {"puzzle": f"{EASY}_1.2.3-4.5.6-7.8.0"},
        {"puzzle": "1 2 3 4 0 6 7 5 8", "size": "3x3"},
        {"puzzle": [1, 2, 3, 4, 0, 6, 7, 5, 8]},
        {"puzzle": [[1, 2, 3], [4, 0, 6], [7, 5, 8]], "goal": [[1, 2, 3], [4, 5, 6], [7, 8, 0]]},
    ],
    ids=str,
)
def test_every_notation_is_read(client, body):
    told = post(client, "solve", **body).json
    assert (told["puzzle"], told["length"]) == (EASY, 2)


def test_a_flat_list_takes_its_size(client):
    told = post(client, "solve", puzzle="1 0 3 4 2 5", size="2x3").json
    assert (told["puzzle"], told["length"]) == ("1.0.3-4.2.5", 2)
    assert "2x3" in problem(post(client, "solve", puzzle="1 0 3 4 2 5"), 422)["detail"]


def test_no_solution_is_a_result(client):
    told = post(client, "solve", puzzle=UNSOLVABLE).json
    assert (told["status"], told["length"], told["lower_bound"]) == ("unsolvable", None, None)
    assert "cannot be reached" in told["reason"]


def test_weights_are_rounded_to_two_decimals(client):
    told = post(client, "solve", puzzle=EASY, algorithm="wastar", weight=1.2345).json
    assert told["weight"] == 1.23


@pytest.mark.parametrize(
    ("settings", "limits", "reason"),
    [
        ({"SOLVE_WAIT": 0.3}, {}, "stopped after 0.3 s"),
        ({"SOLVE_WAIT": 5}, {"seconds": 0.2}, "stopped after 0.2 s"),
        ({"SOLVE_MEGABYTES": 2}, {"stored_nodes": 500_000_000}, r"stopped at [\d,]+ stored nodes"),
    ],
    ids=["wait", "seconds", "memory"],
)
def test_a_search_that_takes_too_long_says_what_it_knows(new_app, settings, limits, reason):
    client = new_app(**settings).test_client()
    told = post(client, "solve", puzzle=HARD, algorithm="bfs", limits=limits).json
    assert (told["status"], told["length"], told["verdict"]) == ("cutoff", None, "unproved")
    assert re.match(rf"{reason}: the shortest has (at least )?\d+ moves", told["reason"])
    assert 2 <= told["lower_bound"] <= 52


def test_one_that_is_stopped_past_its_time_is_cut_off_too(new_app):
    client = new_app(SOLVE_WAIT=5, QUEUE_WAIT=-4.5).test_client()
    told = post(client, "solve", puzzle=HARD, algorithm="bfs").json
    assert told["status"] == "cutoff"
    assert told["reason"].startswith(
        "stopped when the time for this answer was over: the shortest has"
    )


def test_what_is_still_compiled_at_the_end_of_the_time_is_told_as_that(new_app, monkeypatch):
    app = new_app(SOLVE_WAIT=5, QUEUE_WAIT=-5)
    (*_, finished) = search(parse_puzzle(EASY), "bfs", cancelled=lambda: True)
    events = [(1, Preparing("compiling the search", 0, 1)), (1, None), (2, finished)]
    monkeypatch.setattr(services_of(app).solvers, "events", lambda job: iter(events))
    told = problem(post(app.test_client(), "solve", puzzle=EASY, algorithm="bfs"), 503)
    assert "is still being compiled" in told["detail"]


# Comparing


def test_the_results_stand_in_the_order_of_the_runs(client):
    runs = ["astar:misplaced", "bfs", "astar", f"astar:{TYPED}"]
    response = post(client, "compare", puzzle=CODE, runs=runs)
    assert response.status_code == 200
    told = response.json
    assert told["puzzle"] == CODE
    found = [(one["algorithm"], one["heuristic"], one["length"]) for one in told["results"]]
    assert found[:3] == [("astar", "misplaced", 26), ("bfs", None, 26), ("astar", "manhattan", 26)]
    assert found[3][:2] == ("astar", OWN)
    puzzle = parse_puzzle(CODE)
    for one in told["results"]:
        spec = SearchSpec(puzzle, one["algorithm"], one["heuristic"] or "manhattan")
        assert {**one, "seconds": None} == without_seconds(spec.result())


def test_without_runs_all_are_compared_that_make_sense(client):
    told = post(client, "compare", puzzle=EASY).json
    found = [(one["algorithm"], one["heuristic"]) for one in told["results"]]
    assert found == [tuple(choice) for choice in default_choices(parse_puzzle(EASY))]
    assert len(found) <= MAX_RUNS


def test_the_weight_is_for_those_that_take_one(client):
    told = post(client, "compare", puzzle=EASY, runs=["astar", "wastar"], weight=3).json
    assert [one["weight"] for one in told["results"]] == [None, 3]


def test_in_a_stream_each_event_says_whose_it_is(app, stream, event_schema):
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


def test_the_time_is_shared_between_the_runs(new_app):
    client = new_app(SOLVE_WAIT=2.4).test_client()
    told = post(client, "compare", puzzle=HARD, runs=["bfs", "ucs", "best"]).json
    statuses = [one["status"] for one in told["results"]]
    assert statuses == ["cutoff", "cutoff", "solved"]
    assert told["results"][0]["reason"].startswith("stopped after 0.8 s")


def test_a_limit_of_the_runs_is_that_of_each(client):
    runs = ["bfs", "astar"]
    told = post(client, "compare", puzzle=CODE, runs=runs, limits={"expansions": 100}).json
    assert [(one["status"], one["expanded"]) for one in told["results"]] == [("cutoff", 100)] * 2


def test_runs_follow_each_other_in_one_place(new_app, stream):
    """A visitor who may begin one search at a time can compare several."""
    app = new_app(STREAMS_PER_VISITOR=1)
    begun = stream(app, "compare", puzzle=EASY, runs=["bfs", "astar", "greedy"])
    assert [message.kind for message in begun.all()].count("finished") == 3


def test_a_run_waits_for_a_place_that_another_search_took(new_app, stream):
    app = new_app(STREAMS_PER_VISITOR=1)
    begun = stream(app, "compare", puzzle=EASY, runs=["bfs", "astar"])
    begun.until("finished")
    assert until(lambda: not open_jobs(app)) is True
    other = stream(app, "solve", puzzle=HARD, algorithm="bfs")
    other.until("progress")
    assert b"still here" in next(begun._chunks)
    other.leave()
    assert begun.until("finished").data["name"] == "astar:manhattan"
