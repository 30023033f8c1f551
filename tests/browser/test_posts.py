"""Each click is posted at once, and outlives its page without storage or cookies."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.newer_build import Site, site_of
from tests.browser.server import Server
from tests.browser.steps import (
    CLOCK,
    START,
    ConsoleErrors,
    boards_after,
    click,
    expect_game,
    expect_moves,
    expect_sent,
    prepare_numbers,
)

FETCHED_IN_TASK = """async (id) => {
  const { fetch } = window;
  const calls = [];
  window.fetch = (url, options) => {
    calls.push({ url: String(url), keepalive: options.keepalive });
    return fetch(url, options);
  };
  const task = new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage("");
  });
  document.getElementById(id).click();
  await task;
  window.fetch = fetch;
  return calls;
}"""
"""Clicks an element and returns the requests made before the next task."""

BLOCK_STORAGE = """
for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });
"""

FILL_STORAGE = """
const { setItem } = Storage.prototype;
Storage.prototype.setItem = function () { throw new DOMException("full", "QuotaExceededError"); };
"""

GROW_FORM = """() => {
  for (const name of ["one", "two", "three", "four", "five", "six", "seven"]) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value: "x".repeat(10_000) });
    document.getElementById("moves").append(field);
  }
}"""

IS_LOCKED = """async () => {
  const { held } = await navigator.locks.query();
  return held.some(({ name }) => name.startsWith("turn "));
}"""

RESUMED = "html[data-resumed]"


@pytest.fixture
def host(server: Server) -> Iterator[Site]:
    """Return a host before the server that can hold answers or drop cookies."""
    with site_of(server.url) as site:
        yield site


def test_click_of_the_only_tab_is_posted_in_its_task(game: Page) -> None:
    expect(game.locator(RESUMED)).to_have_count(1)
    (post,) = game.evaluate(FETCHED_IN_TASK, "t5")
    assert post == {"url": f"/play/{START}/slide", "keepalive": True}
    expect_sent(game)


def test_click_beside_another_tab_is_posted_in_turn(game: Page) -> None:
    other = game.context.new_page()
    other.goto(game.url)
    expect(other.locator(RESUMED)).to_have_count(1)
    for page, number in (game, 5), (other, 8):
        page.route("**/slide", lambda _: None)  # pending until `unroute`
        with page.expect_request("**/slide"):
            click(page, number)
        assert page.evaluate(IS_LOCKED)
        page.unroute("**/slide")
        expect_sent(page)
    expect_game(game, 2, boards_after(START, (5, 8))[-1])


def test_post_above_the_limit_of_keepalive_is_sent_without_it(game: Page) -> None:
    expect(game.locator(RESUMED)).to_have_count(1)
    game.evaluate(GROW_FORM)
    (post,) = game.evaluate(FETCHED_IN_TASK, "t5")
    assert post["keepalive"] is False
    expect(game.locator("#notice")).to_contain_text("You sent more than any puzzle needs.")


@pytest.mark.own_page
@pytest.mark.parametrize("storage", [BLOCK_STORAGE, FILL_STORAGE], ids=["blocked", "full"])
def test_reload_without_storage_keeps_moves_under_way(page: Page, host: Site, storage: str) -> None:
    page.add_init_script(storage)
    page.goto(f"{host.url}/play/{START}")
    host.holds_posts = True
    with page.expect_request("**/slide"):
        click(page, 5)
    click(page, 8, 3)  # wait in the queue
    with page.expect_request("**/slide"):
        page.reload()
    expect_moves(page, 3)
    host.holds_posts = False
    host.held[0].set()
    while not any(cookie["name"] == "slidewise_game" for cookie in page.context.cookies()):
        page.evaluate("() => {}")
    host.held[1].set()
    page.wait_for_function("() => window.name === ''")  # all are confirmed
    board = boards_after(START, (5, 8, 3))[-1]
    expect_game(page, 3, board)
    other = page.context.new_page()
    other.goto(page.url)
    expect_game(other, 3, board)


@pytest.mark.own_page
@pytest.mark.parametrize(
    "storage", ["", BLOCK_STORAGE, FILL_STORAGE], ids=["on", "blocked", "full"]
)
@pytest.mark.parametrize("is_answered", [True, False], ids=["answered", "under-way"])
def test_reload_does_not_turn_the_clock_back(
    page: Page, host: Site, storage: str, is_answered: bool
) -> None:
    page.add_init_script(storage)
    page.goto(f"{host.url}/play/{START}")
    click(page, 5)
    page.wait_for_function(f"least => ({CLOCK})() > least", arg=0.3)
    host.holds_posts = not is_answered
    with page.expect_response("**/slide") if is_answered else page.expect_request("**/slide"):
        click(page, 8)
    page.wait_for_function(f"least => ({CLOCK})() > least", arg=1.5)
    before = page.evaluate(CLOCK)
    page.reload()
    expect(page.locator(RESUMED)).to_have_count(1)
    expect_game(page, 2, boards_after(START, (5, 8))[-1])
    assert page.evaluate(CLOCK) >= before
    for event in host.held:
        event.set()


def gets_of(page: Page) -> list[str]:
    """Return a list that collects the page's requests for its game."""
    urls: list[str] = []

    def note(request: Request) -> None:
        if request.method == "GET" and re.search(r"/play/[^/]*$", request.url):
            urls.append(request.url)

    page.on("request", note)
    return urls


def test_other_tab_shows_answers_without_a_request(game: Page) -> None:
    other = game.context.new_page()
    other.goto(game.url)
    expect(other.locator(RESUMED)).to_have_count(1)
    urls = gets_of(other)
    tiles = (5, 8, 3, 1, 6)
    for count, number in enumerate(tiles, 1):
        click(game, number)
        expect_game(other, count, boards_after(START, tiles[:count])[-1])
    expect(other.locator("#typed")).to_have_text("Your game went on in another tab.")
    assert urls == []
    click(other, 4)
    expect_game(game, 6, boards_after(START, (*tiles, 4))[-1])


def test_tab_of_a_challenge_fetches_its_own_answer(page: Page) -> None:
    page.goto("/play/1.2.3-4.5.6-0.7.8")
    challenge = page.context.new_page()
    challenge.goto("/play/1.2.3-4.5.6-0.7.8?beat=4")
    click(page, 7, 8)
    expect(challenge.locator("#challenge-over")).to_contain_text("4")
    expect_sent(page)


@pytest.mark.own_page
def test_dropped_cookies_are_named_and_the_game_goes_on(
    page: Page, host: Site, console_errors: ConsoleErrors
) -> None:
    host.drops_cookies = True
    page.goto(f"{host.url}/play/1.2.3-4.5.6-0.7.8")
    prepare_numbers(page)
    click(page, 4)
    expect_sent(page)
    click(page, 4)
    notice = page.locator("#notice")
    expect(notice).to_contain_text("this game needs cookies")
    expect(notice).to_contain_text("allow cookies for this site in the settings of your browser")
    expect_moves(page, 2)
    click(page, 7)
    page.locator("#undo").click()
    click(page, 7, 8)
    expect(page.locator("#won")).to_contain_text("4 moves")
    expect(page.locator("#typed")).to_be_empty()
    expect(notice).to_contain_text("this game needs cookies")
    assert "1" in page.evaluate("localStorage.getItem('bests')")


def test_deleted_cookie_is_made_again_from_the_start(game: Page) -> None:
    click(game, 5, 8, moves=2)
    game.context.clear_cookies()
    click(game, 3, moves=3)
    expect(game.locator("#notice")).to_be_empty()
    game.reload()
    expect_game(game, 3, boards_after(START, (5, 8, 3))[-1])


CELEBRATION = """(latency) => new Promise((resolve) => {
  const seen = () => ({
    pieces: document.querySelectorAll(".confetti i").length,
    wave: getComputedStyle(document.getElementById("t8")).animationName,
  });
  const { fetch } = window;
  const answered = new Promise((done) => document.addEventListener("slidewise:sent", done));
  window.fetch = async (...args) => {
    const response = await fetch(...args);
    await new Promise((done) => setTimeout(done, latency));
    return response;
  };
  document.getElementById("t8").click();
  const since = performance.now();
  const look = () => (performance.now() - since >= 1000 ? resolve(seen()) : setTimeout(look, 20));
  if (latency < 1000) answered.then(look);
  else look();
})"""
"""Wins with a latency in milliseconds, and returns the effects a second later."""


@pytest.mark.motion
@pytest.mark.parametrize("latency", [0, 300, 1500])
def test_answer_does_not_end_the_celebration(page: Page, latency: int) -> None:
    page.goto("/play/1.2.3-4.5.6-7.0.8")
    assert page.evaluate(CELEBRATION, latency) == {"pieces": 48, "wave": "wave"}
    expect_sent(page)
    page.locator("#undo").click()
    expect(page.locator(".news")).to_have_count(0)
