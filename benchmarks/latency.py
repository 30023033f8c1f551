"""Delays that a player on a slow network sees, and the number of requests.

`python -m benchmarks.latency` serves the app and plays a game in Chromium at each latency of
DevTools' emulated network. The board is one of the two farthest of 3x3, 31 moves. It prints the
milliseconds from the last move to the finish, the moves that the counter missed in the next frame,
and the requests of the game after its page. `--pace` sets the milliseconds between moves.
"""

import argparse
import sys
from typing import Any

from playwright.sync_api import Browser, Request, sync_playwright

from benchmarks.hostile import HOST, serving
from slidewise import parse_puzzle, solve
from tests.browser import chromium

BOARD = "8.6.7-2.5.4-3.0.1"
LATENCIES = (0, 50, 200, 400, 800)
PACE = 140
"""Milliseconds between moves of a quick player: 31 moves in 4.3 s."""

PLAY = """async ({ tiles, pace }) => {
  const frame = () => new Promise(requestAnimationFrame);
  const shown = () => Number(document.getElementById("move-count").textContent);
  let late = 0, clicked = 0;
  for (const [index, tile] of tiles.entries()) {
    clicked = performance.now();
    document.getElementById(`t${tile}`).click();
    await frame();
    if (shown() !== index + 1) late += 1;
    if (index < tiles.length - 1)
      await new Promise((resolve) => setTimeout(resolve, pace - (performance.now() - clicked)));
  }
  while (!document.getElementById("won")) await frame();
  return { finish: performance.now() - clicked, late };
}"""
"""Script that plays. It returns the milliseconds until the finish and the moves missed."""


def play(browser: Browser, url: str, latency: int, pace: int) -> tuple[dict[str, float], int, int]:
    """Play a game. Return the page's measurements and the numbers of POST and other requests."""
    page = browser.new_page(service_workers="block")
    requests: list[Request] = []
    page.goto(f"{url}/play/{BOARD}", wait_until="networkidle")
    page.on("request", lambda request: requests.append(request))
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    conditions = {"offline": False, "latency": latency, "downloadThroughput": -1}
    network.send("Network.emulateNetworkConditions", {**conditions, "uploadThroughput": -1})
    tiles = solve(parse_puzzle(BOARD)).tiles
    measured: dict[str, float] = page.evaluate(PLAY, {"tiles": tiles, "pace": pace})
    page.wait_for_load_state("networkidle")
    page.wait_for_function("() => sessionStorage.length === 0")  # the server has the game
    page.close()
    dynamic = [one for one in requests if "/static/" not in one.url]
    posts = [one for one in dynamic if one.method == "POST"]
    return measured, len(posts), len(dynamic) - len(posts)


def main(words: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pace", type=int, default=PACE)
    parser.add_argument("--latencies", type=int, nargs="+", default=LATENCIES)
    args = parser.parse_args(words)
    command = f"{sys.executable} -m webapp serve --port {{port}}"
    with serving(command) as port, sync_playwright() as playwright:
        options: dict[str, Any] = {"args": ["--no-sandbox"]}
        path = chromium.find(playwright.chromium.executable_path)
        browser = playwright.chromium.launch(executable_path=path, **options)
        print("latency   finish after   counter late   posts   other requests")
        for latency in args.latencies:
            measured, posts, others = play(browser, f"http://{HOST}:{port}", latency, args.pace)
            print(
                f"{latency:4} ms {measured['finish']:11.0f} ms {measured['late']:9.0f} moves"
                f"{posts:8}{others:17}",
                flush=True,
            )
        browser.close()


if __name__ == "__main__":
    main()
