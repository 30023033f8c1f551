"""HTTP for programs: what it tells, how it streams, what it refuses."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import signal
import threading
from dataclasses import dataclass
from pathlib import Path

import jsonschema_rs
import pytest

from tests.web import markup
from tests.web.processes import NEEDS_PROC, solvers
from tests.web.streams import PATIENCE, until
from webapp.puzzle import parse_puzzle, scramble, steps
from webapp.search import Limits, algorithms, find_heuristic, heuristics, search, solve
from webapp.search.comparison import default_choices
from webapp.search.events import Expanded
from webapp.web import api, facts, searches
from webapp.web.api_document import EVENTS, event_kind
from webapp.web.api_requests import MOST_RUNS, MOST_TRACED

CODE = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"
EASY = "1.2.3-4.0.6-7.5.8"
SOLVED = "1.2.3-4.5.6-7.8.0"
UNSOLVABLE = "1.2.3-8.0.4-7.6.5"
HARD = "15.14.1.6-9.11.4.12-0.10.7.3-13.8.5.2"
"""Takes 52 moves: breadth-first search runs into its limit after seconds."""

STREAM = {"Accept": "text/event-stream"}
README = Path(__file__).parents[2] / "README.md"


def post(client, path, headers=None, visitor="127.0.0.1", **body):
    return client.post(
        f"/api/v1/{path}", json=body, headers=headers, environ_base={"REMOTE_ADDR": visitor}
    )


def problem(response, status):
    """Return the problem that is told, checking its form."""
    assert response.status_code == status, response.text
    assert response.mimetype == "application/problem+json"
    told = response.json
    assert told["status"] == status
    assert told["title"]
    assert told["detail"].endswith(".")
    return told


@dataclass(frozen=True)
class Message:
    id: int
    kind: str
    data: dict


def parse(text):
    """Return the messages of a stream, comments left out."""
    found = []
    for block in text.split("\n\n")[:-1]:
        if not block.startswith(":"):
            fields = dict(line.split(": ", 1) for line in block.split("\n"))
            assert list(fields) == ["event", "id", "data"]
            found.append(Message(int(fields["id"]), fields["event"], json.loads(fields["data"])))
    return found


class Stream:
    """A program that reads a stream as it comes, and can leave."""

    def __init__(self, response):
        assert response.status_code == 200, response.text
        self._response = response
        self._chunks = iter(response.response)
        self.text = ""

    def until(self, kind):
        """Read on until a message of this kind has come, and return it."""
        for chunk in self._chunks:
            self.text += chunk.decode()
            found = [message for message in parse(chunk.decode()) if message.kind == kind]
            if found:
                return found[0]
        raise AssertionError(f"no {kind} in {self.text}")

    def leave(self):
        self._response.close()

    def all(self):
        self.text += b"".join(self._chunks).decode()
        self.leave()
        return parse(self.text)


@pytest.fixture
def stream():
    """Begin streams, each of which is left at the end."""
    begun = []

    def begin(app, path, visitor="127.0.0.1", **body):
        response = post(app.test_client(), path, STREAM, visitor, **body)
        begun.append(Stream(response))
        return begun[-1]

    yield begin
    for one in begun:
        one.leave()


def open_jobs(app):
    return [job for job in app.extensions["solvers"]._jobs.values() if job.ended is None]


# Puzzles


@pytest.fixture
def waiting(helped, monkeypatch):
    """Let the facts wait for their look-ups however long that takes on a busy machine."""
    monkeypatch.setattr(facts, "WAIT", PATIENCE)


def test_the_facts_of_a_puzzle(client, waiting):
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


def test_its_links_lead_somewhere(client, waiting):
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
def test_of_a_large_one_what_takes_a_search_is_left_out(client, waiting, code):
    told = client.get(f"/api/v1/puzzles/{code}").json
    puzzle = parse_puzzle(code)
    assert told["distance"] is None
    fitting = {key for key, one in heuristics().items() if one.fits(puzzle.rows, puzzle.cols)}
    assert set(told["estimates"]) == fitting
    assert told["lower_bound"] >= told["estimates"]["linear-conflict"] > 0
    if "pdb" in fitting:
        assert 40 < told["estimates"]["pdb"] <= 52


def test_what_is_not_ready_is_null(client, monkeypatch):
    monkeypatch.setattr(facts, "_loading", threading.Semaphore(0))
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


@pytest.fixture
def unhurried(monkeypatch):
    """Let searches begin late on a busy machine: their own limits end them."""
    monkeypatch.setattr(searches, "GRACE", PATIENCE)


def told_of(result):
    return {**result.as_json(), "seconds": None}


@pytest.mark.parametrize(
    "chosen",
    [
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
    expected = solve(parse_puzzle(CODE), **wanted, limits=limits)
    assert {**response.json, "seconds": None} == told_of(expected)


def test_a_solution_leads_to_the_goal(client):
    told = post(client, "solve", puzzle=CODE).json
    puzzle = parse_puzzle(CODE)
    made = list(steps(puzzle.start, told["moves"]))
    assert made[-1].board == puzzle.goal
    assert [step.tile for step in made] == told["tiles"]
    assert (told["algorithm"], told["length"], told["verdict"]) == ("best", 26, "optimal")


def test_who_names_a_heuristic_alone_means_a_star(client):
    told = post(client, "solve", puzzle=EASY, heuristic="misplaced").json
    assert (told["algorithm"], told["heuristic"]) == ("astar", "misplaced")


@pytest.mark.parametrize(
    "body",
    [
        {"puzzle": "1 2 3 4 0 6 7 5 8"},
        {"puzzle": "[[1, 2, 3], [4, 0, 6], [7, 5, 8]]"},
        {"puzzle": EASY, "goal": "1.2.3-4.5.6-7.8.0"},
        {"puzzle": f"{EASY}_1.2.3-4.5.6-7.8.0"},
        {"puzzle": "1 2 3 4 0 6 7 5 8", "size": "3x3"},
    ],
    ids=str,
)
def test_every_notation_is_read(client, body):
    assert post(client, "solve", **body).json["puzzle"] == EASY


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
def test_a_search_that_takes_too_long_says_what_it_knows(
    new_app, unhurried, settings, limits, reason
):
    client = new_app(**settings).test_client()
    told = post(client, "solve", puzzle=HARD, algorithm="bfs", limits=limits).json
    assert (told["status"], told["length"], told["verdict"]) == ("cutoff", None, "unproved")
    assert re.match(rf"{reason}: the shortest has at least \d+ moves", told["reason"])
    assert 2 <= told["lower_bound"] <= 52


def test_one_that_is_stopped_past_its_time_is_cut_off_too(new_app, monkeypatch):
    monkeypatch.setattr(searches, "GRACE", -4.5)
    client = new_app(SOLVE_WAIT=5).test_client()
    told = post(client, "solve", puzzle=HARD, algorithm="bfs").json
    assert told["status"] == "cutoff"
    assert told["reason"].startswith("stopped on request: the shortest has at least")


# The stream


@pytest.fixture(scope="module")
def event_schema(app):
    document = app.test_client().get("/api/v1/openapi.json").json
    schemas = document["components"]
    return jsonschema_rs.validator_for(
        {"$ref": "#/components/schemas/Event", "components": schemas}
    )


def test_the_events_of_a_search(app, stream, event_schema):
    begun = stream(app, "solve", puzzle=CODE, algorithm="idastar", heuristic="manhattan")
    messages = begun.all()
    assert [message.id for message in messages] == list(range(1, len(messages) + 1))
    kinds = [message.kind for message in messages]
    assert kinds[-1] == "finished"
    assert next(kind for kind in kinds if kind not in ("waiting", "preparing")) == "started"
    assert kinds.count("iteration") == 5  # the f-limits 18, 20 ... 26
    for message in messages:
        assert message.data["event"] == message.kind
        event_schema.validate(message.data)
    result = messages[-1].data["result"]
    assert (result["length"], result["verdict"]) == (26, "optimal")


def test_a_stream_is_not_kept_or_held_back(app, stream):
    response = stream(app, "solve", puzzle=EASY)._response
    assert response.mimetype == "text/event-stream"
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Accel-Buffering"] == "no"


def test_a_trace_is_that_of_the_library(app, stream):
    messages = stream(app, "solve", puzzle=CODE, algorithm="astar", trace=50).all()
    traced = [message.data for message in messages if message.kind == "expanded"]
    events = search(parse_puzzle(CODE), "astar", "manhattan", trace=50)
    expected = [event.as_json() for event in events if isinstance(event, Expanded)]
    assert len(expected) == 50
    assert traced == json.loads(json.dumps(expected))


def test_a_trace_takes_a_stream(client):
    told = problem(post(client, "solve", puzzle=EASY, trace=5), 422)
    assert "text/event-stream" in told["detail"]
    assert post(client, "solve", puzzle=EASY, trace=0).status_code == 200


def test_progress_comes_while_it_runs(app, stream):
    begun = stream(app, "solve", puzzle=HARD, algorithm="bfs")
    first, second = begun.until("progress"), begun.until("progress")
    assert 0 < first.data["expanded"] < second.data["expanded"]
    assert first.id < second.id


def test_what_is_wrong_is_told_before_the_stream_begins(client):
    response = post(client, "solve", STREAM, puzzle="junk")
    problem(response, 422)


@NEEDS_PROC
@pytest.mark.parametrize("read", [0, 1, 3])
@pytest.mark.parametrize("path", ["solve", "compare"])
def test_a_closed_stream_ends_its_search(app, path, read):
    endless = {"algorithm": "idastar", "heuristic": "zero"}
    body = endless if path == "solve" else {"runs": ["idastar:zero", "iddfs"]}
    begun = Stream(post(app.test_client(), path, STREAM, puzzle=HARD, **body))
    for _ in range(read):
        next(begun._chunks)
    begun.leave()
    assert until(lambda: not open_jobs(app)) is True
    assert until(lambda: not solvers()) is True


@NEEDS_PROC
def test_a_search_that_is_lost_is_told(app, stream):
    begun = stream(app, "solve", puzzle=HARD, algorithm="bfs")
    begun.until("progress")
    os.kill(solvers().pop(), signal.SIGKILL)
    failed = begun.until("failed")
    assert failed.data["message"] == "The solver was lost. Try again, or with a smaller limit."
    assert [message.kind for message in begun.all()][-1] == "failed"


@NEEDS_PROC
def test_so_it_is_in_json(new_app):
    app = new_app(SOLVERS=1)

    def kill():
        worker = until(solvers).pop()
        os.kill(worker, signal.SIGKILL)

    threading.Thread(target=kill).start()
    told = problem(post(app.test_client(), "solve", puzzle=HARD, algorithm="bfs"), 500)
    assert told["detail"] == "The solver was lost. Try again, or with a smaller limit."


# Comparing


def test_the_results_stand_in_the_order_of_the_runs(client):
    runs = ["astar:misplaced", "bfs", "astar"]
    response = post(client, "compare", puzzle=CODE, runs=runs)
    assert response.status_code == 200
    told = response.json
    assert told["puzzle"] == CODE
    found = [(one["algorithm"], one["heuristic"], one["length"]) for one in told["results"]]
    assert found == [("astar", "misplaced", 26), ("bfs", None, 26), ("astar", "manhattan", 26)]
    puzzle = parse_puzzle(CODE)
    for one in told["results"]:
        expected = solve(puzzle, one["algorithm"], one["heuristic"] or "manhattan")
        assert {**one, "seconds": None} == told_of(expected)


def test_without_runs_all_are_compared_that_make_sense(client):
    told = post(client, "compare", puzzle=EASY).json
    found = [(one["algorithm"], one["heuristic"]) for one in told["results"]]
    assert found == [tuple(choice) for choice in default_choices(parse_puzzle(EASY))]
    assert len(found) <= MOST_RUNS


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


def test_the_time_is_shared_between_the_runs(new_app, unhurried):
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


# Busy


@NEEDS_PROC
def test_a_visitor_who_solves_too_much_at_once_is_told(new_app, stream, halted):
    app = new_app(STREAMS_PER_VISITOR=1, MAX_STREAMS=2)
    stream(app, "solve", puzzle=HARD, algorithm="bfs").until("progress")
    halted()
    client = app.test_client()
    for path in "solve", "compare":
        for headers in {}, STREAM:
            response = post(client, path, headers, puzzle=EASY)
            told = problem(response, 503)
            assert "1 search from your network is running already. Try again in 5" in told["detail"]
            assert int(response.headers["Retry-After"]) > 0
    page = client.post(f"/play/{EASY}/solve")
    assert page.status_code == 503, "a page and a program are one visitor"
    stream(app, "solve", visitor="10.0.0.2", puzzle=HARD, algorithm="bfs").until("progress")
    halted()
    told = problem(post(client, "solve", visitor="10.0.0.3", puzzle=EASY), 503)
    assert "2 searches are running already" in told["detail"]


@NEEDS_PROC
def test_who_waits_for_a_solver_is_told_so(new_app, stream, halted, event_schema, monkeypatch):
    monkeypatch.setattr(searches, "GRACE", 0)
    app = new_app(SOLVERS=1, SOLVE_WAIT=0.5)
    running = stream(app, "solve", visitor="10.0.0.1", puzzle=HARD, algorithm="bfs")
    running.until("progress")
    halted()
    response = post(app.test_client(), "solve", puzzle=EASY)
    assert "All solvers are busy right now" in problem(response, 503)["detail"]
    assert int(response.headers["Retry-After"]) > 0
    second = stream(app, "solve", visitor="10.0.0.2", puzzle=EASY)
    waiting = second.until("waiting")
    assert (waiting.data["position"], waiting.data["queue"]) == (1, 1)
    event_schema.validate(waiting.data)
    running.leave()
    assert second.until("finished").data["result"]["length"] == 2


@NEEDS_PROC
def test_a_stop_of_the_server_ends_the_streams(new_app, stream, halted):
    app = new_app(SOLVERS=1)
    running = stream(app, "solve", visitor="10.0.0.1", puzzle=HARD, algorithm="bfs")
    running.until("progress")
    second = stream(app, "solve", visitor="10.0.0.2", puzzle=EASY)
    second.until("waiting")
    app.extensions["solvers"].close()
    for one in running, second:
        assert one.all()[-1].kind in {"finished", "failed"}
    assert (
        "about to restart" in problem(post(app.test_client(), "solve", puzzle=EASY), 503)["detail"]
    )


# What is refused


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
        ("solve", {"trace": MOST_TRACED + 1}, "trace must be at most 2,000"),
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
    ("path", "body", "words"),
    [
        ("solve", {"puzzle": "junk"}, "Expected a tile's number"),
        ("solve", {"puzzle": EASY, "goal": "1.2-3.0"}, "Expected 3 rows of 3"),
        ("solve", {"puzzle": CODE, "goal": SOLVED}, "Expected one goal"),
        (
            "solve",
            {"puzzle": HARD, "algorithm": "astar", "heuristic": "exact"},
            "no tables for 4x4",
        ),
        ("solve", {"puzzle": EASY, "depth": 5}, "The algorithm best takes no depth: leave it out"),
        ("solve", {"puzzle": EASY, "algorithm": "bfs", "weight": 2}, "bfs takes no weight"),
        ("compare", {"puzzle": HARD, "runs": ["bfs", "astar:exact"]}, "no tables for 4x4"),
    ],
    ids=str,
)
def test_a_body_that_makes_no_search_is_refused_too(client, path, body, words):
    assert words in problem(post(client, path, **body), 422)["detail"]


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

    monkeypatch.setattr(api, "facts", broken)
    client = new_app(TESTING=False, PROPAGATE_EXCEPTIONS=False).test_client()
    response = client.get(f"/api/v1/puzzles/{EASY}")
    assert "Try again" in problem(response, 500)["detail"]
    assert "secret" not in response.text


# No cookies


def test_cookies_are_neither_read_nor_set(app, waiting):
    client = app.test_client()
    client.post(f"/play/{EASY}/slide", data={"tile": 5})
    kept = client.get_cookie("slidewise_game", path=f"/play/{EASY}").value
    for path in "/", "/api":
        client.set_cookie("slidewise_game", kept, path=path)
    before = {(c.key, c.path, c.value) for c in client._cookies.values()}
    told = [
        client.get(f"/api/v1/puzzles/{EASY}"),
        post(client, "solve", puzzle=EASY),
        post(client, "compare", puzzle=EASY, runs=["bfs"]),
        post(client, "solve", STREAM, puzzle=EASY),
        client.get("/api/v1/openapi.json"),
        client.get("/api"),
        client.get("/api/v1/none"),
    ]
    for response in told:
        assert "Set-Cookie" not in response.headers
        assert "Cookie" not in response.vary
        response.close()
    assert {(c.key, c.path, c.value) for c in client._cookies.values()} == before
    assert told[0].json["start"] == EASY
    assert told[1].json["length"] == 2, "from the start, not from where the game stands"


# The document and the page


def test_the_document_lists_what_there_is(client, app):
    response = client.get("/api/v1/openapi.json")
    assert (response.status_code, response.mimetype) == (200, "application/json")
    document = response.json
    assert document["openapi"].startswith("3.1.")
    fields = document["components"]["schemas"]["SolveRequest"]["properties"]
    assert fields["algorithm"]["enum"] == list(algorithms())
    assert fields["heuristic"]["anyOf"][0]["enum"] == list(heuristics())
    seconds = fields["limits"]["properties"]["seconds"]
    assert seconds["maximum"] == app.config["SOLVE_SECONDS"]
    paths = {f"/api/v1{path}".replace("{", "<").replace("}", ">") for path in document["paths"]}
    rules = {rule.rule for rule in app.url_map.iter_rules() if rule.endpoint.startswith("api.")}
    assert rules == paths | {"/api", "/api/v1", "/api/v1/openapi.json"}
    assert {event_kind(event) for event in EVENTS} == {
        *("waiting", "preparing", "started", "progress", "iteration"),
        *("expanded", "improved", "finished", "failed"),
    }


def test_below_another_path_it_says_so(client):
    options = {"environ_overrides": {"SCRIPT_NAME": "/games"}}
    document = client.get("/api/v1/openapi.json", **options).json
    assert document["servers"] == [{"url": "/games/api/v1"}]
    assert "http://localhost/games/api/v1/solve" in client.get("/api", **options).text


def run_command(client, command):
    """Do what curl would; return the response."""
    words = shlex.split(command)
    assert words.pop(0) == "curl"
    url, headers, data = None, {}, None
    while words:
        word = words.pop(0)
        if word == "-H":
            name, _, value = words.pop(0).partition(": ")
            headers[name] = value
        elif word == "-d":
            data = words.pop(0)
        elif word != "-N":
            url = word
    path = re.sub(r"^https?://[^/]+", "", url)
    if data is None:
        return client.get(path, headers=headers)
    return client.post(path, data=data, headers=headers)


def test_the_examples_of_the_page_work(client):
    page = markup.read(client.get("/api"))
    commands = [example.text for example in page.all("pre")]
    assert len(commands) == 5
    for command in commands:
        with run_command(client, command) as response:
            assert response.status_code == 200, command
            assert response.text
    for operation in "getPuzzle", "solve", "compare":
        assert page.one("h2", id=operation)
    for key in [*algorithms(), *heuristics()]:
        assert key in page.one("main").text


def test_the_examples_of_the_readme_work(client):
    text = README.read_text(encoding="utf-8").replace("\\\n", " ")
    commands = re.findall(r"^ +(curl .*)$", text, re.MULTILINE)
    assert len(commands) >= 3
    for command in commands:
        with run_command(client, command) as response:
            assert response.status_code == 200, command
