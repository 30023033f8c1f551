"""Play by keyboard alone."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import (
    START,
    boards_after,
    expect_board,
    expect_game,
    expect_moves,
    open_new_dialog,
    open_settings,
    pause_clock,
    press,
    tile,
)
from tests.each import some

FOUR = "1.2.3.4-5.6.7.8-9.10.11.12-13.14.0.15"
KEYS = {
    ("ArrowUp", "w", "W"): 3,
    ("ArrowDown", "s"): 2,
    ("ArrowLeft", "a"): 6,
    ("ArrowRight", "d"): 5,
}
FOCUSED = "document.activeElement.id"

HIDDEN = """() => {
  const one = document.activeElement;
  const shown = one.closest("label.size, label.chip, .choice label") ?? one; // it has the ring
  const { left, top, right, bottom } = shown.getBoundingClientRect();
  const corners = [left + 3, right - 3].flatMap((x) => [[x, top + 3], [x, bottom - 3]]);
  const isCovered = corners.map(([x, y]) => document.elementFromPoint(x, y))
    .some((there) => there && !shown.contains(there) && !there.contains(shown));
  const isCut = top < 3 || bottom + 3 > innerHeight;
  return one.matches("body, dialog") || !(isCovered || isCut) ? "" : one.outerHTML.slice(0, 200);
}"""
"""The focused element, if it is covered or its ring is off screen."""


def tab_to(page: Page, target: str) -> None:
    """Press Tab until the element with that id has the focus."""
    for _ in range(30):
        if page.evaluate(FOCUSED) == target:
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab does not reach {target}")


def test_board_is_a_single_tab_stop_with_arrows_inside(game: Page) -> None:
    tab_to(game, "t2")  # the first movable tile
    press(game, "Shift+ArrowDown", "Shift+ArrowRight")
    expect(tile(game, 1)).to_be_focused()  # over the blank to 3, then to 1
    game.keyboard.press("Tab")
    expect(game.locator("#undo")).to_be_focused()
    game.keyboard.press("Shift+Tab")
    expect(tile(game, 1)).to_be_focused()
    game.keyboard.press("ArrowRight")  # slides a tile, and the focus moves with it
    expect_moves(game, 1)
    expect(tile(game, 5)).to_be_focused()
    game.keyboard.press("b")
    rows = "Row 1: 7, 2, 4. Row 2: blank, 5, 6. Row 3: 8, 3, 1."
    expect(game.locator("#review-said")).to_have_text(rows)


def test_each_tile_can_be_a_stop_of_tab(game: Page) -> None:
    open_settings(game)
    game.get_by_label("The Tab key stops at every tile").check()
    game.keyboard.press("Escape")
    expect(tile(game, 7)).to_be_focused()  # a dialog's end gives it to the board, a task later
    order = []
    for _ in range(9):
        order.append(game.evaluate(FOCUSED))
        game.keyboard.press("Tab")
    assert order == ["t7", "t2", "t4", "t5", "t6", "t8", "t3", "t1", "undo"]


def test_a_key_slides_the_focused_tile_which_keeps_the_focus(game: Page) -> None:
    tile(game, 5).focus()
    for count, key in enumerate(("Enter", "Enter", "Enter", "Space", "Space"), 1):
        game.keyboard.press(key)
        expect_moves(game, count)
        expect(tile(game, 5)).to_be_focused()
    expect_board(game, boards_after(START, (5,))[-1])


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


def test_focus_is_on_the_next_action_after_a_game_by_arrows(page: Page) -> None:
    page.goto("/play/1.2.3-4.5.6-7.0.8")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#next-puzzle")).to_be_focused()
    page.locator("#undo").dispatch_event("click")
    expect_moves(page, 0)
    expect(page.locator("#board :focus")).to_have_count(1)


def test_arrows_and_letters_move_a_tile_in_their_direction(game: Page) -> None:
    for keys, number in KEYS.items():
        after = boards_after(START, (number,))[-1]
        for key in keys:
            game.keyboard.press(key)
            expect_game(game, 1, after)
            game.keyboard.press("u")
            expect_moves(game, 0)


def test_an_arrow_with_no_tile_to_move_does_nothing(page: Page) -> None:
    page.goto("/play/1.2.3-4.5.6-7.8.0_0.1.2-3.4.5-6.7.8")
    press(page, "ArrowUp", "ArrowLeft", "ArrowRight")
    expect_game(page, 1, "1.2.3-4.5.6-7.0.8")
    press(page, "ArrowUp")
    expect(page.locator("#review-said")).to_have_text("No tile can move that way.")


@pytest.mark.own_page
def test_digits_and_enter_move_the_tile_of_that_number(page: Page) -> None:
    page.clock.install()
    page.goto(f"/play/{FOUR}")
    pause_clock(page)  # some seconds later a digit is forgotten
    tile(page, 12).focus()  # the number overrides the focused tile
    press(page, "1", "4")
    expect(page.locator("#typed")).to_have_text("Press Enter to move tile 14")
    page.keyboard.press("Enter")
    expect(page.locator("#typed")).to_be_empty()
    expect_moves(page, 1)
    press(page, "1", "Escape", "3", "5", "Backspace", "Backspace", "1", "3", "Enter")
    expect_game(page, 2, boards_after(FOUR, (14, 13))[-1])


def test_typed_number_is_refused_in_words_or_forgotten(game: Page) -> None:
    typed = game.locator("#typed")  # read at once: some seconds later a digit is forgotten anyway
    press(game, "1", "ArrowRight")
    expect_moves(game, 1)
    assert typed.text_content() == ""
    press(game, "1")
    tile(game, 4).focus()
    assert typed.text_content() == ""
    press(game, "u")
    expect_moves(game, 0)
    press(game, "9", "9")
    expect(typed).to_have_text("There is no tile 9")
    expect_board(game, START)
    press(game, "ArrowRight")
    game.locator("#restart").focus()
    press(game, "9", "Enter")  # does not press the button
    expect(typed).to_be_empty()
    expect_moves(game, 1)
    press(game, "Enter")
    expect_moves(game, 0)


def test_undo_and_redo_by_their_keys(game: Page) -> None:
    tile(game, 5).focus()
    game.keyboard.press("Enter")
    expect_moves(game, 1)
    for undo, redo in (
        ("u", "R"),
        ("Control+z", "Control+y"),
        ("Control+z", "Control+Shift+Z"),
        ("Meta+z", "Meta+Shift+Z"),
    ):
        game.keyboard.press(undo)
        expect_game(game, 0, START)
        game.keyboard.press(redo)
        expect_game(game, 1, boards_after(START, (5,))[-1])
        expect(tile(game, 5)).to_be_focused()


@pytest.mark.motion
def test_giving_up_shows_a_solution_that_keys_step_through(game: Page) -> None:
    tile(game, 7).focus()
    game.keyboard.press("g")
    place = game.locator("#player output")
    expect(game.locator("#replay .board")).to_be_visible()
    expect(game.locator("#player")).to_have_class("player playing")
    game.keyboard.press("Space")
    expect(game.locator("#player")).to_have_class("player")
    game.locator("[data-go=first]").click()
    expect(place).to_have_text("0 / 20")
    press(game, ".")
    expect(place).to_have_text("1 / 20")
    game.keyboard.press("Space")  # the focus is on the button to the start
    expect(place).to_have_text("0 / 20")
    game.locator("#leave-replay").focus()
    game.keyboard.press("Enter")
    expect(game.locator("#replay .board")).to_be_hidden()
    game.keyboard.press("ArrowRight")
    expect_moves(game, 1)


def test_single_keys_can_be_switched_off(game: Page) -> None:
    open_settings(game)
    box = game.locator("#single-keys")
    box.uncheck()
    game.keyboard.press("Escape")
    tile(game, 7).focus()
    press(game, "a", "w", "2", "g", "u", "ArrowRight")
    expect_game(game, 1, boards_after(START, (5,))[-1])
    expect(game.locator("#typed")).to_be_empty()
    expect(game.locator("#live")).to_be_empty()
    game.reload()
    expect_moves(game, 1)  # the move was stored, and is made again
    open_settings(game)
    expect(box).not_to_be_checked()
    box.check()
    game.keyboard.press("Escape")
    tile(game, 7).focus()
    game.keyboard.press("u")
    expect_moves(game, 0)


def test_keys_typed_into_fields_do_not_reach_the_game(game: Page) -> None:
    tile(game, 5).click()
    expect_moves(game, 1)
    game.locator("#help summary").click()
    number = game.get_by_label("Number of the tile to move")
    number.press_sequentially("wu5")
    expect(number).to_have_value("wu5")
    number.press("Enter")
    expect(game.locator("#said")).to_contain_text("Type the number of a tile")
    open_new_dialog(game)
    game.locator("#new .more summary").click()
    seed = game.locator("#new").get_by_label("Seed")
    seed.press_sequentially("wasd ug 12")
    seed.press("ArrowLeft")
    expect(seed).to_have_value("wasd ug 12")
    game.keyboard.press("Escape")
    game.locator("#algorithms > summary").click()
    game.locator("#algorithm").press("ArrowDown")
    game.locator("#algorithm").press("w")
    seconds = game.get_by_label("Time limit (seconds)")
    seconds.fill("12")
    seconds.press("Control+z")
    expect(seconds).to_have_value("")
    expect(game.locator("#typed")).to_be_empty()
    expect(game.locator("#live")).to_be_empty()
    expect_game(game, 1, boards_after(START, (5,))[-1])


def test_shortcuts_of_the_browser_are_left_alone(game: Page) -> None:
    tile(game, 7).focus()
    press(game, "Control+a", "Alt+d", "Control+u")
    tile(game, 2).focus()
    press(game, "ArrowRight")
    expect_game(game, 1, boards_after(START, (5,))[-1])


@pytest.mark.parametrize(
    ("place", "opening"),
    some(
        [
            *[(f"/play/{START}", ""), (f"/play/{START}", "#open-settings")],
            *[(f"/play/{START}", "#new-game"), ("/daily", ""), (f"/lab/{START}/watch", "")],
        ],
        *(1, 2),
    ),
)
def test_focused_element_and_its_ring_are_in_view(page: Page, place: str, opening: str) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto(place)
    if opening:
        page.locator(opening).click()
        expect(page.locator("dialog[open]")).to_be_visible()
    for more in page.locator("dialog[open] details.more > summary").all():
        more.click()
    for key in ["Tab"] * 40 + ["Shift+Tab"] * 40:
        page.keyboard.press(key)
        assert page.evaluate(HIDDEN) == "", f"after {key}"
