"""A class behind one address: who finds no room waits, and begins by itself."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

HARD = "15.14.1.6-9.11.4.12-0.10.7.3-13.8.5.2"
EASY = "7.2.4-5.0.6-8.3.1"
WAITS = "Waiting for a place … 2 searches from your network are running already"


@pytest.fixture
def school(new_context: Callable[..., BrowserContext]) -> Callable[[], Page]:
    """Return a function that opens a page, each at the same address."""
    context = new_context(extra_http_headers={"X-Forwarded-For": "198.51.100.7"})
    return context.new_page


@pytest.fixture
def busy(school: Callable[[], Page]) -> list[Page]:
    """Return the pages whose searches take the two places."""
    pages = [school(), school()]
    for page in pages:
        page.goto(f"/lab/{HARD}?run=bfs&seconds=60")
        page.locator("#race-run").click()
        expect(page.locator("#run-0")).not_to_have_class("run ready")
    return pages


@pytest.mark.parametrize(
    ("path", "said", "done"),
    [
        (f"/lab/{EASY}?run=astar:manhattan", "#race-said", "1 of 1 found"),
        (f"/lab/{EASY}/many?run=greedy:manhattan&boards=2", "#race-said", "2 of 2 boards done"),
        (f"/play/{EASY}", "#verdict", "Proved shortest"),
    ],
    ids=["race", "many", "solve"],
)
def test_it_waits_and_begins_by_itself(
    school: Callable[[], Page], busy: list[Page], path: str, said: str, done: str
) -> None:
    page = school()
    page.goto(path)
    if "astar" not in path:
        page.locator("#solve-button, #many .primary").first.click()
    expect(page.locator(said)).to_contain_text(WAITS)
    expect(page.locator("#notice")).to_be_empty()
    for other in busy:
        other.close()
    expect(page.locator(said)).to_contain_text(done)
    expect(page.locator("#waiting")).to_have_count(0)


def test_stop_ends_the_waiting(school: Callable[[], Page], busy: list[Page]) -> None:
    page = school()
    page.clock.install()
    page.goto(f"/play/{EASY}")
    page.locator("#solve-button").click()
    expect(page.locator("#verdict")).to_contain_text(WAITS)
    page.locator("#stop").click()
    expect(page.locator("#verdict")).to_have_text("Stopped.")
    for other in busy:
        other.close()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.run_for(60_000)
    page.evaluate("0")
    assert not [url for url in asked if url.endswith("/solve")]
