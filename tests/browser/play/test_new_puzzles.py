"""New puzzles: the menu, the gallery, the daily puzzles and their results."""

import re

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from slidewise import parse_puzzle
from tests.browser.play.test_ahead import Held
from tests.browser.site.test_without_network import wait_until
from tests.browser.steps import (
    MODULES,
    START,
    WIDTHS,
    box_of,
    click,
    click_solution,
    expect_sent,
    expect_to_fit,
    expect_to_fit_at_all_widths,
    expect_to_fit_without_axe_violations,
    follow,
    open_new_dialog,
    resize,
    wait_for_module,
)
from tests.each import some

DAY = "2026-02-28"
CODE = "2.7.0-5.8.1-3.6.4"


def play_the_day(page: Page) -> None:
    page.goto(f"/daily/{DAY}")
    follow(page, page.get_by_role("link", name="Play the 3 × 3 puzzle"))
    expect(page.locator("h1")).to_have_text("28 February")


def solve_the_day(page: Page) -> int:
    """Solve the day's first puzzle; return the number of moves."""
    play_the_day(page)
    moves = click_solution(page)
    expect(page.locator("#daily-result")).to_be_visible()
    expect_sent(page)  # the server may credit less time
    return moves


def open_dialog(page: Page) -> Locator:
    page.goto(f"/play/{CODE}")
    open_new_dialog(page)
    expect(page.locator("#new [name=size]:checked")).to_be_focused()
    return page.locator("#new")


@pytest.mark.parametrize(("width", "height"), some([(320, 480), (844, 390)], 0))
def test_the_whole_dialog_can_be_reached_on_a_phone(page: Page, width: int, height: int) -> None:
    dialog = open_dialog(page)
    page.set_viewport_size({"width": width, "height": height})
    expect(dialog.get_by_role("button", name="Start")).to_be_in_viewport(ratio=1)
    dialog.get_by_text("More").click()
    last = dialog.get_by_role("link", name="Build your own")
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport(ratio=1)
    last.click(trial=True)
    expect_to_fit(page)


@pytest.mark.parametrize(("width", "height"), some([(320, 568), (667, 375)], 0))
def test_further_choices_come_into_view(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"/play/{START}")
    open_new_dialog(page)
    page.locator("#new summary").press("Enter")
    expect(page.locator("#new [name=goal]")).to_be_in_viewport(ratio=1)
    goal, foot = box_of(page.locator("#new [name=goal]")), box_of(page.locator("#new .foot"))
    assert goal["y"] + goal["height"] <= foot["y"]


def test_next_puzzle_repeats_the_last_choice(page: Page) -> None:
    dialog = open_dialog(page)
    status = dialog.get_by_role("status")
    expect(status).to_have_text("Shortest solution: 17 to 23 moves", use_inner_text=True)
    page.keyboard.press("ArrowLeft")
    expect(status).to_have_text("Shortest solution: 10 to 15 moves", use_inner_text=True)
    dialog.get_by_label("Other").check()
    dialog.get_by_label("Columns").select_option("4")
    dialog.get_by_label("Easy").check()
    expect(status).to_have_text("Shortest solution: 1 to 31 moves", use_inner_text=True)
    dialog.get_by_label("Rows").select_option("2")
    dialog.get_by_role("button", name="Start").click()
    expect(page.locator("#board .tile")).to_have_count(7)
    assert parse_puzzle(page.url.rpartition("/")[2]).start.size == (2, 4)
    page.goto("/play/1.2.3-4.5.6-7.0.8")
    click(page, 8)
    wait_for_module(page, "new/new")
    follow(page, page.get_by_role("link", name="Next puzzle"))
    expect(page.locator("#board .tile")).to_have_count(7)
    open_new_dialog(page)
    expect(dialog.get_by_label("Easy")).to_be_checked()
    dialog.get_by_label("Rows").select_option("9")
    expect(status).to_have_text(re.compile("Boards this large are random"), use_inner_text=True)
    expect(dialog.get_by_label("Easy")).to_be_hidden()
    page.mouse.click(20, 400)  # beside it
    expect(page.locator("#board :focus")).to_have_count(1)


def test_links_of_the_navigation_are_in_view(page: Page) -> None:
    page.goto("/gallery")
    links = page.get_by_role("navigation", name="Pages").get_by_role("link")
    expect(links).to_have_text(["Play", "Daily", "Lab", "Learn", "Gallery"])
    for width in WIDTHS:
        resize(page, width)
        for link in links.all():
            expect(link).to_be_in_viewport(ratio=1)


def test_the_device_shares_the_result(page: Page) -> None:
    page.add_init_script("""navigator.share = async (data) => {
        window.shared = data.text;
        throw new DOMException("", "AbortError"); };""")
    solve_the_day(page)
    button = page.locator("#daily-result").get_by_role("button", name="Send…")
    button.click()
    page.wait_for_function("() => window.shared")  # once the sheet's module has loaded
    assert page.evaluate("window.shared") == page.get_by_label("Your result").input_value()
    expect(button).to_be_visible()


def test_daily_page_marks_puzzles_solved_in_this_browser(page: Page) -> None:
    page.goto(f"/daily/{DAY}")
    results = page.locator("[data-daily]")
    expect(results).to_have_text(["Not solved yet"] * 2)
    moves = solve_the_day(page)
    streak = "Solved on another day, so your streak stays as it was."
    expect(page.locator("#daily-streak")).to_have_text(streak)
    expect_to_fit_without_axe_violations(page)
    page.goto(f"/daily/{DAY}")
    expect(results.first).to_have_text(re.compile(rf"^Solved: {moves} moves, 0:\d\d"))
    expect(page.locator(".story .btn").first).to_have_text("Play again the 3 × 3 puzzle")
    expect(page.locator("#month-figures")).to_have_text(
        re.compile(
            rf"solved on the day.*0 of 28.*3 × 3, fewest moves.*{moves}.*mean.*{moves}.0", re.DOTALL
        )
    )
    expect(results.last).to_have_text("Not solved yet")
    expect(page.locator(".story .primary")).to_have_text("Play the 4 × 4 puzzle")
    calendar = page.locator("#calendar")
    day = calendar.get_by_role("link", name="28 February 2026, 1 of 2 solved, late")
    expect(day).to_contain_text("late")
    expect(calendar.get_by_role("link", name="27 February 2026", exact=True)).to_be_visible()
    expect(page.locator("#streak-current")).to_have_text("0 days")
    calendar.get_by_role("link", name="27 February 2026").press("Enter")
    expect(page.locator("time")).to_have_attribute("datetime", "2026-02-27")
    expect(results.first).to_have_text("Not solved yet")
    page.goto(f"/daily/{DAY}")
    expect(page.get_by_role("link", name="Review of the")).to_have_count(1)
    follow(page, page.get_by_role("link", name="Review of the 3 × 3 game"))
    expect(page.locator("#review-summary")).to_contain_text(f"{moves} moves")


def test_a_daily_counts_once_the_server_has_it(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    play_the_day(page)
    held = Held(page)
    click_solution(page)
    page.locator("#won").get_by_role("link", name="Share").click()
    expect(page.locator("#daily-streak")).to_be_empty()
    assert page.evaluate("localStorage.getItem('days')") is None
    held.release()
    expect(page.locator("#result-said")).to_have_text("Copied.")
    expect(page.locator("#won [data-share]")).to_have_text("Copied")
    result = page.get_by_label("Your result").input_value()
    assert page.evaluate("navigator.clipboard.readText()") == result
    expect(page.locator("#daily-streak")).not_to_be_empty()


def test_daily_is_recorded_if_its_page_is_left_at_once(page: Page) -> None:
    page.goto(f"/play/{CODE}")
    wait_for_module(page, "daily/streak")
    click_solution(page)
    page.goto(f"/daily/{DAY}")
    wait_until(page, "localStorage.getItem('days') !== null")
    page.reload()
    expect(page.locator("[data-daily$='3x3']")).to_contain_text("Solved")


@pytest.mark.own_page
def test_the_countdown_ends_with_a_link_to_the_new_puzzles(page: Page) -> None:
    page.clock.install()
    page.goto("/daily")
    expect(page.locator("#countdown")).to_have_text(re.compile(r"^\d?\d:\d\d:\d\d$"))
    expect(page.get_by_role("link", name="Play the new puzzles.")).to_have_count(0)
    page.clock.fast_forward("24:00:00")
    expect(page.locator("#countdown")).to_have_text("0:00:00")
    page.get_by_role("link", name="Play the new puzzles.").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Daily puzzles")


@pytest.mark.own_page
@pytest.mark.browser_context_args(timezone_id="Asia/Tokyo", locale="en-US")
def test_the_time_of_new_puzzles_follows_the_pages_language(page: Page) -> None:
    page.goto("/daily")
    expect(page.locator("#local-midnight")).to_have_text(re.compile(r"\(09:00 your time\)$"))


STREAKS = {
    # solved puzzles with their days, today; current streak, longest streak, whether today counts
    "nothing": ([], "2026-03-02", [0, 0, False]),
    "today": (["03-02"], "2026-03-02", [1, 1, True]),
    "up to yesterday": (["02-27", "02-28", "03-01"], "2026-03-02", [3, 3, False]),
    "over a leap day": (["02-28", "02-29", "03-01"], "2028-03-01", [3, 3, True]),
    "a day missed": (["02-26", "02-27", "03-01"], "2026-03-01", [1, 2, True]),
    "two days ago": (["02-27", "02-28"], "2026-03-02", [0, 2, False]),
    "a day solved late": (["02-27", "02-28 03-02", "03-01"], "2026-03-01", [1, 1, True]),
    "a day of unknown date": (["02-28 ", "03-01"], "2026-03-01", [1, 1, True]),
    "both puzzles of a day": (["03-01", "03-01"], "2026-03-01", [1, 1, True]),
}


@pytest.mark.own_page
@pytest.mark.browser_context_args(timezone_id="Pacific/Kiritimati")
def test_streaks_equal_those_computed_by_hand(page: Page) -> None:
    page.goto(f"/daily/{DAY}")
    cases = []
    for solved, today, _ in STREAKS.values():
        days: dict[str, dict[str, object]] = {}
        for text in solved:
            day, _, on = text.partition(" ")
            result = {"moves": 30, "seconds": 9.5, "helped": False}
            if on or " " not in text:
                result["on"] = f"{today[:5]}{on or day}"
            size = "4x4" if f"{today[:5]}{day} 3x3" in days else "3x3"
            days[f"{today[:5]}{day} {size}"] = result
        cases.append([days, today])
    streaks = page.evaluate(
        f"""async (cases) => {{ {MODULES}
          const {{ streaks }} = await load("daily/streak.js");
          return cases.map(([days, today]) => Object.values(streaks(days, today)));
        }}""",
        cases,
    )
    assert dict(zip(STREAKS, streaks, strict=True)) == {
        name: e for name, (*_, e) in STREAKS.items()
    }


def test_day_of_a_solve_is_that_of_the_site(page: Page) -> None:
    """Ten seconds before midnight in UTC, regardless of the player's time zone."""
    page.goto(f"/daily/{DAY}")
    on = page.evaluate(
        f"""async () => {{ {MODULES}
          const {{ noteDaily, solvedDays }} = await load("daily/streak.js");
          const won = document.createElement("div");
          const finished = Date.UTC(2026, 1, 28, 23, 59, 50) / 1000;
          const daily = "2026-02-28 4x4";
          Object.assign(won.dataset, {{ daily, finished, moves: 60, seconds: 70.25 }});
          won.innerHTML = '<p id="daily-streak"></p>';
          noteDaily(won);
          return solvedDays()["2026-02-28 4x4"].on;
        }}"""
    )
    assert on == DAY
    page.reload()
    expect(page.locator(".solved").last).to_have_text(re.compile("^Solved: 60 moves, 1:10"))
    expect(page.locator("#streak-longest")).to_have_text("1 day")
    link = page.locator("#calendar").get_by_role("link", name="28 February 2026, 1 of 2 solved")
    expect(link).to_have_class("solved-day")


def test_perfect_day_is_marked_and_the_month_saved_as_an_image(page: Page) -> None:
    page.goto(f"/daily/{DAY}")
    results = {
        "27 3x3": [26, 26, False],
        "27 4x4": [60, 52, False],
        "28 3x3": [30, 26, False],
        "28 4x4": [60, 52, False],
        "26 3x3": [26, 26, False],
        "26 4x4": [70, 52, True],
    }
    days = {
        f"2026-02-{key}": {
            "moves": moves,
            "seconds": 9,
            "helped": helped,
            "on": f"2026-02-{key[:2]}",
            "shortest": shortest,
        }
        for key, (moves, shortest, helped) in results.items()
    }
    page.evaluate("days => localStorage.setItem('days', JSON.stringify(days))", days)
    page.reload()
    calendar = page.locator("#calendar")
    perfect = calendar.get_by_role("link", name="27 February 2026, perfect day")
    expect(perfect).to_have_class("solved-day perfect")
    for day in 26, 28:
        link = calendar.get_by_role("link", name=f"{day} February 2026, both solved")
        expect(link).to_have_class("solved-day")
    figures = page.locator("#month-figures div").all_inner_texts()
    assert [figure.split("\n") for figure in figures] == [
        ["solved on the day", "3 of 28"],
        ["perfect days", "★ 1"],
        ["3 × 3, fewest moves", "26"],
        ["3 × 3, mean", "27.3"],
        ["4 × 4, fewest moves", "60"],
        ["4 × 4, mean", "60.0"],
    ]
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a picture").click()
    assert saved.value.suggested_filename == "slidewise-2026-02.png"
    with Image.open(saved.value.path()) as picture:
        assert (picture.format, picture.width) == ("PNG", 1080)
        assert len(picture.getcolors(1 << 24)) > 50
    expect_to_fit_without_axe_violations(page)


def test_best_result_of_a_day_is_stored_and_help_ranks_lower(page: Page) -> None:
    page.goto(f"/daily/{DAY}")
    store_results = f"""async (results) => {{ {MODULES}
      const {{ noteDay, solvedDays }} = await load("daily/streak.js");
      return results.map(([helped, moves, seconds]) => {{
        noteDay("2026-02-28 3x3", {{ helped, moves, seconds }});
        return Object.values(solvedDays()["2026-02-28 3x3"]);
      }});
    }}"""
    results = [
        [True, 26, 9],
        [False, 40, 99],
        [False, 30, 99],
        [False, 30, 50],
        [True, 26, 1],
        [False, 31, 1],
    ]
    best = page.evaluate(store_results, results)
    assert best == [*results[:4], results[3], results[3]]
    page.evaluate("localStorage.setItem('days', '[{')")
    page.reload()
    expect(page.locator("[data-daily]").first).to_have_text("Not solved yet")


def test_unfinished_games_are_offered_to_continue(page: Page) -> None:
    codes = [START, "1.2.3-4.5.6-0.7.8", "1.2.3.4-5.6.7.8-9.10.11.0-13.14.15.12"]
    for code, tiles in zip(codes, ([5], [7, 8], [12]), strict=True):  # the second is finished
        page.goto(f"/play/{code}")
        expect(page.locator(".continue")).to_have_count(2)
        click(page, *tiles)
        expect_sent(page)
    page.reload()
    below = page.locator(".more .continue")
    expect(below).to_have_count(1)
    expect(below.get_by_role("link")).to_have_text(["3 × 3, 1 move"])  # the others are finished
    page.goto("/play/2.3.0-1.5.6-4.7.8")
    click(page, 3)
    expect_sent(page)
    page.reload()
    expect(below.get_by_role("link")).to_have_text(["3 × 3, 1 move"])
    page.goto("/new")
    links = page.locator(".continue").get_by_role("link")
    expect(links).to_have_count(2)
    expect_to_fit_at_all_widths(page)
    follow(page, links.last)
    expect(page).to_have_url(re.compile(rf"/play/{re.escape(START)}$"))
    expect(page.locator("#move-count")).to_have_text("1")
