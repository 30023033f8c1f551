"""The viewer: labels of recursive best-first search, low screens and print."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.site.test_layout import expect_to_fit
from tests.browser.steps import box_of
from tests.each import some

CODE = "5.2.3-1.4.0"


def test_recursive_best_first_search_has_no_iterations(page: Page) -> None:
    page.goto(f"/lab/{CODE}/watch?algorithm=rbfs")
    shown = page.locator("[data-part=iteration]")
    expect(shown).to_have_text("Lowest f at the start: 4")
    page.get_by_role("button", name="Next rise of f").click()
    expect(shown).to_have_text("Lowest f at the start: 6")
    page.get_by_role("button", name="Previous rise of f").click()
    expect(shown).to_have_text("Lowest f at the start: 4")
    expect(page.locator("#main")).not_to_contain_text("teration")


def test_legend_names_only_present_kinds(page: Page) -> None:
    left = page.locator(".watch-legend li").filter(has_text="left again")
    page.goto(f"/lab/{CODE}/watch?algorithm=rbfs")
    expect(left).to_be_visible()
    page.goto(f"/lab/{CODE}/watch?algorithm=bfs")
    expect(page.locator(".watch-legend")).to_be_visible()
    expect(left).to_be_hidden()


@pytest.mark.parametrize(("width", "height"), some([(844, 390), (390, 844), (320, 568)], 0, 2))
def test_tree_and_controls_are_in_view_on_small_screens(
    page: Page, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"/lab/{CODE}/watch?algorithm=rbfs&at=2")
    for selector in ("[data-do=play]", ".tree-window", "[data-part=heading]", "[data-part=facts]"):
        expect(page.locator(selector)).to_be_in_viewport(ratio=0.95)
    expect_to_fit(page)
    if width > height:
        return
    for name, shown in (("Frontier", "frontier"), ("Code", "code-title"), ("Explain", "why")):
        page.get_by_role("button", name=name).click()
        expect(page.locator(f"[data-part={shown}]")).to_be_visible()
        expect(page.locator(".watch-side > .card:visible")).to_have_count(1)


def test_the_sum_of_a_node_is_one_line_on_a_narrow_phone(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto("/lab/6.4.2-1.0.3-7.5.8/watch?algorithm=astar&heuristic=manhattan")
    terms = page.locator(".equation > div")
    expect(terms).to_have_count(3)
    assert len({box_of(term)["y"] for term in terms.all()}) == 1


def test_print_has_all_text_and_no_controls(page: Page) -> None:
    page.goto(f"/lab/{CODE}/watch?algorithm=bfs")
    expect(page.locator(".watch-legend")).to_be_visible()
    page.emulate_media(media="print")
    for hidden in "body > header", ".lab-tabs", ".transport", ".watch-form":
        expect(page.locator(hidden)).to_be_hidden()
    words = page.locator(".watch-words")
    heights = words.evaluate("element => [element.clientHeight, element.scrollHeight]")
    assert heights[0] == heights[1]
