"""Without JavaScript: styles choose what is shown, and the keyboard continues after a page load.

The forms and links are tested in `tests/web/`.
"""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import expect_moves, tile

pytestmark = pytest.mark.browser_context_args(java_script_enabled=False)

TWO_MOVES = "1.2.3-4.5.6-0.7.8"


def test_keyboard_continues_from_the_pressed_button(page: Page) -> None:
    page.goto(f"/play/{TWO_MOVES}")
    for number in (4, 4, 7):
        tile(page, number).press("Enter")
        expect(tile(page, number)).to_be_focused()
    page.locator("#restart").press("Enter")
    expect_moves(page, 0)
    expect(page.locator("#restart")).to_be_focused()
    tile(page, 7).press("Enter")
    expect(tile(page, 7)).to_be_focused()
    assert page.evaluate("scrollY") == 0
    page.locator("#hint").click()
    ringed = page.locator("#board .hint")
    expect(ringed).to_have_text("8")
    expect(ringed).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"/play/{re.escape(TWO_MOVES)}#won$"))
    expect(page.locator("#won")).to_be_in_viewport()
    page.keyboard.press("Tab")
    expect(page.locator("#next-puzzle")).to_be_focused()


def test_the_sharing_sheet_is_a_page(game: Page) -> None:
    for name in "open-settings", "settings", "stop":
        expect(game.locator(f"#{name}")).to_be_hidden()
    tile(game, 5).click()
    expect_moves(game, 1)
    game.locator("#share-button").click()
    expect(game.locator("#link-to-position")).to_have_value(re.compile("7.2.4-0.5.6-8.3.1$"))
    for button in game.locator("[data-copy], [data-device]").all():
        expect(button).to_be_hidden()
    for title, key in ("Puzzle", "puzzle"), ("Challenge", "challenge"):
        expect(game.locator(f"#link-to-{key}")).to_be_hidden()
        game.get_by_role("radio", name=title).check()
        expect(game.locator(f"#link-to-{key}")).to_be_visible()
        expect(game.locator("#link-to-position")).to_be_hidden()
    for beat, shown in ("19", False), ("25", True):
        game.locator("[name=beat]").fill(beat)
        game.get_by_role("button", name="Make the link").click()
        expect(game.locator("#beat-wrong:not(:empty)")).to_have_count(0 if shown else 1)
        expect(game.locator("#link-to-challenge")).to_be_visible(visible=shown)
    game.locator("[download$=png]:visible").wait_for()
