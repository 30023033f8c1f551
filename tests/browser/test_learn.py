"""Learning pages: examples step, exercises answer in view, links can be copied."""

import itertools
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from slidewise import algorithms
from slidewise.study.prediction import predict
from tests.browser.steps import (
    LOOKS,
    click,
    expect_no_axe_violations,
    expect_to_fit_at_all_widths,
    press,
    wait_for_module,
)
from tests.browser.test_layout import WIDTHS, expect_to_fit, resize
from tests.each import some

TOPICS = [name for name in algorithms() if name not in {"ucs", "wastar"}] + ["manhattan"]
"""Topics with distinct drawings: two more are like A*, and all heuristics are alike."""

LOOKED_AT = dict(zip(TOPICS[::3], itertools.cycle(LOOKS), strict=False))
"""The pages checked by axe, all of one template, and their looks."""

LESSON = "/play/2.3.0-1.4.6-7.5.8?lesson=solver,hint,to-go"


def test_figure_of_a_lesson_and_its_play_are_in_sight(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/learn/astar")
    expect(page.locator(".watch-tree")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_in_viewport(ratio=1)


def test_both_codes_mark_the_line_of_the_figure(page: Page) -> None:
    page.goto("/learn/astar")
    step = page.locator("[data-part=code] [aria-current]")
    marked = page.locator(".code [aria-current=step]")
    expect(marked).to_have_text([re.compile("^add it to frontier"), re.compile("^heappush.*f.g, ")])
    page.locator("[data-do=line]").click()
    expect(step).to_have_attribute("data-step", "take")
    expect(marked).to_have_text([re.compile("^node ←"), re.compile("heappop")])
    page.locator("[data-do=line]").click()
    expect(marked).to_have_text([re.compile("^if node is the goal"), "if is_goal(board):"])


@pytest.mark.parametrize("topic", some(TOPICS, *range(0, len(TOPICS), 3)))
def test_each_example_steps(page: Page, topic: str) -> None:
    page.goto(f"/learn/{topic}")
    heading = page.locator("[data-part=heading]")
    expect(heading).to_have_text("Expansion 1")
    page.locator("[data-do=next]").click()
    expect(heading).to_have_text("Expansion 2")
    expect(page.locator(".watch-tree g.node.current")).to_have_count(1)
    wait_for_module(page, "learn/guide")
    for item in page.locator(".guide li").all()[:3]:
        at = item.get_attribute("data-at")
        item.get_by_role("link").first.click()
        expect(page.locator("[data-part=range]")).to_have_value(at or "")
    expect(page).to_have_url(re.compile(f"/learn/{topic}$"))
    page.locator("[data-do=last]").click()
    expect(heading).to_have_text("The end")
    page.locator("[data-do=first]").click()  # a whole tree may be wider than its window
    expect_to_fit_at_all_widths(page)
    if topic in LOOKED_AT:
        expect_no_axe_violations(page, LOOKED_AT[topic])


def test_challenge_responds_while_typing(page: Page) -> None:
    page.goto("/learn/challenge")
    answer = page.locator("#answer")
    expect(answer).to_contain_text("22 of 31")
    page.locator("[name=start]").fill("8 6 7 2 5 4 3 0 1")
    page.locator("main [name=goal]").fill("")
    expect(answer).to_contain_text("31 of 31")
    expect(answer).to_contain_text("That is the record")
    page.locator("[name=start]").fill("8 6 7 2 5 4 3 0")
    expect(answer.get_by_role("alert")).to_be_visible()
    page.locator("[name=start]").fill("1 2 3 8 0 4 7 6 5")
    expect(answer).to_contain_text("This goal cannot be reached")


def test_a_prediction_is_marked_by_keyboard(page: Page) -> None:
    prediction = predict(2, 3, "astar", "manhattan", "anna", 1)
    page.goto("/learn/predict?seed=anna")
    page.locator("[name=answer]").first.focus()
    press(page, *["ArrowDown"] * prediction.answer, "Space", "Enter")
    expect(page.locator("#marked")).to_contain_text(f"Right. {prediction.why}")
    expect(page.locator("#score")).to_have_text("1 of 1 right")
    page.locator("#next").click()
    expect(page.locator("#question-title")).to_have_text("Question 2")
    expect(page.locator("#score")).to_have_text("1 of 1 right")


def test_lessons_without_javascript(new_visitor: Callable[..., Page]) -> None:
    page = new_visitor(java_script_enabled=False)
    page.goto("/learn/challenge")
    page.locator("[name=start]").fill("450123")
    page.locator("main [name=goal]").fill("")
    page.locator("main [name=size]").fill("2x3")
    page.get_by_role("button", name="How many moves?").click()
    expect(page.locator("#answer")).to_contain_text("21 of 21")
    page.goto("/learn/predict?algorithm=bfs")
    page.locator("[name=answer]").first.check()
    page.get_by_role("button", name="Check my answer").click()
    expect(page.locator("#marked")).to_contain_text("oldest in the queue")
    page.goto("/learn/astar")
    page.locator(".guide a").first.click()
    expect(page).to_have_url(re.compile(r"/watch\?.*at=1"))


def test_lesson_stays_a_lesson_after_moves(page: Page) -> None:
    page.goto(LESSON)
    click(page, 3, moves=1)
    press(page, "h", "g")
    click(page, 2, moves=2)
    for name in ("solver", "hint", "solve-button", "to-go", "shortest"):
        expect(page.locator(f"#{name}")).to_have_count(0)
    expect_to_fit_at_all_widths(page)


def test_worksheet_prints_answers_on_a_separate_page(page: Page) -> None:
    page.goto("/learn/worksheet?seed=anna&answers=yes")
    page.emulate_media(media="print")
    for hidden in ("body > header", "main form"):
        expect(page.locator(hidden).first).to_be_hidden()
    expect(page.locator("#questions")).to_be_visible()
    breaks = "one => getComputedStyle(one).breakBefore"
    assert page.locator("#answers").evaluate(breaks) == "page"


@pytest.fixture(params=[True, False], ids=["with-javascript", "without"])
def phone(request: pytest.FixtureRequest, new_visitor: Callable[..., Page]) -> Page:
    page = new_visitor(java_script_enabled=request.param)
    page.set_viewport_size({"width": 390, "height": 844})
    return page


def test_mark_scrolls_into_view_then_the_next_question(phone: Page) -> None:
    phone.goto("/learn/predict?seed=x")
    phone.locator("[name=answer]").first.check()
    phone.get_by_role("button", name="Check my answer").click()
    expect(phone.locator("#marked")).to_be_in_viewport(ratio=0.9)
    expect(phone.locator("#marked")).to_be_focused()
    phone.locator("#next").click()
    expect(phone.locator("#question-title")).to_have_text("Question 2")
    expect(phone.locator("#question-title")).to_be_in_viewport()
    expect(phone.locator("#question-title")).to_be_focused()


@pytest.mark.parametrize(
    ("start", "seen"), [("1 2 3 4 5 6 7 0 8", "#links-title"), ("1 2 3 4", "#links")]
)
def test_answer_for_teachers_scrolls_into_view(phone: Page, start: str, seen: str) -> None:
    phone.goto("/learn/teachers")
    phone.locator("main [name=start]").fill(start)
    phone.get_by_role("button", name="Make the links").click()
    expect(phone.locator(seen)).to_be_in_viewport(ratio=0.9)
    expect(phone.locator("#links")).to_be_focused()


def test_lesson_link_is_copied_after_an_early_click(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    script: list[Route] = []
    page.route("**/share/sheet.js", lambda route: script.append(route))
    with page.expect_request("**/share/sheet.js"):
        page.goto("/learn/teachers?start=123456708&hide=hint")
    row = page.locator(".link-row").first
    row.get_by_role("button", name="Copy Play it").click()
    expect(row.get_by_role("status")).to_be_empty()
    script[0].continue_()
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


def test_the_table_of_a_worksheet_is_in_blocks_on_a_phone(page: Page) -> None:
    page.goto("/learn/worksheet?run=rbfs&answers=yes")
    for width in WIDTHS:
        resize(page, width)
        expect_to_fit(page)
    resize(page, 320)
    cells = page.locator("#questions td[data-label='Board taken']")
    assert all(box["width"] > 60 for cell in cells.all() if (box := cell.bounding_box()))
