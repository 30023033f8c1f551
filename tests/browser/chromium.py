"""The browser that the browser tests drive: find one, or install one.

First choice is a headless shell, which is Chromium without its windows: the tests take half the
processor time with it. Run as a program (``make test`` does), this makes sure that there is one.
"""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.programs import attempt, install, is_debian, output

NAMED = os.environ.get("SLIDEWISE_CHROMIUM")
SHELL = "chromium-headless-shell"
"""What Playwright calls it, and Debian, where it is on PATH as well."""

ON_PATH = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ON_MACOS = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
ASK_PLAYWRIGHT = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""
MISSING = f"""\
The browser tests need Chromium or Chrome, and none was found that runs. Any of these will do:
    .venv/bin/playwright install --with-deps --only-shell chromium
    apt-get install {SHELL}      (on Debian, as root)
    make test SLIDEWISE_CHROMIUM=/path/to/chrome (where it is in an unusual place)
"make check" runs all other tests."""
if NAMED:
    MISSING = f"SLIDEWISE_CHROMIUM={NAMED} does not run as a browser. Correct it, or leave it out."


def find(playwrights: str | None = None) -> str | None:
    """Return the path of the first headless shell that runs, else Chromium or Chrome, or None.

    `playwrights` is the path of Playwright's own Chromium, which it is asked for where that is not
    given.
    """
    paths = map(shutil.which, filter(None, _candidates(playwrights)))
    # Asked for its version to tell it from a stub, or from one whose libraries are missing.
    return next((path for path in paths if path and output(path, "--version")), None)


def ensure() -> str:
    """Return what `find` does, after installing one if need be; exit if that fails too."""
    path = find()
    if not path and not NAMED:
        attempt(sys.executable, "-m", "playwright", "install", "--only-shell", "chromium")
        path = find()
        if not path and is_debian() and attempt("apt-get", "update"):
            path = (install(SHELL) or install("chromium")) and find()
    elif path and not NAMED and not _is_shell(path) and is_debian():
        path = find() if install(SHELL) else path  # seconds, which the tests give back
    return path or sys.exit(MISSING)


def _candidates(playwrights: str | None) -> Iterator[str]:
    if NAMED:  # who names a browser wants that one and no other
        yield NAMED
        return
    # Asked in another process, since Playwright may be running in this one.
    playwrights = playwrights or output(sys.executable, "-c", ASK_PLAYWRIGHT)
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
