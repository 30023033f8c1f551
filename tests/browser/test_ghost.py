"""A challenge played beside the ghost of who sent it."""

from playwright.sync_api import Page, expect

from tests.browser.steps import click
from webapp.play.ghost import pack


def test_the_ghost_moves_with_the_player_and_the_end_tells_where_they_parted(page: Page) -> None:
    page.goto(f"/play/1.2.3-4.0.6-7.5.8?beat=4&took=9.50&ghost={pack('RLUL')}")
    ghost = page.locator("#ghost")
    expect(ghost).to_contain_text("Move 0 of 4")
    expect(ghost.locator("svg")).to_be_visible()
    click(page, 5)
    expect(ghost).to_contain_text("Move 1 of 4")
    click(page, 8)
    expect(page.locator("#challenge-over")).to_contain_text("Challenge beaten")
    expect(page.locator("#parting")).to_contain_text("You parted at move 1: you moved tile 5")
