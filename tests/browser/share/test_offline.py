"""A solution exported as a file, which plays offline."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import press

CODE = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"
SHORTEST = "RDLU2RDL2DR2UL2UR2DL2DRURD"


@pytest.fixture
def offline(page: Page, shared_page: Callable[..., Page], tmp_path: Path) -> Page:
    """Return a page that shows a solution's file, offline."""
    response = page.request.get(f"/replay/{CODE}.html?moves={SHORTEST}")
    path = tmp_path / "solution.html"
    path.write_bytes(response.body())
    alone = shared_page(offline=True, reduced_motion="reduce")
    alone.emulate_media(reduced_motion="reduce")
    requested: list[str] = []
    alone.on("request", lambda request: requested.append(request.url))
    alone.goto(path.as_uri())
    assert requested == [path.as_uri()]
    return alone


def test_the_file_steps_scrubs_and_plays_by_itself(offline: Page) -> None:
    output = offline.locator("slide-wise output")
    board = offline.get_by_role("img").first
    expect(output).to_have_text("0 / 26")
    offline.get_by_role("button", name="One step forward").click()
    expect(output).to_have_text("1 / 26")
    expect(board).to_have_attribute("aria-label", "Step 1: 7 2 4; blank 5 6; 8 3 1")
    expect(offline.locator("p[role=status]")).to_have_text("Step 1: tile 5 moves right.")
    press(offline, ".", "ArrowRight", ",")
    expect(output).to_have_text("2 / 26")
    offline.get_by_role("slider").fill("26")
    expect(output).to_have_text("26 / 26")
    expect(board).to_have_attribute("aria-label", "Step 26: blank 1 2; 3 4 5; 6 7 8")
    expect(offline.locator(".tile.home")).to_have_count(8)
    offline.locator("#steps button").nth(8).click()
    expect(output).to_have_text("9 / 26")
    expect(offline.locator("#steps [aria-current]")).to_have_text("6←")
    press(offline, "Tab")
    offline.get_by_role("button", name="To the start").click()
    expect(output).to_have_text("0 / 26")
    expect(offline.locator("#steps [aria-current]")).to_have_count(0)
    expect(offline.locator(".proof")).to_contain_text("26 moves. Proved shortest")
    play, pause = (offline.get_by_role("button", name=name) for name in ("Play", "Pause"))
    play.click()
    pause.click()
    expect(play).to_be_visible()
    offline.locator("h1").click()
    for shown in pause, play:
        press(offline, " ")
        expect(shown).to_be_visible()


def test_the_file_is_dark_in_the_dark_and_fits_a_phone(offline: Page) -> None:
    paper = "() => getComputedStyle(document.body).backgroundColor"
    offline.emulate_media(color_scheme="light")
    assert offline.evaluate(paper) == "rgb(245, 243, 238)"
    offline.emulate_media(color_scheme="dark")
    assert offline.evaluate(paper) == "rgb(20, 24, 26)"
    offline.set_viewport_size({"width": 320, "height": 640})
    assert offline.evaluate("document.documentElement.scrollWidth <= innerWidth")
