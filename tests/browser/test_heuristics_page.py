"""The page of heuristics in a browser: one's own is typed, read, checked, and followed up."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import expect_nothing_of_axe, expect_to_fit_at_all_widths

CODE = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"
PAGES = [
    f"/lab/{CODE}/heuristics",
    "/lab/3.2.1-7.0.6-4.5.8/heuristics?h=linear-conflict",
    f"/lab/{CODE}/heuristics?h=pdb",
    f"/lab/{CODE}/heuristics?h==manhattan+%2B+conflict_pairs",
    f"/lab/{CODE}/heuristics?own=max(manhat,2)",
    "/lab/15.14.8.12-10.11.9.13-2.6.5.1-3.4.7.0/heuristics?h=misplaced",
    "/lab/"
    + "-".join(".".join(str(10 * row + col) for col in range(10)) for row in range(10))
    + "/heuristics",
]


@pytest.mark.parametrize("address", PAGES)
def test_it_fits_and_axe_finds_nothing(page: Page, address: str) -> None:
    page.goto(address)
    expect_to_fit_at_all_widths(page)
    expect_nothing_of_axe(page)


def test_an_expression_is_read_as_it_is_typed_and_then_checked(page: Page) -> None:
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


def test_pointing_at_a_tile_shows_its_way(page: Page) -> None:
    page.goto(f"/lab/{CODE}/heuristics")
    way = page.locator(".seen g").first
    expect(way.locator(".arrow")).to_have_css("opacity", "0")
    way.locator(".over").hover()
    expect(way.locator(".arrow")).to_have_css("opacity", "0.7")


@pytest.mark.browser_context_args(java_script_enabled=False)
def test_it_works_without_javascript(page: Page) -> None:
    page.goto(f"/lab/{CODE}/heuristics")
    box = page.get_by_role("textbox", name="An expression")
    box.fill("max(manhattan")
    page.get_by_role("button", name="Check it").click()
    expect(page.get_by_role("alert").filter(has_text="bracket")).to_be_visible()
    expect(box).to_have_value("max(manhattan")
    box.fill("max(manhattan, misplaced)")
    box.press("Enter")
    expect(page.locator("#all")).to_contain_text("Admissible.")
    page.get_by_role("link", name="inversions").click()
    expect(page.locator("#all")).to_contain_text("Not admissible.")
    page.get_by_role("link", name="Pattern databases").click()
    expect(page.locator("#all")).to_contain_text("Not consistent.")


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
