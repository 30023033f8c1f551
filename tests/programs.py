"""Programs of the distribution that tests need: find one, or install one.

Run as a program (``make test`` and ``make check`` do), this installs those that are missing, where
that is allowed: on Debian and its like, as root. Tests ask for theirs by `program`; without it they
are skipped, and the end of the run says so.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGES = {
    "nginx": "nginx-light",
    "openssl": "openssl",
    "redis-server": "redis-server",
    "systemd-analyze": "systemd",
}
"""The programs, and the package of Debian that has each."""

NOT_INSTALLED = {"systemd-analyze"}
"""Those that come with a machine or do not."""

SYSTEM = "/usr/local/sbin:/usr/sbin:/sbin"
"""Where servers are installed, which are folders that only root's PATH names."""

DOWNLOAD_SECONDS = 240
"""For 100 MB on a slow line."""

NOT_RUN = "not run without"
"""How a reason begins that the end of a run tells."""

POLICY = Path("/usr/sbin/policy-rc.d")
"""What says whether a service starts that was just installed (Debian's invoke-rc.d(8))."""


def find(name: str) -> str | None:
    """Return the path of a program, or None."""
    return shutil.which(name, path=f"{os.environ.get('PATH', os.defpath)}:{SYSTEM}")


def program(name: str) -> str:
    """Return the path of a program; skip the test where there is none."""
    path = find(name)
    if path is None:
        pytest.skip(f"{NOT_RUN} {name}: apt-get install {PACKAGES[name]} (on Debian, as root)")
    return path


def ensure() -> None:
    """Install the programs that are missing, if that is allowed; say of each what there is."""
    missing = [name for name in PACKAGES.keys() - NOT_INSTALLED if not find(name)]
    if missing and is_debian() and attempt("apt-get", "update"):
        with none_starts():
            for name in missing:
                install(PACKAGES[name])
    for name in PACKAGES:
        print(f"{name}: {find(name) or 'none, so that its tests do not run'}", flush=True)


def is_debian() -> bool:
    """Return whether packages can be installed with apt-get."""
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def install(package: str) -> bool:
    """Install a package, if apt knows it; only its download is given up, which does no harm."""
    command = ("apt-get", "install", "--yes", "--no-install-recommends", package)
    known = re.search(r"Candidate: \d", output("apt-cache", "policy", package))
    return bool(known) and attempt(*command, "--download-only") and attempt(*command, seconds=None)


def output(*command: str) -> str:
    """Return what a command wrote, nothing where it failed."""
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return ran.stdout.strip()


def attempt(*command: str, seconds: int | None = DOWNLOAD_SECONDS) -> bool:
    """Run a command that may fail and return whether it did not.

    When its time is up, it is ended with all that it has started. It has much to say: of a failure
    one line is shown.
    """
    print("For the tests:", *command, flush=True)
    with tempfile.TemporaryFile("w+", errors="replace") as said:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=said,
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
        said.seek(0)
        lines = said.read().splitlines()
    if process.returncode:
        errors = (line for line in lines if line.startswith(("E: ", "Error")))
        print("    failed:", next(errors, "without a reason"), flush=True)
    return process.returncode == 0


@contextlib.contextmanager
def none_starts() -> Iterator[None]:
    """Keep what is installed meanwhile from starting as a service: tests start their own."""
    try:
        with POLICY.open("x") as policy:
            policy.write("#!/bin/sh\nexit 101\n")
        POLICY.chmod(0o755)
    except OSError:  # the machine has one, which decides
        yield
        return
    try:
        yield
    finally:
        POLICY.unlink()


if __name__ == "__main__":
    ensure()
