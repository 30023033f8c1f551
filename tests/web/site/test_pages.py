"""Privacy, robots and security pages."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.boards import ONE_MOVE
from tests.each import each
from tests.web import markup
from tests.web.kinds import CODE
from webapp.course.lab.check import MAX_GIVEN_BYTES
from webapp.site.pages import LINK_PREVIEWS, SETTINGS

SCRIPTS = Path(__file__).parents[3] / "static" / "js"


def words(client):
    return " ".join(markup.read(client.get("/privacy")).one("main").text.split())


def test_privacy_page_has_the_codes_of_daily_players(client):
    text = words(client)
    assert "a network address at most 60 times a day" in text
    assert "The codes and the key are deleted when the day is over (UTC)" in text


@each(
    ("site", "obeys"),
    [("http://localhost", True), ("https://tiles.example", True), ("http://tiles.example", False)],
)
def test_browser_removes_everything_where_it_obeys(client, site, obeys):
    page = markup.read(client.get("/privacy", base_url=site)).one("main")
    assert any(form["method"] == "post" for form in page.all("form")) == obeys
    answer = client.post("/privacy", base_url=site)
    assert answer.status_code == (200 if obeys else 409)
    cleared = {"Clear-Site-Data": '"cache", "cookies", "storage"'} if obeys else {}
    assert answer.headers.get("Clear-Site-Data") == cleared.get("Clear-Site-Data")


def named(client):
    """Return the names on the page, which are in monospace."""
    page = markup.read(client.get("/privacy")).one("main")
    return {element.text for element in page.all("span") if "mono" in element.classes}


@each(
    ("path", "tabs"),
    [
        *((path, ["Play"]) for path in ("/levels", "/custom", "/new", f"/replay/{ONE_MOVE}")),
        (f"/replay/{ONE_MOVE}?moves=L", ["Play"]),
        *(("/daily", ["Daily"]), ("/gallery", ["Gallery"]), ("/privacy", [])),
    ],
)
def test_tab_of_a_page_is_marked(client, path, tabs):
    (nav,) = (nav for nav in markup.read(client.get(path)).all("nav") if "nav" in nav.classes)
    assert [link.text.strip() for link in nav.all("a") if link.get("aria-current")] == tabs


def test_page_names_everything_that_scripts_store(client):
    source = "".join(path.read_text(encoding="utf-8") for path in SCRIPTS.rglob("*.js"))
    assert not re.search(r"indexedDB|document\.cookie", source)
    assert "pages of your last 30 games" in words(client), "what the service worker stores"
    stored = set(re.findall(r'(?:Storage\.\w+|store|read|write)\("([\w-]+)"', source))
    stored |= set(re.findall(r'export const [A-Z]+ = "(\w+)"; // \{', source))
    stored |= set(re.findall(r"const prefix = \(url\) => `(\w+) ", source))
    assert {"own-picture", "solution", "bests", "days", "game", "page"} <= stored
    theme = (SCRIPTS / "theme.js").read_text(encoding="utf-8")
    listed = re.search(r"const name of \[(.*?)\]\)", theme, re.DOTALL)[1]
    assert re.findall(r'"([\w-]+)"', listed) == list(SETTINGS)
    assert stored | set(SETTINGS) <= named(client)


def test_page_names_every_cookie_with_its_days(client):
    client.get(f"/play/{CODE}")
    client.post(f"/play/{CODE}/slide", data={"tile": "5"})
    client.post(f"/play/{ONE_MOVE}/slide", data={"tile": "8"})
    client.post("/language", data={"language": "de"})
    client.post("/language", data={"language": "en"})
    cookies = list(client._cookies.values())
    assert {cookie.key for cookie in cookies} == {name for name in named(client) if "_" in name}
    for cookie in cookies:
        until = cookie.expires or datetime.now(UTC) + timedelta(seconds=cookie.max_age)
        assert (until - datetime.now(UTC) + timedelta(hours=1)).days == 90
    assert words(client).count("for 90 days") == 4
    assert all(cookie.http_only for cookie in cookies)


def test_privacy_page_follows_the_log_settings(new_app, client):
    text = words(client)
    assert "Requests are not logged." in text
    assert "Totals" not in text
    assert "Ask" not in text
    for addresses in True, False:
        app = new_app(LOG="json", LOG_ADDRESSES=addresses, METRICS=True, CONTACT="a@example.org")
        text = words(app.test_client())
        assert "Each request is a line in a log" in text
        assert ("and the network address it came from" in text) is addresses
        assert ("network address it came from is not logged" in text) is not addresses
        assert "Totals, such as the number of moves" in text
        assert "Ask a@example.org" in text


def test_page_is_linked_from_the_settings(client):
    links = markup.read(client.get("/gallery")).one(id="settings").all("a")
    assert [link["href"] for link in links] == ["/transfer", "/privacy"]


@pytest.mark.parametrize("prefix", ["", "/puzzles"])
def test_robots_may_read_pages_but_not_puzzles(app, prefix):
    answer = app.test_client().get("/robots.txt", base_url=f"http://localhost{prefix}")
    assert answer.mimetype == "text/plain"
    assert "Set-Cookie" not in answer.headers
    previews, others = answer.text.split("\n\n")
    assert previews.splitlines() == [
        *(f"User-agent: {name}" for name in LINK_PREVIEWS),
        "Disallow:",
    ]
    first, *closed = others.splitlines()
    assert first == "User-agent: *"
    assert {f"Disallow: {prefix}{path}" for path in ("/play/", "/lab/", "/*?")} <= {*closed}


def test_robots_may_read_games_and_races_if_configured(new_app):
    client = new_app(INDEX=True).test_client()
    text = client.get("/robots.txt").text
    closed = [line.removeprefix("Disallow: ") for line in text.splitlines()[-20:]]
    assert not {"/play/", "/lab/"} & set(closed)
    assert {"/play/*/", "/lab/*/", "/replay/", "/daily/", "/*?"} <= set(closed)
    for path, query in (f"/play/{CODE}", "?beat=30&lesson=hint"), (f"/lab/{CODE}", "?run=bfs"):
        for address in path, path + query:
            page = markup.read(client.get(address))
            assert page.one("link", rel="canonical")["href"] == path
            assert not page.all("meta", name="robots")


FEW = {"topic", "algorithm", "name", "key"}
"""Arguments with few values, those of the learn pages."""

LEADS_TO_MANY = ("/api/", "/lab/check")
"""The API, and the page that redirects to that of a puzzle."""


def test_url_with_a_puzzle_or_a_day_is_closed_to_robots(app):
    lines = app.test_client().get("/robots.txt").text.splitlines()
    prefixes = tuple(line[len("Disallow: ") :] for line in lines if line.startswith("Disallow: /"))
    for rule in app.url_map.iter_rules():
        if not rule.rule.startswith("/static/"):
            closed = rule.rule.startswith(prefixes)
            has_many = bool(rule.arguments - FEW) or rule.rule.startswith(LEADS_TO_MANY)
            assert closed == has_many, rule.rule


def test_pages_with_uploads_name_their_limit(client):
    """The limit on the page is that of the code, in the browser or on the server."""
    script = (SCRIPTS / "site" / "transfer.js").read_text(encoding="utf-8")
    checked = int(re.search(r"MAX_BYTES = ([\d_]+)", script)[1])
    page = markup.read(client.get("/transfer")).one(id="transfer")
    assert f"up to {checked // 10**6} MB" in " ".join(page.text.split())
    page = markup.read(client.get("/lab/check", follow_redirects=True))
    assert f"up to {MAX_GIVEN_BYTES >> 20} MB" in page.one("main").text


def test_security_txt_has_the_fields_of_rfc_9116(new_app):
    client = new_app(CONTACT="games@example.org").test_client()
    answer = client.get("/.well-known/security.txt", base_url="https://example.org/puzzles")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    fields = dict(line.split(": ", 1) for line in answer.text.splitlines())
    expires = datetime.fromisoformat(fields.pop("Expires"))
    assert timedelta(days=90) < expires - datetime.now(UTC) < timedelta(days=365)
    assert fields == {
        "Contact": "mailto:games@example.org",
        "Preferred-Languages": "en",
        "Canonical": "https://example.org/puzzles/.well-known/security.txt",
    }


@pytest.mark.parametrize("contact", ["", "http://example.org"])
def test_security_txt_without_a_safe_contact_is_404(new_app, contact):
    client = new_app(CONTACT=contact).test_client()
    assert client.get("/.well-known/security.txt").status_code == 404
