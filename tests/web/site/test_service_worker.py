"""The installable app: its manifest, its worker and its boards."""

import io
import json
import random
import re
from collections import Counter
from pathlib import Path
from urllib.parse import urljoin

import pytest
from PIL import Image

from slidewise import parse_puzzle, solve
from slidewise.analysis.distance import level, look_ahead
from tests.web import markup
from webapp.parts import current_parts
from webapp.play.new import BOARDS_OF_A_SIZE, SHIPPED

STYLE = Path(__file__).parents[3] / "static" / "css" / "base.css"


@pytest.mark.parametrize("prefix", ["", "/puzzles"])
def test_manifest_has_the_prefix_and_existing_icons(app, prefix):
    client, base_url = app.test_client(), f"http://localhost{prefix}"
    page = markup.read(client.get("/gallery", base_url=base_url))
    (link,) = (link for link in page.all("link") if link["rel"] == "manifest")
    assert link["href"] == f"{prefix}/manifest.webmanifest"
    answer = client.get("/manifest.webmanifest", base_url=base_url)
    assert answer.mimetype == "application/manifest+json"
    assert answer.cache_control.no_cache
    about = answer.json
    assert (about["id"], about["start_url"], about["scope"]) == (f"{prefix}/",) * 3
    assert (about["name"], about["display"]) == ("Slidewise", "standalone")
    seen = set()
    for icon in about["icons"]:
        with client.get(icon["src"].removeprefix(prefix), base_url=base_url) as response:
            side = Image.open(io.BytesIO(response.data)).size
        assert icon["sizes"] == "{}x{}".format(*side)
        seen.add((icon["sizes"], icon["purpose"]))
    assert seen == {(f"{side}x{side}", how) for side in (192, 512) for how in ("any", "maskable")}


def test_manifest_has_the_colours_of_the_page(client):
    found = re.search(r"--paper: light-dark\((\S+), (\S+)\)", STYLE.read_text(encoding="utf-8"))
    light, dark = found.groups()
    page = markup.read(client.get("/gallery"))
    colours = [meta["content"] for meta in page.all("meta") if meta.get("name") == "theme-color"]
    assert colours == [light, dark]
    assert client.get("/manifest.webmanifest").json["theme_color"] == light


@pytest.mark.parametrize("prefix", ["", "/puzzles"])
def test_worker_has_a_strict_policy_and_existing_files(app, prefix):
    client, base_url = app.test_client(), f"http://localhost{prefix}"
    answer = client.get("/worker.js", base_url=base_url)
    assert (answer.mimetype, answer.cache_control.no_cache) == ("text/javascript", True)
    policy = answer.headers.getlist("Content-Security-Policy")
    assert policy == ["default-src 'none'; connect-src 'self'"]
    build = json.loads(answer.text.partition(" = ")[2].partition(";\n")[0])
    assert build["levels"]["3x3"]["medium"] == [17, 23]
    files = build["files"]
    assert len(files) > 30
    for name in (
        "js/play/view.js",
        "js/play/offline_page.js",
        "css/play.css",
        "icon.svg",
        "latin.woff2",
    ):
        assert [url for url in files if url.endswith(name)], name
    for url in files:
        with client.get(url.removeprefix(prefix), base_url=base_url) as file:
            assert file.status_code == 200, url
    assert client.get("/no-network", base_url=base_url).status_code == 200


def test_worker_stores_the_files_of_its_pages_and_no_others(app, client):
    build = json.loads(client.get("/worker.js").text.partition(" = ")[2].partition(";\n")[0])
    files, seen = set(build["files"]), set()
    waiting = []
    for path in build["pages"]:
        page = markup.read(client.get(f"/{path}"))
        waiting += [one["src"] for one in page.all("script") if one.get("type") == "module"]
        waiting += [one["href"] for one in page.all("link") if one["rel"] == "stylesheet"]
    while waiting:
        url = waiting.pop()
        if url in seen:
            continue
        seen.add(url)
        with client.get(url) as response:
            imports = re.findall(r'^import .*?"(\.[^"]+)";', response.text, re.MULTILINE)
        if url.endswith(".js"):
            waiting += [urljoin(url, name) for name in imports]
    assert {url for url in seen if url not in files} == set()
    with app.app_context():
        of_parts = {name for part in current_parts() for name in part.offline}
    unused = {name for name in of_parts if not any(url.endswith(name) for url in seen)}
    assert unused == set()


def test_pages_have_a_version_header_and_clicks_do_not(client):
    version = re.search('"version": "([^"]+)"', client.get("/worker.js").text)[1]
    for page in "/no-network", "/play/7.2.4-5.0.6-8.3.1":
        assert client.get(page).headers["Slidewise-Build"] == version
    htmx = {"HX-Request": "true"}
    click = client.post("/play/7.2.4-5.0.6-8.3.1/slide", data={"tile": "5"}, headers=htmx)
    assert "Slidewise-Build" not in click.headers


def test_boards_ahead_have_each_usual_size_and_difficulty(client):
    answer = client.get("/boards-ahead.json")
    assert answer.headers["Cache-Control"] == "no-store"
    assert list(answer.json) == ["2x3", "3x3", "4x4", "5x5"]
    for size, boards in answer.json.items():
        assert len({code for code, _ in boards}) == BOARDS_OF_A_SIZE
        for code, moves in boards[:3]:
            puzzle = parse_puzzle(code)
            assert puzzle.solvable
            assert f"{puzzle.rows}x{puzzle.cols}" == size
            if size in {"2x3", "3x3"}:
                assert moves == len(solve(puzzle, "astar", "manhattan").moves)
        found = Counter(level(parse_puzzle(code), moves) for code, moves in boards if moves)
        assert set(found.values()) <= {16, 17}, "as many of each difficulty"
        assert len(found) == (0 if size == "5x5" else 3)


def test_shipped_boards_have_their_shortest_solutions():
    lines = [line.split() for line in SHIPPED.read_text(encoding="ascii").splitlines()]
    assert len({code for code, _ in lines}) == len(lines) > 2000
    small = [line for line in lines if line[0].count(".") <= 6]
    of_4x4 = [line for line in lines if line not in small]
    for code, moves in random.sample(small, 20) + random.sample(of_4x4[:300], 5):  # the quick ones
        puzzle = parse_puzzle(code)
        assert look_ahead(puzzle, 60)[puzzle.start].at_least == int(moves), code
