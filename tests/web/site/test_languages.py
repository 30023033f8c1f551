"""Languages of pages: which one a visitor gets, and that no text of a page is left in English."""

import gettext
import re
from html.parser import HTMLParser

import pytest

from slidewise import algorithms, heuristics
from webapp.http import language
from webapp.http.language import COOKIE, LANGUAGES, Language

GAME = "/play/1.2.3-4.0.6-7.5.8"
BEGIN, END = "⟦", "⟧"


class Pseudo(gettext.NullTranslations):
    """Marks each message, so that others stand out."""

    def gettext(self, message):
        return f"{BEGIN}{message}{END}"

    def ngettext(self, one, many, count):
        return self.gettext(one if count == 1 else many)


@pytest.fixture
def pseudo(monkeypatch):
    """A language in which each message is marked."""
    made = Language("en")
    made.translations = Pseudo()
    monkeypatch.setitem(LANGUAGES, "en", made)
    monkeypatch.setattr(language, "_current", type(language._current)("test", default=made))


ATTRIBUTES = (
    "alt",
    "aria-label",
    "aria-description",
    "aria-roledescription",
    "placeholder",
    "title",
)
NAMED = ("description", "og:title", "og:description", "og:image:alt")
EXEMPT = {"script", "style", "code", "kbd", "pre", "samp", "var"}
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
NAMES = re.compile(r"Slidewise|\b[A-Z]\b|\d[\d.,×x ]*")
"""Proper names, keys and numbers; a name of a language is in the language itself."""


class Unmarked(HTMLParser):
    """Collects the texts of a page that are in no message."""

    def __init__(self):
        super().__init__()
        self.found, self._depth, self._open = [], 0, []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        is_exempt = tag in EXEMPT or "translate" in given or (tag != "html" and "lang" in given)
        texts = [given[name] for name in ATTRIBUTES if given.get(name)]
        if tag == "meta" and (given.get("name") or given.get("property")) in NAMED:
            texts.append(given["content"])
        if tag == "input" and given.get("type") in ("submit", "button", "reset"):
            texts.append(given.get("value", ""))
        if not any(self._open) and not is_exempt:
            for text in texts:
                self._check(text, 0)
        if tag not in VOID:
            self._open.append(is_exempt)

    def handle_endtag(self, tag):
        if tag not in VOID and self._open:
            self._open.pop()

    def handle_data(self, data):
        self._depth = self._check(data, self._depth, silent=any(self._open))

    def _check(self, text, depth, silent=False):
        """Note what is outside of messages; return how many are open at the end."""
        outside = ""
        for char in text:
            depth += (char == BEGIN) - (char == END)
            outside += char if not depth and char != END else " "
        for part in re.findall(r"[^\W\d_][^<>]*", NAMES.sub(" ", outside)):
            if not silent and len(part.strip()) > 1:
                self.found.append(part.strip())
        return depth


LESSONS = [*algorithms(), *heuristics()]
PAGES = (
    "/transfer",
    "/learn",
    *(f"/learn/{key}" for key in LESSONS),
    "/learn/by-hand",
)


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.usefixtures("pseudo")
def test_no_text_of_a_page_is_outside_of_messages(client, path):
    answer = client.get(path, follow_redirects=True)
    assert answer.status_code == 200
    page = Unmarked()
    page.feed(answer.text)
    assert not page.found, page.found


def test_texts_outside_of_messages_are_found():
    page = Unmarked()
    page.feed('<p title="⟦a tile⟧">⟦Slide the <a>tile⟧</a> 5 <b aria-label="left">L</b> now</p>')
    assert page.found == ["left", "now"]


@pytest.mark.parametrize(
    ("accepted", "code"),
    [
        (None, "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("fr,es-419;q=0.8,en;q=0.5", "es"),
        ("fr", "en"),
        ("*", "en"),
        ("en-US,en;q=0.9,de;q=0.8", "en"),
        ("%s,;q=x", "en"),
    ],
)
def test_language_is_the_best_that_the_browser_accepts(client, accepted, code):
    answer = client.get(GAME, headers={"Accept-Language": accepted} if accepted else {})
    assert f'<html lang="{code}">' in answer.text
    assert answer.headers["Content-Language"] == code
    assert {"accept-language", "cookie"} <= set(answer.vary.as_set())


def test_chosen_language_outlasts_the_browsers(client):
    came_from = {"Referer": f"http://localhost{GAME}?beat=3"}
    answer = client.post("/language", data={"language": "es"}, headers=came_from)
    assert answer.status_code == 303
    assert answer.location == f"http://localhost{GAME}?beat=3"
    assert client.get_cookie(COOKIE).value == "es"
    page = client.get(GAME, headers={"Accept-Language": "de"})
    assert '<html lang="es">' in page.text
    client.set_cookie(COOKIE, "xx")
    assert '<html lang="de">' in client.get(GAME, headers={"Accept-Language": "de"}).text


@pytest.mark.parametrize("referrer", ["http://elsewhere.example/", "//x", "javascript:x", ""])
def test_choice_leads_to_no_other_site(client, referrer):
    headers = {"Referer": referrer}
    answer = client.post("/language", data={"language": "de"}, headers=headers)
    assert (answer.status_code, answer.location) == (303, "/")


def test_choice_of_an_unknown_language_is_explained(client):
    answer = client.post("/language", data={"language": "tlh"})
    assert answer.status_code == 400
    assert "en, de, es" in answer.text


@pytest.mark.parametrize("path", ["/api", "/lab"])
def test_pages_for_programmers_are_in_english(client, path):
    answer = client.get(path, headers={"Accept-Language": "de"}, follow_redirects=True)
    assert '<html lang="en">' in answer.text


def test_pages_that_are_not_translated_are_wholly_in_english(app, client):
    assert set(app.view_functions) >= language.NOT_YET
    for rule in app.url_map.iter_rules():
        if rule.endpoint in language.NOT_YET and not rule.arguments:
            answer = client.get(rule.rule, headers={"Accept-Language": "de"})
            assert '<html lang="en">' in answer.text, rule.endpoint
