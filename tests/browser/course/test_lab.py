"""The lab in a browser: races, many boards, and heuristics, including a visitor's own."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.server import Server
from tests.browser.steps import wait_for_module
from webapp.course.lab.many_boards import MAX_BOARDS

CODE = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"
HARD = "15.14.1.6-9.11.4.12-0.10.7.3-13.8.5.2"


def summary(page: Page) -> Locator:
    return page.locator("#race-said")


def bar(page: Page, number: int) -> float:
    """Return the width of a run's bar, as a fraction of its cell."""
    row = page.locator(f"#run-{number}")
    part: float = row.evaluate(
        """row => row.querySelector(".filled").getBoundingClientRect().width
            / row.querySelector(".log-bar").getBoundingClientRect().width"""
    )
    return part


def test_a_race_streams_into_the_table(page: Page) -> None:
    page.goto(f"/lab/{CODE}?seconds=20")
    searches = 5
    expect(summary(page)).to_contain_text(f"{searches} of {searches} found a solution")
    rows = page.locator("#race-rows tr")
    expect(rows).to_have_count(searches)
    expect(rows.locator(".chip")).to_have_count(searches)
    wide = page.get_by_role("row", name=re.compile("^Breadth-first search 171,711 26"))
    expect(wide).to_contain_text("171,711")
    deep = page.get_by_role("row", name=re.compile("^Depth-first search [0-9,]+ 62,140"))
    expect(deep).to_contain_text("62,114 above")
    number = int((wide.get_attribute("id") or "").removeprefix("run-"))
    page.wait_for_function("() => document.getAnimations().length === 0")
    assert bar(page, number) == pytest.approx(0.582, abs=0.01)


def test_a_race_waits_for_the_extension_for_streams(page: Page) -> None:
    late: list[Route] = []
    page.route("**/vendor/hx-sse*", lambda route: late.append(route))
    page.goto(f"/lab/{CODE}?seconds=20", wait_until="commit")
    expect(page.locator("#race[data-htmx-powered]")).to_be_attached()
    with page.expect_request(lambda request: request.method == "POST"):
        late[0].continue_()
    expect(summary(page)).to_contain_text("5 of 5 found a solution")


def test_searches_are_corrected_and_the_address_follows(page: Page) -> None:
    page.goto(f"/lab/{CODE}?run=bfs")
    expect(summary(page)).to_contain_text("1 of 1")
    page.locator("#selection > summary").click()
    more = page.get_by_label("More searches")
    more.fill("astar:manhat")
    page.locator("#race-run").click()
    expect(page.locator("#notice")).to_contain_text("manhat")
    expect(more).to_have_value("astar:manhat")
    page.get_by_role("group", name="A*", exact=True).get_by_label("Linear conflict").check()
    more.fill("greedy:=2 * manhattan,")
    page.get_by_label("two at a time").check()
    page.locator("#race-run").click()
    expect(summary(page)).to_contain_text("3 of 3 found")
    query = "run=bfs,astar:linear-conflict,greedy:%3D2+*+manhattan&lanes=2"
    expect(page).to_have_url(re.compile(re.escape(query).replace("%3D", "(%3D|=)") + "$"))
    page.reload()
    expect(summary(page)).to_contain_text("3 of 3 found")
    expect(page.get_by_label("two at a time")).to_be_checked()
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    text = download.value.path().read_text()
    assert text.count("\n") == 4
    assert "=2 * manhattan" in text


def test_a_race_is_stopped_by_keyboard(page: Page, server: Server) -> None:
    page.goto(f"/lab/{HARD}?run=greedy:manhattan,iddfs,ucs&seconds=60")
    expect(page.locator("#main")).to_contain_text("so press Run")
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
    expect(page.locator("#race-stop")).to_be_hidden()
    expect(page.locator("#race-run")).to_be_focused()
    page.locator("#race-run").click()  # it can run again
    expect(page.locator("#run-1")).to_contain_text("searching")
    page.locator("#race-stop").click()
    expect(summary(page)).to_contain_text("Stopped.")


def test_race_is_stopped_before_the_server_has_begun(page: Page) -> None:
    page.goto(f"/lab/{HARD}?run=iddfs&seconds=60")
    expect(page.locator("#main")).to_contain_text("so press Run")
    wait_for_module(page, "course/lab/race")
    page.locator("#race-run").click()
    expect(page.locator("#race-job input")).to_have_count(1)
    page.route("**/race", lambda route: None)  # no response
    page.locator("#race-run").click()
    page.locator("#race-stop").click()
    expect(summary(page)).to_have_text("Stopped.")
    expect(page.locator("#race-stop")).to_be_hidden()
    page.unroute_all(behavior="ignoreErrors")


def test_many_boards_give_medians_and_a_chart(page: Page) -> None:
    page.goto(f"/lab/{CODE}/many")
    boards = page.get_by_label(f"Boards (up to {MAX_BOARDS})")
    boards.fill("0")
    boards.press("Enter")
    expect(page.locator("#notice")).to_contain_text("found 0")
    expect(page.locator("#notice")).to_be_in_viewport()
    boards.fill("8")
    page.locator("#many").get_by_label("Seed").fill("class 7")
    page.get_by_role("button", name="Run").click()
    expect(page.locator("#notice")).to_be_empty()
    expect(summary(page)).to_contain_text("8 of 8 boards done.")
    expect(page.locator("#many .many-table tbody tr")).to_have_count(6)
    expect(page.locator(".scatter use[x]")).to_have_count(48)
    expect(page).to_have_url(re.compile(r"boards=8&moves=10-28&seed=class\+7&run="))


def test_many_boards_are_stopped(page: Page) -> None:
    page.goto(f"/lab/{CODE}/many?run=iddfs,bfs&moves=28&boards=100")
    page.get_by_role("button", name="Run").click()
    expect(page.locator("#race-live")).to_contain_text("of 100 boards done")
    page.get_by_role("button", name="Stop").click()
    expect(summary(page)).to_contain_text(", then stopped.")
    expect(page.locator("#many .many-table tbody tr")).to_have_count(2)


def test_expression_is_parsed_while_typed_and_then_checked(page: Page) -> None:
    page.goto(f"/lab/{CODE}/heuristics")
    box, read = page.get_by_role("textbox", name="An expression"), page.locator("#read")
    box.fill("2*manhat")
    expect(read).to_contain_text("did you mean manhattan?")
    box.fill("2*manhattan")
    expect(read).to_contain_text("Reads as 2 * manhattan")
    box.press("Enter")
    expect(page).to_have_url(re.compile(r"\?h=%3D2\+\*\+manhattan#all$"))
    everything = page.locator("#all")
    expect(everything).to_contain_text("Not admissible.")
    expect(page.locator(".sum")).to_have_text("2 * 18 = 36")
    everything.get_by_role("link", name="See it drawn").nth(1).click()
    expect(page.locator("#main")).to_contain_text("too high here: not admissible")
    page.get_by_role("link", name="Play this board").click()
    expect(page.locator("#heuristic")).to_have_value("=2 * manhattan")
    page.locator("#solve-button").click()
    expect(page.locator("#verdict")).to_contain_text("proves nothing with a heuristic")


def test_hovering_a_tile_shows_its_path(page: Page) -> None:
    page.goto(f"/lab/{CODE}/heuristics")
    way = page.locator(".seen g").first
    expect(way.locator(".arrow")).to_have_css("opacity", "0")
    way.locator(".over").hover()
    expect(way.locator(".arrow")).to_have_css("opacity", "0.7")


def test_an_error_is_where_the_page_opens(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/lab/{CODE}/heuristics")
    box = page.get_by_role("textbox", name="An expression")
    box.fill("foo + 1")
    box.press("Enter")
    expect(page).to_have_title(re.compile("^Error in your own heuristic"))
    expect(box).to_be_focused()
    expect(box).to_have_accessible_description(re.compile("There is no name 'foo'"))
    expect(page.get_by_role("alert").filter(has_text="foo")).to_be_in_viewport()
    box.fill("misplaced")
    box.press("Enter")
    expect(page.get_by_role("heading", name="On all boards: misplaced")).to_be_in_viewport()
