"""The language switch: online, offline, by keyboard, and with typed input."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.site.test_without_network import IS_READY, wait_until
from tests.browser.steps import START, ConsoleErrors, boards_after, click, expect_game, press
from tests.web.site.test_languages import PAGES as TRANSLATED

pytestmark = pytest.mark.browser_context_args(service_workers="allow", reduced_motion="reduce")

STORED = """async () => {
  const found = new Set();
  for (const name of await caches.keys()) {
    if (!name.startsWith("slidewise ")) continue;
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const response = await cache.match(request, { ignoreVary: true });
      const language = response?.headers.get("Content-Language");
      if (language) found.add(language);
    }
  }
  return [...found].join();
}"""
"""The languages of the stored pages."""


def choose(page: Page, name: str) -> None:
    """Choose a language in the settings dialog, by keyboard."""
    page.locator("#open-settings").focus()
    press(page, "Enter")
    expect(page.locator("#settings")).to_be_visible()
    page.locator("#settings").get_by_role("button", name=name).focus()
    press(page, "Enter")


def expect_language(page: Page, code: str) -> None:
    expect(page.locator(f"html[lang={code}]")).to_be_attached()


def test_pages_are_stored_in_the_chosen_language_alone(
    new_context: Callable[..., BrowserContext], console_errors: ConsoleErrors
) -> None:
    console_errors.ignore("Failed to load resource", "htmx: htmx:error")
    page = new_context(locale="de-DE").new_page()
    page.goto(f"/play/{START}")
    expect_language(page, "de")
    page.evaluate(IS_READY)
    assert page.evaluate(STORED) == "de"
    click(page, 5, moves=1)

    # Offline: German, and the language cannot be changed
    page.context.set_offline(True)
    page.reload()
    expect_language(page, "de")
    expect_game(page, 1, boards_after(START, (5,))[-1])
    click(page, 8)
    choose(page, "Español")
    expect(page.locator("#language-said")).to_contain_text("Keine Verbindung.")
    page.goto("/learn")
    expect(page.get_by_role("heading", name="Keine Verbindung")).to_be_visible()

    # The unsent move survives the switch
    page.context.set_offline(False)
    page.goto(f"/play/{START}")
    choose(page, "Español")
    expect_language(page, "es")
    expect_game(page, 2, boards_after(START, (5, 8))[-1])
    wait_until(page, f"(await ({STORED})()) === 'es'")
    page.context.set_offline(True)
    page.reload()
    expect_language(page, "es")
    expect_game(page, 2, boards_after(START, (5, 8))[-1])
    page.goto("/learn")
    expect(page.get_by_role("heading", name="Sin conexión")).to_be_visible()
    page.goto("/new?size=4x4")
    page.wait_for_url("**/play/*")
    expect_language(page, "es")
    page.context.set_offline(False)


TEXTS = """() => {
  const found = [];
  const named = ["aria-label", "aria-description", "title", "alt", "placeholder"];
  const read = (element) => {
    if (element.matches("body [lang], [translate=no], code, kbd, pre, samp, script, style")) return;
    found.push(...named.map((name) => element.getAttribute(name) ?? ""));
    for (const node of element.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) found.push(node.data.replace(/\\s+/g, " ").trim());
      if (node.nodeType === Node.ELEMENT_NODE) read(node);
    }
  };
  read(document.body);
  return found;
}"""
"""The texts of a page, without those in another language than the page, and code."""

WORD = re.compile(r"(?<![\w-])[a-z]{2,}(?![\w(-])")
BOARD = "1.2.3-4.0.6-7.5.8"
OF_THE_GAME = [
    *("/", "/privacy", "/together", f"/play/{BOARD}", f"/play/{BOARD}/share"),
    *(f"/play/{BOARD}/review", f"/replay/{BOARD}?moves=UL", f"/replay/{BOARD}?algorithm=astar"),
]


@pytest.mark.soak
def test_english_parts_of_translated_pages_are_marked(
    new_context: Callable[..., BrowserContext],
) -> None:
    pages = {code: new_context(locale=code).new_page() for code in ("en", "de", "es")}
    unmarked = []
    for path in (*OF_THE_GAME, *TRANSLATED):
        answer = pages["en"].request.get(path)
        if "content-disposition" in answer.headers or "<html" not in answer.text():
            continue  # a download, or a part of a page
        texts = {}
        for code, page in pages.items():
            page.goto(path)
            expect_language(page, code)
            texts[code] = set(page.evaluate(TEXTS))
        for code in "de", "es":
            same = texts["en"] & texts[code]
            unmarked += [(path, code, text) for text in same if len(WORD.findall(text)) > 1]
    assert not unmarked, "\n".join(map(str, unmarked))


def test_typed_input_survives_a_switch(page: Page) -> None:
    page.goto("/custom?start=1.2.3-4.0.6-7.5.8#board")
    page.locator("#as-text summary").click()
    page.locator("#start").fill("1 2 3 4 5 6 0 7 8")
    choose(page, "Deutsch")
    expect_language(page, "de")
    expect(page.locator("#start")).to_have_value("1 2 3 4 5 6 0 7 8")
    assert page.url.endswith("/custom?start=1.2.3-4.0.6-7.5.8#board")
    page.reload()
    expect(page.locator("#start")).to_have_value("1.2.3-4.0.6-7.5.8")
