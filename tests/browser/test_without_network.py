"""After one visit the game can be played without a network."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from slidewise import parse_puzzle
from tests.browser.connection import expect_lost
from tests.browser.steps import (
    START,
    boards_after,
    click,
    expect_game,
    expect_moves,
    open_settings,
)

pytestmark = pytest.mark.browser_context_args(service_workers="allow", reduced_motion="reduce")

IS_READY = "() => navigator.serviceWorker.ready.then(() => caches.keys())"


@pytest.fixture
def visited(new_context: Callable[..., BrowserContext], complaints: list[str]) -> Iterator[Page]:
    """Return a page that was opened once, and has a service worker."""
    page = new_context().new_page()
    page.goto(f"/play/{START}")
    page.evaluate(IS_READY)
    yield page
    lost = "Failed to load resource", "htmx: htmx:error"
    complaints[:] = [told for told in complaints if not told.startswith(lost)]


def test_a_game_goes_on_through_reloads_and_its_moves_are_sent_later(visited: Page) -> None:
    click(visited, 5, moves=1)
    visited.context.set_offline(True)
    click(visited, 8)
    visited.reload()
    expect_game(visited, 2, boards_after(START, (5, 8))[-1])
    click(visited, 3)
    expect_lost(visited, 2)
    visited.context.set_offline(False)
    expect(visited.locator("#notice")).to_be_empty()
    expect_game(visited, 3, boards_after(START, (5, 8, 3))[-1])
    visited.reload()
    assert visited.locator("html").get_attribute("data-cached") is None
    expect_game(visited, 3, boards_after(START, (5, 8, 3))[-1])


def test_a_new_game_is_one_that_was_fetched_ahead(visited: Page) -> None:
    visited.context.set_offline(True)
    visited.goto("/new?size=3x3&difficulty=medium")
    code = visited.url.rpartition("/")[2]
    puzzle = parse_puzzle(code)
    assert code != START
    expect_game(visited, 0, code)
    expect(visited.locator("#notice")).to_contain_text("Play on: your moves are kept")
    expect(visited.locator("#shortest")).to_have_text(
        re.compile(r"^shortest solution: (1[7-9]|2[0-3]) moves$")
    )
    tile = puzzle.start.movable[0]
    click(visited, tile)
    visited.goto("/gallery")
    expect(visited.get_by_role("heading", name="No connection")).to_be_visible()
    visited.get_by_role("link", name="Play on").click()
    visited.wait_for_url(f"**/play/{code}")
    expect_moves(visited, 1)
    visited.context.set_offline(False)
    expect(visited.locator("#notice")).to_be_empty()
    visited.reload()
    expect_game(visited, 1, str(puzzle.start.slide(tile)))


@pytest.mark.parametrize("mine", [True, False])
def test_where_the_game_went_on_elsewhere_the_player_chooses(visited: Page, mine: bool) -> None:
    click(visited, 5, moves=1)
    visited.context.set_offline(True)
    click(visited, 8)
    expect_lost(visited, 1)
    visited.goto("about:blank")
    visited.context.set_offline(False)
    headers = {"HX-Request": "true"}
    visited.request.post(f"/play/{START}/restart", headers=headers)
    visited.request.post(f"/play/{START}/slide", form={"tile": "2"}, headers=headers)
    visited.goto(f"/play/{START}")
    notice = visited.locator("#which-game")
    expect(notice).to_contain_text("Which one do you want to keep?")
    name, board = ("Keep this game", (5, 8)) if mine else ("Take the other one", (2,))
    notice.get_by_role("button", name=name).click()
    expect(notice).to_have_count(0)
    expect_game(visited, len(board), boards_after(START, board)[-1])
    visited.reload()
    expect_game(visited, len(board), boards_after(START, board)[-1])


def test_a_setting_forgets_what_is_stored(visited: Page) -> None:
    open_settings(visited)
    choose_box = visited.get_by_role("checkbox", name="Store the game on this device")
    choose_box.uncheck()
    visited.wait_for_function(
        """async () => (await caches.keys()).length === 0
          && (await navigator.serviceWorker.getRegistrations()).length === 0"""
    )
