"""Languages of errors, shared things and races, and of answers that caches store."""

import io
import json

from PIL import Image, ImageChops

from tests.boards import TWO_MOVES as CODE
from tests.each import each
from tests.web import kinds, markup
from tests.web.streams import HTMX
from webapp.http import language
from webapp.http.language import COOKIE, LANGUAGES, Language
from webapp.http.responses import Busy
from webapp.http.visitor import Visitor
from webapp.play import new
from webapp.workers.budgets import Budgets
from webapp.workers.shared import services_of

GERMAN = {"Accept-Language": "de"}


def test_error_is_in_the_language_of_its_visitor(new_app, monkeypatch):
    app = new_app(VISITOR_SECONDS=100)
    client = app.test_client(use_cookies=False)
    services_of(app).get(Budgets).charge_web(Visitor("192.0.2.7", "192.0.2.7"), 100)

    def fail(*_args):
        raise Busy("", 5)

    monkeypatch.setattr(new, "drawn", fail)
    spent = {"environ_base": {"REMOTE_ADDR": "192.0.2.7"}}
    elsewhere = {"Sec-Fetch-Site": "cross-site"}
    for request, status, title in (
        ({"path": "/nowhere"}, 404, "Seite nicht gefunden"),
        ({"path": "/play/junk"}, 400, "Bitte prüfe das"),
        ({"path": f"/play/{CODE}/slide"}, 405, "Diese Adresse ist keine Seite"),
        ({"path": "/custom", "method": "POST", "headers": elsewhere}, 403, "Nicht erlaubt"),
        ({"path": "/custom", "method": "POST", "data": {"start": kinds.LONG}}, 413, "Zu lang"),
        ({"path": f"/play/{CODE}/share", **spent}, 429, "Bitte warte einen Moment"),
        ({"path": "/new?size=3x3"}, 503, "Gerade ist viel los"),
    ):
        client.get("/privacy", headers={"Accept-Language": "es"})  # leaves no language behind
        headers = {**request.get("headers", {}), **GERMAN}
        answer = client.open(**{**request, "headers": headers})
        assert answer.status_code == status, request
        assert answer.headers["Content-Language"] == "de"
        assert {"accept-language", "cookie"} <= set(answer.vary.as_set())
        assert markup.read(answer).one("h1").text == title
        notice = client.open(**{**request, "headers": {**headers, **HTMX}})
        assert notice.status_code == status, request
        assert title in notice.text


def test_language_without_files_is_shown_in_english(client, tmp_path, monkeypatch):
    monkeypatch.setattr(language, "FOLDERS", [tmp_path])
    monkeypatch.setitem(LANGUAGES, "de", Language("de"))
    answer = client.get("/nowhere", headers=GERMAN)
    assert answer.status_code == 404
    assert markup.read(answer).one("h1").text == "Page not found"


def test_api_answers_are_in_english(client):
    for method, path, request in (
        ("GET", "/api/v1/puzzles/1.2-3.9", {}),
        ("GET", "/api/v1/nothing", {}),
        ("POST", "/api/v1/solve", {"json": {"puzzle": "1.2-3.9"}}),
        ("GET", f"/oembed?url=/play/{CODE}", {}),
    ):
        german = client.open(path, method=method, headers=GERMAN, **request).json
        english = client.open(path, method=method, **request).json
        german.pop("request_id", None), english.pop("request_id", None)
        assert german == english
    posted = client.post("/api/nothing", headers={**GERMAN, "Sec-Fetch-Site": "cross-site"})
    assert posted.json["detail"].startswith("This came from another site.")


@each(
    ("query", "accepted", "code"),
    [("?lang=es-MX", "de", "es"), ("", "de", "de"), ("?lang=fr", "de", "de"), ("", "fr", "en")],
)
def test_embed_is_in_the_language_of_its_link_or_the_browser(client, query, accepted, code):
    client.set_cookie(COOKIE, "en")
    answer = client.get(f"/embed/play/{CODE}{query}", headers={"Accept-Language": accepted})
    assert f'<html lang="{code}"' in answer.text
    assert "Set-Cookie" not in answer.headers
    assert "accept-language" in answer.vary.as_set()


def test_stored_files_have_only_the_language_of_their_url(client):
    client.set_cookie(COOKIE, "es")
    english = Image.open(io.BytesIO(client.get(f"/board/{CODE}/card.png", headers=GERMAN).data))
    german = Image.open(io.BytesIO(client.get(f"/board/{CODE}/card.png?lang=de").data))
    assert ImageChops.difference(english, german).getbbox()
    page = markup.read(client.get(f"/play/{CODE}"))
    (preview,) = (one for one in page.all("meta") if one.get("property") == "og:image")
    assert preview["content"].endswith("/card.png?lang=es")
    assert client.get("/manifest.webmanifest", headers=GERMAN).json["lang"] == "en"
    (link,) = (link for link in page.all("link") if link["rel"] == "manifest")
    manifest = client.get(link["href"]).json
    assert (manifest["lang"], manifest["id"]) == ("es", "/")
    assert manifest["description"].startswith("Juega")


@each("code", LANGUAGES)
def test_worker_stores_pages_and_texts_of_its_language(client, code):
    text = client.get("/worker.js", query_string={"lang": code}, headers=GERMAN).text
    build = json.loads(text.partition(" = ")[2].partition(";\n")[0])
    assert build["language"] == code
    texts = [url.rpartition("/")[2] for url in build["files"] if "/texts/" in url]
    assert texts == ([] if code == "en" else [f"{code}.js"])
    page = client.get("/no-network", headers={"Accept-Language": code})
    assert page.headers["Content-Language"] == code


def test_race_is_in_the_language_of_each_player(app, monkeypatch):
    monkeypatch.setattr("webapp.together.rooms.COUNTDOWN_MS", -1_000)
    ann, ben = app.test_client(), app.test_client()
    for client in ann, ben:
        client.get("/together")
    room = ann.post("/together", data={"code": CODE}).location
    ben.post(f"{room}/join")
    ann.post(f"{room}/start")
    for tile in 5, 8:
        ann.post(f"{room}/slide", data={"tile": tile})

    def card(client, **headers):
        page = markup.read(client.get(f"{room}/boards", headers={**HTMX, **headers}))
        return page.one("ol").all("li")[0].text

    assert "1st" in card(ann)
    assert "Platz 1" in card(ben, **GERMAN)
    assert "puesto 1" in card(ben, **{"Accept-Language": "es"})
    assert "(du)" in card(ann, **GERMAN)


def test_language_switch_on_a_post_only_url_leads_home(client):
    came_from = {"Referer": f"http://localhost/play/{CODE}/slide"}
    answer = client.post("/language", data={"language": "de"}, headers=came_from)
    assert answer.location == "/"
