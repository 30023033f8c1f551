"""Settings take effect at once, are stored, and apply before a page is drawn."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import (
    NOTE_BEFORE_MODULES,
    START,
    box_of,
    choose,
    click,
    click_quickly,
    expect_moves,
    open_settings,
    pause_clock,
    press,
    style,
    tile,
)
from tests.each import some

ONE_MOVE = "1.2.3-4.5.6-7.0.8"
REPLAY = f"/replay/{START}?moves=ULDR2DL2URURDLDRUL2U&step=5"

SETTINGS = {
    "theme": ("Dark", "dark"),
    "tiles": ("L-shapes", "fringe"),
    "face": ("A picture", "picture"),
    "speed": ("Slow", "slow"),
    "notation": ("5 left", "words"),
    "written": ("Show the blank’s direction", "blank"),
    "arrows": ("Arrow keys move the blank", "blank"),
    "single-keys": ("Single-key shortcuts", "off"),
    "tile-stops": ("The Tab key stops at every tile", "each"),
    "moves-to-go": ("Show how many moves are left", "hidden"),
    "sounds": ("Sounds", "on"),
    "speed-mode": ("Speed mode", "on"),
    "hover": ("Hover control", "on"),
    "inspection": ("Inspection", "on"),
}
"""Each setting: the choice in the dialog, and its stored value. None of them is a default."""

NOTE_SOUNDS = """
const make = window.OscillatorNode;
window.OscillatorNode = class extends make {
  constructor(context, options) {
    super(context, options);
    const { dataset } = document.documentElement;
    dataset.pitches = `${dataset.pitches ?? ""} ${options.frequency}`;
  }
};"""


def test_settings_hold_at_once_and_before_a_page_is_drawn(page: Page) -> None:
    chosen = {f"data-{name}": word for name, (_, word) in SETTINGS.items()}
    root = page.locator("html")
    page.add_init_script(NOTE_BEFORE_MODULES)
    page.goto(f"/play/{START}")
    assert not chosen.keys() & page.evaluate("before").keys()
    open_settings(page)
    for name, (label, word) in SETTINGS.items():
        page.locator("#settings").get_by_label(label).click()
        expect(root).to_have_attribute(f"data-{name}", word)
    page.keyboard.press("Escape")
    expect(page.locator("#game")).to_have_class("covered")
    tile(page, 5).click()  # starts the inspection
    click_quickly(page, 5)
    expect_moves(page, 1)
    for name, word in chosen.items():
        expect(root).to_have_attribute(name, word)
    for path in f"/play/{START}", "/custom", "/play/nonsense":
        page.goto(path)
        assert chosen.items() <= page.evaluate("before").items()
    open_settings(page)
    for name in "theme", "tiles", "face", "speed", "notation":
        expect(page.get_by_label(SETTINGS[name][0])).to_be_checked()
    page.get_by_role("button", name="Reset to defaults").click()
    for name in chosen:
        assert root.get_attribute(name) is None
    page.reload()
    assert not chosen.keys() & page.evaluate("before").keys()


PAD = "() => document.querySelectorAll('dialog').forEach(({ style }) => { style.padding = '9px'; })"
"""Gives each dialog a place of its own for a press inside it."""


def test_click_beside_a_dialog_closes_it(page: Page) -> None:
    page.goto(f"/play/{START}")
    page.evaluate(PAD)
    for name, button in {
        "settings": "#open-settings",
        "new": "[data-new]:visible",
        "share": "#share-button",
    }.items():
        dialog = page.locator(f"#{name}")
        page.locator(button).first.click()
        expect(dialog).to_be_visible()
        box = box_of(dialog)
        inside = box["x"] + box["width"] / 2, box["y"] + 3  # its own padding
        page.mouse.click(*inside)
        page.mouse.move(*inside)
        page.mouse.down()
        page.mouse.move(20, 400)
        page.mouse.up()
        expect(dialog).to_have_attribute("open", "")
        page.mouse.click(20, 400)
        expect(dialog).not_to_have_attribute("open", "")


def test_settings_stored_before_the_dialog_existed_hold(page: Page) -> None:
    stored = {"theme": "system", "arrows": "tile", "single-keys": "on", "moves-to-go": "shown"}
    page.goto("/custom")
    page.evaluate("kept => Object.assign(localStorage, kept)", stored)
    page.goto(f"/play/{START}")
    open_settings(page)
    expect(page.get_by_label("System")).to_be_checked()
    expect(page.locator("#arrows")).not_to_be_checked()
    expect(page.locator("#single-keys")).to_be_checked()
    expect(page.locator("#to-go")).to_be_visible()


def test_the_dialog_by_keyboard_alone(game: Page) -> None:
    button = game.get_by_role("button", name="Settings")
    button.focus()
    game.keyboard.press("Enter")
    dialog = game.get_by_role("dialog", name="Settings")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("button", name="Close")).to_be_focused()
    press(game, "Tab", "ArrowRight")
    expect(game.get_by_label("Light")).to_be_focused()
    expect(game.locator("html")).to_have_attribute("data-theme", "light")
    press(game, "a", "h", "u", "5")  # keys of the game do nothing here
    expect(game.locator("#typed")).to_be_empty()
    expect_moves(game, 0)
    game.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(game.locator("#board .tile[tabindex='0']")).to_be_focused()
    game.set_viewport_size({"width": 320, "height": 300})
    new = game.locator("#new-game")
    new.focus()  # the tile is out of view
    new.press("Enter")
    expect(game.locator("dialog#new")).to_be_visible()  # it loads first
    game.keyboard.press("Escape")
    expect(new).to_be_focused()


def test_dialog_is_below_the_board_on_a_phone_and_closes(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/play/{START}")
    open_settings(page)
    board, dialog = box_of(page.locator("#board")), box_of(page.locator("#settings"))
    assert 0 <= board["y"] + 1 < board["y"] + board["height"] <= dialog["y"]
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#title")).to_be_in_viewport()
    open_settings(page)
    box = box_of(tile(page, 5))
    page.mouse.click(box["x"] + 20, box["y"] + 20)
    expect(page.locator("#settings")).to_be_hidden()
    expect(page.locator("#play")).to_have_attribute("data-board", START)


SHOWN_STEPS = r"""(steps) => steps.map((step) => {
  const { content } = getComputedStyle(step, "::before");
  const text = content === "none" ? step.textContent
    : [...content.matchAll(/"([^"]*)"/g)].map((part) => part[1]).join("");
  return [step.dataset.tile, step.dataset.move, text];
})"""
"""Returns the tile and move of each step, and its text, or the replacement by styles."""


@pytest.mark.parametrize(
    ("notation", "marks"),
    some(
        [
            ("5←", {"U": "↑", "D": "↓", "L": "←", "R": "→"}),
            ("5L", {letter: letter for letter in "UDLR"}),
            ("5 left", {"U": " up", "D": " down", "L": " left", "R": " right"}),
        ],
        0,
    ),
)
def test_moves_are_written_in_the_chosen_notation(
    game: Page, notation: str, marks: dict[str, str]
) -> None:
    open_settings(game)
    choose(game, notation)
    game.keyboard.press("Escape")
    game.locator("#solve-button").click()
    expect(game.locator("#steps button")).to_have_count(20)
    steps = game.locator("#steps button")
    shown = steps.evaluate_all(SHOWN_STEPS)
    assert [text for *_, text in shown] == [tile + marks[way] for tile, way, _ in shown]
    expect(steps.first).to_have_accessible_name(re.compile(f"Step 1: tile {shown[0][0]} moves"))
    open_settings(game)
    choose(game, "Show the blank’s direction")
    blank = dict(zip("UDLR", "DURL", strict=True))
    shown = steps.evaluate_all(SHOWN_STEPS)
    assert [text for *_, text in shown] == [marks[blank[way]] for _, way, _ in shown]
    label = style(game.locator("#steps"), "content", "::before")
    assert label == '"Directions of the blank:"'


@pytest.mark.motion
def test_reduced_motion_overrides_the_animation_speed(game: Page) -> None:
    open_settings(game)
    durations = []
    for speed in "Off", "Quick", "Normal", "Slow":
        choose(game, speed)
        durations.append(float(style(tile(game, 5), "transitionDuration").split("s")[0]))
    assert durations == sorted(set(durations))
    assert durations[0] == 0
    game.emulate_media(reduced_motion="reduce")
    assert style(tile(game, 5), "transitionDuration") == "0s"


@pytest.mark.own_page
def test_replay_continues_at_the_chosen_speed(page: Page) -> None:
    page.clock.install()
    steps = {}
    for speed in "Quick", "Normal", "Slow":
        page.goto(REPLAY)
        open_settings(page)
        choose(page, speed)
        page.keyboard.press("Escape")
        pause_clock(page)
        page.locator("[data-go=play]").click()
        page.clock.run_for(4000)
        page.locator("[data-go=play]").click()
        steps[speed] = int(page.locator("#player output").inner_text().split(" / ")[0])
        page.clock.resume()
    assert steps["Quick"] > steps["Normal"] > steps["Slow"] > 5


def test_sounds_are_off_by_default(page: Page) -> None:
    page.add_init_script(NOTE_SOUNDS)
    page.goto(f"/play/{ONE_MOVE}")

    def expect_sounds(pitches: str) -> None:
        """Expect these pitches since the page load, in hertz."""
        expect(page.locator("html")).to_have_attribute("data-pitches", re.compile(f"^{pitches}$"))

    click(page, 5, moves=1)
    expect(page.locator("html")).not_to_have_attribute("data-pitches", re.compile("."))
    open_settings(page)
    choose(page, "Sounds")
    expect_sounds(" 330")  # a sample sound
    page.keyboard.press("Escape")
    click(page, 1)
    expect_sounds(" 330 140 125")  # an immovable tile
    click(page, 5, moves=2)
    expect_sounds(" 330 140 125 330")  # once, and not again on confirmation
    click(page, 8)
    expect_sounds(" 330 140 125 330 330 523 659 784")
