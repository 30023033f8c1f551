"""Moves during a lost connection or a reload are stored, shown as unsent, and sent later."""

import re
from functools import partial

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.browser.connection import (
    GAMES,
    cut_off,
    disable_timed_retries,
    expect_lost,
    lose,
    try_again,
)
from tests.browser.steps import (
    START,
    boards_after,
    boards_noted,
    box_of,
    choose_algorithm,
    click,
    expect_board,
    expect_game,
    expect_moves,
    expect_sent,
    note_boards,
    press,
    tile,
    wait_for,
)

pytestmark = pytest.mark.usefixtures("connection_lost")


@pytest.mark.motion
def test_offline_moves_stay_and_are_sent_once_online(game: Page) -> None:
    game.context.set_offline(True)
    note_boards(game)
    click(game, 5, 8)
    press(game, "ArrowLeft", "u")
    game.locator("#restart").click()
    click(game, 2)
    expect_lost(game, 6)
    boards = [*boards_after(START, (5, 8, 3)), boards_after(START, (5, 8))[-1], START]
    boards.append(boards_after(START, (2,))[-1])
    assert boards_noted(game) == boards
    game.context.set_offline(False)
    expect_moves(game, 1)
    expect(game.locator("#notice")).to_be_empty()
    expect_board(game, boards[-1])
    assert boards_noted(game) == boards, "a tile has jumped"
    game.reload()
    expect_game(game, 1, boards[-1])


def test_try_again_sends_the_moves_and_changes_no_board_or_label(game: Page) -> None:
    labels = """() => Object.fromEntries([...document.querySelectorAll("#board [id]")].map(
      (cell) => [cell.id, cell.getAttribute("aria-label") ?? cell.textContent]))"""
    disable_timed_retries(game)
    lose(game, lambda route: route.fulfill(body="<html><body>Welcome to the café</body></html>"))
    click(game, 5, 8, 3)
    expect_lost(game, 3)
    expect_board(game, boards_after(START, (5, 8, 3))[-1])
    at_once = game.evaluate(labels)
    assert at_once["t0"] == "blank, row 3, column 2"
    try_again(game)
    expect_sent(game)
    expect_moves(game, 3)
    expect(game.locator("#notice")).to_be_empty()
    expect_board(game, boards_after(START, (5, 8, 3))[-1])
    assert game.evaluate(labels) == at_once


def test_server_error_is_no_lost_connection(game: Page) -> None:
    disable_timed_retries(game)
    tiles: list[int] = []
    for status, number, cause in (500, 5, "The server had an error."), (503, 8, "is busy."):
        answer = {"status": status, "body": "<html>Error</html>"}
        lose(game, partial(Route.fulfill, **answer))
        tiles.append(number)
        click(game, number)
        expect(game.locator("#notice .lost span").first).to_contain_text(
            f"{cause} Your moves are stored. 1 move will be sent later."
        )
        expect(game.locator("#notice .rest")).to_be_hidden()
        try_again(game)
        expect(game.locator("#typed")).to_have_text("Everything has been sent.")
        expect(game.locator("#notice")).to_be_empty()
    expect_game(game, 2, boards_after(START, tiles)[-1])


FIVE = "1.2.3.4.5-6.7.8.9.10-11.12.13.14.15-16.17.18.19.20-21.22.0.23.24"


def test_page_retries_by_itself_while_a_hint_waits(page: Page) -> None:
    page.goto(f"/play/{FIVE}")
    tries: list[str] = []

    def refuse(route: Route) -> None:
        tries.append(route.request.url)
        route.abort()

    lose(page, refuse)
    click(page, 22)
    page.locator("#hint").click()
    expect_lost(page, 1)
    expect(page.locator("#notice")).to_contain_text("Your hint will come later.")
    page.unroute(GAMES)
    expect(page.locator("#board .hint")).to_have_count(1)
    expect_moves(page, 1)
    assert [re.sub(".*/", "", url) for url in tries][:1] == ["slide"]
    assert not any(url.endswith("/hint") for url in tries), "it does not overtake the move"


def test_notice_names_a_solution_that_only_the_server_has(game: Page) -> None:
    choose_algorithm(game, "bfs")
    lose(game, lambda route: route.abort())
    game.locator("#solve-button").click()
    notice = game.locator("#notice")
    expect(notice).to_contain_text("Try Solve again later.")
    game.unroute(GAMES)
    expect(notice).to_be_empty()
    game.locator("#solve-button").click()
    expect(game.locator("#steps button")).to_have_count(20)


def test_puzzle_solved_offline_shows_its_result_as_pending(page: Page) -> None:
    page.goto("/play/1.2.3-4.5.6-0.7.8")
    cut_off(page)
    click(page, 7)
    click(page, 8)
    expect(page.locator("#notice")).to_contain_text("Your result will be sent later.")
    won = page.locator("#won")
    expect(won).to_contain_text("2 moves")
    expect(won.get_by_role("link", name="Next puzzle")).to_have_attribute(
        "href", re.compile("/new")
    )
    page.locator("#undo").click()
    expect(won).to_have_count(0)
    page.locator("#redo").click()
    expect(won).to_be_visible()
    try_again(page)
    expect(won).to_contain_text("A perfect solve")
    expect(page.locator("#best")).not_to_be_empty()


def test_the_notice_leaves_the_board_and_the_toolbar_free(game: Page) -> None:
    cut_off(game)
    click(game, 5)
    game.locator("#hint").click()
    expect(game.locator("#board .hint")).to_have_count(1)
    expect_lost(game, 1)
    for width, height in (1280, 800), (390, 844), (320, 568), (844, 390):
        game.set_viewport_size({"width": width, "height": height})
        game.evaluate("scrollTo(0, 0)")  # the hint has come into view
        notice = box_of(game.locator("#notice .lost"))
        for other in "#title", "#board", "#moves .tools":
            box = box_of(game.locator(other))
            apart = (
                box["y"] + box["height"] <= notice["y"]
                or notice["y"] + notice["height"] <= box["y"]
                or box["x"] + box["width"] <= notice["x"]
            )
            assert apart, (other, width)


def choose_game(page: Page, name: str, board: str) -> None:
    """Choose one of two games, and expect the choice to be sent."""
    page.get_by_role("button", name=name).click()
    expect(page.locator("#which-game")).to_have_count(0)
    expect_board(page, board)
    expect_sent(page)


def test_conflict_survives_a_reload_and_a_move_before_the_choice(page: Page) -> None:
    page.goto(f"/play/{START}")
    disable_timed_retries(page)
    page.route("**/slide", lambda route: route.abort())
    click(page, 3, 1)
    expect_lost(page, 2)
    other = page.context.new_page()
    other.goto(page.url)
    click(other, 5, moves=1)  # the tab that is cut off has left the game to it
    page.unroute("**/slide")
    page.reload()
    expect(page.locator("#which-game")).to_be_visible()
    click(page, 6)
    choose_game(page, "Use this version", boards_after(START, (3, 1, 6))[-1])
    expect_moves(page, 3)


def test_player_chooses_if_a_conflict_arises_during_sending(game: Page) -> None:
    cut_off(game)
    click(game, 3)
    expect_lost(game, 1)
    click(game, 1)
    expect_lost(game, 2)

    def hold_second(route: Route) -> None:
        if "tile=1&" not in str(route.request.post_data):
            route.continue_()

    game.route("**/slide", hold_second)
    with game.expect_request(lambda request: "tile=1&" in str(request.post_data)):
        try_again(game)
    game.context.request.post(f"{game.url}/slide", form={"tile": "8"})  # as from another tab
    game.unroute("**/slide")  # held requests continue
    choose_game(game, "Use the other version", boards_after(START, (3, 8))[-1])
    expect_moves(game, 2)


def test_duplicated_tab_sends_nothing_twice(game: Page) -> None:
    cut_off(game)
    click(game, 5, 8)
    expect_lost(game, 2)
    posts: list[str] = []
    game.context.on("request", lambda request: posts.append(request.post_data or ""))
    with game.expect_popup() as opened:
        game.evaluate("() => { open(location.href); }")  # it has a copy of the session storage
    other = opened.value
    expect(other.locator("html[data-resumed]")).to_have_count(1)
    expect_game(other, 0, START)
    assert not any("tile=" in post for post in posts)
    try_again(game)
    board = boards_after(START, (5, 8))[-1]
    for page in game, other:
        expect_game(page, 2, board)
    expect_sent(game)
    assert sum("tile=5" in post for post in posts) == 1
    click(game, 3, moves=3)
    click(other, 1, moves=4)
    expect(other.locator("#which-game")).to_have_count(0)
    expect_moves(game, 4)


def test_try_again_button_keeps_the_focus_during_a_retry(game: Page) -> None:
    cut_off(game)
    click(game, 5)
    button = game.get_by_role("button", name="Try again")
    button.focus()
    game.keyboard.press("Enter")
    expect(button).to_be_focused()
    expect(button).to_have_text("Try again")
    game.unroute(GAMES)
    game.keyboard.press("Enter")
    expect_moves(game, 1)


def test_move_during_a_reload_follows_the_stored_ones(game: Page) -> None:
    click(game, 5, moves=1)
    disable_timed_retries(game)
    game.route("**/slide", lambda route: route.abort())
    click(game, 8)
    expect_lost(game, 1)
    game.unroute("**/slide")
    fetched: list[Route] = []

    def hold_fetch(route: Route) -> None:
        if route.request.resource_type == "document":
            route.continue_()
        else:
            fetched.append(route)

    game.route(game.url, hold_fetch)
    with game.expect_request(
        lambda request: request.url == game.url and request.resource_type == "fetch"
    ):
        game.reload()
    tile(game, 3).click()
    fetched[0].continue_()
    expect_game(game, 3, boards_after(START, (5, 8, 3))[-1])
    expect(game.locator("#which-game")).to_have_count(0)


STORE = """([tiles, position]) => {
  const { dataset: { board, goal, start } } = document.getElementById("play");
  const fresh = { board, goal, start, made: "", undone: "", moves: 0, left: 0, helped: false };
  const actions = tiles.map((tile) => ({ action: "slide", body: `tile=${tile}` }));
  localStorage.setItem(`game ${location.pathname} closed`, JSON.stringify({
    position: { ...fresh, ...position }, actions, at: 1,
  }));
}"""
"""Stores moves from a position of the server as unsent."""


@pytest.mark.parametrize("stored", [(5,), (5, 8, 3)], ids=["all", "the-first"])
def test_moves_that_arrived_before_a_reload_are_not_sent_again(
    game: Page, stored: tuple[int, ...]
) -> None:
    click(game, 5, moves=1)
    expect_sent(game)
    game.evaluate(STORE, [stored, {"board": START}])
    game.reload()
    expect_sent(game)
    expect_game(game, len(stored), boards_after(START, stored)[-1])


CLOSED = "1.2.3-4.5.6-0.7.8"
STORE_OF_CLOSED = """(code) => {
  const [start, goal] = [code, "1.2.3-4.5.6-7.8.0"];
  const fresh = { made: "", undone: "", moves: 0, left: 0, helped: false };
  const position = { board: start, goal, start, ...fresh };
  const actions = [{ action: "slide", body: "tile=7" }];
  for (const text of ["{", "null", "[]", '{"actions": 1}'])
    localStorage.setItem(`game /play/${text.length} closed`, text);
  localStorage.setItem(`game /play/${code} closed`, JSON.stringify({ position, actions, at: 1 }));
}"""
"""Stores a move of a game whose page is closed, beside damaged entries."""


def test_damaged_entries_stop_no_others(game: Page) -> None:
    game.evaluate(STORE_OF_CLOSED, CLOSED)
    game.reload()
    stored = "(name) => localStorage.getItem(name)?.includes('slide') === false"
    game.wait_for_function(stored, arg=f"game /play/{CLOSED} closed")
    game.goto(f"/play/{CLOSED}")
    expect_game(game, 1, boards_after(CLOSED, (7,))[-1])


def test_pages_that_wait_send_their_own_moves_alone(page: Page) -> None:
    page.goto("/robots.txt")
    page.evaluate(STORE_OF_CLOSED, CLOSED)
    page.route("**/slide", lambda _: None)  # pending until `unroute`
    with page.expect_request("**/slide"):
        page.goto("/privacy")
    first, second = page.context.new_page(), page.context.new_page()
    posts: list[str] = []
    first.on("request", lambda request: posts.append(request.method))
    for opened in first, second:
        opened.goto(f"/play/{CLOSED}")
        expect(opened.locator("#typed")).to_have_text(re.compile("being sent"))
    tile(second, 8).click()
    page.unroute("**/slide")
    for opened in first, second:
        expect_game(opened, 2, boards_after(CLOSED, (7, 8))[-1])
    expect(second.locator("#typed")).to_be_empty()
    assert "POST" not in posts, "it sent the move of the other page"


LOCKS_HELD = """
  window.query = navigator.locks.query.bind(navigator.locks);
  const answered = new Promise((resolve) => { window.answer = resolve; });
  navigator.locks.query = async () => {
    await answered;
    return query();
  };
"""
"""A page that finds out late whether another tab has its game."""

ANSWER = """async () => {
  while (!window.answer) await new Promise((resolve) => setTimeout(resolve));
  answer();
  while ((await query()).held.length === 0);
}"""


def fulfill_held(page: Page, fetched: list[tuple[Route, APIResponse]], least: int = 1) -> None:
    """Fulfill requests whose responses a handler holds, once there are as many."""
    wait_for(page, lambda: len(fetched) >= least)
    for route, response in fetched:
        route.fulfill(response=response)


def reload_with_a_stored_move(page: Page) -> None:
    """Play tile 5 without a server, and reload a page that reads stored moves late."""
    page.goto(f"/play/{START}")
    disable_timed_retries(page)
    page.route("**/slide", lambda route: route.abort())
    click(page, 5)
    expect_lost(page, 1)
    page.unroute("**/slide")
    page.add_init_script(LOCKS_HELD)
    page.reload()


@pytest.mark.parametrize("when", ["before", "after"])
def test_late_response_takes_no_move_back(page: Page, when: str) -> None:
    fetched: list[tuple[Route, APIResponse]] = []

    def hold_response(route: Route) -> None:
        if route.request.resource_type == "document":
            route.continue_()
        else:
            fetched.append((route, route.fetch()))

    page.goto("/play/1.2.3-4.5.6-0.7.8")
    page.route(page.url, hold_response)
    if when == "before":
        page.add_init_script(LOCKS_HELD)
        page.reload()
        click(page, 7)
        page.evaluate(ANSWER)
    else:
        with page.expect_request(lambda request: request.resource_type == "fetch"):
            page.reload()
        click(page, 7)
    expect_sent(page)
    fulfill_held(page, fetched, least=int(when == "after"))
    expect(page.locator("html[data-resumed]")).to_have_count(1)
    click(page, 8)
    expect_sent(page)
    expect_moves(page, 2)
    expect(page.locator("#which-game")).to_have_count(0)


RETURN = "() => document.dispatchEvent(new Event('visibilitychange'))"
"""The player comes back to the tab, which fetches the server's game."""


def test_game_fetched_before_the_last_move_changes_nothing(page: Page) -> None:
    fetched: list[tuple[Route, APIResponse]] = []
    page.goto("/play/1.2.3-4.5.0-7.8.6")
    clock = page.locator("#clock")
    click(page, 5, 5, moves=2)
    page.wait_for_function("() => document.getElementById('clock').textContent >= '0:01'")
    page.route(page.url, lambda route: fetched.append((route, route.fetch())))
    with page.expect_request(page.url):
        page.evaluate(RETURN)
    page.route("**/slide", lambda _: None)  # pending until `unroute`
    click(page, 6)
    time = clock.inner_text()
    with page.expect_event("requestfinished", lambda request: request.url == page.url):
        fulfill_held(page, fetched)
    expect(page.locator("#typed")).to_be_empty()
    expect(clock).to_have_text(time)
    page.unroute_all()
    expect_sent(page)


def test_game_fetched_before_an_undone_move_leaves_redo(game: Page) -> None:
    fetched: list[tuple[Route, APIResponse]] = []
    game.route(game.url, lambda route: fetched.append((route, route.fetch())))
    with game.expect_request(game.url):
        game.evaluate(RETURN)
    click(game, 5)
    game.locator("#undo").click()
    expect_sent(game)
    with game.expect_event("requestfinished", lambda request: request.url == game.url):
        fulfill_held(game, fetched)
    game.locator("#redo").click()
    expect_game(game, 1, boards_after(START, (5,))[-1])


def test_move_before_the_stored_ones_are_read_follows_them(page: Page) -> None:
    reload_with_a_stored_move(page)
    tile(page, 8).click()
    page.evaluate(ANSWER)
    expect_game(page, 2, boards_after(START, (5, 8))[-1])
    expect_sent(page)
    expect(page.locator("#which-game")).to_have_count(0)


def test_search_before_stored_moves_are_read_follows_them(page: Page) -> None:
    reload_with_a_stored_move(page)
    page.locator("#solve-button").click()
    page.evaluate(ANSWER)
    expect(page.locator("#player")).to_have_attribute("data-start", boards_after(START, (5,))[-1])
