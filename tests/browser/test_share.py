"""The address is the puzzle: whoever opens it gets that puzzle, fresh."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.steps import boards_after, click, expect_board, expect_moves, follow

CODE = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"
START = "7.2.4-5.0.6-8.3.1"


def test_a_copied_link_opens_the_same_puzzle_fresh(
    page: Page, context: BrowserContext, new_visitor: Callable[..., Page]
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/play/{CODE}")
    click(page, 5, 8)
    expect_moves(page, 2)
    page.locator("#share-button").click()
    page.get_by_role("radio", name="Puzzle").check()
    page.get_by_role("button", name="Copy").click()
    expect(page.locator(".said:visible")).to_have_text("Copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url

    other = new_visitor()
    other.goto(link)
    expect_moves(other, 0)
    expect_board(other, START)
    expect(other.locator("#play")).to_have_attribute("data-goal", "0.1.2-3.4.5-6.7.8")
    click(other, 2)
    expect_moves(other, 1)

    page.reload()
    expect_moves(page, 2)
    expect_board(page, boards_after(START, (5, 8))[-1])


def test_without_the_clipboard_the_link_is_marked(page: Page) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.goto(f"/play/{CODE}")
    page.locator("#share-button").click()
    page.get_by_role("button", name="Copy").click()
    expect(page.locator(".said:visible")).to_contain_text("Ctrl+C")
    assert page.evaluate("getSelection().toString()") == page.url


def test_opening_another_link_leaves_a_game_alone(page: Page) -> None:
    page.goto(f"/play/{CODE}")
    click(page, 5)
    expect_moves(page, 1)
    page.goto("/play/1.2.3-4.5.6-7.0.8")
    click(page, 8)
    expect(page.locator("#won")).to_be_visible()
    page.goto(f"/play/{CODE}")
    expect_moves(page, 1)
    expect_board(page, boards_after(START, (5,))[-1])


def test_another_spelling_leads_to_the_one_address(page: Page, base_url: str) -> None:
    page.goto("/play/7%2E2.4-5.0.6-8.3.1_1.2.3-4.5.6-7.8.0")
    expect(page).to_have_url(f"{base_url}/play/{START}")


def test_a_wrong_address_says_what_is_wrong(page: Page) -> None:
    page.goto("/play/1.2.3-4.5.6-7.8.8")
    expect(page.get_by_role("heading", level=1)).to_have_text("Please check this")
    expect(page.locator("main")).to_contain_text("8")
    follow(page, page.get_by_role("link", name="New puzzle"))
    expect(page.locator("#board .tile")).to_have_count(8)
