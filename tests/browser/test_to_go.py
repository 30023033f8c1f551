"""Moves to go and hints, as they are shown while one plays."""

import re

from playwright.sync_api import Page, Route, expect

from slidewise import exact_table, parse_board, parse_puzzle, scramble, solve
from tests.browser.steps import (
    boards_after,
    click,
    click_quickly,
    expect_board,
    expect_moves,
    open_settings,
    slow_down,
    tile,
)

START = "7.2.4-5.0.6-8.3.1"
FOUR = "5.1.2.4-9.6.3.8-13.10.7.11-0.14.15.12"
ONE_MOVE = "1.2.3-4.5.6-7.0.8"


def expect_to_go(page: Page, moves: int) -> None:
    expect(page.locator("#to-go > :not(.change)")).to_have_text([str(moves), "to go, at best"])


def distance(board: str) -> int:
    """Return the moves from a board of 3x3 to the standard goal."""
    puzzle = parse_puzzle(board)
    length = exact_table(puzzle.goal).distance(puzzle.start)
    assert length is not None
    return length


def next_tile(board: str) -> int:
    puzzle = parse_puzzle(board)
    return exact_table(puzzle.goal).next_tiles(puzzle.start)[0]


def test_it_falls_with_a_good_move_and_rises_with_a_bad_one(page: Page) -> None:
    page.goto(f"/play/{START}")
    expect(page.locator("#shortest")).to_have_text(" · 20 moves at best (medium)")
    expect_to_go(page, 20)
    good = next_tile(START)
    click(page, good)
    expect_to_go(page, 19)
    expect(page.get_by_role("status").filter(has_text="19 to go, 1 nearer.")).to_have_count(1)
    click(page, good)
    expect_to_go(page, 20)
    page.locator("#undo").click()
    expect_to_go(page, 19)


def test_it_never_stands_beside_another_board(page: Page) -> None:
    page.goto(f"/play/{START}")
    expect_to_go(page, 20)
    slow_down(page)
    for number in 5, 8:
        tile(page, number).click()
        board = page.locator("#play").get_attribute("data-board")
        assert page.locator("#to-go").inner_text().startswith("…"), board
    expect_to_go(page, distance(boards_after(START, (5, 8))[-1]))


def test_on_4x4_it_is_shown_when_it_is_known(page: Page) -> None:
    length = solve(parse_puzzle(FOUR), "idastar", "linear-conflict").length
    assert length
    page.goto(f"/play/{FOUR}")
    expect_to_go(page, length)
    expect(page.locator("#to-go-said")).to_have_text(f"{length} to go.")
    expect(page.locator("#shortest")).to_have_text(f" · {length} moves at best (easy)")
    page.locator("#hint").click()
    page.locator("#board .hint").click()
    expect_to_go(page, length - 1)
    expect(page.locator("#to-go-said")).to_be_empty()  # it comes with the click this time


def test_ten_quick_clicks_count_while_it_is_fetched(page: Page) -> None:
    page.goto(f"/play/{FOUR}")
    slow_down(page)
    board = parse_board(FOUR)
    clicked = []
    for _ in range(10):
        number = next(n for n in board.movable if n not in clicked[-1:])
        clicked.append(number)
        board = board.slide(number)
    click_quickly(page, *clicked)
    expect_moves(page, 10)
    expect_board(page, str(board))
    expect(page.locator("#to-go")).to_have_attribute("data-of", str(board))
    expect(page.locator("#to-go")).to_have_text(re.compile(r"^\d+\s*to go, at best\b"))


def test_an_answer_for_an_older_board_is_left_out(page: Page) -> None:
    figures = "**/to-go?*place=figures*"
    fetched: list[Route] = []
    clicked: list[Route] = []

    def hold_the_first(route: Route) -> None:
        fetched.append(route)
        if len(fetched) > 1:
            route.continue_()

    page.route(figures, hold_the_first)
    page.route("**/slide", lambda route: clicked.append(route))
    code = str(scramble(4, 4, "an older board"))
    with page.expect_request(figures):
        page.goto(f"/play/{code}")
    expect(page.locator("#to-go")).to_have_text(re.compile(r"^…"))
    with page.expect_request("**/slide"):
        tile(page, parse_board(code).movable[0]).click()
    with page.expect_response(figures) as answer:
        fetched[0].fulfill(
            content_type="text/html",
            headers={"Slidewise-Answer": "moves-left", "Slidewise-Board": code},
            body=f'<div id="to-go" class="to-go" data-of="{code}"><b>99</b></div>',
        )
    answer.value.finished()
    page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))")
    expect(page.locator("#to-go")).to_have_text(re.compile(r"^…"))
    clicked[0].continue_()
    expect(page.locator("#to-go")).to_have_text(re.compile(r"^\d+\s*to go, at best\b"))
    assert len(fetched) == 2, "each board is asked for once"


def test_a_number_that_cannot_be_fetched_disturbs_nobody(page: Page, complaints: list[str]) -> None:
    page.route("**/to-go?*", lambda route: route.abort())
    code = str(scramble(4, 4, "a board nobody asked for"))
    with page.expect_event("requestfailed"):
        page.goto(f"/play/{code}")
    expect(page.locator("#notice")).to_be_empty()
    expect(page.locator("#to-go")).to_have_text(re.compile(r"^…"))
    with page.expect_event("requestfailed"):
        click(page, parse_board(code).movable[0])
    expect_moves(page, 1)
    expect(page.locator("#notice")).to_be_empty()
    page.title()  # messages still on their way come before its answer
    complaints.clear()  # the browser itself tells of each


def test_it_can_be_hidden_and_the_choice_is_kept(page: Page) -> None:
    page.goto(f"/play/{START}")
    shown = page.locator("#to-go")
    expect(shown).to_be_visible()
    open_settings(page)
    box = page.get_by_label("Show how many moves are to go")
    expect(box).to_be_checked()
    box.uncheck()
    expect(shown).to_be_hidden()
    page.keyboard.press("Escape")
    click(page, 5)
    expect_moves(page, 1)
    expect(page.locator("#said .to-go")).to_be_hidden()
    page.reload()
    expect(shown).to_be_hidden()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"/play/{scramble(4, 4, 'a hidden number')}")
    page.wait_for_load_state("networkidle")
    assert not [url for url in asked if "place=figures" in url], "nobody would see it"
    open_settings(page)
    expect(box).not_to_be_checked()
    box.check()
    page.keyboard.press("Escape")
    shown.scroll_into_view_if_needed()
    expect(shown).to_have_text(re.compile(r"^\d+\s*to go, at best\b"))
    page.reload()
    expect(shown).to_be_visible()


def test_a_hint_rings_the_tile_to_move_until_it_moves(page: Page) -> None:
    page.goto(f"/play/{START}")
    page.locator("#hint").click()
    ringed = page.locator("#board .hint")
    expect(ringed).to_have_count(1)
    number = int(ringed.get_attribute("value") or 0)
    assert number in exact_table(parse_puzzle(START).goal).next_tiles(parse_board(START))
    said = page.locator("#said")
    expect(said).to_be_visible()
    expect(said).to_have_text(re.compile(rf"^Hint: move tile {number} (up|down|left|right)\.$"))
    slow_down(page)
    tile(page, number).click()
    assert ringed.count() == 0, "it does not wait for the server"
    expect(said).to_have_class("visually-hidden")
    expect_to_go(page, 19)
    expect(ringed).to_have_count(0)


def test_the_key_h_gives_a_hint(page: Page) -> None:
    page.goto(f"/play/{START}")
    for left in range(20, 0, -1):
        expect_to_go(page, left)
        page.keyboard.press("h")
        page.locator("#board .hint").click()
    expect(page.locator("#won")).to_contain_text("Solved in 20 moves")
    expect(page.locator("#won")).to_contain_text("with help. The shortest solution has 20.")


def test_a_move_made_while_a_hint_is_looked_for_stays(page: Page) -> None:
    page.goto(f"/play/{START}")
    slow_down(page)
    page.locator("#hint").click()
    click_quickly(page, 5, 8)
    expect_moves(page, 2)
    expect_board(page, boards_after(START, (5, 8))[-1])
    expect(page.locator("#board .hint")).to_have_count(0)


def test_a_finished_game_names_the_shortest(page: Page) -> None:
    page.goto(f"/play/{ONE_MOVE}")
    click(page, 7, 7, 8)
    won = page.locator("#won")
    expect(won).to_contain_text("Solved in 3 moves, 0:0")
    expect(won).to_contain_text("The shortest solution has 1.")
    expect_to_go(page, 0)
    page.keyboard.press("h")
    expect(page.locator("#said")).to_have_text(
        "This board is the goal: there is nothing left to move."
    )
