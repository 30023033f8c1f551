"""The look of tiles: colours and pictures, including a visitor's own."""

import json
from io import BytesIO
from typing import Any

from PIL import Image
from playwright.sync_api import Page, Request, expect

from tests.browser.steps import (
    BLOCK_STORAGE,
    NOTE_BEFORE_MODULES,
    START,
    block_python,
    choose,
    click,
    expect_moves,
    open_settings,
    style,
)

ONE_MOVE = "1.2.3-4.5.6-7.0.8"

L_SHAPES = [(1, 2, 3, 4, 7), (5, 6, 8)]
ROWS = [(1, 2, 3), (4, 5, 6), (7, 8)]

HOLD_FILE = """
  const read = window.createImageBitmap;
  window.createImageBitmap = async (file) => {
    await new Promise((resolve) => {
      window.readFile = async () => {
        resolve();
        await read(file); // takes at least as long as that of the page
        await new Promise((later) => { setTimeout(later); });
      };
    });
    return read(file);
  };
"""


def test_tiles_at_home_are_tinted_and_dotted(game: Page) -> None:
    home, away = game.locator("#t2 b"), game.locator("#t7 b")
    assert style(home, "backgroundColor") != style(away, "backgroundColor")
    assert style(home, "content", "::after") == '""'
    assert style(away, "content", "::after") == "none"
    open_settings(game)
    choose(game, "Plain")
    assert style(home, "backgroundColor") == style(away, "backgroundColor")
    assert style(home, "content", "::after") == "none"


def test_tiles_are_coloured_by_goal_position(game: Page) -> None:
    open_settings(game)
    for label, groups in {"Rows": ROWS, "L-shapes": L_SHAPES}.items():
        choose(game, label)
        colours = [
            {style(game.locator(f"#t{number} b"), "backgroundColor") for number in group}
            for group in groups
        ]
        assert all(len(colour) == 1 for colour in colours)
        assert len(set.union(*colours)) == len(groups)


def luminance(colour: str) -> float:
    """Return the relative luminance (WCAG 2) of `rgb(1, 2, 3)`."""
    parts = [int(part) / 255 for part in colour[4:-1].split(",")]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_each_colour_keeps_its_distance_to_the_number(page: Page) -> None:
    page.goto("/new?size=10x10&seed=1")
    open_settings(page)
    choose(page, "Rows")
    for theme in "Light", "Dark":
        choose(page, theme)
        tiles = page.locator("#board .tile b").evaluate_all(
            """tiles => tiles.map((tile) => getComputedStyle(tile))
              .map(({ color, backgroundColor }) => [color, backgroundColor])"""
        )
        assert len({back for _, back in tiles}) == 10
        for pair in tiles:
            low, high = sorted(luminance(colour) for colour in pair)
            assert (high + 0.05) / (low + 0.05) >= 4.5, (theme, pair)


def test_contrast_and_forced_colours_change_the_look(game: Page) -> None:
    muted = game.locator(".muted").first
    before = luminance(style(muted, "color"))
    game.emulate_media(contrast="more")
    assert luminance(style(muted, "color")) < before
    game.emulate_media(contrast="no-preference", forced_colors="active")
    assert style(game.locator("#t2 b"), "borderTopStyle") == "double"
    assert style(game.locator("#t7 b"), "borderTopStyle") == "solid"
    open_settings(game)
    chosen = game.locator("#settings label:has(:checked) span")
    other = game.locator("#settings label:has([type=radio]:not(:checked)) span")
    assert style(chosen.first, "outlineStyle") == "solid"
    assert style(other.first, "outlineStyle") == "none"


OUTLINED = """(links) => links
  .filter((link) => getComputedStyle(link).outlineStyle === "solid")
  .map((link) => link.innerText.split("\\n")[0])"""


def test_current_page_is_marked_in_forced_colours(page: Page) -> None:
    page.emulate_media(forced_colors="active")
    for address, links, current in (
        ("/daily", "nav[aria-label=Pages] a", "Daily"),
        ("/daily/2026-10-15", "#calendar td a", "15"),
        ("/learn/by-hand/trainer", ".hand-kinds a", "Last two rows of 3 × 3"),
        ("/learn/write/bfs", ".trail a", "5"),
    ):
        if "/write/" in address:
            block_python(page)
        page.goto(address)
        assert page.locator(links).evaluate_all(OUTLINED) == [current], address


def test_words_of_a_race_are_not_framed_twice_in_forced_colours(page: Page) -> None:
    page.emulate_media(forced_colors="active")
    page.goto("/lab/8.1.3-4.0.2-7.6.5")
    pill = page.locator("#race .pill, .race .pill").first
    expect(pill).to_contain_text("shortest")
    assert style(pill, "borderTopWidth") == "1px"
    assert style(pill.locator(".chip"), "borderTopWidth") == "0px"


def png(red: int, green: int, blue: int) -> dict[str, Any]:
    """Return an upload: a PNG of one colour."""
    data = BytesIO()
    Image.new("RGB", (40, 40), (red, green, blue)).save(data, "PNG")
    return {"name": "mine.png", "mimeType": "image/png", "buffer": data.getvalue()}


def red_of(page: Page, image: str) -> int:
    """Return the red in the centre of an image, given as a CSS value."""
    red: int = page.evaluate(
        """async (address) => {
          const image = new Image();
          image.src = address;
          await image.decode();
          const context = document.createElement("canvas").getContext("2d");
          context.drawImage(image, 0, 0);
          return context.getImageData(20, 20, 1, 1).data[0];
        }""",
        image[5:-2],
    )
    return red


def offsets(page: Page) -> list[float]:
    """Return the offsets of the picture's parts from their places, in tiles."""
    found: list[float] = page.evaluate(
        """() => [...document.querySelectorAll("#board .tile")].flatMap((tile) => {
          const style = getComputedStyle(tile.querySelector("b"));
          const goal = Number(tile.value) - 1;
          return style.backgroundPosition.split(" ").map((part, i) =>
            parseFloat(part) / 100 * 3 - (i ? Math.floor(goal / 4) + 0.5 : goal % 4));
        })"""
    )
    return found


def test_each_tile_shows_its_part_of_the_middle_of_the_picture(page: Page) -> None:
    page.goto("/play/1.2.3.4-5.6.7.8-9.10.0.11")
    open_settings(page)
    choose(page, "A picture")
    face = page.locator("#t1 b")
    assert "hills.svg" in style(face, "backgroundImage")
    assert style(face, "backgroundSize") == "400% 400%"  # a square of 4 x 4 tiles, for 3 x 4
    assert max(map(abs, offsets(page))) < 0.001
    choose(page, "Sea")
    assert "sea.svg" in style(face, "backgroundImage")


def test_pictures_load_if_chosen_and_show_the_focused_number(page: Page) -> None:
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.goto(f"/play/{START}")
    expect(page.locator("#shortest")).not_to_be_empty()
    assert not [url for url in requested if "pictures" in url]
    with page.expect_response("**/pictures/hills.svg") as answer:
        open_settings(page)
        choose(page, "Both")
    assert answer.value.ok
    assert style(page.locator("#t7 b"), "color") != "rgba(0, 0, 0, 0)"
    choose(page, "A picture")
    page.keyboard.press("Escape")
    assert style(page.locator("#t7 b"), "color") == "rgba(0, 0, 0, 0)"
    expect(page.locator("#board :focus")).to_have_count(1)  # a task after the dialog's end
    page.locator("#undo").focus()
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#t2")).to_be_focused()
    assert style(page.locator("#t2 b"), "color") != "rgba(0, 0, 0, 0)"
    expect(page.get_by_role("button", name="7, row 1, column 1")).to_be_visible()


def test_the_finished_board_shows_the_whole_picture(page: Page) -> None:
    page.goto(f"/play/{ONE_MOVE}")
    open_settings(page)
    choose(page, "A picture")
    page.keyboard.press("Escape")
    expect(page.locator("#board .piece")).to_have_count(0)
    click(page, 8)
    expect(page.locator("#board .piece")).to_be_visible()
    assert style(page.locator("#t1 b"), "content", "::after") == "none", "no dots on it"
    page.locator("#undo").click()
    expect(page.locator("#board .piece")).to_have_count(0)


def test_own_image_is_stored_on_the_device_only(game: Page) -> None:
    open_settings(game)
    choose(game, "A picture")
    expect(game.get_by_label("Mine")).to_be_hidden()
    requested: list[Request] = []
    game.on("request", lambda request: requested.append(request))
    game.locator("#own-picture").set_input_files(png(200, 30, 30))
    expect(game.get_by_label("Mine")).to_be_checked()
    face = game.locator("#t7 b")
    assert style(face, "backgroundImage").startswith('url("blob:')
    choose(game, "Both")
    assert style(face, "backgroundImage").startswith("linear-gradient"), "a plate for the number"
    choose(game, "A picture")
    game.keyboard.press("Escape")
    click(game, 5, moves=1)
    stored_image = str(game.evaluate("localStorage.getItem('own-picture')"))
    for request in requested:
        assert request.url.startswith(("blob:", game.url.partition("/play")[0]))
        body = (request.post_data_buffer or b"").decode("latin-1")
        sent = request.url + json.dumps(request.headers) + body
        assert stored_image[200:240] not in sent
        assert len(sent) < 4000, "an image would be longer"
    game.add_init_script(NOTE_BEFORE_MODULES)
    game.reload()
    assert "blob:" in game.evaluate("before").get("style", ""), "it is there before modules run"
    assert red_of(game, style(face, "backgroundImage")) > 190
    open_settings(game)
    game.get_by_role("button", name="Remove mine").click()
    assert "hills.svg" in style(face, "backgroundImage")
    game.reload()
    assert "hills.svg" in style(face, "backgroundImage")
    assert game.evaluate("localStorage.getItem('own-picture')") is None


def test_picture_chosen_while_a_file_is_read_stays(page: Page) -> None:
    page.add_init_script(HOLD_FILE)
    page.goto(f"/play/{START}")
    open_settings(page)
    choose(page, "A picture")
    page.locator("#own-picture").set_input_files(png(200, 30, 30))
    page.wait_for_function("() => window.readFile")
    choose(page, "Sea")
    page.evaluate("readFile()")
    expect(page.locator("html")).to_have_attribute("data-picture", "sea")
    assert page.evaluate("localStorage.getItem('own-picture')") is None


def test_without_storage_settings_hold_until_the_page_is_left(page: Page) -> None:
    page.add_init_script(BLOCK_STORAGE)
    page.goto(f"/play/{START}")
    open_settings(page)
    choose(page, "Dark")
    choose(page, "Rows")
    choose(page, "Arrow keys move the blank")
    choose(page, "A picture")
    page.locator("#own-picture").set_input_files(png(200, 30, 30))
    expect(page.locator("#own-picture-said")).to_contain_text("until you leave the page")
    expect(page.locator("html")).to_have_attribute("data-picture", "own")
    page.keyboard.press("Escape")
    page.locator("#t7").focus()
    page.keyboard.press("ArrowUp")  # the blank goes up: tile 2 comes down
    expect_moves(page, 1)
    expect(page.locator("#play")).to_have_attribute("data-board", "7.0.4-5.2.6-8.3.1")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    assert page.locator("html").get_attribute("data-theme") is None


def test_file_that_is_no_image_is_refused_with_a_message(game: Page) -> None:
    open_settings(game)
    choose(game, "A picture")
    game.locator("#own-picture").set_input_files(
        {"name": "mine.png", "mimeType": "image/png", "buffer": b"no image"}
    )
    expect(game.locator("#own-picture-said")).to_contain_text("cannot be read as an image")
    assert "hills.svg" in style(game.locator("#t7 b"), "backgroundImage")
