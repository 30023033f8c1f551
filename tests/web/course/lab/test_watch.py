"""The page and the trace of a watched search, compared with the events of the search."""

import gzip
import time
from dataclasses import replace

import pytest
from flask import render_template

from slidewise import Limits, SearchSpec, Status, algorithms, parse_puzzle, search
from slidewise.course.searching import (
    LAST_EXPANSIONS,
    PATH_EXPANSIONS,
    RANKED_EXPANSIONS,
    RECORDED_EXPANSIONS,
    is_recorded,
    record_search,
)
from slidewise.solver.events import Expanded
from tests.boards import FOUR, SMALL, SOLVED
from tests.boards import HARDEST as LONG
from tests.boards import SIX_MOVES as CODE
from tests.web import markup
from tests.web.course.lab import pages
from tests.web.processes import NEEDS_PROC
from tests.web.streams import PATIENCE, until
from webapp.course.lab import watch
from webapp.course.lab.recorded import SearchToRecord
from webapp.course.lab.watch import Recordings
from webapp.workers import Busy, TooManySearches, jobs
from webapp.workers.shared import services_of
from webapp.workers.solvers import Displaced

RECORDED = [key for key, entry in algorithms().items() if is_recorded(entry)]


def trace(client, code=CODE, **query):
    response = client.get(f"/lab/{code}/trace", query_string=query)
    return response.status_code, response.get_json()


def read(client, code=CODE, **query):
    return pages.get(client, code, "/watch", **query)


def in_words(page):
    """Return the expansions on a page by their numbers."""
    items = [item for item in page.one(id="in-words").all("li") if "value" in item.attrs]
    return {int(item["value"]): item for item in items}


# A visitor's own search


def test_own_search_needs_no_recording(client, monkeypatch):
    monkeypatch.setattr(Recordings, "get", None)
    page = read(client, own="bfs")
    viewer = page.one("section", data_own="bfs")
    assert viewer.attrs["data-watch"] == ""
    assert viewer.attrs["data-puzzle"] == f"{parse_puzzle(CODE).start}_{parse_puzzle(CODE).goal}"
    links = {link.text: link["href"] for link in page.all("a")}
    assert links["The built-in one"].endswith("/watch?algorithm=bfs")
    assert links["Both side by side"].endswith("/watch?own=bfs&beside=1")


def test_built_in_search_stands_beside_an_own_one(client):
    page = read(client, own="dfs", beside=1, depth=9)
    own, built_in = (one for one in page.all("section") if "data-watch" in one.attrs)
    assert own["data-own"] == "dfs"
    assert built_in["data-watch"].endswith("/trace?algorithm=dfs&depth=9")
    assert {"data-together"} <= own.attrs.keys() & built_in.attrs.keys()


def test_own_search_of_no_exercise_is_404(client):
    assert client.get(f"/lab/{CODE}/watch?own=spam").status_code == 404


# The trace


@pytest.mark.parametrize("algorithm", ["astar", "dfs"])
def test_trace_is_that_of_the_search(client, algorithm):
    depth = 7 if algorithm == "dfs" else None
    status, data = trace(client, algorithm=algorithm, depth=depth or "")
    assert status == 200
    puzzle, limits = parse_puzzle(CODE), Limits(depth=depth)
    events = list(search(puzzle, algorithm, limits=limits, trace=RECORDED_EXPANSIONS))
    expanded = [event for event in events if isinstance(event, Expanded)]
    assert data["expansions"] == data["expanded"] == len(expanded)
    assert sum(len(step["made"]) for step in data["steps"]) == sum(
        len(event.successors) for event in expanded
    )
    own = record_search(puzzle, algorithm, limits=limits).as_json()
    assert {name: data[name] for name in own} == own


def test_long_search_has_a_gap_and_its_last_expansions(client):
    status, data = trace(client, LONG, algorithm="bfs")
    assert status == 200
    assert data["expansions"] == len(data["steps"]) - 1 == RECORDED_EXPANSIONS + LAST_EXPANSIONS
    assert data["expanded"] > data["expansions"]
    assert data["complete"] is False
    left_out = data["expanded"] - data["expansions"]
    assert data["gap"]["after"] == RECORDED_EXPANSIONS
    assert data["gap"]["left_out"] == left_out
    assert data["gap"]["words"] == f"{left_out:,} expansions not recorded"
    assert len(data["solution"]) == data["length"] + 1
    assert None not in data["steps"][-1]["sizes"]


def test_text_names_the_gap_in_the_expansions(client):
    first = read(client, LONG, algorithm="bfs")
    summary = f"Shown: the first {RECORDED_EXPANSIONS:,}, then the last {LAST_EXPANSIONS}."
    assert summary in " ".join(first.one(id="in-words").text.split())
    link = next(one for one in first.all("a") if one.text == "Last expansions")
    assert link["href"] == f"?at={RECORDED_EXPANSIONS + 1}&algorithm=bfs#in-words"
    late = read(client, LONG, algorithm="bfs", at=RECORDED_EXPANSIONS + 1)
    numbers = list(in_words(late))
    assert len(numbers) == LAST_EXPANSIONS
    assert "expansions not recorded" in in_words(late)[numbers[0]].text
    assert "expansions not recorded" not in in_words(late)[numbers[1]].text
    assert in_words(late)[numbers[0]]["aria-current"] == "step"
    assert "First expansions" in {one.text for one in late.all("a")}
    end = in_words(read(client, LONG, algorithm="bfs", at=999_999))
    assert list(end) == [numbers[-1] + 1]
    assert "It is the goal, reached in 31 moves" in end[numbers[-1] + 1].text


def test_too_deep_search_has_no_gap(client):
    _, data = trace(client, LONG, algorithm="dfs")
    assert data["gap"] is None
    assert data["expansions"] == RECORDED_EXPANSIONS


def test_recording_is_limited_and_a_busy_server_is_503(app, client, monkeypatch):
    requests = []

    def refuse(task, seconds):
        requests.append((task.limits.seconds, task.limits.expansions))
        raise Busy("All solvers are busy right now.", retry_after=7)

    monkeypatch.setattr(services_of(app).get(Recordings), "get", refuse)
    response = client.get(f"/lab/{CODE}/trace?algorithm=bfs")
    assert (response.status_code, response.headers["Retry-After"]) == (503, "7")
    assert response.get_json() == {"error": "All solvers are busy right now."}
    assert client.get(f"/lab/{CODE}/watch").status_code == 503
    assert set(requests) == {(None, RANKED_EXPANSIONS)}


def test_recording_is_limited_by_expansions_not_by_time():
    four = parse_puzzle(LONG)
    for algorithm, most in [("bfs", RANKED_EXPANSIONS), ("iddfs", PATH_EXPANSIONS)]:
        task = SearchToRecord.of(SearchSpec(four, algorithm, limits=Limits(seconds=0.001)), "")
        assert (task.limits.seconds, task.limits.expansions) == (None, most)
    limits = replace(task.limits, expansions=500)
    shorter = SearchSpec(four, task.algorithm, limits=limits)
    results = [shorter.result() for _ in range(2)]
    assert [(one.status, one.expanded) for one in results] == [(Status.CUTOFF, 500)] * 2


def test_trace_is_cacheable_and_a_refusal_is_not(client):
    cache_control = client.get(f"/lab/{CODE}/trace").headers["Cache-Control"]
    assert "private" in cache_control
    assert "max-age=600" in cache_control
    refused = client.get(f"/lab/{CODE}/trace?algorithm=best")
    assert refused.headers["Cache-Control"] == "no-store"


def test_trace_allows_every_origin_without_cookies(client, monkeypatch):
    def full(search):
        raise TooManySearches("all solvers are busy", 5)

    client.get(f"/lab/{CODE}/trace")
    monkeypatch.setattr(jobs, "start", full)
    queries = "", "?algorithm=best", "?algorithm=wastar&weight=1.37"  # used by no other test
    answers = [client.get(f"/lab/{CODE}/trace{query}") for query in queries]
    assert [answer.status_code for answer in answers] == [200, 400, 202]
    for answer in answers:
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in answer.headers
        assert "Set-Cookie" not in answer.headers


def test_displaced_recording_waits_for_another_place(app, client, monkeypatch):
    monkeypatch.setattr(jobs, "start", lambda search: "a job")
    monkeypatch.setattr(services_of(app).solvers, "events", lambda job: iter([(1, Displaced())]))
    status, body = trace(client, algorithm="wastar", weight=1.38)  # used by no other test
    assert status == 202
    assert body["waiting"].startswith("The search is waiting: Many others are waiting too.")
    monkeypatch.undo()
    assert trace(client, algorithm="wastar", weight=1.38)[0] == 200


def test_page_and_viewer_share_one_recording(client, monkeypatch):
    client.get(f"/lab/{CODE}/watch?algorithm=greedy")
    monkeypatch.setattr(jobs, "start", None)
    assert client.get(f"/lab/{CODE}/trace?algorithm=greedy&heuristic=manhattan").status_code == 200


def test_cached_trace_is_sent_without_encoding(client, monkeypatch):
    address = f"/lab/{LONG}/trace?algorithm=bfs"
    until_recorded(client, address)
    packed = client.get(address, headers={"Accept-Encoding": "br, gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    plain = client.get(address)
    assert "Content-Encoding" not in plain.headers
    assert gzip.decompress(packed.data) == plain.data
    for name in "compress", "decompress":
        monkeypatch.setattr(gzip, name, None)
    again = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert again.data == packed.data


# Waiting


@pytest.fixture
def queued(new_app, solve, halted):
    """Return an app whose only solver is busy, and the stream that occupies it."""
    app = new_app(SOLVERS=1, RECORD_WAIT=0.1)
    stream = solve(FOUR, app=app, algorithm="bfs")
    stream.wait_for("#live", "Expanded")
    halted()
    return app, stream


def until_recorded(client, address):
    """Fetch until the answer is no longer 202."""
    deadline = time.monotonic() + PATIENCE
    while (answer := client.get(address)).status_code == 202:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return answer


@NEEDS_PROC
def test_watched_search_waits_for_its_turn(queued):
    app, stream = queued
    client = app.test_client()
    answer = client.get(f"/lab/{CODE}/watch")
    assert (answer.status_code, answer.headers["Refresh"]) == (202, "3")
    assert answer.headers["Cache-Control"] == "no-store"
    waiting = markup.read(answer).one(id="queued")
    assert "The search waits for its turn: it is number 1 of 1 in the queue." in waiting.text
    assert waiting.one("a")["href"].rstrip("?") == f"/lab/{CODE}/watch"
    viewer = client.get(f"/lab/{CODE}/trace")
    assert (viewer.status_code, viewer.headers["Retry-After"]) == (202, "3")
    assert "number 1 of 1" in viewer.json["waiting"], "the page and its viewer wait for one search"
    stream.leave()
    assert until_recorded(client, f"/lab/{CODE}/watch").status_code == 200
    assert client.get(f"/lab/{CODE}/trace").json["expansions"] > 0


@NEEDS_PROC
def test_watched_search_waits_for_a_place(new_app, solve, halted):
    app = new_app(STREAMS_PER_VISITOR=1, RECORD_WAIT=0.1)
    stream = solve(FOUR, app=app, algorithm="bfs")
    stream.wait_for("#live", "Expanded")
    halted()
    client = app.test_client()
    answer = client.get(f"/lab/{CODE}/watch")
    assert (answer.status_code, answer.headers["Refresh"]) == (202, "3")
    words = markup.read(answer).one(id="queued").text
    assert "is waiting: 1 search you started is already running." in words
    stream.leave()
    assert until_recorded(client, f"/lab/{CODE}/watch").status_code == 200


@NEEDS_PROC
def test_abandoned_recording_is_stopped(queued, monkeypatch):
    app, _ = queued
    pool = services_of(app).solvers
    assert app.test_client().get(f"/lab/{CODE}/watch").status_code == 202
    assert pool.load.waiting == 1
    monkeypatch.setattr(watch, "ABANDONED_SECONDS", 0)
    assert until(lambda: pool.load.waiting == 0)


def test_recording_is_not_abandoned_while_a_request_waits(client, monkeypatch):
    monkeypatch.setattr(watch, "ABANDONED_SECONDS", 0)
    assert trace(client, "3.7.4-5.2.1-6.0.8", algorithm="dfs")[0] == 200


def test_events_of_a_trace_are_freed(app, client):
    before = len(services_of(app).solvers._jobs)
    for algorithm in ("bfs", "greedy", "idastar"):
        client.get(f"/lab/3.7.4-5.2.1-6.0.8/trace?algorithm={algorithm}")
    assert until(lambda: len(services_of(app).solvers._jobs) <= before)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"algorithm": "best"}, "The search best is not recorded; choose one of"),
        ({"algorithm": "nonsense"}, "There is no algorithm"),
        ({"heuristic": "nonsense"}, "There is no heuristic"),
        ({"algorithm": "wastar", "weight": "x"}, "The weight must be from 1 to 100"),
        ({"algorithm": "dfs", "depth": "0"}, "The depth limit must be a whole number"),
        ({"convention": "mit"}, "There is no convention 'mit'; the conventions are slidewise"),
        ({"order": "uuuu"}, "Order can be u, d, l, r in any order, each once; found 'uuuu'"),
    ],
)
def test_bad_recording_is_400(client, query, words):
    status, data = trace(client, **query)
    assert status == 400
    assert data["error"].startswith(words)


# The page


def test_page_describes_all_expansions(client):
    page = read(client)
    items = in_words(page)
    assert list(items) == list(range(1, 8))
    assert "2.3.0-1.4.6-7.5.8 : g = 0, h = 6, f = 6" in items[1].text
    assert "The start is the only node." in items[1].text
    assert "It has the lowest f = g + h: 1 + 5 = 6." in items[2].text
    assert "generated by expansion 1" in items[2].text
    assert "dropped: it undoes the last move" in items[2].text
    assert "It is the goal, reached in 6 moves" in items[7].text
    assert "6 moves. Proved shortest" in page.one(id="in-words").text


def test_text_has_100_expansions_a_page(client):
    page = read(client, LONG, algorithm="bfs")
    assert list(in_words(page)) == list(range(1, 101))
    assert "It is the oldest in the queue, 1 move from the start." in in_words(page)[2].text
    later = next(link for link in page.all("a") if link.text == "Later")
    assert later["href"] == "?at=101&algorithm=bfs#in-words"
    page = read(client, LONG, algorithm="bfs", at=101)
    assert list(in_words(page)) == list(range(101, 201))
    assert in_words(page)[101]["aria-current"] == "step"
    assert {"Earlier", "Later"} <= {link.text for link in page.all("a")}


def test_text_names_each_iteration(client):
    page = read(client, SMALL, algorithm="iddfs")
    items = in_words(page)
    assert "Iteration with the depth limit 1." in items[1].text
    assert "Iteration with the depth limit 2." in items[2].text


def test_viewer_has_the_url_of_its_trace(client):
    page = read(client, algorithm="wastar", heuristic="misplaced", weight="2", depth="9", at=3)
    viewer = next(one for one in page.all("section") if "data-watch" in one.attrs)
    assert viewer["data-watch"] == (
        f"/lab/{CODE}/trace?algorithm=wastar&heuristic=misplaced&weight=2"
    )
    assert viewer["data-at"] == "3"
    assert "hidden" in viewer.one("div", data_part="body").attrs, "without JavaScript"
    assert client.get(viewer["data-watch"]).status_code == 200
    form = page.one("form", id="watch-form")
    assert (form["method"], form["action"]) == ("get", f"/lab/{CODE}/watch")
    assert form.one("select", name="algorithm")["id"] == "algorithm"


def test_viewer_can_appear_on_a_page_more_than_once(app):
    with app.test_request_context("/"):
        parts = [
            render_template("course/lab/watch/_viewer.html", code=CODE, algorithm="bfs"),
            render_template("course/lab/watch/_viewer.html", code=CODE, algorithm="ucs", at=2),
        ]
    page = markup.read("".join(parts))
    viewers = [one for one in page.all("section") if "data-watch" in one.attrs]
    assert [(viewer["data-watch"], viewer["data-at"]) for viewer in viewers] == [
        (f"/lab/{CODE}/trace?algorithm=bfs", "0"),
        (f"/lab/{CODE}/trace?algorithm=ucs", "2"),
    ]
    assert page.ids() == [], "so that nothing is there twice"
    assert not any("data-address" in viewer.attrs for viewer in viewers)


def test_page_of_best_offers_the_recorded_algorithms(client):
    page = read(client, algorithm="best")
    assert "is not recorded" in page.one(id="not-recorded").text
    offered = [option["value"] for option in page.one(id="algorithm").all("option")]
    assert offered == ["", *RECORDED]
    links = [link["href"] for link in page.one(id="not-recorded").all("a")]
    assert links == [f"/lab/{CODE}/watch?algorithm={key}" for key in RECORDED]
    assert not [one for one in page.all("section") if "data-watch" in one.attrs]


@pytest.mark.parametrize("code", [SOLVED, "8.1.3-4.0.2-7.6.5_1.2.3-8.0.4-7.6.5"])
def test_board_without_a_search_shows_why(client, code):
    page = read(client, code)
    text = page.one(id="nothing").text
    assert "already solved" in text or "cannot be reached" in text


@pytest.mark.parametrize("query", ["at=x", "at=-1", "algorithm=nonsense", "heuristic=nonsense"])
def test_bad_watch_query_is_400(client, query):
    assert client.get(f"/lab/{CODE}/watch?{query}").status_code == 400


@pytest.mark.parametrize(
    "query",
    [
        *({"at": "9" * 400}, {"weight": "100"}, {"depth": "999999999"}),
        {"algorithm": "idastar", "convention": "columbia"},
    ],
)
def test_unused_option_is_no_error(client, query):
    read(client, **query)


# Conventions


def test_watched_search_follows_a_convention(client):
    chosen = {"algorithm": "astar", "convention": "columbia", "order": "rlud"}
    page = read(client, **chosen)
    assert "in the order blank right, left, up, down." in page.text
    assert "selected" in page.one("option", value="columbia").attrs
    status, data = trace(client, **chosen)
    assert (status, data["title"]) == (200, "A*, Manhattan distance (ColumbiaX with order=rlud)")
    [section] = [one for one in page.all("section") if "data-watch" in one.attrs]
    assert "convention=columbia&order=rlud" in section["data-watch"]


def test_trace_is_in_the_language_of_its_address(client):
    start = {code: trace(client, lang=code)[1] for code in ("en", "de", "es")}
    assert {code: data["steps"][0]["why"] for code, data in start.items()} == {
        "en": "The start is the only node.",
        "de": "Der Start ist der einzige Knoten.",
        "es": "El inicio es el único nodo.",
    }
    for data in start.values():
        for key in "title", "order", "words", "reasons", "steps":
            data.pop(key)
    assert start["en"] == start["de"] == start["es"]
