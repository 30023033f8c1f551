"""The component and embeds in other sites' pages: a hostile page, and a local file."""

import json
import re
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Frame, Locator, Page, Route, expect

from slidewise import Board, Puzzle
from slidewise.component import component, minified, statements
from tests.boards import UNSOLVABLE
from tests.browser.steps import AXE_SCRIPT, RUN_AXE, ConsoleErrors, expect_no_axe_violations
from tests.each import each

CODE = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"
SHORTEST = "RDLU2RDL2DR2UL2UR2DL2DRURD"
TWO_MOVES = "1.2.3-4.0.6-7.5.8"
LARGEST = "-".join(".".join(str(10 * row + col) for col in range(10)) for row in range(10))
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src {server}; "
    "frame-src {server}; base-uri 'none'"
)
HOSTILE_STYLE = """
* { all: revert; box-sizing: content-box; margin: 3px; padding: 2px; border: 1px solid; color: #700;
  background: #fff; font: italic 21px/2.6 fantasy; letter-spacing: .4em; text-transform: uppercase;
  text-indent: 2em; word-spacing: 1em; float: none; position: static; transition: all 3s; }
button, div, p, span, b { display: inline; width: 30px; height: 7px; }
iframe { width: 420px; height: 560px; border: 0; }
"""
HOSTILE_SCRIPT = """
Object.prototype.surprise = function () { return "surprise"; };
Array.prototype.surprise = "surprise";
window.heard = [];
for (const type of ["move", "solved", "step"])
  document.addEventListener(type, ({ target: { id }, detail }) => heard.push({ type, id, detail }));
addEventListener("message", ({ data }) => heard.push({ type: data.type, height: data.height }));
"""
COMPONENTS = [
    f'<slide-wise id="game" board="{TWO_MOVES}"></slide-wise>',
    f'<slide-wise id="replay" board="{CODE}" moves="{SHORTEST}"></slide-wise>',
    f'<slide-wise board="{LARGEST}" theme="dark" lang="de"></slide-wise>',
    '<slide-wise id="wrong" board="1.2.3-4.5.6-7.8.8"></slide-wise>',
    '<slide-wise board="3.1-2.0" goal="0.1-2.3" controls="none" label="Two by two"></slide-wise>',
    '<slide-wise id="oblong" board="1.2.3.4.5.6-7.8.9.10.0.11" lang="es"></slide-wise>',
    f'<slide-wise board="{TWO_MOVES}" moves="UU"></slide-wise>',
    f'<slide-wise board="{TWO_MOVES}" moves="UL" step="1"></slide-wise>',
    f'<slide-wise id="watch" watch="{{server}}/lab/{CODE}/trace"></slide-wise>',
]
EMBEDS = [
    f"/embed/play/{TWO_MOVES}",
    f"/embed/replay/{CODE}?moves={SHORTEST}&step=3&theme=dark",
    f"/embed/watch/{TWO_MOVES}?algorithm=bfs",
    f"/embed/race/{TWO_MOVES}?run=bfs,astar:manhattan",
    f"/embed/play/{LARGEST}?theme=light&accent=7a0055&paper=fff8e0",
    f"/embed/replay/{TWO_MOVES}?moves=UL&lang=de",
    "/embed/play/123406758",
    f"/embed/play/{TWO_MOVES}?accent=red",
    *(f"/embed/play/{TWO_MOVES}?controls=none&theme={theme}" for theme in ("light", "dark")),
    f"/embed/replay/{TWO_MOVES}?moves=U",
]


class Quiet(SimpleHTTPRequestHandler):
    """Sends files with the page's own content security policy, without a log."""

    policy = ""

    def log_message(self, *args: object) -> None:
        """Log nothing."""

    def end_headers(self) -> None:
        """Add the policy."""
        self.send_header("Content-Security-Policy", self.policy)
        super().end_headers()


@pytest.fixture
def host(tmp_path: Path, base_url: str) -> Iterator[str]:
    """Return the URL of a page of another site (`localhost`; the server is 127.0.0.1)."""
    (tmp_path / "slide-wise.js").write_text(component(), encoding="ascii")
    (tmp_path / "host.css").write_text(HOSTILE_STYLE)
    (tmp_path / "host.js").write_text(HOSTILE_SCRIPT)
    frames = "".join(
        f'<iframe title="Embed {number}" src="{base_url}{path}"></iframe>'
        for number, path in enumerate(EMBEDS)
    ).replace("&", "&amp;")
    components = "".join(COMPONENTS).replace("{server}", base_url)
    (tmp_path / "index.html").write_text(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A course</title>'
        '<link rel="stylesheet" href="host.css">'
        '<script src="host.js"></script><script src="slide-wise.js" defer></script></head>'
        f"<body><main><h1>A course</h1>{components}{frames}</main></body></html>"
    )
    policy = {"policy": POLICY.format(server=base_url)}
    handler = partial(type("Host", (Quiet,), policy), directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()
        thread.join()


def tiles(place: Locator) -> Locator:
    return place.locator("button.tile")


def events_of(page: Page, kind: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(
        "(kind) => heard.filter(({ type }) => type === kind)", kind
    )
    return found


@pytest.mark.own_page
def test_twenty_work_on_a_hostile_page_of_another_site_offline(
    page: Page, host: str, console_errors: ConsoleErrors
) -> None:
    busy = [503]

    def busy_at_first(route: Route) -> None:
        if busy:
            route.fulfill(status=busy.pop(), headers={"Access-Control-Allow-Origin": "*"})
        else:
            route.continue_()

    page.route(f"**/lab/{CODE}/trace", busy_at_first)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(host)
    frames = [frame for frame in page.frames if frame.parent_frame]
    assert len(frames) + page.locator("slide-wise").count() == 20
    for frame in frames:
        frame.wait_for_load_state()
    expect(frames[2].locator("output")).to_have_text(re.compile("^0 / "))
    watch = page.locator("#watch")
    expect(watch.locator("output")).to_have_text(re.compile("^0 / "))
    assert not busy
    page.context.set_offline(True)

    # by keyboard alone: to the board, a single Tab stop, and to the goal
    game = page.locator("#game")
    expect(tiles(game)).to_have_count(8)
    page.keyboard.press("Tab")
    expect(game.locator("button.tile:focus")).to_have_count(1)
    page.keyboard.press("ArrowUp")
    expect(tiles(game).filter(has_text="5")).to_be_focused()
    assert [tile.text_content() for tile in tiles(game).all()] == list("12345678")
    page.keyboard.press("ArrowLeft")
    expect(game.locator(".count")).to_have_text("Solved in 2 moves.")
    moves = [move["detail"] for move in events_of(page, "move")]
    assert [(move["direction"], move["tiles"], move["moves"]) for move in moves] == [
        ("U", [5], 1),
        ("L", [8], 2),
    ]
    (solved,) = events_of(page, "solved")
    assert solved["detail"] == {"board": "1.2.3-4.5.6-7.8.0", "moves": 2, "path": "UL"}

    # a whole line by click, a wrong tile, undo
    oblong = page.locator("#oblong")
    tiles(oblong).filter(has_text="7").click()
    expect(oblong.locator(".count")).to_have_text("4 movimientos")
    tiles(oblong).filter(has_text="2").click()
    expect(oblong.locator("p[role=status]")).to_contain_text("La ficha 2 no está")
    oblong.get_by_role("button", name="Deshacer").click()
    expect(oblong.locator(".count")).to_have_text("0 movimientos")

    # a solution: step, scrub, play to the end
    replay = page.locator("#replay")
    replay.get_by_role("button", name="One step forward").click()
    expect(replay.get_by_role("img")).to_have_attribute(
        "aria-label", "Step 1: 7 2 4; blank 5 6; 8 3 1"
    )
    replay.get_by_role("slider").fill("24")
    replay.get_by_role("combobox").select_option("4")
    replay.get_by_role("button", name="Play").click()
    expect(replay.locator("output")).to_have_text("26 / 26")
    expect(replay.locator(".tile.home")).to_have_count(8)
    steps = [step["detail"]["step"] for step in events_of(page, "step") if step["id"] == "replay"]
    assert steps == [1, 24, 25, 26]

    # a search recorded by the server, which is another site
    watch.get_by_role("slider").fill("2")
    expect(watch.locator("dl")).to_contain_text("Frontier")

    # wrong attributes are reported; the page's style and prototypes do not affect boards
    expect(page.locator("#wrong").get_by_role("alert")).to_have_text(
        "The board must have each number from 0 to 8 once."
    )
    style = (
        "({ letterSpacing, textTransform, fontStyle }) => [letterSpacing, textTransform, fontStyle]"
    )
    number = tiles(game).first.locator("b")
    spacing, *rest = number.evaluate(f"(tile) => ({style})(getComputedStyle(tile))")
    assert spacing.startswith("-")
    assert rest == ["none", "normal"]

    # frames: play, their height, no cookies, no storage
    first = frames[0]
    tiles(first.locator("slide-wise")).filter(has_text="5").click()
    expect(first.locator(".count")).to_have_text("1 move")
    slider = frames[2].get_by_role("slider")
    slider.fill("3")
    expect(frames[2].locator("dl")).to_contain_text("Frontier")
    heights = {message["height"] for message in events_of(page, "slidewise:height")}
    assert max(heights) > 450, heights
    assert {frame.evaluate("document.cookie + localStorage.length") for frame in frames} == {"0"}
    assert [
        cookie for cookie in page.context.cookies() if cookie["name"].startswith("slidewise")
    ] == []

    console_errors.ignore("Failed to execute 'postMessage' on 'DOMWindow'")  # axe looks for frames
    page.evaluate("delete Object.prototype.surprise, delete Array.prototype.surprise")  # for axe
    expect_no_axe_violations(page, ("dark", 320))
    for frame in (*frames[:4], frames[7]):
        assert violations(frame) == [], frame.url


def violations(frame: Frame) -> list[Any]:
    frame.evaluate(AXE_SCRIPT)
    found: list[Any] = frame.evaluate(RUN_AXE)["violations"]
    return found


def open_file(page: Page, folder: Path, body: str, charset: str = "utf-8") -> None:
    """Open a page with the component from a file."""
    (folder / "slide-wise.js").write_text(component(), encoding="ascii")
    path = folder / "page.html"
    path.write_text(
        f'<!doctype html><html lang="en"><meta charset="{charset}"><title>A file</title>'
        f'<script src="slide-wise.js"></script><main><h1>A file</h1>{body}</main></html>'
    )
    page.goto(path.as_uri())


def test_minified_script_has_the_value_of_its_source(page: Page) -> None:
    source = r"""
(() => {
  let i = 9, a = { of: 6, b: `//  ${`} /* ${i}` + /`  /.source} */` }   // one's "
  const again = (text) => /[/"]  \/ '/.test(text)
    ? i++ / 2 / (i - 1) : a.of / 3 /* two
    lines */ + +"4"
  i
  ++i
  if (i > 1) /\/\/  /g.exec("//  ").forEach((one) => { a.c = one })
  return [a, again('"  / \''), again("//  "), 7 .toFixed(1), a.of < !--i, typeof /  / in a, i - -i]
})()
"""
    value = page.evaluate(source)
    assert value[0] == {"of": 6, "b": "//  } /* 9`   */", "c": "//  "}
    assert page.evaluate(minified(source)) == value


def test_names_that_modules_share_are_no_globals(page: Page) -> None:
    """The modules of the component have one scope, in which a name could hide a global."""
    declared = r"(?:async )?(?:function|const|let|class) (\w+)"
    body = component().split('"use strict";')[1].removesuffix("})();\n")
    names = [found[1] for one in statements(body) if (found := re.match(declared, one))]
    assert {"parse", "LocalGame", "start"} <= set(names)
    assert page.evaluate("(names) => names.filter((name) => name in window)", names) == []


@each("charset", ["", "windows-1251"])
def test_component_is_readable_in_any_encoding_of_its_page(
    page: Page, tmp_path: Path, charset: str
) -> None:
    board = f'<slide-wise lang="de" board="{TWO_MOVES}" moves="UL"></slide-wise>'
    open_file(page, tmp_path, board, charset)
    expect(page.locator("slide-wise option")).to_have_text(["½×", "1×", "2×", "4×"])
    expect(page.locator("slide-wise .prev")).to_have_attribute("title", "Einen Schritt zurück")


def test_component_explains_an_unreachable_goal(page: Page, tmp_path: Path) -> None:
    random = Random(5)
    puzzles = []
    for rows, cols in (2, 2), (2, 3), (3, 3), (4, 4), (5, 2), (10, 10):
        numbers = range(rows * cols)
        for _ in range(8):
            start, goal = (random.sample(numbers, len(numbers)) for _ in range(2))
            puzzles.append(Puzzle(Board(rows, cols, tuple(start)), Board(rows, cols, tuple(goal))))
    boards = "".join(f'<slide-wise board="{puzzle}"></slide-wise>' for puzzle in puzzles)
    open_file(page, tmp_path, boards)
    expect(page.locator("slide-wise .board")).to_have_count(len(puzzles))
    reports = page.locator("slide-wise").evaluate_all(
        "(all) => all.map(({ shadowRoot }) => shadowRoot.querySelector('.warn')?.textContent)"
    )
    words = "This goal cannot be reached."
    assert reports == [None if puzzle.solvable else words for puzzle in puzzles]
    assert {None, words} == set(reports)


def test_embedded_board_explains_an_unreachable_goal(page: Page) -> None:
    size = page.request.get(f"/oembed?url=/play/{UNSOLVABLE}").json()
    page.set_viewport_size({"width": size["width"], "height": size["height"]})
    page.goto(f"/embed/play/{UNSOLVABLE}?lang=de")
    warning = page.locator("slide-wise .warn").filter(has_text="Dieses Ziel ist nicht")
    expect(warning).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    tiles(page.locator("slide-wise")).filter(has_text="8").click()
    expect(page.locator("slide-wise .count")).to_have_text(re.compile("^1"))
    expect(warning).to_be_visible()


def test_focus_goes_to_the_board_or_the_play_button(page: Page, tmp_path: Path) -> None:
    open_file(
        page,
        tmp_path,
        f'<slide-wise id="game" board="{TWO_MOVES}"></slide-wise>'
        f'<slide-wise id="replay" board="{TWO_MOVES}" moves="UL"></slide-wise>'
        "<script>document.getElementById('game').focus()</script>",
    )
    game, replay = page.locator("#game"), page.locator("#replay")
    expect(game.locator("button.tile:focus")).to_have_attribute("tabindex", "0")
    replay.evaluate("(element) => element.focus()")
    expect(replay.locator(".play")).to_be_focused()
    game.evaluate("(element) => element.focus()")
    page.keyboard.press("ArrowUp")
    expect(game.locator(".count")).to_have_text("1 move")


def test_swipe_takes_the_tiles_up_to_the_one_under_it(page: Page, tmp_path: Path) -> None:
    open_file(page, tmp_path, '<slide-wise board="1.2.3.4.5.6-7.8.9.10.0.11"></slide-wise>')
    box = tiles(page.locator("slide-wise")).filter(has_text="8").bounding_box()
    assert box
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] + 20, box["y"] + 20, steps=3)
    page.mouse.up()  # over another tile, so that no click moves this one
    expect(page.locator("slide-wise .count")).to_have_text("3 moves")


FOCUS_EARLY = """async (focused) => {
  const [field, board] = ["input", "slide-wise"].map((tag) => document.createElement(tag));
  board.setAttribute("board", "1.2.3-4.5.6-7.0.8");
  document.body.replaceChildren(field, board);
  board.focus(); // before its view is there
  if (focused) field.focus();
}"""


@each("focused", ["", "a field"])
def test_focus_before_the_board_is_there_moves_no_later_one(
    page: Page, tmp_path: Path, focused: str
) -> None:
    open_file(page, tmp_path, "")
    page.evaluate(FOCUS_EARLY, focused)
    board = page.locator("slide-wise")
    expect(tiles(board)).to_have_count(8)
    expect(page.locator("input" if focused else "slide-wise")).to_be_focused()
    page.evaluate("document.activeElement.blur()")
    board.evaluate("(element) => element.setAttribute('label', 'Another name')")
    expect(board.get_by_role("group", name="Another name")).to_be_visible()
    assert page.evaluate("document.activeElement === document.body")


def test_wrong_size_is_named_without_a_plural(page: Page, tmp_path: Path) -> None:
    other_goal = '<slide-wise board="1.2.3-4.5.6-7.0.8" goal="1.2-3.0"></slide-wise>'
    open_file(page, tmp_path, f'<slide-wise board="1.2.0"></slide-wise>{other_goal}')
    expect(page.locator("slide-wise").get_by_role("alert")).to_have_text(
        [
            "A board has 2 to 10 rows and columns. The board is 1 × 3.",
            "The goal is 2 × 2, and the board another size.",
        ]
    )


def test_component_in_a_file_plays_replays_and_watches(page: Page, tmp_path: Path) -> None:
    address = f"/lab/{CODE}/trace?algorithm=astar&heuristic=manhattan"
    trace = page.request.get(address)
    while trace.status == 202:  # wait for each recording
        trace = page.request.get(address)
    recording = trace.json()
    steps = f"{len(recording['steps']):,}"
    body = (
        f'<slide-wise id="game" board="{TWO_MOVES}">'
        f'</slide-wise><slide-wise id="watch" watch="#search"></slide-wise>'
        '<slide-wise id="none" watch="#nothing"></slide-wise><slide-wise id="empty"></slide-wise>'
        f'<script type="application/json" id="search">{json.dumps(recording)}</script>'
    )
    page.context.set_offline(True)
    open_file(page, tmp_path, body)
    watch = page.locator("#watch")
    expect(watch.locator("output")).to_have_text(f"0 / {steps}")
    watch.get_by_role("slider").press("End")
    expect(watch.get_by_role("img").first).to_have_attribute(
        "aria-label", f"Step {steps}: blank 1 2; 3 4 5; 6 7 8"
    )
    expect(watch.locator("dl")).to_contain_text("26")
    expect(watch.locator("p[role=status]")).to_contain_text("26 moves, proved shortest")
    page.evaluate("document.getElementById('watch').step = 1")
    expect(watch.locator("p[role=status]")).to_have_text(recording["steps"][0]["why"])
    expect(page.locator("#none")).to_contain_text("The recording cannot be read.")
    expect(page.locator("#empty")).to_contain_text("No board is given.")

    # the attribute changes the board
    game = page.locator("#game")
    tiles(game).filter(has_text="5").click()
    expect(game.locator(".count")).to_have_text("1 move")
    page.evaluate("document.getElementById('game').board = '1.2.3-4.5.6-7.0.8'")
    expect(game.locator(".count")).to_have_text("0 moves")
    assert page.evaluate("document.getElementById('game').position") == "1.2.3-4.5.6-7.0.8"
    expect_no_axe_violations(page)
    for width in 390, 260:  # the speed stands beside the buttons
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        boxes = [watch.locator(part).bounding_box() for part in (".play", "select")]
        assert len({box["y"] for box in boxes if box}) == 1, boxes
