"""The site as plain files, below a path of a static file host."""

import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Page, Request, expect

from slidewise.course.judge import exercises
from tests.browser.newer_build import NEWER, VERSION
from tests.browser.steps import (
    ConsoleErrors,
    click,
    expect_no_axe_violations,
    expect_to_fit,
    expect_to_fit_at_all_widths,
    resize,
)
from tests.web.static_folder import written_site
from webapp.static_site import FIRST_PUZZLE

pytestmark = pytest.mark.browser_context_args(service_workers="allow", reduced_motion="reduce")

FIND_ZERO = """\
def find_zero(board):
    return divmod(board.index(0), int(len(board) ** 0.5))
"""

UPDATED = " updated"
"""Suffix of the name of a newer version."""

HOST_PAGE = """\
<!doctype html>
<title>A page of another site</title>
<script type="module" src="course/static/slide-wise/slide-wise.js"></script>
<slide-wise board="1.2.3-4.5.6-7.0.8"></slide-wise>
"""


class Quiet(SimpleHTTPRequestHandler):
    """The handler of `python -m http.server`, without its log."""

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a host, with a site in `course`."""
    return written_site(tmp_path_factory).parent


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    """Return the URL of the site."""
    handler = partial(Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/course/"
        server.shutdown()
        thread.join()


@pytest.fixture
def visitor(site: str, page: Page, console_errors: ConsoleErrors) -> Iterator[Page]:
    """Return a page that may send only GET requests. Tests share its service worker."""
    sent: list[str] = []

    def note(request: Request) -> None:
        if request.method != "GET":
            sent.append(f"{request.method} {request.url}")

    page.context.on("request", note)
    console_errors.ignore(
        "no server"
    )  # htmx logs an error for a search that the browser runs itself
    yield page
    page.context.remove_listener("request", note)
    page.goto(f"{site}boards-ahead.json")  # no page of a game, which stores it at its end
    page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    assert sent == []


def first_game(page: Page, site: str, home: str = FIRST_PUZZLE.removeprefix("/")) -> None:
    """Open the first game, and wait for the service worker."""
    page.goto(f"{site}{home}")
    expect(page).to_have_url(f"{site}{FIRST_PUZZLE.removeprefix('/')}/")
    expect(page.locator("#play")).to_be_visible()
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")


@pytest.mark.own_page  # after the first visit, the site leads to another game
def test_first_game_is_played_stored_and_followed_by_another(site: str, visitor: Page) -> None:
    page = visitor
    first_game(page, site, home="")
    page.locator("#hint").click()
    expect(page.locator(".tile.hint")).to_have_id("t5")
    click(page, 5)
    expect(page.locator("#play")).to_have_attribute("data-moves", "1")
    page.reload()
    expect(page.locator("#play")).to_have_attribute("data-moves", "1")
    click(page, 6)
    expect(page.locator("#won h2")).to_have_text("Solved")
    expect(page.locator("#notice")).to_be_empty()
    page.locator("#next-puzzle").click()
    expect(page.locator("#play")).to_have_attribute("data-moves", "0")
    expect(page.locator("h1")).to_have_text("3 × 3")
    assert FIRST_PUZZLE not in page.url


def test_exercise_runs_in_the_page(site: str, visitor: Page) -> None:
    page = visitor
    page.goto(f"{site}learn/write/find_zero/")
    page.locator("#code").fill(FIND_ZERO)
    expect(page.locator("#state")).to_have_text("Python is ready.")
    page.locator("#run").click()
    expect(page.locator("#state")).to_contain_text("All checks passed")
    expect(page.locator("#checks .mark.yes")).to_have_count(len(exercises()["find_zero"].checks))


def test_games_without_a_file_are_made_and_solved_in_the_page(site: str, visitor: Page) -> None:
    page = visitor
    first_game(page, site)
    codes = []
    for _ in range(2):
        page.goto(f"{site}new?size=3x3&difficulty=easy")
        expect(page.locator("#shortest .level")).to_have_text("Easy")
        codes.append(page.locator("#play").get_attribute("data-start"))
    assert len(set(codes)) == len(codes)
    code = "1.2.3.4-5.6.7.8-9.10.11.12-0.13.14.15"
    page.goto(f"{site}play/{code}")
    expect(page.locator("#play")).to_have_attribute("data-start", code)
    page.locator("#solve-button").click()
    expect(page.locator("#verdict")).to_contain_text("3 moves. Proved shortest")
    expect(page.locator("#algorithms")).to_be_hidden()
    page.goto(f"{site}new?size=other&rows=6&cols=7")
    expect(page.locator("h1")).to_have_text("6 × 7")
    expect(page.locator("#hint")).to_be_hidden()
    expect(page.locator(".missing")).to_have_count(0)
    page.keyboard.press("h")
    expect(page.locator("#said")).to_have_text("Hints are for boards of up to 16 cells.")


@pytest.mark.own_page
def test_daily_page_ends_with_the_days_of_the_site(site: str, visitor: Page) -> None:
    page = visitor
    last = datetime.now(UTC) + timedelta(days=1)
    page.clock.set_fixed_time(last + timedelta(days=40))
    page.goto(f"{site}daily/")
    expect(page).to_have_url(re.compile(r"/daily/\d{4}-\d\d-\d\d/$"))
    expect(page.locator(".of-the-day .note").first).to_contain_text("(the last day of this site)")
    assert page.locator("time").get_attribute("datetime") in {
        f"{last - timedelta(day):%Y-%m-%d}"
        for day in (0, 1)  # midnight may have passed
    }


@pytest.mark.soak
def test_site_fits_and_axe_finds_nothing(site: str, visitor: Page) -> None:
    page = visitor
    first_game(page, site)
    expect_to_fit_at_all_widths(page)
    expect_no_axe_violations(page, ("dark", 390))
    page.goto(f"{site}new?size=other&rows=6&cols=7")
    expect(page.locator("h1")).to_have_text("6 × 7")
    expect_to_fit_at_all_widths(page)
    resize(page, 1280)
    page.locator("#new-game").click()
    expect(page.locator("#new")).to_be_visible()
    expect_to_fit(page)
    expect_no_axe_violations(page, ("light", 1280))


@pytest.mark.browser_context_args(java_script_enabled=False, viewport={"width": 320, "height": 640})
def test_without_javascript_nothing_is_sent(site: str, visitor: Page) -> None:
    page = visitor
    page.goto(f"{site}{FIRST_PUZZLE.removeprefix('/')}/")
    expect(page.locator(".notice")).to_contain_text("need JavaScript")
    expect(page.locator("#hint")).to_be_hidden()
    expect(page.locator("#new-game")).to_be_hidden()
    expect_to_fit(page)
    click(page, 5)
    page.goto(f"{site}daily/")
    expect(page.locator("form:visible")).to_have_count(0)


def test_component_works_from_the_site(site: str, folder: Path, visitor: Page) -> None:
    page = visitor
    (folder / "host.html").write_text(HOST_PAGE)
    page.goto(f"{site}../host.html")
    page.get_by_role("button", name="8").click()
    expect(page.get_by_text("Solved in 1 move.", exact=True)).to_be_visible()


def test_game_continues_with_updated_files(site: str, folder: Path, visitor: Page) -> None:
    page = visitor
    shutil.rmtree(folder / "updated", ignore_errors=True)  # of an attempt that crashed
    shutil.copytree(folder / "course", folder / "updated")
    page.goto(f"{site}../updated/new/")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.goto(f"{site}../updated/new?size=3x3&difficulty=hard")
    expect(page.locator("#play")).to_have_attribute("data-moves", "0")
    tile = page.locator("#board .tile[aria-label*=move]:visible").first
    expect(tile).to_be_visible()  # of this game, not of the page's original game
    tile.click()
    expect(page.locator("#play")).not_to_have_attribute("data-moves", "0")
    board = page.locator("#play").get_attribute("data-board") or ""
    update(folder / "updated")
    page.evaluate(
        """async () => {
          const { serviceWorker } = navigator;
          const change = new Promise((resolve) => {
            serviceWorker.addEventListener("controllerchange", resolve, { once: true });
          });
          await (await serviceWorker.ready).update();
          await change;
        }"""
    )
    assert UPDATED in page.evaluate("async () => (await caches.keys()).at(-1)")
    page.reload()
    expect(page.locator(f"script[src*={NEWER.decode()}]").first).to_be_attached()
    expect(page.locator("#play")).to_have_attribute("data-board", board)
    expect(tile).to_be_visible()
    tile.click()
    expect(page.locator("#play")).not_to_have_attribute("data-board", board)


def update(site: Path) -> None:
    """Change a site as if a newer version had written it."""
    (files,) = site.glob("static/v-*")
    files.rename(files.with_name(NEWER.decode()))
    for path in (*site.rglob("*.html"), site / "worker.js"):
        path.write_bytes(VERSION.sub(NEWER, path.read_bytes()))
    worker = site / "worker.js"
    worker.write_text(worker.read_text().replace('", "language"', f'{UPDATED}", "language"', 1))
