"""Firefox and WebKitGTK, driven by Selenium, against a server of these tests.

They are no part of a usual run: each test is marked `soak` and skipped if its browser is missing.
"""

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from selenium.webdriver import FirefoxOptions, WebKitGTK, WebKitGTKOptions, WebKitGTKService
from selenium.webdriver.remote.webdriver import WebDriver

from tests import system_programs
from tests.browser.server import Server, serving
from tests.other_browsers.marionette import MarionetteConnection

MINI_BROWSERS = "*/webkit2gtk-4.*/MiniBrowser"
"""The browser of Debian's package, which is on no PATH."""

SELENIUMS_OWN = "ignore:setting remote_server_addr in RemoteConnection:DeprecationWarning"
"""Warning that Selenium 4.51 causes itself."""

ERROR = re.compile(
    r"^(?:console\.error: [\"(]|JavaScript error: http|CONSOLE \w+ ERROR).*", re.MULTILINE
)
"""An error of a page, in the output of Firefox or WebKit."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark each test of this folder (pytest calls this for no others)."""
    item.add_marker("soak")
    item.add_marker(pytest.mark.filterwarnings(SELENIUMS_OWN))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server that runs until the tests end."""
    with serving(tmp_path_factory.mktemp("site") / "log.txt") as running:
        yield running


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """Return the name of a display without a screen, which MiniBrowser needs."""
    reading, writing = os.pipe()
    command = [system_programs.program("Xvfb"), "-displayfd", str(writing), "-nolisten", "tcp"]
    command += ["-screen", "0", "1400x1000x24"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        with os.fdopen(reading) as number:
            yield f":{number.readline().strip()}"
        server.terminate()


@contextmanager
def firefox(folder: Path, log: Path, **preferences: object) -> Iterator[WebDriver]:
    """Run Firefox with a new profile."""
    connection = MarionetteConnection(
        system_programs.program("firefox-esr"), folder, log, preferences
    )
    with connection:
        yield WebDriver(command_executor=connection, options=FirefoxOptions())


@contextmanager
def webkit(folder: Path, log: Path, display: str) -> Iterator[WebDriver]:
    """Run MiniBrowser of WebKitGTK, which stores nothing beyond the session."""
    options = WebKitGTKOptions()
    browsers = map(str, Path("/usr/lib").glob(MINI_BROWSERS))
    options.binary_location = max(browsers, default="MiniBrowser")
    options.add_argument("--automation")
    options.add_argument("--enable-write-console-messages-to-stdout=true")
    environment = {**os.environ, "DISPLAY": display, "HOME": str(folder)}
    service = WebKitGTKService(
        system_programs.program("WebKitWebDriver"), log_output=str(log), env=environment
    )
    driver = WebKitGTK(options, service)
    try:
        yield driver
    finally:
        driver.quit()


@pytest.fixture(params=["firefox", "webkit"])
def engine(request: pytest.FixtureRequest) -> str:
    """Return the name of the browser that the test runs in."""
    name: str = request.param
    return name


@pytest.fixture
def browse(
    engine: str, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[Callable[..., WebDriver]]:
    """Return a function that starts the browser as a new visitor; errors of its pages fail."""
    log = tmp_path / "output.txt"
    with ExitStack() as stack:

        def start(**preferences: object) -> WebDriver:
            if engine == "firefox":
                browser = firefox(tmp_path, log, **preferences)
            else:
                browser = webkit(tmp_path, log, request.getfixturevalue("display"))
            driver = stack.enter_context(browser)
            driver.set_window_rect(0, 0, 1280, 900)
            driver.set_script_timeout(60)
            return driver

        yield start
    assert ERROR.findall(log.read_text(errors="replace")) == []


@pytest.fixture
def driver(browse: Callable[..., WebDriver]) -> WebDriver:
    """Return a browser of a new visitor."""
    return browse()
