"""The gallery marks the boards that this browser has solved."""

from playwright.sync_api import Page, expect

from tests.browser.steps import (
    click_solution,
    expect_game,
    expect_sent,
    expect_to_fit_without_axe_violations,
    follow,
)

CODE = "4.5.0-1.2.3"


def test_boards_solved_alone_are_marked_and_can_be_left_out(page: Page) -> None:
    page.goto("/gallery")
    card, count = page.locator(f"[data-story='{CODE}']"), page.locator(".card.story").count()
    expect(page.get_by_label("Only unsolved")).to_be_hidden()
    follow(page, card.get_by_role("link", name="Play"))
    page.locator("#hint").click()
    expect(page.locator("#said.hinted")).to_be_visible()
    click_solution(page)
    expect(page.locator("#won[data-helped][data-noted]")).to_be_visible()
    expect_sent(page)
    assert page.evaluate("localStorage.getItem('gallery')") is None
    page.get_by_role("button", name="Try alone").click()
    expect_game(page, 0, CODE)
    click_solution(page)
    page.wait_for_function("() => localStorage.getItem('gallery')")  # once the server has it
    page.get_by_role("link", name="Gallery", exact=True).first.click()
    expect(card.locator(".solved")).to_have_text("Solved in 21 moves")
    expect(page.locator(".solved:visible")).to_have_count(1)
    expect_to_fit_without_axe_violations(page)
    page.get_by_label("Only unsolved").check()
    expect(page.locator(".card.story:visible")).to_have_count(count - 1)
    page.get_by_label("Only unsolved").uncheck()
    expect(page.locator(".card.story:visible")).to_have_count(count)
