"""Boards, solutions, searches and races in frames of other sites, and oEmbed."""

import json
import re
from base64 import b64encode
from hashlib import sha256

import brotli
import pytest

from tests.boards import ONE_MOVE, UNSOLVABLE
from tests.boards import TEXTBOOK as HARD
from tests.boards import TEXTBOOK_SOLUTION as SHORTEST
from tests.boards import TWO_MOVES as CODE
from tests.each import each
from tests.web import markup
from tests.web.kinds import CODE as OF_KINDS
from tests.web.kinds import PAGES

HERE = "http://localhost"
EMBEDS = {
    "play": f"/embed/play/{CODE}",
    "replay": f"/embed/replay/{HARD}?moves={SHORTEST}&step=3",
    "watch": f"/embed/watch/{CODE}?algorithm=bfs",
    "race": f"/embed/race/{CODE}?run=bfs,astar:manhattan",
    "wrong code": "/embed/play/nonsense",
    "wrong colour": f"/embed/play/{CODE}?accent=red",
    "wrong moves": f"/embed/replay/{CODE}?moves=UUUU",
    "no moves": f"/embed/replay/{CODE}",
    "no such search": f"/embed/watch/{CODE}?algorithm=<b>",
    "no such race": f"/embed/race/{CODE}?run=<b>",
    "other spelling": "/embed/play/123406758",
}


def policy(response):
    (text,) = response.headers.getlist("Content-Security-Policy")
    return dict(part.strip().split(" ", 1) for part in text.split(";"))


@each("kind", EMBEDS)
def test_embed_is_for_frames_and_sets_no_cookie(client, kind):
    response = client.get(EMBEDS[kind])
    assert response.status_code == {"wrong": 400, "no": 400, "other": 308}.get(kind.split()[0], 200)
    assert "frame-ancestors" not in policy(response)
    assert "X-Frame-Options" not in response.headers
    assert response.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert "Set-Cookie" not in response.headers
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_unreachable_goal_is_explained_without_javascript(client):
    words = "This goal cannot be reached."
    for code, is_shown in {UNSOLVABLE: True, CODE: False}.items():
        page = markup.read(client.get(f"/embed/play/{code}"))
        assert (words in page.one("slide-wise").text) == is_shown


@each("kind", ["play", "replay", "watch", "race", "wrong code"])
def test_embed_has_a_heading_a_link_home_and_a_policy(client, kind):
    page = markup.read(client.get(EMBEDS[kind]))
    assert page.one("h1").text
    assert page.one("main")
    home = page.one("footer").one("a")
    assert (home["target"], home["rel"]) == ("_blank", "noopener")
    for element in page.inside:
        assert not any(name == "style" or name.startswith("on") for name in element.attrs)
        assert element.tag not in {"style", "form", "base"}
    scripts = [script["src"] for script in page.all("script")]
    assert all(
        re.match(r"/static/v-\w+/(slide-wise/slide-wise|js/share/embed)\.js", one)
        for one in scripts
    )


def test_other_pages_cannot_be_framed(client):
    for page in f"/play/{OF_KINDS}", "/gallery", f"/lab/{OF_KINDS}", "/embed/nothing", "/oembed":
        response = client.get(page)
        assert policy(response)["frame-ancestors"] == "'none'"
        assert response.headers["X-Frame-Options"] == "DENY"


def test_setting_names_the_sites(new_app):
    sites = "https://course.example.org, https://other.example"
    for setting, ancestors in (
        (sites, "https://course.example.org https://other.example"),
        ("none", "'none'"),
    ):
        response = new_app(EMBED=setting).test_client().get(EMBEDS["play"])
        assert policy(response)["frame-ancestors"] == ancestors


def element(client, kind, query=""):
    return markup.read(client.get(EMBEDS[kind] + query)).one("slide-wise")


def test_embed_shows_the_board_moves_and_search_of_its_link(client):
    assert element(client, "play")["board"] == CODE
    replay = element(client, "replay")
    assert (replay["board"], replay["moves"], replay["step"]) == (HARD, SHORTEST, "3")
    watch = element(client, "watch")
    assert watch["watch"] == f"/lab/{CODE}/trace?algorithm=bfs"
    assert "board" not in watch.attrs


def test_embed_without_javascript_has_a_picture_and_the_steps(client):
    for kind in "play", "replay", "watch":
        assert element(client, kind).one("img")["src"].startswith("/board/")
    steps = element(client, "replay").one("ol").all("li")
    assert len(steps) == 26
    assert steps[0].text == "5→"


def test_race_shows_each_search_with_its_bar(client):
    page = markup.read(client.get(EMBEDS["race"]))
    rows = page.one("tbody").all("tr")
    assert [row.one("b").text for row in rows] == ["Breadth-first search", "A*"]
    for row in rows:
        assert 0 < float(row.one("rect")["width"]) <= 100
        assert row.one("span", _class="pill optimal").text == "2, shortest"


def test_host_sets_theme_colours_language_and_controls(client):
    url = EMBEDS["play"] + "?theme=dark&accent=%23f60&tile-ink=1b2226&lang=de&controls=none"
    response = client.get(url)
    page = markup.read(response)
    assert page.one("html")["data-theme"] == "dark"
    player = page.one("slide-wise")
    assert (player["theme"], player["lang"], player["controls"]) == ("dark", "de", "none")
    style = page.one("style").content[0]
    assert style == ":root{--slide-wise-accent:#f60;--slide-wise-tile-ink:#1b2226}"
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert policy(response)["style-src"] == f"'self' 'sha256-{digest}'"


@each("query", ["theme=blue", "accent=12345", "ink=fff}body{}", "lang=<b>", "tray=url(x)"])
def test_wrong_look_is_refused_in_the_frame(client, query):
    response = client.get(f"{EMBEDS['play']}?{query}")
    assert response.status_code == 400
    assert markup.read(response).one("h1").text == "This cannot be shown"
    assert b"<b>" not in response.data


def test_embed_is_small(client):
    headers = {"Accept-Encoding": "br"}
    page = client.get(EMBEDS["play"], headers=headers)
    files = re.findall(r'(?:href|src)="(/static/[^"]+)"', brotli.decompress(page.data).decode())
    weight = len(page.data)
    assert len(files) == 3
    for url in files:
        with client.get(url, headers=headers) as response:
            weight += len(response.data)
    assert weight < 18_000, weight


def test_embed_has_the_prefix(app):
    client, under = app.test_client(), {"base_url": "http://localhost/games"}
    for kind in "play", "replay", "watch", "race":
        page = markup.read(client.get(EMBEDS[kind], **under))
        for one in page.inside:
            for name in "href", "src", "watch":
                if name in one.attrs:
                    assert one[name].startswith("/games/"), one[name]


def test_busy_embed_is_503_and_refreshes(client, app, monkeypatch):
    from webapp.course.lab.running import Races
    from webapp.workers import Busy

    def busy(*args):
        raise Busy("Many searches are running. Try again in 7 seconds.", 7)

    monkeypatch.setattr(Races, "results", busy)
    response = client.get(EMBEDS["race"])
    assert response.status_code == 503
    assert response.headers["Refresh"] == response.headers["Retry-After"] == "7"
    assert "frame-ancestors" not in policy(response)
    assert "Many searches" in markup.read(response).one("main").text


# oEmbed


def oembed(client, url, **query):
    return client.get("/oembed", query_string={"url": url, **query})


@pytest.mark.parametrize(
    ("page", "embed"),
    [
        (f"/play/{CODE}?beat=3", f"/embed/play/{CODE}"),
        (f"/replay/{CODE}?moves=UL&step=1", f"/embed/replay/{CODE}?moves=UL&step=1"),
        (
            f"/replay/{CODE}?algorithm=astar&convention=columbia",
            f"/embed/replay/{CODE}?algorithm=astar&convention=columbia",
        ),
        (f"/replay/{CODE}", f"/embed/play/{CODE}"),
        (f"/lab/{CODE}/watch?algorithm=bfs&at=9", f"/embed/watch/{CODE}?algorithm=bfs"),
        (f"/lab/{CODE}?run=bfs,dfs", f"/embed/race/{CODE}?run=bfs,dfs"),
    ],
)
def test_oembed_answers_with_the_embed_of_a_page(client, page, embed):
    response = oembed(client, HERE + page)
    assert response.status_code == 200
    assert response.mimetype == "application/json"
    assert "Set-Cookie" not in response.headers
    found = json.loads(response.text)
    assert found["version"] == "1.0"
    assert found["type"] == "rich"
    frame = markup.read(found["html"]).one("iframe")
    assert frame["src"] == HERE + embed
    assert frame["title"] == found["title"]
    assert (frame["width"], frame["height"]) == (str(found["width"]), str(found["height"]))
    assert client.get(embed).status_code == 200
    assert client.get(found["thumbnail_url"].removeprefix(HERE)).mimetype == "image/png"
    assert oembed(client, page).json == found, "an address without its host is of this site"


def test_oembed_respects_the_maximum_size(client):
    found = oembed(client, f"/play/{CODE}", maxwidth=300, maxheight=200).json
    assert (found["width"], found["height"]) == (300, 200)
    usual = oembed(client, f"/play/{CODE}", maxwidth="x", maxheight="").json
    assert usual["width"] == 420


@each(
    "url",
    [
        *("", "http://[", f"https://elsewhere.example/play/{CODE}", f"//x/play/{CODE}"),
        *("/play/nonsense", "/gallery", "/play/" + "1." * 9_000),
        "/play/" + ONE_MOVE + "?" + "&".join(f"a{n}=1" for n in range(99)),
    ],
)
def test_oembed_of_any_other_address_is_404(client, url):
    assert oembed(client, url).status_code == 404


def test_oembed_in_xml_is_501(client):
    assert oembed(client, f"/play/{CODE}", format="xml").status_code == 501


def test_oembed_is_cached_by_others_only_if_the_host_is_known(new_app):
    assert oembed(new_app(HOSTS="localhost").test_client(), f"/play/{CODE}").cache_control.public
    assert not oembed(new_app().test_client(), f"/play/{CODE}").cache_control.public


@pytest.mark.parametrize("page", ["game", "replay", "race"])
def test_pages_link_their_oembed_url(client, page):
    response = PAGES[page](client)
    link = markup.read(response).one("link", type="application/json+oembed")
    assert client.get(link["href"]).json["provider_name"] == "Slidewise"


# The code to copy


def test_sheet_has_the_code_of_each_embed(client):
    page = markup.read(client.get(f"/play/{HARD}/share?moves={SHORTEST}&step=2"))
    frame = markup.read(page.one(id="embed-solution-1")["value"]).one("iframe")
    assert frame["src"] == f"{HERE}/embed/replay/{HARD}?moves={SHORTEST}&step=2"
    code = markup.read(page.one(id="embed-solution-2")["value"])
    player, script = code.one("slide-wise"), code.one("script")
    assert (player["board"], player["moves"]) == (HARD, SHORTEST)
    assert script["src"] == f"{HERE}/static/slide-wise/slide-wise.js"
    with client.get(script["src"].removeprefix(HERE)) as response:
        assert response.mimetype == "text/javascript"
    assert markup.read(page.one(id="embed-puzzle-2")["value"]).one("slide-wise")["board"] == HARD
    assert not [one for one in page.ids() if one.startswith("embed-challenge")]
