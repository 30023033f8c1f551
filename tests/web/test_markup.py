"""Facts of the markup of every page and fragment, and of the headers of every response."""

import re
from itertools import pairwise

import pytest

from tests.each import each
from tests.web import kinds, markup
from tests.web.course.learn.learning import KEYS
from tests.web.http.test_security import POLICY
from tests.web.kinds import CODE, EVERY_KIND, FRAGMENTS, PAGES
from tests.web.streams import Reader


@pytest.fixture(scope="module")
def streamed(app):
    """Return all fragments of a solve stream."""
    return [markup.read(message.data) for message in Reader(app, CODE, {}, "markup", {}).all()]


def policy_violations(page):
    """Yield markup that the content policy blocks or that htmx would have to evaluate."""
    for element in page.inside:
        for name, value in element.attrs.items():
            if name == "style" or name.startswith(("on", "hx-on")):
                yield f"<{element.tag} {name}>"
            if value.strip().lower().startswith(("javascript:", "js:", "data:")):
                yield f"{name}={value}"
            if name == "hx-trigger" and "[" in value:
                yield f"{name}={value}"
        if element.tag in {"style", "base", "iframe", "object", "embed"}:
            yield f"<{element.tag}>"
        is_code = element.tag == "script" and element.get("type") != "application/json"
        if is_code and (not element.get("src") or element.content):
            yield "<script> without a file"
        for name in "src", "href", "action", "formaction":
            if "://" in element.get(name, "") or element.get(name, "").startswith("//"):
                yield f"{name}={element[name]} is elsewhere"


def unlabelled_controls(page):
    """Yield the controls without an accessible name."""
    labels = {label["for"] for label in page.all("label") if "for" in label.attrs}
    for element in page.inside:
        if element.tag not in {"input", "select", "textarea", "button", "a"}:
            continue
        if element.get("type") == "hidden":
            continue
        named = element.get("aria-label") or element.get("aria-labelledby")
        if element.tag in {"button", "a"}:
            named = named or element.text
        else:
            around = [label for label in element.ancestors if label.tag == "label"]
            named = named or element.get("id") in labels or any(label.text for label in around)
        if not named:
            yield f"<{element.tag}> {element.attrs}"


INLINE = {"a", "b", "code", "em", "i", "kbd", "small", "span", "strong"}
RUNS_ON = re.compile(r"\w*[a-z)][.!?;:,][A-Z][a-z]+")


def text_as_rendered(element):
    """Return the text like a browser joins it: inline elements add no space."""
    text = "".join(
        part if isinstance(part, str) else text_as_rendered(part)
        for part in element.content
        if isinstance(part, str) or part.tag not in {"pre", "textarea", "script"}
    )
    return text if element.tag in INLINE else f" {text} "


STARTS_WORK = ("/race", "/many/run")
LONG_TEXTS = {"/custom", "/convert", "/lab/check"}
"""Forms whose texts may be longer than a URL."""


def lost_references(page):
    """Yield references to ids that the page does not have."""
    ids = set(page.ids())
    for element in page.inside:
        for name in "for", "form", "aria-labelledby", "aria-describedby", "aria-controls":
            yield from set(element.get(name, "").split()) - ids
        for name in "href", "hx-target":
            if element.get(name, "").startswith("#") and element[name][1:] not in ids:
                yield element[name]


def different_urls(page):
    """Yield the URLs to which htmx posts but a browser without it does not."""
    for element in page.inside:
        if "hx-post" in element.attrs and element.tag in {"form", "button"}:
            action = element.get("action", element.get("formaction"))
            if element["hx-post"] != action and element["id"] != "stop":
                yield element["hx-post"]


@each("kind", [*PAGES, *FRAGMENTS])
def test_markup_follows_the_policy_and_names_its_controls(app, kind):
    shown = kinds.shown(app, kind)
    assert RUNS_ON.findall(text_as_rendered(shown)) == [], "no sentence runs into the next"
    assert list(policy_violations(shown)) == []
    assert list(unlabelled_controls(shown)) == []
    assert list(different_urls(shown)) == []
    ids = shown.ids()
    assert len(ids) == len(set(ids))


@each("topic", KEYS)
def test_no_sentence_of_a_topic_runs_into_the_next(client, topic):
    assert RUNS_ON.findall(text_as_rendered(markup.read(client.get(f"/learn/{topic}")))) == []


@each("kind", PAGES)
def test_page_has_title_language_headings_and_main(app, kind):
    whole_page = kinds.shown(app, kind)
    assert list(lost_references(whole_page)) == []
    assert whole_page.one("html")["lang"] == "en"
    assert whole_page.one("title").text.endswith("Slidewise")
    assert len(whole_page.one("title").text) > len("Slidewise")
    assert whole_page.one("main")["id"] == "main"
    assert whole_page.one("h1").text
    assert whole_page.one("a", _class="skip")["href"] == "#main"
    assert whole_page.one("meta", name="viewport")
    assert whole_page.one(id="notice")["role"] == "alert"
    assert whole_page.one("button", id="open-settings").text == "Settings"
    assert whole_page.one("dialog", id="settings")["aria-labelledby"] == "settings-title"
    levels = [int(e.tag[1]) for e in whole_page.one("main").inside if e.tag in {"h1", "h2", "h3"}]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels)), "a level is left out"
    for form in whole_page.all("form"):
        action = form.get("action", "").partition("#")[0]
        stores = action.startswith(("/play/", "/together", "/language", "/privacy"))
        changes = stores or action.endswith(STARTS_WORK)
        assert (form.get("method") == "post") == (changes or action in LONG_TEXTS), action


@each("kind", ["editor in trouble", "no such puzzle", "checked, bad", "notice"])
def test_typed_markup_is_escaped(app, kind):
    data = kinds.response(app, kind).data
    assert b"<b>&" not in data
    assert b'<b>"' not in data
    assert "<b>" in kinds.shown(app, kind).text


def test_stream_follows_the_policy_and_names_its_controls(streamed):
    assert len(streamed) > 4
    for fragment in streamed:
        assert list(policy_violations(fragment)) == []
        assert list(unlabelled_controls(fragment)) == []
        for partial in fragment.content:
            assert isinstance(partial, str) or partial.tag == "hx-partial"


def test_streamed_fragments_have_targets_and_new_ids(client, streamed):
    page = markup.read(client.get(f"/play/{CODE}"))
    in_templates = {name for template in page.all("template") for name in template.ids()}
    page_ids = set(page.ids()) - in_templates  # elements of templates are not in the document yet
    seen = set()
    for fragment in streamed:
        for partial in fragment.all("hx-partial"):
            assert partial["hx-target"][1:] in page_ids | seen
        ids = set(fragment.ids())
        assert not ids & (page_ids | seen)
        seen |= ids
    assert {"steps", "player", "replay-link"} <= seen
    forms = {e["form"] for fragment in streamed for e in fragment.inside if "form" in e.attrs}
    assert forms <= page_ids | seen


# Headers


@each("kind", EVERY_KIND)
def test_response_has_the_policy_and_html_is_not_cached(app, kind):
    answer = kinds.response(app, kind)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    to_htmx = answer.request.headers.get("HX-Request") == "true"
    if to_htmx or answer.mimetype in {"text/css", "text/javascript"}:  # the policy of the page
        assert "Content-Security-Policy" not in answer.headers
        assert not to_htmx or answer.headers["Cache-Control"] == "no-store"
        return
    assert answer.headers.getlist("Content-Security-Policy") == [POLICY]
    assert answer.headers["Referrer-Policy"] == "same-origin"
    if answer.mimetype.startswith("image/"):
        assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        return
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "camera=(), geolocation=()" in answer.headers["Permissions-Policy"]
    if answer.mimetype == "text/html":
        assert answer.request.method == "POST" or "HX-Request" in answer.vary
        assert answer.headers["Cache-Control"] == "no-store"


def test_kinds_have_the_expected_statuses_and_types(app):
    answers = {kind: kinds.response(app, kind) for kind in EVERY_KIND}
    seen = {kind: (answer.status_code, answer.mimetype) for kind, answer in answers.items()}
    assert {status for status, _ in seen.values()} >= {200, 204, 302, 303, 308, 400, 403, 404, 405}
    assert {seen[kind][0] for kind in ("too long", "notice, too long")} == {413}
    assert {mimetype for _, mimetype in seen.values()} >= {
        *("text/html", "text/css", "text/javascript", "image/svg+xml", "text/event-stream")
    }
    assert seen["stream"] == (200, "text/event-stream")
    assert seen["other site"][0] == 403
