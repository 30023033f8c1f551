"""The Chromium that the browser tests drive: find one, or install one.

Run as a program (``make test`` does), it makes sure that there is one.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator

NAMED = os.environ.get("SLIDEWISE_CHROMIUM")
ON_PATH = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ON_MACOS = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
ASK_PLAYWRIGHT = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""
MISSING = """\
The browser tests need Chromium or Chrome, and none was found that runs. Any of these will do:
    .venv/bin/playwright install --with-deps chromium
    apt-get install chromium                      (on Debian, as root)
    make test SLIDEWISE_CHROMIUM=/path/to/chrome  (where it is in an unusual place)
"make check" runs all other tests."""
if NAMED:
    MISSING = f"SLIDEWISE_CHROMIUM={NAMED} does not run as a browser. Correct it, or leave it out."


def find(playwrights: str | None = None) -> str | None:
    """Return the path of the first Chromium or Chrome that runs, or None.

    `playwrights` is the path of Playwright's own, which it is asked for where that is not given.
    """
    return next(filter(_runs, _candidates(playwrights)), None)


def ensure() -> str:
    """Return what `find` does, after installing one if need be; exit if that fails too."""
    if path := find():
        return path
    if not NAMED:
        for install in (_with_playwright, _with_apt):
            install()
            if path := find():
                return path
    sys.exit(MISSING)


def _candidates(playwrights: str | None) -> Iterator[str]:
    if NAMED:  # who names a browser wants that one and no other
        yield NAMED
        return
    # Asked in another process, since Playwright may be running in this one.
    yield playwrights or _output(sys.executable, "-c", ASK_PLAYWRIGHT)
    yield from filter(None, map(shutil.which, ON_PATH))
    yield ON_MACOS


def _runs(path: str) -> bool:
    """Tell a browser from a stub, or from one whose libraries are missing."""
    return shutil.which(path) is not None and _output(path, "--version") != ""


def _output(*command: str) -> str:
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return ran.stdout.strip()


def _with_playwright() -> None:
    _try(sys.executable, "-m", "playwright", "install", "--no-shell", "chromium", seconds=240)


def _with_apt() -> None:
    if os.geteuid() == 0 and shutil.which("apt-get"):
        os.environ["DEBIAN_FRONTEND"] = "noninteractive"
        _try("apt-get", "update", seconds=120)
        _try("apt-get", "install", "--yes", "chromium", seconds=600)


def _try(*command: str, seconds: int) -> None:
    """Run a command that may fail; end it, and what it has started, when its time is up."""
    print("No browser yet, trying:", *command, flush=True)
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        print(f"Not done after {seconds} s.", flush=True)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)


if __name__ == "__main__":
    print("Browser:", ensure())
