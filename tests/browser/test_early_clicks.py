"""A click on a button whose code is still loading is made once it is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

if TYPE_CHECKING:
    from playwright.sync_api import Route

EDITED = "[data-edits=start] [data-cell='{}']"

CASES = {
    "page": ("/learn", "app", ["#open-settings"], "#settings[open]"),
    "practice": (
        "/learn/by-hand/corner",
        "learn/by_hand",
        [".tile[aria-label*='can move'] >> nth=0"],
        "#said:has-text('1 move.')",
    ),
    "editor": (
        "/custom?start=1.2.3-4.5.6-7.8.0",
        "play/editor",
        [EDITED.format(0), EDITED.format(1)],
        "[data-edits=start][data-board='2.1.3-4.5.6-7.8.0']",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_early_click_acts_once_when_its_code_has_loaded(page: Page, case: str) -> None:
    path, module, clicked, seen = CASES[case]
    held: list[Route] = []
    page.route(f"**/js/{module}.js", lambda route: held.append(route))
    with page.expect_request(f"**/js/{module}.js"):
        page.goto(path, wait_until="commit")
    for selector in clicked:
        page.locator(selector).click()
    expect(page.locator(seen)).to_have_count(0)
    while not held:
        page.wait_for_timeout(50)
    held[0].continue_()
    expect(page.locator(seen)).to_have_count(1)
