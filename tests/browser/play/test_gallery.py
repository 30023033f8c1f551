"""The gallery marks the boards that this browser has solved."""

from playwright.sync_api import Page, expect

from slidewise import parse_puzzle, solve
from tests.browser.steps import LOOKS, click, expect_to_fit_without_axe_violations, follow

CODE = "4.5.0-1.2.3"


def test_solved_boards_are_marked_and_can_be_left_out(page: Page) -> None:
    page.goto("/gallery")
    card = page.locator(f"[data-story='{CODE}']")
    count = page.locator(".card.story").count()
    expect(page.get_by_label("Only unsolved")).to_be_hidden()
    follow(page, card.get_by_role("link", name="Play"))
    click(page, *solve(parse_puzzle(CODE)).tiles)
    expect(page.locator("#won[data-moves]")).to_be_visible()
    page.get_by_role("link", name="Gallery", exact=True).first.click()
    expect(card.locator(".solved")).to_have_text("Solved in 21 moves")
    expect(page.locator(".solved:visible")).to_have_count(1)
    expect_to_fit_without_axe_violations(page, LOOKS[0])
    page.get_by_label("Only unsolved").check()
    expect(page.locator(".card.story:visible")).to_have_count(count - 1)
    page.get_by_label("Only unsolved").uncheck()
    expect(page.locator(".card.story:visible")).to_have_count(count)


def test_board_solved_with_help_is_not_marked(page: Page) -> None:
    page.goto(f"/play/{CODE}")
    page.locator("#hint").click()
    expect(page.locator("#said.hinted")).to_be_visible()
    click(page, *solve(parse_puzzle(CODE)).tiles)
    expect(page.locator("#won[data-helped]")).to_be_visible()
    page.goto("/gallery")
    expect(page.locator(".solved:visible")).to_have_count(0)
