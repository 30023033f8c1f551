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
    expect(page.locator("#open-settings")).to_be_hidden()
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


def test_everything_is_removed_by_keyboard_alone(page: Page) -> None:
    page.goto(f"/play/{TWO_MOVES}")
    tile(page, 7).press("Enter")
    expect_moves(page, 1)
    page.goto("/privacy")
    page.get_by_role("link", name="to another device").focus()  # the stop of Tab before the fold
    for key in "Tab", "Enter", "Tab", "Enter":
        page.keyboard.press(key)
    expect(page.get_by_role("status")).to_have_text("Everything has been removed.")
    expect(page.get_by_role("status")).to_be_focused()
    expect(page.get_by_role("status")).to_be_in_viewport()
    assert page.context.cookies() == []
