"""Shared fixtures: the browser, the server, and pages whose console errors fail a test."""

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
from tests.browser.steps import START, ConsoleErrors

MILLISECONDS = 60_000
"""Timeout of every wait; a slow machine is no failure."""

expect.set_options(timeout=MILLISECONDS)

REFUSED = re.compile(r"Failed to load resource: .* status of (4\d\d|503)")
"""Chromium's console message for a 4xx or 503 response, such as a wrong move."""

UNUSED = (
    # Two extra pages behind the address bar of each window: half of all the work.
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"),
    # Playwright's own list: Chromium uses only the last such option.
    *("AimEnabled", "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose"),
    *("HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay", "MediaRouter"),
    *("NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch"),
    # A new frame for each document, even of the same site: a fifth of a page's cost.
    "RenderDocument",
)
"""Chromium features to disable; unknown names are ignored."""

WORKER_BLOCKED = "Service Worker registration blocked by Playwright"
"""Playwright's message if a page may not register a service worker."""

SILENCE_ON_PAGEHIDE = """addEventListener("pagehide", () => { console.error = () => {}; });"""
"""Leaving a page aborts its requests, which htmx would log as errors."""

NOTE_POSTS = """{
  const { fetch } = window;
  const posts = new Set();
  window.fetch = (url, options) => {
    const response = fetch(url, options);
    if (options?.keepalive) posts.add(response);
    return response;
  };
  window.endPosts = () => {
    window.fetch = () => new Promise(() => {});
    return Promise.allSettled(posts);
  };
}"""
"""Defines a function that ends a page's posts. They outlive a page, and would set their cookie in
the next test."""

PERMANENT_METHODS = (
    *("expose_binding", "expose_function", "route_from_har"),
    *("set_default_timeout", "set_extra_http_headers", "set_geolocation"),
)
"""Methods of a page or context whose effect cannot be undone."""

PERMANENT_CLOCK_METHODS = "install", "pause_at", "set_fixed_time", "set_system_time"
"""Methods of their clock whose effect cannot be undone."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark each test of this folder (pytest calls this for no others)."""
    item.add_marker("browser")


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], browser_type: BrowserType
) -> dict[str, Any]:
    """Launch the Chromium of this machine without requests to update servers."""
    path = chromium.find(browser_type.executable_path)
    if path is None:
        pytest.fail(chromium.MISSING, pytrace=False)
    args = [
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--disable-gpu",
        "--in-process-gpu",  # no GPU process
        # SwiftShader, which no page needs, sets an environment variable. Other threads read it at
        # the same time, which crashed the browser now and then.
        "--disable-software-rasterizer",
        # Quick compilation suffices: no test runs Python in the page for long.
        "--js-flags=--no-wasm-tier-up",
        "--renderer-process-limit=1",  # no spare processes for future pages
        f"--disable-features={','.join(UNUSED)}",
    ]
    if os.geteuid() == 0:  # Chromium's sandbox refuses to start as root
        args.append("--no-sandbox")
    return {**browser_type_launch_args, "executable_path": path, "args": args}


@pytest.fixture(scope="session")
def running_browser(launch_browser: Callable[[], Browser]) -> Iterator[Callable[[], Browser]]:
    """Return a function that returns the browser of this process, relaunched after a crash."""
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
    """Return the browser; a crash fails one test only."""
    return running_browser()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server that runs until the tests of this process end."""
    with serving(tmp_path_factory.mktemp("server") / "log.txt") as running:
        yield running


@pytest.fixture(scope="session")
def base_url(server: Server) -> str:
    """Resolve paths such as `page.goto("/custom")` against the server."""
    return server.url


@pytest.fixture
def console_errors() -> ConsoleErrors:
    """Return the list of errors on the pages; errors fail the test at its end."""
    return ConsoleErrors()


@pytest.fixture
def new_context(
    new_context: Callable[..., BrowserContext], console_errors: ConsoleErrors
) -> Iterator[Callable[..., BrowserContext]]:
    """Return a function that creates contexts whose console errors fail the test."""
    contexts: list[BrowserContext] = []

    def listening(**options: Any) -> BrowserContext:
        context = new_context(**options)
        context.set_default_timeout(MILLISECONDS)
        context.add_init_script(SILENCE_ON_PAGEHIDE)
        _record_errors(context, console_errors)
        contexts.append(context)
        return context

    yield listening
    for context in contexts:
        _wait_for_messages(context)
        _unroute_all(context)
    assert console_errors == []


@pytest.fixture
def page(request: pytest.FixtureRequest) -> Page:
    """Return a page shared by tests, in the state of a first visit.

    A shared page saves most of a page's cost: its process runs, its scripts are compiled. A script
    for all documents is removed with the test; permanent changes, such as another clock, are
    refused. A test has its own page if it is marked `own_page` or uses `context`.

    Tiles jump, which halves the CPU time, unless a test is marked `motion`.
    """
    mark = request.node.get_closest_marker
    if mark("own_page") or "context" in request.fixturenames:
        return request.getfixturevalue("context").new_page()
    options = mark("browser_context_args").kwargs if mark("browser_context_args") else {}
    page: Page = request.getfixturevalue("shared_page")(**options)
    page.emulate_media(reduced_motion="no-preference" if mark("motion") else "reduce")
    return page


@pytest.fixture
def game(page: Page) -> Page:
    """Return a page with a new game of `START`."""
    page.goto(f"/play/{START}")
    return page


@pytest.fixture(scope="session")
def pages(
    running_browser: Callable[[], Browser], browser_context_args: dict[str, Any]
) -> Callable[..., Page]:
    """Return a function that returns the shared page with these options, reopened after a crash."""
    opened: dict[str, Page] = {}

    def page_with(**options: Any) -> Page:
        key = repr(sorted(options.items()))
        browser = running_browser()
        if key not in opened or opened[key].context.browser != browser:
            context = browser.new_context(**{**browser_context_args, **options})
            context.set_default_timeout(MILLISECONDS)
            context.add_init_script(SILENCE_ON_PAGEHIDE)
            context.add_init_script(NOTE_POSTS)
            opened[key] = context.new_page()
            for event in "crash", "close":
                opened[key].once(event, lambda _: opened.pop(key, None))
            for target, name in itertools.product((opened[key], context), PERMANENT_METHODS):
                setattr(target, name, _refuse)
            for name in PERMANENT_CLOCK_METHODS:
                setattr(opened[key].clock, name, _refuse)
        return opened[key]

    return page_with


@pytest.fixture
def shared_page(
    pages: Callable[..., Page], console_errors: ConsoleErrors, base_url: str
) -> Iterator[Callable[..., Page]]:
    """Return a function that returns the page with these options, and clean it up afterwards."""
    with contextlib.ExitStack() as cleanup:

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
            stop = _record_errors(page.context, console_errors)
            cleanup.callback(_reset_unless_crashed, page, base_url)
            _detach_sessions(page.context, cleanup)
            _remove_scripts(page, cleanup)
            cleanup.callback(stop)
            cleanup.callback(_wait_for_messages, page.context)
            return page

        yield page_with
    assert console_errors == []


@pytest.fixture
def staying_page(pages: Callable[..., Page], console_errors: ConsoleErrors) -> Iterator[Page]:
    """Return a page that the next test of the same file gets unchanged."""
    page = pages(locale="en-GB")  # a context of its own: no other test uses this locale
    stop = _record_errors(page.context, console_errors)
    yield page
    _wait_for_messages(page.context)
    stop()
    assert console_errors == []


def _detach_sessions(context: BrowserContext, cleanup: contextlib.ExitStack) -> None:
    """Detach sessions, which may have slowed the page down, at the end of the test."""

    def new_session(page: Page) -> CDPSession:
        session = BrowserContext.new_cdp_session(context, page)
        cleanup.callback(_undo, session.detach)
        return session

    context.new_cdp_session = new_session  # type: ignore[method-assign]  # undone with the test


def _remove_scripts(page: Page, cleanup: contextlib.ExitStack) -> None:
    """Remove the scripts that the test adds for all documents, at its end."""

    def add_init_script(*args: Any, **options: Any) -> None:
        script = Page.add_init_script(page, *args, **options)
        cleanup.callback(_undo, script.close)

    page.add_init_script = add_init_script  # type: ignore[method-assign]  # undone with the test


def _undo(act: Callable[[], None]) -> None:
    with contextlib.suppress(Error):  # already undone by the test, or the page has crashed
        act()


def _reset_unless_crashed(page: Page, base_url: str) -> None:
    """Reset the page, or leave it: Chromium sometimes crashes as it ends a page's worker."""
    if page.is_closed():
        return
    try:
        _reset(page, base_url)
    except Error as error:
        if "crashed" not in error.message:
            raise


def _reset(page: Page, base_url: str) -> None:
    context = page.context
    context.set_offline(False)
    context.clear_permissions()
    _unroute_all(context)
    for each in context.pages:
        each.evaluate("() => window.endPosts?.()")
        if each != page:
            each.close()
    page.goto(f"{base_url}/robots.txt")  # plain text: ends its searches and stores nothing
    page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); window.name = ''; }")
    context.clear_cookies()


def _unroute_all(context: BrowserContext) -> None:
    """End all handlers of requests. One that fails later would fail another test."""
    for target in (context, *context.pages):
        target.unroute_all(behavior="ignoreErrors")


@pytest.fixture
def new_visitor(shared_page: Callable[..., Page]) -> Callable[..., Page]:
    """Return a function that returns a page of another visitor, with another IP address.

    Each is shared by tests, like `page`.
    """
    count = itertools.count(1)

    def visitor(**options: Any) -> Page:
        headers = {"X-Forwarded-For": f"192.0.2.{next(count)}"}
        return shared_page(extra_http_headers=headers, **options)

    return visitor


@pytest.fixture
def connection_lost(console_errors: ConsoleErrors) -> None:
    """Ignore messages of Chromium and htmx about lost connections, and only those."""
    console_errors.ignore(
        *("Failed to load resource", "htmx: htmx:error: Failed to fetch"),
        "Failed to fetch dynamically imported module",  # interrupted while loading
    )


def _record_errors(context: BrowserContext, console_errors: ConsoleErrors) -> Callable[[], None]:
    """Record the errors of the pages; return a function that stops recording."""

    def console(message: ConsoleMessage) -> None:
        _record_message(message, console_errors)

    def error(error: WebError) -> None:
        console_errors.append(str(error.error))

    context.on("console", console)
    context.on("weberror", error)

    def stop() -> None:
        context.remove_listener("console", console)
        context.remove_listener("weberror", error)

    return stop


def _refuse(*args: object, **options: object) -> NoReturn:
    pytest.fail("This changes the page of other tests too: mark the test as own_page.")


def _wait_for_messages(context: BrowserContext) -> None:
    for page in context.pages:
        try:
            page.title()  # earlier messages arrive before this response
        except Error as error:
            if "context was destroyed" not in error.message:  # the page reloads at this moment
                raise


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Block service workers, which would answer requests; tests may allow them."""
    return {"service_workers": "block", **browser_context_args}


def _record_message(message: ConsoleMessage, console_errors: ConsoleErrors) -> None:
    address = message.location.get("url", "")
    expected = REFUSED.match(message.text) and "/static/" not in address
    expected = expected or message.text == WORKER_BLOCKED
    if message.type in {"error", "warning"} and not expected:
        console_errors.append(f"{message.text} ({address})")
