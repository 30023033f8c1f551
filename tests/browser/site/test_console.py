"""Pages log nothing to the console, and obey their content security policy."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from tests.browser.steps import START, ConsoleErrors

ON_DEMAND = {
    "course/lab/race": f"/lab/{START}",
    "course/learn/guide": "/learn/wastar",
    "course/learn/lesson": "/learn/astar",
    "play/speed/played": f"/replay/{START}?moves=UL#times=5.5",
    "daily/days": "/daily",
    "play/sounds": f"/play/{START}",
    "site/transfer": "/transfer",
}
"""Modules that a page loads by itself, each with a page."""


def test_page_without_an_optional_module_logs_no_error(
    page: Page, console_errors: ConsoleErrors
) -> None:
    console_errors.ignore("Failed to load resource")
    page.add_init_script("localStorage.setItem('sounds', 'on')")
    for module, address in ON_DEMAND.items():
        page.route(f"**/js/{module}.js", lambda route: route.abort())
        with page.expect_event("requestfailed"):
            page.goto(address)


def test_policy_violation_is_a_console_error(game: Page, console_errors: ConsoleErrors) -> None:
    game.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "document.title = 'let in'";
          document.body.append(script);
        }"""
    )
    game.evaluate("() => document.body.setAttribute('style', 'color: red')")
    expect(game).not_to_have_title("let in")
    game.title()
    assert any("Content Security Policy" in complaint for complaint in console_errors)
    console_errors.clear()


@pytest.mark.soak
def test_crashed_browser_is_replaced(
    running_browser: Callable[[], Browser], pages: Callable[..., Page], base_url: str
) -> None:
    pages()
    crashed = running_browser()
    with pytest.raises(Error):
        crashed.new_browser_cdp_session().send("Browser.crash")
    assert running_browser() != crashed
    assert pages().goto(f"{base_url}/robots.txt").ok


@pytest.mark.soak
def test_crashed_page_is_replaced(pages: Callable[..., Page], base_url: str) -> None:
    page = pages()
    with page.expect_event("crash"), pytest.raises(Error, match="crash"):
        page.goto("chrome://crash")
    assert pages().goto(f"{base_url}/robots.txt").ok
