"""Actions of a visitor before their code has loaded are not lost."""

import re

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.browser.steps import (
    START,
    block_python,
    boards_after,
    expect_game,
    expect_moves,
    expect_sent,
    go,
    open_without,
    wait_for,
)

EDITED = "[data-edits=start] [data-cell='{}']"

CASES = {
    "page": ("/learn", "play/view", ["#open-settings"], "#settings[open]"),
    "practice": (
        "/learn/by-hand/corner",
        "course/learn/by_hand",
        [".tile[aria-label*='can move'] >> nth=0"],
        "#said:has-text('1 move.')",
    ),
    "editor": (
        "/custom?start=1.2.3-4.5.6-7.8.0",
        "new/editor",
        [EDITED.format(0), EDITED.format(1)],
        "[data-edits=start][data-board='2.1.3-4.5.6-7.8.0']",
    ),
    "game": (
        f"/play/{START}",
        "play/view",
        ["#t5", "#t8"],
        f"#play[data-board='{boards_after(START, (5, 8))[-1]}']",
    ),
}


def answer_from_cache(route: Route) -> None:
    """Answer as the service worker does without a connection."""
    response = route.fetch()
    body = response.text().replace("<html ", '<html data-cached="seen" ', 1)
    route.fulfill(response=response, body=body)


@pytest.mark.parametrize("case", CASES)
def test_early_click_acts_once_when_its_code_has_loaded(page: Page, case: str) -> None:
    path, module, clicked, seen = CASES[case]
    release = open_without(page, path, module)
    for selector in clicked:
        page.locator(selector).click()
    expect(page.locator(seen)).to_have_count(0)
    expect(page.locator(":is(a, button)[aria-busy=true]")).to_have_count(len(clicked))
    release()
    expect(page.locator(seen)).to_have_count(1)
    expect(page.locator(":is(a, button)[aria-busy=true]")).to_have_count(0)


@pytest.mark.usefixtures("connection_lost")
def test_click_whose_module_is_lost_loads_it_the_next_time(page: Page) -> None:
    lost: list[Route] = []

    def lose(route: Route) -> None:
        lost.append(route)
        route.abort("internetdisconnected")

    page.route("**/site/settings.js", lose, times=2)
    page.goto(f"/play/{START}")
    button = page.locator("#open-settings")
    button.click()
    wait_for(page, lambda: len(lost) == 2)
    expect(button).not_to_have_attribute("aria-busy", "true")
    expect(page.locator("#settings[open]")).to_have_count(0)
    button.click()
    expect(page.locator("#settings[open]")).to_have_count(1)


@pytest.mark.usefixtures("connection_lost")
def test_page_that_lost_a_module_is_loaded_again(page: Page) -> None:
    loads: list[Request] = []
    page.on("request", lambda one: loads.append(one) if one.is_navigation_request() else None)
    # The preload of the module and its import may be two requests.
    page.route(
        "**/js/play/connection.js",
        lambda route: route.abort() if len(loads) < 2 else route.continue_(),
    )
    page.goto(f"/play/{START}")
    page.wait_for_function("() => performance.getEntriesByType('navigation')[0].type === 'reload'")
    page.locator("#t5").click()
    expect_moves(page, 1)
    expect_sent(page)


def test_new_on_a_slow_line_shows_that_it_is_on_its_way(page: Page) -> None:
    held: list[Route] = []
    page.goto(f"/play/{START}")
    page.route("**/css/new.css", lambda route: held.append(route))
    button = page.locator("#new-game")
    button.click()
    expect(button).to_have_attribute("aria-busy", "true")
    assert button.evaluate("button => getComputedStyle(button).cursor") == "progress"
    wait_for(page, lambda: held)
    held[0].continue_()
    expect(page.locator("#new")).to_be_visible()
    expect(button).not_to_have_attribute("aria-busy", "true")


def test_early_tile_number_is_moved_once(page: Page) -> None:
    page.route("**/slide", lambda route: None)  # pending until `unroute`
    release = open_without(page, f"/play/{START}", "play/view")
    page.locator("details:has(#by-number) summary").click()
    page.locator("#by-number [name=tile]").fill("5")
    page.locator("#by-number [name=tile]").press("Enter")
    release()
    expect(page.locator("#play")).to_have_attribute("data-board", boards_after(START, (5,))[-1])
    page.locator("#t8").click()
    page.unroute_all()  # the post goes on; with another route it would time out first
    expect_game(page, 2, boards_after(START, (5, 8))[-1])
    expect_sent(page)


@pytest.mark.browser_context_args(locale="de-DE")
def test_click_before_the_texts_of_a_language_acts_once(page: Page) -> None:
    release = open_without(page, f"/play/{START}", "texts/de")
    page.wait_for_load_state()
    page.locator("#t5").click()
    page.locator("#open-settings").click()
    release()
    expect(page.locator("#settings[open]")).to_have_count(1)
    expect(page.locator("#play")).to_have_attribute("data-board", boards_after(START, (5,))[-1])
    expect_sent(page)


@pytest.mark.browser_context_args(locale="de-DE")
def test_progress_is_marked_after_late_texts(page: Page) -> None:
    page.goto("/static/icon.svg")
    page.evaluate("""localStorage.setItem("by-hand", '{"corner": 0}')""")
    for path, marked in ("/learn/by-hand", "[data-lesson=corner].is-done"), ("/learn", ".is-here"):
        release = open_without(page, path, "texts/de")
        page.wait_for_load_state()
        expect(page.locator(marked)).to_have_count(0)
        release()
        expect(page.locator(marked)).to_have_count(1)


def test_early_search_is_shown_by_the_player(page: Page) -> None:
    release = open_without(page, f"/play/{START}", "play/view")
    page.locator("#solve-button").click()
    release()
    go(page, "last")
    expect(page.locator("#player output")).to_have_text("20 / 20")


@pytest.mark.own_page
def test_early_clicks_in_speed_mode_are_timed(page: Page) -> None:
    page.goto("/static/icon.svg")
    page.evaluate("""() => { localStorage["speed-mode"] = localStorage.inspection = "on"; }""")
    release = open_without(page, "/play/1.2.3-4.5.6-0.7.8", "play/speed/mode")
    page.wait_for_load_state()
    page.locator("#t7").click()  # uncovers the tiles
    release()
    expect(page.locator(".speed-moves")).to_have_text("inspection")
    page.evaluate("() => { localStorage.removeItem('inspection'); }")
    release = open_without(page, "/play/1.2.3-4.5.6-0.7.8", "play/speed/mode")
    page.wait_for_load_state()
    page.locator("#t7").click()
    page.locator("#t8").click()
    release()
    expect(page.locator(".speed-list li")).to_have_count(1)


@pytest.mark.own_page
def test_early_choices_and_files_stay(page: Page) -> None:
    page.goto("/static/icon.svg")
    page.evaluate("""localStorage.setItem("new-game", '{"size": "5x5"}')""")
    release = open_without(page, "/new", "new/new")
    size = page.locator("[name=size][value='4x4']")
    size.check(force=True)  # its label covers it
    release()
    expect(size).to_be_checked()

    release = open_without(page, "/learn/class", "course/learn/class")
    page.locator("#files").set_input_files(
        {"name": "ann.py", "mimeType": "text/x-python", "buffer": b"# exercise: bfs"}
    )
    release()
    expect(page.locator("#run")).to_be_enabled()


def test_early_number_to_beat_is_in_the_link(page: Page) -> None:
    release = open_without(page, f"/play/{START}/share?what=challenge", "share/sheet")
    page.locator("[name=beat]").fill("55")
    release()
    expect(page.locator("#link-to-challenge")).to_have_value(re.compile(r"\?beat=55$"))


def test_editor_is_read_only_until_stored_code_has_loaded(page: Page) -> None:
    block_python(page)
    release = open_without(page, "/learn/write/bfs", "course/write/write")
    expect(page.locator("#code")).not_to_be_editable()
    release()
    expect(page.locator("#code")).to_be_editable()


def test_trainer_hides_its_board_until_it_has_drawn_one(page: Page) -> None:
    release = open_without(page, "/learn/by-hand/trainer", "course/learn/trainer")
    tiles = page.locator("#board .tile")
    expect(tiles).to_have_count(8)
    expect(tiles.locator("visible=true")).to_have_count(0)
    release()
    expect(tiles.locator("visible=true")).to_have_count(8)


@pytest.mark.own_page
def test_tiles_of_a_cached_page_are_hidden_until_it_loads(page: Page) -> None:
    page.route("**/play/*", answer_from_cache)
    release = open_without(page, "/play/1.2.3-4.0.5-7.8.6", "play/offline_page")
    tiles = page.locator("#board .tile:has(b)")
    expect(tiles).to_have_count(8)
    expect(tiles.locator("visible=true")).to_have_count(0)
    release()
    expect(tiles.locator("visible=true")).to_have_count(8)
