"""The pages to learn from, in a browser: each example steps, and exercises answer."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from slidewise import algorithms, heuristics
from slidewise.study.prediction import predict
from tests.browser.steps import (
    LOOKS,
    click,
    expect_moves,
    expect_nothing_of_axe,
    expect_to_fit_at_all_widths,
    press,
)

TOPICS = [*algorithms(), *heuristics()]
OTHERS = [
    *("", "/puzzle", "/challenge", "/challenge?start=1.2.3-8.0.4-7.6.5"),
    *("/predict?size=3x3", "/predict?answer=1"),
    *("/worksheet?answers=yes", "/worksheet?size=2x5&run=rbfs"),
    "/teachers?start=724506831&run=bfs&hide=hint",
]
LESSON = "/play/2.3.0-1.4.6-7.5.8?lesson=solver,hint,to-go"


@pytest.mark.parametrize("topic", TOPICS)
def test_each_example_steps(page: Page, topic: str) -> None:
    page.goto(f"/learn/{topic}")
    heading = page.locator("[data-part=heading]")
    expect(heading).to_have_text("Expansion 1")
    page.locator("[data-do=next]").click()
    expect(heading).to_have_text("Expansion 2")
    expect(page.locator(".watch-tree g.node.current")).to_have_count(1)
    for item in page.locator(".guide li").all():
        at = item.get_attribute("data-at")
        item.get_by_role("link").first.click()
        expect(page.locator("[data-part=range]")).to_have_value(at or "")
    expect(page).to_have_url(re.compile(f"/learn/{topic}$"))
    page.locator("[data-do=goal]").click()
    expect(heading).to_have_text("The end")
    page.locator("[data-do=first]").click()  # a tree in full may be wider than its window
    expect_to_fit_at_all_widths(page)
    expect_nothing_of_axe(page, LOOKS[TOPICS.index(topic) % 2])


@pytest.mark.parametrize("path", OTHERS)
def test_axe_finds_nothing_and_all_fits(page: Page, path: str) -> None:
    page.goto(f"/learn{path}")
    expect_to_fit_at_all_widths(page)
    expect_nothing_of_axe(page)


def test_the_challenge_answers_while_it_is_typed(page: Page) -> None:
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
    asked = predict(2, 3, "astar", "manhattan", "anna", 1)
    page.goto("/learn/predict?seed=anna")
    page.locator("[name=answer]").first.focus()
    press(page, *["ArrowDown"] * asked.answer, "Space", "Enter")
    expect(page.locator("#marked")).to_contain_text(f"Right. {asked.why}")
    expect(page.locator("#score")).to_have_text("1 of 1 right")
    page.locator("#next").click()
    expect(page.locator("#question-title")).to_have_text("Question 2")
    expect(page.locator("#score")).to_have_text("1 of 1 right")


def test_without_javascript(new_visitor: Callable[..., Page]) -> None:
    page = new_visitor(java_script_enabled=False)
    page.goto("/learn/challenge")
    page.locator("[name=start]").fill("450123")
    page.locator("main [name=goal]").fill("")
    page.locator("main [name=size]").fill("2x3")
    page.get_by_role("button", name="How many moves?").click()
    expect(page.locator("#answer")).to_contain_text("21 of 21")
    page.goto("/learn/predict?algorithm=bfs")
    page.locator("[name=answer]").first.check()
    page.get_by_role("button", name="Mark it").click()
    expect(page.locator("#marked")).to_contain_text("oldest in the queue")
    page.goto("/learn/astar")
    page.locator(".guide a").first.click()
    expect(page).to_have_url(re.compile(r"/watch\?.*at=1"))


def test_a_lesson_stays_one_while_it_is_played(page: Page) -> None:
    page.goto(LESSON)
    click(page, 3)
    expect_moves(page, 1)
    press(page, "h", "g")
    click(page, 2)
    expect_moves(page, 2)
    for name in ("solver", "hint", "give-up", "to-go", "shortest"):
        expect(page.locator(f"#{name}")).to_have_count(0)
    expect_to_fit_at_all_widths(page)


def test_a_worksheet_prints_its_answers_on_a_page_of_their_own(page: Page) -> None:
    page.goto("/learn/worksheet?seed=anna&answers=yes")
    page.emulate_media(media="print")
    for hidden in ("body > header", "main form"):
        expect(page.locator(hidden).first).to_be_hidden()
    expect(page.locator("#questions")).to_be_visible()
    breaks = "one => getComputedStyle(one).breakBefore"
    assert page.locator("#answers").evaluate(breaks) == "page"
