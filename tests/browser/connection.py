"""How tests lose the server and find it again."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from tests.browser.steps import send_now

GAMES = re.compile(r"^http://[^/]+/play/")
"""The addresses of games, and not of the scripts in a folder of that name."""


def lose(page: Page, how: Callable[[Route], None]) -> None:
    page.route(GAMES, how)


def only_when_asked(page: Page) -> None:
    """Let the page try again when it is asked to, and not by the clock."""
    page.evaluate(
        """() => {
          const later = window.setTimeout;
          window.setTimeout = (what, wait) => wait >= 2000 ? 0 : later(what, wait);
        }"""
    )


def cut_off(page: Page) -> None:
    """Lose the server until `try_again`."""
    only_when_asked(page)
    lose(page, lambda route: route.abort())


def try_again(page: Page) -> None:
    """Find the server again, and ask the page to try."""
    page.unroute(GAMES)
    page.get_by_role("button", name="Try again").click()


def expect_lost(page: Page, moves: int) -> None:
    send_now(page)
    expect(page.locator("#notice")).to_contain_text(
        f"No connection. {moves} move{'s' * (moves != 1)} will be sent later."
    )
