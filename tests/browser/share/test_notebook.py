"""Notebook widgets: exported without a kernel, and live with a model for Python."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from slidewise import notebook, parse_puzzle, solve
from tests.browser.steps import press

FAR = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"
NEAR = "2.3.0-1.4.6-7.5.8"
PAGE = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Exported</title><main>{}</main>'

LIVE = """async ({ code, state }) => {
  const blob = new Blob([code], { type: "text/javascript" });
  const { default: widget } = await import(URL.createObjectURL(blob));
  const heard = new Map();
  window.sent = [];
  window.model = {
    get: (name) => state[name],
    set(changes) {
      const changed = Object.keys(changes).filter((name) => state[name] !== changes[name]);
      Object.assign(state, changes);
      for (const name of changed) for (const call of heard.get(`change:${name}`) ?? []) call();
    },
    on(event, call) { heard.set(event, [...(heard.get(event) ?? []), call]); },
    off(event, call) { heard.set(event, heard.get(event).filter((one) => one !== call)); },
    save_changes() { sent.push({ ...state }); },
  };
  for (const id of ["first", "second"]) {
    const el = Object.assign(document.createElement("div"), { id });
    document.querySelector("main").append(el);
    widget.render({ model, el });
  }
}"""
"""Shows a widget twice, like a notebook, with a model instead of the connection to Python."""


@pytest.fixture
def opened(shared_page: Callable[..., Page], tmp_path: Path) -> Callable[[str], Page]:
    """Return a function that opens a file with the given content, offline."""

    def opened(html: str) -> Page:
        path = tmp_path / "page.html"
        path.write_text(PAGE.format(html), encoding="utf-8")
        alone = shared_page(offline=True, reduced_motion="reduce")
        requested: list[str] = []
        alone.on("request", lambda request: requested.append(request.url))
        alone.goto(path.as_uri())
        assert requested == [path.as_uri()]
        return alone

    return opened


def live(page: Page, widget: Any) -> None:
    """Show a widget twice in the page."""
    names = ["_attributes", "_recording", "puzzle", "board", "moves", "step", "solved"]
    state = widget.get_state([name for name in names if widget.has_trait(name)])
    page.evaluate(LIVE, {"code": widget._esm, "state": state})


def test_an_exported_page_plays_replays_and_watches(opened: Callable[[str], Page]) -> None:
    widgets = [
        notebook.play(NEAR, label="Mine"),
        notebook.replay(solve(parse_puzzle(FAR))),
        notebook.watch(NEAR, "bfs"),
    ]
    page = opened("".join(widget.as_html() for widget in widgets))
    game, replay, search = page.locator("slide-wise").all()
    game.get_by_role("group", name="Mine").get_by_role("button", name="3, row").click()
    expect(game).to_contain_text("1 move")
    expect(replay.locator("output")).to_have_text("0 / 26")
    replay.get_by_role("button", name="One step forward").click()
    expect(replay.locator(".said")).to_have_text("Step 1: tile 5 moves right.")
    press(page, *["."] * 25)
    expect(replay.locator("output")).to_have_text("26 / 26")
    expect(replay.locator(".tile.home")).to_have_count(8)
    expect(search).to_contain_text("Breadth-first search")
    search.get_by_role("button", name="To the end").click()
    expect(search.locator(".said")).to_contain_text("6 moves, proved shortest")


def test_a_live_game_follows_python_and_its_other_view(opened: Callable[[str], Page]) -> None:
    game = notebook.play(NEAR)
    page = opened("")
    live(page, game)
    first, second = page.locator("#first slide-wise"), page.locator("#second slide-wise")
    first.get_by_role("button", name="2, row").click()  # a line of two tiles
    expect(first).to_contain_text("2 moves")
    expect(second.get_by_role("button", name="1, row 2, column 1, can move up")).to_be_visible()
    second.get_by_role("button", name="1, row").click()
    expect(first.get_by_role("button", name="4, row 2, column 2, can move left")).to_be_visible()
    game.set_state(page.evaluate("sent.at(-1)"))
    assert (game.moves, game.board) == ("RRU", "1.2.3-0.4.6-7.5.8")
    game.moves = ""
    for name in ("moves", "board"):  # Python sends them in this order
        page.evaluate("changes => model.set(changes)", {name: getattr(game, name)})
    for view in (first, second):
        expect(
            view.get_by_role("button", name="3, row 1, column 2, can move right")
        ).to_be_visible()


def test_a_live_replay_and_a_live_search_share_their_step(opened: Callable[[str], Page]) -> None:
    for widget in (notebook.replay(NEAR, "RRULUL"), notebook.watch(NEAR, "astar")):
        page = opened("")
        widget.step = 1
        live(page, widget)
        first, second = page.locator("#first output"), page.locator("#second output")
        expect(first).to_have_text(f"1 / {widget.total}")
        expect(second).to_have_text(f"1 / {widget.total}")
        page.locator("#first").get_by_role("button", name="To the end").click()
        expect(second).to_have_text(f"{widget.total} / {widget.total}")
        widget.set_state(page.evaluate("(({ step, board }) => ({ step, board }))(sent.at(-1))"))
        assert (widget.step, widget.solved) == (widget.total, True)
        widget.step = 2
        page.evaluate("step => model.set({ step })", widget.step)
        expect(first).to_have_text(f"2 / {widget.total}")
