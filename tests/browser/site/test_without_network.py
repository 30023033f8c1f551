"""After one visit the game can be played offline."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from slidewise import parse_puzzle, solve
from slidewise.analysis.by_hand import LESSONS
from slidewise.analysis.daily import daily_puzzle, sizes_of
from tests.browser.connection import expect_lost
from tests.browser.newer_build import NEWER, Site, site_of
from tests.browser.server import Server
from tests.browser.steps import (
    CLOCK,
    LOOKS,
    START,
    ConsoleErrors,
    boards_after,
    click,
    click_solution,
    expect_game,
    expect_moves,
    expect_no_axe_violations,
    open_settings,
    prepare_numbers,
    reload_from_server,
)
from tests.each import each, some
from tests.solver.runs import SWEEP
from webapp.play.daily import in_words
from webapp.play.gallery import GALLERY

pytestmark = pytest.mark.browser_context_args(service_workers="allow", reduced_motion="reduce")

IS_READY = "() => navigator.serviceWorker.ready.then(() => caches.keys())"

ENTRIES = """Object.entries(localStorage).filter(([name]) => name.startsWith("game "))
  .map(([name, text]) => [name, JSON.parse(text)])"""

ALL_SENT = f"{ENTRIES}.every(([, {{ actions }}]) => actions.length === 0)"


def wait_until(page: Page, condition: str) -> None:
    """Wait until a condition with `await` is true, which `wait_for_function` does not support."""
    page.evaluate(
        f"""async () => {{
          const end = Date.now() + 120_000;
          while (!({condition})) {{
            if (Date.now() > end) throw new Error("it never held");
            await new Promise((resolve) => setTimeout(resolve, 50));
          }}
        }}"""
    )


FORGET_GAMES = """async () => {
  const name = (await caches.keys()).find((one) => one.startsWith("slidewise"));
  if (!name) return;
  const cache = await caches.open(name);
  const stored = await cache.keys();
  const games = stored.filter(({ url }) => new URL(url).pathname.startsWith("/play/"));
  await Promise.all([cache.add("/boards-ahead.json"), ...games.map((one) => cache.delete(one))]);
}"""
"""Resets the cache of the service worker to its state after the installation."""


@pytest.fixture
def visited(page: Page, console_errors: ConsoleErrors) -> Page:
    """Return a page with a service worker after one visit.

    The tests share the worker, because its installation costs as much as many pages.
    """
    console_errors.ignore("Failed to load resource", "htmx: htmx:error")
    page.goto("/robots.txt")
    page.evaluate(FORGET_GAMES)
    page.goto(f"/play/{START}")
    page.evaluate(IS_READY)
    wait_until(page, "await caches.match(location.href)")
    return page


REFUSE_WORKERS = """() => {
  self.ownFetch = fetch;
  self.fetch = (given, ...rest) => given.destination === "worker"
    ? Promise.reject(new TypeError("refused")) : ownFetch(given, ...rest);
}"""
"""Rejects requests for the scripts of workers in the service worker, as WebKit does."""


SMALLEST_TABLE = """() => new Promise((resolve, reject) => {
  const { src } = document.querySelector("script[src*='play/view.js']");
  const worker = new Worker(src.replace("play/view.js", "exact/worker.js"), { type: "module" });
  worker.onerror = reject;
  worker.onmessage = ({ data }) => resolve(data.table.length);
  worker.postMessage({ id: 1, table: { rows: 2, cols: 2, blank: 3 } });
})"""


def test_script_of_a_worker_is_fetched_by_its_url(visited: Page) -> None:
    (worker,) = visited.context.service_workers
    worker.evaluate(REFUSE_WORKERS)
    assert visited.evaluate(SMALLEST_TABLE)
    worker.evaluate("() => { self.fetch = ownFetch; }")


REFUSE_FILES = """() => {
  const left = { "celebration.js": 1, "screen.js": 2 };
  const match = caches.match.bind(caches);
  caches.match = async (request, ...rest) => {
    const name = new URL(request.url).pathname.split("/").at(-1);
    if ((left[name] ?? 0) === 0) return match(request, ...rest);
    left[name] -= 1;
    throw new TypeError("refused");
  };
}"""
"""Lets the service worker fail with some files, as often as `left` has it."""

LOADED = """async (name) => {
  const { src } = document.querySelector("script[src*='js/rest.js']");
  const { load } = await import(src.replace("rest.js", "dom.js"));
  return load(name).then(async (module) => module === await load(name), () => false);
}"""
"""Whether a module can be loaded, and is the same when it is loaded again."""


def test_module_that_failed_is_loaded_again_offline(
    visited: Page, console_errors: ConsoleErrors
) -> None:
    console_errors.ignore("The FetchEvent for")
    (worker,) = visited.context.service_workers
    worker.evaluate(REFUSE_FILES)
    visited.context.set_offline(True)
    assert visited.evaluate(LOADED, "play/celebration.js")
    assert not visited.evaluate(LOADED, "play/screen.js")
    assert visited.evaluate(LOADED, "play/screen.js")
    worker.evaluate("() => { delete caches.match; }")
    visited.context.set_offline(False)


def test_offline_game_survives_reloads_and_sends_moves_later(visited: Page) -> None:
    click(visited, 5, moves=1)
    visited.context.set_offline(True)
    click(visited, 8)
    visited.reload()
    expect_game(visited, 2, boards_after(START, (5, 8))[-1])
    click(visited, 3)
    expect_lost(visited, 2)
    played = int(
        visited.evaluate(f"new URLSearchParams({ENTRIES}[0][1].actions.at(-1).body).get('played')")
    )
    visited.context.set_offline(False)
    expect(visited.locator("#notice")).to_be_empty()
    expect_game(visited, 3, boards_after(START, (5, 8, 3))[-1])
    wait_until(visited, ALL_SENT)
    reload_from_server(visited)
    seconds = visited.locator("#clock").get_attribute("data-seconds")
    assert float(seconds or 0) == played / 1000, "the time that was played without a connection"
    expect_game(visited, 3, boards_after(START, (5, 8, 3))[-1])


def test_offline_reload_does_not_turn_the_clock_back(visited: Page) -> None:
    click(visited, 5, moves=1)
    visited.context.set_offline(True)
    click(visited, 8)
    at_move = visited.evaluate(CLOCK)
    visited.wait_for_function(f"least => ({CLOCK})() > least", arg=at_move + 1)
    before = visited.evaluate(CLOCK)
    visited.reload()
    expect_game(visited, 2, boards_after(START, (5, 8))[-1])
    assert visited.evaluate(CLOCK) >= before
    visited.context.set_offline(False)
    expect(visited.locator("#notice")).to_be_empty()


def test_a_restart_is_undone_before_it_is_sent(visited: Page) -> None:
    visited.context.set_offline(True)
    click(visited, 5)
    click(visited, 8)
    visited.locator("#restart").click()
    expect_game(visited, 0, START)
    visited.locator(".toast").get_by_role("button", name="Undo").click()
    expect_game(visited, 2, boards_after(START, (5, 8))[-1])
    click(visited, 3)
    visited.context.set_offline(False)
    expect(visited.locator("#notice")).to_be_empty()
    visited.reload()
    expect_game(visited, 3, boards_after(START, (5, 8, 3))[-1])


def test_new_game_is_a_prefetched_one(visited: Page) -> None:
    visited.context.set_offline(True)
    visited.goto(
        "/new?size=3x3&rows=3&cols=3&difficulty=medium&goal=&moves=&seed="
    )  # as the form sends it
    code = visited.url.rpartition("/")[2]
    puzzle = parse_puzzle(code)
    assert code != START
    expect_game(visited, 0, code)
    expect(visited.locator("#notice")).to_contain_text("You can play on.")
    expect(visited.locator("#shortest")).to_have_text(
        re.compile(r"^Medium · shortest solution: (1[7-9]|2[0-3]) moves$")
    )
    tile = puzzle.start.movable[0]
    click(visited, tile)
    visited.goto("/learn")
    expect(visited.get_by_role("heading", name="No connection")).to_be_visible()
    visited.get_by_role("link", name="Keep playing").click()
    visited.wait_for_url(f"**/play/{code}")
    expect_moves(visited, 1)
    visited.context.set_offline(False)
    expect(visited.locator("#notice")).to_be_empty()
    visited.reload()
    expect_game(visited, 1, str(puzzle.start.slide(tile)))


def test_used_up_difficulty_is_reported_and_stars_are_given(visited: Page) -> None:
    visited.context.set_offline(True)
    visited.goto("/new?size=2x3&moves=40-50")
    expect(
        visited.get_by_role("status").filter(has_text="No puzzle of 40 to 50 moves is stored")
    ).to_be_visible()
    visited.goto("/new?size=2x3&difficulty=easy")
    expect(visited.locator(".missing")).to_have_count(0)
    shortest = solve(parse_puzzle(visited.url.rpartition("/")[2])).length
    expect(visited.locator("#stars")).to_contain_text(
        re.compile(rf"on course for\s+{shortest} move")
    )
    click_solution(visited)
    expect(visited.locator("#won").get_by_label("3 of 3 stars")).to_be_visible()
    following = visited.locator("#next-puzzle")
    expect(following).to_have_attribute("href", re.compile(r"size=2x3&difficulty=easy$"))
    visited.goto("/new?size=2x3&difficulty=__proto__")
    expect(visited.locator("#board")).to_be_visible()
    visited.context.set_offline(False)
    expect(visited.locator("#notice")).to_be_empty()


STORED = """async (wanted) => {
  const stored = async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith("slidewise"));
    const opened = await Promise.all(names.map((name) => caches.open(name)));
    const keys = (await Promise.all(opened.map((cache) => cache.keys()))).flat();
    return new Set(keys.map(({ url }) => new URL(url).pathname));
  };
  while (!wanted.every((path) => path in window.stored)) {
    window.stored = Object.fromEntries([...await stored()].map((path) => [path, true]));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}"""


@pytest.fixture
def today() -> date:
    """Return the site's date now: the run may have begun the day before."""
    return datetime.now(UTC).date()


def days_around(today: date) -> list[str]:
    """Return the URLs of the stored days."""
    return [f"/daily/{today + timedelta(days)}" for days in range(-13, 15)]


@pytest.fixture
def stocked(visited: Page, today: date) -> Page:
    """Return an offline page after the worker has stored all pages."""
    special = [
        f"/gallery/{story.puzzle}"
        for stories in GALLERY.values()
        for story in stories
        if story.length is None or "_" in story.code
    ]
    visited.evaluate("() => { window.stored = {}; }")
    visited.evaluate(STORED, [*days_around(today), "/gallery", "/levels", *LESSON_PAGES, *special])
    visited.context.set_offline(True)
    return visited


LESSON_PAGES = [
    *("/learn/by-hand", "/learn/by-hand/trainer"),
    *(f"/learn/by-hand/{lesson.key}" for lesson in LESSONS),
]


def test_dailies_of_two_weeks_open_and_can_be_played(stocked: Page, today: date) -> None:
    earliest, *_, latest = days_around(today)
    for day in earliest, latest:
        stocked.goto(day)
        expect(stocked.locator("main.daily .story")).not_to_have_count(0)
        expect(stocked.locator("main.daily time")).to_have_text(
            in_words(date.fromisoformat(day[-10:]))
        )
        expect(stocked.locator("#is-today")).to_have_count(0)
    stocked.goto("/daily")
    expect(stocked.locator("#is-today")).to_be_visible()
    codes = [str(daily_puzzle(today, *size)) for size in sizes_of(today)]
    stocked.locator(f"main.daily a[href='/play/{codes[0]}']").click()
    stocked.wait_for_url(f"**/play/{codes[0]}")
    expect(stocked).to_have_title(re.compile(f"Daily puzzle, {in_words(today)}"))
    expect(stocked.locator("#title")).to_have_text(in_words(today, "short"))
    moves = click_solution(stocked)
    expect(stocked.locator("#won").get_by_label("3 of 3 stars")).to_be_visible()
    stocked.locator("#won").get_by_role("link", name="Share").click()
    expect(stocked.locator("#notice")).to_contain_text("Share your result later.")
    following = stocked.locator("#next-puzzle")
    expect(following).to_have_text("Today’s 4 × 4")
    following.click()
    stocked.wait_for_url(f"**/play/{codes[1]}")
    expect(stocked.locator("#title")).to_have_text(in_words(today, "short"))
    expect(stocked.locator("#board .tile")).to_have_count(15)
    card = stocked.locator("#won-template").evaluate("one => one.innerHTML")
    last = f"/play/{codes[2]}" if len(codes) > 2 else f"/daily/{today}"
    assert f'href="{last}"' in card
    sunday = today + timedelta(7 - today.isoweekday() % 7)  # in the future
    stocked.goto(f"/play/{daily_puzzle(sunday, 4, 4)}")
    expect(stocked.locator("#title")).to_have_text(in_words(sunday, "short"))
    card = stocked.locator("#won-template").evaluate("one => one.innerHTML")
    assert re.search(rf'href="/play/{daily_puzzle(sunday, 5, 5)}"[^>]*>The day’s 5 × 5<', card)
    stocked.goto("/daily")
    expect(stocked.locator(".solved")).to_have_count(0)  # it counts once the server has it
    stocked.context.set_offline(False)
    wait_until(stocked, ALL_SENT)
    stocked.reload()
    expect(stocked.locator(".solved").first).to_have_text(re.compile(f"^Solved: {moves}"))
    stocked.goto(f"/play/{codes[0]}")
    reload_from_server(stocked)
    expect(stocked.locator("#daily-streak")).to_have_text("Your streak: 1 day.")
    assert re.fullmatch(
        rf"Slidewise daily {today} 3×3 · ★★★ · {moves} moves, shortest {moves} · "
        rf"[\d:.]+\n[▁▂▃▄▅▆▇█]{{10}}\nhttp\S+/daily/{today}",
        stocked.get_by_label("Your result").input_value(),
    )


def test_gallery_levels_and_lessons_open(stocked: Page) -> None:
    stocked.goto("/gallery")
    expect(stocked.locator(".story")).to_have_count(sum(map(len, GALLERY.values())))
    links = stocked.locator(".story a[href*='/play/']").evaluate_all(
        "links => links.map((link) => link.href)"
    )
    assert len(links) >= stocked.locator(".story").count()
    for link in links if SWEEP else (links[0], next(link for link in links if "_" in link)):
        stocked.goto(link)
        expect(stocked.locator("#board")).to_be_visible()
    unsolvable = next(
        story for stories in GALLERY.values() for story in stories if story.length is None
    )
    stocked.goto(f"/play/{unsolvable.puzzle}")
    expect(stocked.locator("#unsolvable")).to_be_visible()
    stocked.goto("/levels")
    stocked.locator("main a[href*='/play/']").first.click()
    expect(stocked.locator("#board")).to_be_visible()
    for page in LESSON_PAGES[1 : None if SWEEP else 3]:
        stocked.goto(page)
        expect(stocked.locator("#board .tile").first).to_be_visible()
    expect(stocked.locator("html")).to_have_attribute("data-cached", "seen")


def test_room_without_a_network_is_the_offline_page(visited: Page) -> None:
    friend = visited.locator(".side .ways").get_by_role("button", name="With a friend")
    visited.context.set_offline(True)
    friend.click()
    expect(visited.get_by_role("heading", name="No connection")).to_be_visible()
    visited.context.set_offline(False)
    visited.goto(f"/play/{START}")
    friend.click()
    expect(visited.get_by_label("Link to this room")).to_be_visible()


def test_form_works_and_the_share_sheet_names_the_address(visited: Page) -> None:
    visited.evaluate("() => { window.stored = {}; }")
    visited.evaluate(STORED, ["/new"])
    visited.context.set_offline(True)
    visited.goto("/new")
    visited.get_by_role("radio", name="2 × 3").check()
    visited.get_by_role("button", name="Start").click()
    visited.wait_for_url("**/play/*")
    code = visited.url.rpartition("/")[2]
    puzzle = parse_puzzle(code)
    assert puzzle.start.size == (2, 3)
    tile = puzzle.start.movable[0]
    click(visited, tile)
    expect_game(visited, 1, str(puzzle.start.slide(tile)))
    visited.goto(f"/play/{code}/share")
    expect(visited.locator("#share-sheet")).to_contain_text("is the link to the puzzle")
    visited.goto("/play/1.2.3-8.6.4-7.0.5_1.2.3-8.0.4-7.6.5")
    expect(visited.get_by_role("heading", name="No connection")).to_be_visible()
    visited.goto("/play/1.2.3-4.5.6-7.0.8")
    prepare_numbers(visited)
    click(visited, 8)
    expect(visited.locator("#won").get_by_label("3 of 3 stars")).to_be_visible()
    visited.context.set_offline(False)
    expect(visited.locator("#notice")).to_be_empty()
    wait_until(visited, ALL_SENT)
    expect(visited.locator("#won")).to_have_attribute("data-game", re.compile("@"))  # confirmed


@each(
    ("query", "size", "is_missing"),
    [
        ("size=2x3&difficulty=easy", (2, 3), False),
        ("size=4x4&difficulty=medium", (4, 4), False),
        ("size=5x5&difficulty=any", (5, 5), False),
        ("size=3x3&goal=spiral", (3, 3), True),
        ("size=other&rows=3&cols=5", (3, 3), True),
        ("size=4x4&seed=mine", (4, 4), True),
    ],
)
def test_new_game_of_each_kind_opens(
    visited: Page, query: str, size: tuple[int, int], is_missing: bool
) -> None:
    visited.context.set_offline(True)
    visited.goto(f"/new?{query}")
    puzzle = parse_puzzle(visited.url.rpartition("/")[2])
    assert puzzle.start.size == size
    assert puzzle.solvable
    expect_game(visited, 0, str(puzzle.start))
    expect(visited.locator(".missing")).to_have_count(int(is_missing))


def test_boards_do_not_run_out(visited: Page) -> None:
    visited.context.set_offline(True)
    visited.evaluate(
        """async () => {
          const name = (await caches.keys()).find((one) => one.startsWith("slidewise"));
          const cache = await caches.open(name);
          const boards = await (await cache.match("/boards-ahead.json")).json();
          await cache.put("/boards-ahead.json", Response.json({ ...boards, "3x3": [] }));
        }"""
    )
    codes = set()
    for _ in range(3):
        visited.goto("/new?size=3x3&difficulty=easy")
        codes.add(visited.url.rpartition("/")[2])
        assert parse_puzzle(visited.url.rpartition("/")[2]).solvable
        expect(visited.locator("#board")).to_be_visible()
    assert len(codes) > 1


@pytest.mark.soak
@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_without_a_network(visited: Page, look: tuple[str, int]) -> None:
    visited.context.set_offline(True)
    click(visited, 5)
    expect_lost(visited, 1)
    expect_no_axe_violations(visited, look)
    visited.goto("/learn")
    expect_no_axe_violations(visited, look)
    visited.goto("/new?size=2x3&moves=40")
    expect(visited.locator(".missing")).to_be_visible()
    expect_no_axe_violations(visited, look)
    visited.locator("#share-button").click()
    expect(visited.locator("#share-sheet")).to_contain_text("is the link to the puzzle")
    expect_no_axe_violations(visited, look)
    visited.goto(f"/play/{START}")
    visited.context.set_offline(False)
    expect(visited.locator("#notice")).to_be_empty()


@pytest.mark.parametrize("elsewhere", [False, True])
def test_moves_of_a_left_page_are_sent_too(visited: Page, elsewhere: bool) -> None:
    visited.context.set_offline(True)
    click(visited, 5)
    if elsewhere:  # before leaving the page: the next one may briefly have the network
        headers = {"HX-Request": "true"}
        visited.request.post(f"/play/{START}/slide", form={"tile": "2"}, headers=headers)
    visited.goto("/new?size=3x3")
    click(visited, parse_puzzle(visited.url.rpartition("/")[2]).start.movable[0])
    expect_lost(visited, 1)
    visited.context.set_offline(False)
    if elsewhere:
        visited.get_by_role("link", name="Open that game").click()
        visited.locator("#which-game").get_by_role("button", name="Use this version").click()
    else:
        wait_until(visited, ALL_SENT)
        visited.goto(f"/play/{START}")
        reload_from_server(visited)
    expect(visited.locator("#notice")).to_be_empty()
    expect_game(visited, 1, boards_after(START, (5,))[-1])
    visited.reload()
    expect_game(visited, 1, boards_after(START, (5,))[-1])


@pytest.mark.own_page
def test_setting_deletes_the_stored_pages(visited: Page) -> None:
    click(visited, 5, moves=1)
    open_settings(visited)
    choose_box = visited.get_by_role("checkbox", name="Store the game on this device")
    choose_box.uncheck()
    wait_until(visited, "(await caches.keys()).length === 0")
    wait_until(visited, "(await navigator.serviceWorker.getRegistrations()).length === 0")


VERSIONS = """() => {
  const loaded = [...document.styleSheets].map(({ href, cssRules }) => cssRules.length && href);
  const scripts = performance.getEntriesByType("resource").map(({ name }) => name);
  const found = [...loaded, ...scripts].map((url) => url.match(/static\\/(v-[^/]+)/)?.[1]);
  return [...new Set(found)].filter(Boolean);
}"""
"""The versions of the styles of a page, and of its loaded resources."""

BUILDS = """async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith("slidewise ")), found = [];
  for (const name of names) {
    const urls = (await (await caches.open(name)).keys()).map(({ url }) => url);
    found.push([name.split(" ").at(-2), urls.filter((url) => !url.includes("/static/v-")).length]);
  }
  return Object.fromEntries(found);
}"""
"""The stored builds, and the number of pages of each."""


def set_offline(page: Page, site: Site, is_offline: bool) -> None:
    site.is_down = is_offline
    page.context.set_offline(is_offline)


def test_update_shows_no_old_page_as_new_and_the_game_continues(
    new_context: Callable[..., BrowserContext], server: Server, console_errors: ConsoleErrors
) -> None:
    console_errors.ignore("Failed to load resource", "htmx: htmx:error")
    with site_of(server.url) as site:
        page = new_context().new_page()
        page.goto(f"{site.url}/play/{START}")
        page.evaluate(IS_READY)
        click(page, 5, moves=1)
        (old,) = page.evaluate(VERSIONS)
        (old_build,) = page.evaluate(BUILDS)
        assert page.evaluate(BUILDS)[old_build] > 5

        # The newer worker is not available yet: offline, the whole page is of the old build
        site.is_newer, site.refused = True, "/boards-ahead.json"
        page.reload()
        (new,) = page.evaluate(VERSIONS)
        assert new.startswith(NEWER.decode())
        click(page, 8, moves=2)
        set_offline(page, site, True)
        page.reload()
        assert page.evaluate(VERSIONS) == [old]
        click(page, 3)
        expect_lost(page, 1)
        set_offline(page, site, False)
        expect_game(page, 3, boards_after(START, (5, 8, 3))[-1])

        # The newer worker arrives: the open page still has its files, the next one is new
        site.refused = ""
        page.evaluate("async () => (await navigator.serviceWorker.getRegistration()).update()")
        wait_until(page, f"(await ({BUILDS})())['{old_build}'] === 0")
        page.evaluate(f"() => import('/static/{old}/js/play/speed/csv.js')")
        set_offline(page, site, True)
        page.reload()
        assert page.evaluate(VERSIONS) == [new]
        expect_game(page, 3, boards_after(START, (5, 8, 3))[-1])
        click(page, 1)
        expect_lost(page, 1)
        set_offline(page, site, False)
        expect_game(page, 4, boards_after(START, (5, 8, 3, 1))[-1])
        reload_from_server(page)
        assert page.evaluate(VERSIONS) == [new]
        expect_game(page, 4, boards_after(START, (5, 8, 3, 1))[-1])
        page.close()


@pytest.mark.parametrize("start", some([START, "1.2.3.4-5.6.7.8-9.10.0.11-13.14.15.12"], 0))
def test_solution_is_found_and_replayed_by_the_browser(visited: Page, start: str) -> None:
    puzzle = parse_puzzle(start)
    moves = solve(puzzle).length
    visited.goto(f"/play/{start}")
    expect_game(visited, 0, start)
    visited.context.set_offline(True)
    visited.get_by_role("button", name="Solve", exact=True).click()
    expect(visited.locator("#verdict")).to_contain_text(f"{moves} moves. Proved shortest")
    expect(visited.locator("#steps button")).to_have_count(moves or 0)
    expect(visited.locator("#player output")).to_have_text(f"0 / {moves}")
    board_text = re.sub(r"\b0\b", "blank", start.replace("-", "; ").replace(".", " "))
    expect(visited.locator(".stage .still")).to_have_accessible_name(f"Step 0: {board_text}")
    visited.get_by_role("button", name="To the end").click()
    expect(visited.locator("#player output")).to_have_text(f"{moves} / {moves}")
    board = puzzle.start
    for tile in visited.locator("#steps button").evaluate_all(
        "all => all.map(one => Number(one.dataset.tile))"
    ):
        board = board.slide(tile)
    assert board == puzzle.goal
    expect(visited.locator(".stage .still .tile.home")).to_have_count(len(board.cells) - 1)


def test_offline_play_that_is_switched_off_and_on_stays_on(visited: Page) -> None:
    open_settings(visited)
    visited.locator("#offline").evaluate("box => { box.click(); box.click(); }")
    wait_until(visited, "(await navigator.serviceWorker.getRegistration())?.active")
    wait_until(visited, "(await caches.keys()).some((name) => name.startsWith('slidewise'))")
    visited.reload()
    wait_until(visited, "await caches.match(location.href)")
