"""What the forms of the pages to learn from answer is in view, and links can be copied."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_layout import WIDTHS, expect_to_fit, resize


@pytest.fixture(params=[True, False], ids=["with-javascript", "without"])
def phone(request: pytest.FixtureRequest, new_visitor: Callable[..., Page]) -> Page:
    page = new_visitor(java_script_enabled=request.param)
    page.set_viewport_size({"width": 390, "height": 844})
    return page


def test_the_mark_comes_into_view_and_then_the_next_question(phone: Page) -> None:
    phone.goto("/learn/predict?seed=x")
    phone.locator("[name=answer]").first.check()
    phone.get_by_role("button", name="Mark it").click()
    expect(phone.locator("#marked")).to_be_in_viewport(ratio=0.9)
    expect(phone.locator("#marked")).to_be_focused()
    phone.locator("#next").click()
    expect(phone.locator("#question-title")).to_have_text("Question 2")
    expect(phone.locator("#question-title")).to_be_in_viewport()
    expect(phone.locator("#question-title")).to_be_focused()


def test_the_links_come_into_view(phone: Page) -> None:
    phone.goto("/learn/teachers")
    phone.locator("main [name=start]").fill("1 2 3 4 5 6 7 0 8")
    phone.get_by_role("button", name="Make the links").click()
    expect(phone.locator("#links-title")).to_be_in_viewport()
    expect(phone.locator("#links")).to_be_focused()


def test_what_was_wrong_comes_into_view(phone: Page) -> None:
    phone.goto("/learn/teachers")
    phone.locator("main [name=start]").fill("1 2 3 4")
    phone.get_by_role("button", name="Make the links").click()
    expect(phone.locator("#links")).to_be_in_viewport(ratio=0.9)
    expect(phone.locator("#links")).to_be_focused()


def test_a_link_of_a_lesson_is_copied(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/learn/teachers?start=123456708&hide=hint")
    row = page.locator(".link-row").first
    row.get_by_role("button", name="Copy Play it").click()
    expect(row.get_by_role("status")).to_have_text("Copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == row.locator("input").input_value()
    assert "lesson=hint" in copied


def test_the_mark_stands_within_its_card(page: Page) -> None:
    page.goto("/learn/predict?algorithm=wastar&heuristic=zero&size=2x3&seed=eyes&answer=2")
    for width in WIDTHS:
        resize(page, width)
        expect_to_fit(page)
        for mark in page.locator(".node-choice .verdict").all():
            inner, outer = mark.bounding_box(), mark.locator("..").bounding_box()
            assert inner
            assert outer
            assert outer["x"] <= inner["x"]
            assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]
            assert inner["y"] + inner["height"] <= outer["y"] + outer["height"]
            assert inner["height"] < 30, "it is one line"


def test_what_is_typed_is_darker_than_a_placeholder(page: Page) -> None:
    page.goto("/learn/teachers?seed=anna")
    field = page.locator("main [name=seed]")
    looks = "(one, part) => getComputedStyle(one, part).color"
    assert field.evaluate(looks, None) == page.locator("body").evaluate(looks, None)
    assert field.evaluate(looks, None) != field.evaluate(looks, "::placeholder")


def test_the_table_of_a_worksheet_is_in_blocks_on_a_phone(page: Page) -> None:
    page.goto("/learn/worksheet?run=rbfs&answers=yes")
    for width in WIDTHS:
        resize(page, width)
        expect_to_fit(page)
    resize(page, 320)
    cells = page.locator("#questions td[data-label='Board taken']")
    assert all(box["width"] > 60 for cell in cells.all() if (box := cell.bounding_box()))
