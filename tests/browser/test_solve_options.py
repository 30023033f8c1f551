"""The options of the Solve card: shown where they apply, and heeded; what is foretold and told."""

import re

import pytest
from playwright.sync_api import Page, expect

from slidewise import Algorithm, algorithms
from tests.browser.steps import press

START = "7.2.4-5.0.6-8.3.1"  # 20 moves from the goal
NEAR = "1.2.3.4-5.6.7.8-9.10.11.12-0.13.14.15"  # 3 moves
FAR = "15.14.1.6-9.11.4.12-0.10.7.3-13.8.5.2"  # 52 moves
OPTIONS = ("depth", "weight")


def choose(page: Page, algorithm: str) -> None:
    page.locator("#algorithm").select_option(algorithm)


def fill(page: Page, option: str, text: str) -> None:
    page.locator(f"#solve [name={option}]").fill(text)


def solve(page: Page) -> None:
    page.locator("#solve-button").click()


def expect_to_suit(page: Page, algorithm: Algorithm) -> None:
    """Expect the options of this algorithm, and no others."""
    expect(page.locator("#solve [name=seconds]")).to_be_visible()
    for option in OPTIONS:
        field = page.locator(f"#solve [name={option}]")
        expect(field).to_be_visible(visible=option in algorithm.options)
    expect(page.locator("#heuristic")).to_be_enabled(enabled=algorithm.uses_heuristic)


def test_each_algorithm_shows_the_options_that_apply(page: Page) -> None:
    page.goto(f"/play/{START}")
    expect_to_suit(page, algorithms()[page.locator("#algorithm").input_value()])
    for key, algorithm in algorithms().items():
        choose(page, key)
        expect_to_suit(page, algorithm)


@pytest.mark.browser_context_args(java_script_enabled=False)
def test_without_javascript_all_are_shown_and_it_says_what_they_are_for(page: Page) -> None:
    page.goto(f"/play/{START}")
    for option in ("seconds", *OPTIONS):
        expect(page.locator(f"#solve [name={option}]")).to_be_visible()
    for algorithm in algorithms().values():
        if algorithm.options:
            expect(page.locator("#solve noscript p")).to_contain_text(algorithm.title)


def test_the_weight_is_that_of_the_search_and_told(page: Page) -> None:
    page.goto(f"/play/{START}")
    choose(page, "wastar")
    expect(page.locator("#solve [name=weight]")).to_have_value("1.5")
    fill(page, "weight", "2.25")
    solve(page)
    expect(page.locator("#live")).to_contain_text(re.compile(r"Weight w\s*2\.25"))
    expect(page.locator("#verdict .proof")).to_be_visible()
    choose(page, "astar")
    solve(page)
    expect(page.locator("#verdict")).to_contain_text("Proved shortest: A* with")
    expect(page.locator("#live")).not_to_contain_text("Weight w")


@pytest.mark.parametrize("enter", [False, True], ids=["button", "Enter"])
def test_what_is_wrong_is_said_at_the_field_which_has_the_focus(page: Page, enter: bool) -> None:
    page.goto(f"/play/{START}")
    choose(page, "wastar")
    weight = page.locator("#solve [name=weight]")
    weight.fill("900")
    if enter:
        press(page, "Enter")
    else:
        solve(page)
    said = page.locator("#solve-options [role=alert]")
    expect(said).to_have_text(
        "The weight must be from 1 to 100 and have at most two decimals, got 900.0."
    )
    expect(weight).to_be_focused()
    expect(weight).to_have_attribute("aria-invalid", "true")
    expect(weight).to_have_accessible_description(re.compile("^The weight must be from 1 to 100"))
    expect(weight).to_have_value("900")
    expect(page.locator("#notice")).to_be_empty()
    expect(page.locator("#solve [name=depth]")).to_be_hidden()
    weight.fill("2")
    expect(said).to_have_count(0)
    expect(weight).not_to_have_attribute("aria-invalid", "true")
    press(page, "Enter")
    expect(page.locator("#live")).to_contain_text(re.compile(r"Weight w\s*2"))
    expect(page.locator("#verdict .proof")).to_be_visible()


def test_what_was_wrong_goes_with_its_field(page: Page) -> None:
    page.goto(f"/play/{START}")
    choose(page, "dfs")
    fill(page, "depth", "0")
    solve(page)
    said = page.locator("#solve-options [role=alert]")
    expect(said).to_contain_text("The depth limit must be a whole number from 1")
    choose(page, "astar")
    expect(said).to_be_hidden()
    solve(page)
    expect(page.locator("#verdict")).to_contain_text("20 moves. Proved shortest")


def test_a_long_wait_is_foretold_and_solving_is_allowed_all_the_same(page: Page) -> None:
    page.goto(f"/play/{NEAR}")
    forecast = page.locator("#forecast")
    choose(page, "bfs")
    expect(forecast).to_have_text(
        "Breadth-first search on 4x4 will probably not finish: try Best for this board."
    )
    choose(page, "idastar")
    expect(forecast).to_be_empty()
    choose(page, "bfs")
    solve(page)
    expect(page.locator("#verdict")).to_contain_text("3 moves. Proved shortest: breadth-first")


def test_nothing_is_foretold_where_all_is_quick(page: Page) -> None:
    page.goto(f"/play/{START}")
    for key in algorithms():
        choose(page, key)
        expect(page.locator("#forecast")).to_be_empty()


@pytest.mark.parametrize(("algorithm", "kind"), [("idastar", "f-limit"), ("iddfs", "depth limit")])
def test_the_iteration_under_way_is_told(page: Page, algorithm: str, kind: str) -> None:
    page.goto(f"/play/{FAR}")
    choose(page, algorithm)
    if algorithm == "idastar":
        page.locator("#heuristic").select_option("misplaced")
    solve(page)
    under_way = page.locator("#under-way")
    expect(under_way).to_have_text(re.compile(rf"^Iteration with the {kind} \d+$"))
    first = under_way.inner_text()
    expect(under_way).not_to_have_text(first)
    assert int(under_way.inner_text().split()[-1]) > int(first.split()[-1])
    page.locator("#stop").click()
    expect(page.locator("#verdict")).to_contain_text("Stopped on request")
    choose(page, "bfs")
    fill(page, "seconds", "0.2")
    solve(page)
    expect(under_way).to_be_empty()
