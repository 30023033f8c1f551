"""The OpenAPI document, and the page about the API."""

import re
import shlex
import threading
from functools import partial
from pathlib import Path

from werkzeug.serving import make_server

from slidewise import algorithms, heuristics, parse_puzzle
from tests.boards import TWO_MOVES as EASY
from tests.docs.test_manual import SHOWN
from tests.web import markup
from tests.web.api_requests import STREAM, post
from webapp.api.schemas import EVENTS, EXAMPLE_OWN, event_kind
from webapp.http.errors import TYPES, problem_type

NAMED = re.compile(r"`([a-z/{}]+)`")
PAGE = Path(__file__).parents[3] / "docs" / "api.md"


def test_page_explains_each_type_of_problem(app):
    page = markup.read(app.test_client().get("/api"))
    with app.test_request_context():
        links = {status: problem_type(status) for status in (*TYPES, 404)}
    assert links.pop(404) == "about:blank"
    for status, link in links.items():
        path, anchor = link.split("#")
        assert (path, page.one(id=anchor).text) == ("/api", str(status))


def test_cookies_are_neither_read_nor_set(app):
    client = app.test_client()
    client.post(f"/play/{EASY}/slide", data={"tile": 5})
    game_cookie = client.get_cookie("slidewise_game", path=f"/play/{EASY}").value
    for path in "/", "/api":
        client.set_cookie("slidewise_game", game_cookie, path=path)
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
        if response.mimetype != "text/html":  # a page is in the visitor's language
            assert "Cookie" not in response.vary
        response.close()
    assert {(c.key, c.path, c.value) for c in client._cookies.values()} == before
    assert told[0].json["start"] == EASY
    assert told[1].json["length"] == 2, "from the start, not from where the game stands"


def test_document_lists_routes_algorithms_and_events(client, app):
    document = client.get("/api/v1/openapi.json").json
    assert document["openapi"].startswith("3.1.")
    fields = document["components"]["schemas"]["SolveRequest"]["properties"]
    assert fields["algorithm"]["enum"] == list(algorithms())
    assert fields["heuristic"]["anyOf"][0]["enum"] == list(heuristics())
    seconds = fields["limits"]["properties"]["seconds"]
    assert seconds["maximum"] == app.config["SOLVE_SECONDS"]
    paths = {f"/api/v1{path}".replace("{", "<").replace("}", ">") for path in document["paths"]}
    rules = {rule.rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/api")}
    assert rules == paths - {"/api/v1/"} | {"/api", "/api/v1", "/api/v1/openapi.json"}
    assert {event_kind(event) for event in EVENTS} == {
        *("waiting", "preparing", "started", "progress", "iteration"),
        *("expanded", "improved", "finished", "failed"),
    }


def test_document_below_a_path_has_its_server_url(client):
    options = {"environ_overrides": {"SCRIPT_NAME": "/games"}}
    document = client.get("/api/v1/openapi.json", **options).json
    assert document["servers"] == [{"url": "/games/api/v1"}]
    assert "http://localhost/games/api/v1/solve" in client.get("/api", **options).text


def run_command(client, command):
    """Send the request of a curl command; return the response."""
    words = iter(shlex.split(command))
    assert next(words) == "curl"
    request = {"headers": {}}
    for word in words:
        if word == "-H":
            name, _, value = next(words).partition(": ")
            request["headers"][name] = value
        elif word == "-d":
            request |= {"method": "POST", "data": next(words)}
        elif word != "-N":
            path = re.sub(r"^https?://[^/]+", "", word)
    return client.open(path, **request)


def test_curl_commands_of_page_and_documents_work(client):
    on_page = [example.text for example in markup.read(client.get("/api")).all("pre")]
    documented = [line for line in SHOWN if line.startswith("curl http")]
    assert len(on_page) >= 5
    assert len(documented) > 3
    for command in on_page + documented:
        with run_command(client, command) as response:
            assert response.status_code == 200, command
            assert response.text


def test_python_client_of_docs_works(app):
    text = PAGE.read_text(encoding="utf-8")
    (code,) = re.findall(r"A client.*?```python\n(.*?)```", text, re.DOTALL)
    assert len([line for line in code.splitlines() if line]) <= 10
    found = {}
    exec(code, found)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        call = partial(found["slidewise"], site=f"http://127.0.0.1:{server.server_port}")
        solved = call("solve", puzzle=[[1, 2, 3], [4, 0, 6], [7, 5, 8]], boards=True)
        assert solved["boards"][0] == EASY
        assert len(solved["boards"]) == 3
        assert parse_puzzle(call("random?size=3x3&moves=20")["puzzle"]).solvable
        named = NAMED.findall(text.partition("There are also")[2])[:7]
        operations = [one["path"] for one in call("")["operations"]]
        assert {f"/api/v1/{path}" for path in named} <= set(operations)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_page_names_operations_algorithms_and_heuristics(client):
    page = markup.read(client.get("/api"))
    assert {"getPuzzle", "solve", "compare"} <= {heading.get("id") for heading in page.all("h2")}
    for key in *algorithms(), *heuristics(), EXAMPLE_OWN, f"astar:{EXAMPLE_OWN}":
        assert key in page.one("main").text


def test_examples_of_the_document_work(client):
    document = client.get("/api/v1/openapi.json").json
    posts = {path: one["post"] for path, one in document["paths"].items() if "post" in one}
    assert {"/solve", "/compare", "/many", "/convert", "/heuristics/check"} <= set(posts)
    for path, operation in posts.items():
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        examples = document["components"]["schemas"][schema["$ref"].split("/")[-1]]["examples"]
        assert path not in ("/solve", "/compare") or EXAMPLE_OWN in str(examples)
        for example in examples:
            response = post(client, path[1:], **example)
            assert response.status_code == 200, response.text


def test_response_headers_are_documented(client):
    document = client.get("/api/v1/openapi.json").json
    for_browsers = {"Permissions-Policy", "Referrer-Policy", "Content-Security-Policy"}
    for_browsers |= {"X-Frame-Options"}
    for path, status in [(f"/puzzles/{EASY}", "200"), ("/random?size=1", "400")]:
        response = client.get(f"/api/v1{path}")
        template = "/puzzles/{code}" if status == "200" else "/random"
        told = document["paths"][template]["get"]["responses"][status]
        told = document["components"]["responses"]["Problem400"] if "$ref" in told else told
        known = {*told["headers"], "Content-Type", "Content-Length", "Vary"} | for_browsers
        sent = {name for name in dict(response.headers) if not name.startswith(("X-Con", "Cross"))}
        assert sent <= known
        assert set(told["headers"]) <= sent
