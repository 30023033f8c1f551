"""Learning pages: examples step, exercises answer in view, links can be copied."""

import itertools
import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from slidewise import algorithms, heuristics
from slidewise.course.searching.prediction import predict
from tests.browser.steps import (
    LOOKS,
    WIDTHS,
    box_of,
    click,
    expect_no_axe_violations,
    expect_to_fit,
    expect_to_fit_at_all_widths,
    expect_to_fit_without_axe_violations,
    press,
    resize,
    style,
    wait_for_module,
)
from tests.conftest import SOAK
from tests.each import some
from webapp.course.learn.lessons import LESSONS

TOPICS = [name for name in algorithms() if name not in {*LESSONS, "wastar"}] + ["linear-conflict"]
"""Topics beside the path with distinct drawings: all heuristics are alike."""

PUZZLE = "puzzle", "puzzle/parity"

LESSON = "/play/2.3.0-1.4.6-7.5.8?lesson=solver,hint,to-go"


def test_lines_and_values_follow_the_figure(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/learn/astar")
    expect(page.locator(".figure-window")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Play steps")).to_be_in_viewport(ratio=1)
    wait_for_module(page, "course/learn/lesson")
    steps = json.loads(page.locator("#lesson-run").text_content() or "")["steps"]
    lines = page.locator(".loop li")
    count = page.locator("[data-part=count]")

    def expect_step(at: int, line: int = -1) -> None:
        number, values = steps[at]["moments"][line]
        expect(count).to_have_text(f"{at} / {len(steps) - 1}")
        expect(lines.nth(number)).to_have_attribute("aria-current", "step")
        expect(page.locator(".loop [aria-current]")).to_have_count(1)
        shown = [values.get(str(i), "") for i in range(lines.count())]
        expect(page.locator(".loop var")).to_have_text(shown)
        expect(page.locator(".board-node:not(.unmade)")).to_have_count(len(steps[at]["states"]))
        expect(page.locator("[data-part=words]")).to_have_text(steps[at]["words"])

    page.locator("[data-do=next]").click()
    expect_step(10)
    press(page, "Shift+ArrowRight")
    expect_step(11, 0)
    press(page, "Shift+ArrowRight", "Shift+ArrowRight")
    expect_step(11, 2)
    page.locator("[data-do=last]").click()
    expect_step(12)
    page.locator("[data-do=first]").click()
    expect_step(0)


def test_line_of_the_exercise_is_shown_by_its_button(page: Page) -> None:
    page.goto("/learn/bfs")
    line = page.locator(".loop code", has_text="not in came_from")
    expect(line).to_be_hidden()
    page.get_by_text("Show this line").click()
    expect(line).to_be_visible()
    page.evaluate("localStorage.setItem('code done', 'bfs')")
    page.reload()
    expect(line).to_be_visible()
    expect(page.locator(".trail .is-done")).to_have_text("2")


def test_answer_is_marked_in_place(page: Page) -> None:
    page.goto("/learn/astar")
    wait_for_module(page, "course/learn/lesson")
    options, marked = page.locator(".option"), page.locator("#question .marked")
    options.nth(2).click()
    expect(marked).to_contain_text("Not the newest: that is depth-first search.")
    expect(options.nth(2)).to_have_class("option is-wrong")
    options.nth(1).click()
    expect(marked).to_have_class("marked is-right")
    expect(page).to_have_url(re.compile("/learn/astar$"))


@pytest.mark.parametrize(
    ("lesson", "look"), some(zip(LESSONS, itertools.cycle(LOOKS), strict=False), 0, 3)
)
def test_lesson_fits_without_axe_violations(page: Page, lesson: str, look: str) -> None:
    page.goto(f"/learn/{lesson}?answer=1")
    wait_for_module(page, "course/learn/lesson")
    page.locator("#more").evaluate("details => { details.open = true; }")
    expect_to_fit_at_all_widths(page)
    expect_no_axe_violations(page, look)


@pytest.mark.parametrize("lesson", some(["bfs", "astar"], 1))
def test_whole_figure_is_reached_by_scrolling_on_a_phone(page: Page, lesson: str) -> None:
    resize(page, 390)
    page.goto(f"/learn/{lesson}")
    window, figure = page.locator(".figure-window"), page.locator(".figure")
    for end in ("first", "last"):
        page.locator(f"[data-do={end}]").click()
        window.evaluate("window => { window.scrollLeft = 0; }")
        assert box_of(figure)["x"] >= box_of(window)["x"]
        window.evaluate("window => { window.scrollLeft = window.scrollWidth; }")
        right = [box["x"] + box["width"] for box in map(box_of, (figure, window))]
        assert right[0] <= right[1]


def test_answer_on_a_phone_moves_no_board_to_choose(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/learn/bfs")
    options = page.locator(".option")
    options.last.scroll_into_view_if_needed()
    before = [box_of(option) for option in options.all()]
    options.last.click()
    expect(page.locator(".marked")).to_contain_text("Not the newest")
    assert [box_of(option) for option in options.all()] == before


@pytest.mark.parametrize("lesson", ["iddfs", "idastar"])
def test_buttons_of_a_figure_are_on_the_first_screen(page: Page, lesson: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/learn/{lesson}")
    button, tabs = box_of(page.locator("[data-do=play]")), box_of(page.locator(".nav"))
    assert button["y"] + button["height"] <= tabs["y"]


def test_phone_shows_the_numbers_of_a_climb_within_their_tiles(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/learn/local-search")
    tiles = page.locator(".climb .tile b")
    expect(tiles).to_have_count(9 * 5)
    size = float(style(tiles.first, "fontSize").removesuffix("px"))
    assert all(box_of(tile)["height"] >= size for tile in tiles.all())


def test_phone_shows_all_cells_of_a_heuristic(page: Page) -> None:
    resize(page, 320)
    page.goto("/learn/manhattan")
    window = page.locator(".figure-window")
    assert window.evaluate("window => window.scrollWidth - window.clientWidth") == 0


@pytest.mark.parametrize("topic", some(TOPICS, 6))
def test_each_example_steps(page: Page, topic: str) -> None:
    page.goto(f"/learn/{topic}")
    heading = page.locator("[data-part=heading]")
    expect(heading).to_have_text("Expansion 1")
    page.locator("[data-do=next]").click()
    expect(heading).to_have_text("Expansion 2")
    expect(page.locator(".watch-tree g.node.current")).to_have_count(1)
    wait_for_module(page, "course/learn/guide")
    for item in page.locator(".guide li").all()[:3]:
        at = item.get_attribute("data-at")
        item.get_by_role("link").first.click()
        expect(page.locator("[data-part=range]")).to_have_value(at or "")
    expect(page).to_have_url(re.compile(f"/learn/{topic}$"))
    page.locator("[data-do=last]").click()
    expect(heading).to_have_text("The end")
    page.locator("[data-do=first]").click()  # a whole tree may be wider than its window
    expect_to_fit_at_all_widths(page)
    if SOAK:
        expect_no_axe_violations(page)


STORE_PROGRESS = """() => {
  const things = ["puzzle Read", "puzzle Play", "bfs Watch", "bfs Predict", "manhattan Try"];
  localStorage.setItem("learn opened", JSON.stringify(things));
  localStorage.setItem("code done", "bfs annealing misplaced find_zero path is_solvable neighbors");
}"""
"""Progress of the time when boards to play and heuristics to try were things of their own."""


def test_path_shows_stored_progress_and_the_next_thing(page: Page) -> None:
    page.goto("/learn")
    expect(page.locator("#go-on")).to_have_text("Begin with the puzzle")
    page.evaluate(STORE_PROGRESS)
    page.reload()
    steps = page.locator(".path-step")
    done = page.locator(".path-step.is-done")
    expect(done.get_by_role("heading")).to_have_text(["The puzzle"])
    expect(page.locator(".path-bar")).to_have_attribute("aria-label", "1 of 11 steps done")
    expect(page.locator(".path-written .js-only")).to_have_text(re.compile("^7 of 18"))
    heuristics = steps.filter(has_text="Heuristics")
    expect(heuristics.locator(".is-done")).to_have_accessible_name("watch heuristics: done")
    writing = heuristics.get_by_role("link", name="write code for heuristics")
    expect(writing).to_have_text(re.compile("1/3$"))
    expect(writing).to_have_attribute("href", re.compile("/learn/write/manhattan$"))
    page.get_by_role("link", name="Go on: read breadth-first search").click()
    expect(page).to_have_url(re.compile("/learn/bfs$"))
    page.go_back()
    expect(done.get_by_role("heading")).to_have_text(["The puzzle", "Breadth-first"])
    expect(page.locator("#go-on")).to_have_text("Go on: read depth-first search")
    expect_to_fit_without_axe_violations(page)


@pytest.mark.parametrize(
    ("topic", "name"), [("manhattan", "heuristics"), ("pdb", "pattern databases")]
)
def test_opened_lesson_watched_to_its_end_fills_marks(page: Page, topic: str, name: str) -> None:
    page.goto(f"/learn/{topic}")
    page.locator("[data-do=last]").click()
    page.goto("/learn")
    for kind in ("read", "watch"):
        expect(page.get_by_role("link", name=f"{kind} {name}: done", exact=True)).to_be_visible()


def test_lesson_on_the_puzzle_shows_the_state_of_each_move(page: Page) -> None:
    page.goto("/learn/puzzle")
    shown = page.locator("#state, #blank, #actions, #cost")
    first = ["(1, 0, 3, 4, 2, 5)", "index 1: row 0, column 1", "2 ↑ · 1 → · 3 ←", "0 moves"]
    expect(shown).to_have_text(first)
    page.locator("#t2").click()
    after = ["(1, 2, 3, 4, 0, 5)", "index 4: row 1, column 1", "2 ↓ · 4 → · 5 ←", "1 move"]
    expect(shown).to_have_text(after)
    page.locator("#undo").click()
    expect(shown).to_have_text(first)
    page.locator("#t2").click()
    page.locator("#t5").click()
    expect(page.locator("#said")).to_have_text("Solved in 2 moves.")
    expect(shown.last).to_have_text("2 moves")
    expect_to_fit_without_axe_violations(page)
    page.goto("/learn")
    expect(page.get_by_role("link", name="read the puzzle: done")).to_be_visible()


def test_path_leads_to_the_puzzle_without_scripts(
    new_visitor: Callable[..., Page],
) -> None:
    page = new_visitor(java_script_enabled=False)
    page.goto("/learn")
    expect(page.locator(".path-written")).to_contain_text("18 programs to write")
    page.locator("#go-on").click()
    expect(page).to_have_url(re.compile("/learn/puzzle$"))


@pytest.mark.parametrize("topic", some(["", *PUZZLE, "mistakes", *algorithms(), *heuristics()], 0))
def test_topic_page_fits_320_pixels_when_it_opens(page: Page, topic: str) -> None:
    resize(page, 320)
    page.goto(f"/learn/{topic}")
    expect_to_fit(page)


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


def test_lesson_stays_a_lesson_after_moves(page: Page) -> None:
    page.goto(LESSON)
    click(page, 3, moves=1)
    press(page, "h", "g")
    click(page, 2, moves=2)
    for name in ("solver", "hint", "solve-button", "to-go", "shortest"):
        expect(page.locator(f"#{name}")).to_have_count(0)
    expect_to_fit_at_all_widths(page)


def test_worksheet_fits_a_phone_and_prints_answers_apart(page: Page) -> None:
    page.goto("/learn/worksheet?run=rbfs&answers=yes")
    expect_to_fit_without_axe_violations(page, LOOKS[0])
    resize(page, 320)
    cells = page.locator("#questions td[data-label='Board taken']")
    expect(cells).not_to_have_count(0)
    assert all(box_of(cell)["width"] > 60 for cell in cells.all())
    page.emulate_media(media="print")
    for hidden in ("body > header", "main form"):
        expect(page.locator(hidden).first).to_be_hidden()
    expect(page.locator("#questions")).to_be_visible()
    assert style(page.locator("#answers"), "breakBefore") == "page"


@pytest.fixture(params=[True, False], ids=["with-javascript", "without"])
def phone(request: pytest.FixtureRequest, new_visitor: Callable[..., Page]) -> Page:
    page = new_visitor(java_script_enabled=request.param)
    page.set_viewport_size({"width": 390, "height": 844})
    return page


def test_answer_to_a_form_scrolls_into_view_and_has_the_focus(phone: Page) -> None:
    phone.goto("/learn/predict?seed=x")
    expect(phone.locator(".node-choice").first).to_be_in_viewport(ratio=1)
    phone.locator("[name=answer]").first.check()
    phone.get_by_role("button", name="Check my answer").click()
    expect(phone.locator("#marked")).to_be_in_viewport(ratio=0.9)
    expect(phone.locator("#marked")).to_be_focused()
    phone.locator("#next").click()
    expect(phone.locator("#question-title")).to_have_text("Question 2")
    expect(phone.locator("#question-title")).to_be_in_viewport()
    expect(phone.locator("#question-title")).to_be_focused()
    for start, seen in ("1 2 3 4 5 6 7 0 8", "#links-title"), ("1 2 3 4", "#links[role=alert]"):
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
    page.locator("summary").first.click()
    page.get_by_label("Breadth-first search", exact=True).check()
    expect(page.locator("summary").first).to_contain_text("the first): Breadth-first search")
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
    expect(page.locator(".node-choice .verdict")).to_have_count(2)
    for width in WIDTHS:
        resize(page, width)
        for mark in page.locator(".node-choice .verdict").all():
            inner, outer = box_of(mark), box_of(mark.locator(".."))
            assert outer["x"] <= inner["x"]
            assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]
            assert inner["y"] + inner["height"] <= outer["y"] + outer["height"]
            assert inner["height"] < 30, "it is one line"
    expect_to_fit_without_axe_violations(page, LOOKS[1])
