"""Solving from the play page: what is said of a solution, and what it never does to the game."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import (
    boards_after,
    click,
    click_quickly,
    expect_board,
    expect_moves,
    press,
    slow_down,
)

START = "7.2.4-5.0.6-8.3.1"  # 20 moves from the goal
LONG = "0.8.20.24.15-19.21.5.16.1-13.22.6.12.7-14.3.10.2.11-9.4.17.18.23"
STEPS = "#steps button"


def solve(page: Page, algorithm: str = "astar") -> None:
    page.locator("#algorithm").select_option(algorithm)
    page.locator("#solve-button").click()


def go(page: Page, name: str) -> None:
    page.locator(f"[data-go={name}]").click()


def test_the_verdict_the_counts_and_the_steps(page: Page) -> None:
    page.goto(f"/play/{START}")
    solve(page)
    verdict = page.locator("#verdict")
    expect(verdict).to_contain_text("20 moves. Proved shortest: A* with a consistent heuristic")
    expect(page.locator("#verdict .proof")).to_have_class("proof optimal")
    for count in "Expanded", "Generated", "Peak frontier", "Peak stored":
        expect(page.locator("#live")).to_contain_text(
            re.compile(rf"{count}\s*[1-9][\d,]* nodes", re.DOTALL)
        )
    expect(page.locator("#live")).to_contain_text(re.compile(r"Shortest is at least\s*20 moves"))
    expect(page.locator(STEPS)).to_have_count(20)
    expect(page.locator(STEPS).first).to_have_text(re.compile(r"^\d[↑↓←→]$"))


def test_a_replay_never_alters_the_game(page: Page) -> None:
    page.goto(f"/play/{START}")
    click(page, 5)
    expect_moves(page, 1)
    solve(page)
    expect(page.locator(STEPS)).to_have_count(21)
    go(page, "last")
    go(page, "prev")
    expect(page.locator("#player output")).to_have_text("20 / 21")
    page.get_by_role("button", name="Back to my game").click()
    expect(page.locator("#replay")).to_be_hidden()
    expect_moves(page, 1)
    expect_board(page, boards_after(START, (5,))[-1])
    page.reload()
    expect_moves(page, 1)
    expect_board(page, boards_after(START, (5,))[-1])


def test_playing_on_from_a_step_counts_its_moves_and_tells_of_help(page: Page) -> None:
    page.goto(f"/play/{START}")
    click(page, 5)
    expect_moves(page, 1)
    solve(page)
    expect(page.locator(STEPS)).to_have_count(21)
    page.locator(STEPS).nth(19).click()
    expect(page.locator("#player output")).to_have_text("20 / 21")
    last = page.locator(STEPS).last.get_attribute("data-tile")
    page.get_by_role("button", name="Play on from here").click()
    expect(page.locator("#replay")).to_be_hidden()
    expect_moves(page, 21)
    expect(page.locator("#said")).to_contain_text("Your game goes on from this step.")
    click(page, int(last or 0))
    expect(page.locator("#won")).to_contain_text("Solved in 22 moves")
    expect(page.locator("#won")).to_contain_text("with help")
    page.locator("#undo").click()
    expect_moves(page, 21)


@pytest.mark.own_page
def test_a_solution_starts_from_the_board_after_quick_clicks(page: Page) -> None:
    page.goto(f"/play/{START}")
    slow_down(page)
    click_quickly(page, 5, 8, 3)
    page.locator("#solve-button").click()
    expect(page.locator("#player")).to_have_attribute(
        "data-start", boards_after(START, (5, 8, 3))[-1]
    )
    expect_moves(page, 3)


@pytest.mark.own_page
def test_a_solution_starts_from_the_board_after_an_undo_by_key(page: Page) -> None:
    page.goto(f"/play/{START}")
    slow_down(page)
    press(page, "ArrowRight", "ArrowUp", "u", "g")
    expect(page.locator("#player")).to_have_attribute("data-start", boards_after(START, (5,))[-1])


@pytest.mark.own_page
def test_steps_are_played_while_others_are_on_their_way(page: Page) -> None:
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


def test_the_link_to_a_solution_shows_it_to_others(
    page: Page, new_visitor: Callable[..., Page]
) -> None:
    page.goto(f"/play/{START}_0.1.2-3.4.5-6.7.8")
    solve(page)
    expect(page.locator(STEPS)).to_have_count(26)
    steps = page.locator(STEPS).all_inner_texts()
    link = page.locator("#replay-link").get_attribute("href")
    other = new_visitor()
    other.goto(f"{link}&step=9")
    expect(other.locator("#player output")).to_have_text("9 / 26")
    assert other.locator(STEPS).all_inner_texts() == steps
    expect(other.locator(".proof")).to_contain_text("26 moves. Proved shortest")
    expect(other.locator("#player")).to_have_attribute("data-goal", "0.1.2-3.4.5-6.7.8")


def test_a_reload_brings_the_solution_back_as_it_was_shown(page: Page) -> None:
    page.goto(f"/play/{START}")
    click(page, 5)
    expect_moves(page, 1)
    solve(page)
    expect(page.locator(STEPS)).to_have_count(21)
    page.locator(STEPS).nth(6).click()
    label = page.locator("#replay .board").get_attribute("aria-label") or ""
    page.reload()
    expect(page.locator("#player output")).to_have_text("7 / 21")
    expect(page.locator("#replay .board")).to_have_attribute("aria-label", label)
    expect(page.locator("#verdict")).to_contain_text("21 moves. Proved shortest")
    expect(page.locator("#live")).to_contain_text("Expanded")
    expect(page.locator("#replay-link")).to_be_visible()
    go(page, "next")
    expect(page.locator("#player output")).to_have_text("8 / 21")
    page.get_by_role("button", name="Play on from here").click()
    expect_moves(page, 9)
    page.reload()
    expect(page.locator("#replay")).to_be_hidden()
    expect(page.locator(STEPS)).to_have_count(21)
    expect_moves(page, 9)


def test_another_visit_of_the_page_shows_the_game(page: Page) -> None:
    page.goto(f"/play/{START}")
    solve(page)
    expect(page.locator(STEPS)).to_have_count(20)
    page.goto(f"/play/{LONG}")
    page.reload()
    expect(page.locator(STEPS)).to_have_count(0)
    page.goto(f"/play/{START}")
    expect(page.locator("#board")).to_be_visible()
    expect(page.locator(STEPS)).to_have_count(0)


def test_another_search_takes_the_place_of_the_first(page: Page) -> None:
    page.goto(f"/play/{START}")
    solve(page)
    expect(page.locator(STEPS)).to_have_count(20)
    page.get_by_role("button", name="Back to my game").click()
    click(page, 5)
    solve(page, "bfs")
    expect(page.locator("#verdict")).to_contain_text("breadth-first search takes all boards")
    expect(page.locator(STEPS)).to_have_count(21)
    expect(page.locator("#replay .board")).to_have_count(1)
