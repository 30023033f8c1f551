"""Find or install the browser for the browser tests.

The first choice is a headless shell: it halves the CPU time of the tests. Run as a program (``make
test`` does), this module ensures that a browser is installed.
"""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.system_programs import attempt, install, is_debian, output

CHOSEN = os.environ.get("SLIDEWISE_CHROMIUM")
SHELL = "chromium-headless-shell"
"""Name of the package in Playwright and Debian, and of Debian's program on PATH."""

ON_PATH = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ON_MACOS = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
PRINT_PLAYWRIGHTS_PATH = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""
MISSING = f"""\
The browser tests need Chromium or Chrome, and none was found that runs. Any of these will do:
    .venv/bin/playwright install --with-deps --only-shell chromium
    apt-get install {SHELL}      (on Debian, as root)
    make test SLIDEWISE_CHROMIUM=/path/to/chrome (where it is in an unusual place)
`.venv/bin/python -m pytest -m "not browser"` runs all other tests."""
if CHOSEN:
    MISSING = f"SLIDEWISE_CHROMIUM={CHOSEN} does not run as a browser. Correct it, or leave it out."


def find(playwrights: str | None = None) -> str | None:
    """Return the path of the first headless shell that runs, else Chromium or Chrome, or None.

    `playwrights` is the path of Playwright's own Chromium; Playwright reports it by default.
    """
    paths = map(shutil.which, filter(None, _candidates(playwrights)))
    # A stub or a browser without its libraries prints no version.
    return next((path for path in paths if path and output(path, "--version")), None)


def ensure() -> str:
    """Return the path of a browser, after installing one if needed; exit if that fails too."""
    path = find()
    if not path and not CHOSEN:
        attempt(sys.executable, "-m", "playwright", "install", "--only-shell", "chromium")
        path = find()
        if not path and is_debian() and attempt("apt-get", "update"):
            path = (install(SHELL) or install("chromium")) and find()
    elif path and not CHOSEN and not _is_shell(path) and is_debian():
        path = find() if install(SHELL) else path  # saves the tests more seconds than it takes
    return path or sys.exit(MISSING)


def _candidates(playwrights: str | None) -> Iterator[str]:
    if CHOSEN:  # a chosen browser has no fallback
        yield CHOSEN
        return
    # Another process, because Playwright may be running in this one.
    playwrights = playwrights or output(sys.executable, "-c", PRINT_PLAYWRIGHTS_PATH)
    yield from _shells_beside(Path(playwrights))
    yield SHELL
    yield playwrights
    yield from ON_PATH
    yield ON_MACOS


def _shells_beside(chromium: Path) -> Iterator[str]:
    """Yield Playwright's shell of the same number: chromium-9/... has chromium_headless_shell-9."""
    for folder in chromium.parents:
        if found := re.fullmatch(r"chromium-(\d+)", folder.name):
            shells = folder.parent.glob(f"chromium_headless_shell-{found[1]}/*/*headless*shell")
            yield from map(str, shells)


def _is_shell(path: str) -> bool:
    return re.search("headless.shell$", path) is not None


if __name__ == "__main__":
    print("Browser:", ensure())
