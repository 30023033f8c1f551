"""The lab in a browser: a race that streams in and is stopped, its bars, its link; many boards."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.server import Server
from tests.browser.steps import expect_nothing_of_axe, expect_to_fit_at_all_widths, follow

CODE = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"
HARD = "15.14.1.6-9.11.4.12-0.10.7.3-13.8.5.2"
BIG = "-".join(".".join(str(10 * row + col) for col in range(10)) for row in range(10))
OWN = "astar:=max(manhattan,+2+*+misplaced)"
RACES = [
    f"/lab/{CODE}",
    f"/lab/{CODE}?run=bfs,{OWN}",
    f"/lab/{HARD}",
    f"/lab/{HARD}?run=bfs&seconds=0.2&go=1",
    f"/lab/{BIG}?run=bfs",
    "/lab/1.2.3-8.0.4-7.6.5",
    f"/lab/{CODE}?run=nonsense",
    f"/lab/{CODE}/many?boards=0",
    f"/lab/{CODE}/many?boards=5&run=bfs,astar,greedy:misplaced,{OWN}&go=1",
]


def summary(page: Page) -> Locator:
    return page.locator("#race-said")


def bar(page: Page, number: int) -> float:
    """Return how wide the bar of a run is drawn, as a part of its cell."""
    row = page.locator(f"#run-{number}")
    part: float = row.evaluate(
        """row => row.querySelector(".filled").getBoundingClientRect().width
            / row.querySelector(".log-bar").getBoundingClientRect().width"""
    )
    return part


def test_a_race_streams_into_the_table(page: Page) -> None:
    page.goto(f"/lab/{CODE}")
    expect(summary(page)).to_contain_text("13 of 13 found a solution")
    rows = page.locator("#race-rows tr")
    expect(rows).to_have_count(13)
    expect(rows.locator(".chip")).to_have_count(13)
    wide = page.get_by_role("row", name=re.compile("^Breadth-first search 26"))
    expect(wide).to_contain_text("171,711")
    expect(page.get_by_role("row", name=re.compile("^Depth-first search 62,140"))).to_contain_text(
        "not shortest"
    )
    number = int((wide.get_attribute("id") or "").removeprefix("run-"))
    page.wait_for_function("() => document.getAnimations().length === 0")
    assert bar(page, number) == pytest.approx(0.582, abs=0.01)


def test_other_searches_are_chosen_and_the_address_follows(page: Page) -> None:
    page.goto(f"/lab/{CODE}?run=bfs")
    expect(summary(page)).to_contain_text("1 of 1")
    page.locator("#selection > summary").click()
    page.get_by_role("group", name="A*", exact=True).get_by_label("Linear conflict").check()
    page.get_by_label("More searches").fill("greedy:=2 * manhattan,")
    page.get_by_label("Two at a time").check()
    page.locator("#race-run").click()
    expect(summary(page)).to_contain_text("3 of 3 found")
    wanted = "run=bfs,astar:linear-conflict,greedy:%3D2+*+manhattan&lanes=2"
    expect(page).to_have_url(re.compile(re.escape(wanted).replace("%3D", "(%3D|=)") + "$"))
    page.reload()
    expect(summary(page)).to_contain_text("3 of 3 found")
    expect(page.get_by_label("Two at a time")).to_be_checked()
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    text = download.value.path().read_text()
    assert text.count("\n") == 4
    assert "=2 * manhattan" in text


def test_a_race_is_stopped_by_keyboard(page: Page, server: Server) -> None:
    page.goto(f"/lab/{HARD}?run=greedy:manhattan,bfs,ucs&seconds=60")
    expect(page.locator("#main")).to_contain_text("so the race waits for you")
    page.locator("#race-run").press("Enter")
    searching = page.locator("#run-1")
    expect(searching).to_contain_text("searching")
    expect(searching.locator(".bar-cell")).not_to_contain_text("–")
    page.keyboard.press("Tab")
    expect(page.locator("#race-stop")).to_be_focused()
    page.keyboard.press("Enter")
    expect(summary(page)).to_contain_text("Stopped. 1 of 3 found a solution")
    expect(searching.locator(".chip")).to_have_text("stopped")
    expect(page.locator("#run-2")).to_contain_text("Not run.")
    expect(page.locator("#race-stop")).to_be_focused()
    page.locator("#race-run").click()  # and it can be run again
    expect(page.locator("#run-1")).to_contain_text("searching")
    page.locator("#race-stop").click()
    expect(summary(page)).to_contain_text("Stopped.")


def test_a_row_opens_its_replay_and_its_search(page: Page) -> None:
    page.goto(f"/lab/{CODE}?run=astar:manhattan")
    row = page.locator("#run-0")
    follow(page, row.get_by_role("link", name="Replay"))
    expect(page.locator("#main")).to_contain_text("26 moves")
    page.go_back()
    expect(summary(page)).to_contain_text("1 of 1")
    follow(page, row.get_by_role("link", name="Watch"))
    expect(page.get_by_role("heading", name="Watch it think")).to_be_visible()
    page.get_by_role("navigation", name="Lab").get_by_role("link", name="Heuristics").click()
    expect(page.get_by_role("heading", name="Heuristics", exact=True)).to_be_visible()


def test_what_is_typed_wrong_is_told_where_it_is(page: Page, complaints: list[str]) -> None:
    page.goto(f"/lab/{CODE}?run=bfs")
    expect(summary(page)).to_contain_text("1 of 1")
    page.locator("#selection > summary").click()
    page.get_by_label("More searches").fill("astar:manhat")
    page.locator("#race-run").click()
    expect(page.locator("#notice")).to_contain_text("manhat")
    expect(page.get_by_label("More searches")).to_have_value("astar:manhat")


def test_many_boards_give_medians_and_a_chart(page: Page) -> None:
    page.goto(f"/lab/{CODE}/many")
    page.get_by_label("Boards, up to 100").fill("8")
    page.locator("#many").get_by_label("Seed").fill("class 7")
    page.get_by_role("button", name="Run").click()
    expect(summary(page)).to_have_text("8 of 8 boards done.")
    expect(page.locator(".many-table tbody tr")).to_have_count(6)
    expect(page.locator(".scatter use[x]")).to_have_count(48)
    expect(page).to_have_url(re.compile(r"boards=8&moves=10-28&seed=class\+7&run="))
    page.locator("details.table > summary").click()
    expect(page.get_by_role("region", name="The chart as a table")).to_contain_text("28")
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert download.value.path().read_text().count("\n") == 1 + 48


def test_many_boards_are_stopped(page: Page) -> None:
    page.goto(f"/lab/{CODE}/many?run=iddfs,bfs&moves=28&boards=100")
    page.get_by_role("button", name="Run").click()
    expect(page.locator("#race-live")).to_contain_text("of 100 boards done")
    page.get_by_role("button", name="Stop").click()
    expect(summary(page)).to_contain_text(", then stopped.")
    expect(page.locator(".many-table tbody tr")).to_have_count(2)


@pytest.mark.browser_context_args(java_script_enabled=False)
def test_it_works_without_javascript(page: Page) -> None:
    page.goto(f"/lab/{CODE}")
    page.locator("#selection > summary").click()
    boxes = page.locator("#race input[name=run]:checked")
    while boxes.count():
        boxes.first.uncheck()
    page.get_by_role("group", name="IDA*", exact=True).get_by_label("Manhattan distance").check()
    page.locator("#race-run").click()
    expect(page).to_have_url(re.compile(r"\?run=idastar:manhattan&go=1$"))
    expect(page.locator("#run-0")).to_contain_text("5,270")
    expect(page.locator("#race-stop")).to_be_hidden()
    page.get_by_role("navigation", name="Lab").get_by_role("link", name="Many boards").click()
    page.get_by_label("Boards, up to 100").fill("3")
    page.locator("#many [name=moves]").fill("4")  # so that no time runs out on a busy machine
    page.get_by_role("button", name="Run").click()
    expect(summary(page)).to_have_text("3 of 3 boards done.")


@pytest.mark.parametrize("address", RACES)
def test_it_fits_and_axe_finds_nothing(page: Page, address: str, complaints: list[str]) -> None:
    page.goto(address)
    if page.locator("#race[hx-trigger]").count():
        expect(summary(page)).not_to_be_empty()
    if page.locator("#selection:not([open])").count():
        page.locator("#selection > summary").click()
    expect_to_fit_at_all_widths(page)
    expect_nothing_of_axe(page)
    complaints.clear()  # a page that refuses is one here too
