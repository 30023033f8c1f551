"""Clicks and keys that come faster than the server answers: all count, none jumps back."""

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.steps import (
    boards_after,
    boards_noted,
    click,
    click_quickly,
    expect_board,
    expect_moves,
    note_boards,
    press,
    slow_down,
    tile,
)

START = "7.2.4-5.0.6-8.3.1"
TILES = (5, 8, 3, 1, 6)
KEYS = ("Right", "Up", "Left", "Left", "Down", "Down", "Right", "Right", "Up", "Left")
TILES_OF_KEYS = (5, 8, 3, 1, 6, 4, 2, 7, 8, 5)
OTHER = "1.2.3-4.0.6-7.5.8"


@pytest.mark.parametrize("latency", [0, 300])
def test_five_quick_clicks_all_count(page: Page, latency: int) -> None:
    page.goto(f"/play/{START}")
    slow_down(page, latency)
    note_boards(page)
    click_quickly(page, *TILES)
    expect_moves(page, 5)
    boards = boards_after(START, TILES)
    expect_board(page, boards[-1])
    assert boards_noted(page) == boards, "a tile has jumped"
    page.reload()
    expect_board(page, boards[-1])


@pytest.mark.parametrize("latency", [0, 300])
def test_ten_quick_arrow_keys_all_count(page: Page, latency: int) -> None:
    page.goto(f"/play/{START}")
    slow_down(page, latency)
    note_boards(page)
    press(page, *(f"Arrow{key}" for key in KEYS))
    expect_moves(page, 10)
    boards = boards_after(START, TILES_OF_KEYS)
    expect_board(page, boards[-1])
    assert boards_noted(page) == boards, "a tile has jumped"
    page.reload()
    expect_board(page, boards[-1])


def test_a_wrong_click_among_quick_ones_moves_nothing(page: Page) -> None:
    page.goto(f"/play/{START}")
    slow_down(page)
    note_boards(page)
    click_quickly(page, 5, 1, 8, 3)
    expect_moves(page, 3)
    boards = boards_after(START, (5, 8, 3))
    expect_board(page, boards[-1])
    assert boards_noted(page) == boards, "a tile has jumped"


def test_undo_and_redo_among_quick_keys_keep_their_order(page: Page) -> None:
    page.goto(f"/play/{START}")
    slow_down(page)
    press(page, "ArrowRight", "u", "ArrowDown", "u", "r", "ArrowUp")
    expect_moves(page, 2)
    expect(page.locator("#said")).to_contain_text("Tile 2 up. 2 moves.")
    expect_board(page, START)


def test_the_clicks_of_two_pages_do_not_meet(context: BrowserContext) -> None:
    pages = [context.new_page(), context.new_page()]
    for page, code in zip(pages, (START, OTHER), strict=True):
        page.goto(f"/play/{code}")
        slow_down(page, 100)
    tiles = (5, 8, 3, 1, 6), (2, 1, 4, 7, 5)
    for pair in zip(*tiles, strict=True):
        for page, number in zip(pages, pair, strict=True):
            click_quickly(page, number)
    for page, code, clicked in zip(pages, (START, OTHER), tiles, strict=True):
        expect_moves(page, 5)
        page.reload()
        expect_moves(page, 5)
        expect_board(page, boards_after(code, clicked)[-1])


def test_a_click_while_a_search_streams_is_kept(page: Page) -> None:
    page.goto("/play/15.14.1.6-9.11.4.12-0.10.7.3-13.8.5.2")
    page.locator("#algorithm").select_option("bfs")
    page.locator("#solve-button").click()
    expect(page.locator("#live")).to_contain_text("Expanded")
    click(page, 9, 15)
    expect_moves(page, 2)
    page.locator("#stop").click()
    expect(page.locator("#verdict")).to_contain_text("No solution yet")
    page.reload()
    expect_moves(page, 2)


@pytest.mark.parametrize(
    "answer",
    [
        {"status": 503, "headers": {"HX-Retarget": "#notice", "HX-Reswap": "innerHTML"}},
        {"status": 502, "body": "<html><body>Bad Gateway</body></html>"},
    ],
)
def test_a_click_that_failed_is_taken_back_and_the_next_one_counts(
    page: Page, answer: dict[str, object], complaints: list[str]
) -> None:
    page.goto(f"/play/{START}")
    told = {"body": '<div class="notice">Busy.</div>', "content_type": "text/html"}

    def refuse(route: Route) -> None:
        route.fulfill(**{**told, **answer})

    page.route("**/slide", refuse)
    tile(page, 5).click()
    expect(page.locator("#notice")).not_to_be_empty()
    expect_board(page, START)
    page.unroute("**/slide")
    tile(page, 2).click()
    expect_moves(page, 1)
    expect(page.locator("#notice")).to_be_empty()
    expect_board(page, boards_after(START, (2,))[-1])
    complaints.clear()  # Chromium tells of the 502


def test_a_lost_connection_is_told_and_the_game_goes_on_after_it(
    page: Page, context: BrowserContext, complaints: list[str]
) -> None:
    page.goto(f"/play/{START}")
    tile(page, 5).click()
    expect_moves(page, 1)
    context.set_offline(True)
    tile(page, 8).click()
    expect(page.locator("#notice")).to_contain_text("The server cannot be reached.")
    context.set_offline(False)
    page.reload()
    tile(page, 8).click()
    expect_moves(page, 2)
    expect_board(page, boards_after(START, (5, 8))[-1])
    complaints.clear()  # Chromium tells of the lost connection
