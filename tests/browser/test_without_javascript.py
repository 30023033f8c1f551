"""Everything works without JavaScript: buttons submit forms, responses are pages."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import START, boards_after, expect_moves, tile

pytestmark = pytest.mark.browser_context_args(java_script_enabled=False)

ONE_MOVE = "1.2.3-4.5.6-7.0.8"


def expect_board(page: Page, board: str) -> None:
    expect(page.locator("#play")).to_have_attribute("data-board", board)


def test_slide_undo_redo_and_restart(game: Page) -> None:
    boards = boards_after(START, (5, 8))
    tile(game, 5).click()
    expect_board(game, boards[1])
    tile(game, 8).click()
    expect_board(game, boards[2])
    expect_moves(game, 2)
    expect(game.locator("#said")).to_have_text("Last move: tile 8 up. 2 moves so far.")
    game.locator("#undo").click()
    expect_board(game, boards[1])
    game.locator("#redo").click()
    expect_board(game, boards[2])
    game.locator("#restart").press("Enter")
    expect_board(game, START)
    expect(game.locator("#said")).to_have_text("Restarted. Undo brings your game back.")
    expect(game.locator("#restart")).to_be_focused()


def test_next_key_continues_from_the_pressed_button(page: Page) -> None:
    page.goto("/play/1.2.3-4.5.6-0.7.8")
    for number in (4, 4, 7):
        tile(page, number).press("Enter")
        expect(tile(page, number)).to_be_focused()
    assert page.evaluate("scrollY") == 0
    tile(page, 8).press("Enter")
    expect(page.locator("#won")).to_be_in_viewport()
    page.keyboard.press("Tab")
    expect(page.locator("#next-puzzle")).to_be_focused()


def test_hint_is_shown(page: Page) -> None:
    page.goto(f"/play/{ONE_MOVE}")
    page.locator("#hint").click()
    expect(page.locator("#said")).to_contain_text("Hint: move tile 8 left.")
    ringed = page.locator("#board .hint")
    expect(ringed).to_have_text("8")
    expect(ringed).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#won")).to_contain_text("with help")
    expect(page.locator("#won")).to_contain_text("This is the shortest solution.")
    expect(page).to_have_url(re.compile(f"/play/{re.escape(ONE_MOVE)}#won$"))


def test_controls_that_need_javascript_are_hidden(game: Page) -> None:
    for name in "open-settings", "settings", "stop":
        expect(game.locator(f"#{name}")).to_be_hidden()


def test_the_sharing_sheet_is_a_page(game: Page) -> None:
    tile(game, 5).click()
    expect_moves(game, 1)
    address = game.url.partition("#")[0]
    game.locator("#share-button").click()
    expect(game.locator("#link-to-position")).to_have_value(re.compile("7.2.4-0.5.6-8.3.1$"))
    for button in game.locator("[data-copy], [data-device]").all():
        expect(button).to_be_hidden()
    expect(game.locator("#link-to-puzzle")).to_be_hidden()
    game.get_by_role("radio", name="Puzzle").check()
    expect(game.locator("#link-to-puzzle")).to_have_value(address)
    expect(game.locator("#link-to-position")).to_be_hidden()
    game.get_by_role("radio", name="Challenge").check()
    game.locator("[name=beat]").fill("19")
    game.get_by_role("button", name="Make the link").click()
    expect(game.locator("#beat-wrong")).to_contain_text("cannot ask for fewer")
    expect(game.locator("[name=beat]")).to_have_value("19")
    expect(game.locator("#link-to-challenge")).to_be_hidden()
    game.locator("[name=beat]").fill("25")
    game.get_by_role("button", name="Make the link").click()
    expect(game.locator("#link-to-challenge")).to_have_value(f"{address}?beat=25")
    expect(game.locator(".shared.challenge .qr")).to_have_js_property("complete", True)
    game.locator("[download$=png]:visible").wait_for()
    game.goto(f"{address}?beat=25")
    tile(game, 5).click()
    expect(game).to_have_url(f"{address}?beat=25#t5")
    expect(game.locator("#challenge")).to_contain_text("beat 25 moves")


def test_solve_opens_a_replay_with_steps(game: Page) -> None:
    tile(game, 5).click()
    expect_moves(game, 1)
    game.locator("#solve-button").click()
    expect(game.get_by_role("heading", name="Replay")).to_be_visible()
    expect(game.locator(".proof")).to_contain_text("21 moves. Proved shortest")
    place = game.locator("#player output")
    expect(place).to_have_text("0 / 21")
    game.locator("[data-go=next]").click()
    expect(place).to_have_text("1 / 21")
    expect(game.locator("#step-text")).to_have_text(re.compile(r"Step 1: tile \d moves"))
    game.locator("[data-go=last]").click()
    expect(place).to_have_text("21 / 21")
    game.locator("[data-go=prev]").click()
    expect(place).to_have_text("20 / 21")
    game.locator("#steps button").nth(6).click()
    expect(place).to_have_text("7 / 21")
    expect(game.locator("#steps [aria-current=step]")).to_have_text(
        game.locator("#steps button").nth(6).inner_text()
    )
    game.locator("[data-go=first]").click()
    expect(place).to_have_text("0 / 21")
    expect(game.locator("[data-go=play]")).to_be_hidden()
    game.goto(f"/play/{START}")
    expect_moves(game, 1)


def test_editor_checks_the_input_and_shows_it_again(page: Page) -> None:
    page.goto("/custom")
    start, play = (
        page.get_by_role("textbox", name="Start"),
        page.get_by_role("button", name="Play this puzzle"),
    )
    page.get_by_text("Type or paste the boards").click()
    start.fill("1 2 3 4 5 6 7 8 8")
    page.get_by_label("Goal (").fill("0 1 2 3 4 5 6 7 8")
    play.click()
    expect(page.get_by_role("alert").filter(has_text="8")).to_be_visible()
    expect(start).to_have_value("1 2 3 4 5 6 7 8 8")
    expect(page.get_by_label("Goal (")).to_have_value("0 1 2 3 4 5 6 7 8")
    start.fill("1 2 3 4 5 6 7 8 0")
    play.click()
    expect(page).to_have_url(re.compile("/play/1.2.3-4.5.6-7.8.0_0.1.2-3.4.5-6.7.8$"))


def test_moves_typed_by_hand_are_replayed(page: Page) -> None:
    page.goto(f"/replay/{ONE_MOVE}")
    page.get_by_role("textbox", name="Moves").fill("R")
    page.get_by_label("Letters give the direction of").select_option("blank")
    page.get_by_role("button", name="Replay").click()
    expect(page.locator("#step-text")).to_have_text("The start of the solution.")
    expect(page.locator("#steps button")).to_have_text("8←")
