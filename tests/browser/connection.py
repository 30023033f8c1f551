"""Lose the server, and restore it."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

GAMES = re.compile(r"^http://[^/]+/play/")
"""The URLs of games, without the scripts in a folder of that name."""


def lose(page: Page, handler: Callable[[Route], None]) -> None:
    page.route(GAMES, handler)


def disable_timed_retries(page: Page) -> None:
    """Have the page retry on request only, not by timer."""
    page.evaluate(
        """() => {
          const later = window.setTimeout;
          window.setTimeout = (what, wait) => wait >= 2000 ? 0 : later(what, wait);
        }"""
    )


def cut_off(page: Page) -> None:
    """Abort requests to the server until `try_again`."""
    disable_timed_retries(page)
    lose(page, lambda route: route.abort())


def try_again(page: Page) -> None:
    """Restore the server, and click the button that retries."""
    page.unroute(GAMES)
    page.get_by_role("button", name="Try again").click()


def expect_lost(page: Page, moves: int) -> None:
    expect(page.locator("#notice")).to_contain_text(
        f"No connection. {moves} move{'s' * (moves != 1)} will be sent later."
    )
