"""Everything works without JavaScript: each button is a form's, each answer a page."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import boards_after, expect_moves, tile

pytestmark = pytest.mark.browser_context_args(java_script_enabled=False)

START = "7.2.4-5.0.6-8.3.1"
ONE_MOVE = "1.2.3-4.5.6-7.0.8"
UNSOLVABLE = "8.1.3-4.0.2-7.6.5_1.2.3-8.0.4-7.6.5"


def expect_board(page: Page, board: str) -> None:
    expect(page.locator("#play")).to_have_attribute("data-board", board)


def test_slide_undo_redo_and_restart(page: Page) -> None:
    page.goto(f"/play/{START}")
    boards = boards_after(START, (5, 8))
    tile(page, 5).click()
    expect_board(page, boards[1])
    tile(page, 8).click()
    expect_board(page, boards[2])
    expect_moves(page, 2)
    expect(page.locator("#said")).to_have_text("Last move: tile 8 up. 2 moves so far.")
    page.locator("#undo").click()
    expect_board(page, boards[1])
    page.locator("#redo").click()
    expect_board(page, boards[2])
    page.locator("#restart").click()
    expect_board(page, START)
    expect(page).to_have_url(re.compile(f"/play/{re.escape(START)}$"))


def test_a_tile_that_cannot_move_says_why(page: Page) -> None:
    page.goto(f"/play/{START}")
    tile(page, 7).click()
    expect(page.locator("#said")).to_contain_text("Tile 7 is not in the row or column of the blank")
    expect_board(page, START)
    tile(page, 2).click()
    expect_moves(page, 1)


def test_winning(page: Page) -> None:
    page.goto(f"/play/{ONE_MOVE}")
    tile(page, 8).click()
    expect(page.locator("#won")).to_contain_text("Solved in 1 move")
    page.locator("#won").get_by_role("link", name="New puzzle").click()
    expect(page.locator("#board .tile")).to_have_count(8)


def test_a_hint(page: Page) -> None:
    page.goto(f"/play/{ONE_MOVE}")
    page.locator("#hint").click()
    expect(page.locator("#said")).to_have_text("Hint: move tile 8 left.")
    ringed = page.locator("#board .hint")
    expect(ringed).to_have_text("8")
    ringed.click()
    expect(page.locator("#won")).to_contain_text("with help")
    expect(page.locator("#won")).to_contain_text("The shortest solution has 1.")
    expect(page).to_have_url(re.compile(f"/play/{re.escape(ONE_MOVE)}$"))


def test_the_moves_to_go_are_there_as_far_as_they_are_known_at_once(page: Page) -> None:
    test_a_hint(page)  # which waits for the look-up
    page.goto(f"/play/{START}")
    expect(page.locator("#to-go")).to_have_text(re.compile(r"^20\s*to go, at best$"))
    page.goto("/play/15.1.2.3-4.5.6.7-8.9.10.11-12.13.0.14")
    expect(page.locator("#to-go")).to_be_hidden()
    expect(page.locator("#figures .at-home")).to_be_visible()


def test_a_number_typed_moves_its_tile(page: Page) -> None:
    page.goto(f"/play/{START}")
    page.locator("#help summary").click()
    field = page.get_by_label("Number of the tile to move")
    field.fill("5")
    field.press("Enter")
    expect_board(page, boards_after(START, (5,))[-1])


def test_what_needs_javascript_is_not_shown(page: Page) -> None:
    page.goto(f"/play/{START}")
    for name in "open-settings", "settings", "stop":
        expect(page.locator(f"#{name}")).to_be_hidden()


def test_the_sharing_sheet_is_a_page(page: Page) -> None:
    page.goto(f"/play/{START}")
    tile(page, 5).click()
    expect_moves(page, 1)
    address = page.url
    page.locator("#share-button").click()
    expect(page.locator("#link-to-position")).to_have_value(re.compile("7.2.4-0.5.6-8.3.1$"))
    for button in page.locator("[data-copy], [data-device]").all():
        expect(button).to_be_hidden()
    expect(page.locator("#link-to-puzzle")).to_be_hidden()
    page.get_by_role("radio", name="Puzzle").check()
    expect(page.locator("#link-to-puzzle")).to_have_value(address)
    expect(page.locator("#link-to-position")).to_be_hidden()
    page.get_by_role("radio", name="Challenge").check()
    page.locator("[name=beat]").fill("19")
    page.get_by_role("button", name="Make the link").click()
    expect(page.locator("#beat-wrong")).to_contain_text("cannot ask for fewer")
    expect(page.locator("[name=beat]")).to_have_value("19")
    expect(page.locator("#link-to-challenge")).to_be_hidden()
    page.locator("[name=beat]").fill("25")
    page.get_by_role("button", name="Make the link").click()
    expect(page.locator("#link-to-challenge")).to_have_value(f"{address}?beat=25")
    expect(page.locator(".shared.challenge .qr")).to_have_js_property("complete", True)
    page.locator("[download$=png]:visible").wait_for()
    page.goto(f"{address}?beat=25")
    tile(page, 5).click()
    expect(page).to_have_url(f"{address}?beat=25")
    expect(page.locator("#challenge")).to_contain_text("beat 25 moves")


def test_solving_leads_to_a_replay_to_step_through(page: Page) -> None:
    page.goto(f"/play/{START}")
    tile(page, 5).click()
    expect_moves(page, 1)
    page.locator("#solve-button").click()
    expect(page.get_by_role("heading", name="Replay")).to_be_visible()
    expect(page.locator(".proof")).to_contain_text("21 moves. Proved shortest")
    place = page.locator("#player output")
    expect(place).to_have_text("0 / 21")
    page.locator("[data-go=next]").click()
    expect(place).to_have_text("1 / 21")
    expect(page.locator("#step-text")).to_have_text(re.compile(r"Step 1: tile \d moves"))
    page.locator("[data-go=last]").click()
    expect(place).to_have_text("21 / 21")
    page.locator("[data-go=prev]").click()
    expect(place).to_have_text("20 / 21")
    page.locator("#steps button").nth(6).click()
    expect(place).to_have_text("7 / 21")
    expect(page.locator("#steps [aria-current=step]")).to_have_text(
        page.locator("#steps button").nth(6).inner_text()
    )
    page.locator("[data-go=first]").click()
    expect(place).to_have_text("0 / 21")
    expect(page.locator("[data-go=play]")).to_be_hidden()
    page.goto(f"/play/{START}")
    expect_moves(page, 1)


def test_playing_on_from_a_step(page: Page) -> None:
    page.goto(f"/replay/{ONE_MOVE}_1.2.3-4.5.6-8.7.0?moves=RL2&step=1")
    expect(page.locator("#player output")).to_have_text("1 / 3")
    page.get_by_role("link", name="Play on from here").click()
    expect(page).to_have_url(re.compile("/play/1.2.3-4.5.6-0.7.8_1.2.3-4.5.6-8.7.0$"))


def test_a_solved_board_has_nothing_to_replay(page: Page) -> None:
    page.goto("/play/1.2.3-4.5.6-7.8.0")
    page.locator("#solve-button").click()
    expect(page.get_by_role("heading", name="Nothing to replay")).to_be_visible()
    page.get_by_role("link", name="Back to the game").click()
    expect(page).to_have_url(re.compile("/play/1.2.3-4.5.6-7.8.0$"))


def test_an_unsolvable_puzzle_is_explained(page: Page) -> None:
    page.goto(f"/play/{UNSOLVABLE}")
    expect(page.locator("#unsolvable")).to_contain_text("This goal cannot be reached")
    page.locator("#solve-button").click()
    expect(page.locator(".proof")).to_contain_text("This goal cannot be reached.")
    page.get_by_role("link", name="Back to the game").click()
    page.locator("#unsolvable a").first.click()
    expect(page.locator("#unsolvable")).to_have_count(0)


def test_the_editor_checks_and_keeps_what_was_typed(page: Page) -> None:
    page.goto("/custom")
    start, play = (
        page.get_by_role("textbox", name="Start"),
        page.get_by_role("button", name="Play this puzzle"),
    )
    start.fill("1 2 3 4 5 6 7 8 8")
    page.get_by_label("Goal (").fill("0 1 2 3 4 5 6 7 8")
    play.click()
    expect(page.get_by_role("alert").filter(has_text="8")).to_be_visible()
    expect(start).to_have_value("1 2 3 4 5 6 7 8 8")
    expect(page.get_by_label("Goal (")).to_have_value("0 1 2 3 4 5 6 7 8")
    start.fill("1 2 3 4 5 6 7 8 0")
    play.click()
    expect(page).to_have_url(re.compile("/play/1.2.3-4.5.6-7.8.0_0.1.2-3.4.5-6.7.8$"))


def test_the_editor_explains_an_unsolvable_puzzle(page: Page) -> None:
    page.goto("/custom")
    page.get_by_role("textbox", name="Start").fill("8 1 3 4 0 2 7 5 6")
    page.get_by_role("button", name="Play this puzzle").click()
    checked = page.locator("#checked")
    expect(checked).to_contain_text("This goal cannot be reached")
    expect(page.get_by_role("textbox", name="Start")).to_have_value("8 1 3 4 0 2 7 5 6")
    checked.get_by_role("link", name="take another goal").click()
    expect(page.locator("#unsolvable")).to_have_count(0)
    expect(page.locator("#play")).to_have_attribute("data-board", "8.1.3-4.0.2-7.5.6")


def test_an_empty_editor_says_what_to_type(page: Page) -> None:
    page.goto("/custom")
    page.get_by_role("button", name="Play this puzzle").click()
    expect(page.locator("#checked")).to_contain_text("Type the start board first")


def test_moves_typed_by_hand_are_replayed(page: Page) -> None:
    page.goto(f"/replay/{ONE_MOVE}")
    page.get_by_role("textbox", name="Moves").fill("8")
    page.get_by_role("button", name="Replay").click()
    expect(page.locator(".proof")).to_contain_text("1 move. Proved shortest")
    page.goto(f"/replay/{ONE_MOVE}")
    page.get_by_role("textbox", name="Moves").fill("R")
    page.get_by_label("Letters name the way").select_option("blank")
    page.get_by_role("button", name="Replay").click()
    expect(page.locator("#step-text")).to_have_text("The start of the solution.")
    expect(page.locator("#steps button")).to_have_text("8←")
