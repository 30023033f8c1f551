"""Dragging and swiping tiles, by mouse and by finger."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.hands import Finger, Mouse, Point, drag
from tests.browser.steps import (
    START,
    TWO_FRAMES,
    boards_after,
    box_of,
    click,
    click_quickly,
    expect_board,
    expect_game,
    expect_moves,
    expect_sent,
    tile,
)
from tests.each import some

pytestmark = pytest.mark.motion

LINES = "1.2.3.0-5.6.7.4-9.10.11.8-13.14.15.12"
WAYS = (1, 0, 5), (-1, 0, 6), (0, 1, 2), (0, -1, 3)
"""The directions in which a tile of `START` can move: x, y and the tile."""
NOTE_SHAKES = """() => {
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    document.documentElement.dataset.shaken += ` ${this.id}`;
    return animate.call(this, frames, timing);
  };
  document.documentElement.dataset.shaken = "";
}"""
DRAG_IN = """(tile, milliseconds) => {
  const far = 0.25 * tile.offsetWidth;
  const way = [["down", 0], ["move", far / 2], ["move", far], ["up", far]];
  const begin = performance.now();
  way.forEach(([kind, x], i) => {
    const event = new PointerEvent(`pointer${kind}`, { pointerId: 1, isPrimary: true,
      pointerType: "mouse", clientX: 100 + x, clientY: 100, bubbles: true });
    Object.defineProperty(event, "timeStamp", { value: begin + i / 3 * milliseconds });
    tile.dispatchEvent(event);
  });
}"""
"""Drags a tile by a quarter of its way in a given time, independent of the machine's load."""


def place(page: Page, selector: str) -> Point:
    """Return the centre of an element."""
    box = box_of(page.locator(selector))
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def expect_place(page: Page, selector: str, at: Point) -> None:
    """Expect the centre of an element at a point, within a few frames."""
    for _ in range(200):
        if place(page, selector) == pytest.approx(at, abs=2):
            return
        page.evaluate("new Promise(requestAnimationFrame)")
    assert place(page, selector) == pytest.approx(at, abs=2)


def tile_distance(page: Page) -> float:
    """Return the distance of a tile's move in pixels."""
    box = box_of(page.locator("#board .tile").first)
    return box["width"]


def settle(page: Page) -> None:
    """Wait until no animation runs on the page."""
    page.evaluate("Promise.allSettled(document.getAnimations().map((it) => it.finished))")


@pytest.fixture
def touched(shared_page: Callable[..., Page]) -> Page:
    """Return a page on a phone."""
    return shared_page(has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844})


@pytest.fixture(params=["mouse", "finger"])
def hand(request: pytest.FixtureRequest) -> Mouse | Finger:
    """Return a mouse or a finger; its `page` is the page."""
    if request.param == "mouse":
        return Mouse(request.getfixturevalue("page"))
    page = request.getfixturevalue("touched")
    finger = Finger(page)
    finger.page = page
    return finger


def test_tile_follows_the_pointer_and_moves_on_release(hand: Mouse | Finger) -> None:
    page = hand.page
    page.goto(f"/play/{START}")
    far = 0.6 * tile_distance(page)
    for moves, (dx, dy, number) in enumerate(WAYS if isinstance(hand, Mouse) else WAYS[:1]):
        at = place(page, f"#t{number}")
        drag(hand, at, dx * far, dy * far)
        expect_place(page, f"#t{number}", (at[0] + dx * far, at[1] + dy * far))
        expect_board(page, START)
        hand.release()
        expect_game(page, 2 * moves + 1, boards_after(START, (number,))[-1])
        settle(page)
        click_quickly(page, number)  # back again
        expect_game(page, 2 * moves + 2, START)
        settle(page)


@pytest.mark.parametrize("hand", some(["mouse", "finger"], 0), indirect=True)
def test_dragged_tile_stays_between_its_cell_and_the_blank(hand: Mouse | Finger) -> None:
    page = hand.page
    page.goto(f"/play/{START}")
    step, at = tile_distance(page), place(page, "#t5")
    drag(hand, at, 1.6 * step, 0.3 * step)
    expect_place(page, "#t5", (at[0] + step, at[1]))
    hand.move((at[0] - 60, at[1]))
    expect_place(page, "#t5", at)
    hand.release()
    settle(page)
    assert place(page, "#t5") == pytest.approx(at, abs=1)
    expect_moves(page, 0)


@pytest.mark.parametrize("hand", some(["mouse", "finger"], 1), indirect=True)
def test_a_line_is_dragged_by_any_of_its_tiles(hand: Mouse | Finger) -> None:
    page = hand.page
    page.goto(f"/play/{LINES}")
    step = tile_distance(page)
    before = {number: place(page, f"#t{number}") for number in (1, 2, 3)}
    drag(hand, before[2], 0.7 * step, 0)
    for number, moved in {1: 0, 2: 0.7, 3: 0.7}.items():
        x, y = before[number]
        expect_place(page, f"#t{number}", (x + moved * step, y))
    hand.release()
    expect_game(page, 2, boards_after(LINES, (2,))[-1])


def test_tile_springs_back_after_a_drag_and_moves_on_a_flick(game: Page) -> None:
    at = place(game, "#t5")
    tile(game, 5).evaluate(DRAG_IN, 1000)
    settle(game)
    assert place(game, "#t5") == pytest.approx(at, abs=1)
    expect_game(game, 0, START)
    tile(game, 5).evaluate(DRAG_IN, 30)
    expect_game(game, 1, boards_after(START, (5,))[-1])


def test_a_tile_that_cannot_move_resists_the_mouse(game: Page) -> None:
    game.evaluate(NOTE_SHAKES)
    hand = Mouse(game)
    shaken = ""
    for number, dx, dy in (7, 100, 0), (5, 0, 100), (5, -100, 0):
        drag(hand, place(game, f"#t{number}"), dx, dy)
        shaken += f" t{number}"
        expect(game.locator("html")).to_have_attribute("data-shaken", shaken)
        hand.release()
        settle(game)
    expect_board(game, START)
    click(game, 5, moves=1)


def test_a_swipe_anywhere_moves_the_tile_beside_the_blank(touched: Page) -> None:
    touched.goto(f"/play/{START}")
    finger = Finger(touched)
    board = box_of(touched.locator("#board"))
    tray = board["x"] + 4, board["y"] + board["height"] / 2
    blank = place(touched, "#board")
    ways = [(40, 0), (0, -40), (-40, 0), (0, 40), (40, 0), (0, -40)]
    tiles: list[int] = []
    for at, (dx, dy) in zip([place(touched, "#t4")] * 4 + [blank, tray], ways, strict=True):
        tiles.append((5, 8, 3)[len(tiles) % 3])
        drag(finger, at, dx, dy)
        finger.release()
        expect_game(touched, len(tiles), boards_after(START, tiles)[-1])


def test_tap_moves_its_tile_once_also_right_after_a_flick(touched: Page) -> None:
    touched.goto(f"/play/{START}")
    finger = Finger(touched)
    tiles: list[int] = []
    for number, flick in (5, False), (5, False), (5, True), (8, False), (8, False):
        tiles.append(number)
        finger.press(place(touched, f"#t{number}"))
        if flick:
            x, y = finger.at
            finger.move((x + 40, y))
        finger.release()
        expect_game(touched, len(tiles), boards_after(START, tiles)[-1])
        settle(touched)
    for _ in range(2):
        touched.touchscreen.tap(*place(touched, "#t8"))
        settle(touched)
    expect_moves(touched, len(tiles) + 2)
    assert touched.evaluate("visualViewport.scale") == 1
    assert touched.evaluate("getSelection().toString()") == ""


def test_a_double_click_moves_its_tile_once(game: Page) -> None:
    game.locator("#t5").dblclick()
    expect_game(game, 1, boards_after(START, [5])[-1])
    settle(game)
    game.locator("#t5").click()
    expect_moves(game, 2)


def test_swipe_without_a_movable_tile_does_nothing(touched: Page) -> None:
    touched.goto("/play/1.2.3-4.5.6-7.8.0_0.1.2-3.4.5-6.7.8")
    finger = Finger(touched)
    at = place(touched, "#t5")
    for dx, dy in (-60, 0), (0, -60):
        drag(finger, at, dx, dy)
        finger.release()
    drag(finger, at, 0, 60)
    finger.release()
    expect_game(touched, 1, "1.2.3-4.5.0-7.8.6")


def test_setting_makes_swipes_name_the_blanks_direction(touched: Page) -> None:
    touched.goto("/custom")
    touched.evaluate("localStorage.setItem('arrows', 'blank')")
    touched.goto(f"/play/{START}")
    finger = Finger(touched)
    drag(finger, place(touched, "#t7"), 60, 0)
    finger.release()
    expect_board(touched, boards_after(START, (6,))[-1])
    settle(touched)
    drag(finger, place(touched, "#t6"), 100, 0)  # a held tile follows the finger
    finger.release()
    expect_game(touched, 2, START)


def test_response_does_not_interrupt_a_drag(touched: Page) -> None:
    held: list[Route] = []
    touched.goto(f"/play/{START}")
    touched.route("**/slide", lambda route: held.append(route))
    with touched.expect_request("**/slide"):
        click(touched, 5)
    settle(touched)
    at = place(touched, "#t8")
    finger = Finger(touched)
    drag(finger, at, 0, -0.7 * tile_distance(touched))
    held[0].continue_()
    expect_sent(touched)
    expect_moves(touched, 1)
    expect_place(touched, "#t8", (at[0], at[1] - 0.7 * tile_distance(touched)))
    touched.unroute("**/slide")
    finger.release()
    expect_game(touched, 2, boards_after(START, (5, 8))[-1])


NOTE_NEWS = f"""() => {{
  window.heard = new Promise((resolve) => {{
    const news = new BroadcastChannel(`game ${{location.pathname}}`);
    news.onmessage = () => {TWO_FRAMES}.then(resolve);
  }});
}}"""
"""Defines a promise of the second frame after news of another tab."""


def test_news_of_another_tab_wait_for_the_end_of_a_press(game: Page) -> None:
    other = game.context.new_page()
    other.goto(game.url)
    expect(other.locator("html[data-resumed]")).to_have_count(1)
    game.bring_to_front()
    game.evaluate(NOTE_NEWS)
    mouse = Mouse(game)
    mouse.press(place(game, "#t6"))
    click(other, 5)
    game.evaluate("heard")
    expect_moves(game, 0)
    mouse.release()
    expect(game.locator("#said")).to_contain_text("Your game continued in another tab")
    expect_game(game, 1, boards_after(START, (5,))[-1])


def test_refusal_waits_for_the_end_of_a_press(game: Page) -> None:
    game.context.request.post(f"{game.url}/slide", form={"tile": "6"})  # as from another tab
    held: list[Route] = []
    game.route("**/slide", lambda route: held.append(route))
    with game.expect_request("**/slide"):
        click(game, 5)
    settle(game)
    mouse = Mouse(game)
    mouse.press(place(game, "#t8"))
    with game.expect_response("**/slide"):
        held[0].continue_()
    game.evaluate(TWO_FRAMES)
    expect_board(game, boards_after(START, (5,))[-1])
    game.unroute("**/slide")
    mouse.release()
    expect_game(game, 1, boards_after(START, (6,))[-1])


def test_swipe_scrolls_the_page_only_beside_the_board(touched: Page) -> None:
    touched.goto(f"/play/{START}")
    touched.set_viewport_size({"width": 390, "height": 500})
    finger = Finger(touched)
    scrolled = "() => scrollY"
    drag(finger, place(touched, "#t7"), 0, -150)
    finger.release()
    expect_moves(touched, 1)
    assert touched.evaluate(scrolled) == 0
    drag(finger, place(touched, "#figures"), 0, -90)
    finger.release()
    touched.evaluate(
        """() => new Promise((resolve) => {
          if (scrollY > 0) resolve();
          else addEventListener("scroll", resolve, { once: true });
        })"""
    )
