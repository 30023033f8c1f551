"""Clicks faster than the server's responses: all count, and nothing jumps back."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.boards import FIVE
from tests.browser.steps import (
    START,
    ConsoleErrors,
    boards_after,
    boards_noted,
    click,
    click_in_one_task,
    click_quickly,
    expect_board,
    expect_game,
    expect_moves,
    expect_sent,
    follow,
    note_boards,
    press,
    slow_down,
    tile,
)

NEXT_FRAMES = """() => new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 50))))"""

LINES = "1.2.3.0-5.6.7.4-9.10.11.8-13.14.15.12"


@pytest.mark.motion
@pytest.mark.parametrize(
    ("act", "moved"),
    [
        (lambda page: click_quickly(page, 5, 1, 8, 3), (5, 8, 3)),  # tile 1 cannot move then
        (lambda page: press(page, *"dwaassddwa"), (5, 8, 3, 1, 6, 4, 2, 7, 8, 5)),
    ],
    ids=["clicks", "keys"],
)
def test_all_quick_actions_count(
    game: Page, act: Callable[[Page], None], moved: tuple[int, ...]
) -> None:
    slow_down(game)
    note_boards(game)
    act(game)
    boards = boards_after(START, moved)
    expect_game(game, len(moved), boards[-1])
    expect_sent(game)
    assert boards_noted(game) == boards, "a tile has jumped"


@pytest.mark.motion
def test_tile_pressed_during_a_response_moves(page: Page) -> None:
    page.goto("/play/1.2.3-4.5.6-0.7.8")
    page.locator("#t8").hover()
    slow_down(page)
    with page.expect_response("**/slide") as answer:
        click_quickly(page, 7)
        page.mouse.down()
    answer.value.finished()
    page.evaluate(NEXT_FRAMES)  # the response would appear within these
    page.mouse.up()
    expect_game(page, 2, "1.2.3-4.5.6-7.8.0")


def test_undo_redo_and_restart_show_before_any_response(page: Page) -> None:
    page.goto(f"/play/{LINES}")
    slow_down(page)
    note_boards(page)
    for action in 1, "undo", "redo", "undo", 4, 7, "restart", 2:
        click_in_one_task(page, action)
    slid = boards_after(LINES, (1,))
    boards = [*slid, *slid, *boards_after(LINES, (4, 7)), *boards_after(LINES, (2,))]
    assert boards_noted(page) == boards
    expect_game(page, 2, boards[-1])
    expect_sent(page)
    assert boards_noted(page) == boards, "a tile has jumped"


def test_undo_past_the_known_moves_waits_and_delays_clicks(game: Page) -> None:
    click(game, 5, moves=1)
    game.locator("#play").evaluate("play => { play.dataset.made = '…'; }")
    slow_down(game)
    note_boards(game)
    game.locator("#undo").click()
    click_quickly(game, 8, 6)
    expect(game.locator("#said")).to_contain_text("Tile 6 left. 1 move so far.")
    assert boards_noted(game) == [
        boards_after(START, (5,))[-1],
        START,
        boards_after(START, (6,))[-1],
    ]


def test_failed_click_is_undone_and_the_next_one_counts(
    game: Page, console_errors: ConsoleErrors
) -> None:

    def refuse(route: Route) -> None:
        headers = {"Slidewise-Answer": "notice", "HX-Retarget": "#notice", "HX-Reswap": "innerHTML"}
        notice_html = '<div class="notice">Something went wrong.</div>'
        route.fulfill(status=500, headers=headers, content_type="text/html", body=notice_html)

    game.route("**/slide", refuse)
    click_in_one_task(game, 5, 8)
    expect(game.locator("#notice")).to_contain_text("Something went wrong.")
    expect_board(game, START)
    game.unroute("**/slide")
    tile(game, 2).click()
    expect_moves(game, 1)
    expect(game.locator("#notice")).to_be_empty()
    expect_board(game, boards_after(START, (2,))[-1])
    console_errors.ignore("status of 500")


@pytest.fixture
def clocked(game: Page) -> Page:
    """Return a game after its first move, with a clock that the test advances."""
    game.clock.install()
    game.reload()
    click(game, 5, moves=1)
    return game


@pytest.mark.own_page
def test_the_clock_rests_while_the_settings_are_open(clocked: Page) -> None:
    game, clock = clocked, clocked.locator("#clock")
    game.locator("#open-settings").click()
    expect(game.locator("#settings")).to_be_visible()  # its module loads on demand
    game.clock.run_for(100)  # a frame shows the counted time
    before = clock.inner_text()
    game.clock.fast_forward(60_000)
    assert clock.inner_text() == before
    game.keyboard.press("Escape")
    expect(clock).not_to_have_text(before)  # the page has handled the close event
    game.clock.fast_forward(60_000)
    expect(clock).to_have_text(re.compile(r"1:\d\d\.\d\d"))


LEAVE = """away => {
    document.hasFocus = () => !away;
    dispatchEvent(new FocusEvent('blur'));
}"""
"""Simulates that a window or, if not `away`, a frame gets the focus: in tests it never changes."""


@pytest.mark.own_page
def test_the_clock_rests_while_another_window_has_the_focus(clocked: Page) -> None:
    game, clock = clocked, clocked.locator("#clock")
    game.evaluate(LEAVE, True)
    game.clock.run_for(100)  # a frame shows the counted time
    before = clock.inner_text()
    game.clock.fast_forward(60_000)
    assert clock.inner_text() == before
    game.evaluate("dispatchEvent(new FocusEvent('focus'))")
    game.clock.fast_forward(60_000)
    expect(clock).to_have_text(re.compile(r"1:\d\d\.\d\d"))
    game.evaluate(LEAVE, False)  # into a frame of the page
    game.clock.fast_forward(60_000)
    expect(clock).to_have_text(re.compile(r"2:\d\d\.\d\d"))
    game.evaluate(LEAVE, True)
    game.clock.fast_forward(60_000)
    game.keyboard.press("Shift")  # input on the page counts as play, regardless of focus events
    game.clock.fast_forward(60_000)
    expect(clock).to_have_text(re.compile(r"3:\d\d\.\d\d"))


@pytest.mark.own_page
def test_window_goes_on_from_the_longer_clock_of_another(clocked: Page) -> None:
    game = clocked
    other = game.context.new_page()
    other.goto(game.url)
    expect_game(other, 1, boards_after(START, (5,))[-1])
    other.evaluate(LEAVE, True)
    game.clock.fast_forward(600_000)
    expect(game.locator("#clock")).to_have_text(re.compile(r"10:\d\d\.\d\d"))
    expect(other.locator("#clock")).to_have_text(re.compile(r"^0:\d\d\.\d\d"))
    game.evaluate(LEAVE, True)
    other.evaluate("dispatchEvent(new FocusEvent('focus'))")
    game.clock.run_for(100)
    expect(other.locator("#clock")).to_have_text(re.compile(r"10:\d\d\.\d\d"))


def test_tab_shows_a_newer_game_once_visible(game: Page) -> None:
    game.context.request.post(f"{game.url}/slide", form={"tile": "5"})  # as from another browser
    game.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect_game(game, 1, boards_after(START, (5,))[-1])
    expect(game.locator("#typed")).to_have_text("Your game continued in another tab.")


CONTROLS_AND_FIGURES_UNDER = """(notice) => {
    const box = notice.getBoundingClientRect();
    const isUnder = ({ left, right, top, bottom }) =>
        left < box.right && right > box.left && top < box.bottom && bottom > box.top;
    return [...document.querySelectorAll("a, button, summary, #figures > div")]
        .filter((one) => !notice.contains(one) && one.checkVisibility({ visibilityProperty: true }))
        .filter((one) => isUnder(one.getBoundingClientRect())).map((one) => one.outerHTML);
}"""


def test_the_notice_of_a_restart_brings_the_game_back(game: Page) -> None:
    click(game, 5, 8, moves=2)
    game.locator("#restart").click()
    notice = game.locator(".toast")
    undo = notice.get_by_role("button", name="Undo")
    undo.focus()  # the notice stays as long as the button has the focus
    expect(notice).to_contain_text("Restarted.")
    expect(game.locator("#clock")).to_have_text("0:00.00")
    for width, height in (1280, 800), (390, 844), (320, 568), (844, 390):
        game.set_viewport_size({"width": width, "height": height})
        assert notice.evaluate(CONTROLS_AND_FIGURES_UNDER) == []
    undo.press("Enter")
    expect_game(game, 2, boards_after(START, (5, 8))[-1])
    expect(notice).to_have_count(0)
    expect_sent(game)
    assert float(game.locator("#clock").get_attribute("data-seconds") or 0) > 0


def test_back_button_shows_the_current_game(game: Page) -> None:
    click(game, 5, 8, moves=2)
    follow(game, game.get_by_role("navigation").get_by_role("link", name="Learn"))
    expect(game.get_by_role("heading", name="Learn", exact=True)).to_be_visible()
    game.go_back()
    expect_game(game, 2, boards_after(START, (5, 8))[-1])
    click(game, 3, moves=3)


def test_hint_on_a_slow_line_shows_that_it_is_on_its_way(page: Page) -> None:
    page.goto(f"/play/{FIVE}")  # the browser alone has no hint for it
    held: list[Route] = []
    page.route("**/hint", lambda route: held.append(route))
    hint = page.locator("#hint")
    hint.click()
    expect(hint).to_have_attribute("aria-busy", "true")
    hint.click()
    press(page, "h")
    held[0].continue_()
    expect(page.locator("#board .hint")).to_have_count(1)
    expect(hint).not_to_have_attribute("aria-busy", "true")
    expect_sent(page)
    assert len(held) == 1, "it was sent once"


def test_hint_is_no_longer_on_its_way_after_a_move(page: Page) -> None:
    page.goto(f"/play/{FIVE}")
    held: list[Route] = []
    page.route("**/hint", lambda route: held.append(route))
    hint = page.locator("#hint")
    hint.click()
    expect(hint).to_have_attribute("aria-busy", "true")
    page.locator("#board .tile[data-way]").first.click()
    expect(hint).not_to_have_attribute("aria-busy", "true")
    hint.click()
    expect(hint).to_have_attribute("aria-busy", "true")
    held[0].continue_()
    page.unroute("**/hint")
    expect(page.locator("#board .hint")).to_have_count(1)
    expect(hint).not_to_have_attribute("aria-busy", "true")
