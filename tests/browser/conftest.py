"""What all browser tests share: the browser, the server, and that no page may complain."""

import contextlib
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
    CDPSession,
    ConsoleMessage,
    Error,
    Page,
    WebError,
    expect,
)

from tests.browser import chromium
from tests.browser.server import Server, serving
from tests.browser.steps import START, Complaints

MILLISECONDS = 60_000
"""How long anything may take: a busy machine may be slow, which is no failure."""

expect.set_options(timeout=MILLISECONDS)

REFUSED = re.compile(r"Failed to load resource: .* status of (4\d\d|503)")
"""What Chromium itself writes for an answer that refuses something, such as a wrong move."""

UNUSED = (
    # Two pages of their own behind the address bar of each window: half of all the work.
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"),
    # What Playwright leaves out as well: Chromium heeds the last such list only.
    *("AimEnabled", "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose"),
    *("HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay", "MediaRouter"),
    *("NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch"),
    # A frame of its own for each document, also of the same site: a fifth of what a page costs.
    "RenderDocument",
)
"""Features of Chromium that are switched off; it passes over names that it does not know."""

BLOCKED = "Service Worker registration blocked by Playwright"
"""What Playwright writes where a page is to have no service worker."""

HUSH = """addEventListener("pagehide", () => { console.error = () => {}; });"""
"""What a page still asks for when it is left is broken off, which htmx would complain of."""

FOR_GOOD = (
    *("add_init_script", "expose_binding", "expose_function", "route_from_har"),
    *("set_default_timeout", "set_extra_http_headers", "set_geolocation"),
)
"""What a page or its context can be told that nobody can take back."""


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
        "--in-process-gpu",  # what is left of it: no process of its own
        # SwiftShader, which no page needs: it sets a variable of the environment while other
        # threads start and read them, which crashed the browser now and then.
        "--disable-software-rasterizer",
        # Python in the page is compiled quickly, not well: no test runs it for long.
        "--js-flags=--no-wasm-tier-up",
        "--renderer-process-limit=1",  # none is started beforehand for a page that never comes
        f"--disable-features={','.join(UNUSED)}",
    ]
    if os.geteuid() == 0:  # Chromium's sandbox refuses to start as root
        args.append("--no-sandbox")
    return {**browser_type_launch_args, "executable_path": path, "args": args}


@pytest.fixture(scope="session")
def running_browser(launch_browser: Callable[[], Browser]) -> Iterator[Callable[[], Browser]]:
    """Return a function that returns the browser of this process, another one after a crash."""
    launched: list[Browser] = []

    def running() -> Browser:
        if not launched or not launched[-1].is_connected():
            launched.append(launch_browser())
        return launched[-1]

    yield running
    for browser in launched:
        browser.close()


@pytest.fixture
def browser(running_browser: Callable[[], Browser]) -> Browser:
    """Return the browser, which a crash costs one test and no others."""
    return running_browser()


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
def complaints() -> Complaints:
    """Return the list of what went wrong on the pages, which fails a test at its end."""
    return Complaints()


@pytest.fixture
def new_context(
    new_context: Callable[..., BrowserContext], complaints: Complaints
) -> Iterator[Callable[..., BrowserContext]]:
    """Make contexts whose pages fail the test when their console tells of an error."""
    contexts: list[BrowserContext] = []

    def listening(**options: Any) -> BrowserContext:
        context = new_context(**options)
        context.set_default_timeout(MILLISECONDS)
        context.add_init_script(HUSH)
        _listen(context, complaints)
        contexts.append(context)
        return context

    yield listening
    for context in contexts:
        _hear_the_rest(context)
    assert complaints == []


@pytest.fixture
def page(request: pytest.FixtureRequest) -> Page:
    """Return a page that tests take turns on, as somebody's who has never been here.

    That saves most of what a page costs: its process is there, its scripts are compiled. What
    changes a page for good, such as a script for all its documents, is refused there. A test that
    is marked `own_page`, or asks for `context`, has a page of its own.

    Tiles jump, which takes half the processor time, unless a test is marked `motion`.
    """
    marks = {marker.name: marker for marker in request.node.iter_markers()}
    if "own_page" in marks or "context" in request.fixturenames:
        return request.getfixturevalue("context").new_page()
    options = marks["browser_context_args"].kwargs if "browser_context_args" in marks else {}
    page: Page = request.getfixturevalue("shared_page")(**options)
    page.emulate_media(reduced_motion="no-preference" if "motion" in marks else "reduce")
    return page


@pytest.fixture
def game(page: Page) -> Page:
    """Return a page where a game of `START` begins."""
    page.goto(f"/play/{START}")
    return page


@pytest.fixture(scope="session")
def pages(
    running_browser: Callable[[], Browser], browser_context_args: dict[str, Any]
) -> Callable[..., Page]:
    """Return a function that returns the one page with these options, another one after a crash."""
    opened: dict[str, Page] = {}

    def page_with(**options: Any) -> Page:
        key = repr(sorted(options.items()))
        browser = running_browser()
        if key not in opened or opened[key].context.browser != browser:
            context = browser.new_context(**{**browser_context_args, **options})
            context.set_default_timeout(MILLISECONDS)
            context.add_init_script(HUSH)
            opened[key] = context.new_page()
            opened[key].once("crash", lambda _: opened.pop(key))
            for one, name in itertools.product((opened[key], context), FOR_GOOD):
                setattr(one, name, _refuse)
        return opened[key]

    return page_with


@pytest.fixture
def shared_page(
    pages: Callable[..., Page], complaints: Complaints, base_url: str
) -> Iterator[Callable[..., Page]]:
    """Return a function that returns the page with these options, and tidy it up afterwards."""
    with contextlib.ExitStack() as afterwards:

        def page_with(**options: Any) -> Page:
            page = pages(**options)
            page.set_viewport_size(options.get("viewport", {"width": 1280, "height": 720}))
            page.emulate_media(
                media="null",
                color_scheme="light",
                reduced_motion="no-preference",
                forced_colors="none",
                contrast="no-preference",
            )
            page.mouse.move(0, 0)
            stop = _listen(page.context, complaints)
            afterwards.callback(_tidy_up, page, base_url)
            _detach_sessions(page.context, afterwards)
            afterwards.callback(stop)
            afterwards.callback(_hear_the_rest, page.context)
            return page

        yield page_with
    assert complaints == []


@pytest.fixture
def staying_page(pages: Callable[..., Page], complaints: Complaints) -> Iterator[Page]:
    """Return a page that stays as a test leaves it, for the next test of the same file."""
    page = pages(locale="en-GB")  # its context is its own: no other test asks for this
    stop = _listen(page.context, complaints)
    yield page
    _hear_the_rest(page.context)
    stop()
    assert complaints == []


def _detach_sessions(context: BrowserContext, afterwards: contextlib.ExitStack) -> None:
    """Have a session, which may have slowed the page down, end with the test that made it."""

    def new_session(page: Page) -> CDPSession:
        session = BrowserContext.new_cdp_session(context, page)
        afterwards.callback(_detach, session)
        return session

    context.new_cdp_session = new_session  # type: ignore[method-assign]  # undone with the test


def _detach(session: CDPSession) -> None:
    with contextlib.suppress(Error):  # the test has
        session.detach()


def _tidy_up(page: Page, base_url: str) -> None:
    context = page.context
    for other in context.pages:
        if other != page:
            other.close()
    context.set_offline(False)
    context.clear_permissions()
    context.unroute_all(behavior="ignoreErrors")
    page.unroute_all(behavior="ignoreErrors")
    page.goto(f"{base_url}/robots.txt")  # plain text: ends its searches and stores nothing
    page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    context.clear_cookies()


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


@pytest.fixture
def connection_lost(complaints: Complaints) -> None:
    """Pass over what Chromium and htmx tell of lost connections, and over nothing else."""
    complaints.ignore(
        *("Failed to load resource", "htmx: htmx:error: Failed to fetch"),
        "Failed to fetch dynamically imported module",  # the page was cut off before it was whole
    )


def _listen(context: BrowserContext, complaints: Complaints) -> Callable[[], None]:
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


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Have no service worker, which would answer for the network, but where a test lets it."""
    return {"service_workers": "block", **browser_context_args}


def _note(message: ConsoleMessage, complaints: Complaints) -> None:
    address = message.location.get("url", "")
    expected = REFUSED.match(message.text) and "/static/" not in address
    expected = expected or message.text == BLOCKED
    if message.type in {"error", "warning"} and not expected:
        complaints.append(f"{message.text} ({address})")
