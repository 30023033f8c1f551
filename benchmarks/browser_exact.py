"""CPU time of exact answers in the browser, in Chromium's worker.

`python -m benchmarks.browser_exact 4x4 200` solves 200 random boards of each size. It prints the
CPU time of the worker's thread: to compute the tables, to load them in a later page, and for each
board. The load of the machine hardly changes it.
"""

import contextlib
import functools
import statistics
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from slidewise import scramble, standard_goal
from tests.browser import chromium

STATIC = Path(__file__).parents[1] / "static"

OPEN = """async ([goal, near]) => {
  const { parse } = await import("/js/board.js");
  const { open } = await import("/js/exact/exact.js");
  window.engine = open({ goal: parse(goal) });
  window.parse = parse;
  const { moves } = await engine.ask(parse(near));
  return moves;
}"""

STORED = """async () => {
  while ((await (await caches.open("tables")).keys()).length === 0)
    await new Promise((resolve) => { setTimeout(resolve, 100); });
}"""


class Quiet(SimpleHTTPRequestHandler):
    """A handler of files that logs nothing."""

    def log_message(self, *_: object) -> None:
        """Log nothing."""


def worker_threads() -> list[Path]:
    """Return the worker threads of processes that this one started."""
    found = []
    for thread in Path("/proc").glob("[0-9]*/task/*"):
        with contextlib.suppress(OSError):  # it has ended
            name = (thread / "comm").read_text()
            if name.startswith("DedicatedWorker") and _is_ours(thread.parents[1]):
                found.append(thread)
    return found


def milliseconds(threads: list[Path]) -> float:
    """Return their CPU time."""
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e6


def _is_ours(process: Path) -> bool:
    while process.name not in ("0", "1"):
        if process.name == str(Path("/proc/self").resolve().name):
            return True
        parent = (process / "stat").read_text().rpartition(")")[2].split()[1]
        process = process.with_name(parent)
    return False


def measure(page: Page, size: str, count: int) -> None:
    """Print the figures of a size."""
    rows, cols = map(int, size.split("x"))
    goal = standard_goal(rows, cols)
    boards = [str(goal), str(goal.move("D"))]
    spent = []
    for _ in range(2):
        page.reload()
        page.evaluate(OPEN, boards)
        threads = worker_threads()
        spent.append(milliseconds(threads))
        if rows * cols > 10:
            page.evaluate(STORED)
    print(f"{size}: tables {spent[0]:.0f} ms, in a later page {spent[1]:.0f} ms", flush=True)
    times = []
    for number in range(count):
        board = str(scramble(rows, cols, f"{number}").start)
        before = milliseconds(threads)
        page.evaluate("board => engine.ask(parse(board)).then(({ moves }) => moves)", board)
        times.append(milliseconds(threads) - before)
    times.sort()
    median, last = statistics.median(times), times[-1]
    print(f"  a board: median {median:.1f} ms, p95 {times[95 * count // 100]:.1f}, max {last:.0f}")


def main() -> None:
    """Measure the sizes of the command line."""
    *sizes, count = sys.argv[1:]
    handler = functools.partial(Quiet, directory=str(STATIC))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        path = chromium.find(playwright.chromium.executable_path)
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(0)
        page.goto(f"http://127.0.0.1:{server.server_port}/js/")
        for size in sizes:
            page.evaluate("() => caches.delete('tables')")
            measure(page, size, int(count))
        browser.close()
        server.shutdown()


if __name__ == "__main__":
    main()
