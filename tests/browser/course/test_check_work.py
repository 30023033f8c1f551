"""Checking a student's program: paste it, see the first difference, continue from there."""

from pathlib import Path

from playwright.sync_api import Page, expect

from slidewise import parse_puzzle, search
from slidewise.solver.events import Expanded
from tests.browser.steps import box_of, expect_to_fit

BOARD = "4.1.3-7.2.5-0.8.6"


def test_pasted_expansions_are_checked_in_their_own_order(page: Page) -> None:
    events = search(parse_puzzle(BOARD), "bfs", None, trace=99, convention="slidewise,order=durl")
    order = "\n".join(str(event.board) for event in events if isinstance(event, Expanded))
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/lab/check")
    page.get_by_label("What your program found").fill(order)
    page.locator("#check").get_by_role("button", name="Check").press("Enter")
    expect(page.get_by_role("heading", level=2).first).to_have_text("Right, in another way")
    expect(page.locator("main")).to_contain_text("First difference at expansion 9")
    ringed = page.locator(".check-pair .tile.moved")
    expect(ringed).to_have_text(["8", "1"])
    on = page.get_by_role("button", name="Check with this order")
    expect(on).to_be_in_viewport(ratio=1)
    on.press("Enter")
    expect(page.locator("#found")).to_have_text("Everything is right")


def test_verdict_is_in_view_on_a_low_phone(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto(f"/lab/{BOARD}/check")
    page.get_by_label("What your program found").fill("DRU")
    page.locator("#check").get_by_role("button", name="Check").press("Enter")
    navigation = box_of(page.get_by_role("navigation", name="Pages"))
    verdict = box_of(page.locator("#found"))
    assert verdict["y"] + verdict["height"] <= navigation["y"]
    expect_to_fit(page)


def test_a_file_of_20_mb_is_answered_with_the_limit(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"1" * 20_000_000)
    page.goto("/lab/check")
    page.get_by_label("Or a file").set_input_files(file)
    page.locator("#check").get_by_role("button", name="Check").click()
    expect(page.locator("main")).to_contain_text("A file may have up to 1 MB.")
