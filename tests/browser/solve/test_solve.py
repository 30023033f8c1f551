"""Solving on the play page: the solution, and options that are shown, applied or refused."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from slidewise import Algorithm, algorithms
from tests.browser.steps import (
    START,
    boards_after,
    box_of,
    choose_algorithm,
    click,
    expect_moves,
    go,
    pause_clock,
    press,
    slow_down,
    wait_for_module,
)

LONG = "0.8.20.24.15-19.21.5.16.1-13.22.6.12.7-14.3.10.2.11-9.4.17.18.23"
STEPS = "#steps button"
WAITING = {"Slidewise-Answer": "waiting", "Retry-After": "5", "Content-Type": "text/html"}

DISPLACED = (
    'data: <hx-partial hx-target="#job" hx-swap="innerHTML"><input type="hidden" name="job"'
    ' value="1"></hx-partial>\n\n'
    'data: <span id="waiting">Waiting …</span>'
    '<hx-partial hx-target="#live" hx-swap="innerHTML swapEmpty:true"><!-- --></hx-partial>\n\n'
)
"""The stream of a search that loses its place in the queue."""


def solve(page: Page, algorithm: str = "astar") -> None:
    choose_algorithm(page, algorithm)
    page.locator("#solve-button").click()


def test_playing_on_from_a_step_counts_its_moves_and_the_help(game: Page) -> None:
    click(game, 5, moves=1)
    solve(game)
    expect(game.locator(STEPS)).to_have_count(21)
    game.locator(STEPS).last.click()
    expect(game.get_by_role("button", name="Play on from here")).to_be_hidden()
    game.locator(STEPS).nth(19).click()
    expect(game.locator("#player output")).to_have_text("20 / 21")
    last = game.locator(STEPS).last.get_attribute("data-tile")
    game.get_by_role("button", name="Play on from here").click()
    expect(game.locator("#replay")).to_be_hidden()
    expect_moves(game, 21)
    expect(game.locator("#said")).to_contain_text("Your game continues from this step.")
    time = game.locator("#clock").inner_text()
    expect(game.locator("#clock")).not_to_have_text(time)  # the clock continues
    click(game, int(last or 0))
    expect(game.locator("#won")).to_contain_text("22 moves")
    expect(game.locator("#won")).to_contain_text("with help")
    game.locator("#undo").click()
    expect_moves(game, 21)


@pytest.mark.own_page
def test_solution_starts_after_quick_moves(game: Page) -> None:
    slow_down(game)
    press(game, "ArrowRight", "ArrowUp", "u", "g")
    expect(game.locator("#player")).to_have_attribute("data-start", boards_after(START, (5,))[-1])
    expect_moves(game, 1)


@pytest.mark.own_page
def test_steps_are_played_while_requests_are_pending(page: Page) -> None:
    page.goto(f"/play/{LONG}")
    slowly = slow_down(page, 20, bytes_a_second=5_000)
    solve(page, "greedy")
    expect(page.locator(STEPS).nth(1)).to_be_visible()
    go(page, "next")
    go(page, "next")
    expect(page.locator("#player output")).to_have_text(re.compile(r"^[2-9] / \d{3}$"))
    total = int(page.locator("#player").get_attribute("data-total") or 0)
    assert page.locator(STEPS).count() < total
    slowly.detach()
    expect(page.locator(STEPS)).to_have_count(total)
    go(page, "last")
    expect(page.locator("#player output")).to_have_text(f"{total} / {total}")
    expect(page.locator("#replay .board")).to_have_attribute(
        "aria-label", re.compile(f"^Step {total}: 1 2 3 4 5; .*; 21 22 23 24 blank$")
    )


def test_last_step_is_shown_once_it_has_streamed(game: Page) -> None:
    solve(game)
    expect(game.locator(STEPS)).to_have_count(20)
    game.evaluate("(window.late = document.getElementById('steps').lastElementChild).remove()")
    go(game, "last")
    expect(game.locator("#player output")).to_have_text("19 / 20")
    game.evaluate("document.getElementById('steps').append(window.late)")
    expect(game.locator("#player output")).to_have_text("20 / 20")


def test_reload_restores_the_shown_solution(game: Page) -> None:
    click(game, 5, moves=1)
    solve(game)
    expect(game.locator(STEPS)).to_have_count(21)
    game.locator(STEPS).nth(6).click()
    expect(game.locator("#player output")).to_have_text("7 / 21")
    label = game.locator("#replay .board").get_attribute("aria-label") or ""
    game.reload()
    expect(game.locator("#player output")).to_have_text("7 / 21")
    expect(game.locator("#replay .board")).to_have_attribute("aria-label", label)
    expect(game.locator("#verdict")).to_contain_text("21 moves. Proved shortest")
    expect(game.locator("#live")).to_contain_text("Expanded")
    expect(game.locator("#replay-link")).to_be_visible()
    go(game, "next")
    expect(game.locator("#player output")).to_have_text("8 / 21")
    game.get_by_role("button", name="Play on from here").click()
    expect_moves(game, 9)
    game.reload()
    expect(game.locator("#replay")).to_be_hidden()
    expect(game.locator(STEPS)).to_have_count(21)
    expect_moves(game, 9)


def test_solution_ends_with_the_next_search_or_visit(game: Page) -> None:
    solve(game)
    expect(game.locator(STEPS)).to_have_count(20)
    game.get_by_role("button", name="Back to my game").click()
    click(game, 5)
    solve(game, "bfs")
    expect(game.locator("#verdict")).to_contain_text("breadth-first search takes all boards")
    expect(game.locator(STEPS)).to_have_count(21)
    expect(game.locator("#replay .board")).to_have_count(1)
    game.goto(f"/play/{LONG}")
    game.reload()
    expect(game.locator(STEPS)).to_have_count(0)
    game.goto(f"/play/{START}")
    expect(game.locator("#board")).to_be_visible()
    expect(game.locator(STEPS)).to_have_count(0)


NEAR = "1.2.3.4-5.6.7.8-9.10.11.12-0.13.14.15"  # 3 moves
OPTIONS = ("depth", "weight", "seed", "cooling")


def choose(page: Page, algorithm: str) -> None:
    choose_algorithm(page, algorithm)


def expect_options_of(page: Page, algorithm: Algorithm) -> None:
    """Expect the options of this algorithm only."""
    expect(page.locator("#solve [name=seconds]")).to_be_visible()
    for option in OPTIONS:
        field = page.locator(f"#solve [name={option}]")
        expect(field).to_be_visible(visible=option in algorithm.options)
    expect(page.locator("#heuristic")).to_be_enabled(enabled=algorithm.uses_heuristic)


def test_each_algorithm_shows_the_options_that_apply(game: Page) -> None:
    choose(game, "best")
    expect_options_of(game, algorithms()[game.locator("#algorithm").input_value()])
    for key, algorithm in algorithms().items():
        choose(game, key)
        expect_options_of(game, algorithm)


def test_wrong_weight_shows_its_error_and_has_the_focus(game: Page) -> None:
    choose(game, "wastar")
    weight = game.locator("#solve [name=weight]")
    alert = game.locator("#solve-options [role=alert]")
    for submit in game.locator("#solve-button").click, lambda: press(game, "Enter"):
        weight.fill("900")
        expect(alert).to_have_count(0)
        expect(weight).not_to_have_attribute("aria-invalid", "true")
        submit()
        expect(alert).to_have_text(
            "The weight must be from 1 to 100 and have at most two decimals, got 900.0."
        )
        expect(weight).to_be_focused()
        expect(weight).to_have_attribute("aria-invalid", "true")
        expect(weight).to_have_accessible_description(re.compile("^The weight must be from 1 to"))
        expect(weight).to_have_value("900")
        expect(game.locator("#notice")).to_be_empty()
        expect(game.locator("#solve [name=depth]")).to_be_hidden()
        weight.fill("2")
    expect(alert).to_have_count(0)
    press(game, "Enter")
    expect(game.locator("#live")).to_contain_text(re.compile(r"Weight\s+w\s*2"))
    expect(game.locator("#verdict .proof")).to_be_visible()


def test_error_is_hidden_with_its_field(game: Page) -> None:
    choose(game, "dfs")
    game.locator("#solve [name=depth]").fill("0")
    game.locator("#solve-button").click()
    alert = game.locator("#solve-options [role=alert]")
    expect(alert).to_contain_text("The depth limit must be a whole number from 1")
    choose(game, "astar")
    expect(alert).to_be_hidden()
    game.locator("#solve-button").click()
    expect(game.locator("#verdict")).to_contain_text("20 moves. Proved shortest")


@pytest.mark.own_page
def test_ended_search_is_not_repeated_for_an_earlier_place(page: Page) -> None:
    script: list[Route] = []
    page.clock.install()
    page.goto(f"/play/{START}")
    page.route("**/solve/waiting.js", lambda route: script.append(route))
    place = "<span id='waiting'>Waiting …</span>"
    page.route("**/solve", lambda route: route.fulfill(status=503, headers=WAITING, body=place))
    with page.expect_request("**/solve/waiting.js"):
        page.locator("#solve-button").click()
    expect(page.locator("#waiting")).to_be_visible()
    page.unroute("**/solve")
    page.locator("#solve-button").click()
    expect(page.locator("#verdict")).to_contain_text("Proved shortest")
    searches = []
    page.on("request", lambda request: searches.append(request.url.endswith("/solve")))
    script[0].continue_()
    wait_for_module(page, "solve/waiting")
    page.clock.run_for(10_000)
    page.evaluate("0")
    assert not any(searches)


@pytest.mark.own_page
def test_displaced_search_is_sent_again_by_itself(page: Page) -> None:
    page.clock.install()
    page.goto(f"/play/{START}")
    pause_clock(page)
    page.route(
        "**/solve",
        lambda route: route.fulfill(content_type="text/event-stream", body=DISPLACED),
        times=2,
    )
    searches = []
    page.on("request", lambda request: searches.append(request.url.endswith("/solve")))
    page.locator("#solve-button").click()
    expect(page.locator("#waiting")).to_have_text("Waiting …")
    expect(page.locator("#stop")).to_be_visible()
    expect(page.locator("#live")).to_be_empty()
    wait_for_module(page, "solve/waiting")
    page.clock.resume()
    for _ in range(2):
        page.clock.run_for(5_000)  # or else they pass by themselves
    expect(page.locator("#verdict")).to_contain_text("Proved shortest")
    assert sum(searches) == 3


@pytest.mark.own_page
def test_displaced_search_can_be_stopped(page: Page) -> None:
    page.clock.install()
    page.goto(f"/play/{START}")
    page.route(
        "**/solve",
        lambda route: route.fulfill(content_type="text/event-stream", body=DISPLACED),
    )
    page.locator("#solve-button").click()
    expect(page.locator("#waiting")).to_be_visible()
    page.locator("#stop").click()
    expect(page.locator("#verdict")).to_have_text("Stopped.")
    searches = []
    page.on("request", lambda request: searches.append(request.url.endswith("/solve")))
    page.clock.run_for(10_000)
    page.evaluate("0")
    assert not any(searches)


def test_long_search_is_announced_and_still_allowed(page: Page) -> None:
    page.goto(f"/play/{NEAR}")
    forecast = page.locator("#forecast")
    choose(page, "bfs")
    expect(forecast).to_have_text(
        "Breadth-first search on 4x4 will probably not finish: try Best for this board."
    )
    choose(page, "idastar")
    expect(forecast).to_be_empty()
    choose(page, "bfs")
    page.locator("#solve-button").click()
    expect(page.locator("#verdict")).to_contain_text("3 moves. Proved shortest: breadth-first")


def test_verdict_without_a_solution_is_in_sight_on_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 700})
    page.goto(f"/play/{START}")
    choose_algorithm(page, "hill-climbing")
    page.locator("#solve-button").click()
    verdict = page.locator("#verdict .proof")
    expect(verdict).to_contain_text("Stuck.")
    expect(verdict).to_be_in_viewport(ratio=1)
    end = box_of(verdict)["y"] + box_of(verdict)["height"]
    assert end <= box_of(page.locator(".nav"))["y"], "the tabs cover it"
