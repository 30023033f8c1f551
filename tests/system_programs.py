"""Find or install the distribution's programs that tests need.

Run as a program (``make test`` and ``make check`` do), this module installs the missing ones. It
does so only on Debian and similar systems, as root. Tests request programs by `program`; without
its program a test is skipped, and the end of the run reports it.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGES = {
    "firefox-esr": "firefox-esr",
    "nginx": "nginx-light",
    "openssl": "openssl",
    "redis-server": "redis-server",
    "systemd-analyze": "systemd",
    "WebKitWebDriver": "webkit2gtk-driver",
    "Xvfb": "xvfb",
}
"""The programs, each with its Debian package."""

NOT_INSTALLED = {"firefox-esr", "systemd-analyze", "WebKitWebDriver", "Xvfb"}
"""Programs that are part of the system, or large and for `make soak` alone."""

SYSTEM = "/usr/local/sbin:/usr/sbin:/sbin"
"""Folders of installed servers, which only root's PATH includes."""

DOWNLOAD_SECONDS = 240
"""Enough for 100 MB on a slow connection."""

NOT_RUN = "not run without"
"""Prefix of the skip reasons that the end of the run reports."""

POLICY = Path("/usr/sbin/policy-rc.d")
"""Script that decides if newly installed services start (Debian's invoke-rc.d(8))."""


def find(name: str) -> str | None:
    """Return the path of a program, or None."""
    return shutil.which(name, path=f"{os.environ.get('PATH', os.defpath)}:{SYSTEM}")


def program(name: str) -> str:
    """Return the path of a program; skip the test if it is not installed."""
    path = find(name)
    if path is None:
        pytest.skip(f"{NOT_RUN} {name}: apt-get install {PACKAGES[name]} (on Debian, as root)")
    return path


def ensure() -> None:
    """Install the missing programs if allowed, and report each program's path."""
    missing = [name for name in PACKAGES.keys() - NOT_INSTALLED if not find(name)]
    if missing and is_debian() and attempt("apt-get", "update"):
        with no_service_starts():
            for name in missing:
                install(PACKAGES[name])
    for name in PACKAGES:
        print(f"{name}: {find(name) or 'none, so that its tests do not run'}", flush=True)


def is_debian() -> bool:
    """Return whether packages can be installed with apt-get."""
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def install(package: str) -> bool:
    """Install a package if apt knows it. Only the download has a time limit, so an installation is
    never interrupted."""
    command = ("apt-get", "install", "--yes", "--no-install-recommends", package)
    known = re.search(r"Candidate: \d", output("apt-cache", "policy", package))
    return bool(known) and attempt(*command, "--download-only") and attempt(*command, seconds=None)


def output(*command: str) -> str:
    """Return the output of a command, or "" if it fails."""
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return ran.stdout.strip()


def attempt(*command: str, seconds: int | None = DOWNLOAD_SECONDS) -> bool:
    """Run a command that may fail, and return whether it succeeded.

    At its time limit, the command and its descendants are ended. Its output is long: of a failure
    one line is shown.
    """
    print("For the tests:", *command, flush=True)
    with tempfile.TemporaryFile("w+", errors="replace") as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
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
        log.seek(0)
        lines = log.read().splitlines()
    if process.returncode:
        errors = (line for line in lines if line.startswith(("E: ", "Error")))
        print("    failed:", next(errors, "without a reason"), flush=True)
    return process.returncode == 0


@contextlib.contextmanager
def no_service_starts() -> Iterator[None]:
    """Prevent newly installed services from starting: tests start their own."""
    try:
        with POLICY.open("x") as policy:
            policy.write("#!/bin/sh\nexit 101\n")
        POLICY.chmod(0o755)
    except OSError:  # the machine's own policy decides
        yield
        return
    try:
        yield
    finally:
        POLICY.unlink()


if __name__ == "__main__":
    ensure()
