"""Pages log nothing to the console, and obey their content security policy."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Response, expect

from tests.browser.steps import START, ConsoleErrors, click, expect_moves, follow

PATHS = [
    "/",
    f"/custom?start={START}",
    f"/play/{START}",
    f"/replay/{START}?moves=ULDR2DL2URURDLDRUL2U&step=5",
    f"/board/{START}.svg",
    "/play/nonsense",
    "/nowhere",
]


def test_pages_load_all_resources_from_this_site(page: Page, base_url: str) -> None:
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    for path in PATHS:
        page.goto(path)
    refused = {answer.url.removeprefix(base_url) for answer in answers if answer.status >= 400}
    assert refused == {"/play/nonsense", "/nowhere"}
    assert all(answer.url.startswith(base_url) for answer in answers)


ON_DEMAND = {
    "course/lab/race": f"/lab/{START}",
    "course/learn/guide": "/learn/astar",
    "play/speed/played": f"/replay/{START}?moves=UL#times=5.5",
    "daily/days": "/daily",
    "play/sounds": f"/play/{START}",
    "site/transfer": "/transfer",
}
"""Modules that a page loads by itself, each with a page."""


@pytest.mark.own_page
@pytest.mark.parametrize("module", ON_DEMAND)
def test_page_without_an_optional_module_logs_no_error(
    page: Page, module: str, console_errors: ConsoleErrors
) -> None:
    console_errors.ignore("Failed to load resource")
    page.add_init_script("localStorage.setItem('sounds', 'on')")
    page.route(f"**/js/{module}.js", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.goto(ON_DEMAND[module])


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


def test_other_site_cannot_play_for_a_visitor(
    game: Page, context: BrowserContext, base_url: str
) -> None:
    click(game, 5, moves=1)
    form = (
        f'<form method="post" action="{base_url}/play/{START}/restart"><button>Go</button></form>'
    )
    context.route(
        "http://elsewhere.test/", lambda route: route.fulfill(body=form, content_type="text/html")
    )
    elsewhere = context.new_page()
    elsewhere.goto("http://elsewhere.test/")
    follow(elsewhere, elsewhere.get_by_role("button"))
    expect(elsewhere.get_by_role("heading", level=1)).to_have_text("Blocked")
    game.reload()
    expect_moves(game, 1)


def test_crashed_browser_is_replaced(
    running_browser: Callable[[], Browser], pages: Callable[..., Page], base_url: str
) -> None:
    pages()
    crashed = running_browser()
    with pytest.raises(Error):
        crashed.new_browser_cdp_session().send("Browser.crash")
    assert running_browser() != crashed
    assert pages().goto(f"{base_url}/robots.txt").ok


def test_crashed_page_is_replaced(pages: Callable[..., Page], base_url: str) -> None:
    page = pages()
    with page.expect_event("crash"), pytest.raises(Error, match="crash"):
        page.goto("chrome://crash")
    assert pages().goto(f"{base_url}/robots.txt").ok
