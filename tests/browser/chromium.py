"""The browser that the browser tests drive: find one, or install one.

First choice is a headless shell, which is Chromium without its windows: the tests take half the
processor time with it. Run as a program (``make test`` does), this makes sure that there is one.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

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
DOWNLOAD_SECONDS = 240
"""For 100 MB on a slow line."""

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
    return next((path for path in paths if path and _output(path, "--version")), None)


def ensure() -> str:
    """Return what `find` does, after installing one if need be; exit if that fails too."""
    path = find()
    if not path and not NAMED:
        _try(sys.executable, "-m", "playwright", "install", "--only-shell", "chromium")
        path = find()
        if not path and _is_debian() and _try("apt-get", "update"):
            path = (_from_debian(SHELL) or _from_debian("chromium")) and find()
    elif path and not NAMED and not _is_shell(path) and _is_debian():
        path = find() if _from_debian(SHELL) else path  # seconds, which the tests give back
    return path or sys.exit(MISSING)


def _candidates(playwrights: str | None) -> Iterator[str]:
    if NAMED:  # who names a browser wants that one and no other
        yield NAMED
        return
    # Asked in another process, since Playwright may be running in this one.
    playwrights = playwrights or _output(sys.executable, "-c", ASK_PLAYWRIGHT)
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


def _output(*command: str) -> str:
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return ran.stdout.strip()


def _is_debian() -> bool:
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def _from_debian(package: str) -> bool:
    """Install a package, if apt knows it; only its download is given up, which does no harm."""
    install = ("apt-get", "install", "--yes", "--no-install-recommends", package)
    known = re.search(r"Candidate: \d", _output("apt-cache", "policy", package))
    return bool(known) and _try(*install, "--download-only") and _try(*install, seconds=None)


def _try(*command: str, seconds: int | None = DOWNLOAD_SECONDS) -> bool:
    """Run a command that may fail and return whether it did not.

    When its time is up, it is ended with all that it has started. It has much to say: of a failure
    one line is shown.
    """
    print("For the browser tests:", *command, flush=True)
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            start_new_session=True,
        )
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)
            print(f"    not done after {seconds} s", flush=True)
            return False
        output.seek(0)
        said = output.read().splitlines()
    if process.returncode:
        errors = (line for line in said if line.startswith(("E: ", "Error")))
        print("    failed:", next(errors, "without a reason"), flush=True)
    return process.returncode == 0


if __name__ == "__main__":
    print("Browser:", ensure())
