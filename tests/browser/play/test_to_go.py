"""Moves to go and hints during a game."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, Worker, expect

from slidewise import exact_table, parse_board, parse_puzzle, scramble, solve
from tests.browser.play.test_ahead import Held
from tests.browser.steps import (
    START,
    boards_after,
    choose_algorithm,
    click,
    click_quickly,
    expect_game,
    expect_moves,
    expect_sent,
    open_settings,
    prepare_numbers,
    slow_down,
    tile,
)

FIVE = "1.7.2.3.4-6.12.8.5.10-0.11.17.9.15-16.18.13.14.20-21.22.23.24.19"
FIVE_MORE = "1.2.3.10.4-6.7.8.5.14-11.12.13.9.15-22.21.17.19.20-16.18.0.23.24"
FOUR = "5.1.2.4-9.6.3.8-13.10.7.11-0.14.15.12"


@pytest.fixture
def unknown(request: pytest.FixtureRequest) -> Callable[[str], str]:
    """Return a function that makes a board unknown to the server in the second attempt too.

    After an attempt that Chromium crashed, the server knows the board's length: the board is then
    mirrored on its diagonal, which changes no length.
    """

    def mirrored(code: str) -> str:
        rows = [[int(tile) for tile in row.split(".")] for row in code.split("-")]
        side = len(rows)
        tiles = [0] + [1 + side * (cell % side) + cell // side for cell in range(side * side - 1)]
        return "-".join(".".join(str(tiles[row[cell]]) for row in rows) for cell in range(side))

    return mirrored if getattr(request.node, "execution_count", 1) > 1 else str


def expect_to_go(page: Page, moves: int) -> None:
    expect(page.locator("#to-go")).to_have_text(
        re.compile(rf"moves left\s+\(best play\)\s*{moves}$")
    )


@pytest.fixture
def server_alone_knows(page: Page) -> None:
    """Prevent the page from finding numbers by itself: its worker never answers."""
    page.route(
        "**/exact/worker.js", lambda route: route.fulfill(content_type="text/javascript", body="")
    )


def next_tile(board: str) -> int:
    puzzle = parse_puzzle(board)
    return exact_table(puzzle.goal).next_tiles(puzzle.start)[0]


def test_number_falls_with_good_moves_and_rises_with_bad_ones(game: Page) -> None:
    expect(game.locator("#shortest")).to_have_text("Medium · shortest solution: 20 moves")
    expect_to_go(game, 20)
    good = next_tile(START)
    click(game, good)
    expect_to_go(game, 19)
    expect(
        game.get_by_role("status").filter(has_text="19 moves left, down from 20.")
    ).to_have_count(1)
    click(game, good)
    expect_to_go(game, 20)
    game.locator("#undo").click()
    expect_to_go(game, 19)


PENDING = """
document.addEventListener("readystatechange", () => {
  if (document.readyState === "interactive") delete document.getElementById("to-go").dataset.exact;
});"""
"""Makes the page one of a server that does not yet know the number."""


@pytest.mark.own_page
def test_tables_are_computed_if_the_number_is_pending(page: Page) -> None:
    page.add_init_script(PENDING)
    with page.expect_event("worker"):
        page.goto(f"/play/{START}")


@pytest.mark.own_page
def test_tables_are_computed_with_the_first_move(page: Page) -> None:
    workers: list[Worker] = []
    page.on("worker", lambda worker: workers.append(worker))
    page.goto(f"/play/{START}")
    page.locator("#board").hover()
    page.keyboard.press("Shift")
    page.wait_for_load_state("networkidle")
    assert workers == []
    with page.expect_event("worker"):
        click(page, 5)


SAVING = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"


@pytest.mark.own_page
def test_save_data_defers_the_tables_to_a_hint_that_takes_long(page: Page) -> None:
    workers: list[Worker] = []
    page.on("worker", lambda worker: workers.append(worker))
    page.add_init_script(SAVING)
    page.goto(f"/play/{START}")
    click(page, 5)
    expect_sent(page)
    expect_to_go(page, 21)
    assert workers == []
    held = Held(page)
    with page.expect_event("worker"):
        page.locator("#hint").click()
    held.release()


TABLES = "async () => (await (await caches.open('tables')).keys()).map(({ url }) => url)"

STORED = f"""async () => {{
  while ((await ({TABLES})()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
}}"""

FALSIFY = """async () => {
  const cache = await caches.open("tables");
  const [key] = await cache.keys();
  const sevens = new Blob([new Uint8Array(12).fill(7)]);
  const packed = new Response(sevens.stream().pipeThrough(new CompressionStream("gzip")));
  await cache.put(key, new Response(await packed.blob()));
}"""


@pytest.mark.own_page
@pytest.mark.parametrize("is_stored", [True, False])
def test_table_is_stored_for_the_next_page(page: Page, is_stored: bool) -> None:
    if not is_stored:
        page.add_init_script("localStorage.setItem('offline', 'off')")
    page.goto("/play/0.2-1.3")
    prepare_numbers(page)
    if not is_stored:
        assert page.evaluate(TABLES) == []
        return
    page.evaluate(STORED)
    page.evaluate(FALSIFY)
    page.reload()
    prepare_numbers(page)
    page.route(re.compile(r"/(slide|to-go)\b"), lambda route: None)  # it knows better
    click(page, 2)
    expect_to_go(page, 7)


def test_4x4_number_is_shown_once_known(page: Page, unknown: Callable[[str], str]) -> None:
    length = solve(parse_puzzle(unknown(FOUR)), "idastar", "linear-conflict").length
    assert length
    page.goto(f"/play/{unknown(FOUR)}")
    expect_to_go(page, length)
    expect(page.locator("#to-go-said")).to_have_text(f"{length} moves left.")
    expect(page.locator("#shortest")).to_have_text(f"Easy · shortest solution: {length} moves")
    page.locator("#hint").click()
    page.locator("#board .hint").click()
    expect_to_go(page, length - 1)


def test_figures_show_the_length_proved_by_a_search(
    page: Page, unknown: Callable[[str], str]
) -> None:
    page.goto(f"/play/{unknown(FIVE)}")
    expect(page.locator("#to-go")).to_have_text(re.compile(r"moves left\s+\(at least\)\s*16$"))
    choose_algorithm(page, "idastar")
    page.locator("#solve-button").click()
    expect(page.locator("#verdict")).to_contain_text("26 moves. Proved shortest")
    for _ in "after the search", "after a reload":
        expect_to_go(page, 26)
        expect(page.locator("#shortest")).to_have_text("shortest solution: 26 moves")
        expect(page.locator("#stars")).to_have_text(re.compile(r"on course for\s+26 moves"))
        expect(page.locator("#live")).to_contain_text(re.compile(r"Shortest\s*26 moves"))
        expect(page.locator("#steps button")).to_have_count(26)  # a whole solution is stored
        page.reload()


def test_figures_use_a_solution_restored_by_a_reload(page: Page) -> None:
    """Also if the server has forgotten it; this server never received it."""
    page.goto(f"/play/{FIVE_MORE}")
    expect(page.locator("#to-go")).to_have_text(re.compile(r"\(at least\)\s*18$"))
    page.locator("#live").evaluate(
        """(live, of) => {
            live.innerHTML = `<dl data-of="${of}" data-least="22" data-exact></dl>`;
        }""",
        FIVE_MORE,
    )
    expect_to_go(page, 22)
    expect(page.locator("#shortest")).to_have_text("shortest solution: 22 moves")


@pytest.mark.usefixtures("server_alone_knows")
def test_response_for_an_older_board_is_ignored(page: Page, unknown: Callable[[str], str]) -> None:
    figures = "**/to-go?*place=figures*"
    fetched: list[Route] = []
    clicked: list[Route] = []

    def hold_the_first(route: Route) -> None:
        fetched.append(route)
        if len(fetched) > 1:
            route.continue_()

    page.route(figures, hold_the_first)
    page.route("**/to-go?*place=title*", lambda route: route.fulfill(status=204))  # reveals it too
    page.route("**/slide", lambda route: clicked.append(route))
    code = unknown(str(scramble(4, 4, "an older board")))
    with page.expect_request(figures):
        page.goto(f"/play/{code}")
    expect(page.locator("#to-go")).to_have_text(re.compile(r"…$"))
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
    expect(page.locator("#to-go")).to_have_text(re.compile(r"…$"))
    clicked[0].continue_()
    expect(page.locator("#to-go")).to_have_text(re.compile(r"\(best play\)\s*\d+$"))
    assert len(fetched) == 2, "each board is asked for once"


def test_page_computes_numbers_if_the_server_is_busy(page: Page) -> None:
    page.route("**/to-go?*", lambda route: route.fulfill(status=204))
    puzzle = scramble(3, 4, "a board nobody has searched")
    page.goto(f"/play/{puzzle}")
    length = solve(puzzle).length
    expect_to_go(page, length)
    expect(page.locator("#shortest")).to_have_text(
        re.compile(rf"^(Easy|Medium|Hard) · shortest solution: {length} moves$")
    )


@pytest.mark.usefixtures("server_alone_knows", "connection_lost")
def test_failed_request_for_a_number_shows_no_error(page: Page) -> None:
    page.route("**/to-go?*", lambda route: route.abort())
    code = str(scramble(4, 4, "a board nobody asked for"))
    with page.expect_event("requestfailed"):
        page.goto(f"/play/{code}")
    expect(page.locator("#notice")).to_be_empty()
    expect(page.locator("#to-go")).to_have_text(re.compile(r"…$"))
    with page.expect_event("requestfailed"):
        click(page, parse_board(code).movable[0])
    expect_moves(page, 1)
    expect(page.locator("#notice")).to_be_empty()


@pytest.mark.usefixtures("server_alone_knows")
def test_number_can_be_hidden_and_the_choice_is_stored(game: Page) -> None:
    shown = game.locator("#to-go")
    expect(shown).to_be_visible()
    open_settings(game)
    box = game.get_by_label("Show how many moves are left")
    expect(box).to_be_checked()
    box.uncheck()
    expect(shown).to_be_hidden()
    game.keyboard.press("Escape")
    click(game, 5, moves=1)
    expect(game.locator("#said .to-go")).to_be_hidden()
    requested: list[str] = []
    game.on("request", lambda request: requested.append(request.url))
    game.goto(f"/play/{scramble(4, 4, 'a hidden number')}")
    game.wait_for_load_state("networkidle")
    assert not [url for url in requested if "place=figures" in url], "nobody would see it"
    open_settings(game)
    expect(box).not_to_be_checked()
    box.check()
    game.keyboard.press("Escape")
    shown.scroll_into_view_if_needed()
    expect(shown).to_have_text(re.compile(r"\(best play\)\s*\d+$"))


def test_hint_rings_the_tile_until_it_moves(game: Page) -> None:
    game.locator("#hint").click()
    ringed = game.locator("#board .hint")
    expect(ringed).to_have_count(1)
    number = int(ringed.get_attribute("value") or 0)
    assert number in exact_table(parse_puzzle(START).goal).next_tiles(parse_board(START))
    status = game.locator("#said")
    expect(status).to_be_visible()
    expect(status).to_have_text(re.compile(rf"^Hint: move tile {number} (up|down|left|right)\."))
    slow_down(game)
    tile(game, number).click()
    assert ringed.count() == 0, "it does not wait for the server"
    expect(status).to_have_class("visually-hidden")
    expect_to_go(game, 19)
    expect(ringed).to_have_count(0)


def test_move_during_a_hint_request_stays(game: Page) -> None:
    slow_down(game)
    game.locator("#hint").click()
    click_quickly(game, 5, 8)
    expect_game(game, 2, boards_after(START, (5, 8))[-1])
    expect(game.locator("#board .hint")).to_have_count(0)
