"""A deployed Slidewise: nginx with TLS and a path, two web processes, a worker and Redis."""

import contextlib
import http.client
import re
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, BrowserType, Page, expect

from tests.boards import FOUR as HARD
from tests.browser.steps import (
    START,
    ConsoleErrors,
    boards_after,
    choose_algorithm,
    click,
    expect_game,
    expect_moves,
    follow,
    go,
    reload_from_server,
)
from tests.deploy import site as deployed
from tests.deploy.site import Site
from tests.system_programs import program
from tests.web.streams import HTMX, PATIENCE, until

pytestmark = pytest.mark.usefixtures("browser_name")  # runs these tests in this order


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with deployed.running(tmp_path_factory.mktemp("site")) as running:
        yield running


@pytest.fixture
def visitor(new_context: Callable[..., BrowserContext]) -> Page:
    """Return the page of a visitor who trusts the certificate."""
    return new_context(ignore_https_errors=True).new_page()


def test_nginx_accepts_its_configuration(site: Site) -> None:
    command = [program("nginx"), "-t", "-e", "stderr", "-c", str(site.folder / "nginx.conf")]
    tested = subprocess.run(command, capture_output=True, text=True, check=False)
    assert tested.returncode == 0, tested.stderr
    assert "[warn]" not in tested.stderr


def test_a_game_is_played_solved_and_replayed(site: Site, visitor: Page) -> None:
    requested: list[str] = []
    visitor.on("request", lambda request: requested.append(request.url))
    visitor.goto(f"{site.url}/play/{START}")
    click(visitor, 5, moves=1)
    click(visitor, 8, moves=2)
    choose_algorithm(visitor, "astar")
    visitor.locator("#solve-button").click()
    expect(visitor.locator("#verdict")).to_contain_text("shortest")
    go(visitor, "last")
    visitor.reload()
    board = boards_after(START, (5, 8))[-1]
    expect_game(visitor, 2, board)
    follow(visitor, visitor.locator("#replay-link"))
    assert visitor.url.startswith(f"{site.url}/replay/{board}?")
    expect(visitor.locator("main")).to_contain_text("Proved shortest: the exact distance table")
    assert [url for url in requested if not url.startswith(f"{site.url}/")] == []
    cookies = visitor.context.cookies()
    assert {cookie["name"] for cookie in cookies} >= {"slidewise_game", "slidewise_visitor"}
    assert all(cookie["secure"] for cookie in cookies)
    assert all(cookie["path"].startswith("/slidewise/") for cookie in cookies)


def test_404_page_is_the_apps(site: Site) -> None:
    for path, status in ("/no/such/page", 404), ("/play/1.2.3", 400):
        answer = site.fetch(path)
        assert answer.status == status
        assert 'href="/slidewise/' in answer.text, path


def test_response_has_hsts_and_the_request_id_in_the_log(
    site: Site,
) -> None:
    answer = site.fetch("/learn")
    assert "max-age=" in answer.headers["Strict-Transport-Security"]
    line = f" {answer.headers['X-Request-ID']} GET /slidewise/learn 200 "
    assert until(lambda: line in site.log)  # logged after the response is sent


def test_a_stream_arrives_message_by_message(site: Site) -> None:
    packed = {"Accept-Encoding": "br, gzip"}
    with site.open("/slidewise/learn", headers=packed) as page:
        assert page.headers["Content-Encoding"] == "br"  # by the app, which compresses no streams
    form, path = "algorithm=bfs", f"/slidewise/play/{HARD}/solve"
    with site.open(path, "POST", form, {**HTMX, **packed}) as stream:
        assert stream.headers["Content-Encoding"] is None
        while b"Expanded" not in (line := stream.readline()):  # the search would last for minutes
            assert line, "the stream has ended"


def test_nginx_hides_pages_of_operators(site: Site) -> None:
    for path in "/metrics", "/readyz", "/readyz/", "//readyz", "/x/../readyz", "/%72eadyz":
        assert site.fetch(path).status == 404, path
    assert site.fetch("/healthz").status == 200


def test_forged_forwarded_headers_are_ignored(site: Site) -> None:
    forged = {
        "X-Forwarded-Prefix": "/evil",
        "X-Forwarded-Proto": "http",
        "X-Forwarded-Host": "evil",
    }
    answer = site.fetch("/custom", headers={**forged, "X-Forwarded-For": "192.0.2.1"})
    assert answer.status == 200
    assert "evil" not in answer.text


def test_http_redirects_to_https(site: Site) -> None:
    connection = http.client.HTTPConnection(deployed.HOST, site.http_port, timeout=PATIENCE)
    with contextlib.closing(connection):
        connection.request("GET", "/slidewise/learn?a=b")
        with connection.getresponse() as answer:
            assert (answer.status, answer.headers["Location"]) == (301, f"{site.url}/learn?a=b")


def test_logs_contain_no_ip_address_of_a_visitor(site: Site) -> None:
    """Includes the requests of earlier tests on the same site, some of which failed."""
    site.fetch("/custom")
    assert until(lambda: "GET /slidewise/custom 200" in site.log)  # logged after the response
    assert "127.0.0.1 " not in re.sub(r"127\.0\.0\.1:\d+", "upstream", site.log)
    assert (site.folder / "slidewise-error.log").read_text() == ""


def test_play_and_solve_survive_lost_worker_and_web_processes(
    site: Site, visitor: Page, console_errors: ConsoleErrors
) -> None:
    visitor.goto(f"{site.url}/play/{HARD}")
    click(visitor, 9, moves=1)
    search(visitor)
    site.kill_worker()
    site.start_worker()
    click(visitor, 9, moves=2)
    expect(visitor.locator("#verdict")).to_contain_text(
        "The solver stopped unexpectedly. Try again"
    )
    site.wait_for_worker()
    search(visitor)
    (streams,) = [number for number in range(2) if site.streams(number)]
    site.kill_web_process(streams)
    expect(visitor.locator("#verdict")).to_contain_text("The search stopped")
    console_errors.ignore("Failed to load resource", "htmx: htmx:sse:error")
    console_errors.ignore("Failed to fetch dynamically imported module")  # by the engine's worker
    click(visitor, 9, moves=3)
    visitor.reload()
    expect_moves(visitor, 3)
    search(visitor)
    stop(visitor)
    site.kill_web_process(1 - streams)
    answer = site.fetch(f"/play/{START}")
    assert (answer.status, answer.headers["Retry-After"]) == (503, "5")
    assert "your games are kept" in answer.text


@pytest.mark.soak
def test_game_below_the_path_continues_offline(
    site: Site, browser_type: BrowserType, browser_type_launch_args: dict[str, Any]
) -> None:
    args = [*browser_type_launch_args.get("args", []), "--ignore-certificate-errors"]
    with browser_type.launch(**{**browser_type_launch_args, "args": args}) as browser:
        page = browser.new_context(service_workers="allow").new_page()
        page.goto(f"{site.url}/play/{START}")
        page.evaluate("() => navigator.serviceWorker.ready.then(() => 0)")
        page.context.set_offline(True)
        click(page, 5)
        page.goto(f"{site.url}/gallery")
        page.get_by_role("link", name="New 3 × 3").click()
        page.wait_for_url(f"{site.url}/play/*")
        page.goto(f"{site.url}/")
        page.goto(f"{site.url}/play/{START}")
        expect_game(page, 1, boards_after(START, (5,))[-1])
        page.context.set_offline(False)
        reload_from_server(page)
        expect_game(page, 1, boards_after(START, (5,))[-1])


def search(page: Page) -> None:
    """Start a search that would last for minutes, and wait until it reports expansions."""
    choose_algorithm(page, "iddfs")
    page.locator("#solve-button").click()
    expect(page.locator("#job input")).to_have_count(1)
    expect(page.locator("#live")).to_contain_text("Expanded")


def stop(page: Page) -> None:
    page.locator("#stop").click()
    expect(page.locator("#verdict")).to_contain_text("No solution yet. Stopped on request;")
