"""The editor: input is checked while typing, and nothing typed is lost."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import ConsoleErrors, follow, wait_for_module

STANDARD = "1.2.3-4.5.6-7.8.0"

NOTE_ANSWER = """() => {
  window.answered = new Promise((resolve) => {
    document.addEventListener("htmx:after:swap", () => resolve(), { once: true });
  });
}"""


@pytest.fixture
def editor(page: Page) -> Page:
    page.goto("/custom")
    page.locator("#as-text summary").click()
    return page


def start(page: Page) -> Locator:
    return page.locator("textarea[name=start]")


def goal(page: Page) -> Locator:
    return page.locator("textarea[name=goal]")


def picture(page: Page, name: str) -> Locator:
    return page.locator(f"[data-edits={name}]")


def expect_checked(page: Page, name: str, board: str) -> None:
    expect(picture(page, name)).to_have_attribute("data-board", board)


def test_boards_are_checked_and_drawn_while_typed(editor: Page) -> None:
    start(editor).fill("")
    start(editor).press_sequentially("1 2 3 4 5 6 7 0 8")
    expect_checked(editor, "start", "1.2.3-4.5.6-7.0.8")
    expect(editor.locator("#checked")).to_contain_text("This can be solved.")
    expect(start(editor)).to_have_value("1 2 3 4 5 6 7 0 8")
    expect(start(editor)).to_be_focused()
    start(editor).fill("1 2 3 4 5 6 7 8 8")
    alert = editor.locator("#checked [role=alert]")
    expect(alert).to_contain_text("1 2 3 4 5 6 7 8 8")
    start(editor).fill("1 2 3 4 5 6 7 8 0")
    expect(alert).to_have_count(0)
    expect_checked(editor, "start", STANDARD)
    goal(editor).fill("1 2 3 4")
    expect(alert).to_be_visible()
    expect(start(editor)).to_have_value("1 2 3 4 5 6 7 8 0")
    goal(editor).fill("")
    start(editor).fill("1 0 3 4 2 5")
    expect(alert).to_contain_text("2x3 or 3x2")
    editor.get_by_label("Size, rows × columns (only").fill("2x3")
    expect_checked(editor, "start", "1.0.3-4.2.5")
    expect_checked(editor, "goal", "1.2.3-4.5.0")


def test_unsolvable_board_shows_its_message_in_view_on_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/custom?start={STANDARD}")
    for cell in 0, 1:
        picture(page, "start").locator("button").nth(cell).click()
    verdict = page.locator("#solvability")
    expect(verdict).to_contain_text("This cannot be solved")
    expect(verdict).to_be_in_viewport(ratio=1)
    follow(page, page.get_by_role("button", name="Play this puzzle"))
    expect(page.locator("#ways-out")).to_be_focused()
    expect(page.locator("#ways-out h2")).to_be_in_viewport(ratio=1)


def test_two_tiles_change_places_by_pointer_and_by_keyboard(editor: Page) -> None:
    start(editor).fill("1 2 3 4 5 6 7 8 0")
    expect_checked(editor, "start", STANDARD)
    tiles = picture(editor, "start").locator("button")
    tiles.nth(0).click()
    expect(tiles.nth(0)).to_have_attribute("aria-pressed", "true")
    tiles.nth(8).click()
    expect_checked(editor, "start", "0.2.3-4.5.6-7.8.1")
    expect(start(editor)).to_have_value("0.2.3-4.5.6-7.8.1")
    expect(picture(editor, "start").locator("[aria-pressed=true]")).to_have_count(0)
    tiles.nth(3).click()
    tiles.nth(3).click()
    expect(tiles.nth(3)).to_have_attribute("aria-pressed", "false")
    expect_checked(editor, "start", "0.2.3-4.5.6-7.8.1")
    tiles = picture(editor, "goal").locator("button")
    tiles.nth(7).press("Enter")
    tiles.nth(8).press("Enter")
    expect_checked(editor, "goal", "1.2.3-4.5.6-7.0.8")
    expect(goal(editor)).to_have_value("1.2.3-4.5.6-7.0.8")
    expect(tiles.nth(8)).to_be_focused()


def test_a_tile_tapped_while_the_board_is_checked_stays_tapped(editor: Page) -> None:
    tile = picture(editor, "start").locator("button").first
    editor.evaluate(NOTE_ANSWER)
    start(editor).dispatch_event("input")
    tile.click()
    editor.evaluate("window.answered")
    expect(tile).to_have_attribute("aria-pressed", "true")


def test_two_quick_swaps_are_both_made(editor: Page) -> None:
    editor.goto("/custom?start=1.2.3-4.5.6-7.8.0")
    wait_for_module(editor, "new/editor")
    tiles = picture(editor, "start").locator("button")
    for cell in 0, 1, 3, 4, 6:  # the last one begins another swap
        tiles.nth(cell).evaluate("tile => tile.click()")
    expect_checked(editor, "start", "2.1.3-5.4.6-7.8.0")
    expect(start(editor)).to_have_value("2.1.3-5.4.6-7.8.0")
    expect(tiles.nth(6)).to_have_attribute("aria-pressed", "true")


def test_tiles_are_placed_one_by_one(editor: Page) -> None:
    start(editor).fill("2.3-1.0")
    expect_checked(editor, "start", "2.3-1.0")
    tiles = picture(editor, "start").locator("button")
    editor.get_by_role("button", name="Place tiles one by one").press("Enter")
    expect(tiles.nth(0)).to_be_focused()
    for cell in 3, 0, 0, 1:  # cell 0 twice: it becomes free again
        tiles.nth(cell).click()
    expect(editor.get_by_role("button", name="Tap a cell for 3")).to_be_visible()
    tiles.nth(2).click()
    expect_checked(editor, "start", "0.2-3.1")
    expect(editor.get_by_role("button", name="Place tiles one by one")).to_be_visible()


def test_repair_and_usual_goals_are_one_choice(editor: Page) -> None:
    start(editor).fill("1 2 3 4 5 6 8 7 0")
    editor.get_by_role("button", name="Swap tiles 7 and 8 in the start").click()
    expect_checked(editor, "start", STANDARD)
    for name, board in {"Blank first": "0.1.2-3.4.5-6.7.8", "Spiral": "1.2.3-8.0.4-7.6.5"}.items():
        editor.get_by_label("Common goals").select_option(name)
        expect_checked(editor, "goal", board)
        expect(editor.get_by_label("Common goals")).to_be_visible()


def test_typed_board_is_played_without_waiting_for_its_check(editor: Page) -> None:
    start(editor).fill("1 2 3 4 5 6 7 0 8")
    follow(editor, editor.get_by_role("button", name="Play this puzzle"))
    expect(editor).to_have_url(re.compile("/play/1.2.3-4.5.6-7.0.8$"))
    editor.goto("/custom")
    editor.locator("#as-text summary").click()
    start(editor).fill("1 2 3 4 5 6 7 8 0")
    goal(editor).fill("0 1 2 3 4 5 6 7 8")
    follow(editor, editor.get_by_role("button", name="Play this puzzle"))
    expect(editor).to_have_url(re.compile(f"/play/{re.escape(STANDARD)}_0.1.2-3.4.5-6.7.8$"))


def test_typed_boards_stay_without_a_connection(
    editor: Page, console_errors: ConsoleErrors
) -> None:
    console_errors.ignore("ERR_INTERNET_DISCONNECTED")
    editor.context.set_offline(True)
    start(editor).fill("1 2 3 / 4 5 6 / 7 0 8")
    expect(editor.locator("#wrong")).to_contain_text("No connection")
    editor.get_by_role("button", name="Play this puzzle").click()
    expect(start(editor)).to_have_value("1 2 3 / 4 5 6 / 7 0 8")
    editor.context.set_offline(False)
    expect_checked(editor, "start", "1.2.3-4.5.6-7.0.8")
    follow(editor, editor.get_by_role("button", name="Play this puzzle"))
    expect(editor).to_have_url(re.compile("/play/1.2.3-4.5.6-7.0.8$"))
