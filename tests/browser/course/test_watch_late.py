"""The viewer of a long search: across the gap to its last expansions, and back."""

import re

import pytest
from playwright.sync_api import Page, expect

from slidewise.course.searching import LAST_EXPANSIONS, RECORDED_EXPANSIONS
from tests.browser.course.test_watch import count, do, heading_of, nodes, scrub, watch
from tests.browser.site.test_layout import expect_to_fit
from tests.browser.steps import press
from tests.each import some

LONG = "8.6.7-2.5.4-3.0.1"
ALL = 20_290
"""The expansions of A* from `LONG`."""

FIRST, LAST = RECORDED_EXPANSIONS, LAST_EXPANSIONS
TO_THE_LAST, TO_THE_FIRST = f"Jump to the last {LAST}", f"Back to the first {FIRST:,}"


def number_of(page: Page) -> int:
    """Return the number of the shown expansion."""
    return int(count(page).split("/")[0].replace(",", ""))


def test_viewer_jumps_the_gap_and_reaches_the_goal(page: Page) -> None:
    watch(page, LONG)
    note = page.locator("[data-part=note]")
    expect(note).to_contain_text(f"The first {FIRST:,} and the last {LAST} of {ALL:,} expansions")
    page.get_by_role("button", name=TO_THE_LAST).click()
    gap = re.compile(rf"^… {ALL - FIRST - LAST:,} expansions not recorded … ")
    expect(note).to_contain_text(gap)
    expect(page.locator("[data-part=why]")).to_contain_text(gap)
    assert heading_of(page) == f"Expansion {ALL - LAST + 1:,}"
    assert nodes(page, "current") == 1
    expect(page.locator("[data-part=sizes]")).to_contain_text("8,657")
    do(page, "next")
    expect(page.locator("[data-part=why]")).to_contain_text(re.compile("^It has the lowest f"))
    page.get_by_role("button", name=TO_THE_FIRST).click()
    assert heading_of(page) == f"Expansion {FIRST:,}"
    do(page, "last")
    assert heading_of(page) == "The end"
    assert count(page) == f"{ALL + 1:,} / {ALL + 1:,}"
    assert nodes(page, "goal") == 1
    do(page, "prev")
    assert heading_of(page) == f"Expansion {ALL:,}"


def test_gap_is_crossed_by_keyboard_and_announced(page: Page) -> None:
    watch(page, LONG, algorithm="bidirectional", at=FIRST)
    status = page.locator("[data-part=said]")
    press(page, ".")
    expect(status).to_contain_text("7,890 expansions not recorded")
    expect(status).to_contain_text("Expansion 9,891")
    press(page, ".")
    expect(status).not_to_contain_text("not recorded …")
    press(page, ",", ",")
    assert heading_of(page) == f"Expansion {FIRST:,}"
    button = page.get_by_role("button", name=TO_THE_LAST)
    button.focus()
    press(page, "Enter")
    assert heading_of(page) == "Expansion 9,891"
    expect(page.locator("[data-do=gap]")).to_be_focused()
    page.locator("[data-part=tree]").focus()
    press(page, "End")
    expect(page.locator("[data-part=why]")).to_contain_text("The ends have met")
    assert nodes(page, "met") == 1
    expect(page.locator(".edge.meeting")).to_have_count(1)


@pytest.mark.parametrize("algorithm", some(["bfs", "idastar", "rbfs"], 1))
def test_a_late_expansion_looks_the_same_from_either_side(page: Page, algorithm: str) -> None:
    watch(page, LONG, algorithm=algorithm, at=FIRST + 40)
    shown = page.locator("[data-part=world]").inner_html()
    number = number_of(page)
    scrub(page, FIRST)
    assert number_of(page) == FIRST
    scrub(page, FIRST + 40)
    assert number_of(page) == number > FIRST + 40
    assert page.locator("[data-part=world]").inner_html() == shown
    assert page.locator("[data-part=code] li.on").count() == 1


def test_iteration_buttons_cross_the_gap_both_ways(page: Page) -> None:
    watch(page, LONG, algorithm="idastar", at=FIRST)
    iteration = page.locator("[data-part=iteration]")
    before = iteration.inner_text()
    do(page, "iteration")
    expect(iteration).to_have_text("Iteration 6 of 6: f-limit 31")
    assert number_of(page) > FIRST + 100
    do(page, "iteration-back")
    expect(iteration).to_have_text(before)


@pytest.mark.parametrize(("width", "height"), some([(1280, 800), (390, 844)], 1))
def test_viewer_fits_and_the_gap_is_in_view(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    watch(page, LONG, at=FIRST + 1)
    expect_to_fit(page)
    for selector in ("[data-do=play]", ".tree-window", "[data-part=heading]"):
        expect(page.locator(selector)).to_be_in_viewport(ratio=0.95)
    gap = page.locator("[data-part=why] b")
    expect(gap).to_have_text("… 18,190 expansions not recorded")
    expect(gap).to_be_in_viewport()
