"""Layout on desktops, phones and very small phones; themes and motion."""

import itertools
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.steps import (
    SHOWN_WIDTHS,
    START,
    TWO_FRAMES,
    WIDTHS,
    box_of,
    click,
    expect_to_fit,
    expect_to_fit_at_all_widths,
    expect_to_fit_zoomed,
    resize,
    wait_for_module,
)
from tests.each import each, some

# Elements partly behind the navigation or another element, at each of their corners
COVERED = """() => [...document.querySelectorAll(".tools button, #solve-button, #new-game")]
  .filter((button) => {
    const { left, top, right, bottom } = button.getBoundingClientRect();
    const whats = [[left + 12, top + 4], [right - 12, bottom - 4]]
      .map(([x, y]) => document.elementFromPoint(x, y));
    return whats.some((what) => what && !button.contains(what));
  }).map((button) => button.id)"""


def expect_tiles_to_fit(page: Page, rows: int, cols: int, least: int | None = None) -> None:
    """Expect each tile to be inside the board, large enough and over no other."""
    boxes = page.locator("#board .tile").evaluate_all(
        "tiles => tiles.map((tile) => tile.getBoundingClientRect().toJSON())"
    )
    assert len(boxes) == rows * cols - 1
    least = least or (44 if cols <= 6 else 24)
    assert min(min(box["width"], box["height"]) for box in boxes) >= least
    for box, other in itertools.combinations(boxes, 2):
        beside = box["right"] <= other["left"] + 0.5 or other["right"] <= box["left"] + 0.5
        above = box["bottom"] <= other["top"] + 0.5 or other["bottom"] <= box["top"] + 0.5
        assert beside or above, f"tiles overlap: {page.url}, {page.viewport_size}"
    board = page.locator("#board").evaluate("board => board.getBoundingClientRect().toJSON()")
    for box in boxes:
        assert board["left"] <= box["left"] < box["right"] <= board["right"]
        assert board["top"] <= box["top"] < box["bottom"] <= board["bottom"]


NOTE_SHIFTS = """(() => {
  let sum = 0;
  const add = (entries) => entries.forEach(({ value }) => { sum += value; });
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  window.layoutShift = () => {
    add(observer.takeRecords());
    return sum;
  };
})();"""


@pytest.mark.own_page
@pytest.mark.parametrize(
    ("address", "shown", "width"),
    some(
        [
            (address, shown, width)
            for address, shown in (
                ("/learn/astar", ".lesson-bench"),
                (f"/lab/{START}/watch", "[data-part=range]:visible"),
                ("/custom?start=8.1.3-4.0.2-7.5.6", "[data-edits=goal]"),
                (f"/play/{START}", "#board"),
            )
            for width in (1280, 390)
        ],
        *(0, 3),
    ),
)
def test_late_font_and_data_shift_nothing(page: Page, address: str, shown: str, width: int) -> None:
    page.add_init_script(NOTE_SHIFTS)
    page.route("**/*.woff2", lambda route: None)
    resize(page, width)
    with page.expect_request("**/*.woff2"):
        page.goto(address, wait_until="commit")
    expect(page.locator("h1").first).to_be_attached()
    page.evaluate(TWO_FRAMES)
    page.unroute("**/*.woff2")  # those requests continue, and later ones
    page.wait_for_load_state()
    page.evaluate("() => document.fonts.ready.then(() => true)")
    expect(page.locator(shown).first).to_be_visible()
    page.evaluate(TWO_FRAMES)
    assert page.evaluate("layoutShift()") <= 0.02


STORE_DAYS = """(() => {
  const days = {};
  for (let ago = 0; ago < 9; ago += 1) {
    const on = new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    for (const size of ["3x3", "4x4"])
      days[`${on} ${size}`] = { moves: 23, seconds: 31.5, helped: false, on, shortest: 23 };
  }
  localStorage.setItem("days", JSON.stringify(days));
})();"""


@pytest.mark.own_page
@pytest.mark.browser_context_args(timezone_id="Asia/Tokyo")
@pytest.mark.parametrize(
    ("width", "is_stored"), some([(1280, False), (390, True), (1280, True), (390, False)], 0, 1)
)
def test_results_of_days_shift_little(page: Page, width: int, is_stored: bool) -> None:
    words = re.compile("^You have solved" if is_stored else "^Solve one")
    if is_stored:
        page.add_init_script(STORE_DAYS)
    expect_little_shift(page, "/daily", "days", width, 0.05)
    expect(page.locator("#streak-said")).to_have_text(words)
    expect(page.locator("[data-daily].solved")).to_have_count(2 if is_stored else 0)
    expect_to_fit_at_all_widths(page)


@pytest.mark.own_page
@pytest.mark.parametrize("width", some([1280, 390], 1))
def test_progress_of_lessons_shifts_little(page: Page, width: int) -> None:
    expect_little_shift(page, "/learn", "path", width, 0.01)
    expect(page.locator(".path-bar")).to_have_attribute("aria-label", "0 of 11 steps done")


def expect_little_shift(page: Page, address: str, script: str, width: int, most: float) -> None:
    """Expect the layout to stay as the page's script arrives after the first picture, twice."""
    page.add_init_script(NOTE_SHIFTS)
    resize(page, width)
    late = f"**/{script}.js*"
    for _ in "cold", "warm":
        page.route(late, lambda route: None)
        with page.expect_request(late):
            page.goto(address, wait_until="commit")
        expect(page.locator("h1").first).to_be_visible()
        page.evaluate(TWO_FRAMES)
        page.unroute(late)  # those requests continue, and later ones
        page.wait_for_load_state()
        page.evaluate(TWO_FRAMES)
        assert page.evaluate("layoutShift()") <= most


def test_many_boards_are_run_without_scrolling_on_a_narrow_phone(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto(f"/lab/{START}/many")
    navigation = box_of(page.get_by_role("navigation", name="Pages"))
    run = box_of(page.locator("#race-run"))
    assert run["y"] + run["height"] <= navigation["y"]


def test_number_of_a_race_stands_beside_its_bar(page: Page) -> None:
    page.goto(f"/lab/{START}")
    expect(page.locator("#race-said")).to_contain_text(re.compile(r"\w"))  # rows stay now
    for width in 1280, 700, 390, 320:
        page.set_viewport_size({"width": width, "height": 900})
        gaps = page.locator(".run .bar-cell").evaluate_all(
            """cells => cells.map((cell) => {
              const number = cell.querySelector("span");
              number.textContent = "999,999,999";
              const bar = cell.querySelector("svg").getBoundingClientRect();
              return [bar.width, number.getBoundingClientRect().left - bar.right];
            })"""
        )
        assert len(gaps) > 1
        assert all(length > 40 and gap >= 0 for length, gap in gaps), (width, gaps)


def test_number_over_a_picture_is_inside_its_tile(page: Page) -> None:
    for size in "3x3", "10x10":
        page.goto(f"/new?size={size}&seed=1")
        page.evaluate("document.documentElement.dataset.face = 'both'")
        edges = page.locator("#board .tile b").evaluate_all(
            """tiles => tiles.map((tile) => {
              const range = document.createRange();
              range.selectNodeContents(tile);
              const [number, box] = [range, tile].map((one) => one.getBoundingClientRect());
              const halo = 0.11 * parseFloat(getComputedStyle(tile).fontSize);
              return Math.min(number.top - box.top, number.left - box.left,
                box.right - number.right, box.bottom - number.bottom) - halo;
            })"""
        )
        assert min(edges) > 0, size


@pytest.mark.parametrize("size", some(["2x2", "3x3", "4x4", "6x6", "2x10", "10x2", "10x10"], 3, 6))
def test_boards_of_any_size_fit(page: Page, size: str) -> None:
    page.goto(f"/new?size={size}&seed=1")
    for width in SHOWN_WIDTHS:
        resize(page, width)
        expect_to_fit(page)
        expect_tiles_to_fit(page, *map(int, size.split("x")))
    expect_to_fit_zoomed(page)


LOW_LINKS = """() => [...document.querySelectorAll("a:not(.skip, .presets a)")]
  .filter((link) => link.checkVisibility() && getComputedStyle(link).display !== "inline")
  .filter((link) => link.getBoundingClientRect().height < 43.9)
  .map((link) => link.outerHTML.slice(0, 100))"""
"""Links outside of sentences, too small for a finger. A preset's link is as large as its card."""


def test_pages_fit_a_landscape_phone(shared_page: Callable[..., Page]) -> None:
    sizes: list[ViewportSize] = [
        {"width": width, "height": height} for width, height in ((844, 390), (560, 300))
    ]
    page = shared_page(has_touch=True, viewport=sizes[0])

    def expect_large_links() -> None:
        for size in sizes:
            page.set_viewport_size(size)
            expect_to_fit(page)
            assert page.evaluate(LOW_LINKS) == [], (page.url, size)

    for address in f"/replay/{START}?algorithm=best", "/learn", f"/lab/{START}/watch":
        page.goto(address)
        expect_large_links()
    page.goto(f"/play/{START}")
    for size in sizes:
        page.set_viewport_size(size)
        expect(page.locator("#board")).to_be_in_viewport(ratio=1)
    page.locator("#solve-button").click()
    expect(page.locator("#replay-link")).to_be_visible()
    expect_large_links()


def test_first_level_button_ends_at_the_right_edge(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/levels")
    head, button = (box_of(page.locator(name)) for name in (".levels-head", "#level-next"))
    assert button["x"] + button["width"] == head["x"] + head["width"]


def test_replay_has_the_size_and_place_of_the_board(game: Page) -> None:
    boards = {}
    for width in 1280, 390:
        game.set_viewport_size({"width": width, "height": 800})
        boards[width] = box_of(game.locator("#board"))
    game.locator("#solve-button").click()
    expect(game.locator("#replay-link")).to_be_visible()
    for width in 390, 1280:
        game.set_viewport_size({"width": width, "height": 800})
        assert game.evaluate("scrollY") == 0
        assert box_of(game.locator("#replay .board")) == boards[width]
        expect(game.locator("#player")).to_be_in_viewport(ratio=1)
        expect(game.locator("#leave-replay")).to_be_in_viewport(ratio=1 if width == 1280 else 0.1)


def test_board_is_first_on_a_phone_and_beside_cards_on_desktop(page: Page) -> None:
    def top(selector: str) -> float:
        box = box_of(page.locator(selector))
        return box["y"]

    page.goto(f"/play/{START}")
    resize(page, 390)
    assert top("#title") < top("#board") < top("#figures") < top("#undo") < top("#solve-button")
    resize(page, 1280)
    assert top("#board") < top("#figures") < top("#new-game") < top("#solver") < top("#undo")


@pytest.mark.motion
def test_reduced_motion_is_honoured(page: Page) -> None:
    page.goto(f"/play/{START}")
    page.emulate_media(reduced_motion="reduce")
    click(page, 5)
    assert page.evaluate("document.getAnimations().length") == 0
    page.locator("#solve-button").click()
    expect(page.locator("#steps button")).to_have_count(21)
    expect(page.locator("#player output")).to_have_text("0 / 21")
    expect(page.locator("#player")).not_to_have_class(re.compile("playing"))


@pytest.mark.motion
def test_a_click_moves_the_tile_in_sight(game: Page) -> None:
    before, on_its_way, after = game.evaluate(
        """() => {
          const tile = document.getElementById("t5");
          const place = () => tile.getBoundingClientRect().left;
          const places = [place()];
          tile.click();
          for (const time of [70, 140])
            for (const animation of tile.getAnimations()) {
              animation.pause();
              animation.currentTime = time;
              if (animation.transitionProperty === "left") places.push(place());
            }
          return places;
        }"""
    )
    assert before < on_its_way < after


@each(("size", "width"), [("3x3", 390), ("10x10", 320)])
def test_board_and_controls_are_in_view_together_on_a_phone(
    page: Page, size: str, width: int
) -> None:
    page.goto(f"/new?size={size}&seed=1")
    resize(page, width)
    navigation = box_of(page.get_by_role("navigation", name="Pages"))
    controls = box_of(page.locator("#moves .tools"))
    assert controls["y"] + controls["height"] <= navigation["y"]
    expect(page.locator("#board")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("width", some([390, 1280], 0))
def test_messages_move_nothing(game: Page, width: int) -> None:
    resize(game, width)
    places = [*(".tray", ".tools", "#solve-button", "#new-game", ".ways", ".about")]
    before = [box_of(game.locator(place).first) for place in places]
    for button in "#t1", "#hint":
        game.locator(button).click()
        said = game.locator("#said:not(.visually-hidden)")
        expect(said).to_contain_text("Hint:" if button == "#hint" else "Tile 1 is not")
        assert [box_of(game.locator(place).first) for place in places] == before
        tiles = [box_of(one.locator("b")) for one in game.locator("#board .tile:visible").all()]
        pill = box_of(said)
        assert not [one for one in tiles if _overlap(one, pill)]


def _overlap(one: dict[str, float], other: dict[str, float]) -> bool:
    return all(
        one[start] < other[start] + other[size] and other[start] < one[start] + one[size]
        for start, size in (("x", "width"), ("y", "height"))
    )


def test_hint_is_in_view_on_a_low_phone(game: Page) -> None:
    game.set_viewport_size({"width": 390, "height": 700})
    game.locator("#hint").click()
    expect(game.locator("#said")).to_contain_text("Hint: move tile")
    navigation = box_of(game.get_by_role("navigation", name="Pages"))
    hint = box_of(game.locator("#said"))
    assert hint["y"] + hint["height"] <= navigation["y"]


@pytest.mark.parametrize(
    ("size", "width", "height"),
    some(
        [
            *[("3x3", 844, 390), ("3x3", 667, 375), ("3x3", 932, 430)],
            *[("10x10", 844, 390), ("10x2", 667, 375)],
        ],
        *(0, 3),
    ),
)
def test_board_is_beside_the_rest_on_a_landscape_phone(
    page: Page, size: str, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"/new?size={size}&seed=1")
    expect_to_fit(page)
    rows, cols = map(int, size.split("x"))
    expect_tiles_to_fit(page, rows, cols, least=24 if rows > 6 else None)
    board = box_of(page.locator("#board"))
    for selector in "header", ".about", "#figures", "#moves .tools", "#solve-button":
        box = box_of(page.locator(selector))
        assert box["x"] >= board["x"] + board["width"]
    for part in "#moves .tools", "#board":
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    if size == "3x3":
        assert board["height"] >= min(height - 16, width - 320)
        page.mouse.wheel(0, 400)
        expect(page.locator("#board")).to_be_in_viewport(ratio=1)
        page.locator("#solve-button").click()
        expect(page.locator("#replay .board")).to_be_in_viewport(ratio=1)


def test_wide_board_has_the_full_width_on_a_landscape_phone(page: Page) -> None:
    page.set_viewport_size({"width": 667, "height": 375})
    page.goto("/new?size=2x10&seed=1")
    expect_to_fit(page)
    expect_tiles_to_fit(page, 2, 10)
    assert box_of(page.locator("#board"))["width"] > 600
    for selector in "#board", "#moves .tools":
        expect(page.locator(selector)).to_be_in_viewport(ratio=1)


def test_buttons_of_a_narrow_board_are_not_behind_the_navigation(page: Page) -> None:
    page.goto("/new?size=10x2&seed=1")
    for width, height in (390, 844), (320, 568):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(COVERED) == [], width


def test_goal_covers_the_board_while_its_button_is_held(page: Page) -> None:
    page.goto("/play/1.0.2-3.4.5_0.1.2-3.4.5")
    goal = page.locator("#goal")
    picture = goal.get_by_role("img", name="Goal: blank 1 2; 3 4 5")
    for width in WIDTHS:
        resize(page, width)
        expect(picture).to_be_in_viewport(ratio=1)
    tile = page.locator("#t1")
    before = tile.bounding_box()
    assert before
    goal.get_by_role("button").hover()
    wait_for_module(page, "play/keys")
    moved = "([tile, x]) => Math.abs(tile.getBoundingClientRect().x - x) > tile.clientWidth / 2"
    for hold, leave in (
        (page.mouse.down, page.mouse.up),
        (lambda: page.keyboard.down("o"), lambda: page.keyboard.up("o")),
        (lambda: (goal.get_by_role("button").focus(), page.keyboard.down(" ")), None),
    ):
        hold()
        page.wait_for_function(moved, arg=[tile.element_handle(), before["x"]])
        (leave or (lambda: page.keyboard.up(" ")))()
        page.wait_for_function(
            f"(all) => !({moved})(all)", arg=[tile.element_handle(), before["x"]]
        )
    expect(page.locator("#play")).to_have_attribute("data-board", "1.0.2-3.4.5")


def test_navigation_leaves_room_for_a_large_board_on_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    for size in "4x4", "6x6":
        page.goto(f"/new?size={size}&seed=3")
        seen = page.locator("#solve-button").evaluate(
            "(button) => { const { x, bottom } = button.getBoundingClientRect();"
            " return button.contains(document.elementFromPoint(x + 30, bottom - 3)); }"
        )
        assert seen, size
