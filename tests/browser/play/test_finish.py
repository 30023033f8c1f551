"""The finished game: its card, the browser's records, and the review."""

import re
import time
from functools import partial

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.steps import (
    BLOCK_STORAGE,
    box_of,
    click,
    expect_board,
    expect_game,
    expect_moves,
    expect_sent,
    expect_to_fit,
    open_without,
    prepare_numbers,
    tile,
)
from tests.each import some

ONE_MOVE = "1.2.3-4.5.6-7.0.8"
TWO_MOVES = "1.2.3-4.5.6-0.7.8"
TOO_LARGE = "1.2.3.4.5-6.7.8.9.10-11.12.13.14.15-16.17.18.19.20-21.22.23.0.24"
"""A board that the browser has no numbers for."""

NOTE_REVIEW = """() => {
  window.reviewed = new Promise((resolve) => {
    document.addEventListener("htmx:finally:request",
      ({ detail: { ctx } }) => ctx.target.id === "review" && resolve());
  });
}"""

OTHER_GOAL = "1.0.2-3.4.5_0.1.2-3.4.5"


NOTE_CONFETTI = """() => new MutationObserver(() => {
  const falling = document.querySelectorAll(".confetti i").length;
  if (falling) document.documentElement.dataset.fallen = falling;
}).observe(document.body, { childList: true, subtree: true })"""

NOTE_FALLS = """() => {
  const { animate } = Element.prototype;
  Element.prototype.animate = function (frames, options) {
    if (this.closest(".confetti"))
      document.documentElement.dataset.falls =
        `${document.documentElement.dataset.falls ?? ""} ${frames[0].translate.split(" ")[0]}`;
    return animate.call(this, frames, options);
  };
}"""
"""Records the horizontal start of each piece of confetti."""


NOTE_SAID = """() => {
  globalThis.said = [];
  const line = document.getElementById("said");
  new MutationObserver(() => said.push(line.textContent.trim()))
    .observe(line, { childList: true, characterData: true, subtree: true });
}"""
"""Records each change of the announcement, even to an equal text."""


def win(page: Page, code: str, *tiles: int) -> None:
    page.goto(f"/play/{code}")
    click(page, *tiles)
    expect(page.locator("#won")).to_be_visible()


def open_review(page: Page) -> None:
    page.locator("#open-review").click()
    expect(page.locator("#review-summary")).to_be_visible()
    expect(page.locator("#review-next")).to_be_focused()  # by the module of its graph


def best(page: Page, text: str) -> None:
    expect(page.locator("#best")).to_have_text(re.compile(text))


def test_puzzle_that_is_already_solved_has_no_figures(page: Page) -> None:
    page.goto("/play/1.2.3-4.5.6-7.8.0")
    expect(page.locator("#won")).to_contain_text("This puzzle starts at its goal.")
    expect(page.locator("#figures")).to_be_hidden()


NOTE_SHIFTS = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => list.getEntries().forEach(({ value, hadRecentInput }) => {
    if (!hadRecentInput) window.shifted += value;
  })).observe({ type: "layout-shift" });
}"""


@pytest.mark.motion
@pytest.mark.parametrize(
    ("width", "height", "query"),
    some(
        [
            *((1280, 800, ""), (390, 664, "?beat=2"), (390, 664, ""), (320, 640, "")),
            *((667, 375, ""), (320, 200, "")),
        ],
        *(1, 4),
    ),
)
def test_finish_covers_no_board_and_shifts_nothing(
    page: Page, width: int, height: int, query: str
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"/play/{TWO_MOVES}{query}")
    prepare_numbers(page)
    page.evaluate(NOTE_SHIFTS)
    click(page, 7, 8)
    expect(page.locator("#won[data-noted]")).to_be_visible()
    expect(page.locator(".confetti")).to_have_count(0)
    expect_sent(page)
    assert page.evaluate("window.shifted") <= 0.01
    board, card = box_of(page.locator("#board")), box_of(page.locator("#won"))
    is_below = board["y"] + board["height"] <= card["y"]
    is_beside = board["x"] + board["width"] <= card["x"]
    assert is_below or is_beside
    if height > 200:
        expect(page.locator("#next-puzzle")).to_be_in_viewport(ratio=1)
    if height > width:  # the navigation stands at the bottom
        button = box_of(page.locator("#next-puzzle"))
        pages = box_of(page.get_by_role("navigation", name="Pages"))
        assert button["y"] + button["height"] <= pages["y"]
    expect_to_fit(page)
    page.locator("#undo").click()
    expect(page.locator("#won")).to_have_count(0)
    expect_moves(page, 1)


@pytest.mark.motion
def test_confetti_falls_once_over_the_whole_board(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/play/{ONE_MOVE}")
    page.evaluate(NOTE_CONFETTI)
    page.evaluate(NOTE_FALLS)
    click(page, 8)
    fallen = page.locator("html")
    expect(fallen).to_have_attribute("data-fallen", "48")
    expect(fallen).to_have_attribute("data-falls", re.compile(r"(\S+ ){47}"))
    falls = fallen.get_attribute("data-falls") or ""
    assert max(float(x.removesuffix("px")) for x in falls.split()) > 150
    confetti = page.locator(".confetti")
    expect(confetti).to_have_count(0)  # removed after the fall
    page.keyboard.press("h")
    expect(page.locator("#said")).to_contain_text("It is already solved.")
    assert confetti.count() == 0
    expect_sent(page)
    page.reload()
    expect(page.locator("html[data-resumed]")).to_have_count(1)
    assert confetti.count() == 0
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(NOTE_CONFETTI)
    page.locator("#undo").click()
    expect(page.locator("#won")).to_have_count(0)
    click(page, 8)
    expect(page.locator("#won")).to_be_visible()
    expect(fallen).not_to_have_attribute("data-fallen", re.compile("."))


def test_slide_after_the_finish_does_not_change_it(page: Page) -> None:
    win(page, TWO_MOVES, 7, 8)
    expect(page.locator("#next-puzzle")).to_be_focused()
    expect(page.locator("#solver")).to_be_hidden()
    page.keyboard.press("ArrowDown")
    typed = page.locator("#typed")
    expect(typed).to_have_text("Solved. To play on here, use the Undo or Restart button.")
    for act in (
        lambda: page.keyboard.press("d"),
        lambda: [page.keyboard.press(key) for key in ("8", "Enter")],
        lambda: tile(page, 3).dispatch_event("click"),
        *(partial(page.keyboard.press, key) for key in ("g", "u", "Control+z", "Meta+z")),
    ):
        act()
        expect(page.locator("#won")).to_be_visible()
        expect_board(page, "1.2.3-4.5.6-7.8.0")
        expect_moves(page, 2)
    expect(typed).not_to_be_empty()
    page.reload()
    expect(page.locator("#won")).not_to_contain_text("with help")
    page.locator("#undo").click()
    expect_moves(page, 1)
    expect(typed).to_be_empty()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#next-puzzle")).to_be_focused()


def test_each_move_and_the_finish_are_announced_once(page: Page) -> None:
    page.goto("/play/1.2.3-4.5.0-7.8.6?beat=9")
    prepare_numbers(page)
    page.evaluate(NOTE_SAID)
    page.route("**/slide", lambda route: (time.sleep(0.4), route.continue_()))
    for moves, number in enumerate((5, 5), 1):
        click(page, number, moves=moves)
        expect_sent(page)
    page.locator("#undo").click()
    expect_sent(page)
    click(page, 5, 6)
    expect(page.locator("#won")).to_be_visible()
    expect_sent(page)
    *said, last = page.evaluate("said.filter(text => text !== '')")
    moves = ["Tile 5 right", "Tile 5 left", "Undone", "Tile 5 left"]
    assert [text.split(".")[0] for text in said] == moves
    assert last.startswith("Tile 6 up. Solved in 3 moves.")


def test_best_of_each_kind_is_stored_and_a_new_one_announced(page: Page) -> None:
    win(page, TWO_MOVES, 4, 4, 7, 8)
    best(page, r"^Personal best \(3 × 3, Easy\): 4 moves, 0:\d\d")
    expect_sent(page)
    page.wait_for_function("() => localStorage.getItem('bests')?.includes('\"count\":4')")
    page.locator("#restart").click()
    click(page, 7, 8)
    best(page, r"^New personal best: fewest moves")
    records = page.locator("#records")
    expect(records).to_contain_text(re.compile(r"fewest moves\s*2New best"))
    expect(records).to_contain_text(re.compile(r"puzzles solved\s*2"))
    expect(page.locator("#review-said")).to_contain_text("New personal best: fewest moves")
    expect_sent(page)  # else the game is finished after the reload
    page.reload()
    best(page, r"^New personal best: fewest moves")
    expect(page.locator("#review-said")).to_be_empty()
    win(page, ONE_MOVE, 8)
    best(
        page, r"^Personal best \(3 × 3, Easy\): 2 moves,"
    )  # no record: a single slide takes no time
    win(page, OTHER_GOAL, 2, 2, 1)
    best(page, r"^Personal best \(2 × 3, Easy, blank first\): 3 moves,")
    page.locator("#your-game summary").click()
    listed = page.locator("#bests-list li")
    expect(listed).to_have_count(2)
    expect(listed.first).to_have_text(re.compile(r"^2 × 3, Easy, blank first: 3 moves, 0:\d\d"))
    clear = page.get_by_role("button", name="Clear the records")
    page.once("dialog", lambda dialog: dialog.dismiss())
    clear.click()
    expect(clear).to_be_visible()  # nothing is cleared
    page.once("dialog", lambda dialog: dialog.accept())
    clear.click()
    expect(listed).to_have_count(0)
    expect(page.locator("#your-game summary")).to_be_focused()
    expect(page.locator("#your-game")).to_contain_text("None yet")
    page.reload()
    page.locator("#your-game summary").click()
    expect(listed).to_have_count(1)  # a shown game counts like one just won


def test_a_goal_without_a_name_takes_no_long_line(page: Page) -> None:
    page.goto("/play/1.2.3.4-5.6.7.8-9.10.0.11-13.14.15.12_1.2.3.4-5.6.7.8-9.10.11.0-13.14.15.12")
    click(page, 10, 10, 11)
    best(page, r"^Personal best \(4 × 4, Easy, 1\.2\.3\.4-5\.6\.7\.8-9\.10 …\): 3 moves, ")


def test_a_game_with_help_is_no_best(page: Page) -> None:
    page.goto(f"/play/{ONE_MOVE}")
    page.locator("#hint").click()
    page.locator("#board .hint").click()
    expect(page.locator("#won")).to_contain_text("with help")
    page.locator("#your-game summary").click()
    expect(page.locator("#your-game")).to_contain_text("None yet")
    expect(page.locator("#best")).to_be_hidden()
    win(page, TWO_MOVES, 7, 8)
    best(page, r"^Personal best \(3 × 3, Easy\): 2 moves")


def test_game_works_without_storage(page: Page) -> None:
    page.add_init_script(BLOCK_STORAGE)
    win(page, ONE_MOVE, 7, 7, 8)
    best(page, r"^Personal best \(3 × 3, Easy\): 3 moves")
    page.locator("#your-game summary").click()
    expect(page.locator("#your-game")).to_contain_text("This browser stores nothing")


def test_review_opens_on_the_board_and_shows_each_move(page: Page) -> None:
    win(page, TWO_MOVES, 4, 4, 7, 8)
    open_review(page)
    expect(page.locator("#review-summary")).to_have_text(
        "4 moves. Shortest: 2. One detour cost you 2 moves."
    )
    expect(page.locator("#review-next")).to_be_focused()
    expect(page.locator("#board")).to_be_hidden()
    expect(page.locator("#review-said")).to_contain_text("Review: 4 moves")
    expect(page.locator("#review-summary")).to_be_in_viewport()
    moves = page.locator("#review-moves a")
    expect(moves.first).to_have_text(
        re.compile(r"1\s+4 down\s+3 moves left\s+detour; better: 7 left")
    )
    shown = page.locator("#review-move")
    expect(shown).to_contain_text(
        "Move 1: 4 down. This took you from 2 moves left to 3. You moved the ringed tile"
    )
    page.locator("#review-next").click()
    expect(shown).to_contain_text("Move 2: 4 up.")
    expect(page.locator("#review-next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(shown).to_contain_text("Move 3: 7 left.")
    expect(page.locator("#review-said")).to_have_text("Move 3: 7 left, 1 move left.")
    page.keyboard.press("Enter")
    expect(shown).to_contain_text("Move 4: 8 left. This took you from 1 move left to 0.")
    expect(page.locator("#review-next")).to_be_focused()
    moves.nth(1).focus()
    page.keyboard.press("Enter")
    expect(shown).to_contain_text("Move 2: 4 up.")
    expect(moves.nth(1)).to_be_focused()
    expect(page.locator("#review-moves .here")).to_have_text(re.compile(r"^\s*2\s"))
    page.locator("#leave-review").click()
    expect(page.locator("#open-review")).to_be_focused()
    expect_board(page, "1.2.3-4.5.6-7.8.0")


def test_board_stays_in_sight_beside_the_reviews_graph(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    win(page, TWO_MOVES, 4, 4, 7, 8)
    open_review(page)
    board = page.locator("#review-board .board")
    expect(board).to_be_in_viewport(ratio=1)
    expect(page.locator("#review-move")).to_be_in_viewport(ratio=1)
    graph = page.locator("#review-graph")
    for width, height in (1280, 900), (844, 390):
        page.set_viewport_size({"width": width, "height": height})
        page.locator("#review-summary").scroll_into_view_if_needed()
        expect(board).to_be_in_viewport(ratio=1)
        for move, part in ((3, 0.74), (1, 0.02), (4, 0.98)):
            graph.click(position={"x": part * box_of(graph)["width"], "y": 60})
            expect(page.locator("#review-move")).to_contain_text(f"Move {move}: ")
            expect(board).to_be_in_viewport(ratio=1)


def test_review_on_its_own_page_takes_early_clicks_and_keys(page: Page) -> None:
    win(page, TWO_MOVES, 4, 4, 7, 8)
    expect_sent(page)
    release = open_without(page, f"/play/{TWO_MOVES}/review", "play/review")
    graph = page.locator("#review-graph")
    graph.click(position={"x": 0.74 * box_of(graph)["width"], "y": 60})
    release()
    expect(page.locator("#review-move")).to_contain_text("Move 3: ")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#review-moves .here")).to_have_text(re.compile(r"^\s*4\s"))


def test_review_that_arrives_after_a_move_is_not_shown(page: Page) -> None:
    held: list[Route] = []
    page.goto(f"/play/{TOO_LARGE}")
    click(page, 23, moves=1)
    page.route(re.compile(r"/review$"), lambda route: held.append(route))
    page.locator("#your-game summary").click()
    with page.expect_request(re.compile(r"/review$")):
        page.locator("#your-game a[hx-get]").click()
    click(page, 22, moves=2)
    page.evaluate(NOTE_REVIEW)
    page.unroute_all()  # the held request continues
    page.evaluate("window.reviewed")
    expect(page.locator("#review")).to_be_empty()


def test_review_closes_if_the_game_continues(page: Page) -> None:
    win(page, TWO_MOVES, 7, 8)
    open_review(page)
    page.locator("#leave-review").click()
    expect(page.locator("#review")).to_be_empty()
    page.locator("#undo").click()
    expect_moves(page, 1)
    click(page, 8)
    open_review(page)
    expect(page.locator("#review-summary")).to_contain_text("2 moves. Shortest: 2. No detours.")


def test_finish_with_help_offers_a_try_alone(page: Page) -> None:
    page.goto(f"/play/{TWO_MOVES}")
    page.locator("#hint").click()
    expect(page.locator("#said")).to_contain_text("Hint: move tile 7 left.")
    click(page, 7, 8)
    won = page.locator("#won")
    expect(won).to_contain_text("Solve it alone for stars.")
    expect_sent(page)
    won.get_by_role("button", name="Try alone").click()
    expect(won).to_have_count(0)
    expect_game(page, 0, TWO_MOVES)
    expect(page.locator("#undo")).to_have_attribute("aria-disabled", "true")
    expect_sent(page)
    page.reload()
    click(page, 7, 8)
    expect(won.get_by_label("3 of 3 stars")).to_be_visible()
    expect(won.get_by_role("button", name="Try alone")).to_have_count(0)
