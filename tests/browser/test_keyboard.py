"""Playing by keyboard alone."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import boards_after, expect_board, expect_moves, open_settings, press, tile

START = "7.2.4-5.0.6-8.3.1"
FOUR = "1.2.3.4-5.6.7.8-9.10.11.12-13.14.0.15"
KEYS = {
    ("ArrowUp", "w", "W"): 3,
    ("ArrowDown", "s"): 2,
    ("ArrowLeft", "a"): 6,
    ("ArrowRight", "d"): 5,
}
FOCUSED = "document.activeElement.id"


def tab_to(page: Page, target: str) -> None:
    """Press Tab until the element of that id has the focus."""
    for _ in range(30):
        if page.evaluate(FOCUSED) == target:
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab does not reach {target}")


def test_tab_reaches_every_tile_in_reading_order(page: Page) -> None:
    page.goto(f"/play/{START}")
    tab_to(page, "t7")
    order = []
    for _ in range(9):
        order.append(page.evaluate(FOCUSED))
        page.keyboard.press("Tab")
    assert order == ["t7", "t2", "t4", "t5", "t6", "t8", "t3", "t1", "undo"]


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_a_key_slides_the_focused_tile_which_keeps_the_focus(page: Page, key: str) -> None:
    page.goto(f"/play/{START}")
    tile(page, 5).focus()
    for count in 1, 2, 3:
        page.keyboard.press(key)
        expect_moves(page, count)
        expect(tile(page, 5)).to_be_focused()
    expect_board(page, boards_after(START, (5,))[-1])


def test_the_focus_stays_after_a_line_and_after_an_undo(page: Page) -> None:
    page.goto("/play/1.2.3.0-5.6.7.4-9.10.11.8-13.14.15.12")
    tile(page, 1).focus()
    page.keyboard.press("Enter")
    expect_moves(page, 3)
    expect(tile(page, 1)).to_be_focused()
    page.keyboard.press("u")
    expect_moves(page, 0)
    expect(tile(page, 1)).to_be_focused()
    page.locator("#redo").focus()
    page.keyboard.press("Enter")
    expect_moves(page, 3)
    expect(page.locator("#redo")).to_be_focused()


def test_arrows_and_letters_move_a_tile_that_way(page: Page) -> None:
    page.goto(f"/play/{START}")
    for keys, number in KEYS.items():
        after = boards_after(START, (number,))[-1]
        for key in keys:
            page.keyboard.press(key)
            expect_moves(page, 1)
            expect_board(page, after)
            page.keyboard.press("u")
            expect_moves(page, 0)


def test_an_arrow_with_no_tile_to_move_does_nothing(page: Page) -> None:
    page.goto("/play/1.2.3-4.5.6-7.8.0_0.1.2-3.4.5-6.7.8")
    press(page, "ArrowUp", "ArrowLeft", "ArrowRight")
    expect_moves(page, 1)
    expect_board(page, "1.2.3-4.5.6-7.0.8")


def test_digits_and_enter_move_the_tile_of_that_number(page: Page) -> None:
    page.goto(f"/play/{FOUR}")
    press(page, "1", "4")
    expect(page.locator("#typed")).to_have_text("Tile 14: Enter moves it")
    page.keyboard.press("Enter")
    expect(page.locator("#typed")).to_be_empty()
    expect_moves(page, 1)
    press(page, "1", "Escape", "3", "5", "Backspace", "Backspace", "1", "3", "Enter")
    expect_moves(page, 2)
    expect_board(page, boards_after(FOUR, (14, 13))[-1])


def test_a_number_with_no_tile_is_refused_in_words(page: Page) -> None:
    page.goto(f"/play/{START}")
    press(page, "9", "9")
    expect(page.locator("#typed")).to_have_text("There is no tile 9")
    expect_board(page, START)


def test_digits_are_forgotten_when_something_else_is_done(page: Page) -> None:
    page.goto(f"/play/{START}")
    press(page, "1", "ArrowRight")
    expect_moves(page, 1)
    expect(page.locator("#typed")).to_have_text("")
    press(page, "1")
    tile(page, 4).focus()
    expect(page.locator("#typed")).to_have_text("")


def test_typed_digits_go_before_the_focused_tile(page: Page) -> None:
    page.goto(f"/play/{START}")
    tile(page, 5).focus()
    press(page, "2", "Enter")
    expect_moves(page, 1)
    expect_board(page, boards_after(START, (2,))[-1])


def test_undo_and_redo(page: Page) -> None:
    page.goto(f"/play/{START}")
    page.keyboard.press("ArrowRight")
    expect_moves(page, 1)
    page.keyboard.press("u")
    expect_moves(page, 0)
    expect_board(page, START)
    page.keyboard.press("R")
    expect_moves(page, 1)
    expect_board(page, boards_after(START, (5,))[-1])


def test_undo_and_redo_have_the_keys_of_other_programs(page: Page) -> None:
    page.goto(f"/play/{START}")
    tile(page, 5).focus()
    after = boards_after(START, (5,))[-1]
    page.keyboard.press("Enter")
    expect_moves(page, 1)
    for redo in "Control+y", "Control+Shift+Z", "Meta+Shift+Z":
        page.keyboard.press("Control+z")
        expect_moves(page, 0)
        expect_board(page, START)
        page.keyboard.press(redo)
        expect_moves(page, 1)
        expect_board(page, after)
        expect(tile(page, 5)).to_be_focused()


def test_in_a_field_they_are_those_of_the_field(page: Page) -> None:
    page.goto(f"/play/{START}")
    tile(page, 5).click()
    expect_moves(page, 1)
    seconds = page.get_by_label("Seconds, at most")
    seconds.fill("12")
    seconds.press("Control+z")
    expect(seconds).to_have_value("")
    expect_moves(page, 1)


def test_giving_up_shows_a_solution_that_keys_step_through(page: Page) -> None:
    page.goto(f"/play/{START}")
    tile(page, 7).focus()
    page.keyboard.press("g")
    place = page.locator("#player output")
    expect(page.locator("#replay .board")).to_be_visible()
    expect(page.locator("#player")).to_have_class("player playing")
    page.keyboard.press("Space")
    expect(page.locator("#player")).to_have_class("player")
    page.locator("[data-go=first]").click()
    expect(place).to_have_text("0 / 20")
    press(page, ".", ".", "ArrowRight")
    expect(place).to_have_text("3 / 20")
    press(page, ",", "ArrowLeft")
    expect(place).to_have_text("1 / 20")
    page.keyboard.press("Space")  # the focus is on the button to the start
    expect(place).to_have_text("0 / 20")
    page.locator("#leave-replay").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#replay .board")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect_moves(page, 1)


def test_single_keys_can_be_switched_off(page: Page) -> None:
    page.goto(f"/play/{START}")
    open_settings(page)
    box = page.locator("#single-keys")
    box.uncheck()
    page.keyboard.press("Escape")
    tile(page, 7).focus()
    press(page, "a", "w", "2", "g", "u", "ArrowRight")
    expect_moves(page, 1)
    expect_board(page, boards_after(START, (5,))[-1])
    expect(page.locator("#typed")).to_be_empty()
    expect(page.locator("#live")).to_be_empty()
    page.reload()
    open_settings(page)
    expect(box).not_to_be_checked()
    box.check()
    page.keyboard.press("Escape")
    tile(page, 7).focus()
    page.keyboard.press("u")
    expect_moves(page, 0)


def test_keys_typed_into_fields_do_not_reach_the_game(page: Page) -> None:
    page.goto(f"/play/{START}")
    page.locator("#help summary").click()
    number = page.get_by_label("Number of the tile to move")
    number.press_sequentially("wu5")
    expect(number).to_have_value("wu5")
    page.locator("#new summary").click()
    seed = page.get_by_label("Seed")
    seed.press_sequentially("wasd ug 12")
    seed.press("ArrowLeft")
    expect(seed).to_have_value("wasd ug 12")
    page.keyboard.press("Escape")
    page.locator("#algorithm").press("ArrowDown")
    page.locator("#algorithm").press("w")
    expect(page.locator("#typed")).to_be_empty()
    expect(page.locator("#live")).to_be_empty()
    expect_moves(page, 0)
    expect_board(page, START)


def test_shortcuts_of_the_browser_are_left_alone(page: Page) -> None:
    page.goto(f"/play/{START}")
    tile(page, 7).focus()
    press(page, "Control+a", "Alt+d", "Control+u")
    tile(page, 2).focus()
    press(page, "ArrowRight")
    expect_moves(page, 1)
    expect_board(page, boards_after(START, (5,))[-1])


def test_escape_closes_a_menu_and_gives_the_focus_back(page: Page) -> None:
    page.goto(f"/play/{START}")
    page.locator("#new summary").press("Enter")
    link = page.locator("#new a").first
    expect(link).to_be_visible()
    link.press("Escape")
    expect(link).to_be_hidden()
    expect(page.locator("#new summary")).to_be_focused()
