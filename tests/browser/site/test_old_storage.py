"""What an older version stored in a browser (`tests/data/old/`) is read by this one."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from slidewise import parse_puzzle, solve
from tests.browser.course.test_write import lab_of
from tests.browser.steps import (
    START,
    block_python,
    boards_after,
    expect_game,
    expect_sent,
    open_settings,
)

STORED = json.loads((Path(__file__).parents[2] / "data/old/localStorage.json").read_text())
BOARDS = boards_after(START, solve(parse_puzzle(START)).tiles)


@pytest.fixture
def returning(page: Page) -> Page:
    """Return a page in a browser with the old storage."""
    page.goto("/robots.txt")
    page.evaluate("(stored) => Object.assign(localStorage, stored)", STORED)
    return page


def test_old_moves_and_settings_hold(returning: Page) -> None:
    page = returning
    page.goto(f"/play/{START}")
    for name in "theme", "tiles", "speed", "notation", "arrows":
        expect(page.locator("html")).to_have_attribute(f"data-{name}", STORED[name])
    expect_game(page, 5, BOARDS[5])
    open_settings(page)
    for label in "Dark", "L-shapes", "Slow":
        expect(page.locator("#settings").get_by_role("radio", name=label)).to_be_checked()
    page.keyboard.press("Escape")
    expect_sent(page)
    page.evaluate("() => localStorage.clear()")
    page.reload()
    expect_game(page, 5, BOARDS[5])
    page.get_by_role("button", name="Redo").click()
    expect_game(page, 6, BOARDS[6])


def test_old_progress_is_marked(returning: Page) -> None:
    page = returning
    page.goto("/levels")
    expect(page.locator("#level-sum")).to_contain_text("3 of 180")
    page.goto("/daily/2026-02-28")
    expect(page.locator("[data-daily$='3x3']")).to_contain_text("Solved")
    page.goto("/learn/by-hand")
    expect(page.locator("[data-lesson=row] .hand-mark")).to_contain_text("Done")
    page.goto("/play/1.2.3-4.5.6-0.7.8")
    expect(page.locator("#bests")).to_contain_text("2 moves")


def test_old_solves_of_speed_mode_are_listed(returning: Page) -> None:
    page = returning
    page.evaluate("() => localStorage.setItem('speed-mode', 'on')")
    page.goto("/play/1.2.3-4.5.6-0.7.8")
    expect(page.locator(".speed-list li")).to_have_count(2)
    expect(page.locator(".speed-list summary").filter(has_text="+")).to_have_count(1)


def test_old_program_is_loaded_and_its_search_has_to_run_again(returning: Page) -> None:
    page = returning
    page.goto("/learn/write")
    expect(page.locator(".is-done")).to_have_attribute("data-exercise", "bfs")
    block_python(page)
    page.goto("/learn/write/bfs")
    expect(page.locator("#code")).to_have_value(STORED["code bfs"])
    search = json.loads(STORED["search bfs"])
    page.goto(f"{lab_of(search)}/watch?own=bfs")
    expect(page.locator("[data-part=missing]")).to_be_visible()  # it has no parents


def test_old_storage_is_saved_whole_in_a_file(returning: Page) -> None:
    page = returning
    page.goto("/transfer")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save a file").click()
    saved = json.loads(download.value.path().read_text(encoding="utf-8"))
    stores = {
        "records": "bests",
        "days": "days",
        "solves": "solves",
        "lessons": "by-hand",
        "gallery": "gallery",
        "levels": "levels",
    }
    for name, store in stores.items():
        assert saved[name] == json.loads(STORED[store])
