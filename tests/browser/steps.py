"""Actions and expectations shared by the browser tests."""

import contextlib
import re
import time
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit
from zlib import crc32

import pytest
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import (
    CDPSession,
    Error,
    FloatRect,
    Locator,
    Page,
    Route,
    ViewportSize,
    expect,
)

from slidewise import Puzzle, parse_board, solve
from slidewise.puzzle.moves import play
from tests.conftest import SOAK

START = "7.2.4-5.0.6-8.3.1"
"""The usual puzzle of the tests: 20 moves from the standard goal."""

WIDTHS = {1280: 900, 390: 844, 320: 640}
SHOWN_WIDTHS = WIDTHS if SOAK else [1280]
"""Widths that each page is shown at, besides 400 % zoom, which is as narrow as the last one."""

ZOOMED: ViewportSize = {"width": 320, "height": 200}
"""A window of 1280 by 800 at 400 % zoom (WCAG 1.4.10)."""

LOOKS = (("light", 1280), ("dark", 390))

MODULES = """const load = (name) => import(
  document.querySelector("script[src*='play/view.js']").src.replace("play/view.js", name));"""
"""Defines a function that returns a module as the page has it, such as `new/new.js`."""

TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""A promise of the second frame from now, when all is drawn that the page has."""

BLOCK_STORAGE = """
for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });
"""

CLOCK = "() => parseFloat(document.getElementById('clock').textContent.split(':')[1])"
"""Seconds that the clock shows, below one minute."""

LAYOUT_ERRORS = """() => {
  const html = (element) => element.outerHTML.slice(0, 100);
  const all = (selector) => [...document.querySelectorAll(selector)]
    .filter((element) => element.checkVisibility()); // a closed menu has no place
  const least = (element) => element.matches(".tile, .moves button") ? 24 : 44;
  const height = (element) => element.getBoundingClientRect().height;
  const misfits = {
    "stands out to the right": all("body *")
      .filter((element) => !element.closest(".visually-hidden, .skip")) // out of sight
      .filter((element) => !element.closest(".moves, .queue, .whole, .lab-tabs, .figure-window"))
      .filter((element) => !element.ownerSVGElement) // a drawing ends at its own edge
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5),
    "does not hold its text": all("a.btn, button, summary, h1:not(.visually-hidden), nav a")
      .filter((element) => !element.closest(".tile"))
      .filter((element) => element.scrollWidth > element.clientWidth + 1),
    "too small for a finger": all(
        "button, a.btn, summary, select, input:not([type=hidden]), textarea, nav a, .tabs a")
      .filter((element) => !element.closest(".skip, .check"))
      .filter((element) => height(element) < least(element) - 0.01),
  };
  if (document.documentElement.scrollWidth > innerWidth)
    misfits["scrolls sideways"] = [document.documentElement];
  return Object.entries(misfits).flatMap(
    ([what, elements]) => elements.map((element) => `${html(element)} ${what}`));
}"""

COVERED_TEXT = """() => {
  const root = document.querySelector("dialog[open]") ?? document.body;
  const floats = (element) => /fixed|sticky|absolute/.test(getComputedStyle(element).position);
  const seen = (element) => !/inset|0px/.test(getComputedStyle(element).clipPath);
  const chain = (element) => element === root ? [root] : [element, ...chain(element.parentElement)];
  const over = (element, what) => {
    while (what && !what.contains(element)) {
      const { opacity } = getComputedStyle(what);
      if (floats(what) && !what.matches("#hold-goal") && opacity > 0) return what;
      what = what.parentElement;
    }
  };
  const covered = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const element = text.parentElement;
    if (!text.data.trim() || element.closest("svg, option, .visually-hidden")) continue;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (getComputedStyle(element).color === "rgba(0, 0, 0, 0)") continue;
    if (!chain(element).every(seen)) continue;
    element.scrollIntoView({ block: "center" });
    const range = document.createRange();
    range.selectNodeContents(text);
    const { left, top, width, height } = range.getBoundingClientRect();
    const what = over(element, document.elementFromPoint(left + width / 2, top + height / 2));
    if (what) covered.push(`"${text.data.trim()}" is behind ${what.outerHTML.slice(0, 80)}`);
  }
  scrollTo(0, 0);
  return covered;
}"""
"""Returns the texts behind a floating element, such as a button."""

RUN_AXE = """(isWhole) => {
  const kinds = new Map(), kindOf = new Map();
  const state = ["class", "disabled", "aria-disabled", "aria-current", "aria-pressed"];
  for (const element of document.body.querySelectorAll("*")) {
    const { color, backgroundColor, opacity } = getComputedStyle(element);
    const look = [kindOf.get(element.parentElement), element.tagName, color, backgroundColor,
      opacity, ...state.map((name) => element.getAttribute(name))].join();
    element.toggleAttribute("data-twin", kinds.has(look));
    if (!kinds.has(look)) kinds.set(look, kinds.size);
    kindOf.set(element, kinds.get(look));
  }
  axe.configure({ rules: [
    { id: "color-contrast", selector: ":not([data-twin])" },
    { id: "target-size", enabled: isWhole },
  ] });
  return axe.run({ resultTypes: ["violations"], preload: false });
}"""
"""Contrast takes three quarters of the time. Of elements that look the same, within elements that
look the same, only the first is measured. Nothing is preloaded: only rules about sound and about
locked orientation need it. Sizes of targets are measured in `make soak` alone: `LAYOUT_ERRORS` is
stricter with controls."""

DRAWN = """
const drawn = () => {
  const board = document.getElementById("board");
  const number = (element, name) => Number(element.className.match(name)[1]);
  const rows = Array.from({ length: number(board, /rows-(\\d+)/) },
    () => Array(number(board, /cols-(\\d+)/)).fill(0));
  for (const tile of board.querySelectorAll(".tile"))
    rows[number(tile, /\\br(\\d)\\b/)][number(tile, /\\bc(\\d)\\b/)] = tile.value;
  return rows.map((row) => row.join(".")).join("-");
};"""
"""Defines a function that returns the board as drawn."""

NOTE_BOARDS = f"""() => {{ {DRAWN}
  window.boardsSeen = [];
  const look = () => {{
    if (window.boardsSeen.at(-1) !== drawn()) window.boardsSeen.push(drawn());
  }};
  look();
  new MutationObserver(look).observe(
    document.getElementById("game"), {{ subtree: true, childList: true, attributes: true }});
}}"""

NOTE_BEFORE_MODULES = """
document.addEventListener("readystatechange", () => {
  if (document.readyState !== "interactive") return;  // modules run after this
  window.before = Object.fromEntries(
    [...document.documentElement.attributes].map(({ name, value }) => [name, value]));
});"""
"""Stores the attributes that <html> had before the modules ran as `window.before`."""


class ConsoleErrors(list[str]):
    """Errors and warnings in the consoles of pages."""

    def __init__(self) -> None:
        super().__init__()
        self._expected: tuple[str, ...] = ()

    def append(self, error: str) -> None:
        if not any(part in error for part in self._expected):
            super().append(error)

    def ignore(self, *parts: str) -> None:
        """Ignore errors with one of these texts, which the test provokes.

        Later ones are ignored as well, because a console may be late.
        """
        self._expected += parts
        self[:] = [error for error in self if not any(part in error for part in parts)]


def tile(page: Page, number: int) -> Locator:
    """Return a tile of the game's board."""
    return page.locator(f"#t{number}")


def click(page: Page, *numbers: int, moves: int | None = None) -> None:
    """Click tiles of the game's board; expect the server to have `moves` moves if given."""
    for number in numbers:
        tile(page, number).click()
    if moves is not None:
        expect_moves(page, moves)
        expect_sent(page)


def go(page: Page, name: str) -> None:
    """Click a button of the solution player."""
    page.locator(f"[data-go={name}]").click()


def open_settings(page: Page) -> None:
    """Open the settings dialog; Escape closes it."""
    page.get_by_role("button", name="Settings").click()
    expect(page.locator("#settings")).to_be_visible()


def choose(page: Page, label: str) -> None:
    """Check the option with this label in the open dialog."""
    dialog = page.locator("#settings")
    name = re.compile(f"^{re.escape(label)}")
    dialog.get_by_role("radio", name=name).or_(dialog.get_by_role("checkbox", name=name)).check()


def style(element: Locator, name: str, part: str = "") -> str:
    """Return the computed style of an element, or of its `::before` or `::after`."""
    return str(element.evaluate(f"e => getComputedStyle(e, '{part}').{name}"))


def follow(page: Page, link: Locator) -> None:
    """Click a link to another page, and wait until its scripts have run.

    Earlier its buttons work as without JavaScript.
    """
    with page.expect_event("load"):
        link.click()


def choose_algorithm(page: Page, key: str) -> None:
    """Choose an algorithm for the Solve button, in the folded options."""
    if not page.locator("#algorithm").is_visible():
        page.locator("#algorithms > summary").click()
    page.locator("#algorithm").select_option(key)


def pause_clock(page: Page) -> None:
    """Stop an installed clock a second later, so that only the test advances it."""
    try:
        page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))
    except Error:  # that second has passed, and the clock has stopped
        page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))


def prepare_numbers(page: Page) -> None:
    """Have the page compute the tables for the moves left, and wait for them."""
    page.evaluate(f"async () => {{ {MODULES} await (await load('play/figures.js')).prepare(); }}")


def click_quickly(page: Page, *numbers: int) -> None:
    """Click tiles in quick succession, even while they slide."""
    for number in numbers:
        tile(page, number).evaluate("tile => tile.click()")


def click_in_one_task(page: Page, *actions: int | str) -> None:
    """Click tiles and buttons, by number and name, so that one request carries them."""
    names = [f"t{action}" if isinstance(action, int) else action for action in actions]
    page.evaluate("names => names.forEach((id) => document.getElementById(id).click())", names)


def click_solution(page: Page) -> int:
    """Solve the page's puzzle in one task, and return the number of moves.

    Real clicks on its tiles would take ten times as long.
    """
    play = page.locator("#play")
    boards = (parse_board(play.get_attribute(f"data-{name}") or "") for name in ("board", "goal"))
    tiles = solve(Puzzle(*boards)).tiles
    click_in_one_task(page, *tiles)
    return len(tiles)


def press(page: Page, *keys: str) -> None:
    """Press keys in quick succession."""
    for key in keys:
        page.keyboard.press(key)


def expect_board(page: Page, board: str) -> None:
    """Expect `board` as the game's board, in data and as drawn.

    A cached page has the data before its script draws them.
    """
    expect(page.locator("#play")).to_have_attribute("data-board", board)
    page.wait_for_function(f"(board) => {{ {DRAWN} return drawn() === board; }}", arg=board)


def expect_moves(page: Page, count: int) -> None:
    expect(page.locator("#move-count")).to_have_text(f"{count:,}")


IS_SENT = """() => !window.name.includes('"action"')
  && Object.entries(localStorage).every(([name, text]) =>
    !name.endsWith(` ${sessionStorage.page}`) || !text.includes('"action"'))
  && (!document.getElementById("game") || "resumed" in document.documentElement.dataset)"""


def expect_sent(page: Page) -> None:
    """Wait until the server has confirmed all moves."""
    page.wait_for_function(IS_SENT)


def expect_game(page: Page, moves: int, board: str) -> None:
    expect_moves(page, moves)
    expect_board(page, board)


def reload_from_server(page: Page) -> None:
    """Reload until the page is the server's: the service worker shows its own if that is slow."""
    for _ in range(10):
        page.reload()
        if page.locator("html").get_attribute("data-cached") is None:
            return
    raise AssertionError(f"{page.url} is always the stored one")


def note_boards(page: Page) -> None:
    """Start recording each board that is drawn."""
    page.evaluate(NOTE_BOARDS)


def boards_noted(page: Page) -> list[str]:
    """Return the boards drawn since `note_boards`, without repetitions."""
    boards: list[str] = page.evaluate("window.boardsSeen")
    return boards


def boards_after(board: str, tiles: Iterable[int]) -> list[str]:
    """Return `board`, and the board after each click on these tiles."""
    boards = [parse_board(board)]
    for number in tiles:
        boards.append(play(boards[-1], boards[-1].line(number)))
    return [str(board) for board in boards]


def slow_down(page: Page, milliseconds: int = 300, bytes_a_second: int = -1) -> CDPSession:
    """Delay each response, and limit its transfer rate.

    It lasts until the returned session is detached, at the end of the test at the latest.
    """
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": milliseconds,
            "downloadThroughput": bytes_a_second,
            "uploadThroughput": -1,
        },
    )
    return session


def wait_for(page: Page, condition: Callable[[], object]) -> None:
    """Wait until a condition is true; handlers of the page run meanwhile."""
    deadline = time.monotonic() + 60
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail("not after 60 s")
        page.wait_for_timeout(20)


def wait_for_module(page: Page, name: str) -> None:
    """Wait until a module that the page loads on demand serves it, such as `new/new`.

    Earlier its links are plain, and other elements do nothing.
    """
    page.evaluate(f"async (name) => {{ {MODULES} await load(`${{name}}.js`); }}", name)


def open_without(page: Page, path: str, module: str) -> Callable[[], None]:
    """Open a page without a module; return a function that lets the module load."""
    held: list[Route] = []
    page.route(f"**/js/{module}.js", lambda route: held.append(route))
    with page.expect_request(f"**/js/{module}.js"):
        page.goto(path, wait_until="commit")

    def release() -> None:
        wait_for(page, lambda: held)
        held[0].continue_()
        page.wait_for_load_state()
        wait_for_module(page, module)

    return release


def open_new_dialog(page: Page) -> None:
    """Open the dialog for a new game."""
    page.locator("[data-new]:visible").first.click()
    expect(page.locator("#new")).to_be_visible()


def block_python(page: Page) -> None:
    """Block Python for the exercises of the page; loading it costs as much as many other pages.

    For those pages alone: a route disables the browser's cache, which doubles the cost of a page.
    """
    page.route("**/learn/write/files/**", lambda route: None)


def box_of(element: Locator) -> FloatRect:
    """Return the bounding box of a visible element."""
    box = element.bounding_box()
    assert box
    return box


def resize(page: Page, width: int) -> None:
    """Set the width of a window, and the height usual for it."""
    page.set_viewport_size({"width": width, "height": WIDTHS[width]})


def expect_to_fit(page: Page) -> None:
    """Expect no sideways scroll, no cut-off text, and controls large enough for a finger.

    Waits for it: a card may still move in.
    """
    _expect_none(page, LAYOUT_ERRORS)


def _expect_none(page: Page, errors: str) -> None:
    """Expect a function of the page to return no errors, now or later."""
    if page.evaluate(errors):
        with contextlib.suppress(Error):
            page.wait_for_function(f"() => !({errors})().length")
    assert page.evaluate(errors) == [], f"{page.url}, {page.viewport_size}"


def expect_to_fit_at_all_widths(page: Page) -> None:
    """Expect the page to fit a desktop and 400 % zoom, in `make soak` phones too."""
    for width in SHOWN_WIDTHS:
        resize(page, width)
        expect_to_fit(page)
    expect_to_fit_zoomed(page)


def expect_to_fit_zoomed(page: Page) -> None:
    """Expect the page to fit at 400 % zoom, with no covered text."""
    page.set_viewport_size(ZOOMED)
    expect_to_fit(page)
    _expect_none(page, COVERED_TEXT)


def expect_no_axe_violations(page: Page, *looks: tuple[str, int]) -> None:
    """Expect no violations by axe in these looks, by default in one (in `make soak` in all)."""
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(AXE_SCRIPT)
    one = LOOKS[crc32(urlsplit(page.url).path.encode()) % len(LOOKS)]  # the same in each run
    for scheme, width in looks or (LOOKS if SOAK else [one]):
        page.emulate_media(color_scheme=scheme)
        resize(page, width)
        results = AxeResults(page.evaluate(RUN_AXE, SOAK))
        assert results.violations_count == 0, f"{scheme}, {width}: {results.generate_report()}"


def expect_to_fit_without_axe_violations(page: Page, *looks: tuple[str, int]) -> None:
    expect_to_fit_at_all_widths(page)
    expect_no_axe_violations(page, *looks)
