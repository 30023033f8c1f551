"""What holds for the markup of every page and fragment."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.web import kinds, markup
from tests.web.kinds import CODE, FRAGMENTS, PAGES
from tests.web.streams import Reader


@pytest.fixture(params=[*PAGES, *FRAGMENTS])
def shown(request, app):
    """Each page and fragment; reading it fails where tags do not match."""
    return kinds.shown(app, request.param)


@pytest.fixture(params=PAGES)
def whole_page(request, app):
    return kinds.shown(app, request.param)


@pytest.fixture(scope="module")
def streamed(app):
    """All that the stream of a solve puts into the page."""
    return [markup.read(message.data) for message in Reader(app, CODE, {}, "markup", {}).all()]


def complaints(page):
    """Say what the content policy would not let through, or htmx would have to evaluate."""
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
        if element.tag == "script" and (not element.get("src") or element.content):
            yield "<script> without a file"
        for name in "src", "href", "action", "formaction":
            if "://" in element.get(name, "") or element.get(name, "").startswith("//"):
                yield f"{name}={element[name]} is elsewhere"


def unlabelled(page):
    """Yield the controls that a screen reader has no name for."""
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


def test_nothing_is_inline_and_nothing_from_elsewhere(shown):
    assert list(complaints(shown)) == []


def test_ids_are_unique(shown):
    ids = shown.ids()
    assert len(ids) == len(set(ids))


def test_each_control_has_a_label(shown):
    assert list(unlabelled(shown)) == []


def test_whatever_is_referred_to_is_there(whole_page):
    ids = set(whole_page.ids())
    for element in whole_page.inside:
        for name in "for", "form", "aria-labelledby", "aria-describedby", "aria-controls":
            if name in element.attrs:
                assert set(element[name].split()) <= ids, f"{name}={element[name]}"
        if element.get("href", "").startswith("#"):
            assert element["href"][1:] in ids
        target = element.get("hx-target", "")
        if target.startswith("#"):
            assert target[1:] in ids


def test_a_page_has_what_every_page_needs(whole_page):
    assert whole_page.one("html")["lang"] == "en"
    assert whole_page.one("title").text.endswith("Slidewise")
    assert len(whole_page.one("title").text) > len("Slidewise")
    assert whole_page.one("main")["id"] == "main"
    assert whole_page.one("h1").text
    assert whole_page.one("a", _class="skip")["href"] == "#main"
    assert whole_page.one("meta", name="viewport")
    assert whole_page.one(id="notice")["role"] == "alert"


def test_headings_leave_no_level_out(whole_page):
    levels = [int(e.tag[1]) for e in whole_page.one("main").inside if e.tag in {"h1", "h2", "h3"}]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


STARTS_WORK = ("/race", "/many/run")


def test_forms_that_change_something_are_posts(whole_page):
    for form in whole_page.all("form"):
        action = form.get("action", "")
        assert (form.get("method") == "post") == (
            action.startswith("/play/") or action == "/custom" or action.endswith(STARTS_WORK)
        )


def test_htmx_is_told_where_forms_go_as_browsers_are(shown):
    for element in shown.inside:
        if (
            "hx-post" in element.attrs
            and element.tag in {"form", "button"}
            and element["id"] != "stop"
        ):
            assert element["hx-post"] == element.get("action", element.get("formaction"))


@pytest.mark.parametrize("kind", ["editor in trouble", "no such puzzle", "checked, bad", "notice"])
def test_what_was_typed_is_shown_as_text(app, kind):
    data = kinds.response(app, kind).data
    assert b"<b>&" not in data
    assert b'<b>"' not in data
    assert "<b>" in kinds.shown(app, kind).text


def test_the_stream_keeps_to_all_of_that(streamed):
    assert len(streamed) > 4
    for fragment in streamed:
        assert list(complaints(fragment)) == []
        assert list(unlabelled(fragment)) == []
        for partial in fragment.content:
            assert isinstance(partial, str) or partial.tag == "hx-partial"


def test_what_is_streamed_finds_its_place_and_takes_no_id_of_the_page(client, streamed):
    page_ids = set(markup.read(client.get(f"/play/{CODE}")).ids())
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
