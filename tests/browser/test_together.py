"""Races in a room: with and without JavaScript, by keyboard, and over a lost connection."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.steps import (
    LOOKS,
    ConsoleErrors,
    click,
    expect_to_fit_without_axe_violations,
    follow,
    pause_clock,
    tile,
)

PUZZLE = "/play/1.2.3-4.0.6-7.5.8"
"""Solved by the tiles 5 and 8."""


COUNT_POLLS_AFTER_PAGEHIDE = """() => {
  let polls = 0;
  const { fetch } = window;
  window.fetch = (...request) => {
    if (String(request[0]).includes("/boards")) polls += 1;
    return fetch(...request);
  };
  window.confirm = () => true;
  const form = document.getElementById("leave");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.requestSubmit();
  document.dispatchEvent(new Event("visibilitychange"));
  return polls;
}"""
"""A poll would reload this page instead of the next one."""


def make_room(page: Page) -> str:
    """Open a room from the page of the puzzle and return its URL."""
    page.goto(PUZZLE)
    follow(page, page.locator(".side .ways").get_by_role("button", name="With a friend"))
    expect(page.locator("#start-race")).to_be_disabled()
    return page.url


def test_room_without_its_module_logs_no_error(
    new_visitor: Callable[..., Page], console_errors: ConsoleErrors
) -> None:
    console_errors.ignore("Failed to load resource")
    page = new_visitor()
    make_room(page)
    page.route("**/js/together/room.js", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.reload()


def join(page: Page, room: str) -> None:
    page.goto(room)
    page.get_by_role("button", name="Join the race").click()
    expect(page.locator("#room .you")).to_be_visible()


def begin(page: Page, *others: Page) -> None:
    """Start the race and wait for the signal on all pages."""
    page.get_by_role("button", name="Start").click()
    for participant in (page, *others):
        expect(participant.locator("main.race:not(.counting)")).to_be_visible()


def card(page: Page, name: str) -> Locator:
    return page.locator("#room .racer", has_text=name)


def name_of(page: Page) -> str:
    return page.locator("#room .you .who b").inner_text()


def test_three_race_without_javascript_and_with_lost_connection(
    new_visitor: Callable[..., Page], console_errors: ConsoleErrors
) -> None:
    ann, bob = new_visitor(), new_visitor()
    cleo = new_visitor(java_script_enabled=False)
    room = make_room(ann)
    join(bob, room)
    join(cleo, room)
    expect(ann.locator("#room .racer")).to_have_count(3)
    names = [name_of(participant) for participant in (ann, bob, cleo)]
    begin(ann, bob)
    expect(tile(cleo, 5)).to_be_visible()  # by its own reloads

    bob.context.set_offline(True)
    click(bob, 5)
    expect(bob.locator("#play")).to_have_attribute("data-board", "1.2.3-4.5.6-7.0.8")
    click(ann, 5)
    expect(card(ann, names[0])).to_contain_text("1 move")
    expect(card(ann, names[1])).to_contain_text("0 moves")
    bob.context.set_offline(False)
    bob.reload()
    expect(bob.locator("#play")).to_have_attribute("data-board", "1.2.3-4.5.6-7.0.8")
    expect(card(ann, names[1])).to_contain_text("1 move")

    tile(ann, 8).click()
    expect(ann.locator("#won h2")).to_have_text("You are 1st")
    expect(ann.locator("#said")).to_have_text("Tile 8 left. Solved in 2 moves.")
    expect(bob.locator("#room-said")).to_have_text(f"{names[0]} is 1st.")
    expect(bob.locator("#race-again")).to_be_visible()
    tile(cleo, 5).click()
    tile(cleo, 8).click()
    expect(cleo.locator("#won h2")).to_have_text("You are 2nd")
    tile(bob, 8).click()
    expect(bob.locator("#won h2")).to_have_text("You are 3rd")
    expect(ann.locator("#room-said")).to_have_text("Everybody has finished.")

    ann.locator("#next-puzzle").click()
    expect(ann.locator("#start-race")).to_be_visible()
    expect(ann).not_to_have_url(room)
    expect(bob).to_have_url(ann.url.partition("?")[0])
    cleo.get_by_role("link", name="Go to the next race").click()
    expect(ann.locator("#room .racer")).to_have_count(3)
    assert [name_of(participant) for participant in (ann, bob, cleo)] == names
    console_errors.ignore("ERR_INTERNET_DISCONNECTED")


def test_closed_page_shows_its_player_away_until_back(new_visitor: Callable[..., Page]) -> None:
    ann, bob = new_visitor(), new_visitor()
    room = make_room(ann)
    join(bob, room)
    name = name_of(bob)
    expect(card(ann, name)).to_be_visible()
    bob.goto("/privacy")
    expect(card(ann, name)).to_contain_text("away")
    bob.goto(room)
    expect(card(ann, name)).not_to_contain_text("away")
    begin(ann, bob)
    bob.reload()
    click(bob, 5)
    expect(card(ann, name)).to_have_text(re.compile(r"1 move\s*$"))
    bob.close()
    expect(card(ann, name)).to_contain_text("1 move · away")


def test_one_step_back_leads_out_of_a_room(new_visitor: Callable[..., Page]) -> None:
    ann, bob = new_visitor(), new_visitor()
    room = make_room(ann)
    bob.goto("/privacy")
    join(bob, room)
    begin(ann, bob)
    for player, before in (ann, PUZZLE), (bob, "/privacy"):
        player.go_back()
        expect(player).to_have_url(re.compile(f"{re.escape(before)}$"))


def test_move_whose_response_is_lost_is_made_once(
    new_visitor: Callable[..., Page], console_errors: ConsoleErrors
) -> None:
    ann, bob = new_visitor(), new_visitor()
    room = make_room(ann)
    join(bob, room)
    begin(ann, bob)
    sent: list[Route] = []

    def lose_response(route: Route) -> None:
        sent.append(route)
        route.fetch()
        route.abort()

    ann.route("**/slide", lose_response, times=1)
    click(ann, 5)
    expect(ann.get_by_role("button", name="Try again")).to_be_visible()
    click(ann, 8)
    ann.get_by_role("button", name="Try again").click()
    expect(ann.locator("#won h2")).to_have_text("You are 1st")
    expect(ann.locator("#which-game")).to_have_count(0)
    assert sent
    console_errors.ignore("net::ERR_FAILED")


@pytest.mark.own_page
def test_race_by_keyboard_alone_waits_for_the_signal(
    page: Page, new_visitor: Callable[..., Page]
) -> None:
    ann, bob = page, new_visitor()
    ann.clock.install()
    room = make_room(ann)
    bob.goto(room)
    bob.locator("#join").focus()
    bob.keyboard.press("Enter")
    expect(bob.locator("#room .you")).to_be_visible()
    expect(ann.locator("#start-race")).to_be_enabled()
    pause_clock(ann)
    ann.locator("#start-race").focus()
    ann.keyboard.press("Enter")
    expect(ann.locator("#countdown")).to_have_text(re.compile("^[1-5]$"))
    ann.keyboard.press("ArrowUp")
    expect(ann.locator("#play")).to_have_attribute("data-board", PUZZLE.removeprefix("/play/"))
    ann.clock.resume()
    expect(ann.locator("main.race:not(.counting)")).to_be_visible()
    ann.keyboard.press("ArrowUp")
    ann.keyboard.press("ArrowLeft")
    expect(ann.locator("#won h2")).to_have_text("You are 1st")
    expect(ann.locator("#next-puzzle")).to_be_focused()
    ann.keyboard.press("Enter")
    expect(ann.locator("#start-race")).to_be_visible()
    expect(bob.locator("#next-room")).to_be_visible()
    expect(bob).to_have_url(room)
    leave = bob.get_by_role("button", name="Leave the race")
    bob.once("dialog", lambda dialog: dialog.dismiss())
    leave.press("Enter")
    assert bob.evaluate(COUNT_POLLS_AFTER_PAGEHIDE) == 0
    bob.reload()
    bob.once("dialog", lambda dialog: dialog.accept())
    leave.press("Enter")
    expect(bob).to_have_url(re.compile("/together$"))


def test_pages_of_a_room_fit_and_axe_finds_nothing(new_visitor: Callable[..., Page]) -> None:
    ann, bob = new_visitor(), new_visitor()
    room = make_room(ann)
    expect_to_fit_without_axe_violations(ann, LOOKS[0])
    join(bob, room)
    begin(ann, bob)
    click(ann, 5, 8)
    expect(ann.locator("#won")).to_be_visible()
    expect_to_fit_without_axe_violations(ann, LOOKS[1])
    eve = new_visitor()
    eve.goto(room)
    expect_to_fit_without_axe_violations(eve, LOOKS[0])


def test_unsent_moves_of_a_closed_room_block_no_others(game: Page) -> None:
    closed, playable = "game /together/0000-00000-0000 closed", f"game {PUZZLE} closed"
    board = PUZZLE.removeprefix("/play/")
    game.evaluate(
        """([names, board]) => names.forEach((name) => localStorage.setItem(name, JSON.stringify({
          at: 1, position: { board, made: "", undone: "", left: 0, moves: 0 },
          actions: [{ action: "slide", body: `tile=5&on=${board}` }],
        })))""",
        [[closed, playable], board],
    )
    game.goto("/privacy")
    game.wait_for_function("(name) => !localStorage.getItem(name)?.includes('slide')", arg=closed)
    game.wait_for_function("(name) => !localStorage.getItem(name)?.includes('slide')", arg=playable)
    game.goto(PUZZLE)
    expect(game.locator("#play")).to_have_attribute("data-board", "1.2.3-4.5.6-7.0.8")
