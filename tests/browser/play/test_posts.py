"""Each click is posted at once, and outlives its page without storage or cookies."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import APIResponse, Page, Request, Route, expect

from tests.browser.connection import GAMES, cut_off, expect_lost
from tests.browser.newer_build import Site, site_of
from tests.browser.server import Server
from tests.browser.steps import (
    BLOCK_STORAGE,
    CLOCK,
    START,
    ConsoleErrors,
    boards_after,
    click,
    expect_game,
    expect_moves,
    expect_sent,
    prepare_numbers,
    wait_for,
)

FETCHED_IN_TASK = """async (ids) => {
  const { fetch } = window;
  const calls = [];
  window.fetch = (url, options) => {
    calls.push({ url: String(url), keepalive: options.keepalive, body: String(options.body) });
    return fetch(url, options);
  };
  const task = new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage("");
  });
  for (const id of ids) document.getElementById(id).click();
  await task;
  window.fetch = fetch;
  return calls;
}"""
"""Clicks elements and returns the requests made before the next task."""


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

IS_WAITING = """async () => {
  const { pending } = await navigator.locks.query();
  return pending.some(({ name }) => name.startsWith("turn "));
}"""

LARGE = "1.2.3.4.5-6.7.8.9.10-11.12.13.14.15-16.17.18.19.20-21.22.23.0.24"
"""A board of which only the server has hints."""

RESUMED = "html[data-resumed]"


@pytest.fixture
def host(server: Server) -> Iterator[Site]:
    """Return a host before the server that can hold answers or drop cookies."""
    with site_of(server.url) as site:
        yield site


def test_clicks_of_the_only_tab_are_posted_in_their_task(game: Page) -> None:
    expect(game.locator(RESUMED)).to_have_count(1)
    (post,) = game.evaluate(FETCHED_IN_TASK, ["t5", "t8", "undo"])
    assert (post["url"], post["keepalive"]) == (f"/play/{START}/slide", True)
    assert re.findall(r"tile=(\w+)", post["body"]) == ["5", "8", "undo"]
    expect_sent(game)


def second_tab(page: Page) -> Page:
    """Open the game in another tab, and wait until both know it."""
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator(RESUMED)).to_have_count(1)
    return other


def test_click_beside_another_tab_is_posted_in_turn(game: Page) -> None:
    other = second_tab(game)
    for page, number in (game, 5), (other, 8):
        page.route("**/slide", lambda _: None)  # pending until `unroute`
        with page.expect_request("**/slide"):
            click(page, number)
        assert page.evaluate(IS_LOCKED)
        page.unroute("**/slide")
        expect_sent(page)
    expect_game(game, 2, boards_after(START, (5, 8))[-1])


ONLY_BY_LOCKS = """
const { postMessage } = BroadcastChannel.prototype;
BroadcastChannel.prototype.postMessage = function (message) {
  if (message !== "here") postMessage.call(this, message);
};"""
"""A tab that does not answer when another one opens its game."""

ONLY_BY_MESSAGES = """
const query = navigator.locks.query.bind(navigator.locks);
const met = new Promise((resolve) => {
  new BroadcastChannel(`game ${location.pathname}`).onmessage = resolve;
});
navigator.locks.query = async () => (met.isDone ? query() : met.then(() => {
  met.isDone = true;
  return { held: [] };
}));"""
"""A tab that opens together with another one: it sees no lock, and hears of it before."""


@pytest.mark.parametrize("first", [ONLY_BY_LOCKS, ""], ids=["locks", "messages"])
def test_second_tab_finds_the_first(page: Page, base_url: str, first: str) -> None:
    page.add_init_script(first or "0")
    page.goto(f"{base_url}/play/{START}")
    expect(page.locator(RESUMED)).to_have_count(1)
    other = page.context.new_page()
    other.add_init_script("0" if first else ONLY_BY_MESSAGES)
    other.goto(page.url)
    expect(other.locator(RESUMED)).to_have_count(1)
    other.route("**/slide", lambda _: None)  # pending until `unroute`
    with other.expect_request("**/slide"):
        click(other, 5)
    assert other.evaluate(IS_LOCKED)
    other.unroute("**/slide")
    expect_game(page, 1, boards_after(START, (5,))[-1])


@pytest.mark.own_page
def test_tab_opened_during_a_post_waits_for_its_answer(page: Page, host: Site) -> None:
    page.goto(f"{host.url}/play/{START}")
    expect(page.locator(RESUMED)).to_have_count(1)
    host.holds_posts = True
    click(page, 5)
    wait_for(page, lambda: host.held)
    other = second_tab(page)
    click(other, 6)
    wait_for(other, lambda: other.evaluate(IS_WAITING))
    assert len(host.held) == 1, "the other tab has posted"
    host.holds_posts = False
    host.held[0].set()
    for each in page, other:
        expect_game(each, 1, boards_after(START, (5,))[-1])


def test_post_above_the_limit_of_keepalive_is_sent_without_it(game: Page) -> None:
    expect(game.locator(RESUMED)).to_have_count(1)
    game.evaluate(GROW_FORM)
    (post,) = game.evaluate(FETCHED_IN_TASK, ["t5"])
    assert post["keepalive"] is False
    expect(game.locator("#notice")).to_contain_text("You sent more than any puzzle needs.")


@pytest.mark.own_page
def test_reload_without_storage_keeps_moves_under_way(page: Page, host: Site) -> None:
    page.add_init_script(BLOCK_STORAGE)
    page.goto(f"{host.url}/play/{START}")
    host.holds_posts = True
    with page.expect_request("**/slide"):
        click(page, 5)
    click(page, 8, 3)  # wait in the queue
    with page.expect_request("**/slide"):
        page.reload()
    expect_moves(page, 3)
    wait_for(page, lambda: len(host.held) == 2)  # it is sent, but perhaps not there yet
    host.holds_posts = False
    host.held[0].set()
    wait_for(page, lambda: "slidewise_game" in {each["name"] for each in page.context.cookies()})
    host.held[1].set()
    page.wait_for_function("""() => !window.name.includes('"action"')""")  # all are confirmed
    board = boards_after(START, (5, 8, 3))[-1]
    expect_game(page, 3, board)
    other = page.context.new_page()
    other.goto(page.url)
    expect_game(other, 3, board)


def test_moves_without_room_are_newer_than_stored_ones(
    game: Page, console_errors: ConsoleErrors
) -> None:
    console_errors.ignore("net::ERR_FAILED")
    cut_off(game)
    click(game, 5)
    expect_lost(game, 1)
    game.evaluate(f"() => {{ {FILL_STORAGE} }}")
    click(game, 8, 3)
    game.unroute(GAMES)
    game.reload()
    expect_game(game, 3, boards_after(START, (5, 8, 3))[-1])
    game.wait_for_function("""() => !window.name.includes('"action"')""")
    expect_sent(game)


def test_name_of_another_page_stays(game: Page) -> None:
    game.evaluate("() => { window.name = 'report'; }")
    click(game, 5)
    expect_sent(game)
    game.reload()
    expect_game(game, 1, boards_after(START, (5,))[-1])
    assert game.evaluate("window.name") == "report"
    game.evaluate("() => { window.name = ''; }")


def test_reload_without_storage_does_not_turn_the_clock_back(page: Page) -> None:
    page.add_init_script(BLOCK_STORAGE)
    page.goto(f"/play/{START}")
    with page.expect_response("**/slide"):
        click(page, 5)
    page.wait_for_function(f"least => ({CLOCK})() > least", arg=0.9)
    before = page.evaluate(CLOCK)
    page.reload()
    expect(page.locator(RESUMED)).to_have_count(1)
    assert page.evaluate(CLOCK) >= before


@pytest.mark.own_page
@pytest.mark.parametrize("then", ["hint", "return"])
def test_late_answer_of_the_page_before_takes_nothing_back(
    page: Page, host: Site, then: str
) -> None:
    page.goto(f"{host.url}/play/{START}")
    prepare_numbers(page)
    host.holds_posts = True
    with page.expect_request("**/slide"):
        click(page, 5)
    wait_for(page, lambda: host.held)
    host.holds_posts = False
    page.reload()
    click(page, 8, 3, moves=3)
    expect_sent(page)
    newest = cookie_of(page)
    host.held[0].set()
    wait_for(page, lambda: cookie_of(page) != newest)
    if then == "return":
        with page.expect_response("**/slide"):
            page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    else:
        page.locator("#hint").click()
        expect(page.locator("#said")).to_contain_text("Hint")
    expect_sent(page)
    expect_game(page, 3, boards_after(START, (5, 8, 3))[-1])
    expect(page.locator("#typed")).to_be_empty()
    expect(page.locator("#notice, #which-game")).to_have_text("")


RETURN = """async () => {
  const { fetch } = window;
  const answered = new Promise((resolve) => {
    window.fetch = async (...given) => {
      const response = await fetch(...given);
      response.clone().text().then(() => setTimeout(resolve));
      return response;
    };
  });
  document.dispatchEvent(new Event("visibilitychange"));
  await answered;
  window.fetch = fetch;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
"""Returns to the page, which fetches the server's game, and waits until it has it."""


def test_game_before_undone_moves_is_not_made_again(game: Page) -> None:
    click(game, 5, moves=1)
    game.locator("#undo").click()
    expect_sent(game)
    forms = []
    game.on("request", lambda request: forms.append(request.post_data))
    game.evaluate(RETURN)
    assert forms == [None]
    expect_game(game, 0, START)


def test_move_that_another_tab_has_undone_stays_undone(game: Page) -> None:
    click(game, 5, 8, moves=2)
    expect_sent(game)
    other = game.context.new_page()
    other.goto(game.url)
    other.locator("#undo").click()
    expect_game(game, 1, boards_after(START, (5,))[-1])
    game.evaluate(RETURN)
    expect_sent(game)
    expect_game(game, 1, boards_after(START, (5,))[-1])


def cookie_of(page: Page) -> str:
    """Return the value of the game's cookie."""
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies(page.url)}
    return cookies["slidewise_game"]


def gets_of(page: Page) -> list[str]:
    """Return a list that collects the page's requests for its game."""
    urls: list[str] = []

    def note(request: Request) -> None:
        if request.method == "GET" and re.search(r"/play/[^/]*$", request.url):
            urls.append(request.url)

    page.on("request", note)
    return urls


def test_other_tab_shows_answers_without_a_request(game: Page) -> None:
    other = second_tab(game)
    urls = gets_of(other)
    tiles = (5, 8, 3)
    for count, number in enumerate(tiles, 1):
        click(game, number)
        expect_game(other, count, boards_after(START, tiles[:count])[-1])
    expect(other.locator("#typed")).to_have_text("Your game continued in another tab.")
    assert urls == []
    click(other, 1)
    expect_game(game, 4, boards_after(START, (*tiles, 1))[-1])


COUNT_NEWS = """() => {
  window.news = 0;
  new BroadcastChannel(`game ${location.pathname}`).onmessage = () => { window.news += 1; };
}"""


def test_answers_of_another_tab_share_a_fetch(page: Page) -> None:
    page.goto(f"/play/{START}")
    challenge = page.context.new_page()
    challenge.goto(f"/play/{START}?beat=40")
    expect(challenge.locator(RESUMED)).to_have_count(1)
    challenge.evaluate(COUNT_NEWS)
    held: list[tuple[Route, APIResponse]] = []
    challenge.route("**/*beat=40", lambda route: held.append((route, route.fetch())), times=1)
    urls = gets_of(challenge)
    click(page, 5)
    wait_for(challenge, lambda: held)
    click(page, 8, 3)
    challenge.wait_for_function("() => window.news === 3")
    assert len(urls) == 1
    ((route, response),) = held
    route.fulfill(response=response)
    expect_game(challenge, 3, boards_after(START, (5, 8, 3))[-1])
    assert len(urls) == 2


def make_elsewhere(page: Page, tile: int) -> None:
    """Make a move of which the open pages of a game do not hear."""
    page.context.request.post(f"{page.url}/slide", form={"tile": str(tile)})


def test_hint_and_refusal_are_not_shown_in_another_tab(page: Page) -> None:
    page.goto(f"/play/{LARGE}")
    expect(page.locator(RESUMED)).to_have_count(1)
    make_elsewhere(page, 23)
    other = second_tab(page)
    other.locator("#hint").click()
    expect(other.locator("#said")).to_contain_text("Hint")
    expect_moves(page, 1)
    expect(page.locator(".tile.hint")).to_have_count(0)

    make_elsewhere(page, 22)
    click(other, 18)
    for tab in other, page:
        expect_game(tab, 2, boards_after(LARGE, (23, 22))[-1])
    expect(other.locator("#said.refused")).to_contain_text("Your game continued in another tab")
    expect(other.locator("#said.refused")).to_be_visible()
    expect(page.locator("#said.refused")).to_have_count(0)
    expect(page.locator("#typed")).to_have_text("Your game continued in another tab.")


SEND_LATE_NEWS = """async (board) => {
  const response = await fetch(location.pathname, { headers: { "HX-Request": "true" } });
  const news = { board, view: location.search, text: await response.text() };
  new BroadcastChannel(`game ${location.pathname}`).postMessage(news);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
"""Sends the server's game to the page as news of another tab, which come with a delay."""


def test_late_news_change_no_newer_board(game: Page) -> None:
    expect(game.locator(RESUMED)).to_have_count(1)
    game.route("**/slide", lambda _: None)  # pending until `unroute`
    with game.expect_request("**/slide"):
        click(game, 5)
    game.evaluate(SEND_LATE_NEWS, START)
    expect_game(game, 1, boards_after(START, (5,))[-1])
    game.unroute("**/slide")
    expect_sent(game)
    expect_game(game, 1, boards_after(START, (5,))[-1])


@pytest.mark.own_page
def test_dropped_cookies_are_named_and_the_game_goes_on(
    page: Page, host: Site, console_errors: ConsoleErrors
) -> None:
    host.drops_cookies = True
    page.goto(f"{host.url}/play/1.2.3-4.5.6-0.7.8")
    prepare_numbers(page)
    click(page, 4)
    expect_sent(page)
    page.wait_for_function(f"least => ({CLOCK})() > least", arg=0.5)
    before = page.evaluate(CLOCK)
    forms = []
    page.on("request", lambda request: forms.append(request.post_data or ""))
    host.holds_posts = True
    with page.expect_request("**/slide"):
        click(page, 4)
    click(page, 7, 8)  # wait in the queue
    wait_for(page, lambda: host.held)
    host.holds_posts = False
    host.held[0].set()
    notice = page.locator("#notice")
    expect(notice).to_contain_text("this game needs cookies")
    expect(notice).to_contain_text("allow cookies for this site in the settings of your browser")
    expect_moves(page, 4)
    assert page.evaluate(CLOCK) >= before
    urls = gets_of(page)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.locator("#undo").click()
    click(page, 8)
    expect(page.locator("#won")).to_contain_text("4 moves")
    expect(page.locator("#typed")).to_be_empty()
    expect(notice).to_contain_text("this game needs cookies")
    page.wait_for_function("localStorage.getItem('bests')?.includes('1')")
    assert urls == []
    assert not any("tile=7" in form for form in forms)
    page.locator("#undo").click()
    page.evaluate(SEND_LATE_NEWS, page.url)
    expect_moves(page, 3)


@pytest.mark.own_page
def test_hint_without_cookies_names_its_boards(page: Page, host: Site) -> None:
    host.drops_cookies = True
    page.goto(f"{host.url}/play/{LARGE}")
    expect(page.locator(RESUMED)).to_have_count(1)
    click(page, 23, 22)
    expect(page.locator("#notice")).to_contain_text("this game needs cookies")
    page.locator("#hint").click()
    expect(page.locator("#said")).to_have_text("Hints are for boards of up to 16 cells.")
    expect_moves(page, 2)


def test_deleted_cookie_is_made_again_from_the_start(game: Page) -> None:
    click(game, 5, 8, moves=2)
    game.context.clear_cookies()
    click(game, 3, moves=3)
    expect(game.locator("#notice")).to_be_empty()
    game.reload()
    expect_game(game, 3, boards_after(START, (5, 8, 3))[-1])


CELEBRATION = """() => new Promise((resolve) => {
  const box = (selector) => {
    const { left, top, width, height } = document.querySelector(selector).getBoundingClientRect();
    return [left, top, width, height].map(Math.round).join();
  };
  const seen = () => ({
    covers: box(".confetti") === box(".tray"),
    pieces: document.querySelectorAll(".confetti i").length,
    wave: getComputedStyle(document.getElementById("t8")).animationName,
  });
  const { fetch } = window;
  const answered = new Promise((done) => document.addEventListener("htmx:after:swap", done));
  window.fetch = async (...args) => {
    const response = await fetch(...args);
    await new Promise((done) => setTimeout(done, 300));
    return response;
  };
  document.getElementById("t8").click();
  const since = performance.now();
  const look = () => {
    const isShown = document.querySelector(".confetti i") && seen().wave !== "none";
    if (isShown || performance.now() - since > 60_000) resolve(seen());
    else setTimeout(look, 20);
  };
  answered.then(look);
})"""
"""Wins on a slow line, and returns the effects after the answer."""

EFFECTS = {"covers": True, "pieces": 48, "wave": "wave"}


@pytest.mark.motion
def test_answer_does_not_end_the_celebration(page: Page) -> None:
    page.goto("/play/1.2.3-4.5.6-7.0.8")
    assert page.evaluate(CELEBRATION) == EFFECTS
    expect_sent(page)
    page.locator("#undo").click()
    expect(page.locator(".news")).to_have_count(0)
