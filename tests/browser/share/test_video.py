"""A solution recorded as a video by the browser."""

import base64
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.each import some

MOVES = 3 * "DRUL" + "UL"
"""Three rounds, which return to the start, and the two moves that solve it."""
REPLAY = f"/replay/1.2.3-4.0.6-7.5.8?moves={MOVES}"
SECONDS = 0.6 + len(MOVES) * 0.7 / 4 + 1.5
"""Length at speed 4: the start, the moves, the end."""

PLAYED = """async (video) => {
  const player = Object.assign(document.createElement("video"), { muted: true, preload: "auto" });
  const until = (begin) => new Promise((resolve, reject) => {
    player.addEventListener("error", () => reject(new Error(player.error.message)), { once: true });
    begin(resolve);
  });
  const frames = [];
  const frameAfter = async (change) => {
    await until((resolve) => {
      player.requestVideoFrameCallback(resolve); // "seeked" comes before the frame can be drawn
      change();
    });
    const { videoWidth: width, videoHeight: height } = player;
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(player, 0, 0);
    const cell = (width - 24) / 3; // the upper left of each tile, beside its number
    frames.push([...Array(9).keys()].map((at) => [...context.getImageData(
      12 + cell * (at % 3) + cell / 5, 12 + cell * Math.floor(at / 3) + cell / 5, 1, 1).data]));
  };
  await frameAfter(() => { player.src = video; });
  await frameAfter(() => { player.currentTime = player.duration; });
  const { duration, videoWidth: width, videoHeight: height } = player;
  player.playbackRate = 8;
  await player.play(); // from the end it starts again
  await until((resolve) => { player.onended = resolve; });
  return { duration, width, height, frames };
}"""
"""Plays a video and returns its length, its size and the cells' colours at both ends."""

HOLD_FRAMES = """() => {
  const wait = window.setTimeout;
  const released = new Promise((resolve) => { window.releaseFrames = resolve; });
  window.setTimeout = (action, time) => released.then(() => wait(action, time));
}"""
"""Holds the recording at its first frame until `releaseFrames()`."""

PAUSE = "() => { for (const began = performance.now(); performance.now() < began + 6000;); }"
"""Blocks all scripts of the page for longer than the video."""

COLOURS = {
    "light": {"blank": (214, 207, 191), "tile": (255, 253, 249), "home": (183, 223, 212)},
    "dark": {"blank": (12, 15, 16), "tile": (48, 56, 61), "home": (28, 88, 79)},
}


def kinds(cells: list[list[int]], theme: str) -> list[str]:
    """Return the kind of each cell, by the nearest colour."""
    return [
        min(
            COLOURS[theme],
            key=lambda kind: sum(
                abs(a - b) for a, b in zip(cell[:3], COLOURS[theme][kind], strict=True)
            ),
        )
        for cell in cells
    ]


@pytest.mark.own_page
@pytest.mark.parametrize("theme", some(["light", "dark"], 1))
def test_video_shows_the_moves_at_the_chosen_speed(page: Page, theme: str, tmp_path: Path) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    page.goto(REPLAY)
    page.get_by_label("Speed", exact=True).select_option("4")
    page.evaluate(HOLD_FRAMES)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as video").press("Enter")
        expect(page.get_by_role("progressbar", name="Recording")).to_be_visible()
        expect(page.get_by_role("button", name="Cancel")).to_be_focused()
        status = f"Recording {SECONDS:.0f} seconds. Keep this page in view."
        expect(page.locator(".recording [role=status]")).to_have_text(status)
        page.evaluate("releaseFrames()")
        if theme == "dark":  # the other theme records without a pause
            page.evaluate(PAUSE)
    name = "slidewise-3x3-14-moves.webm"
    assert download.value.suggested_filename == name
    expect(page.locator(".recording [role=status]")).to_have_text(f"Saved as {name}.")
    expect(page.get_by_role("button", name="Save as video")).to_be_focused()
    expect(page.get_by_role("progressbar")).to_be_hidden()
    download.value.save_as(tmp_path / name)
    data = (tmp_path / name).read_bytes()
    assert data[:4] == bytes.fromhex("1a45dfa3"), "the magic number of EBML"
    assert b"\x42\x82\x84webm" in data[:60], "its document type"
    other = page.context.new_page()  # its policy allows playback
    other.goto("about:blank")
    played = other.evaluate(PLAYED, f"data:video/webm;base64,{base64.b64encode(data).decode()}")
    assert (played["width"], played["height"]) == (480, 480)
    assert played["duration"] >= 0.9 * SECONDS  # longer on a busy machine
    first, last = (kinds(frame, theme) for frame in played["frames"])
    assert first == ["home"] * 4 + ["blank", "home", "home", "tile", "tile"]
    assert last == ["home"] * 8 + ["blank"]


def test_video_is_cancelled_or_refused_with_a_message(page: Page) -> None:
    page.goto(REPLAY)
    save = page.get_by_role("button", name="Save as video")
    save.click()
    page.get_by_role("button", name="Cancel").click()
    status = page.locator(".recording [role=status]")
    expect(status).to_have_text("Cancelled: no video was saved.")
    expect(save).to_be_focused()
    page.goto("/replay/7.2.4-5.0.6-8.3.1?algorithm=dfs")
    save.click()
    refused = re.compile(r"^A video has up to 1,500 moves\. This solution has \d+,")
    expect(status).to_have_text(refused)
    expect(page.get_by_role("button", name="Cancel")).to_be_hidden()


MP4_ALONE = """window.MediaRecorder = class extends EventTarget {
  static isTypeSupported(type) { return type === "video/mp4"; }
  constructor(stream, options) {
    super();
    this.type = options.mimeType;
  }
  start() { setTimeout(() => this.dispatchEvent(new Event("start"))); }
  stop() {
    const data = new Blob([this.type]);
    setTimeout(() => {
      this.dispatchEvent(Object.assign(new Event("dataavailable"), { data }));
      this.dispatchEvent(new Event("stop"));
    });
  }
};"""
"""A recorder like that of older Safari; its video is the name of the type."""


def test_video_is_mp4_if_the_browser_records_no_webm(page: Page, tmp_path: Path) -> None:
    page.add_init_script(MP4_ALONE)
    page.goto(REPLAY)
    page.get_by_label("Speed", exact=True).select_option("4")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as video").click()
    name = "slidewise-3x3-14-moves.mp4"
    assert download.value.suggested_filename == name
    expect(page.locator(".recording [role=status]")).to_have_text(f"Saved as {name}.")
    download.value.save_as(tmp_path / name)
    assert (tmp_path / name).read_text() == "video/mp4"


def test_video_is_offered_where_the_browser_can_record(page: Page) -> None:
    page.goto(REPLAY)
    page.locator("#share-button").click()
    expect(page.locator("#share [data-video]")).to_be_visible()
    page.add_init_script("delete window.MediaRecorder")
    page.reload()
    expect(page.locator("#player output")).to_have_text("0 / 14")
    expect(page.locator("[data-video]")).to_have_count(1)
    expect(page.locator("[data-video]")).to_be_hidden()
