"""The JSON API: streams, and answers of a busy server."""

import json

import pytest

from slidewise import parse_puzzle, search
from slidewise.solver.events import Expanded
from tests.boards import FOUR as HARD
from tests.boards import TEXTBOOK as CODE
from tests.boards import TWO_MOVES as EASY
from tests.web.api_requests import STREAM, Stream, open_jobs, post, problem
from tests.web.processes import NEEDS_PROC, solvers
from tests.web.streams import until
from webapp.workers import Failed, Waiting
from webapp.workers.shared import services_of
from webapp.workers.solvers import LOST, Displaced

# The stream


def test_stream_has_the_events_of_a_search(app, stream, event_schema):
    events = stream(app, "solve", puzzle=CODE, algorithm="idastar", heuristic="manhattan")
    headers = events._response.headers
    assert events._response.mimetype == "text/event-stream"
    assert (headers["Cache-Control"], headers["X-Accel-Buffering"]) == ("no-store", "no")
    messages = events.all()
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


def test_trace_is_that_of_the_library(app, stream):
    messages = stream(app, "solve", puzzle=CODE, algorithm="astar", trace=50).all()
    traced = [message.data for message in messages if message.kind == "expanded"]
    events = search(parse_puzzle(CODE), "astar", "manhattan", trace=50)
    expected = [event.as_json() for event in events if isinstance(event, Expanded)]
    assert len(expected) == 50
    assert traced == json.loads(json.dumps(expected))


def test_trace_needs_a_stream(client):
    body = problem(post(client, "solve", puzzle=EASY, trace=5), 422)
    assert "text/event-stream" in body["detail"]
    assert post(client, "solve", puzzle=EASY, trace=0).status_code == 200


def test_progress_is_sent_during_the_search(app, stream):
    events = stream(app, "solve", puzzle=HARD, algorithm="iddfs")  # others soon store too much
    first = later = events.until("progress")  # 0 expanded if the search begins slowly
    while later.data["expanded"] == first.data["expanded"]:
        later = events.until("progress")
    assert first.data["expanded"] < later.data["expanded"]
    assert first.id < later.id


def test_bad_request_is_422_before_the_stream(client):
    response = post(client, "solve", STREAM, puzzle="junk")
    problem(response, 422)


@NEEDS_PROC
@pytest.mark.parametrize(("path", "read"), [("solve", 0), ("compare", 3)])
def test_closed_stream_ends_its_search(app, halted, path, read):
    body = {"algorithm": "iddfs"} if path == "solve" else {"runs": ["iddfs", "bfs"]}
    events = Stream(post(app.test_client(), path, STREAM, puzzle=HARD, **body))
    for _ in range(read):
        next(events._chunks)
    assert until(solvers)
    halted()  # it ends no search by itself
    events.leave()
    assert until(lambda: not open_jobs(app)) is True
    assert until(lambda: not solvers()) is True


def test_lost_search_is_a_failed_event_or_500_in_json(app, stream, monkeypatch):
    monkeypatch.setattr(services_of(app).solvers, "events", lambda *_: iter([(1, Failed(LOST))]))
    (failed,) = stream(app, "solve", puzzle=EASY).all()
    assert (failed.kind, failed.data["message"]) == ("failed", LOST)
    assert problem(post(app.test_client(), "solve", puzzle=EASY), 500)["detail"] == LOST


@pytest.mark.parametrize(
    ("event", "words"),
    [(Waiting(1, 1), "The search was stopped. Try again."), (Displaced(), "Try again in")],
)
def test_stream_of_a_stopped_search_ends_with_a_failure(app, stream, monkeypatch, event, words):
    monkeypatch.setattr(services_of(app).solvers, "events", lambda *_: iter([(1, event)]))
    last = stream(app, "solve", puzzle=EASY).all()[-1]
    assert last.kind == "failed"
    assert words in last.data["message"]


# Busy


@NEEDS_PROC
def test_searches_above_the_limits_are_429_or_503(new_app, stream, halted):
    app = new_app(STREAMS_PER_VISITOR=1, MAX_STREAMS=2)
    stream(app, "solve", puzzle=HARD, algorithm="bfs").until("progress")
    halted()
    client = app.test_client()
    for path in "solve", "compare":
        for headers in {}, STREAM:
            response = post(client, path, headers, puzzle=EASY)
            body = problem(response, 429)
            assert "1 search you started is already running. Try again in 5" in body["detail"]
            assert int(response.headers["Retry-After"]) > 0
    page = client.post(f"/play/{EASY}/solve")
    assert page.status_code == 429, "a page and a program are one visitor"
    stream(app, "solve", visitor="10.0.0.2", puzzle=HARD, algorithm="bfs").until("progress")
    halted()
    body = problem(post(client, "solve", visitor="10.0.0.3", puzzle=EASY), 503)
    assert "2 searches are already running" in body["detail"]


@NEEDS_PROC
def test_waiting_search_is_503_or_a_waiting_event(new_app, stream, halted, event_schema):
    app = new_app(SOLVERS=1, SOLVE_WAIT=0.5, QUEUE_WAIT=0)
    pool = services_of(app).solvers
    pool.stop_seconds = 0.2  # the halted worker has to be killed
    running = stream(app, "solve", visitor="10.0.0.1", puzzle=HARD, algorithm="bfs")
    running.until("progress")
    halted()
    response = post(app.test_client(), "solve", puzzle=EASY)
    assert "All solvers are busy right now" in problem(response, 503)["detail"]
    assert int(response.headers["Retry-After"]) > 0
    assert until(lambda: pool.load.waiting == 0) is True
    second = stream(app, "solve", visitor="10.0.0.2", puzzle=EASY)
    waiting = second.until("waiting")
    assert (waiting.data["position"], waiting.data["queue"]) == (1, 1)
    event_schema.validate(waiting.data)
    running.leave()
    assert second.until("finished").data["result"]["length"] == 2
