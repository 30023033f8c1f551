"""Ways to a new puzzle: the menu, the gallery, the puzzles of the days and what they end with."""

import re

import pytest
from playwright.sync_api import Page, expect

from slidewise import parse_puzzle, solve
from tests.browser.steps import WIDTHS, click, expect_to_fit_and_nothing_of_axe, resize

DAY = "2026-02-28"
CODE = "2.7.0-5.8.1-3.6.4"


def play_the_day(page: Page) -> None:
    page.goto(f"/daily/{DAY}")
    page.get_by_role("link", name="Play the 3 × 3 puzzle").click()
    expect(page.locator("h1")).to_have_text(f"Daily {DAY}")


def solve_the_day(page: Page) -> int:
    """Solve its first puzzle; return in how many moves."""
    tiles = solve(parse_puzzle(CODE)).tiles
    play_the_day(page)
    click(page, *tiles)
    expect(page.locator("#daily-result")).to_be_visible()
    return len(tiles)


def open_menu(page: Page) -> None:
    page.goto(f"/play/{CODE}")
    page.locator("#new summary").click()


@pytest.mark.parametrize("width", [320, 390])
def test_the_whole_menu_can_be_reached_on_a_phone(page: Page, width: int) -> None:
    open_menu(page)
    page.set_viewport_size({"width": width, "height": 480})
    last = page.get_by_role("link", name="Open the editor")
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport(ratio=1)
    expect(page.locator("#new .menu-panel")).to_be_in_viewport(ratio=1)
    last.click(trial=True)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_pages_are_in_the_navigation(page: Page, width: int) -> None:
    page.goto("/gallery")
    resize(page, width)
    links = page.get_by_role("navigation", name="Pages").get_by_role("link")
    pages = ["Play", "Daily", "Lab", "Learn", "Gallery", "Editor"]
    if width <= 860:  # a phone's bar has room for few; each game leads to the editor too
        pages.remove("Editor")
    expect(links).to_have_text(pages)
    for link in links.all():
        expect(link).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("link", name="Gallery")).to_have_attribute("aria-current", "page")
    page.get_by_role("link", name="Daily").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Daily 20")


@pytest.mark.own_page
@pytest.mark.parametrize("ends", ["resolve()", "reject(new DOMException('', 'AbortError'))"])
def test_the_device_shares_the_result(page: Page, ends: str) -> None:
    page.add_init_script(f"""navigator.share = (data) => new Promise((resolve, reject) => {{
        window.shared = data.text; {ends}; }});""")
    solve_the_day(page)
    button = page.locator("#daily-result").get_by_role("button", name="Send …")
    button.click()
    assert page.evaluate("window.shared") == page.get_by_label("Your result").input_value()
    expect(button).to_be_visible()


def test_a_day_shows_in_this_browser_what_was_solved(page: Page) -> None:
    page.goto(f"/daily/{DAY}")
    solved = page.locator(".solved")
    expect(solved).to_have_count(2)
    expect(solved.first).to_be_hidden()
    moves = solve_the_day(page)
    expect(page.locator("#best")).not_to_be_empty()
    expect_to_fit_and_nothing_of_axe(page)
    page.goto(f"/daily/{DAY}")
    expect(solved.first).to_have_text(re.compile(rf"^Solved: {moves} moves, 0:\d\d$"))
    expect(solved.last).to_be_hidden()
    page.goto("/daily/2026-03-01")
    expect(page.get_by_role("link", name=DAY)).to_have_text(f"{DAY} 1 of 2 solved")
    expect(page.get_by_role("link", name="2026-02-27")).to_have_text("2026-02-27")
    expect(solved.first).to_be_hidden()


def test_of_a_day_the_best_is_kept_and_help_counts_less(page: Page) -> None:
    page.goto(f"/daily/{DAY}")
    kept = """async (results) => {
      const source = document.querySelector("script[src$='app.js']").src;
      const { noteDay, read } = await import(source.replace("app.js", "play/records.js"));
      return results.map(([helped, moves, seconds]) => {
        noteDay("a day", { helped, moves, seconds });
        return Object.values(read("days")["a day"]);
      });
    }"""
    results = [
        [True, 26, 9],
        [False, 40, 99],
        [False, 30, 99],
        [False, 30, 50],
        [True, 26, 1],
        [False, 31, 1],
    ]
    best = page.evaluate(kept, results)
    assert best == [*results[:4], results[3], results[3]]
    page.evaluate("localStorage.setItem('days', '[{')")
    page.reload()
    expect(page.locator(".solved").first).to_be_hidden()
