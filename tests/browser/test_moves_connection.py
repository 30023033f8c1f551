"""The server cannot be reached: what is done meanwhile is kept, told, and sent when it is back."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.connection import GAMES, cut_off, expect_lost, lose, only_when_asked, try_again
from tests.browser.steps import (
    boards_after,
    boards_noted,
    click,
    expect_board,
    expect_moves,
    note_boards,
    press,
)

pytestmark = pytest.mark.usefixtures("connection_lost")

START = "7.2.4-5.0.6-8.3.1"


def test_moves_made_offline_stay_and_are_sent_when_the_browser_is_online_again(page: Page) -> None:
    page.goto(f"/play/{START}")
    page.context.set_offline(True)
    note_boards(page)
    click(page, 5, 8)
    press(page, "ArrowLeft", "u")
    page.locator("#restart").click()
    click(page, 2)
    expect_lost(page, 6)
    boards = [*boards_after(START, (5, 8, 3)), boards_after(START, (5, 8))[-1], START]
    boards.append(boards_after(START, (2,))[-1])
    assert boards_noted(page) == boards
    page.context.set_offline(False)
    expect_moves(page, 1)
    expect(page.locator("#notice")).to_be_empty()
    expect_board(page, boards[-1])
    assert boards_noted(page) == boards, "a tile has jumped"
    page.reload()
    expect_board(page, boards[-1])
    expect_moves(page, 1)


@pytest.mark.parametrize(
    "how",
    [
        lambda route: route.abort(),
        lambda route: route.fulfill(status=502, body="<html><body>Bad Gateway</body></html>"),
        lambda route: route.fulfill(body="<html><body>Welcome to the café</body></html>"),
    ],
    ids=["gone", "bad-gateway", "another-page"],
)
def test_try_again_sends_what_the_server_did_not_hear_of(
    page: Page, how: Callable[[Route], None]
) -> None:
    page.goto(f"/play/{START}")
    only_when_asked(page)
    lose(page, how)
    click(page, 5, 8, 3)
    expect_lost(page, 3)
    expect_board(page, boards_after(START, (5, 8, 3))[-1])
    try_again(page)
    expect_moves(page, 3)
    expect(page.locator("#notice")).to_be_empty()
    expect_board(page, boards_after(START, (5, 8, 3))[-1])


def test_it_is_tried_again_without_being_asked_and_a_hint_waits(page: Page) -> None:
    page.goto(f"/play/{START}")
    tries: list[str] = []

    def refuse(route: Route) -> None:
        tries.append(route.request.url)
        route.abort()

    lose(page, refuse)
    click(page, 5)
    page.locator("#hint").click()
    expect_lost(page, 1)
    expect(page.locator("#notice")).to_contain_text("Your hint is shown when it is back.")
    page.unroute(GAMES)
    expect(page.locator("#board .hint")).to_have_count(1)
    expect_moves(page, 1)
    assert [re.sub(".*/", "", url) for url in tries][:1] == ["slide"]
    assert not any(url.endswith("/hint") for url in tries), "it does not overtake the move"


@pytest.mark.parametrize("button", ["#solve-button", "#give-up"])
def test_a_solution_that_cannot_be_had_is_told(page: Page, button: str) -> None:
    page.goto(f"/play/{START}")
    lose(page, lambda route: route.abort())
    page.locator(button).click()
    notice = page.locator("#notice")
    expect(notice).to_contain_text("Ask again for a solution when it is back.")
    page.unroute(GAMES)
    expect(notice).to_be_empty()
    page.locator(button).click()
    expect(page.locator("#steps button")).to_have_count(20)


def test_the_figures_go_on_while_the_server_is_away(page: Page) -> None:
    page.goto(f"/play/{START}")
    click(page, 5)
    expect_moves(page, 1)
    cut_off(page)
    click(page, 7)
    expect_lost(page, 1)
    expect_moves(page, 2)
    click(page, 4)  # a line of two
    expect_moves(page, 4)
    expect(page.locator("#figures .at-home")).to_contain_text("2 of 8")
    press(page, "u", "u")
    expect_moves(page, 1)
    expect(page.locator("#figures > div").first).to_have_text(re.compile(r"^\s*1\s*move\s*$"))
    page.locator("#restart").click()
    expect_moves(page, 0)
    try_again(page)
    expect(page.locator("#notice")).to_be_empty()
    expect_moves(page, 0)


def test_a_puzzle_solved_meanwhile_says_that_its_result_is_to_come(page: Page) -> None:
    page.goto("/play/1.2.3-4.5.6-7.0.8")
    cut_off(page)
    click(page, 8)
    expect(page.locator("#notice")).to_contain_text("You have solved it")
    try_again(page)
    expect(page.locator("#won")).to_be_visible()
    expect(page.locator("#best")).not_to_be_empty()


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844), (844, 390)])
def test_the_notice_stands_over_neither_the_head_nor_the_board(
    page: Page, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"/play/{START}")
    cut_off(page)
    click(page, 5)
    page.locator("#hint").click()
    expect_lost(page, 1)
    notice = page.locator("#notice .lost").bounding_box()
    assert notice
    for other in ".brand", "nav", "#board", "#moves .bar":
        box = page.locator(other).bounding_box()
        assert box
        apart = (
            box["y"] + box["height"] <= notice["y"]
            or notice["y"] + notice["height"] <= box["y"]
            or box["x"] + box["width"] <= notice["x"]
        )
        assert apart, other


def test_an_answer_that_broke_off_is_asked_for_and_the_move_is_not_made_twice(page: Page) -> None:
    page.goto(f"/play/{START}")
    only_when_asked(page)
    page.evaluate(
        """() => {
          const whole = window.fetch;
          window.fetch = async (...asked) => {
            const response = await whole(...asked);
            response.text = () => Promise.reject(new TypeError("network error"));
            window.fetch = whole;
            return response;
          };
        }"""
    )
    click(page, 5)
    page.get_by_role("button", name="Try again").click()
    expect_moves(page, 1)
    expect_board(page, boards_after(START, (5,))[-1])
    click(page, 8)
    expect_moves(page, 2)


def test_what_the_server_refuses_when_it_is_back_slides_back_and_says_why(
    page: Page,
) -> None:
    other = page.context.new_page()
    page.goto(f"/play/{START}")
    only_when_asked(page)
    page.route("**/slide", lambda route: route.abort())
    click(page, 3, 1)
    expect_lost(page, 2)
    other.goto(f"/play/{START}")
    click(other, 5)
    expect_moves(other, 1)
    page.unroute("**/slide")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#said")).to_contain_text("Tile 3 is not in the row or column of the blank")
    expect_board(page, boards_after(START, (5,))[-1])
    expect_moves(page, 1)


def test_tiles_are_called_by_their_places_before_the_server_says_so(page: Page) -> None:
    page.goto(f"/play/{START}")
    called = """() => Object.fromEntries([...document.querySelectorAll("#board [id]")].map(
      (cell) => [cell.id, cell.getAttribute("aria-label") ?? cell.textContent]))"""
    cut_off(page)
    click(page, 5, 8)
    expect_lost(page, 2)
    at_once = page.evaluate(called)
    try_again(page)
    expect_moves(page, 2)
    assert page.evaluate(called) == at_once
    assert at_once["t0"] == "blank, row 3, column 1"


def test_the_button_keeps_the_focus_while_it_is_tried(page: Page) -> None:
    page.goto(f"/play/{START}")
    cut_off(page)
    click(page, 5)
    button = page.get_by_role("button", name="Try again")
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_be_focused()
    expect(button).to_have_text("Try again")
    page.unroute(GAMES)
    page.keyboard.press("Enter")
    expect_moves(page, 1)
