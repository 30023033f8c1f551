"""A challenge played beside the sender's ghost."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import box_of, click, expect_board, expect_sent
from tests.each import some
from webapp.play.links import pack


def test_timed_ghost_follows_the_players_clock(page: Page) -> None:
    a_minute = "1aao"  # in milliseconds: before the last move
    link = f"?beat=4&took=60.00&ghost={pack('RLUL')}&times=...{a_minute}"
    page.goto(f"/play/1.2.3-4.0.6-7.5.8{link}")
    at = page.locator("#ghost-at")
    expect(at).to_contain_text("Move 0 of 4. It moves at the challenger’s pace")
    click(page, 5)
    expect(at).to_contain_text("Move 3 of 4. It moves")
    expect(page.locator("#ghost svg")).to_have_attribute(
        "aria-label", "The ghost’s board: 1 2 3; 4 5 6; 7 blank 8"
    )
    click(page, 8)
    expect(page.locator("#parting")).to_contain_text("You parted at move 1")
    expect(at).to_have_text("Move 3 of 4 when you solved it.")


def test_link_to_a_ghost_carries_the_time_of_each_move(page: Page) -> None:
    page.goto("/play/1.2.3-4.0.6-7.5.8")
    click(page, 4, 4, 5)
    expect_board(page, "1.2.3-4.5.6-7.0.8")
    expect_sent(page)
    page.reload()  # the ghost is stored
    page.locator("#undo").click()
    click(page, 5, 8)
    page.locator("#won a[data-sheet]").click()
    page.locator("#share [value=ghost]").check(force=True)
    link = page.locator("#link-to-ghost").input_value()
    assert link.partition("&times=")[2].count(".") == 3


@pytest.mark.parametrize(
    ("width", "height"), some([(1280, 800), (390, 844), (320, 568), (844, 390)], 1, 3)
)
def test_ghost_follows_in_sight_and_finish_covers_no_board(
    page: Page, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"/play/1.2.3-4.0.6-7.5.8?beat=4&took=9.50&ghost={pack('RLUL')}")
    ghost = page.locator("#ghost")
    expect(ghost).to_contain_text("Move 0 of 4")
    for part in "#ghost svg", "#board", "#moves .tools":
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    board = box_of(page.locator("#board"))
    click(page, 5)
    expect(ghost).to_contain_text("Move 1 of 4")
    assert box_of(page.locator("#board")) == board, "the board stays where it is"
    click(page, 8)
    expect(page.locator("#challenge-over")).to_contain_text("Challenge beaten")
    expect(page.locator("#parting")).to_contain_text("You parted at move 1: you moved tile 5")
    board, finish = box_of(page.locator("#board")), box_of(page.locator("#won"))
    is_beside = board["x"] + board["width"] <= finish["x"]
    assert is_beside or board["y"] + board["height"] <= finish["y"]
