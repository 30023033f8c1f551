"""Each call of a helper is charged to the visitor whose request submits it."""

import re
from concurrent.futures import Future
from pathlib import Path

import flask
import pytest

from tests.boards import BIG, TWO_MOVES
from tests.web.kinds import EVERY_KIND, get, post, room
from tests.web.streams import HTMX
from webapp.http.routes import CHEAP_ENDPOINTS
from webapp.workers.budgets import current_charge
from webapp.workers.helpers import LocalCallPool
from webapp.workers.local import LocalSolvers
from webapp.workers.solvers import busy_error

LONG_MOVES = "UD" * 200
PUZZLE = f"/api/v1/puzzles/{TWO_MOVES}"


def run(path, **body):
    return post(f"/api/v1/{path}", json=body)


def click_steps(*steps):
    def send(client):
        client.post(f"/play/{TWO_MOVES}/slide", data={"tile": 5})
        for step in steps:
            response = client.post(f"/play/{TWO_MOVES}/{step}", headers=HTMX)
        return response

    return send


def check_that_waits(client):
    return client.get(check(client).headers["Refresh"].partition("url=")[2])


check = post("/lab/check", data={"board": TWO_MOVES, "algorithm": "bfs", "given": "path: UL"})


def linked(page, pattern):
    """Follow the first link of a page that the pattern finds."""
    return lambda client: client.get(re.search(pattern, client.get(page).text)[0])


REQUESTS = [
    *EVERY_KIND.values(),
    get("/healthz"),
    get("/readyz"),
    get("/metrics"),
    get("/robots.txt"),
    get("/.well-known/security.txt"),
    get("/worker.js"),
    get("/no-network"),
    get("/transfer"),
    post("/language", data={"language": "de"}),
    get("/boards-ahead.json"),
    get("/daily/2026-11-20"),
    get("/new?size=4x4&moves=50"),
    get("/api/v1"),
    get("/api/v1/openapi.json"),
    get("/api/v1/algorithms"),
    get("/api/v1/heuristics"),
    get("/api/v1/facts/3x3"),
    get("/api/v1/random?size=3x3&moves=20"),
    get(f"/api/v1/puzzles/{BIG}"),
    get(f"{PUZZLE}/hint"),
    get(f"{PUZZLE}/shortest"),
    get(f"{PUZZLE}/slides"),
    run("heuristics/check", heuristic="=2 * misplaced"),
    run("convert", board=TWO_MOVES),
    run("solve", puzzle=TWO_MOVES),
    run("compare", puzzle=TWO_MOVES, runs=["bfs"]),
    run("many", runs=["bfs"], boards=2),
    run("check", puzzle=TWO_MOVES, algorithm="bfs", given="path: UL"),
    get("/lab/check"),
    get(f"/lab/{TWO_MOVES}/check"),
    check,
    check_that_waits,
    get(f"/convert?start={TWO_MOVES}&moves={LONG_MOVES}"),
    post("/convert", data={"start": TWO_MOVES, "moves": LONG_MOVES}),
    get(f"/lab/{TWO_MOVES}/many/boards.json?boards=2&run=bfs"),
    get(f"/lab/{TWO_MOVES}/watch?algorithm=bfs"),
    get(f"/lab/{TWO_MOVES}/trace?algorithm=bfs"),
    get("/learn/mistakes"),
    linked("/learn/mistakes", r"/learn/mistakes/\w+/[\w-]+"),
    get("/learn/write/bfs.py"),
    get("/learn/write/bfs.ipynb"),
    get("/learn/write/opened"),
    *(get(f"/learn/write/own/rows-out{end}") for end in ("", ".py", ".json")),
    linked("/learn/write/bfs", r"/learn/write/files/[\w./-]+"),
    linked(f"/play/{TWO_MOVES}", r"/static/v-[\w./-]+"),
    *(
        click_steps(*steps)
        for steps in (["undo"], ["undo", "redo"], ["restart"], ["alone"], ["assisted"])
    ),
    post(f"/play/{TWO_MOVES}/play-on", data={"start": TWO_MOVES, "moves": LONG_MOVES}),
    get(f"/play/{TWO_MOVES}/solve/best?board={TWO_MOVES}&moves={'UD' * 200}UL"),
    get(f"/replay/{TWO_MOVES}?moves={LONG_MOVES}"),
    get(f"/replay/{TWO_MOVES}/steps?moves={LONG_MOVES}&step=1"),
    get(f"/replay/{TWO_MOVES}/count?moves=UL"),
    get(f"/replay/{TWO_MOVES}.gif?moves={LONG_MOVES}"),
    get(f"/replay/{TWO_MOVES}.html?moves={LONG_MOVES}"),
    get(f"/qr/replay/{TWO_MOVES}.svg?moves={LONG_MOVES}"),
    get(f"/embed/play/{TWO_MOVES}"),
    get(f"/embed/replay/{TWO_MOVES}?moves={LONG_MOVES}"),
    get(f"/embed/watch/{TWO_MOVES}?algorithm=bfs"),
    get(f"/embed/race/{TWO_MOVES}?run=bfs"),
    get(f"/oembed?url=http://localhost/play/{TWO_MOVES}"),
    room("start", "slide 5", "undo", headers=HTMX),
    room("start", "slide 5", "undo", "redo", headers=HTMX),
    room("start", "slide 5", "restart", headers=HTMX),
    room("start", "slide 5", "slide 8", "again"),
    room("away", headers=HTMX),
]
"""Requests of every route. All must be answered, so that every call can be submitted."""

OPERATORS = "proof."
"""Routes for which the operator runs a process."""

FREE = {"packed_distances", "daily_puzzles"}
"""Calls that play needs too: the distance of a board, and the puzzles of the coming days."""

LOOK_UP = {"api.hint", "lab.page", "lab.race", "together.again"}
"""Routes that are not `cheap` and look up the distance of one board."""


@pytest.fixture(scope="module")
def submitted(new_app):
    """Send all requests to an app whose helpers are busy.

    Return the routes that answered, and the calls: route, function, whether it is charged.
    """
    waits = ("SOLVE", "CLICK", "NUMBER", "HINT", "FACTS", "QUEUE", "RECORD")
    exercises = Path(__file__).parents[3] / "examples" / "exercises"
    settings = {"METRICS": True, "CONTACT": "mailto:x@example.org", "EXERCISES": str(exercises)}
    app = new_app(**settings, **{f"{name}_WAIT": 0.01 for name in waits})
    answered, calls = set(), set()

    @app.after_request
    def _record_answer(response):
        if response.status_code < 400 or response.status_code == 503:
            answered.add((flask.request.url_rule.rule, flask.request.method))
        return response

    def submit(self, queue, function, *args, timeout):
        name = getattr(function, "func", function).__name__
        calls.add((flask.request.endpoint, name, current_charge() is not None))
        late = Future()
        late.set_exception(TimeoutError())
        return late

    def start(self, *args):
        raise busy_error()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LocalCallPool, "submit", submit)
        patch.setattr(LocalSolvers, "start", start)
        for request in REQUESTS:
            with request(app.test_client()) as response:
                response.get_data()
    return app, answered, calls


def test_every_call_outside_play_is_charged(submitted):
    app, answered, calls = submitted
    routes = {
        (rule.rule, method)
        for rule in app.url_map.iter_rules()
        for method in rule.methods - {"OPTIONS", "HEAD"}
        if not rule.endpoint.startswith(OPERATORS)
    }
    assert not routes - answered, "a request that is answered is missing in REQUESTS"
    free = {(route, name) for route, name, is_charged in calls if not is_charged}
    assert {name for _, name in free} == FREE
    assert {route for route, _ in free} <= app.extensions[CHEAP_ENDPOINTS] | LOOK_UP


def test_long_moves_are_parsed_by_a_helper(submitted):
    _, _, calls = submitted
    readers = {("convert.page", "convert_moves"), ("game.play_on", "parse_moves")}
    readers |= {("replay.page", "read_moves"), ("sharing.file", "read_moves")}
    assert readers <= {(route, name) for route, name, _ in calls}
