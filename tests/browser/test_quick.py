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
LINES = "1.2.3.0-5.6.7.4-9.10.11.8-13.14.15.12"


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


def test_a_tile_is_under_way_before_the_server_hears_of_it(page: Page) -> None:
    page.goto(f"/play/{START}")
    slow_down(page)
    row, *rest = page.evaluate(
        """() => {
          const tile = document.getElementById("t5");
          tile.click();
          return [tile.className, document.getElementById("play").dataset.board];
        }"""
    )
    assert "c1" in row.split(), "it has not moved in the task of the click"
    assert rest == [boards_after(START, (5,))[-1]]
    expect_moves(page, 1)


def test_undo_redo_and_restart_show_at_once_and_clicks_go_on_from_them(page: Page) -> None:
    page.goto(f"/play/{LINES}")
    slow_down(page)
    note_boards(page)
    click(page, 1)
    for name in "undo", "redo", "undo":
        page.locator(f"#{name}").click()
    click(page, 4, 7)
    page.locator("#restart").click()
    click(page, 2)
    slid = boards_after(LINES, (1,))
    boards = [*slid, *slid, *boards_after(LINES, (4, 7)), *boards_after(LINES, (2,))]
    assert boards_noted(page) == boards
    expect_moves(page, 2)
    expect_board(page, boards[-1])
    assert boards_noted(page) == boards, "a tile has jumped"


def test_undo_beyond_what_the_page_knows_waits_for_the_server_and_clicks_for_it(
    page: Page,
) -> None:
    page.goto(f"/play/{START}")
    click(page, 5)
    expect_moves(page, 1)
    page.locator("#play").evaluate("play => { play.dataset.made = ''; }")
    slow_down(page)
    note_boards(page)
    page.locator("#undo").click()
    click_quickly(page, 8, 6)
    expect(page.locator("#said")).to_contain_text("Tile 6 left. 1 move.")
    assert boards_noted(page) == [
        boards_after(START, (5,))[-1],
        START,
        boards_after(START, (6,))[-1],
    ]


def test_a_move_that_the_server_refuses_slides_back_and_says_why(context: BrowserContext) -> None:
    page, other = context.new_page(), context.new_page()
    for opened in page, other:
        opened.goto(f"/play/{START}")
    click(other, 5)
    expect_moves(other, 1)
    slow_down(page)
    click_quickly(page, 3, 1)  # right on the old board only
    expect(page.locator("#said")).to_be_visible()
    expect(page.locator("#said")).to_contain_text("Tile 3 is not in the row or column of the blank")
    expect_board(page, boards_after(START, (5,))[-1])
    click(page, 8)
    expect_moves(page, 2)


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


def test_a_click_that_went_wrong_is_taken_back_and_the_next_one_counts(
    page: Page, complaints: list[str]
) -> None:
    page.goto(f"/play/{START}")

    def refuse(route: Route) -> None:
        headers = {
            "Slidewise-Answer": "notice",
            "HX-Retarget": "#notice",
            "HX-Reswap": "innerHTML",
        }
        told = '<div class="notice">Something went wrong.</div>'
        route.fulfill(status=500, headers=headers, content_type="text/html", body=told)

    page.route("**/slide", refuse)
    click_quickly(page, 5, 8)
    expect(page.locator("#notice")).to_contain_text("Something went wrong.")
    expect_board(page, START)
    page.unroute("**/slide")
    tile(page, 2).click()
    expect_moves(page, 1)
    expect(page.locator("#notice")).to_be_empty()
    expect_board(page, boards_after(START, (2,))[-1])
    complaints.clear()  # Chromium tells of the 500
