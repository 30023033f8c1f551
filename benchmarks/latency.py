"""Delays that a player on a slow network sees, and the number of requests.

`python -m benchmarks.latency` serves the app and plays a game in Chromium at each latency of
DevTools' emulated network. The board is one of the two farthest of 3x3, 31 moves. It prints the
milliseconds from the last move to the finish, the moves that the counter missed in the next frame,
and the requests of the game after its page. `--pace` sets the milliseconds between moves.

`--cold` measures a first visit on slow phones: the seconds from the navigation to the first paint,
and to the effect of a click at the first moment at which the tile is there (the tile moved, the
counter at 1), with the requests and the compressed kilobytes until then and of the whole page,
without the font.
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
PHONES = ((400, 50), (800, 20))
"""Latency in milliseconds and speed in kilobytes a second of slow phones."""

PACE = 140
"""Milliseconds between moves of a quick player: 31 moves in 4.3 s."""

TIMEOUT_MS = 120_000

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


CLICK_EARLY = """
  const tile = TILE, click = () => {
    const element = document.getElementById(`t${tile}`);
    if (!element) return requestAnimationFrame(click);
    element.click();
    requestAnimationFrame(function wait() {
      const count = document.getElementById("move-count")?.textContent;
      if (count !== "1") return requestAnimationFrame(wait);
      window.tookEffect = performance.now();
    });
  };
  requestAnimationFrame(click);
"""
"""Clicks a tile as soon as it is there, and notes the time of its effect."""


def visit(browser: Browser, url: str, latency: int, speed: int) -> dict[str, float]:
    """Return the milliseconds of a first visit, its requests and its bytes without the font."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    bytes_a_second = speed * 1000
    conditions = {"offline": False, "latency": latency, "uploadThroughput": bytes_a_second}
    network.send(
        "Network.emulateNetworkConditions", {**conditions, "downloadThroughput": bytes_a_second}
    )
    fonts: set[str] = set()
    received: list[int] = []

    def on_response(event: dict[str, Any]) -> None:
        if event["type"] == "Font":
            fonts.add(event["requestId"])

    def on_finished(event: dict[str, Any]) -> None:
        if event["requestId"] not in fonts:
            received.append(int(event["encodedDataLength"]))

    network.on("Network.responseReceived", on_response)
    network.on("Network.loadingFinished", on_finished)
    tile = solve(parse_puzzle(BOARD)).tiles[0]
    page.add_init_script(CLICK_EARLY.replace("TILE", str(tile)))
    page.goto(f"{url}/play/{BOARD}", wait_until="commit", timeout=TIMEOUT_MS)
    page.wait_for_function("() => window.tookEffect", timeout=TIMEOUT_MS)
    until = len(received), sum(received)
    page.wait_for_load_state("networkidle", timeout=TIMEOUT_MS)
    times = page.evaluate(
        "() => [performance.getEntriesByName('first-contentful-paint')[0].startTime, tookEffect]"
    )
    context.close()
    return {
        "paint": times[0],
        "effect": times[1],
        "requests": until[0],
        "bytes": until[1],
        "all_requests": len(received),
        "all_bytes": sum(received),
    }


def print_visits(browser: Browser, url: str) -> None:
    """Measure first visits and print them."""
    print("latency   speed     first paint   click took effect   until then          whole page")
    for latency, speed in PHONES:
        found = visit(browser, url, latency, speed)
        print(
            f"{latency:4} ms {speed:3} kB/s {found['paint'] / 1000:11.1f} s"
            f"{found['effect'] / 1000:18.1f} s"
            f"{found['requests']:6} requests{found['bytes'] / 1000:6.1f} kB"
            f"{found['all_requests']:6} requests{found['all_bytes'] / 1000:6.1f} kB",
            flush=True,
        )


def main(words: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pace", type=int, default=PACE)
    parser.add_argument("--latencies", type=int, nargs="+", default=LATENCIES)
    parser.add_argument("--cold", action="store_true")
    args = parser.parse_args(words)
    command = f"{sys.executable} -m webapp serve --port {{port}}"
    with serving(command) as port, sync_playwright() as playwright:
        options: dict[str, Any] = {"args": ["--no-sandbox"]}
        path = chromium.find(playwright.chromium.executable_path)
        browser = playwright.chromium.launch(executable_path=path, **options)
        if args.cold:
            print_visits(browser, f"http://{HOST}:{port}")
            return
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
