"""Make docs/play.webp, the README's animation, from the pages themselves.

`python docs/picture.py` serves Slidewise, plays and solves in Chromium, and joins the screenshots.
It needs the packages that `make test` installs.
"""

import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.chromium import find  # noqa: E402  # after its folder is on the path

CODE = "2.3.0-1.4.6-7.5.8"
PLAYED = 3, 2
SIZE = {"width": 1120, "height": 700}
SHOWN = (840, 525)
FRAME_MS, LAST_MS = 700, 3_000


def frames(page: Page, url: str) -> list[Image.Image]:
    """Play some moves, solve from there, and step through the solution. Return the screenshots."""
    seen: list[Image.Image] = []

    def look() -> None:
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_function("document.getAnimations().every(one => one.playState != 'running')")
        image = Image.open(io.BytesIO(page.screenshot()))
        seen.append(image.convert("RGB").resize(SHOWN, Image.Resampling.LANCZOS))

    page.goto(f"{url}/play/{CODE}")
    page.get_by_text(re.compile("shortest solution: 6")).wait_for()
    look()
    for tile in PLAYED:
        page.locator(f"#t{tile}").click()
        look()
    page.get_by_role("button", name="Solve", exact=True).click()
    player = page.locator("#player")
    player.wait_for()
    look()
    for step in range(1, int(player.get_attribute("data-total") or 0) + 1):
        player.locator("[data-go=next]").click()
        page.wait_for_function(
            "step => document.querySelector('#player input[type=range]').value == step", arg=step
        )
        look()
    return seen


def main() -> None:
    """Write the picture."""
    with tempfile.TemporaryDirectory() as state, sync_playwright() as playwright:
        command = [sys.executable, "-m", "webapp", "serve", "--port", "8765"]
        environment = {**os.environ, "SLIDEWISE_STATE": state}
        server = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found, "the server did not start"
            browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
            page = browser.new_page(viewport=SIZE, reduced_motion="reduce")
            seen = frames(page, found[0])
        finally:
            server.terminate()
            server.wait()
    first, *rest = seen
    times = [FRAME_MS] * len(rest) + [LAST_MS]
    place = ROOT / "docs" / "play.webp"
    first.save(place, save_all=True, append_images=rest, duration=times, loop=0, quality=80)
    print(f"{place.name}: {len(seen)} frames, {place.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
