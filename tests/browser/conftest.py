"""What all browser tests share: the browser, the server, and that no page may complain."""

import itertools
import os
import re
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    BrowserType,
    ConsoleMessage,
    Page,
    WebError,
    expect,
)

from tests.browser import chromium
from tests.browser.server import Server, serving

expect.set_options(timeout=20_000)  # a busy machine may be slow, which is no failure

REFUSED = re.compile(r"Failed to load resource: .* status of (4\d\d|503)")
"""What Chromium itself writes for an answer that refuses something, such as a wrong move."""

UNUSED = (
    # Two pages of their own behind the address bar of each window: half of all the work.
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"),
    # What Playwright leaves out as well: Chromium heeds the last such list only.
    *("AimEnabled", "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose"),
    *("HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay", "MediaRouter"),
    *("NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch"),
)
"""Features of Chromium that are switched off; it passes over names that it does not know."""

FOR_GOOD = (
    *("add_init_script", "expose_binding", "expose_function", "route", "route_from_har"),
    *("grant_permissions", "new_cdp_session", "set_default_timeout", "set_extra_http_headers"),
    *("set_geolocation", "set_offline"),
)
"""What a page or its context can be told that tells on the next test."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark each test of this folder (pytest calls this for no others)."""
    item.add_marker("browser")


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], browser_type: BrowserType
) -> dict[str, Any]:
    """Launch the Chromium found on this machine, without its traffic to update servers."""
    path = chromium.find(browser_type.executable_path)
    if path is None:
        pytest.fail(chromium.MISSING, pytrace=False)
    args = [
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--disable-gpu",
        "--renderer-process-limit=1",  # none is started beforehand for a page that never comes
        f"--disable-features={','.join(UNUSED)}",
    ]
    if os.geteuid() == 0:  # Chromium's sandbox refuses to start as root
        args.append("--no-sandbox")
    return {**browser_type_launch_args, "executable_path": path, "args": args}


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server that runs as long as the tests of this process."""
    with serving(tmp_path_factory.mktemp("server") / "log.txt") as running:
        yield running


@pytest.fixture(scope="session")
def base_url(server: Server) -> str:
    """Let `page.goto("/custom")` go to the server."""
    return server.url


@pytest.fixture
def complaints() -> list[str]:
    """Return the list of what went wrong on the pages; a test may clear what it provoked."""
    return []


@pytest.fixture
def new_context(
    new_context: Callable[..., BrowserContext], complaints: list[str]
) -> Iterator[Callable[..., BrowserContext]]:
    """Make contexts whose pages fail the test when their console tells of an error."""
    contexts: list[BrowserContext] = []

    def listening(**options: Any) -> BrowserContext:
        context = new_context(**options)
        _listen(context, complaints)
        contexts.append(context)
        return context

    yield listening
    for context in contexts:
        _hear_the_rest(context)
    assert complaints == []


@pytest.fixture
def page(request: pytest.FixtureRequest) -> Page:
    """Return a page: a new one, but where the file's tests are marked to share one.

    That saves most of what a page costs: its process is there, its scripts are compiled. What
    changes a page for good, such as a slow network, is refused there: a test that does that, or
    asks for `context`, has a page of its own.
    """
    marked = {marker.name for marker in request.node.iter_markers()}
    own = marked & {"own_page", "browser_context_args"} or "context" in request.fixturenames
    if "same_page" in marked and not own:
        return request.getfixturevalue("same_page")
    return request.getfixturevalue("context").new_page()


@pytest.fixture(scope="module")
def page_of_the_file(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Page]:
    """Return the one page of the file's tests."""
    context = browser.new_context(**browser_context_args)
    page = context.new_page()
    for one, name in itertools.product((page, context), FOR_GOOD):
        setattr(one, name, _refuse)
    yield page
    context.close()


@pytest.fixture
def same_page(page_of_the_file: Page, complaints: list[str], base_url: str) -> Iterator[Page]:
    """Return the one page of the file's tests, as somebody's who has never been here."""
    page = page_of_the_file
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(media="null", color_scheme="light", reduced_motion="no-preference")
    page.mouse.move(0, 0)
    stop = _listen(page.context, complaints)
    yield page
    _hear_the_rest(page.context)
    stop()
    if page.url.startswith(base_url):
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    page.goto("about:blank")  # which ends its searches
    page.context.clear_cookies()
    for other in page.context.pages:
        if other != page:
            other.close()
    assert complaints == []


@pytest.fixture
def new_visitor(new_context: Callable[..., BrowserContext]) -> Callable[..., Page]:
    """Return a function that opens a page of somebody else, at an address of their own."""
    count = 0

    def visitor(**options: Any) -> Page:
        nonlocal count
        count += 1
        headers = {"X-Forwarded-For": f"192.0.2.{count}"}
        return new_context(extra_http_headers=headers, **options).new_page()

    return visitor


def _listen(context: BrowserContext, complaints: list[str]) -> Callable[[], None]:
    """Note what the pages complain of; return what ends that."""

    def console(message: ConsoleMessage) -> None:
        _note(message, complaints)

    def error(error: WebError) -> None:
        complaints.append(str(error.error))

    context.on("console", console)
    context.on("weberror", error)

    def stop() -> None:
        context.remove_listener("console", console)
        context.remove_listener("weberror", error)

    return stop


def _refuse(*args: object, **options: object) -> NoReturn:
    pytest.fail("This changes the page of other tests too: mark the test as own_page.")


def _hear_the_rest(context: BrowserContext) -> None:
    for page in context.pages:
        page.title()  # messages still on their way come before its answer


def _note(message: ConsoleMessage, complaints: list[str]) -> None:
    address = message.location.get("url", "")
    expected = REFUSED.match(message.text) and "/static/" not in address
    if message.type in {"error", "warning"} and not expected:
        complaints.append(f"{message.text} ({address})")
