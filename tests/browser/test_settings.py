"""The settings: each holds at once, is kept, and is there before the page is drawn."""

import json
import re
import struct
import zlib
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from tests.browser.steps import click, expect_moves, open_settings, press, tile

pytestmark = pytest.mark.same_page

START = "7.2.4-5.0.6-8.3.1"
ONE_MOVE = "1.2.3-4.5.6-7.0.8"
REPLAY = f"/replay/{START}?moves=ULDR2DL2URURDLDRUL2U&step=5"

SETTINGS = {
    "theme": ("Dark", "dark"),
    "tiles": ("L-shapes", "fringe"),
    "face": ("A picture", "picture"),
    "speed": ("Slow", "slow"),
    "notation": ("5 left", "words"),
    "written": ("Write which way the blank goes", "blank"),
    "arrows": ("Arrow keys say which way", "blank"),
    "single-keys": ("Single keys on", "off"),
    "moves-to-go": ("Show how many moves are to go", "hidden"),
    "sounds": ("Sounds", "on"),
}
"""Of each setting: what is chosen in the dialog, and the word for it. No setting is usually so."""

NOTE_BEFORE_MODULES = """
document.addEventListener("readystatechange", () => {
  if (document.readyState !== "interactive") return;  // modules run after this
  window.before = Object.fromEntries(
    [...document.documentElement.attributes].map(({ name, value }) => [name, value]));
});"""

NOTE_SOUNDS = """
const make = window.OscillatorNode;
window.OscillatorNode = class extends make {
  constructor(context, options) {
    super(context, options);
    const { dataset } = document.documentElement;
    dataset.pitches = `${dataset.pitches ?? ""} ${options.frequency}`;
  }
};"""

STORAGE_OFF = """
Object.defineProperty(window, "localStorage", { get() { throw new DOMException("off"); } });"""


def choose(page: Page, label: str) -> None:
    """Check what is so labelled in the dialog, which is open."""
    dialog = page.locator("#settings")
    name = re.compile(f"^{re.escape(label)}")
    dialog.get_by_role("radio", name=name).or_(dialog.get_by_role("checkbox", name=name)).check()


def shown(element: Locator, style: str, part: str = "") -> str:
    """Return the computed style of an element, or of its `::before` or `::after`."""
    return str(element.evaluate(f"e => getComputedStyle(e, '{part}').{style}"))


def png(red: int, green: int, blue: int, side: int = 40) -> dict[str, Any]:
    """Return a file to choose: a picture of one colour, which could be found in any upload."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        checked = kind + data
        return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))

    row = b"\0" + bytes((red, green, blue)) * side
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(row * side)), chunk(b"IEND", b"")
    picture = b"\x89PNG\r\n\x1a\n" + b"".join(parts)
    return {"name": "mine.png", "mimeType": "image/png", "buffer": picture}


@pytest.mark.own_page
@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_holds_at_once_and_is_there_before_the_page_is_drawn(
    page: Page, name: str
) -> None:
    label, value = SETTINGS[name]
    root = page.locator("html")
    page.add_init_script(NOTE_BEFORE_MODULES)
    page.goto(f"/play/{START}")
    assert f"data-{name}" not in page.evaluate("before")
    open_settings(page)
    page.locator("#settings").get_by_label(label).click()
    expect(root).to_have_attribute(f"data-{name}", value)
    page.keyboard.press("Escape")
    click(page, 5)
    expect_moves(page, 1)
    expect(root).to_have_attribute(f"data-{name}", value)
    for path in f"/play/{START}", "/custom", "/play/nonsense":
        page.goto(path)
        assert page.evaluate("before")[f"data-{name}"] == value
    open_settings(page)
    if name in ("theme", "tiles", "face", "speed", "notation"):
        expect(page.get_by_label(label)).to_be_checked()
    page.get_by_role("button", name="Back to the usual settings").click()
    assert root.get_attribute(f"data-{name}") is None
    page.reload()
    assert f"data-{name}" not in page.evaluate("before")


def test_what_the_browser_kept_before_there_was_a_dialog_holds(page: Page) -> None:
    kept = {"theme": "system", "arrows": "tile", "single-keys": "on", "moves-to-go": "shown"}
    page.goto("/custom")
    page.evaluate("kept => Object.assign(localStorage, kept)", kept)
    page.goto(f"/play/{START}")
    open_settings(page)
    expect(page.get_by_label("System")).to_be_checked()
    expect(page.locator("#arrows")).not_to_be_checked()
    expect(page.locator("#single-keys")).to_be_checked()
    expect(page.locator("#to-go")).to_be_visible()


@pytest.mark.own_page
def test_without_storage_settings_hold_until_the_page_is_left(page: Page) -> None:
    page.add_init_script(STORAGE_OFF)
    page.goto(f"/play/{START}")
    open_settings(page)
    choose(page, "Dark")
    choose(page, "Rows")
    choose(page, "Arrow keys say which way")
    choose(page, "A picture")
    page.locator("#own-picture").set_input_files(png(200, 30, 30))
    expect(page.locator("#own-picture-said")).to_contain_text("forgotten when you leave the page")
    expect(page.locator("html")).to_have_attribute("data-picture", "own")
    page.keyboard.press("Escape")
    page.locator("#t7").focus()
    page.keyboard.press("ArrowUp")  # the blank goes up: tile 2 comes down
    expect_moves(page, 1)
    expect(page.locator("#play")).to_have_attribute("data-board", "7.0.4-5.2.6-8.3.1")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    assert page.locator("html").get_attribute("data-theme") is None


def test_the_dialog_by_keyboard_alone(page: Page) -> None:
    page.goto(f"/play/{START}")
    button = page.get_by_role("button", name="Settings")
    button.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Settings")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("button", name="Close")).to_be_focused()
    press(page, "Tab", "ArrowRight")
    expect(page.get_by_label("Light")).to_be_focused()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    press(page, "a", "h", "u", "5")  # keys of the game do nothing here
    expect(page.locator("#typed")).to_be_empty()
    expect_moves(page, 0)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(button).to_be_focused()


def test_a_click_beside_the_dialog_closes_it_and_moves_nothing(page: Page) -> None:
    page.goto(f"/play/{START}")
    box = tile(page, 5).bounding_box()
    assert box
    open_settings(page)
    page.mouse.click(box["x"] + 20, box["y"] + 20)
    expect(page.locator("#settings")).to_be_hidden()
    expect(page.locator("#play")).to_have_attribute("data-board", START)


def test_on_a_phone_the_board_stands_above_the_dialog(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/play/{START}")
    open_settings(page)
    board, dialog = page.locator("#board").bounding_box(), page.locator("#settings").bounding_box()
    assert board
    assert dialog
    assert 0 <= board["y"] + 1 < board["y"] + board["height"] <= dialog["y"]
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#title")).to_be_in_viewport()


# Tile colours


def test_tiles_at_home_are_tinted_and_dotted(page: Page) -> None:
    page.goto(f"/play/{START}")
    home, away = page.locator("#t2 b"), page.locator("#t7 b")
    assert shown(home, "backgroundColor") != shown(away, "backgroundColor")
    assert shown(home, "content", "::after") == '""'
    assert shown(away, "content", "::after") == "none"
    open_settings(page)
    choose(page, "Plain")
    assert shown(home, "backgroundColor") == shown(away, "backgroundColor")
    assert shown(home, "content", "::after") == "none"


@pytest.mark.parametrize(
    ("label", "groups"),
    [("L-shapes", [(1, 2, 3, 4, 7), (5, 6, 8)]), ("Rows", [(1, 2, 3), (4, 5, 6), (7, 8)])],
)
@pytest.mark.parametrize("path", [f"/play/{START}", REPLAY, f"/custom?start={START}"])
def test_tiles_are_coloured_by_where_they_belong(
    page: Page, path: str, label: str, groups: list[tuple[int, ...]]
) -> None:
    page.goto(path)
    open_settings(page)
    choose(page, label)
    board = page.locator("#board, .board.still, [data-edits=start]")
    colours = [
        {shown(board.get_by_text(str(number), exact=True), "backgroundColor") for number in group}
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


# Pictures


def offsets(page: Page) -> list[float]:
    """Return how far the parts of the picture on the tiles are off their places, in tiles."""
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
    assert "hills.svg" in shown(face, "backgroundImage")
    assert shown(face, "backgroundSize") == "400% 400%"  # a square of 4 x 4 tiles, for 3 x 4
    assert max(map(abs, offsets(page))) < 0.001
    choose(page, "Sea")
    assert "sea.svg" in shown(face, "backgroundImage")


def test_pictures_load_and_only_when_they_are_shown(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"/play/{START}")
    expect(page.locator("#shortest")).not_to_be_empty()
    assert not [url for url in asked if "pictures" in url]
    with page.expect_response("**/pictures/hills.svg") as answer:
        open_settings(page)
        choose(page, "Both")
    assert answer.value.ok


def test_a_picture_alone_keeps_the_names_and_shows_the_number_in_focus(page: Page) -> None:
    page.goto(f"/play/{START}")
    open_settings(page)
    choose(page, "Both")
    assert shown(page.locator("#t7 b"), "color") != "rgba(0, 0, 0, 0)"
    choose(page, "A picture")
    page.keyboard.press("Escape")
    assert shown(page.locator("#t7 b"), "color") == "rgba(0, 0, 0, 0)"
    page.locator("#undo").focus()
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#t1")).to_be_focused()
    assert shown(page.locator("#t1 b"), "color") != "rgba(0, 0, 0, 0)"
    expect(page.get_by_role("button", name="7, row 1, column 1")).to_be_visible()


def test_the_finished_board_shows_the_whole_picture(page: Page) -> None:
    page.goto(f"/play/{ONE_MOVE}")
    open_settings(page)
    choose(page, "A picture")
    page.keyboard.press("Escape")
    expect(page.locator("#board .piece")).to_have_count(0)
    click(page, 8)
    expect(page.locator("#board .piece")).to_be_visible()
    assert shown(page.locator("#t1 b"), "content", "::after") == "none", "no dots on it"
    page.locator("#undo").click()
    expect(page.locator("#board .piece")).to_have_count(0)


@pytest.mark.own_page
def test_an_own_image_is_kept_on_the_device(page: Page) -> None:
    page.goto(f"/play/{START}")
    open_settings(page)
    choose(page, "A picture")
    expect(page.get_by_label("Mine")).to_be_hidden()
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request))
    page.locator("#own-picture").set_input_files(png(200, 30, 30))
    expect(page.get_by_label("Mine")).to_be_checked()
    face = page.locator("#t7 b")
    assert shown(face, "backgroundImage").startswith('url("blob:')
    page.keyboard.press("Escape")
    click(page, 5)
    expect_moves(page, 1)
    kept = str(page.evaluate("localStorage.getItem('own-picture')"))
    for request in asked:
        assert request.url.startswith(("blob:", page.url.partition("/play")[0]))
        body = (request.post_data_buffer or b"").decode("latin-1")
        sent = request.url + json.dumps(request.headers) + body
        assert kept[200:240] not in sent
        assert len(sent) < 4000, "an image would be longer"
    page.add_init_script(NOTE_BEFORE_MODULES)
    page.reload()
    assert "blob:" in page.evaluate("before").get("style", ""), "it is there before modules run"
    assert red_of(page, shown(face, "backgroundImage")) > 190
    open_settings(page)
    page.get_by_role("button", name="Remove mine").click()
    assert "hills.svg" in shown(face, "backgroundImage")
    page.reload()
    assert "hills.svg" in shown(face, "backgroundImage")
    assert page.evaluate("localStorage.getItem('own-picture')") is None


def red_of(page: Page, image: str) -> int:
    """Return the red in the middle of an image, given as CSS names it."""
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


def test_a_file_that_is_no_image_is_refused_in_words(page: Page) -> None:
    page.goto(f"/play/{START}")
    open_settings(page)
    choose(page, "A picture")
    page.locator("#own-picture").set_input_files(
        {"name": "mine.png", "mimeType": "image/png", "buffer": b"no image"}
    )
    expect(page.locator("#own-picture-said")).to_contain_text("cannot be read as an image")
    assert "hills.svg" in shown(page.locator("#t7 b"), "backgroundImage")


# Moves as they are written


@pytest.mark.parametrize(
    ("notation", "marks"),
    [
        ("5←", {"U": "↑", "D": "↓", "L": "←", "R": "→"}),
        ("5L", {letter: letter for letter in "UDLR"}),
        ("5 left", {"U": " up", "D": " down", "L": " left", "R": " right"}),
    ],
)
def test_moves_are_written_as_one_likes(page: Page, notation: str, marks: dict[str, str]) -> None:
    page.goto(f"/play/{START}")
    open_settings(page)
    choose(page, notation)
    page.keyboard.press("Escape")
    page.locator("#solve-button").click()
    expect(page.locator("#steps button")).to_have_count(20)
    steps = page.locator("#steps button").all()
    moves = [str(step.get_attribute("data-move")) for step in steps]
    tiles = [str(step.get_attribute("data-tile")) for step in steps]
    assert list(map(reads, steps)) == [n + marks[way] for n, way in zip(tiles, moves, strict=True)]
    expect(steps[0]).to_have_accessible_name(re.compile(f"Step 1: tile {tiles[0]} moves"))
    open_settings(page)
    choose(page, "Write which way the blank goes")
    blank = dict(zip("UDLR", "DURL", strict=True))
    assert list(map(reads, steps)) == [marks[blank[way]] for way in moves]
    said = shown(page.locator("#steps"), "content", "::before")
    assert said == '"The way the blank goes:"'


def reads(step: Locator) -> str:
    """Return what a step of the list shows: its own text, or what styles put in its place."""
    text: str = step.evaluate(
        """(step) => {
          const { content } = getComputedStyle(step, "::before");
          return content === "none" ? step.textContent
            : [...content.matchAll(/"([^"]*)"/g)].map((part) => part[1]).join("");
        }"""
    )
    return text


# Animation and sounds


def test_the_animation_has_its_speed_and_reduced_motion_goes_before(page: Page) -> None:
    page.goto(f"/play/{START}")
    open_settings(page)
    durations = []
    for speed in "Off", "Quick", "Usual", "Slow":
        choose(page, speed)
        durations.append(float(shown(tile(page, 5), "transitionDuration").split("s")[0]))
    assert durations == sorted(set(durations))
    assert durations[0] == 0
    page.emulate_media(reduced_motion="reduce")
    assert shown(tile(page, 5), "transitionDuration") == "0s"


@pytest.mark.own_page
def test_a_replay_goes_on_at_that_speed(page: Page) -> None:
    page.clock.install()
    steps = {}
    for speed in "Quick", "Usual", "Slow":
        page.goto(REPLAY)
        open_settings(page)
        choose(page, speed)
        page.keyboard.press("Escape")
        page.locator("[data-go=play]").click()
        page.clock.run_for(4000)
        page.locator("[data-go=play]").click()
        steps[speed] = int(page.locator("#player output").inner_text().split(" / ")[0])
    assert steps["Quick"] > steps["Usual"] > steps["Slow"] > 5


@pytest.mark.own_page
def test_sounds_are_off_until_they_are_switched_on(page: Page) -> None:
    page.add_init_script(NOTE_SOUNDS)
    page.goto(f"/play/{ONE_MOVE}")

    def expect_sounds(pitches: str) -> None:
        """Expect these since the page was loaded, in hertz."""
        expect(page.locator("html")).to_have_attribute("data-pitches", re.compile(f"^{pitches}$"))

    click(page, 5)
    expect_moves(page, 1)
    expect(page.locator("html")).not_to_have_attribute("data-pitches", re.compile("."))
    open_settings(page)
    choose(page, "Sounds")
    expect_sounds(" 330")  # how it sounds
    page.keyboard.press("Escape")
    click(page, 1)
    expect_sounds(" 330 140 125")  # a tile that cannot move
    click(page, 5)
    expect_moves(page, 2)
    expect_sounds(" 330 140 125 330")  # once, and not again when the server confirms
    click(page, 8)
    expect_sounds(" 330 140 125 330 330 523 659 784")


def test_more_contrast_where_it_is_asked_for(page: Page) -> None:
    page.goto(f"/play/{START}")
    muted = page.locator(".muted").first
    before = luminance(shown(muted, "color"))
    page.emulate_media(contrast="more")
    assert luminance(shown(muted, "color")) < before


def test_forced_colours_keep_what_is_chosen_in_sight(page: Page) -> None:
    page.emulate_media(forced_colors="active")
    page.goto(f"/play/{START}")
    assert shown(page.locator("#t2 b"), "borderTopStyle") == "double"
    assert shown(page.locator("#t7 b"), "borderTopStyle") == "solid"
    open_settings(page)
    chosen = page.locator("#settings label:has(:checked) span")
    other = page.locator("#settings label:has([type=radio]:not(:checked)) span")
    assert shown(chosen.first, "outlineStyle") == "solid"
    assert shown(other.first, "outlineStyle") == "none"
