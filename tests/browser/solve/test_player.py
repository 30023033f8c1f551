"""The solution player, on the replay page and in the game."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from slidewise import Board, parse_board, parse_moves, parse_puzzle, solve, steps
from slidewise.puzzle.moves import play
from tests.browser.steps import START, follow, go, press

pytestmark = pytest.mark.motion

MOVES = "ULDR2DL2URURDLDRUL2U"  # one of the shortest solutions
STEPS = "#steps button"
REPLAY = f"/replay/{START}?moves={MOVES}"


@pytest.fixture
def boards() -> list[Board]:
    """Return the board after each number of steps of the solution."""
    start = parse_board(START)
    return [start, *(step.board for step in steps(start, parse_moves(MOVES)))]


@pytest.fixture
def player(page: Page) -> Page:
    """Return a page with a paused player at the start of a solution."""
    page.goto(REPLAY)
    expect_step(page, 0)
    return page


def place(page: Page) -> Locator:
    return page.locator("#player output")


def expect_step(page: Page, number: int, total: int = 20) -> None:
    """Expect every display of the step to show this step."""
    expect(place(page)).to_have_text(f"{number} / {total}")
    expect(page.locator("#player input[type=range]")).to_have_value(str(number))
    current = page.locator(f"{STEPS}[aria-current=step]")
    expect(current).to_have_count(1 if number else 0)
    if number:
        title = page.locator(STEPS).nth(number - 1).get_attribute("title") or ""
        expect(current).to_have_attribute("title", title)
        expect(page.locator("#step-text")).to_have_text(title)
    else:
        expect(page.locator("#step-text")).to_have_text("The start of the solution.")


def drawn(page: Page) -> str:
    """Return the player's board as its tiles stand on the screen."""
    tiles = page.locator(".board.still .tile").evaluate_all(
        "tiles => tiles.map((tile) => [Number(tile.dataset.tile),"
        " Math.round(tile.offsetTop / tile.offsetHeight),"
        " Math.round(tile.offsetLeft / tile.offsetWidth)])"
    )
    cells = [0] * 9
    for number, row, col in tiles:
        cells[row * 3 + col] = number
    return str(Board(3, 3, tuple(cells)))


def test_buttons_moves_and_slider_show_their_step(player: Page) -> None:
    for name, number in (
        *(("next", 1), ("next", 2), ("prev", 1), ("last", 20), ("next", 20)),
        *(("first", 0), ("prev", 0)),
    ):
        go(player, name)
        expect_step(player, number)
    for number in 13, 4, 20:
        player.locator(STEPS).nth(number - 1).click()
        expect_step(player, number)
    expect(player.locator("#steps .past")).to_have_count(20)
    slider = player.locator("#player input[type=range]")
    slider.fill("12")
    expect_step(player, 12)
    slider.focus()
    press(player, "ArrowLeft", "ArrowLeft")
    expect_step(player, 10)
    press(player, "End")
    expect_step(player, 20)


def test_play_and_pause_at_a_chosen_speed(player: Page) -> None:
    play = player.get_by_role("button", name="Play the solution")
    player.get_by_label("Speed", exact=True).select_option("0.5")
    play.click()
    expect(place(player)).to_have_text(re.compile(r"^1?[1-9] / 20$"))
    player.get_by_role("button", name="Pause").click()
    expect(play).to_be_visible()
    player.get_by_label("Speed", exact=True).select_option("4")
    player.locator("#player input[type=range]").fill("18")
    play.click()
    expect_step(player, 20)
    expect(play).to_be_visible()
    player.get_by_label("Speed", exact=True).select_option("0.5")
    play.click()  # from the start again
    expect(place(player)).to_have_text(re.compile(r"^1?[1-9] / 20$"))


def test_each_board_is_drawn_correctly(page: Page, boards: list[Board]) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(REPLAY)
    for number in [*range(21), 7, 19, 0]:
        page.locator("#player input[type=range]").fill(str(number))
        expect(place(page)).to_have_text(f"{number} / 20")
        assert drawn(page) == str(boards[number])
        rows = str(boards[number]).replace("0", "blank").split("-")
        cells = "; ".join(row.replace(".", " ") for row in rows)
        expect(page.locator(".board.still")).to_have_attribute(
            "aria-label", f"Step {number}: {cells}"
        )


def test_the_address_names_the_step(page: Page, boards: list[Board]) -> None:
    page.goto(f"{REPLAY}&step=5")
    expect_step(page, 5)
    assert drawn(page) == str(boards[5])
    go(page, "next")
    expect(page).to_have_url(re.compile("step=6"))
    page.reload()
    expect_step(page, 6)
    follow(page, page.get_by_role("link", name="Play on from here"))
    expect(page.locator("#play")).to_have_attribute("data-board", str(boards[6]))


def test_keys_step_and_play_a_solution(player: Page) -> None:
    press(player, ".", "ArrowRight", ".", ",")
    expect_step(player, 2)
    press(player, "ArrowLeft")
    expect_step(player, 1)
    player.get_by_label("Speed", exact=True).select_option("0.5")
    player.locator("h1").click()  # moves the focus out of the select
    press(player, " ")
    expect(player.locator("#player")).to_have_class(re.compile("playing"))
    press(player, " ")
    expect(player.locator("#player")).not_to_have_class(re.compile("playing"))


def test_a_long_solution_is_played_whole_in_pieces(page: Page) -> None:
    whole = solve(parse_puzzle(START), "dfs").moves
    page.goto(f"/replay/{START}?algorithm=dfs&step=1999")
    expect(place(page)).to_have_text(f"1,999 / {len(whole):,}")
    go(page, "next")
    go(page, "next")
    for number in 2_001, len(whole):
        expect(place(page)).to_have_text(f"{number:,} / {len(whole):,}")
        shown = page.locator(".stage .board.still")
        cells = play(parse_board(START), whole[:number]).cells
        words = [f"{tile or 'blank'}{'' if (n + 1) % 3 else ';'}" for n, tile in enumerate(cells)]
        expect(shown).to_have_attribute("aria-label", f"Step {number}: {' '.join(words)[:-1]}")
        assert page.locator(STEPS).count() <= 2_000
        go(page, "last")
    page.get_by_role("button", name="Earlier").click()
    expect(page.locator("#piece")).to_have_attribute("data-first", re.compile(r"\d000$"))
    expect(page.locator("#steps [aria-current]")).to_be_focused()
    number = int(place(page).inner_text().split()[0].replace(",", ""))
    follow(page, page.get_by_role("link", name=re.compile("^Play (on )?from here")))
    here = str(play(parse_board(START), whole[:number]))
    expect(page.locator("#play")).to_have_attribute("data-board", here)
