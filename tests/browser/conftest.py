"""What all browser tests share: the browser, and the marker that `make check` leaves out."""

import os
from typing import Any

import pytest

from tests.browser import chromium


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
    ]
    if os.geteuid() == 0:  # Chromium's sandbox refuses to start as root
        args.append("--no-sandbox")
    return {**browser_type_launch_args, "executable_path": path, "args": args}
