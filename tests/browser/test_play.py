"""Playing by click: what moves, what is said, what is kept."""

import re

from playwright.sync_api import Page, expect

from tests.browser.steps import boards_after, click, expect_board, expect_moves, follow, tile

START = "7.2.4-5.0.6-8.3.1"
ONE_MOVE = "1.2.3-4.5.6-7.0.8"


def test_the_front_door_leads_to_a_puzzle_to_play_at_once(page: Page) -> None:
    page.goto("/")
    expect(page).to_have_url(re.compile(r"/play/[0-9.-]+$"))
    expect(page.locator("#board .tile")).to_have_count(8)
    page.locator("#board .tile[aria-label*='can move']").first.click()
    expect(page.locator("#said")).to_contain_text("Tile")


def test_a_click_slides_the_tile(page: Page) -> None:
    page.goto(f"/play/{START}")
    expect_moves(page, 0)
    click(page, 5)
    expect_moves(page, 1)
    expect_board(page, boards_after(START, (5,))[-1])
    expect(tile(page, 5)).to_have_class(re.compile(r"\bmoved\b"))
    expect(page.locator("#board .moved")).to_have_count(1)
    expect(page.locator("#said")).to_contain_text("Tile 5 right. 1 move.")


def test_a_tile_that_cannot_move_says_why(page: Page) -> None:
    page.goto(f"/play/{START}")
    click(page, 7)
    said = page.locator("#said")
    expect(said).to_be_visible()
    expect(said).to_contain_text("Tile 7 is not in the row or column of the blank")
    expect_moves(page, 0)
    expect_board(page, START)
    click(page, 2)
    expect(said).to_contain_text("Tile 2 down. 1 move.")
    expect(said).to_have_class("visually-hidden")


def test_the_clock_runs_from_the_first_move_to_the_last(page: Page) -> None:
    page.goto(f"/play/{ONE_MOVE}")
    clock = page.locator("#clock")
    expect(clock).to_have_text("0:00")
    click(page, 7)
    expect(clock).to_have_text(re.compile(r"0:(0[1-9]|[1-5]\d)"))
    click(page, 8)
    expect(page.locator("#won")).to_be_visible()
    expect(clock).not_to_have_attribute("data-running", "")
    stopped = clock.inner_text()
    expect(page.locator("#won")).to_contain_text(f"Solved in 3 moves, {stopped}.")


def test_undo_redo_and_restart(page: Page) -> None:
    page.goto(f"/play/{START}")
    undo, redo, restart = (page.locator(f"#{name}") for name in ("undo", "redo", "restart"))
    for button in undo, redo, restart:
        expect(button).to_have_attribute("aria-disabled", "true")
    click(page, 5, 8)
    expect_moves(page, 2)
    boards = boards_after(START, (5, 8))
    undo.click()
    expect_moves(page, 1)
    expect_board(page, boards[1])
    redo.click()
    expect_moves(page, 2)
    expect_board(page, boards[2])
    expect(redo).to_have_attribute("aria-disabled", "true")
    restart.click()
    expect_moves(page, 0)
    expect_board(page, START)
    expect(page.locator("#clock")).to_have_text("0:00")


def test_a_win_is_announced_and_shown(page: Page) -> None:
    page.goto(f"/play/{ONE_MOVE}")
    click(page, 8)
    expect(page.locator("#said")).to_have_text("Tile 8 left. Solved in 1 move.")
    expect(page.locator("#won")).to_contain_text("Solved in 1 move")
    expect(page.locator("#board .home")).to_have_count(8)
    expect(page.locator("#figures")).to_contain_text("8 of 8")
    follow(page, page.locator("#won").get_by_role("link", name="New puzzle"))
    expect(page.locator("#won")).to_have_count(0)
    expect(page.locator("#board .tile")).to_have_count(8)


def test_the_back_button_shows_the_game_as_it_is(page: Page) -> None:
    page.goto(f"/play/{START}")
    click(page, 5, 8)
    expect_moves(page, 2)
    follow(page, page.get_by_role("navigation").get_by_role("link", name="Editor"))
    expect(page.locator("#editor")).to_be_visible()
    page.go_back()
    expect_moves(page, 2)
    expect_board(page, boards_after(START, (5, 8))[-1])
    click(page, 3)
    expect_moves(page, 3)


def test_a_number_can_be_typed_to_move_its_tile(page: Page) -> None:
    page.goto(f"/play/{START}")
    page.locator("#help summary").click()
    field = page.get_by_label("Number of the tile to move")
    field.fill("5")
    page.get_by_role("button", name="Move", exact=True).click()
    expect_moves(page, 1)
    field.fill("99")
    field.press("Enter")
    expect(page.locator("#said")).to_contain_text("99")
    expect_moves(page, 1)
