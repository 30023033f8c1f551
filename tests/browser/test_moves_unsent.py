"""A reload while moves are on their way, or could not be sent: none is lost, none made twice."""

import pytest
from playwright.sync_api import Page

from tests.browser.connection import expect_lost, only_when_asked
from tests.browser.steps import boards_after, click, expect_board, expect_moves

pytestmark = pytest.mark.usefixtures("connection_lost")

START = "7.2.4-5.0.6-8.3.1"


def test_a_reload_while_moves_are_sent_loses_none(page: Page) -> None:
    page.goto(f"/play/{START}")
    page.context.set_offline(True)
    click(page, 5, 8, 3)
    page.locator("#restart").click()
    click(page, 2)
    expect_lost(page, 5)
    with page.expect_request(lambda request: request.method == "POST"):
        page.context.set_offline(False)
    page.reload()
    expect_board(page, boards_after(START, (2,))[-1])
    expect_moves(page, 1)


def test_moves_that_were_not_sent_outlive_a_reload(page: Page) -> None:
    page.goto(f"/play/{START}")
    click(page, 5)
    expect_moves(page, 1)
    only_when_asked(page)
    page.route("**/slide", lambda route: route.abort())
    click(page, 8, 3)
    expect_lost(page, 2)
    page.unroute("**/slide")
    page.reload()
    expect_moves(page, 3)
    expect_board(page, boards_after(START, (5, 8, 3))[-1])
    page.reload()
    expect_moves(page, 3)


def test_a_move_that_had_arrived_before_a_reload_is_not_sent_twice(page: Page) -> None:
    page.goto(f"/play/{START}")
    unsent = page.evaluate("Object.entries(sessionStorage)")
    assert unsent == []
    page.evaluate(
        """board => sessionStorage.setItem(`unsent ${location.pathname}`, JSON.stringify([
          { action: "slide", body: "tile=8", mark: "another board" },
          { action: "slide", body: "tile=5", mark: `${board} ` },
        ]))""",
        START,
    )
    page.reload()
    expect_moves(page, 1)
    expect_board(page, boards_after(START, (5,))[-1])
