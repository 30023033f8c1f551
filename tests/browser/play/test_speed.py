"""Speed mode: its list of times, compared with values computed by hand, and its controls."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.hands import Finger
from tests.browser.steps import (
    BLOCK_STORAGE,
    MODULES,
    box_of,
    click,
    expect_board,
    expect_sent,
    expect_to_fit_without_axe_violations,
    follow,
    open_settings,
    press,
    style,
    tile,
)

TWO_MOVES = "1.2.3-4.5.6-0.7.8"

CASES = """async () => {
  const times = await import("/static/js/play/speed/times.js");
  const D = times.DNF;
  const cases = [
    // a single time is cut to hundredths, penalties come on top
    [times.resultOf({ ms: 9999.9, penalty: "" }), 999],
    [times.resultOf({ ms: 12_345, penalty: "+2" }), 1434],
    [times.resultOf({ ms: 12_345, penalty: "DNF" }), D],
    // the average of 10.00 11.00 12.00 13.00 14.00 is that of 11, 12 and 13
    [times.average([1000, 1100, 1200, 1300, 1400]), 1200],
    [times.average([1400, 1000, 1300, 1100, 1200]), 1200],
    // (10.00 + 10.01 + 10.01) / 3 = 10.00667, which is rounded up; 10.00333 is rounded down
    [times.average([900, 1000, 1001, 1001, 1100]), 1001],
    [times.average([900, 1000, 1000, 1001, 1100]), 1000],
    // one DNF is the worst, two are a DNF
    [times.average([D, 1000, 1100, 1200, 900]), 1100],
    [times.average([D, 1000, D, 1200, 900]), D],
    [times.average([D, D, D, D, D]), D],
    [times.average([700, 700, 700, 700, 700]), 700],
    // of twelve, ten count: 2 to 11 seconds, 65 in all; a half is rounded up
    [times.average([100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200]), 650],
    [times.average([100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1105, D]), 651],
    [times.lastAverage([1, 2, 3, 4], 5), null],
    [times.lastAverage([9999, 1000, 1100, 1200, 1300, 1400], 5), 1200],
    [times.bestAverage([1000, 1100, 1200, 1300, 1400, 9999], 5), 1200],
    [times.bestAverage([1000, 1100], 5), null],
    [times.mean([1000, 1001, D]), 1001], // 10.005
    [times.mean([D]), null],
    [times.best([1200, D, 1100]), 1100],
    [times.best([D]), D],
    [times.best([]), null],
    // inspection: 15 seconds are free, 17 cost two
    [times.inspectionPenalty(0), ""],
    [times.inspectionPenalty(15_000), ""],
    [times.inspectionPenalty(15_001), "+2"],
    [times.inspectionPenalty(17_000), "+2"],
    [times.inspectionPenalty(17_001), "DNF"],
    [times.timeText(7), "0.07"],
    [times.timeText(5999), "59.99"],
    [times.timeText(6000), "1:00.00"],
    [times.timeText(366_105), "1:01:01.05"],
    [times.timeText(D), "DNF"],
    [times.timeText(null), "–"],
    [times.movesASecond(52, 8000), 6.5],
    [times.movesASecond(1, 0), null],
    [times.cutText(1999), "1.99"],
    // the first row is done, is broken at 3 s and is done again at 5 s; the last ends it at 6 s
    [times.splits({ start: "1.2-0.3", goal: "1.2-3.0", slides: "L", times: [0] }).join(), "0,0"],
    [times.splits({ start: "1.2.3-4.5.6-0.7.8", goal: "1.2.3-4.5.6-7.8.0", slides: "LL",
      times: [0, 700] }).join(), "0,0,700"],
    [times.splits({ start: "1.2.3-4.5.0-7.8.6", goal: "1.2.3-4.5.6-7.8.0", slides: "DUU",
      times: [0, 3000, 2000] }).join(), "3000,5000,5000"],
  ];
  const isWrong = ([found, wanted]) => !Object.is(found, wanted);
  return cases.map((one, i) => [i, ...one]).filter(([, ...one]) => isWrong(one));
}"""


NO_ROOM = """
  const { setItem } = Storage.prototype;
  Storage.prototype.setItem = function (name, text) {
    if (name === "solves") throw new DOMException("full", "QuotaExceededError");
    setItem.call(this, name, text);
  };
"""


def begin(page: Page, code: str = TWO_MOVES, **settings: str) -> None:
    page.goto("/static/icon.svg")
    stored = {"speed-mode": "on"} | {
        name.replace("_", "-"): word for name, word in settings.items()
    }
    page.evaluate("kept => Object.assign(localStorage, kept)", stored)
    page.goto(f"/play/{code}")
    expect(page.locator("#speed-session")).to_be_visible()


def test_times_equal_those_computed_by_hand(page: Page) -> None:
    page.goto("/static/icon.svg")
    assert page.evaluate(CASES) == []


def test_a_solve_is_timed_and_listed_and_can_be_marked(page: Page) -> None:
    page.goto(f"/play/{TWO_MOVES}")
    open_settings(page)
    page.get_by_label("Speed mode: large timer").check()
    page.keyboard.press("Escape")
    timer = page.locator("#speed-timer")
    expect(timer.locator(".speed-time")).to_have_text("0.00")
    click(page, 7, 8)
    expect(timer.get_by_role("status")).to_have_text(re.compile(r"^\d+\.\d\d, 2 moves\.$"))
    item = page.locator(".speed-list li")
    expect(item).to_have_count(1)
    item.locator("summary").click()
    expect(item.locator(".speed-splits li").first).to_have_text("Row 1 done at 0.00")
    item.get_by_role("button", name="DNF").click()
    expect(item.locator("summary")).to_contain_text("DNF (")
    expect(item.get_by_role("button", name="DNF")).to_be_focused()
    expect_sent(page)
    page.reload()
    expect(page.locator(".speed-list summary")).to_contain_text("DNF (")
    expect(timer.get_by_role("status")).to_contain_text("has already started")


def test_a_solve_of_a_single_slide_is_not_listed(page: Page) -> None:
    begin(page, "1.2.3-4.5.6-7.0.8")
    click(page, 8)
    expect(page.locator(".speed-said")).to_contain_text("Not counted: timing starts")
    expect(page.locator(".speed-list li")).to_have_count(0)


THREE_MOVES = "1.2.3-0.5.6-4.7.8"

UNCOUNTED = {
    "helped": ["#hint", "#t4", "#t7", "#t8"],
    "redone after a restart": ["#t4", "#restart", "#undo", "#t7", "#t8"],
}


@pytest.mark.parametrize("case", UNCOUNTED)
def test_solve_with_help_or_a_redo_is_not_listed(page: Page, case: str) -> None:
    begin(page, THREE_MOVES)
    for button in UNCOUNTED[case]:
        page.locator(button).click()
        expect_sent(page)
    reason = "you had help" if case == "helped" else "you used Redo"
    expect(page.locator(".speed-said")).to_have_text(f"Not counted: {reason}.")
    page.keyboard.press("Escape")  # a restart is timed again
    expect(page.locator(".speed-said")).to_be_empty()
    expect(page.locator(".speed-time")).to_have_text("0.00")
    click(page, 4, 7, 8)
    expect(page.locator(".speed-list li")).to_have_count(1)


def test_solve_with_moves_of_another_tab_is_not_listed(page: Page) -> None:
    begin(page, THREE_MOVES)
    other = page.context.new_page()
    other.goto(f"/play/{THREE_MOVES}")
    click(page, 4, moves=1)
    expect_sent(page)
    click(other, 7, 8)
    expect(page.locator(".speed-said")).to_contain_text("something other than your moves")
    expect(page.locator(".speed-list li")).to_have_count(0)
    other.close()


def test_solves_without_room_in_the_browser_stay_listed(page: Page) -> None:
    page.add_init_script(NO_ROOM)
    begin(page)
    for count in 1, 2:
        click(page, 7, 8)
        expect(page.locator(".speed-list li")).to_have_count(count)
        page.keyboard.press("Escape")
    expect(page.locator("#speed-session")).to_contain_text("This browser has no space")


def test_times_and_records_say_that_storage_is_blocked(page: Page) -> None:
    page.add_init_script(BLOCK_STORAGE)
    page.goto(f"/play/{TWO_MOVES}")
    open_settings(page)
    page.locator("#settings [name=speed-mode]").check()
    page.keyboard.press("Escape")
    expect(page.locator("#speed-session")).to_be_visible()
    click(page, 7, 8)
    expect(page.locator(".speed-list li")).to_have_count(1)
    expect(page.locator("#speed-session")).to_contain_text("This browser stores nothing")
    expect(page.locator("#no-bests")).to_contain_text("This browser stores nothing")
    expect(page.locator("#speed-times")).to_contain_text("This browser stores nothing")
    follow(page, page.locator("#next-puzzle"))
    expect(page.locator("#speed-session")).to_contain_text("ao5 and ao12: the average")
    expect(page.locator(".speed-moves")).to_have_text("starts when you move")
    page.locator("#new-game").click()
    follow(page, page.get_by_role("button", name="Start game"))
    expect(page.locator("#speed-session")).to_be_visible()


STAYS = """(key) => {
  const figure = document.querySelector(".speed-figures dd");
  dispatchEvent(new StorageEvent("storage", { key }));
  return figure.isConnected;
}"""
"""Returns whether the list stays after another tab has stored a value."""


def test_list_is_drawn_again_only_for_solves_of_other_tabs(page: Page) -> None:
    begin(page)
    assert page.evaluate(STAYS, "bests")
    assert not page.evaluate(STAYS, "solves")
    assert not page.evaluate(STAYS, None)


def test_solve_stays_listed_if_the_server_credits_less_time(page: Page) -> None:
    begin(page)
    click(page, 7, moves=1)
    an_hour_ahead = "(await load('play/clock.js')).clock.goOnFrom(3_600_000);"
    page.evaluate(f"async () => {{ {MODULES} {an_hour_ahead} }}")
    click(page, 7)
    expect_sent(page)  # the server's correction comes before the next solve
    click(page, 8)
    expect(page.locator(".speed-list li")).to_have_count(1)
    assert page.evaluate("JSON.parse(localStorage.solves)[0].times.every((ms) => ms >= 0)")


def centre(page: Page, number: int) -> tuple[float, float]:
    box = box_of(tile(page, number))
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_hovering_slides_and_keys_continue(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    begin(page, "1.2.3-4.0.5-7.8.6", hover="on")
    page.mouse.move(*centre(page, 4))
    expect_board(page, "1.2.3-0.4.5-7.8.6")
    page.mouse.down()
    page.mouse.up()  # a click at the tile's old place moves nothing
    page.mouse.move(*centre(page, 4))
    expect_board(page, "1.2.3-4.0.5-7.8.6")
    expect(page.locator(".speed-moves")).to_contain_text("2 moves")
    page.keyboard.press("Escape")
    expect_board(page, "1.2.3-4.0.5-7.8.6")
    expect(page.locator(".speed-moves")).to_have_text("starts when you move")
    page.mouse.move(*centre(page, 5))
    expect_board(page, "1.2.3-4.5.0-7.8.6")
    page.mouse.move(*centre(page, 6))
    expect(page.locator(".speed-list li")).to_have_count(1)
    page.mouse.move(*centre(page, 5))  # a solved board stays solved
    expect_board(page, "1.2.3-4.5.6-7.8.0")
    for twice in "#figures", "#records", "#won .tally":
        expect(page.locator(twice)).to_be_hidden()
    for seen in ".speed-time", "#next-puzzle", ".speed-figures", ".speed-list li":
        expect(page.locator(seen)).to_be_in_viewport(ratio=1)
    toolbar, times = (box_of(page.locator(part)) for part in ("#moves .tools", "#speed-times"))
    assert times["x"] == toolbar["x"], "below the board"
    assert times["y"] >= toolbar["y"] + toolbar["height"]
    assert style(page.locator("#next-puzzle"), "content", "::after") == '"(N)"'
    with page.expect_navigation(url=re.compile(r"/play/")):
        page.keyboard.press("n")
    expect(page.locator("#board .tile")).to_have_count(8)


def test_finger_pressed_on_the_blank_drags_it(shared_page: Callable[..., Page]) -> None:
    page = shared_page(has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844})
    begin(page, "1.2.3-4.0.5-7.8.6", hover="on")
    finger = Finger(page)
    blank = centre(page, 2)[0], centre(page, 4)[1]
    left, right = centre(page, 4), centre(page, 5)
    finger.press(blank)
    finger.move(left)
    expect_board(page, "1.2.3-0.4.5-7.8.6")
    finger.move(right)
    expect_board(page, "1.2.3-4.5.0-7.8.6")
    finger.release()
    finger.press(left)  # a press on a tile swipes
    finger.move(right)
    finger.release()
    expect_board(page, "1.2.3-0.4.5-7.8.6")
    page.locator("#t4").tap()
    expect_board(page, "1.2.3-4.0.5-7.8.6")


@pytest.mark.own_page
def test_inspection_hides_the_tiles_and_a_long_one_costs_time(page: Page) -> None:
    page.clock.install(time="2026-02-28T12:00:00Z")
    begin(page, inspection="on")
    timer = page.locator("#speed-timer")
    expect(page.locator("#game")).to_have_class("covered")
    page.clock.pause_at("2026-02-28T13:00:00Z")  # from here only the test advances the clock
    tile(page, 7).click()  # shows the tiles, and moves none
    expect(page.locator("#game")).not_to_have_class("covered")
    expect_board(page, TWO_MOVES)
    page.clock.run_for(8_100)
    expect(timer.locator(".speed-time")).to_have_text("7")
    expect(timer.get_by_role("status")).to_have_text("8 seconds")
    page.clock.run_for(8_000)
    expect(timer.locator(".speed-time")).to_have_text("+2")
    expect(timer.get_by_role("status")).to_have_text("+2")
    tile(page, 7).click()
    page.clock.run_for(1_000)
    tile(page, 8).click()
    expect(page.locator(".speed-list summary")).to_contain_text("+")
    assert page.evaluate("JSON.parse(localStorage.solves)[0].penalty") == "+2"


def test_no_key_moves_a_covered_tile(page: Page) -> None:
    begin(page, inspection="on")
    game = page.locator("#game")
    for keys in (["ArrowLeft", "ArrowLeft", "Escape"], ["r"]):  # a restart that can be redone
        expect(game).to_have_class("covered")
        page.keyboard.press(keys[0])
        expect(game).not_to_have_class("covered")
        expect_board(page, TWO_MOVES)
        press(page, *keys[1:])


def test_keys_before_speed_mode_has_loaded_move_no_tile(
    new_context: Callable[..., BrowserContext],
) -> None:
    page = new_context().new_page()  # without a cache, so that the file is requested
    held: list[Route] = []
    page.route("**/speed/timer.js", lambda route: held.append(route))
    page.goto("/static/icon.svg")
    page.evaluate("Object.assign(localStorage, { 'speed-mode': 'on', inspection: 'on' })")
    with page.expect_request("**/speed/timer.js"):  # the keys are on before the mode is requested
        page.goto(f"/play/{TWO_MOVES}")
    press(page, "ArrowLeft", "ArrowLeft")
    expect(page.locator("#board [aria-busy=true]")).to_have_count(1)
    held[0].continue_()
    expect(page.locator("#speed-timer .speed-moves")).to_have_text("inspection")
    expect_board(page, TWO_MOVES)


@pytest.mark.motion
def test_solve_is_replayed_with_its_own_moves(page: Page) -> None:
    begin(page)
    click(page, 7, 7, 8)
    expect(page.locator(".speed-list li")).to_have_count(1)
    page.locator(".speed-list summary").click()
    follow(page, page.get_by_role("link", name="Replay"))
    expect(page.locator("#as-played")).to_contain_text(re.compile(r"Played in \d+\.\d\d"))
    expect(page.get_by_label("Speed", exact=True)).to_have_value("played")
    page.get_by_role("button", name="Play the solution").click()
    expect(page.locator("#player output")).to_have_text("4 / 4")
    page.goto("/static/icon.svg")
    page.goto(f"/replay/{TWO_MOVES}?moves=L2#times=.5.5")
    expect(page.locator("#as-played")).to_contain_text("do not fit its moves")


def read_csv(page: Page, text: str) -> None:
    file = {"name": "solves.csv", "mimeType": "text/csv", "buffer": text.encode()}
    page.locator("#speed-times input[type=file]").set_input_files(files=[file])


def test_list_is_exported_and_imported(page: Page) -> None:
    begin(page)
    expect(page.get_by_text("Open CSV …")).to_be_visible()
    expect(page.get_by_role("button", name="Save as CSV")).to_be_hidden()
    click(page, 7, 8)
    expect(page.locator(".speed-list li")).to_have_count(1)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    text = download.value.path().read_text()
    head, line = text.splitlines()
    stored = page.evaluate("localStorage.solves")
    status = page.locator("#speed-times > [role=status]")
    mistakes = {
        "nonsense": "This is not a list of solves",
        f"{head}\n{line.replace('1.2.3-4.5.6-0.7.8', '1.2.3-4.5.6-0.7.7')}": "in the column puzzle",
        f"{head}\n{line}\n{line.replace('LL', 'LU')}": "Line 3: the slides and their times",
        f"{head}\nyesterday{line[24:]}": "Line 2: “yesterday” is wrong in the column date",
        f"{head}\n1,2": "Line 2: expected 8 columns, found 2",
    }
    for wrong, words in mistakes.items():
        read_csv(page, wrong)
        expect(status).to_contain_text(words)
        assert page.evaluate("localStorage.solves") == stored
    read_csv(page, text)
    expect(status).to_contain_text("All its solves were already in")
    read_csv(page, f"{head}\r\n2001{line[4:]}\r\n")
    expect(page.locator(".speed-list li")).to_have_count(2)
    expect(page.get_by_role("img", name="The last 2 times")).to_be_visible()
    page.locator(".speed-list summary").first.click()
    expect_to_fit_without_axe_violations(page)
