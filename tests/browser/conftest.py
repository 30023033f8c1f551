"""What all browser tests share: the browser, the server, and that no page may complain."""

import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, expect

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


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark each test of this folder (pytest calls this for no others)."""
    item.add_marker("browser")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Launch the Chromium found on this machine, without its traffic to update servers."""
    path = chromium.find()
    if path is None:
        pytest.fail(chromium.MISSING, pytrace=False)
    args = [
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--disable-gpu",
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
        context.on("console", lambda message: _note(message, complaints))
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        contexts.append(context)
        return context

    yield listening
    for context in contexts:
        for page in context.pages:
            page.title()  # messages still on their way come before its answer
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


def _note(message: ConsoleMessage, complaints: list[str]) -> None:
    address = message.location.get("url", "")
    expected = REFUSED.match(message.text) and "/static/" not in address
    if message.type in {"error", "warning"} and not expected:
        complaints.append(f"{message.text} ({address})")
